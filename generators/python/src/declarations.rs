//! Plain declarations: what `json.loads` gives, typed as it is.
//!
//! An object is a `TypedDict`, and other definitions are names for types. A tuple is a list there, and
//! an object without named members a dictionary. A class cannot have each member that an object has in
//! JSON: one with such a member is made by a call.

use std::collections::BTreeSet;

use chatstate_schema_model::{
    DefinitionKind, Enumeration, Ir, Literal, MemberDefinition, NamedDefinition, ObjectDefinition,
    Others, Slot, Type, UnionDefinition,
};

use crate::alias::doc_of_alias;
use crate::annotation::{holds_null, value};
use crate::class::member_paragraphs;
use crate::docs::{deprecation, docstring};
use crate::imports::Imports;
use crate::models::header;
use crate::names::{TypeNames, is_declarable, type_name};
use crate::order::{Ordered, aliases, made_of};
use crate::view::{AliasView, Annotation, Declaration, ModuleView, TypedDictMember, TypedDictView};

/// What the module says of itself.
const TITLE: &str =
    "What `json.loads` gives, typed by the schema. Nothing here reads or checks a document.";

/// What is said of a member whose name is empty.
const UNNAMED: &str = "The member with the empty name is not declared: type checkers reject it.";

/// What is in the module: what is above the declarations, and each of them.
pub(crate) fn declarations(ir: &Ir) -> (ModuleView, Vec<Declaration>) {
    let types = TypeNames::new(ir);
    let imports = Imports::new(&types);
    let declared = DeclaredTypes {
        ir,
        imports: &imports,
    };
    let classes = ir.definitions.values().filter_map(|definition| {
        let object = object_of(definition)?;
        Some(declared.object(definition, object))
    });
    let mut declarations: Vec<Declaration> = classes.collect();
    let aliases = aliases(ir, |_, it| object_of(it).is_some());
    let circles = aliases.iter().filter(|alias| alias.cyclic);
    let mut late: BTreeSet<&str> = circles.map(|it| it.definition.name.as_str()).collect();
    for Ordered { definition, .. } in aliases {
        // What is made of a text is one, too: Python puts no types of texts together.
        if made_of(&definition.kind).any(|name| late.contains(name)) {
            late.insert(&definition.name);
        }
        let alias = declared.alias(definition);
        declarations.push(if late.contains(definition.name.as_str()) {
            Declaration::Late(alias)
        } else {
            Declaration::Alias(alias)
        });
    }
    let module = ModuleView {
        header: header(ir, TITLE),
        imports: imports.statements(),
    };
    (module, declarations)
}

/// The object that a definition is, unless it is a dictionary: it has no named members and takes
/// others.
fn object_of(definition: &NamedDefinition) -> Option<&ObjectDefinition> {
    match &definition.kind {
        DefinitionKind::Object(object) if !object.members.is_empty() => Some(object),
        DefinitionKind::Object(object) if object.others == Others::Rejected => Some(object),
        _ => None,
    }
}

/// Declares types, and notes what they import.
struct DeclaredTypes<'a> {
    ir: &'a Ir,
    imports: &'a Imports<'a>,
}

impl DeclaredTypes<'_> {
    fn object(&self, definition: &NamedDefinition, object: &ObjectDefinition) -> Declaration {
        // Type checkers reject a member whose name is empty.
        let named = object.members.iter().filter(|it| !it.name.is_empty());
        let members: Vec<TypedDictMember> = named.map(|member| self.member(member)).collect();
        let base = self.imports.name("TypedDict");
        let is_class = |member: &TypedDictMember| {
            is_declarable(&member.name) && !self.imports.is_taken(&member.name)
        };
        let is_class = members.len() == object.members.len() && members.iter().all(is_class);
        let more = if is_class {
            String::new()
        } else {
            listed(object)
        };
        let doc = docstring(&[&definition.doc, deprecation(definition.deprecated), &more]);
        let view = TypedDictView {
            name: type_name(&definition.name),
            base,
            empty: members.is_empty() && doc.is_empty(),
            doc,
            members,
        };
        if is_class {
            Declaration::Class(view)
        } else {
            Declaration::Call(view)
        }
    }

    fn member(&self, member: &MemberDefinition) -> TypedDictMember {
        let annotation = self.nullable(&member.ty, member.nullable);
        let annotation = if member.required {
            annotation
        } else {
            Annotation::AbsentOr {
                name: self.imports.name("NotRequired"),
                of: Box::new(annotation),
            }
        };
        let paragraphs = member_paragraphs(member);
        let paragraphs: Vec<&str> = paragraphs.iter().map(String::as_str).collect();
        TypedDictMember {
            name: member.name.clone(),
            annotation,
            doc: docstring(&paragraphs),
        }
    }

    fn alias(&self, definition: &NamedDefinition) -> AliasView {
        AliasView {
            name: type_name(&definition.name),
            alias: self.imports.name("TypeAlias"),
            value: self.annotation_of(definition),
            doc: doc_of_alias(definition),
        }
    }

    fn annotation_of(&self, definition: &NamedDefinition) -> Annotation {
        match &definition.kind {
            DefinitionKind::Alias(ty) => self.of(ty),
            DefinitionKind::Kinds(arms) => one_of(arms.iter().map(|arm| self.of(&arm.ty))),
            DefinitionKind::Alternatives(arms) => one_of(arms.iter().map(|arm| named(arm))),
            DefinitionKind::Union(union) => one_of(variants(union).map(named)),
            DefinitionKind::Enumeration(enumeration) => self.enumerated(enumeration),
            DefinitionKind::Object(object) => match &object.others {
                Others::Typed(slot) => dictionary(self.slot(slot)),
                Others::Kept | Others::Rejected => dictionary(self.any()),
            },
        }
    }

    fn enumerated(&self, enumeration: &Enumeration) -> Annotation {
        let values = enumeration.values.iter().map(|known| &known.value);
        let literals = self.literals(values);
        if !enumeration.open {
            return literals;
        }
        let is_text = enumeration.texts().is_some();
        let other = Annotation::named(if is_text { "str" } else { "int" });
        one_of([literals, other])
    }

    fn of(&self, ty: &Type) -> Annotation {
        match ty {
            Type::Reference { to, .. } => named(to),
            Type::List { items, .. } => list(self.slot(items)),
            Type::Tuple(slots) => self.tuple(slots),
            Type::Map(values) => dictionary(self.slot(values)),
            Type::Constant(value) => self.literals([value]),
            Type::UnknownTag(_) | Type::Text { .. } | Type::SplitText => Annotation::named("str"),
            Type::Boolean => Annotation::named("bool"),
            Type::Integer(_) => Annotation::named("int"),
            Type::Number(_) => one_of(["int", "float"].map(Annotation::named)),
            Type::OpenObject => dictionary(self.any()),
            Type::Any { .. } => self.any(),
        }
    }

    fn slot(&self, slot: &Slot) -> Annotation {
        self.nullable(&slot.ty, slot.nullable)
    }

    fn nullable(&self, ty: &Type, nullable: bool) -> Annotation {
        let annotation = self.of(ty);
        if nullable && !holds_null(self.ir, ty) {
            let of = Box::new(annotation);
            return Annotation::Nullable { of };
        }
        annotation
    }

    /// A list whose items are of the types of the tuple, which has no type of its own in Python.
    fn tuple(&self, slots: &[Slot]) -> Annotation {
        if slots.is_empty() {
            return list(Annotation::named(self.imports.name("Never")));
        }
        let items = one_of(slots.iter().map(|slot| self.of(&slot.ty)));
        let null = slots
            .iter()
            .any(|slot| slot.nullable && !holds_null(self.ir, &slot.ty));
        list(if null {
            Annotation::Nullable {
                of: Box::new(items),
            }
        } else {
            items
        })
    }

    fn any(&self) -> Annotation {
        Annotation::named(self.imports.name("Any"))
    }

    /// The values, and any integer for one that mypy does not read: its size is beyond 63 bits.
    fn literals<'v>(&self, values: impl IntoIterator<Item = &'v Literal>) -> Annotation {
        let is_read = |literal: &&Literal| **literal != Literal::Integer(i64::MIN);
        let (read, beyond): (Vec<_>, Vec<_>) = values.into_iter().partition(is_read);
        let literals = (!read.is_empty()).then(|| Annotation::Literals {
            name: self.imports.name("Literal"),
            values: read.into_iter().map(value).collect(),
        });
        let integer = (!beyond.is_empty()).then(|| Annotation::named("int"));
        one_of(literals.into_iter().chain(integer))
    }
}

fn named(definition: &str) -> Annotation {
    Annotation::named(type_name(definition))
}

fn dictionary(of: Annotation) -> Annotation {
    Annotation::Map { of: Box::new(of) }
}

fn list(of: Annotation) -> Annotation {
    Annotation::List { of: Box::new(of) }
}

fn variants(union: &UnionDefinition) -> impl Iterator<Item = &str> {
    let known = union.arms.iter().map(|arm| arm.definition.as_str());
    known.chain(union.unknown.as_deref())
}

/// One of some types, each of them once.
fn one_of(all: impl IntoIterator<Item = Annotation>) -> Annotation {
    let mut of: Vec<Annotation> = Vec::new();
    let flat = all.into_iter().flat_map(|annotation| match annotation {
        Annotation::Either { of } => of,
        other => vec![other],
    });
    for annotation in flat {
        if !of.contains(&annotation) {
            of.push(annotation);
        }
    }
    if of.len() == 1 {
        return of.remove(0);
    }
    Annotation::Either { of }
}

/// A line for each member with a description, where members have no place for one, and for a member
/// that has no place itself.
fn listed(object: &ObjectDefinition) -> String {
    let lines = object.members.iter().filter_map(|member| {
        let mut paragraphs = member_paragraphs(member);
        if member.name.is_empty() {
            paragraphs.push(UNNAMED.to_owned());
        }
        (!paragraphs.is_empty()).then(|| format!("- `{}`: {}", member.name, paragraphs.join(" ")))
    });
    lines.collect::<Vec<String>>().join("\n")
}
