//! What an event does, with the parts that doing it needs.

use serde::{Deserialize, Serialize};

use super::{Does, EventRole};

/// What an event does. Each variant has the parts that its word needs, so that none can be missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "does", rename_all = "kebab-case")]
pub enum EventAction {
    /// Begins a run.
    StartRun {
        /// What it is about.
        item: String,
        /// The member that names the run.
        id: String,
    },
    /// Ends a run.
    EndRun {
        /// What it is about.
        item: String,
        /// The member that names the run.
        id: Option<String>,
    },
    /// Begins an item.
    Begin {
        /// What it is about.
        item: String,
        /// The member that names the item.
        id: String,
        /// The members that describe the item.
        opens: Vec<String>,
    },
    /// Appends text to an open item.
    Append {
        /// What it is about.
        item: String,
        /// The member that names the item.
        id: String,
        /// The member with the text.
        text: String,
    },
    /// Ends an open item.
    End {
        /// What it is about.
        item: String,
        /// The member that names the item.
        id: String,
    },
    /// Begins an item or continues the one that a chunk before it began.
    Chunk {
        /// What it is about.
        item: String,
        /// The member that names the item. A chunk may lack it.
        id: String,
        /// The member with the text.
        text: String,
        /// The members that describe the item.
        opens: Vec<String>,
    },
    /// Adds a whole item.
    Add {
        /// What it is about.
        item: String,
        /// The member that names the item.
        id: String,
    },
    /// Sets an item to a new value.
    Replace {
        /// What it is about.
        item: String,
        /// The member that names the item, if there can be several.
        id: Option<String>,
    },
    /// Changes an item by a patch.
    Patch {
        /// What it is about.
        item: String,
        /// The member that names the item, if there can be several.
        id: Option<String>,
        /// The member with the patch.
        patch: String,
    },
    /// Adds something to a message or a tool call that exists.
    Annotate {
        /// The member that names it.
        id: String,
    },
    /// Changes nothing.
    None,
}

impl EventRole {
    /// The word for what it does.
    #[must_use]
    pub fn does(&self) -> Does {
        match self.action {
            EventAction::StartRun { .. } => Does::StartRun,
            EventAction::EndRun { .. } => Does::EndRun,
            EventAction::Begin { .. } => Does::Begin,
            EventAction::Append { .. } => Does::Append,
            EventAction::End { .. } => Does::End,
            EventAction::Chunk { .. } => Does::Chunk,
            EventAction::Add { .. } => Does::Add,
            EventAction::Replace { .. } => Does::Replace,
            EventAction::Patch { .. } => Does::Patch,
            EventAction::Annotate { .. } => Does::Annotate,
            EventAction::None => Does::None,
        }
    }

    /// What it is about.
    #[must_use]
    pub fn item(&self) -> Option<&str> {
        match &self.action {
            EventAction::StartRun { item, .. }
            | EventAction::EndRun { item, .. }
            | EventAction::Begin { item, .. }
            | EventAction::Append { item, .. }
            | EventAction::End { item, .. }
            | EventAction::Chunk { item, .. }
            | EventAction::Add { item, .. }
            | EventAction::Replace { item, .. }
            | EventAction::Patch { item, .. } => Some(item),
            EventAction::Annotate { .. } | EventAction::None => None,
        }
    }

    /// The member that names the one it is about.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        match &self.action {
            EventAction::StartRun { id, .. }
            | EventAction::Begin { id, .. }
            | EventAction::Append { id, .. }
            | EventAction::End { id, .. }
            | EventAction::Chunk { id, .. }
            | EventAction::Add { id, .. }
            | EventAction::Annotate { id } => Some(id),
            EventAction::EndRun { id, .. }
            | EventAction::Replace { id, .. }
            | EventAction::Patch { id, .. } => id.as_deref(),
            EventAction::None => None,
        }
    }

    /// The member with the text that it appends.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.action {
            EventAction::Append { text, .. } | EventAction::Chunk { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The member with the patch that it applies.
    #[must_use]
    pub fn patch(&self) -> Option<&str> {
        match &self.action {
            EventAction::Patch { patch, .. } => Some(patch),
            _ => None,
        }
    }

    /// The members that describe the item that it begins.
    #[must_use]
    pub fn opens(&self) -> &[String] {
        match &self.action {
            EventAction::Begin { opens, .. } | EventAction::Chunk { opens, .. } => opens,
            _ => &[],
        }
    }
}
