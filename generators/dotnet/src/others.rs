//! What is judged of the members that the schema does not name.

use std::collections::HashSet;

use chatstate_schema_model::{ObjectDefinition, Others, Type};
use schemars::JsonSchema;
use serde::Serialize;

use crate::names::Names;
use crate::pattern::pattern;
use crate::types::CSharpTypes;
use crate::view::ValueView;

/// What is judged of the members that the schema does not name.
#[derive(Debug, Default, JsonSchema, Serialize)]
pub(crate) struct JudgedMembersView {
    /// What the values have to be, by patterns of names.
    pub matching: Vec<MatchingView>,
    /// The patterns of all names that may be there, if others may not.
    pub only: Vec<String>,
}

/// What the values of members have to be whose names match a pattern.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct MatchingView {
    pub pattern: String,
    pub value: ValueView,
}

/// What is judged of members that the schema does not name, and that are kept as they are.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct OthersView {
    pub judged: JudgedMembersView,
    /// The type that they have.
    pub additional: Option<ValueView>,
}

/// What is judged of other members by their names. Where all are of one type, they are read by it.
pub(crate) fn judged(object: &ObjectDefinition, names: &Names<'_>) -> JudgedMembersView {
    let Some(by_name) = &object.names else {
        return JudgedMembersView::default();
    };
    let types = CSharpTypes {
        names,
        hidden: HashSet::new(),
    };
    let any = Type::Any { nullable: true };
    let asking = by_name.patterns.iter();
    let asking = asking.filter(|members| object.others == Others::Kept && members.slot.ty != any);
    let matching = asking.map(|members| MatchingView {
        pattern: pattern(&members.pattern),
        value: types.slot(&members.slot),
    });
    let known = by_name.patterns.iter().filter(|_| by_name.closed);
    JudgedMembersView {
        matching: matching.collect(),
        only: known.map(|members| pattern(&members.pattern)).collect(),
    }
}

/// What is judged of the members that the schema does not name.
pub(crate) fn judged_others(object: &ObjectDefinition, names: &Names<'_>) -> Option<OthersView> {
    let additional = match &object.others {
        Others::Typed(slot) => Some(CSharpTypes::new(names).slot(slot)),
        Others::Kept | Others::Rejected => None,
    };
    let is_judged = additional.is_some() || object.names.is_some();
    is_judged.then(|| OthersView {
        judged: judged(object, names),
        additional,
    })
}
