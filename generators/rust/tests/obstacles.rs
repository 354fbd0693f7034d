//! probe
use chatstate::{Rejection, definition, json};
#[rustfmt::skip]
mod generated;
