//! Names in Python.

use std::collections::{BTreeMap, BTreeSet};

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::{Scope, snake_case};
use chatstate_schema_model::{DefinitionKind, Ir, NamedDefinition, ObjectDefinition};

/// Words that no name may be.
const KEYWORDS: &[&str] = &[
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
    "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Types that annotations within a class name, so that no member may hide them.
const TYPES_OF_PYTHON: &[&str] = &[
    "bool", "dict", "float", "int", "list", "property", "str", "tuple",
];

/// What the classes of packages have themselves.
const RESERVED: &[&str] = &[
    // What the classes of pydantic have.
    "construct",
    "copy",
    "from_orm",
    "json",
    "model_computed_fields",
    "model_config",
    "model_construct",
    "model_copy",
    "model_dump",
    "model_dump_json",
    "model_extra",
    "model_fields",
    "model_fields_set",
    "model_json_schema",
    "model_parametrized_name",
    "model_post_init",
    "model_rebuild",
    "model_validate",
    "model_validate_json",
    "model_validate_strings",
    "parse_file",
    "parse_obj",
    "parse_raw",
    "schema",
    "schema_json",
    "self",
    "update_forward_refs",
    // What the runtime gives each class.
    "document_rules",
    "from_json",
    "to_json",
    "validate",
];

/// Type names that mean something else in Python.
const RESERVED_TYPES: &[&str] = &["False", "None", "True"];

/// The name of a definition's type.
pub(crate) fn type_name(name: &str) -> String {
    let reserved = RESERVED_TYPES.contains(&name);
    format!("{name}{}", if reserved { "_" } else { "" })
}

/// The names of types in the generated file.
#[derive(Debug)]
pub(crate) struct TypeNames<'a> {
    /// For each union with a discriminator, the alias of its variants.
    variants: BTreeMap<&'a str, String>,
    taken: BTreeSet<String>,
}

impl<'a> TypeNames<'a> {
    /// The names of all definitions, and of the variants of each union.
    pub(crate) fn new(ir: &'a Ir) -> Self {
        let definitions = ir.definitions.keys();
        let mut names = Self {
            variants: BTreeMap::new(),
            taken: definitions.map(|name| type_name(name)).collect(),
        };
        for definition in ir.definitions.values() {
            if matches!(definition.kind, DefinitionKind::Union(_)) {
                names.add_variants(&definition.name);
            }
        }
        names
    }

    /// Names the variants of a union. A definition of that name keeps it.
    fn add_variants(&mut self, union: &'a str) {
        let mut name = format!("Any{union}");
        while self.taken.contains(&name) {
            name.push('_');
        }
        self.taken.insert(name.clone());
        self.variants.insert(union, name);
    }

    /// The alias of the variants of a union; nothing for any other definition.
    pub(crate) fn variants(&self, union: &str) -> Option<&str> {
        self.variants.get(union).map(String::as_str)
    }

    /// What an annotation calls a definition: a union by its variants, which `match` takes apart.
    pub(crate) fn annotated(&self, definition: &str) -> String {
        let variants = self.variants(definition).map(str::to_owned);
        variants.unwrap_or_else(|| type_name(definition))
    }

    /// Whether a type has the name.
    pub(crate) fn is_taken(&self, name: &str) -> bool {
        self.taken.contains(name)
    }

    /// All of them, in order.
    pub(crate) fn all(self) -> Vec<String> {
        self.taken.into_iter().collect()
    }
}

/// The name of the module of a package.
pub(crate) fn module_name(package: &str) -> String {
    attribute(package)
}

/// The attribute for a member.
pub(crate) fn attribute(name: &str) -> String {
    let mut attribute = snake_case(&spelled(name));
    let reserved = [KEYWORDS, TYPES_OF_PYTHON, RESERVED].concat();
    if reserved.contains(&attribute.as_str()) {
        attribute.push('_');
    }
    attribute
}

/// Whether the name of a member in JSON can be that of a member of a class, which Python does not
/// change and annotations beside it do not mean.
pub(crate) fn is_declarable(member: &str) -> bool {
    let known = |next: char| next.is_ascii_alphanumeric() || next == '_';
    let is_name = member.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && member.chars().all(known);
    // Python puts the name of the class before a name with two underscores.
    let is_private = member.starts_with("__");
    let meant = [KEYWORDS, TYPES_OF_PYTHON, RESERVED_TYPES];
    is_name && !is_private && !meant.iter().any(|names| names.contains(&member))
}

/// The attributes of all members of an object, each once.
pub(crate) fn attributes(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
) -> Result<Vec<String>, CodegenError> {
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    let members = object.members.iter();
    members
        .map(|member| scope.take(attribute(member.code_name()), &member.name))
        .collect()
}

/// Letters and digits that Python does not know in names part words, as punctuation does.
fn spelled(name: &str) -> String {
    let known =
        |character: char| !character.is_alphanumeric() || unicode_ident::is_xid_continue(character);
    let spell = |character| if known(character) { character } else { ' ' };
    name.chars().map(spell).collect()
}

/// The definition of a name.
pub(crate) fn definition<'a>(ir: &'a Ir, name: &str) -> Result<&'a NamedDefinition, CodegenError> {
    ir.definitions
        .get(name)
        .ok_or_else(|| CodegenError::Inexpressible {
            message: format!("the definition `{name}` is not there"),
            place: "the model".to_owned(),
            help: "this is a bug of the front end; report it".to_owned(),
        })
}

#[cfg(test)]
mod tests {
    use super::{attribute, is_declarable, type_name};

    #[test]
    fn attributes_are_identifiers() {
        let check = |name: &str, expected: &str| assert_eq!(attribute(name), expected, "{name}");
        check("messageId", "message_id");
        check("$type", "dollar_type");
        check("class", "class_");
        check("modelFields", "model_fields_");
        check("1st", "n1st");
        check("", "empty");
        check("größe", "größe");
        check("match", "match");
    }

    #[test]
    fn names_that_a_class_can_have() {
        let check = |name: &str, expected| assert_eq!(is_declarable(name), expected, "{name}");
        for name in ["a", "_a", "camelCase", "match", "schema", "a1"] {
            check(name, true);
        }
        for name in [
            "", "1st", "$type", "größe", "class", "None", "str", "__a", "a b",
        ] {
            check(name, false);
        }
    }

    #[test]
    fn keywords_are_no_type_names() {
        assert_eq!(type_name("None"), "None_");
        assert_eq!(type_name("Self"), "Self");
    }
}
