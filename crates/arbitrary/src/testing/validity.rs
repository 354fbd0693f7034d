//! Whether a stream keeps the rules.

use chatstate::generated::Event;
use chatstate::verify::verify;

/// Whether a verifier accepts a stream.
pub fn is_valid(events: &[Event]) -> bool {
    verify(events).is_valid()
}
