//! What the generated file imports: exactly what it uses, under names that no definition has.

use std::cell::RefCell;
use std::collections::BTreeSet;

use crate::names::TypeNames;
use crate::view::{Import, ImportedName};

/// The modules in the order in which they are imported, and what there is in each.
const MODULES: &[(&str, &[&str])] = &[
    (
        "typing",
        &[
            "TYPE_CHECKING",
            "Annotated",
            "Any",
            "Literal",
            "Never",
            "NotRequired",
            "Optional",
            "TypeAlias",
            "TypedDict",
            "Union",
        ],
    ),
    ("pydantic", &["ConfigDict", "Field"]),
    ("typing_extensions", &["Self", "TypeAliasType"]),
    (
        ".._runtime.annotations",
        &[
            "AnyNumber",
            "ByKind",
            "ExactLiteral",
            "FirstOf",
            "FromArray",
            "Integer",
            "JsonObject",
            "JsonText",
            "JsonValue",
            "NoneOf",
            "NotNull",
            "Number",
            "OpenText",
            "OrAbsent",
            "PlainNumber",
            "SplitText",
            "Unique",
            "WholeNumber",
            "constant",
        ],
    ),
    (
        ".._runtime.asked_members",
        &["ModelByName", "ModelByPresence", "Names", "Present"],
    ),
    (
        ".._runtime.conditions",
        &["Condition", "Fitting", "ModelByConditions"],
    ),
    (
        ".._runtime.formats",
        &[
            "Date",
            "DateTime",
            "Time",
            "Uuid",
            "as_date",
            "as_date_time",
            "as_time",
            "as_uuid",
        ],
    ),
    (
        ".._runtime.model",
        &["Arms", "Document", "Model", "TaggedUnion"],
    ),
];

/// The names that are used so far.
#[derive(Debug)]
pub(crate) struct Imports<'a> {
    types: &'a TypeNames<'a>,
    used: RefCell<BTreeSet<&'static str>>,
}

impl<'a> Imports<'a> {
    /// None yet, beside the types of the file.
    pub(crate) fn new(types: &'a TypeNames<'a>) -> Self {
        Self {
            types,
            used: RefCell::default(),
        }
    }

    /// The name in the generated file for something that is imported. A type of the same name
    /// keeps its name.
    pub(crate) fn name(&self, name: &'static str) -> String {
        self.used.borrow_mut().insert(name);
        self.local(name)
    }

    /// Whether a definition or something that is imported so far has this name in the file.
    pub(crate) fn is_taken(&self, name: &str) -> bool {
        let used = self.used.borrow();
        self.types.is_taken(name) || used.iter().any(|used| self.local(used) == name)
    }

    fn local(&self, name: &str) -> String {
        let taken = self.types.is_taken(name);
        format!("{}{name}", if taken { "_" } else { "" })
    }

    /// The statements for all that was used.
    pub(crate) fn statements(&self) -> Vec<Import> {
        let used = self.used.borrow();
        let mut statements: Vec<Import> = Vec::new();
        for (module, names) in MODULES {
            let names = names.iter().filter(|name| used.contains(*name));
            let names: Vec<ImportedName> = names.map(|name| self.imported(name)).collect();
            if !names.is_empty() {
                let apart = !is_beside(module, statements.last());
                statements.push(Import {
                    module,
                    names,
                    apart,
                });
            }
        }
        statements
    }

    fn imported(&self, name: &'static str) -> ImportedName {
        let local = Some(self.local(name)).filter(|local| local != name);
        ImportedName { name, local }
    }
}

/// Whether a module is of the group of the one before: other packages, or this one.
fn is_beside(module: &str, before: Option<&Import>) -> bool {
    let group = |module: &str| (module == "typing", module.starts_with('.'));
    before.is_some_and(|before| group(before.module) == group(module))
}
