//! Which members of an object are there: how many, and which others a member needs.

use crate::node::Node;
use crate::{DependentMembers, IrError, PresentMembers};

/// The keywords that say so.
pub(crate) const KEYWORDS: [&str; 4] = [
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependencies",
];

/// What these schemas say together; nothing where every object does.
pub(crate) fn present_members(schemas: &[Node<'_>]) -> Result<Option<PresentMembers>, IrError> {
    let mut present = PresentMembers::default();
    for schema in schemas {
        let least = schema.optional_count("minProperties")?;
        present.minimum = present.minimum.max(least.filter(|least| *least > 0));
        let most = schema.optional_count("maxProperties")?;
        present.maximum = present.maximum.into_iter().chain(most).min();
        for keyword in ["dependentRequired", "dependencies"] {
            let found = schema.get(keyword).map(|node| node.members());
            for (member, needed) in found.transpose()?.unwrap_or_default() {
                // What a schema says of the object is a condition.
                if !needed.value.is_array() {
                    continue;
                }
                let required: Vec<String> =
                    needed.texts()?.into_iter().map(str::to_owned).collect();
                if !required.is_empty() {
                    let member = member.to_owned();
                    present
                        .dependent
                        .push(DependentMembers { member, required });
                }
            }
        }
    }
    Ok((present != PresentMembers::default()).then_some(present))
}
