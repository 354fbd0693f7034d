//! The whole package: what people wrote, what is generated, and the project file.

use std::borrow::Cow;

use askama::Template;
use chatstate_codegen::{CodegenError, Files, Package, printed};
use chatstate_schema_model::Ir;

use crate::file::files;
use crate::names::{Names, namespace};
use crate::pattern::check_patterns;

/// Files that people wrote, by their paths in the package, with their texts.
macro_rules! written {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../package/", $path)))),*]
    };
}

/// The files of the runtime, which every package has.
const RUNTIME: &[(&str, &str)] = written![
    "runtime/CanonicalJson.cs",
    "runtime/DecimalText.cs",
    "runtime/GeneratedConverter.cs",
    "runtime/IJsonType.cs",
    "runtime/JsonChecker.cs",
    "runtime/JsonFormat.cs",
    "runtime/JsonNumber.cs",
    "runtime/JsonRead.cs",
    "runtime/JsonReadConstraints.cs",
    "runtime/JsonStrings.cs",
    "runtime/JsonText.cs",
    "runtime/JsonWrite.cs",
    "runtime/ObjectReader.cs",
    "runtime/Optional.cs",
    "runtime/RejectionException.cs",
];

/// What chats, sessions, event streams and stores of them do, and what tests of them need, which
/// only chatstate's own package has.
const BEHAVIOUR: &[(&str, &str)] = written![
    "chat/AgentChat.cs",
    "chat/AgentChatSerializer.cs",
    "chat/ChannelKey.cs",
    "chat/Channels.cs",
    "chat/Encodings.cs",
    "chat/IAgentChat.cs",
    "chat/Versions.cs",
    "sessions/MessageStores.cs",
    "sessions/Session.cs",
    "sessions/StateBag.cs",
    "sessions/StateEntry.cs",
    "sessions/StateMerge.cs",
    "storage/FileEventStore.cs",
    "storage/IEventStore.cs",
    "storage/LogLines.cs",
    "storage/MemoryEventStore.cs",
    "streams/CompactOptions.cs",
    "streams/EventCompactor.cs",
    "streams/EventStream.cs",
    "streams/ReplayedThread.cs",
    "streams/RunLineage.cs",
    "streams/Verification.cs",
    "streams/attach/Prelude.cs",
    "streams/attach/Reopening.cs",
    "streams/compaction/DeltaPart.cs",
    "streams/compaction/HeldItems.cs",
    "streams/compaction/HeldMessages.cs",
    "streams/compaction/ItemSpans.cs",
    "streams/compaction/KnownMessage.cs",
    "streams/compaction/MessageDraft.cs",
    "streams/compaction/MessageEntries.cs",
    "streams/compaction/PartWriting.cs",
    "streams/compaction/Placement.cs",
    "streams/compaction/RunChunks.cs",
    "streams/compaction/RunForm.cs",
    "streams/compaction/RunInProgress.cs",
    "streams/compaction/RunMessages.cs",
    "streams/compaction/RunPath.cs",
    "streams/compaction/RunSnapshots.cs",
    "streams/compaction/Spellings.cs",
    "streams/compaction/Standings.cs",
    "streams/compaction/StateFold.cs",
    "streams/compaction/TipsRetention.cs",
    "streams/compaction/Writes.cs",
    "streams/events/Event.cs",
    "streams/events/EventKind.cs",
    "streams/events/ItemEvents.cs",
    "streams/events/Message.cs",
    "streams/events/OtherEvents.cs",
    "streams/events/RunEvents.cs",
    "streams/order/ChunkClosing.cs",
    "streams/order/ChunkLanes.cs",
    "streams/order/OpenItem.cs",
    "streams/order/OpenItems.cs",
    "streams/order/Owners.cs",
    "streams/order/RunLifecycle.cs",
    "streams/order/RunLog.cs",
    "streams/order/Steps.cs",
    "streams/order/TextHalves.cs",
    "streams/order/Tracker.cs",
    "streams/order/Verifier.cs",
    "streams/order/Violation.cs",
    "streams/replay/MessageBuilding.cs",
    "streams/replay/MessageThread.cs",
    "streams/replay/Reducer.cs",
    "streams/replay/ReducerItems.cs",
    "streams/replay/Remark.cs",
    "streams/replay/RemovedRuns.cs",
    "streams/replay/Restating.cs",
    "streams/replay/ThreadMessage.cs",
    "streams/values/JsonTree.cs",
    "streams/values/JsonWriting.cs",
    "streams/values/PatchApplication.cs",
    "streams/values/ValueDigest.cs",
    "testing/JsonDifference.cs",
    "testing/SnapshotAssert.cs",
];

/// The line that the files of the runtime have, which are written for one package.
const OWN_NAMESPACE: &str = "namespace Chatstate;";

/// What the template prints of the project file.
#[derive(Template)]
#[template(path = "project.j2", escape = "none")]
struct Project<'a> {
    namespace: &'a str,
    description: &'a str,
}

/// What the template prints of the page about the package.
#[derive(Template)]
#[template(path = "readme.j2", escape = "none")]
struct Readme<'a> {
    namespace: &'a str,
    description: &'a str,
    /// Whether the package is about saved chats.
    chat: bool,
}

/// The files that no schema changes.
pub(crate) fn runtime(package: &Package) -> Result<Files, CodegenError> {
    let namespace = &namespace(&package.name);
    let mut all = Files::new();
    let behaviour: &[(&str, &str)] = if package.chat_state { BEHAVIOUR } else { &[] };
    for (path, text) in RUNTIME.iter().chain(behaviour) {
        all.add(*path, in_namespace(text, namespace))?;
    }
    let description = description(package);
    let project = Project {
        namespace,
        description,
    };
    let readme = Readme {
        namespace,
        description,
        chat: package.chat_state,
    };
    all.add(format!("{namespace}.csproj"), printed(&project)?)?;
    all.add("README.md", printed(&readme)?)?;
    Ok(all)
}

/// The files that the schema decides about.
pub(crate) fn generated(ir: &Ir, package: &Package) -> Result<Files, CodegenError> {
    check_patterns(ir)?;
    files(&Names::new(ir, &package.name)?)
}

/// A file of the runtime in the namespace of the package.
fn in_namespace(text: &'static str, namespace: &str) -> Cow<'static, str> {
    let own = format!("namespace {namespace};");
    if own == OWN_NAMESPACE {
        return text.into();
    }
    text.replacen(OWN_NAMESPACE, &own, 1).into()
}

fn description(package: &Package) -> &'static str {
    if package.chat_state {
        "Saved chats, sessions and events of agents, as types that keep what they do not know."
    } else {
        "Types of a JSON Schema, which keep what they do not know."
    }
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
