//! What tests of laws need beside made-up streams: settings, cuts, and making streams small.

mod settings;
mod shrink;
mod validity;

pub use crate::streams::{FEATURES, Feature, Stream, generate};
pub use crate::{Choose, Source};
pub use settings::{cuts, setting};
pub use shrink::{attach_case, case, shrink};
