//! The events that compaction makes, as text.

use super::delta::PendingDelta;
use super::open_spans::Description;
use crate::header::EventKind;
use crate::replay::ItemKind;
use chatstate_json::{Object, ObjectWriter, Value};

/// Begins an event of this type that is about an item.
fn begin<'o>(out: &'o mut String, event: EventKind, kind: ItemKind, id: &str) -> ObjectWriter<'o> {
    let mut writer = ObjectWriter::new(out);
    writer
        .text("type", event.role().tag)
        .text(kind.id_member(), id);
    writer
}

/// Writes a merged delta. An original event is there only if nothing was merged.
pub(super) fn write_delta(out: &mut String, kind: ItemKind, id: &str, delta: &PendingDelta) {
    let Some(event) = kind.appends() else {
        return;
    };
    let mut writer = begin(out, event, kind, id);
    writer
        .member("delta", &delta.text)
        .optional("timestamp", &delta.timestamp)
        .optional("rawEvent", &delta.raw_event)
        .optional("metadata", &delta.metadata);
    write_owner(&mut writer, delta.subagent_run_id.as_deref());
    writer.rest(&delta.extra).end();
}

/// Writes the START that replaces an opening chunk. What is not on its delta is kept here.
pub(super) fn write_start(
    out: &mut String,
    kind: ItemKind,
    id: &str,
    description: &Description,
    lane: Option<&str>,
    opener: &PendingDelta,
) {
    let mut writer = begin(out, kind.begins(), kind, id);
    if kind == ItemKind::Reasoning {
        writer.text("role", "reasoning");
    }
    writer
        .optional("toolCallName", &description.tool_call_name)
        .optional("parentMessageId", &description.parent_message_id)
        .optional("role", &description.role)
        .optional("name", &description.name)
        .optional("timestamp", &opener.timestamp);
    if opener.count == 0 {
        writer.optional("metadata", &opener.metadata);
    }
    write_owner(&mut writer, lane);
    if opener.count == 0 {
        writer.rest(&opener.extra);
    }
    writer.end();
}

/// Writes the END of an item that chunks kept open.
pub(super) fn write_end(out: &mut String, kind: ItemKind, id: &str, lane: Option<&str>) {
    let mut writer = begin(out, kind.ends(), kind, id);
    write_owner(&mut writer, lane);
    writer.end();
}

fn write_owner(writer: &mut ObjectWriter<'_>, subagent_run_id: Option<&str>) {
    if let Some(id) = subagent_run_id {
        writer.text("subagentRunId", id);
    }
}

/// Writes all messages of a thread.
pub(super) fn write_messages<'m>(out: &mut String, messages: impl Iterator<Item = &'m Object>) {
    out.push_str("{\"type\":\"MESSAGES_SNAPSHOT\",\"messages\":[");
    for (place, message) in messages.enumerate() {
        if place > 0 {
            out.push(',');
        }
        ObjectWriter::new(out).rest(message).end();
    }
    out.push_str("]}");
}

/// Writes a state without metadata.
pub(super) fn write_state(out: &mut String, state: &Value) {
    ObjectWriter::new(out)
        .text("type", "STATE_SNAPSHOT")
        .member("snapshot", state)
        .end();
}
