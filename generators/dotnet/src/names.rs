//! Names of types, properties and values in C#, and which class a variant derives from.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::{Scope, pascal_case};
use chatstate_schema_model::{
    DefinitionKind, Ir, JsonKind, MemberDefinition, NamedDefinition, Type, UnionDefinition,
};
use unicode_ident::is_xid_start;

use crate::types::Values;
use crate::used_names::{
    PUBLIC_TYPES, TYPES_OF_ROLES, USED_AROUND_VALUES, USED_BY_ROLES, USED_MEMBERS, USED_TYPES,
};

/// The names that more than one construct needs.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    pub ir: &'a Ir,
    /// The namespace of all types.
    pub namespace: String,
    /// What the values are of that C# has no type for.
    pub values: Values,
    types: HashMap<&'a str, String>,
    /// The union whose class a variant derives from.
    bases: HashMap<&'a str, &'a str>,
}

impl<'a> Names<'a> {
    /// Names everything in a model; names that collide are errors.
    pub fn new(ir: &'a Ir, package: &str) -> Result<Self, CodegenError> {
        Self::with_values(ir, package, Values::Exact)
    }

    /// The same, for types of these values.
    pub fn with_values(ir: &'a Ir, package: &str, values: Values) -> Result<Self, CodegenError> {
        let namespace = namespace(package);
        if PUBLIC_TYPES.contains(&namespace.as_str()) {
            return Err(named_as_a_type(package, &namespace));
        }
        let mut scope = Scope::new("the types");
        if ir.roles.is_some() {
            for name in TYPES_OF_ROLES {
                scope.take((*name).to_owned(), "the roles of events")?;
            }
        }
        let mut types = HashMap::new();
        for (name, definition) in &ir.definitions {
            let mut type_name = type_name(definition, ir);
            // In a program, the name alone would be the namespace.
            if type_name == namespace {
                type_name.push_str("Type");
            }
            types.insert(name.as_str(), scope.take(type_name, name)?);
        }
        Ok(Self {
            ir,
            namespace,
            values,
            types,
            bases: bases(ir),
        })
    }

    /// The type of a definition.
    pub fn definition(&self, name: &str) -> String {
        let known = self.types.get(name).cloned();
        known.unwrap_or_else(|| name.to_owned())
    }

    /// The property of a member. A name that events have for what their roles name gets the word
    /// `Value` in them.
    pub fn property(
        &self,
        definition: &NamedDefinition,
        member: &MemberDefinition,
        type_name: &str,
    ) -> String {
        let name = property(member.code_name(), type_name);
        let union = self.ir.roles.as_ref().map(|roles| roles.union.as_str());
        let base = self.bases.get(definition.name.as_str()).copied();
        let is_event = base.is_some() && base == union;
        if is_event && USED_BY_ROLES.contains(&name.as_str()) {
            return format!("{name}Value");
        }
        name
    }

    /// The union that the class of a definition derives from.
    pub fn base(&self, definition: &str) -> Option<(&'a str, &'a UnionDefinition)> {
        let name = *self.bases.get(definition)?;
        match &self.ir.definitions.get(name)?.kind {
            DefinitionKind::Union(union) => Some((name, union)),
            _ => None,
        }
    }

    /// Whether all variants of a union derive from its class.
    pub fn is_hierarchy(&self, name: &str, union: &UnionDefinition) -> bool {
        arms(union).all(|arm| self.bases.get(arm) == Some(&name))
    }

    /// Whether documents are made of a definition.
    pub fn is_root(&self, definition: &str) -> bool {
        self.ir.roots().any(|root| root == definition)
    }

    /// What a definition is.
    pub fn kind(&self, definition: &str) -> Option<&'a DefinitionKind> {
        Some(&self.ir.definitions.get(definition)?.kind)
    }

    /// Whether a definition is any value, null included.
    pub fn takes_null(&self, definition: &str) -> bool {
        match self.kind(definition) {
            Some(DefinitionKind::Alias(Type::Any { nullable })) => *nullable,
            Some(DefinitionKind::Alias(Type::Reference { to, .. })) if to != definition => {
                self.takes_null(to)
            }
            _ => false,
        }
    }
}

/// The definitions of a union's variants, the unknown one last.
pub(crate) fn arms(union: &UnionDefinition) -> impl Iterator<Item = &str> {
    let known = union.arms.iter().map(|arm| arm.definition.as_str());
    known.chain(union.unknown.as_deref())
}

/// A class has one base class. The first union of the schema gets its variants; a later one that
/// shares a variant has no hierarchy.
fn bases(ir: &Ir) -> HashMap<&str, &str> {
    let mut bases = HashMap::new();
    for (name, definition) in &ir.definitions {
        let DefinitionKind::Union(union) = &definition.kind else {
            continue;
        };
        let mut seen = HashSet::new();
        let free = |arm: &str| {
            let object = ir.definitions.get(arm).map(|arm| &arm.kind);
            matches!(object, Some(DefinitionKind::Object(_)))
                && !bases.contains_key(arm)
                && seen.insert(arm.to_owned())
        };
        if arms(union).all(free) {
            bases.extend(arms(union).map(|arm| (arm, name.as_str())));
        }
    }
    bases
}

/// The namespace of all types of a package.
pub(crate) fn namespace(package: &str) -> String {
    identifier(&pascal_case(package))
}

fn named_as_a_type(package: &str, namespace: &str) -> CodegenError {
    CodegenError::Inexpressible {
        message: format!("the namespace `{namespace}` has the name of a type that is in it"),
        place: format!("the name `{package}` of the package"),
        help: "give another with `--name`".to_owned(),
    }
}

fn type_name(definition: &NamedDefinition, ir: &Ir) -> String {
    let name = free_name(definition);
    if is_own_member(&name, &definition.kind, ir) {
        return format!("{name}Type");
    }
    name
}

/// A name that the package does not use itself.
fn free_name(definition: &NamedDefinition) -> String {
    let name = identifier(&definition.name);
    let kind = &definition.kind;
    let around_value = !matches!(kind, DefinitionKind::Object(_) | DefinitionKind::Alias(_));
    let is_used = USED_TYPES.contains(&name.as_str())
        || (around_value && USED_AROUND_VALUES.contains(&name.as_str()));
    if is_used {
        return format!("{name}Type");
    }
    name
}

/// Whether a union is named as one of its members for a variant, such as `AsText`.
fn is_own_member(name: &str, kind: &DefinitionKind, ir: &Ir) -> bool {
    let Some(variant) = name.strip_prefix("As").or(name.strip_prefix("Of")) else {
        return false;
    };
    let is_of = |arm: &str| {
        let definition = ir.definitions.get(arm);
        definition.is_some_and(|definition| free_name(definition) == variant)
    };
    match kind {
        DefinitionKind::Kinds(arms) => arms.iter().any(|arm| arm_name(arm.kind) == variant),
        DefinitionKind::Alternatives(arms) => arms.iter().any(|arm| is_of(arm)),
        DefinitionKind::Union(union) => arms(union).any(is_of),
        _ => false,
    }
}

/// What the members for a variant of a JSON kind are called after.
pub(crate) fn arm_name(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Boolean => "Boolean",
        JsonKind::Number => "Number",
        JsonKind::String => "Text",
        JsonKind::Array => "List",
        JsonKind::Object => "Object",
    }
}

/// The property of a member. A name that the type has already, and its own name, which C# does not
/// allow, get the word `Value`.
pub(crate) fn property(member: &str, type_name: &str) -> String {
    let name = identifier(&pascal_case(member));
    if name == type_name || USED_MEMBERS.contains(&name.as_str()) {
        return format!("{name}Value");
    }
    name
}

/// A name without the characters that C# does not take in names; they are spelled by their code.
pub(crate) fn identifier(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for character in name.chars() {
        let is_taken = is_part(character) && (!out.is_empty() || is_start(character));
        if is_taken {
            out.push(character);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "U{:04X}", u32::from(character));
        }
    }
    out
}

/// Whether C# takes a character at the begin of a name: no combining marks, also no two that once were
/// letters.
fn is_start(character: char) -> bool {
    is_xid_start(character) && !matches!(character, '\u{1885}' | '\u{1886}')
}

/// Whether C# takes a character in a name: letters of the basic plane, but no circled ones.
fn is_part(character: char) -> bool {
    let circled = ('\u{24b6}'..='\u{24e9}').contains(&character);
    character.is_ascii_alphanumeric()
        || (character.is_alphabetic() && character <= '\u{ffff}' && !circled)
}

#[cfg(test)]
mod tests {
    use super::{identifier, property};

    #[test]
    fn properties() {
        let cases = [
            ("messageId", "MessageId"),
            ("created_at", "CreatedAt"),
            ("$type", "DollarType"),
            ("class", "Class"),
            ("thing", "ThingValue"),
            ("toString", "ToStringValue"),
            ("GetHashCode", "GetHashCodeValue"),
            ("2d", "N2d"),
            ("", "Empty"),
        ];
        for (member, expected) in cases {
            assert_eq!(property(member, "Thing"), expected, "{member}");
        }
    }

    #[test]
    fn identifiers() {
        assert_eq!(identifier("na\u{ef}ve"), "na\u{ef}ve");
        assert_eq!(identifier("x\u{b2}"), "xU00B2");
        assert_eq!(identifier("\u{1d4d0}"), "U1D4D0");
        assert_eq!(identifier("\u{903}a\u{903}"), "U0903a\u{903}");
        assert_eq!(identifier("\u{1885}"), "U1885");
    }
}
