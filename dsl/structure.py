"""The structure of a spec against `schema.json`: each violation as a diagnostic, and the tree mended.

What is wrong is replaced by `Broken` and what is missing added as `Broken`, so that the passes after this one meet
a spec that is as the schema says, and can look for mistakes of other kinds in the same run.
"""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Any

import jsonschema

from aeronef.dsl.diagnostics import Report, close, nearest
from aeronef.dsl.reader import Broken, Mapping, Node, Scalar, Sequence, data

KINDS = {"object": "a mapping", "array": "a list", "string": "a text", "integer": "a whole number",
         "boolean": "true or false", "null": "nothing"}  # fmt: skip
HABITS = {"variables": "vars", "definitions": "define"}
Path = list[str | int]


@functools.cache
def schema() -> Any:
    return json.loads(resources.files("aeronef.dsl").joinpath("schema.json").read_text(encoding="utf-8"))


@functools.cache
def words() -> frozenset[str]:
    """Every key that means something somewhere."""
    found: set[str] = set()
    todo = [schema()]
    while todo:
        node = todo.pop()
        found |= node.get("properties", {}).keys()
        todo += [inner for inner in (*node.get("properties", {}).values(), *node.values()) if isinstance(inner, dict)]
    return frozenset(found)


def check_structure(root: Mapping, report: Report, sections: tuple[str, ...] = ()) -> None:
    """Reports AE201 (unknown key), AE202 (missing key) and AE203 (wrong kind of value), of a spec or (where they are
    named) of some sections of one."""
    wanted = schema()
    if sections:
        wanted = {"type": "object", "properties": {name: wanted["properties"][name] for name in sections}}
    while _violations(root, wanted, report):
        pass  # a misspelt key was mended: what stands under it is to be looked at as well


def _violations(root: Mapping, wanted: Any, report: Report) -> bool:
    again = False
    validator = jsonschema.Draft202012Validator(wanted)
    errors = sorted(validator.iter_errors(data(root)), key=lambda error: error.validator != "additionalProperties")
    for error in errors:
        path: Path = list(error.absolute_path)
        node = _find(root, path)
        under: Any = error.schema if path else wanted
        known: dict[str, Any] = under.get("properties", {})
        if node is None or isinstance(node, Broken):
            continue
        if error.validator == "additionalProperties" and isinstance(node, Mapping):
            again |= _unknown(node, path, known, report)
        elif error.validator == "required" and isinstance(node, Mapping):
            _missing(node, path, error.validator_value, known, report)
        else:
            hint = under.get("description", "")
            if error.validator == "type" and not isinstance(node, Scalar) and "string" in error.validator_value:
                hint = "YAML reads { } and [ ] itself: put quotes around a text that starts with one"
            empty = isinstance(node, Scalar) and not node.text
            report.add("AE203", node.span, "nothing is written here" if empty else _what(error), hint)
            _put(root, path, Broken(node.span))
    return again


def _unknown(node: Mapping, path: Path, known: dict[str, Any], report: Report) -> bool:
    """Takes unknown keys out, or for the one that was meant. Whether there is something new to look at."""
    where = f" in `{path[-1]}`" if path and isinstance(path[-1], str) else ""
    again = False
    for key, value in [item for item in node.items if item[0].text not in known]:
        node.items.remove((key, value))
        absent = [name for name in known if node.get(name) is None]
        word = key.text in words()  # `when` is no misspelt `then`
        habit = HABITS.get(key.text)
        meant = habit if habit in absent else close(key.text, absent) if not word else None
        hint = f"did you mean `{meant}`?" if meant is not None else nearest(key.text, known)
        if word and close(key.text, known):
            hint = "there is: " + ", ".join(f"`{name}`" for name in sorted(known))
        report.add("AE201", key.span, f"unknown key `{key.text}`{where}", hint)
        if meant is not None:
            node.add(meant, value)
            again = True
        else:  # it could have been meant as anything that is not there
            for name in absent:
                node.add(name, Broken(key.span))
    return again


def _missing(node: Mapping, path: Path, wanted: list[str], known: dict[str, Any], report: Report) -> None:
    where = f"`{path[-1]}`" if path and isinstance(path[-1], str) else "this" if path else "the spec"
    at = node.items[0][0].span if node.items else node.span
    for name in wanted:
        if node.get(name) is None:
            report.add("AE202", at, f"{where} has no `{name}:`", known.get(name, {}).get("description", ""))
            node.add(name, Broken(at))


def _find(node: Node, path: Path) -> Node | None:
    for part in path:
        if isinstance(node, Mapping) and isinstance(part, str):
            found = node.get(part)
            if found is None:
                return None
            node = found
        elif isinstance(node, Sequence) and isinstance(part, int):
            node = node.items[part]
        else:
            return None
    return node


def _put(root: Mapping, path: Path, value: Node) -> None:
    parent = _find(root, path[:-1])
    if isinstance(parent, Mapping):
        parent.items[:] = [(key, value if key.text == path[-1] else old) for key, old in parent]
    elif isinstance(parent, Sequence):
        parent.items[int(path[-1])] = value


def _what(error: jsonschema.ValidationError) -> str:
    wanted: Any = error.validator_value
    match error.validator:
        case "type":
            kinds = wanted if isinstance(wanted, list) else [wanted]
            if "string" in kinds:  # numbers and true are texts as well
                kinds = [kind for kind in kinds if kind not in ("integer", "boolean", "null")]
            return "this must be " + " or ".join(KINDS[kind] for kind in kinds if kind != "null")
        case "enum":
            return "this must be one of " + ", ".join(f"`{word}`" for word in wanted)
        case "const":
            return f"this can only be {wanted}"
        case "minItems" | "minProperties":
            return "this must not be empty"
        case "minimum":
            return f"this must be at least {wanted}"
        case "maximum":
            return f"this must be at most {wanted}"
        case _:
            return error.message[:100]
