//! Events on their way into the run in progress.

use super::delta::DeltaFields;
use super::plain_delta::PlainDelta;
use crate::header::Header;
use chatstate_types::generated::Event;

/// An event that has come.
pub(super) struct Arrived<'e> {
    pub arrival: usize,
    pub text: &'e str,
    pub event: ArrivedEvent<'e>,
    pub header: &'e Header<'e>,
    /// Whether the caller keeps it as it is.
    pub is_kept: bool,
}

/// An event as it was read.
#[derive(Clone, Copy)]
pub(super) enum ArrivedEvent<'e> {
    Typed(&'e Event),
    Delta(&'e PlainDelta<'e>),
}

impl Arrived<'_> {
    /// What it carries if it appends to an item.
    pub fn delta_fields(&self) -> Option<DeltaFields<'_>> {
        match self.event {
            ArrivedEvent::Typed(event) => DeltaFields::of(event),
            ArrivedEvent::Delta(delta) => Some(DeltaFields::of_plain(delta)),
        }
    }
}
