//! Valid event streams made at random, and what tests of laws need beside them.

// Each test program uses a part of this.
#![allow(dead_code, unused_imports)]

mod settings;
mod shrink;
mod validity;

pub use chatstate_inputs::streams::{FEATURES, Feature, Stream, generate};
pub use chatstate_inputs::{Choose, Source};
pub use settings::{cuts, setting};
pub use shrink::{attach_case, case, shrink};
