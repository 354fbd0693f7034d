//! The order of the definitions in the generated file: bases before their classes, and types before
//! the names that are made of them.

use std::collections::BTreeSet;

use chatstate_schema_model::{DefinitionKind, Ir, NamedDefinition, Others, Slot, Type};

use crate::class::Unions;

/// Whether a definition is printed as a class.
pub(crate) fn is_class(ir: &Ir, definition: &NamedDefinition) -> bool {
    let is_root = ir.roots().any(|root| root == definition.name);
    is_root
        || matches!(
            definition.kind,
            DefinitionKind::Object(_) | DefinitionKind::Union(_)
        )
}

/// The unions of which each definition is a variant.
pub(crate) fn unions(ir: &Ir) -> Unions<'_> {
    let mut unions = Unions::new();
    for definition in ir.definitions.values() {
        if let DefinitionKind::Union(union) = &definition.kind {
            let known = union.arms.iter().map(|arm| &arm.definition);
            for arm in known.chain(&union.unknown) {
                let unions = unions.entry(arm.as_str()).or_default();
                if !unions.contains(&definition.name.as_str()) {
                    unions.push(&definition.name);
                }
            }
        }
    }
    unions
}

/// All classes, each after the unions that it is a variant of.
pub(crate) fn classes<'a>(ir: &'a Ir, unions: &Unions<'a>) -> Vec<&'a NamedDefinition> {
    let mut order = Vec::new();
    let mut placed = BTreeSet::new();
    for definition in ir.definitions.values() {
        let bases = unions.get(definition.name.as_str());
        for base in bases.into_iter().flatten() {
            if let Some(base) = ir.definitions.get(*base)
                && placed.insert(&base.name)
            {
                order.push(base);
            }
        }
        if is_class(ir, definition) && placed.insert(&definition.name) {
            order.push(definition);
        }
    }
    order
}

/// A name for a type, and whether the type names it in turn.
#[derive(Debug)]
pub(crate) struct Ordered<'a> {
    pub(crate) definition: &'a NamedDefinition,
    pub(crate) cyclic: bool,
}

/// Tells which definitions are printed as classes.
pub(crate) type IsClass = fn(&Ir, &NamedDefinition) -> bool;

/// All definitions that are no classes, each after those that it is made of. Of those that form
/// cycles, one is read late, wherever it is.
pub(crate) fn aliases(ir: &Ir, is_class: IsClass) -> Vec<Ordered<'_>> {
    let mut walk = Walk {
        ir,
        is_class,
        done: BTreeSet::new(),
        open: Vec::new(),
        cyclic: BTreeSet::new(),
        order: Vec::new(),
    };
    // What names itself is read late in any case, which may break other circles.
    let of_itself = ir.definitions.values().filter(|it| names_itself(it));
    walk.cyclic.extend(of_itself.map(|it| it.name.as_str()));
    for definition in ir.definitions.values() {
        walk.visit(definition);
    }
    let Walk { order, cyclic, .. } = walk;
    let ordered = order.into_iter().map(|definition| Ordered {
        cyclic: cyclic.contains(definition.name.as_str()),
        definition,
    });
    ordered.collect()
}

struct Walk<'a> {
    ir: &'a Ir,
    is_class: IsClass,
    done: BTreeSet<&'a str>,
    open: Vec<&'a str>,
    cyclic: BTreeSet<&'a str>,
    order: Vec<&'a NamedDefinition>,
}

impl<'a> Walk<'a> {
    fn visit(&mut self, definition: &'a NamedDefinition) {
        let name = definition.name.as_str();
        if (self.is_class)(self.ir, definition) || self.done.contains(name) {
            return;
        }
        if self.open.contains(&name) {
            // One type of each circle is read late, and the others can be made of it.
            self.cyclic.insert(name);
            return;
        }
        self.open.push(name);
        for name in made_of(&definition.kind) {
            if let Some(definition) = self.ir.definitions.get(name)
                && !self.cyclic.contains(name)
            {
                self.visit(definition);
            }
        }
        self.open.pop();
        self.done.insert(name);
        self.order.push(definition);
    }
}

fn names_itself(definition: &NamedDefinition) -> bool {
    made_of(&definition.kind).any(|used| used == definition.name)
}

/// The definitions that one is made of which is no class.
pub(crate) fn made_of(kind: &DefinitionKind) -> impl Iterator<Item = &str> {
    let mut used = Vec::new();
    names_in_kind(kind, &mut used);
    used.into_iter()
}

fn names_in_kind<'a>(kind: &'a DefinitionKind, names: &mut Vec<&'a str>) {
    match kind {
        DefinitionKind::Alias(ty) => names_in_type(ty, names),
        DefinitionKind::Kinds(arms) => arms.iter().for_each(|arm| names_in_type(&arm.ty, names)),
        DefinitionKind::Alternatives(arms) => names.extend(arms.iter().map(String::as_str)),
        DefinitionKind::Union(union) => {
            names.extend(union.arms.iter().map(|arm| arm.definition.as_str()));
            names.extend(union.unknown.as_deref());
        }
        // One that is no class has nothing but members of one type.
        DefinitionKind::Object(object) => {
            if let Others::Typed(slot) = &object.others {
                names_in_type(&slot.ty, names);
            }
        }
        DefinitionKind::Enumeration(_) => {}
    }
}

fn names_in_type<'a>(ty: &'a Type, names: &mut Vec<&'a str>) {
    let mut slot = |slot: &'a Slot| names_in_type(&slot.ty, names);
    match ty {
        Type::Reference { to, .. } => names.push(to),
        Type::List { items, .. } => slot(items),
        Type::Map(values) => slot(values),
        Type::Tuple(slots) => slots.iter().for_each(slot),
        _ => {}
    }
}
