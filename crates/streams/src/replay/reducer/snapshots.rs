//! Snapshots of messages and activities, and values that are set on what exists.

use super::items::fold_metadata;
use super::{Conversation, unknown_operations};
use crate::patch;
use chatstate_json::Rejection;
use chatstate_json::{Object, Value};
use chatstate_types::generated::{
    ActivityDeltaEvent, ActivitySnapshotEvent, EncryptedValueSubtype, ReasoningEncryptedValueEvent,
};

impl Conversation {
    pub(super) fn activity_snapshot(&mut self, event: &ActivitySnapshotEvent) {
        let replace = event.replace.unwrap_or(true);
        let existing = self.thread.find(&event.message_id);
        if existing.is_some() && !replace {
            let is_activity = existing.is_some_and(|message| is_role(message, "activity"));
            if is_activity && let Some(message) = self.thread.find_mut(&event.message_id) {
                fold_metadata(message, event.metadata.as_ref());
            }
            return;
        }
        // What an activity has beside its type, content and owner stays when it is replaced.
        let is_new = existing.is_none();
        let mut message = match existing {
            Some(message) if is_role(message, "activity") => message.clone(),
            _ => Object::from_iter([("id", event.message_id.as_str()), ("role", "activity")]),
        };
        message.insert("activityType", event.activity_type.as_str());
        message.insert("content", event.content.clone());
        message.remove("subagentRunId");
        message.extend(
            event
                .subagent_run_id
                .as_deref()
                .map(|owner| ("subagentRunId", owner)),
        );
        fold_metadata(&mut message, event.metadata.as_ref());
        if is_new {
            self.thread.push(message);
        } else {
            self.thread.replace(&event.message_id, message);
        }
    }

    pub(super) fn activity_delta(&mut self, event: &ActivityDeltaEvent) -> Result<(), Rejection> {
        if self.thread.role(&event.message_id) != Some("activity") {
            let id = &event.message_id;
            self.remarks
                .no_target(self.index, "messageId", id, "activity");
            return Ok(());
        }
        self.has_open_messages |= unknown_operations(&event.patch);
        self.unknown_operations("patch", &event.patch);
        let Some(message) = self.thread.find_mut(&event.message_id) else {
            return Ok(());
        };
        fold_metadata(message, event.metadata.as_ref());
        let Some(content) = message.get_mut("content") else {
            return Ok(());
        };
        self.activity_limits = self.activity_limits.of_other_document();
        match patch::apply_within(content, &event.patch, &mut self.activity_limits) {
            Ok(()) => {
                message.insert("activityType", event.activity_type.as_str());
                Ok(())
            }
            Err(failure) => self.failed_patch("patch", &failure),
        }
    }

    pub(super) fn encrypted_value(&mut self, event: &ReasoningEncryptedValueEvent) {
        let id = &event.entity_id;
        let entity = match &event.subtype {
            EncryptedValueSubtype::ToolCall => self.thread.call_mut(id),
            EncryptedValueSubtype::Message if self.thread.role(id) == Some("activity") => None,
            EncryptedValueSubtype::Message => self.thread.find_mut(id),
            EncryptedValueSubtype::Other(word) => {
                self.has_open_messages = true;
                return self.remarks.unknown_word(self.index, "subtype", word);
            }
        };
        let Some(entity) = entity else {
            let id = &event.entity_id;
            let what = "message or tool call that may hold an encrypted value by the id";
            self.remarks.no_target(self.index, "entityId", id, what);
            return;
        };
        entity.insert("encryptedValue", event.encrypted_value.as_str());
        // The type belongs to the value, so a value without one removes it.
        entity.remove("encryptedValueType");
        let kind = event.encrypted_value_type.as_deref();
        entity.extend(kind.map(|kind| ("encryptedValueType", kind)));
    }
}

fn is_role(message: &Object, role: &str) -> bool {
    message.get("role").and_then(Value::as_str) == Some(role)
}
