//! What has been begun and not ended.

use std::borrow::Cow;

use crate::json::{ObjectWriter, WriteJson};
use crate::rejection::{Class, Rejection};

/// The kinds of items that have a beginning and an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// A text message.
    Text,
    /// A reasoning message.
    Reasoning,
    /// A tool call.
    ToolCall,
    /// A step.
    Step,
    /// A span of reasoning around reasoning messages.
    ReasoningSpan,
    /// A run of a subagent.
    Subagent,
}

impl ItemKind {
    /// The kind as results and rule names spell it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Reasoning => "reasoning",
            Self::ToolCall => "tool-call",
            Self::Step => "step",
            Self::ReasoningSpan => "reasoning-span",
            Self::Subagent => "subagent",
        }
    }
}

/// An item that is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenItem {
    /// What it is.
    pub kind: ItemKind,
    /// Its id; the name of a step.
    pub id: String,
    /// The subagent it belongs to.
    pub subagent_run_id: Option<String>,
}

impl WriteJson for OpenItem {
    fn write(&self, out: &mut String) {
        ObjectWriter::new(out)
            .text("kind", self.kind.as_str())
            .text("id", &self.id)
            .optional("subagentRunId", &self.subagent_run_id)
            .end();
    }
}

/// The open items in the order of beginning. Few are open at once, so they are searched in order.
#[derive(Default)]
pub(super) struct OpenItems(Vec<OpenItem>);

impl OpenItems {
    /// Begins an item that must not be open.
    pub fn begin(&mut self, item: OpenItem) -> Result<(), Rejection> {
        if self.position(&item).is_some() {
            let message = format!(
                "the {} `{}` is begun, but it is open",
                item.kind.as_str(),
                item.id
            );
            return Err(refuse(item.kind, "already-open", message));
        }
        self.0.push(item);
        Ok(())
    }

    /// Refuses to continue an item that is not open.
    pub fn require(&self, kind: ItemKind, id: &str) -> Result<(), Rejection> {
        if self.0.iter().any(|item| item.kind == kind && item.id == id) {
            return Ok(());
        }
        Err(not_open(kind, id))
    }

    /// Ends an item that must be open.
    pub fn end(&mut self, item: &OpenItem) -> Result<(), Rejection> {
        match self.position(item) {
            Some(position) => {
                self.0.remove(position);
                Ok(())
            }
            None => Err(not_open(item.kind, &item.id)),
        }
    }

    /// Ends everything, as the end of a run does.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The items in the order of beginning.
    pub fn into_items(self) -> Vec<OpenItem> {
        self.0
    }

    /// Steps are told apart by their subagent too; the ids of other items are unique by themselves.
    fn position(&self, wanted: &OpenItem) -> Option<usize> {
        self.0.iter().position(|item| {
            let owner =
                item.kind != ItemKind::Step || item.subagent_run_id == wanted.subagent_run_id;
            item.kind == wanted.kind && item.id == wanted.id && owner
        })
    }
}

fn not_open(kind: ItemKind, id: &str) -> Rejection {
    let message = format!(
        "the {} `{id}` is continued or ended, but it is not open",
        kind.as_str()
    );
    refuse(kind, "not-open", message)
}

fn refuse(kind: ItemKind, slug: &str, message: String) -> Rejection {
    Rejection::new(
        Class::Sequence,
        Cow::Owned(format!("{}.{slug}", kind.as_str())),
        message,
    )
}
