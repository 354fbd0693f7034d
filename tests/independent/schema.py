"""The JSON Schema of this repository, interpreted as it is: which values it rejects, where and why."""

import json
import re
from pathlib import Path

from json_text import Number, Rejection, check_split_text, check_text, pointer

FOLDER = Path(__file__).resolve().parents[2] / "schema" / "v1"
KINDS = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null", Number: "number"}


def definitions():
    """Every definition by name; the name spaces of the files do not overlap."""
    found = {}
    for path in sorted(FOLDER.glob("*.schema.json")):
        found.update(json.loads(path.read_text("utf-8"))["$defs"])
    return found


DEFINITIONS = definitions()


def check(value, name):
    """Rejects a document that is not of the type `name`."""
    check_against(value, DEFINITIONS[name], "")


def reject(rule, at):
    raise Rejection("schema", rule, at)


def check_against(value, schema, at):
    while "$ref" in schema:
        schema = DEFINITIONS[schema["$ref"].removeprefix("#/$defs/")]
    if schema.get("format") == "split-text" and isinstance(value, str):
        return check_split_text(value, at)
    if "oneOf" in schema:
        return check_choice(value, schema["oneOf"], at)
    if "anyOf" in schema:
        return check_open_words(value, schema["anyOf"], at)
    check_kind(value, schema, at)
    check_words(value, schema, at)
    if isinstance(value, str):
        check_string(value, schema, at)
    elif isinstance(value, Number):
        check_bounds(value, schema, at)
    elif isinstance(value, list):
        check_list(value, schema, at)
    elif isinstance(value, dict):
        check_object(value, schema, at)


def check_kind(value, schema, at):
    kinds = schema.get("type")
    if kinds is None:
        return
    kinds = kinds if isinstance(kinds, list) else [kinds]
    kind = KINDS[type(value)]
    integer = kind == "number" and "integer" in kinds
    if not integer and kind not in kinds:
        reject("type", at)
    if integer and "number" not in kinds and not value.is_integer():
        reject("type", at)


def check_words(value, schema, at):
    if "const" in schema and value != schema["const"]:
        reject("const" if isinstance(value, str) else "type", at)
    if "enum" in schema and value not in schema["enum"]:
        reject("enum" if isinstance(value, str) else "type", at)
    if "not" in schema and value in schema["not"]["enum"]:
        reject("not", at)


def check_open_words(value, arms, at):
    if not isinstance(value, str):
        reject("type", at)
    check_text(value, at)


def check_string(value, schema, at):
    check_text(value, at)
    if "pattern" in schema and not re.search(schema["pattern"].replace("$", r"\Z"), value):
        reject("pattern", at)
    if len(value) < schema.get("minLength", 0):
        reject("minLength", at)


def check_bounds(value, schema, at):
    if "minimum" in schema and value.value() < schema["minimum"]:
        reject("minimum", at)
    if "maximum" in schema and value.value() > schema["maximum"]:
        reject("maximum", at)


def check_list(value, schema, at):
    if len(value) < schema.get("minItems", 0):
        reject("minItems", at)
    for index, item in enumerate(value):
        check_against(item, schema.get("items", {}), pointer(at, index))


def check_object(value, schema, at):
    named = schema.get("properties", {})
    others = schema.get("additionalProperties", {})
    for name in schema.get("required", []):
        if name not in value:
            reject("required", pointer(at, name))
    for name, member in value.items():
        check_text(name, at)
        check_against(member, named.get(name, others), pointer(at, name))


def check_choice(value, arms, at):
    """A `oneOf`: null or something, one of several JSON kinds, or objects that a tag tells apart."""
    if value is None and {"type": "null"} in arms:
        return
    arms = [arm for arm in arms if arm != {"type": "null"}]
    if len(arms) == 1:
        return check_against(value, arms[0], at)
    tag = tag_of(arms)
    if tag is None:
        return check_by_kind(value, arms, at)
    if not isinstance(value, dict):
        reject("type", at)
    if tag not in value:
        reject("required", pointer(at, tag))
    if not isinstance(value[tag], str):
        reject("type", pointer(at, tag))
    known = [arm for arm in arms if resolved(arm)["properties"][tag].get("const") == value[tag]]
    open_arms = [arm for arm in arms if "not" in resolved(arm)["properties"][tag]]
    if not known and not open_arms:
        reject("oneOf", pointer(at, tag))
    check_against(value, (known or open_arms)[0], at)


def check_by_kind(value, arms, at):
    kind = KINDS[type(value)]
    for arm in arms:
        if kind_of(arm) == kind:
            return check_against(value, arm, at)
    reject("oneOf", at)


def resolved(schema):
    while "$ref" in schema:
        schema = DEFINITIONS[schema["$ref"].removeprefix("#/$defs/")]
    return schema


def kind_of(schema):
    schema = resolved(schema)
    return "object" if "oneOf" in schema else schema.get("type")


def tag_of(arms):
    """The first member that every variant requires and fixes, by a constant or by a list of others."""
    objects = [resolved(arm) for arm in arms]
    for name in objects[0].get("properties", {}):
        if all(fixes(schema, name) for schema in objects):
            return name
    return None


def fixes(schema, name):
    member = schema.get("properties", {}).get(name, {})
    return name in schema.get("required", []) and ("const" in member or "not" in member)
