//! What tests of laws need beside streams: settings, and a case for a stream that breaks a law.

mod case;
mod settings;

pub use crate::streams::{FEATURES, Feature, Stream, generate};
pub use crate::{Choose, Source};
pub use case::{attach_case, case};
pub use settings::{config, setting};
