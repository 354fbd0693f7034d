"""What the generated types are made of: reading, writing, and keeping what the schema does not name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, cast, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    RootModel,
    ValidationError,
)
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, SchemaValidator, core_schema
from typing_extensions import Self

from . import json_text
from .annotations import NEVER_NULL, SPLIT_TEXT, JsonText
from .findings import rejection_of
from .json_fault import pairless
from .pydantic_calls import (
    BuiltOnDemand,
    check_options,
    exact_schema,
    laid_out,
    reject_reading_options,
    schema_of_values,
)


class DocumentRules(NamedTuple):
    """What the schema does not say of the documents of a type; both raise a `Rejection`."""

    version: Callable[[Any], None]
    """Rejects a version that is not supported, which comes before what the schema says."""
    content: Callable[[Any], None]
    """Rejects what is wrong with a document that fits the schema."""


class Readable(BaseModel):
    """What all generated types can do."""

    # The text of the value that its reader has accepted. A document that was not changed is written as it was
    # accepted, and is not read again to validate it.
    __slots__ = ("_accepted_text",)

    model_config = ConfigDict(defer_build=True)

    document_rules: ClassVar[DocumentRules | None] = None

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Gives the schema with which pydantic reads and writes the documents of this package."""
        return _for_pydantic(cls, handler(source))

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> Any:
        """Gives the JSON schema, which is that of values."""
        return handler(schema_of_values(schema))

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Has the serializer built when pydantic asks a value for it."""
        super().__pydantic_init_subclass__(**kwargs)
        BuiltOnDemand.instead_of(cls)

    @classmethod
    def model_rebuild(
        cls,
        *,
        force: bool = False,
        raise_errors: bool = True,
        _parent_namespace_depth: int = 2,
        _types_namespace: Any = None,
    ) -> bool | None:
        """Completes the class, which pydantic does when the class is used first.

        Names in annotations are looked up where the class is written, and not where it is used first:
        a program may have another class called `Event`.
        """
        names: dict[str, Any] = _types_namespace or {}
        return super().model_rebuild(
            force=force, raise_errors=raise_errors, _types_namespace=names
        )

    @classmethod
    def from_json(cls, text: JsonText) -> Self:
        """Reads a document; `Rejection` if it is not JSON or does not fit the schema."""
        if type(text) is not str:
            text = json_text.text_of(text)
        value, has_unpaired = json_text.parse_with_unpaired(text)
        rules = cls.document_rules
        try:
            read: Self = cls.__pydantic_validator__.validate_python(
                value, by_alias=True, by_name=False
            )
        except ValidationError as error:
            rejection = rejection_of(error, value)
            # A document of another version may well break this schema; the version says more.
            if rules and rejection.category == "schema":
                rules.version(value)
            raise rejection from None
        if has_unpaired:
            _reject_unpaired(read)
        object.__setattr__(read, "_accepted_text", text)
        return read

    def to_json(self) -> str:
        """Writes compact JSON text: all that was read or set, and nothing else.

        `Rejection` of a value that a program made or changed where `from_json` rejects its text.
        """
        text = json_text.write(self, inside)
        if text != getattr(self, "_accepted_text", None):
            self.from_json(text)
            object.__setattr__(self, "_accepted_text", text)
        return text

    # Pydantic has a method of this name that reads and that it tells everybody not to call any more.
    def validate(self) -> None:  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
        """Raises what `to_json` raises of a value that a program made or changed."""
        if not isinstance(cast(object, self), Readable):
            raise TypeError("`validate` checks a value that is there; use `model_validate` to read one")
        self.to_json()

    if not TYPE_CHECKING:

        def __setattr__(self, name, value):
            """Takes a value that fits the schema; `ValidationError` of any other."""
            cls = type(self)
            field = cls.__pydantic_fields__.get(name)
            if field is None or field.frozen or cls.model_config.get("frozen"):
                if field is None and issubclass(cls, Model) and not (name.startswith("_") or hasattr(cls, name)):
                    value = _assigned(cls, name, value)
                super().__setattr__(name, value)
            elif value is None and NEVER_NULL in field.metadata:
                # None takes away a member that is never null.
                self.__dict__[name] = None
                self.__pydantic_fields_set__.discard(name)
            else:
                self.__dict__[name] = _assigned(cls, name, value)
                self.__pydantic_fields_set__.add(name)

        @classmethod
        def model_validate(cls, obj, **options):
            """Reads a value such as `parse` gives, by the names of the schema."""
            reject_reading_options(options)
            return super().model_validate(obj, **options)

        @classmethod
        def model_validate_json(cls, json_data, **options):
            """Reads a document as `from_json` does; `ValidationError` of what does not fit the schema."""
            reject_reading_options(options)
            value, has_unpaired = json_text.parse_with_unpaired(json_data)
            read = super().model_validate(value, **options)
            if has_unpaired:
                _reject_unpaired(read)
            return read

        @classmethod
        def model_validate_strings(cls, obj, **options):
            """Is refused, since it converts texts to numbers."""
            raise TypeError("`model_validate_strings` converts texts; use `from_json`")

        @classmethod
        def parse_raw(cls, *_, **__):
            """Is refused, since it rounds numbers."""
            raise TypeError("`parse_raw` rounds numbers; use `from_json`")

        @classmethod
        def parse_file(cls, *_, **__):
            """Is refused, since it rounds numbers."""
            raise TypeError("`parse_file` rounds numbers; use `from_json`")

        def __iter__(self):
            """Is refused, since the names of attributes are not those of the schema."""
            raise TypeError("`dict` of a model takes its attributes; use `model_dump()`")

        def model_dump_json(self, *, indent=None, ensure_ascii=False, **options):
            """Writes what `to_json` writes; an option that would leave something out is rejected."""
            text = self.to_json()
            check_options(options, lambda: json_text.parse_with_unpaired(text)[0])
            return laid_out(text, indent, ensure_ascii) if indent or ensure_ascii else text


_ASSIGNING: dict[type[BaseModel], SchemaValidator] = {}


def _assigning(cls: type[BaseModel]) -> SchemaValidator:
    """Gives the validator of the members of a class, or of its `root`.

    That of the class itself reads JSON text in its own way, for which pydantic knows no assignment.
    """
    cls.model_rebuild()
    schema: Any = cls.__pydantic_core_schema__
    definitions: list[Any] = []
    if schema["type"] == "definitions":
        schema, definitions = schema["schema"], schema["definitions"]
    model: Any = schema_of_values(schema)
    members = core_schema.definitions_schema(model["schema"], definitions)
    _ASSIGNING[cls] = validator = SchemaValidator(members, model["config"])
    return validator


def _assigned(cls: type[BaseModel], name: str, value: Any) -> Any:
    """Gives what a member becomes that a value is assigned to; `ValidationError` if it does not fit."""
    validator = _ASSIGNING.get(cls) or _assigning(cls)
    if issubclass(cls, RootModel):
        return validator.validate_python(value, by_alias=True, by_name=False)
    assigned: Any = validator.validate_assignment({}, name, value)
    members, others, _ = assigned
    return members[name] if name in members else others[name]


def _for_pydantic(cls: type[BaseModel], schema: CoreSchema) -> CoreSchema:
    """Gives a schema that asks the rules of a document, too, and writes what `to_json` writes or nothing."""
    rules = cls.document_rules if issubclass(cls, Readable) else None
    if rules:
        schema = core_schema.no_info_after_validator_function(_ruled(rules), schema)

    def read(value: Any) -> Any:
        return cls.__pydantic_validator__.validate_python(value, by_alias=True, by_name=False)

    return exact_schema(cls.__name__, schema, read, _text_of)


def _ruled(rules: DocumentRules) -> Callable[[Any], Any]:
    """Gives the last question to a value that fits the schema."""

    def ask(value: Any) -> Any:
        document = inside(value)
        if json_text.is_array(document):
            document = [inside(item) for item in document]
        rules.version(document)
        rules.content(document)
        return value

    return ask


def _text_of(value: Any) -> str:
    """Writes what pydantic takes for a value of a generated type, which may be a value such as `parse` gives."""
    return value.to_json() if isinstance(value, Readable) else json_text.write(value, inside)


def plain(value: Any) -> Any:
    """Gives what JSON has for a value: models become dicts of what was read or set."""
    while isinstance(value, BaseModel):
        value = inside(value)
    # Loops, since a comprehension is a function call more on each level.
    if json_text.is_object(value):
        members: dict[str, Any] = {}
        for name, member in value.items():
            members[name] = plain(member)
        return members
    if json_text.is_array(value):
        items: list[Any] = []
        for item in value:
            items.append(plain(item))
        return items
    return value


def inside(value: Any) -> Any:
    """Gives the members of a model that were read or set, by their names in JSON.

    This is a hot path: it is called for every model that is written, and by the writer of JSON text
    itself, so that nothing is copied beforehand.
    """
    if isinstance(value, Model):
        cls = type(value)
        names, never_null = _WRITTEN.get(cls) or _written(cls)
        present = value.__pydantic_fields_set__
        members: dict[str, Any] = {
            names[name]: member
            for name, member in value.__dict__.items()
            if name in present and (member is not None or name not in never_null)
        }
        if value.__pydantic_extra__:
            members.update(value.__pydantic_extra__)
        return members
    if isinstance(value, RootModel):
        return cast(Any, value).root
    raise TypeError(f"`{type(value).__name__}` is no type of JSON; use dict, list, str, int or float")


_WRITTEN: dict[type[Model], tuple[dict[str, str], frozenset[str]]] = {}


def _written(cls: type[Model]) -> tuple[dict[str, str], frozenset[str]]:
    """Gives the names in JSON of a model's members, and which members are never null."""
    # A class that was built as a part of another one does not know its own members yet.
    cls.model_rebuild()
    fields = cls.model_fields.items()
    names = {name: _json_name(name, field) for name, field in fields}
    written = names, frozenset(name for name, field in fields if NEVER_NULL in field.metadata)
    _WRITTEN[cls] = written
    return written


def _json_name(name: str, field: FieldInfo) -> str:
    """The name of a member in JSON, which may be empty."""
    return name if field.alias is None else field.alias


def check_value(cls: type[BaseModel], value: Any, *place: str | int) -> None:
    """Rejects a value, such as `parse` gives, that does not fit a type; it is at `place`."""
    try:
        cls.__pydantic_validator__.validate_python(value, by_alias=True, by_name=False)
    except ValidationError as error:
        raise rejection_of(error, value).within(*place) from None


class Model(Readable):
    """An object of the schema. Members that the schema does not name are kept in `model_extra`."""

    model_config = ConfigDict(
        extra="allow",
        strict=True,
        validate_by_alias=True,
        validate_by_name=False,
        serialize_by_alias=True,
        protected_namespaces=(),
        defer_build=True,
    )

    _constants: ClassVar[dict[str, Any]] = {}

    if not TYPE_CHECKING:

        def __init__(self, /, **members):
            cls = type(self)
            validator = cls.__pydantic_validator__
            for name, value in cls._constants.items():
                members.setdefault(name, value)
            names, never_null = _WRITTEN.get(cls) or _written(cls)
            for name in never_null:
                # None stands for a member that is not there.
                for spelling in (name, names[name]):
                    if spelling in members and members[spelling] is None:
                        del members[spelling]
            validator.validate_python(members, self_instance=self, by_alias=True, by_name=True)

        # Documents are read without a call of this method for each object.
        __init__.__pydantic_base_init__ = True

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Completes the classes of this package that a program makes a class of its own from."""
        super().__init_subclass__(**kwargs)
        for base in cls.__bases__:
            if issubclass(base, Model) and base.__module__ not in (__name__, cls.__module__):
                base.model_rebuild()

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Notes the members that have one value only, which a constructor fills in."""
        super().__pydantic_init_subclass__(**kwargs)
        cls._constants = {}
        for name, field in cls.__pydantic_fields__.items():
            extra: Any = field.json_schema_extra
            if json_text.is_object(extra) and "const" in extra:
                cls._constants[name] = extra["const"]


def _reject_unpaired(value: Any, *path: str | int) -> None:
    """Rejects an unpaired surrogate in a document, other than at an end of a `SplitText`."""
    if isinstance(value, str) and json_text.holds_unpaired(value):
        raise pairless().within(*path)
    split = _split_texts(type(value)) if isinstance(value, BaseModel) else frozenset[str]()
    for inner, step in _held(value):
        if not split.intersection(step or ("root",)):
            _reject_unpaired(inner, *path, *step)
        elif isinstance(inner, str) and not json_text.is_split(inner):
            raise pairless().within(*path, *step)


def _split_texts(cls: type[BaseModel]) -> frozenset[str]:
    """The members, by their names in JSON, that may begin or end with an unpaired surrogate."""
    cls.model_rebuild()
    fields = cls.model_fields.items()
    return frozenset(
        _json_name(name, field)
        for name, field in fields
        if SPLIT_TEXT in field.metadata or _mentions_split_text(field.annotation)
    )


def _mentions_split_text(annotation: Any) -> bool:
    marked = SPLIT_TEXT in getattr(annotation, "__metadata__", ())
    return marked or any(map(_mentions_split_text, get_args(annotation)))


def _held(value: Any) -> Iterator[tuple[Any, tuple[str | int, ...]]]:
    """Gives what a value of a document holds, and the way from the value to it."""
    if isinstance(value, RootModel):
        yield cast(Any, value).root, ()
    elif isinstance(value, BaseModel):
        type(value).model_rebuild()
        fields = type(value).model_fields
        for name, member in value.__dict__.items():
            yield member, (_json_name(name, fields[name]),)
        for name, member in (value.__pydantic_extra__ or {}).items():
            yield member, (name,)
    else:
        for inner, step in json_text.members_of(value):
            yield inner, (step,)


class Arms(NamedTuple):
    """The variants of a union with a discriminator."""

    tag: str
    """The member whose value distinguishes the variants."""
    known: dict[str, type[Model]]
    """The variant of each known value."""
    unknown: type[Model] | None
    """The variant of all other values, if there is one."""


class TaggedUnion(Model):
    """One of several objects, distinguished by the value of a member. The variants are its subclasses."""

    if not TYPE_CHECKING:

        def __init__(self, /, **members):
            if TaggedUnion in type(self).__bases__:
                arms = ", ".join(f"`{arm.__name__}`" for arm in self._arms().known.values())
                raise TypeError(f"`{type(self).__name__}` is a union; make one of its arms: {arms}")
            super().__init__(**members)

        __init__.__pydantic_base_init__ = True

    @classmethod
    def _arms(cls) -> Arms:
        raise NotImplementedError

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Gives the schema of a variant, or that of the union, which looks at the tag first."""
        if TaggedUnion not in cls.__bases__:
            return super().__get_pydantic_core_schema__(source, handler)
        arms = cls._arms()
        classes = list(arms.known.values()) + ([arms.unknown] if arms.unknown else [])
        union = core_schema.tagged_union_schema(
            {_label(arm): handler.generate_schema(arm) for arm in classes},
            _discriminator(arms),
            custom_error_type="tag",
            custom_error_message="must be one of {known}",
            custom_error_context={
                "tag": arms.tag,
                "known": ", ".join(f"`{tag}`" for tag in arms.known),
            },
        )
        return _for_pydantic(cls, union)


def _label(arm: type[Model]) -> str:
    """The name of a variant in findings, which no reader takes for the name of a member."""
    return f"[{arm.__name__}]"


def _discriminator(arms: Arms) -> Callable[[Any], str | None]:
    """Gives the function that says which variant a value is."""
    member = arms.tag
    labels = {tag: _label(arm) for tag, arm in arms.known.items()}
    classes = {arm: _label(arm) for arm in arms.known.values()}
    unknown = _label(arms.unknown) if arms.unknown else None
    if arms.unknown:
        classes[arms.unknown] = _label(arms.unknown)

    def arm_of(value: Any) -> str | None:
        if type(value) is dict:
            tag = cast(dict[str, Any], value).get(member)
            return labels.get(tag, unknown) if type(tag) is str else None
        for cls in type(value).__mro__:
            if cls in classes:
                return classes[cls]
        return None

    return arm_of


class Document(Readable, RootModel[Any]):  # pyright: ignore[reportIncompatibleMethodOverride]
    """A document that is not an object; `root` is the value."""

    model_config = ConfigDict(strict=True, defer_build=True)
