//! The model: definitions in the order of the schema files, and what each of them is.

use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize};

use crate::{Condition, Roles};

/// Everything the generators need to know about a set of schema files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ir {
    /// The files, in the order they were given.
    pub schemas: Vec<Schema>,
    /// All definitions by name, in the order of the files; names are unique over all of them.
    pub definitions: IndexMap<String, NamedDefinition>,
    /// What the events of the schema do, if it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roles: Option<Roles>,
}

impl Ir {
    /// The names of the root definitions of all files, in order.
    pub fn roots(&self) -> impl Iterator<Item = &str> {
        self.schemas
            .iter()
            .flat_map(|schema| schema.roots.iter().map(String::as_str))
    }

    /// The definitions of one schema file, in order.
    pub fn definitions_of<'a>(
        &'a self,
        schema: &'a Schema,
    ) -> impl Iterator<Item = &'a NamedDefinition> {
        self.definitions
            .values()
            .filter(move |definition| definition.schema == schema.name)
    }
}

/// One schema file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// The file name, as the caller gave it.
    pub name: String,
    /// The `$id`.
    pub id: String,
    /// The `title`.
    pub title: String,
    /// The `description`.
    pub doc: String,
    /// Lower-case hex SHA-256 of the file's text.
    pub digest: String,
    /// The definitions that documents of this schema are made of, from `x-roots`.
    pub roots: Vec<String>,
}

/// One named definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedDefinition {
    /// Its name: that under `$defs`, or one made of its place. Unique over all files, and a type name
    /// of ASCII letters and digits that begins with a capital letter.
    pub name: String,
    /// The name of the schema file it is in.
    pub schema: String,
    /// JSON pointer to it within the file.
    pub pointer: String,
    /// Its `description`; may be empty.
    pub doc: String,
    /// Whether it is `deprecated`.
    pub deprecated: bool,
    /// Whether a value of it can hold another value of it, by any way (also through lists).
    pub recursive: bool,
    /// What it is.
    pub kind: DefinitionKind,
}

/// What a definition is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DefinitionKind {
    /// An object with named members.
    Object(ObjectDefinition),
    /// One of several objects, distinguished by the value of a tag member.
    Union(UnionDefinition),
    /// One of several types, distinguished by their JSON kind.
    Kinds(Vec<KindArm>),
    /// One of several definitions that nothing distinguishes: the first that accepts the value.
    Alternatives(Vec<String>),
    /// One of several texts or integers.
    Enumeration(Enumeration),
    /// A name for another type, with its constraints.
    Alias(Type),
}

/// An object with named members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectDefinition {
    /// The members in the order of the schema.
    pub members: Vec<MemberDefinition>,
    /// What the members are that the schema does not name.
    pub others: Others,
    /// What the names of these members say of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub names: Option<NamePatterns>,
    /// What is asked of which members are there, beside those that are required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub present: Option<PresentMembers>,
    /// What is asked of the object beyond all that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

/// What is asked of which members an object has.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PresentMembers {
    /// The fewest members that it may have.
    pub minimum: Option<u64>,
    /// The most members that it may have.
    pub maximum: Option<u64>,
    /// The members that need others.
    pub dependent: Vec<DependentMembers>,
}

/// A member, and those that must be there where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DependentMembers {
    /// Its name.
    pub member: String,
    /// The names of the others.
    pub required: Vec<String>,
}

/// What the names of members say that the schema does not name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamePatterns {
    /// One at least.
    pub patterns: Vec<PatternMembers>,
    /// Whether a name that matches no pattern is an error.
    pub closed: bool,
}

/// The members whose names match a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PatternMembers {
    /// The regular expression that the name matches somewhere.
    pub pattern: String,
    /// What each of them is.
    pub slot: Slot,
}

/// What an object may have beside its named members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Others {
    /// Anything; it is kept.
    Kept,
    /// Nothing: another member is an error.
    #[serde(rename = "refused")]
    Rejected,
    /// Members of any name and one type.
    Typed(Box<Slot>),
}

impl ObjectDefinition {
    /// The members that are described by patterns of their names.
    pub fn by_name(&self) -> std::slice::Iter<'_, PatternMembers> {
        let names = self.names.as_ref();
        names.map_or([].iter(), |names| names.patterns.iter())
    }

    /// The member called `name` in JSON.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&MemberDefinition> {
        self.members.iter().find(|member| member.name == name)
    }

    /// The text that the member `name` must have, if it is required and constant.
    #[must_use]
    pub fn required_constant(&self, name: &str) -> Option<&str> {
        match self.member(name)? {
            MemberDefinition {
                required: true,
                ty: Type::Constant(Literal::Text(value)),
                ..
            } => Some(value),
            _ => None,
        }
    }
}

/// One member of an object.
///
/// `required` and `nullable` are independent: an optional member that is not nullable may be left
/// out but not be `null`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberDefinition {
    /// Its name in JSON.
    pub name: String,
    /// What it is called in code (`x-name`), where that is not made of its name in JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_name: Option<String>,
    /// The type of its value, `null` aside.
    #[serde(rename = "type")]
    pub ty: Type,
    /// Whether it must be there.
    pub required: bool,
    /// Whether its value may be `null`.
    pub nullable: bool,
    /// The value a reader assumes where the member is absent; never written.
    #[serde(
        default,
        deserialize_with = "written",
        skip_serializing_if = "Option::is_none"
    )]
    pub default: Option<serde_json::Value>,
    /// Its `description`.
    pub doc: String,
    /// Whether it is `deprecated`.
    pub deprecated: bool,
}

/// A value that is written, which may be null.
fn written<'de, D: Deserializer<'de>>(value: D) -> Result<Option<serde_json::Value>, D::Error> {
    serde_json::Value::deserialize(value).map(Some)
}

impl MemberDefinition {
    /// The name that its name in code is made of.
    #[must_use]
    pub fn code_name(&self) -> &str {
        self.code_name.as_deref().unwrap_or(&self.name)
    }
}

/// A union with a discriminator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnionDefinition {
    /// The member whose value distinguishes the variants.
    pub tag: String,
    /// The known variants in order.
    pub arms: Vec<VariantDefinition>,
    /// The definition that takes all unknown tags; `None` for a closed union.
    pub unknown: Option<String>,
}

/// One known variant of a union with a discriminator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantDefinition {
    /// The value of the tag.
    pub tag: String,
    /// The name of the variant's definition, which is an object.
    pub definition: String,
}

/// One variant of a union by JSON kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindArm {
    /// The kind, different for each variant.
    pub kind: JsonKind,
    /// The variant's type.
    #[serde(rename = "type")]
    pub ty: Type,
}

/// The kinds of JSON value, `null` aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum JsonKind {
    /// `true` or `false`.
    Boolean,
    /// A number, integers included.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl JsonKind {
    /// The kind as JSON Schema's `type` spells it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

/// A set of texts, or of integers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enumeration {
    /// The known values in order: at least one, all texts or all integers.
    pub values: Vec<EnumerationValue>,
    /// Whether other values of the same kind are legal too.
    pub open: bool,
}

impl Enumeration {
    /// The known values as texts, if they are texts.
    #[must_use]
    pub fn texts(&self) -> Option<Vec<&str>> {
        let values = self.values.iter();
        values.map(|known| known.value.text()).collect()
    }
}

/// One known value of an enumeration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EnumerationValue {
    /// The value.
    pub value: Literal,
    /// What it is called in code (`x-name`), where that is not made of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code_name: Option<String>,
    /// Its `description`; may be empty.
    pub doc: String,
    /// Whether it is `deprecated`.
    pub deprecated: bool,
}

/// A value that the schema spells out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Literal {
    /// `true` or `false`.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A text.
    Text(String),
}

impl Literal {
    /// The text, if it is one.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Boolean(_) | Self::Integer(_) => None,
        }
    }

    /// The kind of JSON value it is.
    #[must_use]
    pub fn kind(&self) -> JsonKind {
        match self {
            Self::Boolean(_) => JsonKind::Boolean,
            Self::Integer(_) => JsonKind::Number,
            Self::Text(_) => JsonKind::String,
        }
    }
}

/// The limits of a number; the texts of the numbers are those of the schema.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Bounds {
    /// The least value.
    pub minimum: Option<serde_json::Number>,
    /// The greatest value.
    pub maximum: Option<serde_json::Number>,
    /// What every value is greater than.
    pub exclusive_minimum: Option<serde_json::Number>,
    /// What every value is less than.
    pub exclusive_maximum: Option<serde_json::Number>,
    /// What every value is an integer multiple of.
    pub multiple_of: Option<serde_json::Number>,
}

/// A type together with whether `null` is legal in its place: what lists and maps hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    /// The type, `null` aside.
    #[serde(rename = "type")]
    pub ty: Type,
    /// Whether the value may be `null`.
    pub nullable: bool,
}

/// A type that needs no name of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Type {
    /// Another definition.
    Reference {
        /// Its name.
        to: String,
        /// Whether the definition would contain itself without a list or map between: where a
        /// language stores values in place, this reference needs an indirection.
        cyclic: bool,
    },
    /// An array of one type.
    List {
        /// What the items are.
        items: Box<Slot>,
        /// The fewest items it may have.
        minimum_items: Option<u64>,
        /// The most items it may have.
        maximum_items: Option<u64>,
        /// Whether no two items may be equal.
        unique: bool,
        /// What is asked of the array beyond all that.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        conditions: Vec<Condition>,
    },
    /// An array with exactly these items.
    Tuple(Vec<Slot>),
    /// An object whose members all have one type and any name.
    Map(Box<Slot>),
    /// Exactly this value.
    Constant(Literal),
    /// Any text but the known tags of a union: the tag of its unknown variant.
    UnknownTag(Vec<String>),
    /// Text.
    Text {
        /// The regular expression that it matches (as JSON Schema: somewhere in the text).
        pattern: Option<String>,
        /// The fewest characters it may have.
        minimum_length: Option<u64>,
        /// The most characters it may have.
        maximum_length: Option<u64>,
        /// What it denotes, for documentation.
        format: Option<String>,
        /// What is asked of the text beyond all that.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        conditions: Vec<Condition>,
    },
    /// Text that may begin or end with an unpaired surrogate.
    SplitText,
    /// `true` or `false`.
    Boolean,
    /// A number without a fractional part.
    Integer(Bounds),
    /// Any number.
    Number(Bounds),
    /// An object about whose members the schema says nothing.
    OpenObject,
    /// Any JSON value; whether `null` is one of them is said by the flag.
    Any {
        /// Whether `null` is legal.
        nullable: bool,
    },
}
