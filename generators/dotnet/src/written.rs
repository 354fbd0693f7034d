//! The files of packages that people write: they are in chatstate's own package, in `packages/dotnet`.

use std::borrow::Cow;

use chatstate_codegen::{CodegenError, Files, Package, Written, embedded};
use include_dir::{Dir, include_dir};

/// The folder of the runtime, which every package has.
static RUNTIME: Dir<'static> =
    include_dir!("$CARGO_MANIFEST_DIR/../../packages/dotnet/src/Chatstate/Runtime");

/// The page about the package that these files are written in; others have one from a template.
pub(crate) const README: &str = include_str!("../../../packages/dotnet/src/Chatstate/README.md");

/// What the documents of chatstate's schema mean.
static BEHAVIOUR: [(&str, Dir<'static>); 5] = [
    (
        "Chats",
        include_dir!("$CARGO_MANIFEST_DIR/../../packages/dotnet/src/Chatstate/Chats"),
    ),
    (
        "Sessions",
        include_dir!("$CARGO_MANIFEST_DIR/../../packages/dotnet/src/Chatstate/Sessions"),
    ),
    (
        "Storage",
        include_dir!("$CARGO_MANIFEST_DIR/../../packages/dotnet/src/Chatstate/Storage"),
    ),
    (
        "Streams",
        include_dir!("$CARGO_MANIFEST_DIR/../../packages/dotnet/src/Chatstate/Streams"),
    ),
    (
        "Testing",
        include_dir!("$CARGO_MANIFEST_DIR/../../packages/dotnet/src/Chatstate/Testing"),
    ),
];

/// The templates.
pub(crate) static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// The skeleton of an adapter for an SDK.
pub(crate) static SKELETON: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/skeleton");

/// The namespace of the package that these files are written for.
const OWN_NAMESPACE: &str = "Chatstate";

/// The package that these files are written in. The page about it is about no other.
const HOME: &str = "chatstate";

/// Whether the page about a package is the one that people wrote.
pub(crate) fn has_page(package: &Package) -> bool {
    package.behaviour && package.name == HOME
}

/// What every package has, in its namespace.
pub(crate) fn runtime(namespace: &str) -> Result<Files, CodegenError> {
    let mut files = Files::new();
    for (path, text) in embedded(&RUNTIME)? {
        files.add(format!("Runtime/{path}"), in_namespace(text, namespace))?;
    }
    Ok(files)
}

/// What people wrote about the documents of chatstate's schema.
pub(crate) fn behaviour(namespace: &str) -> Result<Files, CodegenError> {
    let mut files = Files::new();
    for (path, text) in Written::folders(&BEHAVIOUR)? {
        files.add(path, in_namespace(text, namespace))?;
    }
    Ok(files)
}

/// A file in the namespace of the package, or in one below it.
fn in_namespace(text: Cow<'static, str>, namespace: &str) -> Cow<'static, str> {
    if namespace == OWN_NAMESPACE {
        return text;
    }
    let text = text.replacen(
        &format!("namespace {OWN_NAMESPACE}"),
        &format!("namespace {namespace}"),
        1,
    );
    let below = |namespace: &str| format!("using {namespace}.");
    text.replace(&below(OWN_NAMESPACE), &below(namespace))
        .into()
}
