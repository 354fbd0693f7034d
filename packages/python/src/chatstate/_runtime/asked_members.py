"""Objects of which more is asked than their named members: which members they have, and what the names of others say."""

from __future__ import annotations

from types import GenericAlias
from typing import Any, NamedTuple, cast

from pydantic import ConfigDict, TypeAdapter, ValidationError, model_validator
from pydantic_core import InitErrorDetails, SchemaValidator, core_schema
from typing_extensions import Self

from .model import Model, inside
from .rejection import Rejection


class Names(NamedTuple):
    """What the names of members say that the schema does not name."""

    patterns: list[tuple[str, Any]]
    """Patterns, each with the type of the members whose names match it."""
    closed: bool
    """Whether a name that matches no pattern is an error."""


class ModelByName(Model):
    """An object whose members of other names are described by patterns of these."""

    @classmethod
    def _names(cls) -> Names:
        raise NotImplementedError

    @model_validator(mode="after")
    def _judge_names(self) -> Self:
        extra = self.__pydantic_extra__
        if extra:
            cls = type(self)
            judged = _JUDGES.get(cls) or _judges(cls, cls._names())
            judged.judge(extra)
        return self


class Present(NamedTuple):
    """What is asked of which members an object has."""

    minimum: int
    """The fewest members that it may have."""
    maximum: int | None
    """The most members that it may have."""
    dependent: dict[str, list[str]]
    """The members that need others."""

    def judge(self, members: dict[str, Any]) -> None:
        """Raises a `Rejection` for members that lack others, or are too few or too many."""
        count = len(members)
        if count < self.minimum:
            message = f"must have at least {self.minimum} member(s), but has {count}"
            raise Rejection("schema", "minProperties", message)
        if self.maximum is not None and count > self.maximum:
            message = f"must have at most {self.maximum} member(s), but has {count}"
            raise Rejection("schema", "maxProperties", message)
        for member, required in self.dependent.items():
            for name in required:
                if member in members and name not in members:
                    message = f"the member `{name}` is missing, which `{member}` needs"
                    raise Rejection("schema", "dependentRequired", message).within(name)


class ModelByPresence(Model):
    """An object of which it is asked which members it has."""

    @classmethod
    def _present(cls) -> Present:
        raise NotImplementedError

    @model_validator(mode="after")
    def _judge_presence(self) -> Self:
        self._present().judge(inside(self))
        return self


class _Judges(NamedTuple):
    patterns: tuple[tuple[SchemaValidator, TypeAdapter[Any]], ...]
    closed: bool

    def judge(self, members: dict[str, Any]) -> None:
        """Raises a `ValidationError` for the first member that its name forbids."""
        for name, value in members.items():
            matching = [of for names, of in self.patterns if names.isinstance_python(name)]
            if self.closed and not matching:
                stranger = InitErrorDetails(type="extra_forbidden", loc=(name,), input=value)
                raise ValidationError.from_exception_data("names", [stranger])
            for of in matching:
                of.validate_python({name: value}, by_alias=True, by_name=False)


_JUDGES: dict[type[Model], _Judges] = {}


def _judges(cls: type[Model], names: Names) -> _Judges:
    """Makes what judges the names of a class, once."""
    strict = ConfigDict(strict=True)
    patterns = tuple(
        (
            SchemaValidator(core_schema.str_schema(pattern=pattern)),
            TypeAdapter(cast(Any, GenericAlias(dict, (str, of))), config=strict),
        )
        for pattern, of in names.patterns
    )
    _JUDGES[cls] = judges = _Judges(patterns, names.closed)
    return judges
