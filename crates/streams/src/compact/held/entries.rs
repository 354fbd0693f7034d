//! What is known of the messages of a log, at most 100 bytes for each.

use std::collections::HashMap;

use super::hash::Identity;
use super::path::{NONE, Path, Place};
use crate::head::Digest;

/// What a message is, as far as it decides what events do to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Assistant,
    Activity,
    Reasoning,
    Other,
    /// Messages of one id, of which none is an assistant's.
    Shared,
    /// Nobody can tell, or whether there is such a message at all.
    Doubtful,
}

impl Role {
    /// The role of this name.
    pub fn of(name: &str) -> Self {
        match name {
            "assistant" => Self::Assistant,
            "activity" => Self::Activity,
            "reasoning" => Self::Reasoning,
            _ => Self::Other,
        }
    }

    /// The class of messages that a snapshot restates together, or leaves alone when it has none.
    pub fn class(self) -> Option<usize> {
        match self {
            Self::Assistant | Self::Other => Some(CONVERSATION),
            Self::Activity => Some(ACTIVITIES),
            Self::Reasoning => Some(REASONING),
            Self::Shared | Self::Doubtful => None,
        }
    }

    /// What is left to know once a snapshot may have taken one of several messages away.
    pub fn when_restated(self) -> Self {
        match self {
            Self::Shared => Self::Doubtful,
            other => other,
        }
    }

    /// The role of messages of one id, once a tool's result is one of them.
    pub fn with_result(self) -> Self {
        match self {
            Self::Assistant | Self::Doubtful => Self::Doubtful,
            Self::Activity | Self::Reasoning | Self::Other | Self::Shared => Self::Shared,
        }
    }
}

/// Messages that every snapshot restates.
pub(super) const CONVERSATION: usize = 0;
/// Activities, which a snapshot without any leaves alone.
pub(super) const ACTIVITIES: usize = 1;
/// Reasoning, which a snapshot without any leaves alone.
pub(super) const REASONING: usize = 2;

/// A message as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    pub role: Role,
    /// None if something changed it after the run that made it.
    pub digest: Option<Digest>,
    /// The hash of its text as it was spelled last; 0 if it was not spelled.
    pub spelling: u64,
}

/// What one run made of a message.
struct Entry {
    digest: Digest,
    spelling: u64,
    made: Place,
    /// The last run that restated it as it was.
    confirmed: Place,
    /// What an earlier run made of a message with the same id.
    older: u32,
    role: Role,
    is_known: bool,
}

/// The place of an entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntryPlace(u32);

/// No entry.
const NO_ENTRY: u32 = u32::MAX;

/// What is known of the messages of all runs.
#[derive(Default)]
pub(super) struct Entries {
    latest: HashMap<u64, u32, Identity>,
    entries: Vec<Entry>,
}

impl Entries {
    /// The message with this id at the end of a run, if the run's path has one.
    pub fn at(&self, path: &Path, run: Place, id: u64) -> Option<(EntryPlace, Known)> {
        let mut next = self.latest.get(&id).copied();
        while let Some((place, entry)) = next.and_then(|place| Some((place, self.entry(place)?))) {
            if path.is_on(entry.made, run) {
                let known = Known {
                    role: role_at(path, run, entry),
                    digest: entry.is_known.then_some(entry.digest),
                    spelling: entry.spelling,
                };
                let is_there = is_there(path, run, entry);
                return is_there.then_some((EntryPlace(place), known));
            }
            next = Some(entry.older);
        }
        None
    }

    /// Notes what a run made of a message.
    pub fn add(&mut self, run: Place, id: u64, known: Known) {
        // A table of this size grows by a quarter, so that little of it is reserve.
        if self.entries.len() == self.entries.capacity() {
            self.entries.reserve_exact(self.entries.len() / 4 + 16);
        }
        let place = u32::try_from(self.entries.len()).unwrap_or(NO_ENTRY);
        let older = self.latest.insert(id, place).unwrap_or(NO_ENTRY);
        self.entries.push(Entry {
            digest: known.digest.unwrap_or_default(),
            spelling: known.spelling,
            made: run,
            confirmed: run,
            older,
            role: known.role,
            is_known: known.digest.is_some(),
        });
    }

    /// Notes that a run restated a message as it was. False if another branch restated it last, so
    /// that this run needs an entry of its own.
    pub fn confirm(&mut self, path: &Path, run: Place, place: EntryPlace) -> bool {
        let Some(entry) = self.entries.get_mut(place.0 as usize) else {
            return false;
        };
        let is_free = path.is_on(entry.confirmed, run);
        if is_free {
            entry.confirmed = run;
        }
        is_free
    }

    /// Notes another spelling of the same value.
    pub fn respell(&mut self, place: EntryPlace, spelling: u64) {
        if let Some(entry) = self.entries.get_mut(place.0 as usize) {
            entry.spelling = spelling;
        }
    }

    fn entry(&self, place: u32) -> Option<&Entry> {
        self.entries.get(place as usize)
    }

    /// The bytes that a message takes, without what growing tables keep in reserve.
    #[cfg(test)]
    pub const BYTES_PER_MESSAGE: usize = size_of::<Entry>() + size_of::<(u64, u32)>() + 1;
}

/// Whether a message that a run on the path made is still there: no run after it restated the
/// messages of its class without it.
fn is_there(path: &Path, run: Place, entry: &Entry) -> bool {
    let Some(class) = entry.role.class() else {
        return true;
    };
    let restated = path.restated(run, class);
    restated == NONE || path.is_on(restated, entry.made) || path.is_on(restated, entry.confirmed)
}

/// What the role of a message is at the end of a run.
fn role_at(path: &Path, run: Place, entry: &Entry) -> Role {
    let restated = path.restated(run, CONVERSATION);
    if restated == NONE || path.is_on(restated, entry.made) {
        entry.role
    } else {
        entry.role.when_restated()
    }
}

/// Which messages made a tool call, whatever the branch.
#[derive(Default)]
pub(super) struct Calls {
    latest: HashMap<u64, u32, Identity>,
    holders: Vec<(u64, u32)>,
}

impl Calls {
    /// Whether a tool call was made before.
    pub fn is_known(&self, call: u64) -> bool {
        self.latest.contains_key(&call)
    }

    /// The messages that made a call.
    pub fn holders(&self, call: u64) -> Vec<u64> {
        let mut found = Vec::new();
        let mut next = self.latest.get(&call).copied().unwrap_or(NO_ENTRY);
        while let Some((holder, older)) = self.holders.get(next as usize) {
            found.push(*holder);
            next = *older;
        }
        found
    }

    /// Notes that a message made a call.
    pub fn add(&mut self, call: u64, holder: u64) {
        if self.holders(call).contains(&holder) {
            return;
        }
        if self.holders.len() == self.holders.capacity() {
            self.holders.reserve_exact(self.holders.len() / 4 + 16);
        }
        let place = u32::try_from(self.holders.len()).unwrap_or(NO_ENTRY);
        let older = self.latest.insert(call, place).unwrap_or(NO_ENTRY);
        self.holders.push((holder, older));
    }

    /// The bytes that a call takes, without what growing tables keep in reserve.
    #[cfg(test)]
    pub const BYTES_PER_CALL: usize = size_of::<(u64, u32)>() * 2 + 1;
}
