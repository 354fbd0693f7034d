//! Which messages the path of a run holds, so that its input need not repeat them.
//!
//! Only hashes are kept: of a message its id, the canonical value, and the spelling in which it was
//! seen last, since an input nearly always repeats that. Of a message that the events of one run
//! build the value is known at the end of the run. What a later run does to it makes its value
//! unknown, and nothing that is unknown is dropped from an input. What is known depends only on
//! events that compaction keeps, so that compacting again finds the same.

mod draft;
mod entries;
mod hash;
mod path;
mod run;

use super::metadata::FoldedMetadata;
use super::part::Part;
use super::piece::Heads;
use crate::head::{Digest, EventKind, Head, Member, MessageHead};
use crate::replay::ItemKind;
use chatstate_json::Rejection;
use chatstate_json::{Object, members_of};
use draft::Encrypted;
use entries::{Calls, Entries};
use path::Path;
use run::RunMessages;

/// The messages of a log.
#[derive(Default)]
pub(super) struct Held {
    path: Path,
    entries: Entries,
    calls: Calls,
    run: RunMessages,
}

/// What names and opens an item.
pub(super) struct Item<'a> {
    pub kind: ItemKind,
    pub id: &'a str,
    pub heads: &'a Heads,
    pub subagent_run_id: Option<&'a str>,
    pub metadata: Option<&'a str>,
}

impl Held {
    /// Begins a run.
    pub fn begin_run(&mut self, run_id: &str, parent_run_id: Option<&str>) {
        let place = self.path.begin(run_id, parent_run_id);
        self.run = RunMessages::of(place, self.path.predecessor(place));
    }

    /// Learns the unknown values from the messages as they are at the end of the run in progress.
    pub fn learn(&mut self, messages: &[Object]) {
        self.run.learn(messages);
    }

    /// Ends the run in progress.
    pub fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        run.commit(&mut self.path, &mut self.entries, &mut self.calls);
    }

    /// Takes a message of the run's input, and tells whether the path holds it. One that is new is
    /// held from now on. A message of a subagent is never told to be held: a verifier learns its
    /// owner from the input of each run.
    pub fn take_input(&mut self, message: &MessageHead<'_>, digest: Option<Digest>) -> bool {
        let Some(id) = &message.id else {
            return false;
        };
        let is_held = self
            .run
            .take_input(&self.path, &mut self.entries, id, message, digest);
        is_held && message.subagent_run_id.is_none()
    }

    /// Takes an event that stands in the run as it is.
    pub fn event(&mut self, event: &str, head: &Head<'_>) -> Result<(), Rejection> {
        use EventKind as E;
        let text = |member| head.text(member).unwrap_or_default();
        let metadata = head.values.metadata;
        match head.kind {
            E::RunStarted => {
                for (message, digest) in head.messages.with_digests() {
                    self.take_input(message, digest);
                }
            }
            E::MessagesSnapshot => self.messages_snapshot(&head.messages),
            E::TextMessageStart | E::ReasoningMessageStart | E::ToolCallStart => {
                let heads = Heads::of(head);
                let (kind, id) = match head.kind {
                    E::TextMessageStart => (ItemKind::Text, text(Member::MessageId)),
                    E::ReasoningMessageStart => (ItemKind::Reasoning, text(Member::MessageId)),
                    _ => (ItemKind::ToolCall, text(Member::ToolCallId)),
                };
                let subagent_run_id = head.subagent_run_id();
                return self.begin(&Item {
                    kind,
                    id,
                    heads: &heads,
                    subagent_run_id,
                    metadata,
                });
            }
            E::TextMessageContent
            | E::TextMessageEnd
            | E::ReasoningMessageContent
            | E::ReasoningMessageEnd => {
                let mut folded = None;
                FoldedMetadata::fold_into(&mut folded, metadata)?;
                let delta = head.values.delta.map(inner_text);
                self.continue_message(text(Member::MessageId), delta, folded.as_ref());
            }
            E::ToolCallArgs | E::ToolCallEnd => {
                let mut folded = None;
                FoldedMetadata::fold_into(&mut folded, metadata)?;
                let delta = head.values.delta.map(inner_text);
                self.continue_call(text(Member::ToolCallId), delta, folded.as_ref());
            }
            E::ToolCallResult => return self.call_result(event, head),
            E::ActivitySnapshot => {
                let replaces = head.replace.unwrap_or(true);
                self.activity_snapshot(text(Member::MessageId), replaces, metadata.is_some());
            }
            E::ActivityDelta => self.activity_delta(text(Member::MessageId)),
            E::ReasoningEncryptedValue => return self.encrypted_value(event, head),
            _ => {}
        }
        Ok(())
    }

    /// Takes the joined deltas of an item.
    pub fn append(&mut self, kind: ItemKind, id: &str, part: &Part) {
        let delta = part
            .has_delta()
            .then(|| part.delta.as_deref().unwrap_or_default());
        match kind {
            ItemKind::ToolCall => self.continue_call(id, delta, part.metadata.as_ref()),
            _ => self.continue_message(id, delta, part.metadata.as_ref()),
        }
    }

    fn encrypted_value(&mut self, event: &str, head: &Head<'_>) -> Result<(), Rejection> {
        let (mut value, mut kind) = (None, None);
        for (name, raw) in members_of(event)? {
            match name.as_ref() {
                "encryptedValue" => value = Some(raw.to_owned()),
                "encryptedValueType" => kind = Some(raw.to_owned()),
                _ => {}
            }
        }
        let encrypted = Encrypted {
            value: value.unwrap_or_default(),
            kind,
        };
        let id = head.text(Member::EntityId).unwrap_or_default();
        if head.text(Member::Subtype) == Some("tool-call") {
            self.encrypt_call(id, encrypted);
        } else {
            self.encrypt_message(id, encrypted);
        }
        Ok(())
    }
}

/// The text between the quotes of a string, still escaped.
fn inner_text(text: &str) -> &str {
    let inner = text.strip_prefix('"').unwrap_or(text);
    inner.strip_suffix('"').unwrap_or(inner)
}

/// The canonical text of the message that a tool's result is.
fn result_message(event: &str, head: &Head<'_>) -> Result<String, Rejection> {
    let mut out = String::new();
    let mut writer = draft::Canonical::new(&mut out);
    let members = members_of(event)?;
    let content = members.iter().find(|(name, _)| name == "content");
    if let Some((_, content)) = content {
        writer.value("content", content);
    }
    writer.text("id", head.text(Member::MessageId).unwrap_or_default());
    if let Some(metadata) = head.values.metadata {
        writer.value("metadata", metadata);
    }
    writer.text("role", "tool");
    if let Some(owner) = head.subagent_run_id() {
        writer.text("subagentRunId", owner);
    }
    writer.text(
        "toolCallId",
        head.text(Member::ToolCallId).unwrap_or_default(),
    );
    writer.out.push('}');
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A growing table keeps at most as much in reserve as it uses, and one of entries a quarter.
    #[test]
    fn a_message_a_call_and_a_run_take_at_most_100_bytes() {
        for bytes in [
            Entries::BYTES_PER_MESSAGE,
            Calls::BYTES_PER_CALL,
            Path::BYTES_PER_RUN,
        ] {
            assert!(bytes <= 100, "{bytes}");
        }
    }
}
