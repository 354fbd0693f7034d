//! Chunks spelled out, open ones too: what compaction is measured against.
//!
//! Written apart from the tracker that verification and replay share, so that a fault of the one
//! shows against the other.

use chatstate_json::{Object, Value};
use chatstate_types::generated::Event;

use super::{members, text};

/// An event of a log whose chunks are spelled out, and the index of the event that it comes from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spelled {
    pub index: usize,
    pub members: Object,
    /// Whether the schema does not know its type.
    pub unknown: bool,
    /// Whether it is of an item that chunks keep open at the end.
    pub open: bool,
}

impl Spelled {
    /// The type of the event.
    pub fn tag(&self) -> &str {
        text(&self.members, "type").unwrap_or_default()
    }

    /// The text of a member.
    pub fn text(&self, name: &str) -> Option<&str> {
        text(&self.members, name)
    }
}

/// Whether there is a chunk among the events.
pub(super) fn has_chunks(events: &[Event]) -> bool {
    events.iter().any(|event| event.tag().ends_with("_CHUNK"))
}

/// The log with a START, deltas and an END in place of chunks, without timestamps of chunks.
pub(super) fn expanded(events: &[Event]) -> Vec<Spelled> {
    let mut expansion = Expansion::default();
    for (index, event) in events.iter().enumerate() {
        let members = members(event);
        let unknown = matches!(event, Event::Unknown(_));
        expansion.index = index;
        if let Some(prefix) = event.tag().strip_suffix("_CHUNK").filter(|_| !unknown) {
            expansion.chunk(prefix, members);
        } else {
            if !unknown {
                expansion.close(|item| closes(&members, item));
            }
            expansion.out.push(Spelled {
                index,
                members,
                unknown,
                open: false,
            });
        }
    }
    expansion.mark_open();
    expansion.out
}

/// An item that chunks keep open.
struct Open {
    prefix: String,
    id: String,
    owner: Option<String>,
    /// The index of its start among the events that are spelled out.
    start: usize,
}

#[derive(Default)]
struct Expansion {
    open: Vec<Open>,
    out: Vec<Spelled>,
    index: usize,
}

impl Expansion {
    fn chunk(&mut self, prefix: &str, chunk: Object) {
        let name = id_member(prefix);
        let said = |name: &str| text(&chunk, name).map(str::to_owned);
        let (owner, id) = (said("subagentRunId"), said(name));
        let continued = self.continued(prefix, owner.as_ref(), id.as_ref());
        let opens = continued.is_none();
        let (owner, id) = continued.unwrap_or((owner, id.unwrap_or_default()));
        let mut carries = chunk.contains_key("delta") || chunk.contains_key("rawEvent");
        carries |= !opens && chunk.contains_key("metadata");
        let mut start = beginning(prefix, &id);
        let mut delta = object([
            ("type", delta_type(prefix).as_str()),
            (name, &id),
            ("delta", ""),
        ]);
        for (member, value) in chunk {
            match member.as_str() {
                "type" | "timestamp" | "subagentRunId" | "messageId" | "toolCallId" => {}
                "role" | "name" | "toolCallName" | "parentMessageId" => {
                    start.insert(member, value);
                }
                _ if carries => {
                    delta.insert(member, value);
                }
                _ => {
                    start.insert(member, value);
                }
            }
        }
        if opens {
            self.close(|item| item.owner == owner);
            self.put(start, owner.as_deref());
            self.open.push(Open {
                prefix: prefix.to_owned(),
                id,
                owner: owner.clone(),
                start: self.out.len() - 1,
            });
        }
        if carries {
            self.put(delta, owner.as_deref());
        }
    }

    /// The owner and the id of what a chunk continues, if it continues something.
    fn continued(
        &self,
        prefix: &str,
        owner: Option<&String>,
        id: Option<&String>,
    ) -> Option<(Option<String>, String)> {
        let named = |item: &&Open| item.prefix == prefix && id.is_none_or(|id| *id == item.id);
        let mut in_lane = self.open.iter().filter(named);
        let item = in_lane
            .find(|item| item.owner.as_ref() == owner)
            .or_else(|| self.open.iter().filter(named).find(|_| owner.is_none()))?;
        Some((item.owner.clone(), item.id.clone()))
    }

    fn close(&mut self, closes: impl Fn(&Open) -> bool) {
        let open = std::mem::take(&mut self.open).into_iter();
        let (ended, left) = open.partition(|item| closes(item));
        self.open = left;
        let ended: Vec<Open> = ended;
        for item in ended {
            let tag = format!("{}_END", item.prefix);
            let end = object([("type", tag.as_str()), (id_member(&item.prefix), &item.id)]);
            self.put(end, item.owner.as_deref());
        }
    }

    /// Marks the events of the items that are open at the end.
    fn mark_open(&mut self) {
        for item in &self.open {
            for event in &mut self.out[item.start..] {
                let is_of_kind = event.tag().starts_with(&item.prefix);
                let is_named = event.text(id_member(&item.prefix)) == Some(&item.id);
                event.open |= is_of_kind && is_named;
            }
        }
    }

    fn put(&mut self, mut members: Object, owner: Option<&str>) {
        if let Some(owner) = owner {
            members.insert("subagentRunId", owner);
        }
        self.out.push(Spelled {
            index: self.index,
            members,
            unknown: false,
            open: false,
        });
    }
}

fn beginning(prefix: &str, id: &str) -> Object {
    let tag = format!("{prefix}_START");
    let mut start = object([("type", tag.as_str()), (id_member(prefix), id)]);
    if prefix == "REASONING_MESSAGE" {
        start.insert("role", "reasoning");
    }
    start
}

/// Whether an event of a known type ends what chunks keep open.
fn closes(event: &Object, item: &Open) -> bool {
    match text(event, "type").unwrap_or_default() {
        "RUN_STARTED" | "RUN_FINISHED" | "RUN_ERROR" | "MESSAGES_SNAPSHOT" => true,
        "RAW"
        | "ACTIVITY_SNAPSHOT"
        | "ACTIVITY_DELTA"
        | "REASONING_ENCRYPTED_VALUE"
        | "SUBAGENT_STARTED" => false,
        _ => text(event, "subagentRunId") == item.owner.as_deref(),
    }
}

fn object<const N: usize>(members: [(&str, &str); N]) -> Object {
    members
        .into_iter()
        .map(|(name, value)| (name, Value::from(value)))
        .collect()
}

fn id_member(prefix: &str) -> &'static str {
    if prefix == "TOOL_CALL" {
        "toolCallId"
    } else {
        "messageId"
    }
}

fn delta_type(prefix: &str) -> String {
    let suffix = if prefix == "TOOL_CALL" {
        "ARGS"
    } else {
        "CONTENT"
    };
    format!("{prefix}_{suffix}")
}

#[cfg(test)]
mod tests;
