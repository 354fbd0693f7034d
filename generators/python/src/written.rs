//! The files of packages that people write: they are in chatstate's own package, in `packages/python`.

use chatstate_codegen::{CodegenError, Files, Package, Written, embedded};
use include_dir::{Dir, include_dir};

/// The folder of the runtime, which every package has.
static RUNTIME: Dir<'static> =
    include_dir!("$CARGO_MANIFEST_DIR/../../packages/python/src/chatstate/_runtime");

/// Tells type checkers that the package has types.
const TYPED: &str = include_str!("../../../packages/python/src/chatstate/py.typed");

/// The page about the package that these files are written in; others have one from a template.
pub(crate) const README: &str = include_str!("../../../packages/python/README.md");

/// The plugin of chatstate's own package for pytest.
const PYTEST_PLUGIN: &str = include_str!("../../../packages/python/src/chatstate/pytest_plugin.py");

/// What the documents of chatstate's schema mean.
static BEHAVIOUR: [(&str, Dir<'static>); 5] = [
    (
        "chats",
        include_dir!("$CARGO_MANIFEST_DIR/../../packages/python/src/chatstate/chats"),
    ),
    (
        "sessions",
        include_dir!("$CARGO_MANIFEST_DIR/../../packages/python/src/chatstate/sessions"),
    ),
    (
        "storage",
        include_dir!("$CARGO_MANIFEST_DIR/../../packages/python/src/chatstate/storage"),
    ),
    (
        "streams",
        include_dir!("$CARGO_MANIFEST_DIR/../../packages/python/src/chatstate/streams"),
    ),
    (
        "testing",
        include_dir!("$CARGO_MANIFEST_DIR/../../packages/python/src/chatstate/testing"),
    ),
];

/// The templates.
pub(crate) static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// The skeleton of an adapter for an SDK.
pub(crate) static SKELETON: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/skeleton");

/// The package that these files are written in. The page about it is about no other.
const HOME: &str = "chatstate";

/// Whether the page about a package is the one that people wrote.
pub(crate) fn has_page(package: &Package) -> bool {
    package.behaviour && package.name == HOME
}

/// What every package has, with its sources in the folder `source`.
pub(crate) fn runtime(source: &str) -> Result<Files, CodegenError> {
    let mut files = Files::new();
    files.add(format!("{source}/py.typed"), TYPED)?;
    files.add_all(&format!("{source}/_runtime/"), embedded(&RUNTIME)?)?;
    Ok(files)
}

/// What people wrote about the documents of chatstate's schema.
pub(crate) fn behaviour(source: &str) -> Result<Files, CodegenError> {
    let mut files = Files::new();
    files.add(format!("{source}/pytest_plugin.py"), PYTEST_PLUGIN)?;
    files.add_all(&format!("{source}/"), Written::folders(&BEHAVIOUR)?)?;
    Ok(files)
}
