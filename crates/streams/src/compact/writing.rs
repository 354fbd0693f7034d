//! The events that compaction makes, as text.

use super::metadata::FoldedMetadata;
use super::part::Part;
use super::piece::Heads;
use crate::replay::ItemKind;
use chatstate_json::write_string;

/// Writes one event member by member.
pub(super) struct EventWriter<'o>(&'o mut String);

impl<'o> EventWriter<'o> {
    /// Begins an event of a type, whose name needs no escapes.
    pub fn new(out: &'o mut String, tag: &str) -> Self {
        out.push_str("{\"type\":\"");
        out.push_str(tag);
        out.push('"');
        Self(out)
    }

    /// Writes a member with a text, if there is one.
    pub fn text(&mut self, name: &str, text: Option<&str>) -> &mut Self {
        if let Some(text) = text {
            self.name(name);
            write_string(self.0, text);
        }
        self
    }

    /// Writes a member with a text that is escaped already, if there is one.
    pub fn escaped(&mut self, name: &str, text: Option<&str>) -> &mut Self {
        if let Some(text) = text {
            self.name(name);
            self.0.push('"');
            self.0.push_str(text);
            self.0.push('"');
        }
        self
    }

    /// Writes a member with a value as it is spelled, if there is one.
    pub fn raw(&mut self, name: &str, value: Option<&str>) -> &mut Self {
        if let Some(value) = value {
            self.name(name);
            self.0.push_str(value);
        }
        self
    }

    /// Writes a member with what somebody else appends.
    pub fn by(&mut self, name: &str, append: impl FnOnce(&mut String)) -> &mut Self {
        self.name(name);
        append(self.0);
        self
    }

    /// Writes folded metadata, if there is any.
    pub fn metadata(&mut self, metadata: Option<&FoldedMetadata>) -> &mut Self {
        if let Some(metadata) = metadata {
            self.name("metadata");
            metadata.write(self.0);
        }
        self
    }

    /// Writes members that are spelled already.
    pub fn rest(&mut self, members: &str) -> &mut Self {
        if !members.is_empty() {
            self.0.push(',');
            self.0.push_str(members);
        }
        self
    }

    /// Ends the event.
    pub fn end(&mut self) {
        self.0.push('}');
    }

    fn name(&mut self, name: &str) {
        self.0.push_str(",\"");
        self.0.push_str(name);
        self.0.push_str("\":");
    }
}

/// The types of the events of one kind of item.
struct Tags {
    id: &'static str,
    start: &'static str,
    delta: &'static str,
    end: &'static str,
    chunk: &'static str,
}

fn tags(kind: ItemKind) -> Tags {
    match kind {
        ItemKind::ToolCall => Tags {
            id: "toolCallId",
            start: "TOOL_CALL_START",
            delta: "TOOL_CALL_ARGS",
            end: "TOOL_CALL_END",
            chunk: "TOOL_CALL_CHUNK",
        },
        ItemKind::Reasoning => Tags {
            id: "messageId",
            start: "REASONING_MESSAGE_START",
            delta: "REASONING_MESSAGE_CONTENT",
            end: "REASONING_MESSAGE_END",
            chunk: "REASONING_MESSAGE_CHUNK",
        },
        _ => Tags {
            id: "messageId",
            start: "TEXT_MESSAGE_START",
            delta: "TEXT_MESSAGE_CONTENT",
            end: "TEXT_MESSAGE_END",
            chunk: "TEXT_MESSAGE_CHUNK",
        },
    }
}

/// Writes the delta event of a part, with the original event if it is the only one.
pub(super) fn write_delta(out: &mut String, kind: ItemKind, id: &str, part: &Part) {
    let tags = tags(kind);
    EventWriter::new(out, tags.delta)
        .text(tags.id, Some(id))
        .escaped("delta", Some(part.delta.as_deref().unwrap_or_default()))
        .raw("timestamp", part.timestamp.as_deref())
        .raw("rawEvent", part.raw_event.as_deref())
        .metadata(part.metadata.as_ref())
        .text("subagentRunId", part.subagent_run_id.as_deref())
        .rest(&part.extra)
        .end();
}

/// Writes the chunk that a part comes to. Only the first chunk of an item says what the item is.
pub(super) fn write_chunk(
    out: &mut String,
    kind: ItemKind,
    opening: Option<(&str, &Heads)>,
    lane: Option<&str>,
    part: &Part,
) {
    let tags = tags(kind);
    let (id, heads) = opening.unzip();
    let mut writer = EventWriter::new(out, tags.chunk);
    writer.text(tags.id, id);
    if let Some(heads) = heads {
        write_heads(&mut writer, heads);
    }
    writer
        .escaped("delta", part.chunk_delta())
        .raw("timestamp", part.timestamp.as_deref())
        .raw("rawEvent", part.raw_event.as_deref())
        .metadata(part.metadata.as_ref())
        .text("subagentRunId", lane)
        .rest(&part.extra)
        .end();
}

/// Writes the START that stands for an opening chunk. What is not on the delta is kept here.
pub(super) fn write_start(
    out: &mut String,
    kind: ItemKind,
    id: &str,
    heads: &Heads,
    lane: Option<&str>,
    opener: &Part,
) {
    let tags = tags(kind);
    let mut writer = EventWriter::new(out, tags.start);
    writer.text(tags.id, Some(id));
    if kind == ItemKind::Reasoning {
        writer.text("role", Some("reasoning"));
    }
    write_heads(&mut writer, heads);
    writer.raw("timestamp", opener.timestamp.as_deref());
    if !opener.has_delta() {
        writer.metadata(opener.metadata.as_ref());
    }
    writer.text("subagentRunId", lane);
    if !opener.has_delta() {
        writer.rest(&opener.extra);
    }
    writer.end();
}

/// Writes the END of an item that chunks kept open.
pub(super) fn write_end(out: &mut String, kind: ItemKind, id: &str, lane: Option<&str>) {
    let tags = tags(kind);
    EventWriter::new(out, tags.end)
        .text(tags.id, Some(id))
        .text("subagentRunId", lane)
        .end();
}

fn write_heads(writer: &mut EventWriter<'_>, heads: &Heads) {
    writer
        .text("toolCallName", heads.tool_call_name.as_deref())
        .text("parentMessageId", heads.parent_message_id.as_deref())
        .text("role", heads.role.as_deref())
        .text("name", heads.name.as_deref());
}
