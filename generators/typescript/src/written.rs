//! The files of packages that people write: they are in chatstate's own package, in
//! `packages/typescript`.

use chatstate_codegen::{CodegenError, Files, Written, embedded};
use include_dir::{Dir, include_dir};

/// The folder of the runtime, which every package has.
static RUNTIME: Dir<'static> =
    include_dir!("$CARGO_MANIFEST_DIR/../../packages/typescript/src/runtime");

/// How every package is compiled.
const SETTINGS: &str = include_str!("../../../packages/typescript/tsconfig.json");

/// The page about chatstate's own package; other packages have one from a template.
const README: &str = include_str!("../../../packages/typescript/README.md");

/// The folders that only chatstate's own package has: what its documents mean.
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

/// What every package has.
pub(crate) fn runtime() -> Result<Files, CodegenError> {
    let mut files = Files::new();
    files.add("tsconfig.json", SETTINGS)?;
    files.add_all("src/runtime/", embedded(&RUNTIME)?)?;
    Ok(files)
}

/// What only chatstate's own package has beside that.
pub(crate) fn behaviour() -> Result<Files, CodegenError> {
    let mut files = Files::new();
    files.add("README.md", README)?;
    files.add_all("src/", Written::folders(&BEHAVIOUR)?)?;
    Ok(files)
}
