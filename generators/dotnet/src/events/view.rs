//! What the template of the roles prints: plain data.

use chatstate_codegen::KnownDefinition;
use schemars::JsonSchema;
use serde::Serialize;

use crate::view::{DocElement, HeaderView, MemberView};

/// What events do.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct EventsView {
    pub header: HeaderView,
    pub does: Vec<String>,
    pub events: Vec<RoleView>,
    pub items: Vec<EventItemView>,
    pub values: Vec<EventValueView>,
    pub owned: Vec<OwnedView>,
}

/// The members of one class of events.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct EventClassFileView {
    pub header: HeaderView,
    pub class: EventClassView,
}

/// What the schema knows of the definitions in events.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct KnownMembersView {
    pub header: HeaderView,
    /// The definition of events.
    pub union: String,
    pub known: Vec<KnownDefinition>,
}

/// What the events of one type do.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct RoleView {
    pub name: String,
    pub does: String,
    /// The kind of item that they are about.
    pub item: Option<String>,
    /// The kind of value that they are about.
    pub value: Option<String>,
    /// What they change of that which a replay answers.
    pub changes: Option<String>,
    pub closes: &'static str,
    pub writes_item: bool,
    pub writes_parent: bool,
}

/// Something that can be open.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct EventItemView {
    pub doc: Vec<DocElement>,
    pub name: String,
    pub word: String,
    pub begin: String,
    pub append: Option<String>,
    pub is_streamed: bool,
    pub is_told_apart_by_owner: bool,
    /// What its ids name that have owners.
    pub owners: Option<String>,
}

/// Something that comes whole.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct EventValueView {
    pub doc: Vec<DocElement>,
    pub name: String,
    pub owners: Option<String>,
}

/// What an id names that has an owner.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct OwnedView {
    pub name: String,
    /// The word of the schema.
    pub word: String,
    /// Its name in sentences.
    pub says: String,
}

/// What all events have for members, each class in its own way.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct EventMembersView {
    pub union: String,
    pub heads: Vec<OpeningMemberView>,
    pub notes: Vec<MemberView>,
    /// Whether all events keep the members that the schema does not name.
    pub others: bool,
    pub beginnings: Vec<MadeEventView>,
    pub appendings: Vec<MadeEventView>,
    pub endings: Vec<MadeEventView>,
    pub chunks: Vec<MadeEventView>,
}

/// What one class of events says.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct EventClassView {
    pub class: String,
    pub kind: String,
    pub said: Vec<SaidView>,
    /// The members that a chunk needs to begin its item.
    pub missing: Vec<NeededView>,
    /// The values of the members that describe its item, if it begins one.
    pub described: Vec<DescribedView>,
    /// What it may say beside, unless it stays as it is.
    pub notes: Option<ClassNotesView>,
}

/// What a class may say beside.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct ClassNotesView {
    /// The properties, each with that of the notes.
    pub set: Vec<NotedView>,
    /// Whether it keeps the members that the schema does not name.
    pub others: bool,
}

/// A member by which an event says what its role names.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct SaidView {
    pub name: &'static str,
    pub text: TextOf,
}

/// A member that is needed.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct NeededView {
    pub text: TextOf,
    pub wire: String,
}

/// The value of a member that describes an item, where the event has it.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct DescribedView {
    pub text: Option<TextOf>,
}

/// A property of an event, and that of the notes.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct NotedView {
    pub own: String,
    pub note: String,
}

/// The text of a property.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum TextOf {
    /// The property is the text.
    Text { property: String },
    /// It is a value of a set of texts.
    Value { property: String },
    /// It is such a value, or null.
    OptionalValue { property: String },
}

/// A member that describes an item where it begins.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct OpeningMemberView {
    pub wire: String,
    pub name: String,
}

/// The event that does something to an item.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct MadeEventView {
    pub item: String,
    pub class: String,
    pub sets: Vec<SetView>,
}

/// What a member of the event is set to.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct SetView {
    pub property: String,
    pub source: SourceView,
    #[serde(flatten)]
    pub how: SetHow,
}

/// Where a text comes from.
#[derive(Debug, Clone, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum SourceView {
    /// An argument.
    Argument { name: &'static str },
    /// A member that describes the item.
    Head { name: String },
}

/// How a member is set to a text.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum SetHow {
    /// To the text.
    Text,
    /// To the text, or an empty one.
    TextOrEmpty,
    /// To the value of a set of texts.
    Value {
        ty: String,
        /// Whether the set is open.
        open: bool,
        /// The name of the text when it is known.
        known: String,
    },
}
