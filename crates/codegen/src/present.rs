//! What templates print of which members an object has.

use chatstate_schema_model::PresentMembers;
use schemars::JsonSchema;
use serde::Serialize;

/// What is asked of which members are there.
#[derive(Debug, JsonSchema, Serialize)]
pub struct PresentView {
    /// The fewest members.
    pub minimum: u64,
    /// The most members, in digits, since templates take the number zero for nothing.
    pub maximum: Option<String>,
    /// The members that need others.
    pub dependent: Vec<DependentView>,
}

/// A member, and those that it needs.
#[derive(Debug, JsonSchema, Serialize)]
pub struct DependentView {
    /// Its name.
    pub member: String,
    /// The names of those.
    pub required: Vec<String>,
}

impl From<&PresentMembers> for PresentView {
    fn from(asked: &PresentMembers) -> Self {
        let dependent = asked.dependent.iter().map(|dependent| DependentView {
            member: dependent.member.clone(),
            required: dependent.required.clone(),
        });
        Self {
            minimum: asked.minimum.unwrap_or(0),
            maximum: asked.maximum.map(|most| most.to_string()),
            dependent: dependent.collect(),
        }
    }
}
