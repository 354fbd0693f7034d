//! Whether a stream keeps the rules.

use chatstate_streams::verify::verify;
use chatstate_types::generated::Event;

/// Whether a verifier accepts a stream.
pub fn is_valid(events: &[Event]) -> bool {
    verify(events).is_valid()
}
