"""What pydantic's own calls do with generated types: the same document as `to_json`, or an error."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from decimal import Decimal
from threading import RLock
from typing import Any

from pydantic import BaseModel
from pydantic_core import CoreSchema, core_schema
from pydantic_core.core_schema import SerializationInfo

from . import json_text
from .rejection import pointer

_HARMLESS = frozenset(
    [
        "mode",
        "context",
        "exclude_unset",
        "exclude_computed_fields",
        "round_trip",
        "warnings",
        "fallback",
        "serialize_as_any",
        "polymorphic_serialization",
    ]
)
"""The options of pydantic's writers that change nothing about a document."""

EXACT_TEXT: ContextVar[bool] = ContextVar("EXACT_TEXT", default=False)
"""Whether the text that pydantic reads was written by this package, so that nothing in it is doubled."""


def check_options(options: Mapping[str, Any], document: Callable[[], Any]) -> None:
    """Rejects options of a writer that would leave out a part of the document."""
    for name in ("include", "exclude"):
        if options.get(name) is not None:
            raise ValueError(f"`{name}` leaves out parts of a document; take them from `model_dump()`")
    if options.get("by_alias") is False:
        raise ValueError("`by_alias=False` writes names that no reader knows; leave it out")
    for name in ("exclude_none", "exclude_defaults"):
        if options.get(name) and _holds_null(document()):
            raise ValueError(f"`{name}` leaves out a null that is a value; use `exclude_unset`")
    for name, value in options.items():
        known = name in _HARMLESS or name in _JUDGED
        if not known and value not in (None, False):
            raise ValueError(f"the option `{name}` is not known here; leave it out")


_JUDGED = frozenset(["include", "exclude", "by_alias", "exclude_none", "exclude_defaults"])


def exact_schema(
    name: str, schema: CoreSchema, read: Callable[[Any], Any], text_of: Callable[[Any], str]
) -> CoreSchema:
    """Gives the schema with which pydantic reads values of a type, and writes what `text_of` gives or nothing.

    The reader of JSON text that pydantic has rounds numbers and takes the last of two equal names,
    before anything else could see them. So it reads only text that this package wrote, by `read`.
    """

    def read_parsed(value: Any) -> Any:
        if EXACT_TEXT.get():
            return read(value)
        raise ValueError(
            "the JSON reader of pydantic rounds numbers and takes the last of two equal names; "
            f"use `{name}.from_json(text)`, or `validate_python` of what `parse(text)` gives"
        )

    def document_of(value: Any, info: SerializationInfo) -> Any:
        return _checked(json_text.parse_with_unpaired(text_of(value))[0], info)

    return core_schema.json_or_python_schema(
        json_schema=core_schema.no_info_plain_validator_function(read_parsed),
        python_schema=schema,
        serialization=core_schema.plain_serializer_function_ser_schema(document_of, info_arg=True),
    )


def schema_of_values(schema: CoreSchema) -> CoreSchema:
    """Gives the inner part of an `exact_schema`, which says what the JSON of the type is."""
    while schema["type"] in ("json-or-python", "function-wrap", "function-after"):
        layered: Any = schema
        schema = layered["python_schema" if "python_schema" in layered else "schema"]
    return schema


def _checked(document: Any, info: SerializationInfo) -> Any:
    """Gives a document to pydantic's writer if that writes it as it is."""
    names = ("include", "exclude", "by_alias", "exclude_none", "exclude_defaults")
    check_options({name: getattr(info, name) for name in names}, lambda: document)
    if info.mode != "python":
        _reject_decimals(document)
    return document


def laid_out(text: str, indent: int | None, ensure_ascii: bool) -> str:
    """Gives a document with other white space or other escapes."""
    document = json_text.parse_with_unpaired(text)[0]
    _reject_decimals(document)
    separators = (",", ":") if indent is None else (",", ": ")
    written = json.dumps(
        document, indent=indent, ensure_ascii=ensure_ascii, separators=separators
    )
    return json_text.with_escaped_halves(written)


def reject_reading_options(options: Mapping[str, Any]) -> None:
    """Rejects options of a reader by which the value would become another document."""
    kept = {"strict": True, "by_alias": True, "by_name": False, "extra": "allow", "from_attributes": False}
    for name, value in kept.items():
        if options.get(name) not in (None, value):
            raise ValueError(f"`{name}={options[name]!r}` reads another document; leave it out")


class BuiltOnDemand:
    """The serializer of a class that is not built yet.

    Some versions of pydantic do not build a class that they meet as a value of another type; they
    say that its serializer is none.
    """

    _building = RLock()

    def __init__(self, placeholder: Any) -> None:
        """Takes what pydantic has put in the place of the serializer."""
        self._placeholder = placeholder
        self._is_building = False

    @classmethod
    def instead_of(cls, owner: type[BaseModel]) -> None:
        """Stands in for the serializer of a class that pydantic has not built."""
        placeholder = owner.__dict__.get("__pydantic_serializer__")
        if placeholder is not None and not owner.__pydantic_complete__:
            setattr(owner, "__pydantic_serializer__", cls(placeholder))  # noqa: B010

    def __get__(self, _: Any, owner: type[BaseModel]) -> Any:
        """Gives the serializer; the placeholder while the class is being built."""
        with self._building:
            if self._is_building:
                return self._placeholder
            self._is_building = True
            try:
                owner.model_rebuild()
                return owner.__dict__["__pydantic_serializer__"]
            finally:
                self._is_building = False


def _reject_decimals(value: Any, *path: str | int) -> None:
    """Rejects a number that a writer of JSON would round or write as text."""
    if isinstance(value, Decimal):
        at = pointer(path)
        raise ValueError(
            f"the number `{value}` at `{at}` has more digits than a float; write the document with `to_json()`"
        )
    for inner, step in json_text.members_of(value):
        _reject_decimals(inner, *path, step)


def _holds_null(value: Any) -> bool:
    return value is None or any(_holds_null(inner) for inner, _ in json_text.members_of(value))
