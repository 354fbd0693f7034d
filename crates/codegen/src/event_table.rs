//! The roles of events as rows of plain values, which each language prints in its own way.

use chatstate_schema_model::{
    Closes, Does, EventItem, EventRole, ItemIdentity, ReplayedPart, Roles, WrittenTargets,
};

/// A value of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    None,
    /// A text.
    Text(String),
    /// Texts.
    Texts(Vec<String>),
    /// A text for each of some names.
    Names(Vec<(String, &'static str)>),
}

impl Cell {
    fn optional(text: Option<&str>) -> Self {
        text.map_or(Self::None, |text| Self::Text(text.to_owned()))
    }

    fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        Self::Texts(texts.into_iter().map(str::to_owned).collect())
    }
}

/// A row: its key, and its columns by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    /// The key.
    pub key: String,
    /// The columns in order.
    pub cells: Vec<(&'static str, Cell)>,
}

/// The events by their tags: what each does. Columns that are missing in the schema are `None` or
/// hold no texts.
#[must_use]
pub fn event_rows(roles: &Roles) -> Vec<EventRow> {
    let events = roles.events.iter();
    events.map(|event| event_row(roles, event)).collect()
}

fn event_row(roles: &Roles, event: &EventRole) -> EventRow {
    let closes = match event.closes {
        Closes::Nothing => None,
        Closes::Lane => Some("lane"),
        Closes::All => Some("all"),
    };
    let writes = match &event.writes {
        WrittenTargets::All => Cell::Text("all".to_owned()),
        WrittenTargets::Members(members) => Cell::texts(members.iter().map(String::as_str)),
    };
    let changes = roles.changed_by(event).map(ReplayedPart::as_str);
    let needed = roles.needed_at_first(event);
    let kinds = event.members.iter();
    let kinds = kinds.map(|member| (member.name.clone(), member.kind.as_str()));
    EventRow {
        key: event.tag.clone(),
        cells: vec![
            ("does", Cell::Text(event.does().as_str().to_owned())),
            ("item", Cell::optional(event.item())),
            ("changes", Cell::optional(changes)),
            ("id", Cell::optional(event.id())),
            ("owner", Cell::optional(event.owner.as_deref())),
            ("parent", Cell::optional(event.parent.as_deref())),
            ("closes", Cell::optional(closes)),
            ("writes", writes),
            ("text", Cell::optional(event.text())),
            ("patch", Cell::optional(event.patch())),
            (
                "opens",
                Cell::texts(event.opens().iter().map(String::as_str)),
            ),
            ("needs", Cell::texts(needed)),
            ("required", Cell::texts(event.required())),
            ("members", Cell::Names(kinds.collect())),
        ],
    }
}

/// The items by their names: what distinguishes them, and which events are about them.
#[must_use]
pub fn item_rows(roles: &Roles) -> Vec<EventRow> {
    roles
        .items
        .iter()
        .map(|item| item_row(roles, item))
        .collect()
}

fn item_row(roles: &Roles, item: &EventItem) -> EventRow {
    let event = |does: Does| {
        let event = roles.event(does, &item.name);
        Cell::optional(event.map(|event| event.tag.as_str()))
    };
    let ends = roles
        .events
        .iter()
        .filter(|event| event.does() == Does::End && event.item() == Some(&item.name));
    let key = item.key.map(|key| match key {
        ItemIdentity::Id => "id",
        ItemIdentity::IdAndOwner => "id-and-owner",
    });
    let begin = roles.event(Does::Begin, &item.name);
    EventRow {
        key: item.name.clone(),
        cells: vec![
            ("key", Cell::optional(key)),
            ("id", Cell::optional(begin.and_then(EventRole::id))),
            ("owners", Cell::optional(item.owners.as_deref())),
            ("begin", event(Does::Begin)),
            ("append", event(Does::Append)),
            ("ends", Cell::texts(ends.map(|event| event.tag.as_str()))),
            ("chunk", event(Does::Chunk)),
        ],
    }
}
