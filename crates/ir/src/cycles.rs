//! Recursion: which definitions contain themselves, and which references need an indirection.

use std::collections::HashSet;

use indexmap::IndexMap;

use crate::reach::{Way, references};
use crate::{Definition, Kind, Type};

/// Marks recursive definitions and the references that close a cycle without a list or map between.
///
/// Two definitions are in one strongly connected component when each can be reached from the other;
/// a reference is cyclic when its target can reach its own definition. Arms of unions need no mark:
/// they are objects, so every cycle passes through a member or an arm by JSON kind.
pub(crate) fn mark_cycles(definitions: &mut IndexMap<String, Definition>) {
    let recursive: Vec<bool> = definitions
        .iter()
        .map(|(name, definition)| {
            let starts = references(&definition.kind, Way::Any);
            starts
                .into_iter()
                .any(|start| reaches(definitions, start, name, Way::Any))
        })
        .collect();
    let cyclic: Vec<HashSet<String>> = definitions
        .iter()
        .map(|(name, definition)| {
            let targets = references(&definition.kind, Way::Direct).into_iter();
            targets
                .filter(|target| reaches(definitions, target, name, Way::Direct))
                .map(str::to_owned)
                .collect()
        })
        .collect();
    for ((definition, recursive), cyclic) in definitions.values_mut().zip(recursive).zip(cyclic) {
        definition.recursive = recursive;
        mark(&mut definition.kind, &cyclic);
    }
}

/// Whether `goal` is `start` or can be reached from it.
fn reaches(definitions: &IndexMap<String, Definition>, start: &str, goal: &str, way: Way) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![start];
    while let Some(name) = open.pop() {
        if name == goal {
            return true;
        }
        if let (true, Some(definition)) = (seen.insert(name), definitions.get(name)) {
            open.extend(references(&definition.kind, way));
        }
    }
    false
}

fn mark(kind: &mut Kind, targets: &HashSet<String>) {
    let types: Vec<&mut Type> = match kind {
        Kind::Object(object) => object
            .members
            .iter_mut()
            .map(|member| &mut member.ty)
            .collect(),
        Kind::Kinds(arms) => arms.iter_mut().map(|arm| &mut arm.ty).collect(),
        Kind::Union(_) | Kind::Alternatives(_) | Kind::Enumeration(_) | Kind::Alias(_) => {
            Vec::new()
        }
    };
    for ty in types {
        if let Type::Reference { to, cyclic } = ty {
            *cyclic = targets.contains(to);
        }
    }
}
