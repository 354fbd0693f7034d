//! What comes whole: results of tools, activities and snapshots.

use std::collections::HashSet;

use super::{Message, unknown};
use crate::compact::held::entries::{ACTIVITIES, CONVERSATION, Known, REASONING, Role};
use crate::compact::held::hash::{Identity, hash_of};
use crate::compact::held::{Held, result_message};
use crate::head::{Digest, Head, Member, Messages};
use chatstate_json::Rejection;

impl Held {
    /// A result is a message of its own. What stands with two of one id depends on their order.
    pub(in crate::compact::held) fn call_result(
        &mut self,
        event: &str,
        head: &Head<'_>,
    ) -> Result<(), Rejection> {
        let key = hash_of(head.text(Member::MessageId).unwrap_or_default());
        let message = match self.role(key) {
            Some(role) => unknown(role.with_result()),
            None => Message::Settled(Known {
                role: Role::Other,
                digest: Some(Digest::of_canonical(&result_message(event, head)?)),
                spelling: 0,
            }),
        };
        self.run.messages.insert(key, message);
        Ok(())
    }

    /// The values of activities are not followed.
    pub(in crate::compact::held) fn activity_snapshot(
        &mut self,
        id: &str,
        replaces: bool,
        has_metadata: bool,
    ) {
        let key = hash_of(id);
        let role = self.role(key);
        match role {
            Some(Role::Activity) if !replaces && !has_metadata => {}
            Some(Role::Shared | Role::Doubtful) => {}
            Some(role) if role != Role::Activity && !replaces => {}
            _ => {
                self.run.messages.insert(key, unknown(Role::Activity));
            }
        }
    }

    pub(in crate::compact::held) fn activity_delta(&mut self, id: &str) {
        let key = hash_of(id);
        if self.role(key) == Some(Role::Activity) {
            self.touch(key);
        }
    }

    /// Only what a snapshot holds stays, and activities and reasoning if it holds none of them.
    pub(in crate::compact::held) fn messages_snapshot(&mut self, snapshot: &Messages<'_>) {
        let messages = snapshot.as_read();
        let has = |role: &str| messages.iter().any(|message| message.role == role);
        let restates = |class| match class {
            ACTIVITIES => has("activity"),
            REASONING => has("reasoning"),
            _ => true,
        };
        for class in [CONVERSATION, ACTIVITIES, REASONING] {
            self.run.restated[class] |= restates(class);
        }
        let stays = |message: &Message| message.role().class().is_none_or(|class| !restates(class));
        self.run.messages.retain(|_, message| stays(message));
        for message in self.run.messages.values_mut() {
            if let Message::Settled(known) = message {
                known.role = known.role.when_restated();
            }
        }
        // From here on the only calls are those that the messages of the snapshot make.
        self.run.calls.clear();
        self.run.holders.clear();
        let mut seen = HashSet::<u64, Identity>::default();
        for (message, digest) in snapshot.with_digests() {
            let Some(id) = &message.id else { continue };
            let key = hash_of(id);
            let mut known = Known {
                role: Role::of(&message.role),
                spelling: hash_of(message.value),
                digest: None,
            };
            if seen.insert(key) {
                known.digest = self.digest_before(key, known.spelling);
                known.digest = known
                    .digest
                    .or(digest)
                    .or_else(|| Digest::of(message.value));
            }
            self.run.messages.insert(key, Message::Settled(known));
            self.run.note_calls(key, message);
        }
    }

    /// The digest of the message that was spelled so before, if there is one.
    fn digest_before(&self, key: u64, spelling: u64) -> Option<Digest> {
        let before = self.entries.at(&self.path, self.run.predecessor, key);
        let before = before.filter(|(_, known)| known.spelling == spelling);
        before.and_then(|(_, known)| known.digest)
    }
}
