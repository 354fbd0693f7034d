//! The reference, broken in one named way each: what the corpus must notice. What each mutant does
//! wrong, and how that shows, is said in `corpus/mutants.toml`.

mod attach;
mod canonical;
mod cbor;
mod chat;
mod compact;
mod convert;
mod escaped;
mod keys;
mod memory;
mod order;
mod protocol;
mod readers;
mod rejections;
mod replay;
mod seals;
mod sessions;
mod streams;
mod wholesale;
mod written;

use chatstate_protocol::{Reply, RunRequest};

use super::operation;
use memory::Memory;
pub use protocol::{FaultyOutput, Mischief};

/// How the reference is broken.
#[derive(Clone, Copy)]
enum Defect {
    /// What is written is changed, after the reference has read it well.
    Written(written::ValueChange),
    /// Answers are changed.
    Answered(fn(&RunRequest) -> Reply),
    /// One operation on events is changed.
    Stream(streams::OperationFault),
    /// One operation on chats is changed.
    Chat(chat::ChatFault),
    /// Conversion is changed.
    Convert(convert::ConversionFault),
    /// What is rejected for some reasons is taken.
    Takes(rejections::Taken),
    /// What is right is rejected.
    Rejects(rejections::NeedlessRejection),
    /// Earlier requests change later answers.
    Remembers(fn(&mut Memory, &RunRequest) -> Reply),
    /// The answer is right, and the line that carries it is not.
    Misbehaves(protocol::LineFault),
    /// Nothing is broken.
    Nothing,
}

/// A mutant that no case can find, with which `selftest` shows that it would report one.
pub const SURVIVOR: &str = "survivor";

const DEFECTS: [&[(&str, Defect)]; 19] = [
    wholesale::DEFECTS,
    rejections::TAKEN,
    rejections::REJECTED,
    written::DEFECTS,
    readers::DEFECTS,
    canonical::DEFECTS,
    keys::DEFECTS,
    order::DEFECTS,
    replay::DEFECTS,
    compact::DEFECTS,
    attach::DEFECTS,
    chat::DEFECTS,
    seals::DEFECTS,
    cbor::DEFECTS,
    escaped::DEFECTS,
    sessions::DEFECTS,
    convert::DEFECTS,
    memory::DEFECTS,
    protocol::DEFECTS,
];

/// The ids of all mutants whose faults are here, which are those of `corpus/mutants.toml`.
pub fn ids() -> impl Iterator<Item = &'static str> {
    DEFECTS.into_iter().flatten().map(|(id, _)| *id)
}

/// The reference, broken.
pub struct BrokenReference {
    defect: Defect,
    /// The operations that are broken; all when there is none.
    operations: Vec<String>,
    memory: Memory,
}

impl BrokenReference {
    /// The mutant of this id, if there is one, which breaks these operations.
    pub fn named(id: &str, operations: Vec<String>) -> Option<Self> {
        let mut known = DEFECTS.into_iter().flatten();
        let defect = match known.find(|(known, _)| *known == id) {
            Some((_, defect)) => *defect,
            None if id == SURVIVOR => Defect::Nothing,
            None => return None,
        };
        Some(Self {
            defect,
            operations,
            memory: Memory::default(),
        })
    }

    fn breaks(&self, request: &RunRequest) -> bool {
        self.operations.is_empty() || self.operations.contains(&request.op)
    }

    /// Answers one request in the broken way. Operations that are not broken are those of the
    /// reference, whatever the defect would do to them.
    pub fn run(&mut self, request: &RunRequest) -> Reply {
        if !self.breaks(request) {
            return operation::run(request);
        }
        match self.defect {
            Defect::Answered(answer) => answer(request),
            Defect::Written(change) => written::rewrite(request, change),
            Defect::Stream(fault) => fault.run(request),
            Defect::Chat(fault) => fault.run(request),
            Defect::Convert(fault) => fault.run(request),
            Defect::Takes(taken) => taken.run(request),
            Defect::Rejects(rejected) => rejected.run(request),
            Defect::Remembers(answer) => answer(&mut self.memory, request),
            Defect::Misbehaves(_) | Defect::Nothing => operation::run(request),
        }
    }

    /// What goes wrong with the line that answers a request, if something does.
    pub fn mischief(&self, request: &RunRequest) -> Option<Mischief> {
        match self.defect {
            Defect::Misbehaves(fault) if self.breaks(request) => fault.mischief(request),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    /// Every fault is described, every description has its fault, and no id is there twice.
    #[test]
    fn faults_are_those_of_the_list() {
        let rows = chatstate_corpus::mutant::embedded().expect("the list is well-formed");
        let listed: BTreeSet<_> = rows.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(super::ids().collect::<BTreeSet<_>>(), listed);
        assert_eq!(super::ids().count(), rows.len());
    }
}
