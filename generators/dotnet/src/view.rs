//! What the templates print: plain data.

use chatstate_codegen::{ConditionView, PresentView};
use chatstate_schema_model::{Ir, Literal};
use schemars::JsonSchema;
use serde::Serialize;

use crate::others::{JudgedMembersView, OthersView};

/// What is above a generated file. No time and no path: equal schemas give equal files.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct HeaderView {
    pub schemas: Vec<SchemaView>,
    pub namespace: String,
}

/// A schema file that the package is made from.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct SchemaView {
    pub name: String,
    /// The SHA-256 of its text, in hexadecimal digits. A file of one type has none: it stays as it is
    /// while others change.
    pub digest: Option<String>,
}

impl HeaderView {
    /// The header of a file with a type of one schema file.
    pub(crate) fn of_types(schema: &str, namespace: &str) -> Self {
        let schema = SchemaView {
            name: schema.to_owned(),
            digest: None,
        };
        Self {
            schemas: vec![schema],
            namespace: namespace.to_owned(),
        }
    }

    /// The header of a file that is made from all schema files.
    pub(crate) fn of_all(ir: &Ir, namespace: &str) -> Self {
        let schemas = ir.schemas.iter().map(|schema| SchemaView {
            name: schema.name.clone(),
            digest: Some(schema.digest.clone()),
        });
        Self {
            schemas: schemas.collect(),
            namespace: namespace.to_owned(),
        }
    }
}

/// A definition of the schema.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum DefinitionView {
    Object(ObjectView),
    Unknown(UnknownView),
    Union(UnionView),
    Holder(HolderView),
    Enumeration(EnumerationView),
    Scalar(ScalarView),
    Collection(CollectionView),
}

/// What every type says of itself.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Declared {
    pub doc: Vec<DocElement>,
    /// Whether the schema calls it deprecated.
    pub obsolete: bool,
    pub name: String,
}

/// An element of XML documentation: one line, or several.
#[derive(Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub(crate) struct DocElement {
    /// `summary` or `remarks`.
    pub element: &'static str,
    pub line: Option<String>,
    pub lines: Vec<String>,
}

/// An object: a class with a property for each member.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct ObjectView {
    #[serde(flatten)]
    pub declared: Declared,
    /// The class that it derives from.
    pub base: Option<String>,
    /// Whether documents are made of it.
    pub root: bool,
    pub members: Vec<MemberView>,
    pub accessors: Vec<AccessorView>,
    /// Whether members that the schema does not name are rejected.
    pub closed: bool,
    /// The type of members that the schema does not name, where it has one.
    pub additional: Option<ValueView>,
    /// Whether members that the schema does not name are kept as they are.
    pub extensible: bool,
    /// What is judged of them by their names.
    pub judged: JudgedMembersView,
    /// What is asked of which members are there.
    pub present: Option<PresentView>,
    /// What is asked of the object beyond all that.
    pub conditions: Vec<ConditionView>,
}

/// A member: a property.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct MemberView {
    pub doc: Vec<DocElement>,
    pub obsolete: bool,
    /// The name in JSON.
    pub wire: String,
    pub name: String,
    #[serde(flatten)]
    pub value: ValueView,
    pub presence: MemberPresence,
    /// The value of a member that is always there and always the same.
    pub fixed: Option<LiteralView>,
    /// Whether the base class has it.
    pub inherited: bool,
}

/// What a member may be beside a value of its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MemberPresence {
    /// Nothing else.
    Required,
    /// Null.
    Nullable,
    /// Absent.
    Optional,
    /// Absent or null, which are two things.
    OptionalOrNull,
}

/// A method that gives a text as what its format says it is.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct AccessorView {
    pub doc: Vec<DocElement>,
    pub obsolete: bool,
    /// The type, and the method of the runtime that reads it.
    pub ty: &'static str,
    pub name: String,
    /// The property with the text.
    pub member: String,
    pub presence: MemberPresence,
}

/// The variant of a union for unknown tags: it keeps the whole object.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct UnknownView {
    #[serde(flatten)]
    pub declared: Declared,
    pub base: String,
    pub tag: TagView,
    pub read: ReadView,
    /// The other members.
    pub members: Vec<MemberView>,
    /// Whether members that the schema does not name are rejected.
    pub closed: bool,
    /// What is judged of them, where something is.
    pub others: Option<OthersView>,
    /// What is asked of which members are there.
    pub present: Option<PresentView>,
    /// What is asked of the object beyond all that.
    pub conditions: Vec<ConditionView>,
}

/// The discriminator of a union.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct TagView {
    pub doc: Vec<DocElement>,
    /// The name in JSON.
    pub wire: String,
    /// The property.
    pub property: String,
}

/// A union with a discriminator: an abstract class, from which its variants derive.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct UnionView {
    #[serde(flatten)]
    pub declared: Declared,
    pub tag: TagView,
    pub arms: Vec<VariantView>,
    /// The class for unknown variants.
    pub unknown: Option<ClassName>,
}

/// The class of a definition as an expression names it.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub(crate) struct ClassName {
    /// The namespace, where something else has the name alone.
    pub namespace: Option<String>,
    pub name: String,
}

/// A variant of a union by its tag.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct VariantView {
    pub tag: String,
    pub class: ClassName,
}

/// A union without a hierarchy: a class that holds the value of one variant.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct HolderView {
    #[serde(flatten)]
    pub declared: Declared,
    pub arms: Vec<HeldView>,
    pub choice: ChoiceView,
}

/// A variant that is held.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct HeldView {
    pub index: usize,
    pub name: String,
    #[serde(flatten)]
    pub value: ValueView,
    /// Whether a value of the type may be where one of the union is asked for.
    pub converts: bool,
}

/// How a document tells which variant it is.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum ChoiceView {
    /// By its JSON kind.
    Kind { cases: Vec<KindCase> },
    /// By a discriminator.
    Tag {
        wire: String,
        cases: Vec<TagCase>,
        unknown: Option<UnknownCase>,
    },
    /// It is the first that takes it.
    First { cases: Vec<FirstCase> },
}

/// A variant by its JSON kind.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct KindCase {
    pub json_kind: &'static str,
    pub name: String,
    pub read: ReadView,
}

/// A variant by its tag.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct TagCase {
    pub tag: String,
    pub name: String,
    pub class: ClassName,
}

/// The variant for unknown tags.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct UnknownCase {
    pub name: String,
    pub class: ClassName,
}

/// A variant that is tried.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct FirstCase {
    pub name: String,
    pub read: ReadView,
}

/// An enumeration: a struct around the text or the integer.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct EnumerationView {
    #[serde(flatten)]
    pub declared: Declared,
    /// Whether it is one of texts; otherwise it is one of integers.
    pub text: bool,
    /// Whether it takes values that the schema does not know.
    pub open: bool,
    /// Whether there are so many values that they are looked up in a set.
    pub many: bool,
    pub values: Vec<KnownValueView>,
}

/// A value that the schema knows.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct KnownValueView {
    pub doc: Vec<DocElement>,
    pub obsolete: bool,
    pub name: String,
    pub literal: LiteralView,
}

/// A name for a type that C# has: readers and writers for it.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct ScalarView {
    #[serde(flatten)]
    pub declared: Declared,
    #[serde(flatten)]
    pub value: ValueView,
}

/// A name for a list or a map: a class.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct CollectionView {
    #[serde(flatten)]
    pub declared: Declared,
    #[serde(flatten)]
    pub value: ValueView,
    /// Whether documents are made of it.
    pub root: bool,
}

/// A type, and the functions that read and write a value of it.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub(crate) struct ValueView {
    pub ty: TypeView,
    /// Whether it is a struct, which `?` makes another type.
    pub is_struct: bool,
    pub read: ReadView,
    pub write: WriteView,
}

/// A type of C#.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum TypeView {
    Name {
        name: String,
    },
    List {
        of: Box<TypeView>,
    },
    /// An object whose members all have one type.
    Map {
        of: Box<TypeView>,
    },
    Tuple {
        of: Vec<TypeView>,
    },
    /// A tuple of one, which C# has no signs for.
    Single {
        of: Box<TypeView>,
    },
    /// The type, or null.
    Nullable {
        of: Box<TypeView>,
    },
}

impl TypeView {
    /// A type by its name.
    pub(crate) fn named(name: impl Into<String>) -> Self {
        Self::Name { name: name.into() }
    }
}

/// The function that reads a value from an element.
#[derive(Debug, Clone, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum ReadView {
    /// That of a definition.
    Definition(ClassName),
    /// One of the runtime.
    Runtime {
        method: &'static str,
    },
    List {
        of: Box<ReadView>,
        limits: Vec<LimitView>,
    },
    /// A value that conditions are asked when it is read.
    Fitting {
        of: Box<ReadView>,
        conditions: Vec<ConditionView>,
    },
    Map {
        of: Box<ReadView>,
    },
    Tuple {
        of: Vec<ItemReadView>,
    },
    Single {
        ty: TypeView,
        of: Box<ReadView>,
    },
    NullOr {
        is_struct: bool,
        of: Box<ReadView>,
    },
    Constant {
        value: LiteralView,
    },
    UnknownTag {
        known: Vec<String>,
    },
    Text {
        limits: Vec<LimitView>,
    },
    Integer {
        minimum: i64,
        maximum: i64,
        limits: Vec<LimitView>,
    },
    Number {
        limits: Vec<LimitView>,
    },
    WholeNumber {
        limits: Vec<LimitView>,
    },
}

/// An argument by its name that limits what is read.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub(crate) struct LimitView {
    pub name: &'static str,
    pub value: LiteralView,
}

/// An item of a tuple, and how many there are.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub(crate) struct ItemReadView {
    pub index: usize,
    pub count: usize,
    pub read: ReadView,
}

/// The function that writes a value.
#[derive(Debug, Clone, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum WriteView {
    /// That of a definition.
    Definition(ClassName),
    /// One of the runtime.
    Runtime {
        method: &'static str,
    },
    List {
        of: Box<WriteView>,
    },
    Map {
        of: Box<WriteView>,
    },
    Tuple {
        of: Vec<ItemWriteView>,
    },
    NullOr {
        of: Box<WriteView>,
    },
    Constant {
        value: LiteralView,
    },
}

/// An item of a tuple by its position, the first of which is 1.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub(crate) struct ItemWriteView {
    pub position: usize,
    pub write: WriteView,
}

/// A value that the schema spells out.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(tag = "kind", content = "value", rename_all = "kebab-case")]
pub(crate) enum LiteralView {
    Text(String),
    Boolean(bool),
    /// An integer of 64 bits.
    Integer(i64),
    /// A number as an argument has it, of any type.
    Number(String),
}

impl From<&Literal> for LiteralView {
    fn from(literal: &Literal) -> Self {
        match literal {
            Literal::Text(text) => Self::Text(text.clone()),
            Literal::Boolean(value) => Self::Boolean(*value),
            Literal::Integer(value) => Self::Integer(*value),
        }
    }
}
