//! Unions and enumerations that keep what they do not know, though the schema closes them.

use std::collections::HashSet;

use crate::name::{lengthened, stem, type_name};
use crate::{
    DefinitionKind, Ir, IrError, Lock, MemberDefinition, NamedDefinition, ObjectDefinition, Others,
    Type, UnionDefinition,
};

/// Opens every union with a discriminator and every enumeration of texts: the former get a variant
/// for unknown tags, the latter take any text. A variant that is known and malformed is still an
/// error.
///
/// One that other variants follow in a choice that nothing distinguishes stays closed, since it
/// would take what belongs to these.
pub(crate) fn keep_unknown(ir: &mut Ir, lock: &mut Lock, earlier: &Lock) -> Result<(), IrError> {
    let closed = before_others(ir);
    let names: Vec<String> = ir.definitions.keys().cloned().collect();
    for name in names.iter().filter(|name| !closed.contains(*name)) {
        let Some(index) = ir.definitions.get_index_of(name) else {
            continue;
        };
        let definition = &mut ir.definitions[index];
        match &mut definition.kind {
            DefinitionKind::Enumeration(values) if values.texts().is_some() => values.open = true,
            DefinitionKind::Union(union) if union.unknown.is_none() => {
                let tags = union.arms.iter().map(|arm| arm.tag.clone()).collect();
                let unknown = unknown_variant(definition.clone(), tags);
                let unknown = named(unknown, name, ir, (lock, earlier))?;
                let kept = unknown.name.clone();
                ir.definitions
                    .shift_insert(index + 1, kept.clone(), unknown);
                if let DefinitionKind::Union(UnionDefinition { unknown, .. }) =
                    &mut ir.definitions[index].kind
                {
                    *unknown = Some(kept);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The definitions that are variants of a choice that nothing distinguishes, but for the last ones.
fn before_others(ir: &Ir) -> HashSet<String> {
    let mut names = HashSet::new();
    for definition in ir.definitions.values() {
        if let DefinitionKind::Alternatives(arms) = &definition.kind {
            for arm in arms.iter().take(arms.len().saturating_sub(1)) {
                names.extend(chain(ir, arm));
            }
        }
    }
    names
}

/// A definition, and what it is another name for or a choice of.
fn chain(ir: &Ir, name: &str) -> HashSet<String> {
    let (mut names, mut waiting) = (HashSet::new(), vec![name]);
    while let Some(name) = waiting.pop() {
        if !names.insert(name.to_owned()) {
            continue;
        }
        match ir.definitions.get(name).map(|definition| &definition.kind) {
            Some(DefinitionKind::Alias(Type::Reference { to, .. })) => waiting.push(to),
            Some(DefinitionKind::Alternatives(arms)) => {
                waiting.extend(arms.iter().map(String::as_str));
            }
            Some(DefinitionKind::Kinds(arms)) => {
                waiting.extend(arms.iter().filter_map(|arm| match &arm.ty {
                    Type::Reference { to, .. } => Some(to.as_str()),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
    names
}

/// An object of any tag but the known ones.
fn unknown_variant(union: NamedDefinition, tags: Vec<String>) -> NamedDefinition {
    let DefinitionKind::Union(UnionDefinition { tag, .. }) = &union.kind else {
        return union;
    };
    let member = MemberDefinition {
        code_name: None,
        name: tag.clone(),
        ty: Type::UnknownTag(tags),
        required: true,
        nullable: false,
        default: None,
        doc: String::new(),
        deprecated: false,
    };
    NamedDefinition {
        doc: format!(
            "A variant of `{}` that the schema does not know.",
            union.name
        ),
        deprecated: false,
        recursive: false,
        kind: DefinitionKind::Object(ObjectDefinition {
            members: vec![member],
            others: Others::Kept,
            names: None,
            present: None,
            conditions: Vec::new(),
        }),
        ..union
    }
}

/// Names the variant after its union, or as an earlier run did.
fn named(
    mut variant: NamedDefinition,
    union: &str,
    ir: &Ir,
    (lock, earlier): (&mut Lock, &Lock),
) -> Result<NamedDefinition, IrError> {
    let types = &mut lock.types;
    let place = format!("{}#{}", variant.schema, variant.pointer);
    let owner = types.iter().find(|(_, name)| *name == union);
    let owner = owner.map_or(place, |(key, _)| key.clone());
    let key = format!("{owner}/oneOf/unknown");
    let short = lengthened(union, "Unknown");
    let long = format!("{}{short}", type_name(stem(&variant.schema)));
    let earlier = earlier.types.get(&key).cloned();
    let free = |name: &&String| !ir.definitions.contains_key(*name);
    let candidates: Vec<String> = earlier.into_iter().chain([short.clone(), long]).collect();
    let name = candidates
        .iter()
        .find(free)
        .cloned()
        .ok_or_else(|| IrError {
            file: variant.schema.clone(),
            pointer: variant.pointer.clone(),
            message: format!("the type name `{short}` is taken"),
            help: "give the other definition a name of its own, or leave unknown variants rejected"
                .to_owned(),
        })?;
    types.insert(key, name.clone());
    variant.name = name;
    Ok(variant)
}
