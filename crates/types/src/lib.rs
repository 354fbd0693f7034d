//! The types of the schema, generated, with the tables that go with them: validation, differences,
//! and the version that a document says it is of.

pub mod definition;
pub mod diff;
// The generator prints its own layout, which the drift check compares byte for byte.
#[rustfmt::skip]
pub mod generated;
#[cfg(feature = "schemars")]
mod json_schema;
mod keys;
pub mod recognition;
pub mod testing;
pub mod validate;
pub mod version;

pub use keys::{check_key, check_keys};
