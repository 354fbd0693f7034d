"""What the annotations of generated types are made of.

Each says to pydantic what a type of Python does not say of JSON. None of them turns a value of one
JSON kind into another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, TypeAlias, TypeVar, cast

from pydantic import Field, GetCoreSchemaHandler, RootModel
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from .canonical import canonical

T = TypeVar("T")

JsonValue: TypeAlias = Any
"""Any JSON value: None, bool, int, float, Decimal, str, a list or a dict of them."""

JsonText: TypeAlias = str | bytes
"""What documents are read from."""

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object about whose members the schema says nothing."""


def constant(value: T) -> T:
    """Gives the default of a member that has one value only.

    A constructor fills it in. A document has to have it, so that to pydantic it is no default.
    """
    return cast(T, Field(json_schema_extra={"const": cast(Any, value)}))


class _NeverNull:
    """The member may be left out and may not be null."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema: Any = handler(source)
        inner: Any = schema["schema"] if schema["type"] == "nullable" else schema
        literal: Any = inner["schema"] if inner["type"] == "function-before" else inner
        if literal["type"] == "literal":
            # A constant that may be absent is asked for its kind first; null is none.
            kinds = frozenset(map(kind_of, literal["expected"]))
            return core_schema.no_info_before_validator_function(_of_kinds(kinds), inner)
        return cast(CoreSchema, inner)


def _of_kinds(kinds: frozenset[str]) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if kind_of(value) not in kinds:
            raise _rejected("type", f"must be of type {', '.join(kinds)}")
        return value

    return check


NEVER_NULL = _NeverNull()

OrAbsent: TypeAlias = Annotated[T | None, NEVER_NULL]
"""A member that may be left out and may not be null; None stands for a member that is not there."""


def _rejected(rule: str, message: str, **context: Any) -> PydanticCustomError:
    return PydanticCustomError(cast(Any, rule), cast(Any, message), context or None)


@dataclass(frozen=True)
class Bounds:
    """The limits of a number."""

    minimum: int | float | None = None
    maximum: int | float | None = None
    exclusive_minimum: int | float | None = None
    exclusive_maximum: int | float | None = None
    multiple_of: int | float | None = None

    def check(self, value: Any) -> Any:
        """Gives the value back if it is within the limits."""
        if self.minimum is not None and value < _exact(self.minimum):
            raise _rejected("minimum", "must be at least {limit}", limit=self.minimum)
        if self.maximum is not None and value > _exact(self.maximum):
            raise _rejected("maximum", "must be at most {limit}", limit=self.maximum)
        low, high = self.exclusive_minimum, self.exclusive_maximum
        if low is not None and value <= _exact(low):
            raise _rejected("exclusiveMinimum", "must be greater than {limit}", limit=low)
        if high is not None and value >= _exact(high):
            raise _rejected("exclusiveMaximum", "must be less than {limit}", limit=high)
        step = self.multiple_of
        if step is not None and not _is_multiple(_exact(value), _exact(step)):
            raise _rejected("multipleOf", "must be a multiple of {step}", step=step)
        return value


def _exact(value: Any) -> Decimal:
    """The decimal value that a number is written as."""
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def _is_multiple(value: Decimal, step: Decimal) -> bool:
    """Whether a number is a multiple of another one, however far apart they are."""
    (_, digits, exponent), (_, step_digits, step_exponent) = value.as_tuple(), step.as_tuple()
    if not (isinstance(exponent, int) and isinstance(step_exponent, int)):
        return False
    number, divisor = (int("".join(map(str, each))) for each in (digits, step_digits))
    places = exponent - step_exponent
    if places >= 0:
        return number * pow(10, places, divisor) % divisor == 0
    return number == 0 or (-places < len(digits) and number % (divisor * 10**-places) == 0)


class WholeNumber(Bounds):
    """An integer of any size. `1.0` and `1e2` are integers, and `True` is none."""

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        plain = core_schema.int_schema(strict=True)
        if self.minimum is not None:
            plain["ge"] = int(self.minimum)
        if self.maximum is not None:
            plain["le"] = int(self.maximum)
        rare = core_schema.no_info_plain_validator_function(
            self._read, json_schema_input_schema=plain
        )
        unusual = self.exclusive_minimum, self.exclusive_maximum, self.multiple_of
        if unusual != (None, None, None):
            return rare
        return core_schema.union_schema([(plain, "[plain]"), (rare, "[number]")], mode="left_to_right")

    def _read(self, value: Any) -> int:
        return cast(int, self.check(_whole(value)))


def _whole(value: Any) -> int:
    if not _is_number(value):
        raise _rejected("type", "must be of type integer")
    # No one counts that far, and the digits would fill the memory.
    if not isinstance(value, int) and not (-_UNCOUNTABLE < value < _UNCOUNTABLE and is_whole(value)):
        raise _rejected("type", "must be of type integer, but has a fraction or is too large")
    return int(value)


_UNCOUNTABLE = Decimal("1e4300")


def is_whole(value: float | Decimal) -> bool:
    """Whether a number has no fraction, by its digits: arithmetic rounds very small and very large ones."""
    if not isinstance(value, Decimal):
        return value % 1 == 0
    _, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        return False
    return exponent >= 0 or not any(digits[exponent:])


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


class AnyNumber(Bounds):
    """A number with all its digits: an int, a float, or a Decimal where a float would round."""

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self._read, json_schema_input_schema=core_schema.float_schema()
        )

    def _read(self, value: Any) -> Any:
        if not _is_number(value):
            raise _rejected("type", "must be of type number")
        return self.check(value)


Integer: TypeAlias = Annotated[int, WholeNumber()]
"""An integer of any size."""

PlainNumber: TypeAlias = int | float | Decimal
"""The types of numbers; Decimal is for those that a float would round."""

Number: TypeAlias = Annotated[PlainNumber, AnyNumber()]
"""A number with all its digits."""


class _Checked:
    """A type with one question more, asked after all others."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def check(self, value: Any) -> Any:
        raise NotImplementedError


class _NotNull(_Checked):
    def check(self, value: Any) -> Any:
        if value is None:
            raise _rejected("type", "must be any value but null")
        return value


NotNull: TypeAlias = Annotated[Any, _NotNull()]
"""Any JSON value but null."""


class NoneOf(_Checked):
    """Text that is none of the tags of a union: those have types of their own."""

    def __init__(self, *known: str) -> None:
        """Takes the known tags."""
        self.known = frozenset(known)

    def check(self, value: Any) -> Any:
        """Gives an unknown tag back."""
        if value in self.known:
            raise _rejected("not", "`{tag}` is known, so its own type applies", tag=value)
        return value


class Unique(_Checked):
    """A list without two equal items."""

    def check(self, value: Any) -> Any:
        """Gives a list without equal items back."""
        from .model import plain

        seen = {canonical(plain(item)) for item in value}
        if len(seen) != len(value):
            raise _rejected("uniqueItems", "must not hold two equal items")
        return value


class ExactLiteral:
    """Literals that are integers or truth values, which Python takes for each other; `1.0` is 1."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        literal: Any = handler(source)
        expected: list[Any] = literal["expected"]
        rule = "enum" if len(expected) > 1 else "const"

        def read(value: Any) -> Any:
            kind = kind_of(value)
            if kind != kind_of(expected[0]):
                raise _rejected("type" if rule == "enum" else rule, "must be a value of the schema")
            is_integer = kind == "number" and -(2**63) < value < 2**63 and is_whole(value)
            return int(value) if is_integer else value

        return core_schema.no_info_before_validator_function(read, literal)


class OpenText:
    """Text whose known values are only some of those that it may have."""

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.str_schema()


class _SplitText:
    """Text that may begin or end with an unpaired surrogate, which pydantic takes for any text."""


SPLIT_TEXT = _SplitText()

SplitText: TypeAlias = Annotated[str, SPLIT_TEXT]
"""Text that may begin or end with an unpaired surrogate."""


class FromArray:
    """A tuple, which is an array in JSON."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema: Any = handler(source)
        if schema["type"] == "tuple":
            schema["strict"] = False
        return cast(CoreSchema, schema)


class ByKind:
    """A union whose variants are distinguished by their JSON kind, which are given in the order of the variants."""

    def __init__(self, *kinds: str) -> None:
        """Takes `boolean`, `number`, `string`, `array` or `object` for each variant."""
        self.kinds = kinds

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema: Any = handler(source)
        if schema["type"] != "union":
            return cast(CoreSchema, schema)
        choices = dict(zip((f"[{kind}]" for kind in self.kinds), _arms(schema), strict=True))
        return core_schema.tagged_union_schema(
            cast(Any, choices),
            lambda value: f"[{kind_of(value)}]",
            custom_error_type="oneOf",
            custom_error_message=f"must be one of {', '.join(self.kinds)}",
        )


class FirstOf:
    """A union whose variants nothing distinguishes: the first one that accepts the value."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema: Any = handler(source)
        if schema["type"] != "union":
            return cast(CoreSchema, schema)
        return core_schema.union_schema(
            _arms(schema),
            mode="left_to_right",
            custom_error_type="oneOf",
            custom_error_message="must be one of the alternatives",
        )


def _arms(schema: Any) -> list[Any]:
    return [arm[0] if isinstance(arm, tuple) else arm for arm in schema["choices"]]


_KINDS: dict[type, str] = {
    bool: "boolean",
    int: "number",
    float: "number",
    Decimal: "number",
    str: "string",
    list: "array",
    tuple: "array",
    dict: "object",
    type(None): "null",
}


def kind_of(value: Any) -> str:
    """Gives the JSON kind of a value; a model is an object."""
    kind = _KINDS.get(value.__class__)
    if kind is not None:
        return kind
    for known, kind in _KINDS.items():
        if isinstance(value, known):
            return kind
    return kind_of(cast(Any, value).root) if isinstance(value, RootModel) else "object"
