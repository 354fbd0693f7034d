"""Conditions of a schema: what is asked of an object beyond the types of its members.

A condition is the text of a JSON object with a few keywords of JSON Schema, each of which lets values
of other types through. The generator writes no other keywords than those that are read here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, cast

from pydantic import model_validator
from pydantic_core import PydanticCustomError, SchemaValidator, core_schema
from typing_extensions import Self

from .annotations import Bounds, is_whole, kind_of
from .canonical import canonical
from .json_text import parse
from .model import Model, plain
from .rejection import Rejection


class Condition(NamedTuple):
    """What a keyword of a schema asks of an object."""

    keyword: str
    """The keyword."""
    pointer: str
    """The JSON pointer to it in the schema."""
    predicate: str
    """What it asks."""


class ModelByConditions(Model):
    """An object of which more is asked than the types of its members."""

    @classmethod
    def _conditions(cls) -> list[Condition]:
        raise NotImplementedError

    @model_validator(mode="after")
    def _judge_conditions(self) -> Self:
        cls = type(self)
        read = _READ.get(cls)
        if read is None:
            _READ[cls] = read = [(asked, parse(asked.predicate)) for asked in cls._conditions()]
        value = plain(self)
        for asked, predicate in read:
            if not _fits(value, predicate):
                message = f"must be as the schema asks at `{asked.pointer}`"
                raise Rejection("schema", asked.keyword, message)
        return self


_READ: dict[type[Model], list[tuple[Condition, dict[str, Any]]]] = {}


def _fits(value: Any, asked: dict[str, Any]) -> bool:
    kind = kind_of(value)
    if "type" in asked and not _is_of_type(value, kind, asked["type"]):
        return False
    if "enum" in asked and canonical(value) not in map(canonical, asked["enum"]):
        return False
    judge = _JUDGES.get(kind)
    return (judge is None or judge(value, asked)) and _fits_others(value, asked)


def _is_of_type(value: Any, kind: str, names: list[str]) -> bool:
    return kind in names or ("integer" in names and kind == "number" and is_whole(value))


def _fits_others(value: Any, asked: dict[str, Any]) -> bool:
    """Whether a value is as other predicates about itself ask."""
    if "not" in asked and _fits(value, asked["not"]):
        return False
    if not all(_fits(value, one) for one in asked.get("allOf", ())):
        return False
    if "anyOf" in asked and not any(_fits(value, one) for one in asked["anyOf"]):
        return False
    if "oneOf" in asked and sum(_fits(value, one) for one in asked["oneOf"]) != 1:
        return False
    if "if" not in asked:
        return True
    branch = "then" if _fits(value, asked["if"]) else "else"
    return branch not in asked or _fits(value, asked[branch])


def _fits_number(value: Any, asked: dict[str, Any]) -> bool:
    bounds = Bounds(
        minimum=asked.get("minimum"),
        maximum=asked.get("maximum"),
        exclusive_minimum=asked.get("exclusiveMinimum"),
        exclusive_maximum=asked.get("exclusiveMaximum"),
        multiple_of=asked.get("multipleOf"),
    )
    try:
        bounds.check(value)
    except PydanticCustomError:
        return False
    return True


def _fits_text(value: str, asked: dict[str, Any]) -> bool:
    if not _is_within(len(value), asked.get("minLength"), asked.get("maxLength")):
        return False
    return "pattern" not in asked or _matches(value, asked["pattern"])


def _matches(value: str, pattern: str) -> bool:
    return _matcher(pattern).isinstance_python(value)


@lru_cache(maxsize=1000)
def _matcher(pattern: str) -> SchemaValidator:
    return SchemaValidator(core_schema.str_schema(pattern=pattern))


def _fits_list(value: list[Any], asked: dict[str, Any]) -> bool:
    if not _is_within(len(value), asked.get("minItems"), asked.get("maxItems")):
        return False
    if asked.get("uniqueItems") and len(set(map(canonical, value))) != len(value):
        return False
    if "contains" in asked:
        found = sum(_fits(item, asked["contains"]) for item in value)
        if not _is_within(found, asked.get("minContains", 1), asked.get("maxContains")):
            return False
    first: list[dict[str, Any]] = asked.get("prefixItems", [])
    rest: dict[str, Any] = asked.get("items", {})
    return all(
        _fits(item, first[place] if place < len(first) else rest)
        for place, item in enumerate(value)
    )


def _fits_object(value: dict[str, Any], asked: dict[str, Any]) -> bool:
    if not _is_within(len(value), asked.get("minProperties"), asked.get("maxProperties")):
        return False
    if not all(name in value for name in asked.get("required", ())):
        return False
    if "propertyNames" in asked and not all(_fits(name, asked["propertyNames"]) for name in value):
        return False
    return all(
        _fits(member, each) for name, member in value.items() for each in _of_member(name, asked)
    )


def _of_member(name: str, asked: dict[str, Any]) -> list[dict[str, Any]]:
    """Gives what is asked of the member of that name."""
    named = cast(dict[str, dict[str, Any]], asked.get("properties", {}))
    patterns = cast(dict[str, dict[str, Any]], asked.get("patternProperties", {}))
    known = [named[name]] if name in named else []
    known += [each for pattern, each in patterns.items() if _matches(name, pattern)]
    if known or "additionalProperties" not in asked:
        return known
    return [asked["additionalProperties"]]


def _is_within(count: int, least: Any, most: Any) -> bool:
    return (least is None or least <= count) and (most is None or count <= most)


_JUDGES: dict[str, Any] = {
    "number": _fits_number,
    "string": _fits_text,
    "array": _fits_list,
    "object": _fits_object,
}
