//! The whole package: what people wrote, what is generated, and the project file.

use chatstate_codegen::{CodegenError, Files, Package};
use chatstate_ir::Ir;
use serde::Serialize;

use crate::file::files;
use crate::names::Names;
use crate::pattern::check_patterns;
use crate::templates::templates;

/// The files of the runtime, which every package has.
const RUNTIME: &[(&str, &str)] = &[
    (
        "runtime/CanonicalJson.cs",
        include_str!("../package/runtime/CanonicalJson.cs"),
    ),
    (
        "runtime/DecimalText.cs",
        include_str!("../package/runtime/DecimalText.cs"),
    ),
    (
        "runtime/GeneratedConverter.cs",
        include_str!("../package/runtime/GeneratedConverter.cs"),
    ),
    (
        "runtime/IJsonType.cs",
        include_str!("../package/runtime/IJsonType.cs"),
    ),
    (
        "runtime/JsonChecker.cs",
        include_str!("../package/runtime/JsonChecker.cs"),
    ),
    (
        "runtime/JsonFormat.cs",
        include_str!("../package/runtime/JsonFormat.cs"),
    ),
    (
        "runtime/JsonNumber.cs",
        include_str!("../package/runtime/JsonNumber.cs"),
    ),
    (
        "runtime/JsonRead.cs",
        include_str!("../package/runtime/JsonRead.cs"),
    ),
    (
        "runtime/JsonReadConstraints.cs",
        include_str!("../package/runtime/JsonReadConstraints.cs"),
    ),
    (
        "runtime/JsonStrings.cs",
        include_str!("../package/runtime/JsonStrings.cs"),
    ),
    (
        "runtime/JsonText.cs",
        include_str!("../package/runtime/JsonText.cs"),
    ),
    (
        "runtime/JsonWrite.cs",
        include_str!("../package/runtime/JsonWrite.cs"),
    ),
    (
        "runtime/ObjectReader.cs",
        include_str!("../package/runtime/ObjectReader.cs"),
    ),
    (
        "runtime/Optional.cs",
        include_str!("../package/runtime/Optional.cs"),
    ),
    (
        "runtime/RejectionException.cs",
        include_str!("../package/runtime/RejectionException.cs"),
    ),
];

/// The files that saved chats need beside.
const CHAT: &[(&str, &str)] = &[
    (
        "chat/ChannelKey.cs",
        include_str!("../package/chat/ChannelKey.cs"),
    ),
    (
        "chat/Encodings.cs",
        include_str!("../package/chat/Encodings.cs"),
    ),
    (
        "chat/Versions.cs",
        include_str!("../package/chat/Versions.cs"),
    ),
];

/// The line that the files of the runtime have, which are written for one package.
const OWN_NAMESPACE: &str = "namespace Chatstate;";

/// What the templates print of the project file and the page about it.
#[derive(Serialize)]
struct Project<'a> {
    namespace: &'a str,
    description: &'a str,
    /// Whether the package is about saved chats.
    chat: bool,
}

/// All files of a package.
pub(crate) fn package(ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
    check_patterns(ir)?;
    let names = Names::new(ir, &package.name)?;
    let templates = templates()?;
    let mut all = files(&names, &templates)?;
    let chat = if package.chat_state { CHAT } else { &[] };
    let namespace = format!("namespace {};", names.namespace);
    for (path, text) in RUNTIME.iter().chain(chat) {
        all.add(*path, text.replace(OWN_NAMESPACE, &namespace))?;
    }
    let project = Project {
        namespace: &names.namespace,
        description: if package.chat_state {
            "Saved chats, sessions and events of agents, as types that keep what they do not know."
        } else {
            "Types of a JSON Schema, which keep what they do not know."
        },
        chat: package.chat_state,
    };
    all.add(
        format!("{}.csproj", names.namespace),
        templates.print("project", &project)?,
    )?;
    all.add("README.md", templates.print("readme", &project)?)?;
    Ok(all)
}

/// The files of an adapter for somebody's SDK.
const SKELETON: &[(&str, &str)] = &[
    ("Adapter.csproj", include_str!("../skeleton/Adapter.csproj")),
    ("Program.cs", include_str!("../skeleton/Program.cs")),
    ("README.md", include_str!("../skeleton/README.md")),
];

/// The skeleton of an adapter.
pub(crate) fn adapter_skeleton() -> Result<Files, CodegenError> {
    let mut files = Files::new();
    for (path, text) in SKELETON {
        files.add(*path, *text)?;
    }
    Ok(files)
}
