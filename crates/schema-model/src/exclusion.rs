//! `not` of types: everything but values of some kinds.

use crate::IrError;
use crate::form::{Choice, Form, FormSubject, Formed, NOT_NULL};
use crate::node::{Node, listed};

/// The kinds of JSON value that `not` excludes, if it says nothing else.
pub(crate) fn excluded_kinds<'a>(node: &Node<'a>) -> Option<Vec<&'a str>> {
    let not = node.get("not")?;
    not.allow(&["type"]).ok()?;
    let kinds = not.get("type")?;
    match kinds.value.as_str() {
        Some(kind) => Some(vec![kind]),
        None => kinds.texts().ok(),
    }
}

/// Everything but values of these kinds.
pub(crate) fn of_other_kinds<'a>(
    node: &Node<'a>,
    excluded: &[&str],
) -> Result<Formed<'a>, IrError> {
    let known = |kind: &str| kind == "null" || NOT_NULL.contains(&kind);
    if let Some(kind) = excluded.iter().find(|kind| !known(kind)) {
        let help = format!("leave out one of {}", listed(NOT_NULL));
        return Err(node.fail(
            format!("everything but type `{kind}` cannot be represented"),
            help,
        ));
    }
    let left = NOT_NULL.iter().filter(|kind| !excluded.contains(kind));
    let left: Vec<&'static str> = left.copied().collect();
    let nullable = !excluded.contains(&"null");
    Ok(match left.as_slice() {
        [] if nullable => Formed::new(Form::Null, true),
        [] => return Err(node.fail("no type is legal", "leave one at least")),
        [kind] => Formed::new(Form::Typed(node.clone(), kind), nullable),
        _ if left.len() == NOT_NULL.len() => Formed::new(Form::Any, nullable),
        _ => {
            let arms = left.into_iter();
            let choice = Choice {
                at: node.clone(),
                arms: arms
                    .map(|kind| FormSubject::Typed(node.clone(), kind))
                    .collect(),
                discriminator: None,
                limits: None,
            };
            Formed::new(Form::Choice(Box::new(choice)), nullable)
        }
    })
}
