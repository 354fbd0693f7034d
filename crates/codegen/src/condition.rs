//! What templates print of the conditions of an object.

use chatstate_schema_model::ObjectDefinition;
use schemars::JsonSchema;
use serde::Serialize;

use crate::CodegenError;

/// What a keyword of a schema asks of an object.
#[derive(Debug, JsonSchema, Serialize)]
pub struct ConditionView {
    /// The keyword.
    pub keyword: String,
    /// JSON pointer to it in its file.
    pub pointer: String,
    /// What it asks: the text of a JSON object with keywords of JSON Schema, which the runtime reads.
    pub predicate: String,
}

impl ConditionView {
    /// The conditions of an object; `spelled` gives the language's spelling of a regular expression.
    ///
    /// # Errors
    ///
    /// A condition that cannot be written as JSON.
    pub fn of(
        object: &ObjectDefinition,
        spelled: impl Fn(&str) -> String,
    ) -> Result<Vec<Self>, CodegenError> {
        let conditions = object.conditions.iter().map(|condition| {
            let holds = condition.holds.with_patterns(&spelled);
            let predicate = holds.text().map_err(|error| CodegenError::Inexpressible {
                message: format!("a condition cannot be written as JSON: {error}"),
                place: format!("`{}`", condition.pointer),
                help: "remove it from the schema".to_owned(),
            })?;
            Ok(Self {
                keyword: condition.keyword.clone(),
                pointer: condition.pointer.clone(),
                predicate,
            })
        });
        conditions.collect()
    }
}
