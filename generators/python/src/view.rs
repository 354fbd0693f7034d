//! What the templates print: plain data.

use chatstate_codegen::{CodegenError, View};
use chatstate_codegen::{ConditionView, PresentView};
use schemars::JsonSchema;
use serde::Serialize;

/// What is above the definitions of a module.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct ModuleView {
    pub header: HeaderView,
    pub imports: Vec<Import>,
}

/// What every generated file says of itself.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct HeaderView {
    pub title: &'static str,
    pub schemas: Vec<SchemaView>,
}

/// A schema file that the package is made from.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct SchemaView {
    pub name: String,
    /// The SHA-256 of its text, in hexadecimal digits.
    pub digest: String,
}

/// One import statement.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Import {
    pub module: &'static str,
    pub names: Vec<ImportedName>,
    /// Whether a blank line is before it, as between the groups that Python's style has.
    pub apart: bool,
}

/// A name that is imported, and what it is called in the file if that is another.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct ImportedName {
    pub name: &'static str,
    pub local: Option<String>,
}

/// A definition of the schema.
#[derive(Debug)]
pub(crate) enum DefinitionView {
    Object(ObjectView),
    Union(UnionView),
    Document(DocumentView),
    Variants(VariantsView),
    Circle(CircleView),
    Alias(AliasView),
}

impl DefinitionView {
    /// The part of a file that it is.
    pub(crate) fn part(&self, path: &str) -> Result<View, CodegenError> {
        match self {
            Self::Object(it) => View::new(path, "object.py", it),
            Self::Union(it) => View::new(path, "union.py", it),
            Self::Document(it) => View::new(path, "document.py", it),
            Self::Variants(it) => View::new(path, "variants.py", it),
            Self::Circle(it) => View::new(path, "circle.py", it),
            Self::Alias(it) => View::new(path, "alias.py", it),
        }
    }
}

/// A docstring, escaped: one line, or several; neither where there are no words.
#[derive(Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub(crate) struct DocView {
    pub line: Option<String>,
    pub lines: Vec<String>,
}

impl DocView {
    pub(crate) fn is_empty(&self) -> bool {
        self.line.is_none() && self.lines.is_empty()
    }
}

/// An object: a class.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct ObjectView {
    pub name: String,
    pub bases: Vec<String>,
    pub doc: DocView,
    /// What it reads, where that is not what its union reads.
    pub reader: Option<ReaderView>,
    /// Whether other members are rejected, and by what.
    pub closed: Option<ClosedView>,
    /// The type of other members, where the schema names one.
    pub extra: Option<ExtraView>,
    /// What the names of other members say of them.
    pub names: Option<NamesView>,
    /// What is asked of which members are there.
    pub present: Option<Box<AskedMembersView>>,
    /// What is asked of the object beyond all that.
    pub conditions: Option<ConditionsView>,
    pub members: Vec<MemberView>,
    pub accessors: Vec<AccessorView>,
    /// Whether there is nothing in the class.
    pub empty: bool,
}

/// What type checkers are told of `from_json`.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct ReaderView {
    /// What is true for type checkers alone.
    pub checking: String,
    /// The type of what is read.
    pub text: String,
    pub returns: String,
}

/// The name of the function that makes the configuration of a class.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct ClosedView {
    pub config: String,
}

/// The type of members that the schema does not name.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct ExtraView {
    pub of: Annotation,
    /// The name of the function that describes a field.
    pub field: String,
}

/// What the names of members say that the schema does not name.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct NamesView {
    /// The name of the class that says it.
    pub class: String,
    pub patterns: Vec<PatternView>,
    /// Whether a name that matches no pattern is an error.
    pub closed: LiteralView,
}

/// What is asked of which members are there.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct AskedMembersView {
    /// The name of the class that says it.
    pub class: String,
    #[serde(flatten)]
    pub present: PresentView,
}

/// The conditions of an object: one at least.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct ConditionsView {
    /// The name of the class of one of them.
    pub class: String,
    pub all: Vec<ConditionView>,
}

/// The members whose names match a pattern.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct PatternView {
    pub pattern: LiteralView,
    pub of: Annotation,
}

/// A member.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct MemberView {
    pub name: String,
    pub annotation: Annotation,
    pub default: DefaultView,
    pub doc: DocView,
}

/// What a constructor takes for a member that is not given.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum DefaultView {
    /// It must be given.
    Required,
    None,
    Constant {
        function: String,
        value: LiteralView,
    },
}

/// A property that reads a member whose text denotes something else.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct AccessorView {
    pub name: String,
    pub returns: String,
    pub function: String,
    pub member: String,
}

/// A union with a discriminator: a class, of which its variants are subclasses.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct UnionView {
    pub name: String,
    pub base: String,
    pub doc: DocView,
    pub reader: ReaderView,
    pub arms_type: String,
    pub tag: String,
    pub arms: Vec<VariantView>,
    /// The class for unknown variants.
    pub unknown: Option<String>,
}

/// A variant of a union.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct VariantView {
    pub tag: String,
    pub class: String,
}

/// The variants of a union, as a union of types.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct VariantsView {
    pub name: String,
    /// What is true for type checkers alone.
    pub checking: String,
    /// The type of the alias itself, for type checkers.
    pub alias: String,
    pub value: Annotation,
    /// The class of the union.
    pub class: String,
    pub doc: DocView,
}

/// A document that is not an object.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct DocumentView {
    pub name: String,
    pub base: String,
    pub doc: DocView,
    pub root: Annotation,
}

/// A name for a type.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct AliasView {
    pub name: String,
    /// The type of the alias itself.
    pub alias: String,
    pub value: Annotation,
    pub doc: DocView,
}

/// A type that goes round in circles: its value names it, and is read late.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct CircleView {
    pub name: String,
    /// What is true for type checkers alone.
    pub checking: String,
    /// The type of the alias itself, for type checkers.
    pub alias: String,
    /// The function that makes the type when a program runs.
    pub late: String,
    pub value: Annotation,
    pub doc: DocView,
}

/// A plain declaration.
#[derive(Debug)]
pub(crate) enum Declaration {
    Class(TypedDictView),
    /// An object with a member that no class can have.
    Call(TypedDictView),
    Alias(AliasView),
    /// A name for a type that goes round in circles, or that is made of one which does.
    Late(AliasView),
}

impl Declaration {
    /// The part of a file that it is.
    pub(crate) fn part(&self, path: &str) -> Result<View, CodegenError> {
        match self {
            Self::Class(it) => View::new(path, "typed-dict.py", it),
            Self::Call(it) => View::new(path, "typed-dict-call.py", it),
            Self::Alias(it) => View::new(path, "alias.py", it),
            Self::Late(it) => View::new(path, "late-alias.py", it),
        }
    }
}

/// An object as `json.loads` gives it.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct TypedDictView {
    pub name: String,
    /// The base class, or the function that makes one.
    pub base: String,
    pub doc: DocView,
    pub members: Vec<TypedDictMember>,
    /// Whether there is nothing in the class.
    pub empty: bool,
}

/// A member of an object.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct TypedDictMember {
    pub name: String,
    pub annotation: Annotation,
    pub doc: DocView,
}

/// The annotation of a type. Names are those of the file, where an import may have another name.
#[derive(Debug, PartialEq, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Annotation {
    /// A type by its name.
    Name {
        name: String,
    },
    List {
        of: Box<Annotation>,
    },
    /// An object whose members all have one type.
    Map {
        of: Box<Annotation>,
    },
    Tuple {
        of: Vec<Annotation>,
    },
    /// The type, or null.
    Nullable {
        of: Box<Annotation>,
    },
    /// The same, where the type is a value of Python.
    Optional {
        name: String,
        of: Box<Annotation>,
    },
    /// A type of the runtime (`name`) for what may be absent.
    AbsentOr {
        name: String,
        of: Box<Annotation>,
    },
    /// One of several.
    Either {
        of: Vec<Annotation>,
    },
    /// The same, each on a line of its own where they are many.
    Union {
        name: String,
        of: Vec<Annotation>,
    },
    /// `Literal` of some values.
    Literals {
        name: String,
        values: Vec<LiteralView>,
    },
    /// `Annotated`, with what pydantic has to know beside the type.
    Annotated {
        name: String,
        of: Box<Annotation>,
        markers: Vec<Marker>,
    },
}

impl Annotation {
    /// A type by its name.
    pub(crate) fn named(name: impl Into<String>) -> Self {
        Self::Name { name: name.into() }
    }
}

/// A call beside a type.
#[derive(Debug, PartialEq, JsonSchema, Serialize)]
pub(crate) struct Marker {
    pub name: String,
    pub arguments: Vec<CallArgument>,
}

/// An argument of a call, with a name if it is one by keyword.
#[derive(Debug, PartialEq, JsonSchema, Serialize)]
pub(crate) struct CallArgument {
    pub name: Option<&'static str>,
    pub value: LiteralView,
}

/// A value that the schema spells out.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
#[serde(tag = "kind", content = "value", rename_all = "kebab-case")]
pub(crate) enum LiteralView {
    Text(String),
    Boolean(bool),
    /// A number as it is written.
    Number(String),
}
