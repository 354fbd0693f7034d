//! The files of packages that people write: they are in chatstate's own package, in
//! `packages/typescript`.

use chatstate_codegen::{CodegenError, Files, Package, Written, embedded};
use include_dir::{Dir, include_dir};

/// The folder of the runtime, which every package has.
static RUNTIME: Dir<'static> =
    include_dir!("$CARGO_MANIFEST_DIR/../../packages/typescript/src/runtime");

/// How every package is compiled.
const SETTINGS: &str = include_str!("../../../packages/typescript/tsconfig.json");

/// How what people write in it is laid out.
const LAYOUT: &str = include_str!("../../../packages/typescript/.prettierrc.json");

/// The page about the package that these files are written in; others have one from a template.
pub(crate) const README: &str = include_str!("../../../packages/typescript/README.md");

/// What the documents of chatstate's schema mean.
static BEHAVIOUR: [(&str, Dir<'static>); 5] = [
    (
        "chats",
        include_dir!("$CARGO_MANIFEST_DIR/../../packages/typescript/src/chats"),
    ),
    (
        "sessions",
        include_dir!("$CARGO_MANIFEST_DIR/../../packages/typescript/src/sessions"),
    ),
    (
        "storage",
        include_dir!("$CARGO_MANIFEST_DIR/../../packages/typescript/src/storage"),
    ),
    (
        "streams",
        include_dir!("$CARGO_MANIFEST_DIR/../../packages/typescript/src/streams"),
    ),
    (
        "testing",
        include_dir!("$CARGO_MANIFEST_DIR/../../packages/typescript/src/testing"),
    ),
];

/// The templates.
pub(crate) static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// The skeleton of an adapter for an SDK.
pub(crate) static SKELETON: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/skeleton");

/// The package that these files are written in. The page about it is about no other.
const HOME: &str = "chatstate";

/// What the schema cannot say of documents.
const RULES: &str = include_str!("../../../packages/typescript/src/chats/rules.ts");

/// The function that adds to the check of a type what the schema cannot say, where people wrote one.
pub(crate) fn rule(name: &str) -> Option<String> {
    let function = format!("ruled{name}");
    let mut exported = RULES
        .lines()
        .filter_map(|line| line.strip_prefix("export function "));
    let is_written = exported.any(|line| line.split('(').next() == Some(&function));
    is_written.then_some(function)
}

/// Whether the page about a package is the one that people wrote.
pub(crate) fn has_page(package: &Package) -> bool {
    package.behaviour && package.name == HOME
}

/// What every package has.
pub(crate) fn runtime() -> Result<Files, CodegenError> {
    let mut files = Files::new();
    files.add("tsconfig.json", SETTINGS)?;
    files.add(".prettierrc.json", LAYOUT)?;
    files.add_all("src/runtime/", embedded(&RUNTIME)?)?;
    Ok(files)
}

/// What people wrote about the documents of chatstate's schema.
pub(crate) fn behaviour() -> Result<Files, CodegenError> {
    let mut files = Files::new();
    files.add_all("src/", Written::folders(&BEHAVIOUR)?)?;
    Ok(files)
}
