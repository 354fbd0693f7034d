//! The files of packages that are written by hand, from the folder of chatstate's own package.

/// A file by its path in the package, with its text.
pub(crate) type File = (&'static str, &'static str);

/// Embeds files of the package's folder.
macro_rules! files {
    ($($path:literal,)*) => {
        &[$(($path, include_str!(concat!("../package/src/chatstate/", $path)))),*]
    };
}

/// The files that every package has.
pub(crate) const RUNTIME: &[File] = files![
    "annotations.py",
    "canonical.py",
    "findings.py",
    "formats.py",
    "json_fault.py",
    "json_text.py",
    "model.py",
    "py.typed",
    "rejection.py",
];

/// The files that only chatstate's own package has: what its documents mean and come to.
pub(crate) const CHAT_STATE: &[File] = files![
    "channel_key.py",
    "chats/__init__.py",
    "chats/agent.py",
    "chats/channels.py",
    "chats/chat.py",
    "chats/serializer.py",
    "encoding.py",
    "pytest_plugin.py",
    "saved_chats.py",
    "sessions/__init__.py",
    "sessions/bag.py",
    "sessions/entry.py",
    "sessions/merge.py",
    "sessions/provider.py",
    "sessions/session.py",
    "sessions/spans.py",
    "sessions/store.py",
    "storage/__init__.py",
    "storage/files.py",
    "storage/memory.py",
    "storage/store.py",
    "streams/__init__.py",
    "streams/attach.py",
    "streams/chunks.py",
    "streams/compact/__init__.py",
    "streams/compact/compactor.py",
    "streams/compact/core.py",
    "streams/compact/draft.py",
    "streams/compact/forms.py",
    "streams/compact/held.py",
    "streams/compact/known.py",
    "streams/compact/metadata.py",
    "streams/compact/path.py",
    "streams/compact/pieces.py",
    "streams/compact/placement.py",
    "streams/compact/run.py",
    "streams/compact/snapshots.py",
    "streams/compact/spans.py",
    "streams/compact/standings.py",
    "streams/compact/state_fold.py",
    "streams/compact/tips.py",
    "streams/compact/writing.py",
    "streams/halves.py",
    "streams/kinds.py",
    "streams/lifecycle.py",
    "streams/lineage.py",
    "streams/owners.py",
    "streams/patch.py",
    "streams/plain.py",
    "streams/reducer.py",
    "streams/reopen.py",
    "streams/replay.py",
    "streams/restate.py",
    "streams/runs.py",
    "streams/sequence.py",
    "streams/thread.py",
    "streams/values.py",
    "streams/verify.py",
    "streams/violation.py",
    "testing/__init__.py",
    "testing/differences.py",
    "testing/snapshots.py",
];
