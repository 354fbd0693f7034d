//! What a document looks like that is not what somebody said it is.

use super::table::Dialect;
use crate::json::Value;
use crate::rejection::Rejection;

/// The refusal of a document that is none of a dialect.
pub(super) fn refused(_document: &Value, dialect: &Dialect) -> Rejection {
    let kinds: Vec<_> = dialect
        .documents
        .iter()
        .map(|kind| format!("`{}`", kind.name))
        .collect();
    let message = format!(
        "the document is none of `{}`, which has {}",
        dialect.name,
        kinds.join(", ")
    );
    Rejection::schema("convert.dialect", message)
}
