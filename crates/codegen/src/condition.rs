//! What templates print of conditions.

use chatstate_schema_model::Condition;
use schemars::JsonSchema;
use serde::Serialize;

/// What a keyword of a schema asks of a value.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub struct ConditionView {
    /// The keyword.
    pub keyword: String,
    /// JSON pointer to it in its file.
    pub pointer: String,
    /// What it asks: the text of a JSON object with keywords of JSON Schema, which the runtime reads.
    pub predicate: String,
}

impl ConditionView {
    /// The views of conditions; `spelled` gives the language's spelling of a regular expression.
    pub fn all(conditions: &[Condition], spelled: impl Fn(&str) -> String) -> Vec<Self> {
        let views = conditions.iter().map(|condition| Self {
            keyword: condition.keyword.clone(),
            pointer: condition.pointer.clone(),
            predicate: condition.holds.with_patterns(&spelled).to_string(),
        });
        views.collect()
    }
}
