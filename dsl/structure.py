"""The structure of a spec against `schema.json`, each violation as a diagnostic with its place."""

from __future__ import annotations

import functools
import json
from importlib import resources
from typing import Any

import jsonschema

from aeronef.dsl.diagnostics import Report, nearest
from aeronef.dsl.reader import Mapping, Node, Scalar, data, find

KINDS = {"object": "a mapping", "array": "a list", "string": "a text", "integer": "a whole number", "boolean": "true or false",
         "null": "nothing"}  # fmt: skip


@functools.cache
def schema() -> Any:
    return json.loads(resources.files("aeronef.dsl").joinpath("schema.json").read_text(encoding="utf-8"))


def check_structure(root: Node, report: Report) -> None:
    """Reports AE201 (unknown key), AE202 (missing key) and AE203 (wrong kind of value)."""
    validator = jsonschema.Draft202012Validator(schema())
    for error in validator.iter_errors(data(root)):
        path = list(error.absolute_path)
        node = find(root, path)
        if error.validator == "additionalProperties" and isinstance(node, Mapping):
            known = list(error.schema.get("properties", {}))
            for key, _ in node:
                if key.text not in known:
                    where = f" in `{path[-1]}`" if path else ""
                    report.add("AE201", key.span, f"unknown key `{key.text}`{where}", nearest(key.text, known))
        elif error.validator == "required" and isinstance(node, Mapping):
            missing = next(k for k in error.validator_value if node.get(k) is None)
            said = error.schema.get("properties", {}).get(missing, {}).get("description", "")
            at = node.items[0][0].span if node.items else node.span
            where = f"`{path[-1]}`" if path else "the spec"
            report.add("AE202", at, f"{where} has no `{missing}:`", said)
        else:
            what = _what(error)
            hint = error.schema.get("description", "")
            if isinstance(node, Scalar) and node.text in ("yes", "no", "on", "off"):
                hint = "write `true` or `false`"
            report.add("AE203", node.span, what, hint)


def _what(error: jsonschema.ValidationError) -> str:
    match error.validator:
        case "type":
            kinds = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
            return "this must be " + " or ".join(KINDS[k] for k in kinds)
        case "enum":
            return "this must be one of " + ", ".join(f"`{v}`" for v in error.validator_value)
        case "const":
            return f"this can only be {error.validator_value}"
        case "minItems" | "minProperties":
            return "this must not be empty"
        case "minimum":
            return f"this must be at least {error.validator_value}"
        case "maximum":
            return f"this must be at most {error.validator_value}"
        case _:
            return error.message[:100]
