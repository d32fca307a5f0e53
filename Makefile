PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

# What generated/ holds is what ships.
VARIANTS := $(basename $(notdir $(filter-out generated/_%,$(wildcard generated/*.py))))
DATA := $(wildcard dsl/*.lark dsl/schema.json variants/*.yaml)

# Stamps, so that the demo does not wait for the developers' tools, nor these for the games that are measured.
RUNTIME := $(VENV)/.installed-runtime
DEV := $(VENV)/.installed-dev
BENCH := $(VENV)/.installed-bench

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:  # all targets share one virtual environment
.PHONY: help venv demo test lint types fresh wheel bench campaign peers clean

help:  ## print this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

venv: $(DEV)  ## install the project, editable, and its tools into .venv

demo: $(RUNTIME)  ## compile the shipped variants and play 1000 games of each
	$(BIN)/aeronef compile --check
	@set -e; for name in $(VARIANTS); do \
		echo "$(BIN)/aeronef run $$name -n 1000 --seed 1"; \
		$(BIN)/aeronef run $$name -n 1000 --seed 1; \
	done

test: $(DEV)  ## run the tests
	$(BIN)/python -m pytest -n auto

lint: $(DEV)  ## check style and formatting
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEV)  ## check the types
	$(BIN)/mypy

fresh: $(RUNTIME)  ## check that generated/ is what the compiler emits today
	$(BIN)/aeronef compile --check

wheel: $(DEV)  ## build the wheel and try it out of an empty environment
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -c "$$CHECK_WHEEL" dist/*.whl $(DATA)
	@set -e; tmp=$$(mktemp -d); trap 'rm -rf "$$tmp"' EXIT; \
	$(BIN)/python -m venv "$$tmp/venv"; \
	"$$tmp/venv/bin/python" -m pip install --quiet dist/*.whl; \
	cd "$$tmp"; \
	venv/bin/aeronef run montgolfiere_race --players 3 -n 5 --seed 1

bench: $(BENCH)  ## measure the speed of the back ends
	$(BIN)/python -m benchmarks

peers: $(DEV)  ## compare our games with those of others, whole or 10,000 times
	$(BIN)/python -m pytest tests/peers -m "campaign or not campaign" -n auto

campaign: $(DEV)  ## run the long searches for faults
	$(BIN)/python -m pytest -m campaign -n auto

clean:  ## remove build products and caches (.venv stays)
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

$(VENV)/pyvenv.cfg:
	$(PYTHON) -m venv $(VENV)

$(RUNTIME): pyproject.toml $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet -e .
	touch $@

$(DEV): pyproject.toml $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	touch $(RUNTIME) $@

$(BENCH): $(DEV)
	$(BIN)/python -m pip install --quiet -e '.[dev,bench]'
	touch $@

define CHECK_WHEEL
import sys, zipfile
wheel, *data = sys.argv[1:]
names = zipfile.ZipFile(wheel).namelist()
tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
missing = {f"aeronef/{name}" for name in data} - set(names)
if tops != {"aeronef"}:
    sys.exit(f"{wheel}: the top-level names are {sorted(tops)}; only aeronef may be one")
if missing:
    sys.exit(f"{wheel}: not packed: {sorted(missing)}")
print(f"{wheel}: {len(names)} files, all below aeronef")
endef
export CHECK_WHEEL
