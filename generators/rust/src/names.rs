//! Names of modules, types, fields, variants and tables.

use std::collections::{HashMap, HashSet};

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::{Scope, pascal_case, snake_case};
use chatstate_schema_model::{DefinitionKind, Ir, NamedDefinition, Type};
use proc_macro2::{Ident, Span};
use quote::format_ident;
use unicode_ident::{is_xid_continue, is_xid_start};

use crate::types::Values;

/// Names that no definition may take: generated code has them from Rust, and those who use it have
/// them from exact JSON.
const USED_TYPES: &[&str] = &[
    "Box",
    "Document",
    "Err",
    "From",
    "IndexMap",
    "Into",
    "Kind",
    "LazyLock",
    "Members",
    "None",
    "ObjectWriter",
    "Ok",
    "Option",
    "Presence",
    "Raw",
    "ReadJson",
    "Regex",
    "Rejection",
    "Result",
    "Self",
    "Some",
    "String",
    "TryFrom",
    "Vec",
    "WriteJson",
];

/// Modules of the output that are not a schema file.
const USED_MODULES: &[&str] = &["definitions", "document", "mod", "roles", "with_serde"];

/// The keywords of any edition, in the order of their bytes. Those that cannot be written as raw
/// identifiers are in [`NEVER_RAW`].
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// The keywords that cannot be written as raw identifiers.
const NEVER_RAW: &[&str] = &["self", "Self", "super", "crate", "_"];

/// All names that more than one generated file needs.
#[derive(Debug)]
pub(crate) struct Names {
    /// What the values are of that Rust has no type for.
    pub values: Values,
    /// The module of each schema file, in their order.
    pub modules: Vec<String>,
    types: HashMap<String, String>,
    tables: HashMap<String, String>,
    /// The definitions that are any value, null included.
    nulls: HashSet<String>,
    /// The definitions that can hold themselves.
    recursive: HashSet<String>,
    /// The definitions that documents are made of.
    roots: HashSet<String>,
}

impl Names {
    /// Names everything in a model; names that collide are errors.
    pub fn new(ir: &Ir) -> Result<Self, CodegenError> {
        Self::with_values(ir, Values::Exact)
    }

    /// The same, for types of these values.
    pub fn with_values(ir: &Ir, values: Values) -> Result<Self, CodegenError> {
        let mut types = HashMap::new();
        let mut tables = HashMap::new();
        let mut type_scope = Scope::new("the types");
        let mut table_scope = Scope::new("the tables of definitions");
        for name in ir.definitions.keys() {
            types.insert(name.clone(), type_scope.take(type_name(name), name)?);
            let table = snake_case(name).to_uppercase();
            tables.insert(name.clone(), table_scope.take(table, name)?);
        }
        let chosen = |choose: fn(&NamedDefinition) -> bool| {
            let definitions = ir
                .definitions
                .values()
                .filter(|definition| choose(definition));
            definitions
                .map(|definition| definition.name.clone())
                .collect()
        };
        let takes_null = |definition: &NamedDefinition| {
            matches!(
                definition.kind,
                DefinitionKind::Alias(Type::Any { nullable: true })
            )
        };
        Ok(Self {
            values,
            modules: module_names(ir)?,
            types,
            tables,
            nulls: chosen(takes_null),
            recursive: chosen(|definition| definition.recursive),
            roots: ir.roots().map(str::to_owned).collect(),
        })
    }

    /// The type of a definition.
    pub fn definition(&self, name: &str) -> Ident {
        ident(self.types.get(name).map_or(name, String::as_str))
    }

    /// The table of a definition.
    pub fn table(&self, name: &str) -> Ident {
        ident(self.tables.get(name).map_or(name, String::as_str))
    }

    /// Whether a definition is any value, null included.
    pub fn takes_null(&self, definition: &str) -> bool {
        self.nulls.contains(definition)
    }

    /// Whether a definition can hold itself.
    pub fn is_recursive(&self, definition: &str) -> bool {
        self.recursive.contains(definition)
    }

    /// Whether documents are made of a definition.
    pub fn is_root(&self, definition: &str) -> bool {
        self.roots.contains(definition)
    }

    /// Whether a definition has the type name `name`.
    pub fn is_taken(&self, name: &str) -> bool {
        self.types.values().any(|taken| taken == name)
    }

    /// The type of a constant in a member of a definition: a name of the definition and the member.
    pub fn constant(
        &self,
        definition: &NamedDefinition,
        member: &str,
    ) -> Result<Ident, CodegenError> {
        let name = format!(
            "{}{}",
            self.definition(&definition.name),
            pascal_case(member)
        );
        if self.is_taken(&name) {
            return Err(CodegenError::Collision {
                first: name.clone(),
                second: format!("{} of {}", member, definition.name),
                name,
                place: "the types".to_owned(),
            });
        }
        Ok(ident(&name))
    }
}

fn type_name(definition: &str) -> String {
    if USED_TYPES.contains(&definition) {
        return format!("{definition}_");
    }
    definition.to_owned()
}

/// A module by the file name up to its first point: `chat-state.schema.json` is `chat_state`.
fn module_names(ir: &Ir) -> Result<Vec<String>, CodegenError> {
    let mut scope = Scope::new("the modules");
    let names = ir.schemas.iter().map(|schema| {
        let stem = schema.name.split('.').next().unwrap_or_default();
        let name = snake_case(stem);
        let reserved = USED_MODULES.contains(&name.as_str()) || ident(&name) != name;
        let name = if reserved {
            format!("{name}_schema")
        } else {
            name
        };
        scope.take(name, &schema.name)
    });
    names.collect()
}

/// The field of a member. `extra` is the field of the members that the schema does not name.
pub(crate) fn field_name(member: &str) -> String {
    let name = snake_case(member);
    if name == "extra" {
        "extra_member".to_owned()
    } else {
        name
    }
}

/// An identifier, raw where the name is a keyword. What no identifier may hold becomes `_`.
pub(crate) fn ident(name: &str) -> Ident {
    if NEVER_RAW.contains(&name) {
        return format_ident!("{name}_");
    }
    if KEYWORDS.binary_search(&name).is_ok() {
        return Ident::new_raw(name, Span::call_site());
    }
    let starts = name.starts_with(|first| first == '_' || is_xid_start(first));
    let before = if starts { "" } else { "_" };
    let characters = name.chars();
    let kept = characters.map(|known| if is_xid_continue(known) { known } else { '_' });
    let name: String = before.chars().chain(kept).collect();
    Ident::new(&name, Span::call_site())
}

#[cfg(test)]
mod tests {
    use super::{KEYWORDS, ident};

    #[test]
    fn keywords_are_raw_and_what_is_no_identifier_becomes_one() {
        assert!(KEYWORDS.is_sorted());
        for (name, expected) in [
            ("type", "r#type"),
            ("gen", "r#gen"),
            ("Self", "Self_"),
            ("_", "__"),
            ("größe", "größe"),
            ("n²", "n_"),
        ] {
            assert_eq!(ident(name).to_string(), expected);
        }
    }
}
