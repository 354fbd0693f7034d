//! Which definitions documents are made of.

use std::collections::HashSet;

use indexmap::IndexMap;

use crate::name::PlaceNames;
use crate::node::Node;
use crate::references::{Way, references};
use crate::{IrError, NamedDefinition};

/// The roots of a file: those that it lists in `x-roots`; or the file itself, if it describes a value;
/// or the definitions that no other one refers to; or all.
pub(crate) fn roots(
    root: &Node<'_>,
    is_type: bool,
    own: &[&str],
    names: &PlaceNames,
    definitions: &IndexMap<String, NamedDefinition>,
) -> Result<Vec<String>, IrError> {
    if let Some(listed) = root.get("x-roots") {
        return named(root, &listed, names);
    }
    if let (true, Some(first)) = (is_type, own.first()) {
        return Ok(vec![(*first).to_owned()]);
    }
    let needed: HashSet<&str> = definitions
        .iter()
        .flat_map(|(name, definition)| {
            let others = references(&definition.kind, Way::Any).into_iter();
            others.filter(move |other| other != name)
        })
        .collect();
    let free: Vec<&str> = own
        .iter()
        .filter(|name| !needed.contains(*name))
        .copied()
        .collect();
    let roots = if free.is_empty() { own } else { &free };
    Ok(roots.iter().map(|&name| name.to_owned()).collect())
}

fn named(root: &Node<'_>, listed: &Node<'_>, names: &PlaceNames) -> Result<Vec<String>, IrError> {
    let mut roots = Vec::new();
    let texts = listed.texts()?;
    for (item, name) in listed.items()?.iter().zip(&texts) {
        let definition = root.get("$defs").and_then(|all| all.get(name));
        let definition = definition.or_else(|| root.get("definitions")?.get(name));
        let known = definition.and_then(|definition| names.of(&definition));
        let known = known.ok_or_else(|| {
            item.fail(
                format!("there is no definition `{name}`"),
                "name a definition under `$defs`",
            )
        })?;
        roots.push(known.to_owned());
    }
    Ok(roots)
}
