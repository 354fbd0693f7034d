"""Conditions of a schema: what is asked of an object beyond the types of its members.

A condition is the text of a JSON object with a few keywords of JSON Schema, each of which lets values
of other types through. The generator writes no other keywords than those that are read here.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import lru_cache
from typing import Any, NamedTuple, cast

from pydantic import GetCoreSchemaHandler, model_validator
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


class Fitting:
    """A text or a list of which more is asked than its type and its limits."""

    def __init__(self, keyword: str, pointer: str, predicate: str) -> None:
        """Takes what a condition is made of."""
        self.asked = Condition(keyword, pointer, predicate)
        self.predicate = parse(predicate)

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Asks the condition after all others."""
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def check(self, value: Any) -> Any:
        """Gives a value back that fits."""
        _check(plain(value), self.asked, self.predicate)
        return value


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
            _check(value, asked, predicate)
        return self


_READ: dict[type[Model], list[tuple[Condition, Predicate]]] = {}


def _check(value: Any, asked: Condition, predicate: Predicate) -> None:
    if not _is_fitting(value, predicate):
        message = f"must be as the schema asks at `{asked.pointer}`"
        raise Rejection("schema", asked.keyword, message)


MAX_NESTING = 1024
"""How many predicates may be asked for each other: those that refer to themselves go as deep as a document."""

Predicate = dict[str, Any]

Answer = Generator["Answer", bool, bool]
"""An answer that is being found: it asks for others, and is given each before it goes on."""


def _is_fitting(value: Any, asked: Predicate) -> bool:
    """Whether a value fits, found without a call within a call for each level of a document."""
    waiting = [_fits(value, asked, asked.get("$defs", {}))]
    answer: bool | None = None
    while waiting:
        try:
            # The first value that a generator is sent is none.
            waiting.append(waiting[-1].send(cast(bool, answer)))
            answer = None
        except StopIteration as found:
            waiting.pop()
            answer = found.value
        if len(waiting) > MAX_NESTING:
            message = "the document is nested too deeply for a condition"
            raise Rejection("limit", "depth", message)
    return answer is True


def _fits(value: Any, asked: Predicate, named: Predicate) -> Answer:
    kind = kind_of(value)
    if "type" in asked and not _is_of_type(value, kind, asked["type"]):
        return False
    if "enum" in asked and canonical(value) not in map(canonical, asked["enum"]):
        return False
    if kind == "number" and not _fits_number(value, asked):
        return False
    if kind == "string" and not _fits_text(value, asked):
        return False
    if kind == "array" and not (yield from _fits_list(value, asked, named)):
        return False
    if not (yield from _fits_others(value, asked, named)):
        return False
    return kind != "object" or (yield from _fits_object(value, asked, named))


def _is_of_type(value: Any, kind: str, names: list[str]) -> bool:
    return kind in names or ("integer" in names and kind == "number" and is_whole(value))


def _fits_others(value: Any, asked: Predicate, named: Predicate) -> Answer:
    """Whether a value is as other predicates about itself ask."""
    if "$ref" in asked and not (yield _fits(value, _target(asked, named), named)):
        return False
    if "not" in asked and (yield _fits(value, asked["not"], named)):
        return False
    for one in asked.get("allOf", ()):
        if not (yield _fits(value, one, named)):
            return False
    if "anyOf" in asked and not (yield from _count(value, asked["anyOf"], named, 1)):
        return False
    if "oneOf" in asked and (yield from _count(value, asked["oneOf"], named, 2)) != 1:
        return False
    if "if" not in asked:
        return True
    branch = "then" if (yield _fits(value, asked["if"], named)) else "else"
    return branch not in asked or (yield _fits(value, asked[branch], named))


def _count(
    value: Any, arms: list[Predicate], named: Predicate, most: int
) -> Generator[Answer, bool, int]:
    """Counts the predicates that a value fits, up to a number."""
    found = 0
    for arm in arms:
        if (yield _fits(value, arm, named)):
            found += 1
            if found == most:
                break
    return found


def _target(asked: Predicate, named: Predicate) -> Predicate:
    return cast(Predicate, named[asked["$ref"].removeprefix("#/$defs/")])


def _fits_number(value: Any, asked: Predicate) -> bool:
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


def _fits_text(value: str, asked: Predicate) -> bool:
    if not _is_within(len(value), asked.get("minLength"), asked.get("maxLength")):
        return False
    return "pattern" not in asked or _matches(value, asked["pattern"])


def _matches(value: str, pattern: str) -> bool:
    return _matcher(pattern).isinstance_python(value)


@lru_cache(maxsize=1000)
def _matcher(pattern: str) -> SchemaValidator:
    return SchemaValidator(core_schema.str_schema(pattern=pattern))


def _fits_list(value: list[Any], asked: Predicate, named: Predicate) -> Answer:
    if not _is_within(len(value), asked.get("minItems"), asked.get("maxItems")):
        return False
    if asked.get("uniqueItems") and len(set(map(canonical, value))) != len(value):
        return False
    if "contains" in asked:
        found = 0
        for item in value:
            found += yield _fits(item, asked["contains"], named)
        if not _is_within(found, asked.get("minContains", 1), asked.get("maxContains")):
            return False
    first: list[Predicate] = asked.get("prefixItems", [])
    rest: Predicate = asked.get("items", {})
    for place, item in enumerate(value):
        if not (yield _fits(item, first[place] if place < len(first) else rest, named)):
            return False
    return True


def _fits_object(value: dict[str, Any], asked: Predicate, named: Predicate) -> Answer:
    if not _is_within(len(value), asked.get("minProperties"), asked.get("maxProperties")):
        return False
    if not all(name in value for name in asked.get("required", ())):
        return False
    if "propertyNames" in asked:
        for name in value:
            if not (yield _fits(name, asked["propertyNames"], named)):
                return False
    for name, member in value.items():
        for each in _of_member(name, asked):
            if not (yield _fits(member, each, named)):
                return False
    if "unevaluatedProperties" in asked:
        for name, member in value.items():
            if (yield from _evaluates_beside(name, value, asked, named)):
                continue
            if not (yield _fits(member, asked["unevaluatedProperties"], named)):
                return False
    return True


def _evaluates(name: str, value: Any, asked: Predicate, named: Predicate) -> Answer:
    """Whether a predicate that an object fits says something of the member of that name."""
    if "unevaluatedProperties" in asked:
        return True
    return (yield from _evaluates_beside(name, value, asked, named))


def _evaluates_beside(name: str, value: Any, asked: Predicate, named: Predicate) -> Answer:
    """Whether something else does than `unevaluatedProperties`."""
    if "additionalProperties" in asked or _of_member(name, asked):
        return True
    if "$ref" in asked and (yield _evaluates(name, value, _target(asked, named), named)):
        return True
    for one in asked.get("allOf", ()):
        if (yield _evaluates(name, value, one, named)):
            return True
    for one in (*asked.get("anyOf", ()), *asked.get("oneOf", ())):
        if (yield _evaluates(name, value, one, named)) and (yield _fits(value, one, named)):
            return True
    if "if" not in asked:
        return False
    if not (yield _fits(value, asked["if"], named)):
        return "else" in asked and (yield _evaluates(name, value, asked["else"], named))
    if (yield _evaluates(name, value, asked["if"], named)):
        return True
    return "then" in asked and (yield _evaluates(name, value, asked["then"], named))


def _of_member(name: str, asked: Predicate) -> list[Predicate]:
    """Gives what is asked of the member of that name."""
    by_name = cast(dict[str, Predicate], asked.get("properties", {}))
    patterns = cast(dict[str, Predicate], asked.get("patternProperties", {}))
    known = [by_name[name]] if name in by_name else []
    known += [each for pattern, each in patterns.items() if _matches(name, pattern)]
    if known or "additionalProperties" not in asked:
        return known
    return [asked["additionalProperties"]]


def _is_within(count: int, least: Any, most: Any) -> bool:
    return (least is None or least <= count) and (most is None or count <= most)
