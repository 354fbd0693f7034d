//! Chats and sessions as SDKs save them, one folder for each dialect, and what becomes of those that
//! do not come home.

use crate::workspace;

/// Where the samples are.
pub const FOLDER: &str = "tests/samples";

/// A document that an SDK saved.
#[derive(Debug)]
pub struct Sample {
    /// Its dialect.
    pub dialect: String,
    /// Its file, from the root of the workspace.
    pub file: String,
}

impl Sample {
    /// Its text, without a byte order mark.
    #[must_use]
    pub fn text(&self) -> String {
        let text = workspace::text(&self.file);
        text.trim_start_matches('\u{feff}').to_owned()
    }

    /// Why it does not come home, if it does not.
    #[must_use]
    pub fn exception(&self) -> Option<&'static Exception> {
        let name = self.file.strip_prefix(&format!("{FOLDER}/"))?;
        EXCEPTIONS.iter().find(|it| it.file == name)
    }
}

/// Every sample.
#[must_use]
pub fn all() -> Vec<Sample> {
    dialects().iter().flat_map(|name| of(name)).collect()
}

/// The dialects that have samples.
#[must_use]
pub fn dialects() -> Vec<String> {
    let mut folders = workspace::names_in(FOLDER);
    folders.retain(|name| workspace::path(FOLDER).join(name).is_dir());
    folders
}

fn of(dialect: &str) -> Vec<Sample> {
    let folder = format!("{FOLDER}/{dialect}");
    let files = workspace::names_in(&folder).into_iter();
    let sample = |file| Sample {
        dialect: dialect.to_owned(),
        file: format!("{folder}/{file}"),
    };
    files.map(sample).collect()
}

/// A sample that does not come home.
#[derive(Debug)]
pub struct Exception {
    /// Its file, from the folder of the samples.
    pub file: &'static str,
    /// What becomes of it.
    pub ends: SampleOutcome,
    /// The reason, for people.
    pub why: &'static str,
}

/// What becomes of a sample that does not come home.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleOutcome {
    /// It is rejected when it is read, for this rule and at this place.
    Rejected(&'static str, &'static str),
    /// It is read, and rejected when it is written in its own dialect again.
    NotWritten(&'static str),
    /// It is read with losses at these places, and written as another document.
    Changed(&'static [&'static str]),
}

const UPDATE: SampleOutcome = SampleOutcome::Rejected("convert.dialect", "");
const UPDATE_WHY: &str =
    "it is a part of a message that is streamed, and never stands in a history";

const fn exception(file: &'static str, ends: SampleOutcome, why: &'static str) -> Exception {
    Exception { file, ends, why }
}

/// The samples that do not come home.
pub const EXCEPTIONS: [Exception; 19] = [
    exception(
        "agent-framework-dotnet/recorded-agent-response-updates.json",
        UPDATE,
        UPDATE_WHY,
    ),
    exception(
        "agent-framework-dotnet/recorded-contents-of-10.3.0.json",
        SampleOutcome::Rejected("required", "/12/name"),
        "that version wrote `toolName`, and later ones reject the content",
    ),
    exception(
        "agent-framework-dotnet/recorded-contents-of-9.10.2.json",
        SampleOutcome::Rejected("required", "/12/name"),
        "that version wrote `toolName`, and later ones reject the content",
    ),
    exception(
        "agent-framework-dotnet/recorded-workflow-checkpoint.json",
        SampleOutcome::Rejected("convert.dialect", ""),
        "a checkpoint of a workflow is no session, message or history",
    ),
    exception(
        "semantic-kernel-dotnet/recorded-chat-own-contents.json",
        SampleOutcome::Rejected("required", "/History/0/Items/0/$type"),
        "the SDK wrote `{}` for an own class of items, and rejects that when it loads the chat",
    ),
    exception(
        "semantic-kernel-dotnet/recorded-chat-roles.json",
        SampleOutcome::Changed(&["/Channels/0/ChannelState/3/Role", "/History/3/Role"]),
        "the SDK wrote a role without a label, and rejects that when it loads the chat",
    ),
    exception(
        "semantic-kernel-dotnet/recorded-chat-state-duplicates.json",
        SampleOutcome::Rejected("duplicate-member", "/Channels/0/ChannelState/a"),
        "the state of its agent has a member twice, and readers disagree about which one counts",
    ),
    exception(
        "semantic-kernel-dotnet/recorded-chat-too-deep-to-load.json",
        SampleOutcome::NotWritten("convert.unsayable"),
        "the SDK saved it and rejects it when it is loaded",
    ),
    exception(
        "semantic-kernel-dotnet/recorded-history-thread.json",
        SampleOutcome::Rejected("convert.dialect", ""),
        "a `ChatHistoryAgentThread` is no history, and the SDK itself cannot read it back",
    ),
    exception(
        "semantic-kernel-dotnet/recorded-message-no-items.json",
        SampleOutcome::Changed(&["/Role"]),
        "the SDK wrote a role without a label, and rejects that when it reads the message",
    ),
    exception(
        "semantic-kernel-dotnet/recorded-streaming-action.json",
        UPDATE,
        UPDATE_WHY,
    ),
    exception(
        "semantic-kernel-dotnet/recorded-streaming-annotation.json",
        UPDATE,
        UPDATE_WHY,
    ),
    exception(
        "semantic-kernel-dotnet/recorded-streaming-call.json",
        UPDATE,
        UPDATE_WHY,
    ),
    exception(
        "semantic-kernel-dotnet/recorded-streaming-file.json",
        UPDATE,
        UPDATE_WHY,
    ),
    exception(
        "semantic-kernel-dotnet/recorded-streaming-message-items.json",
        UPDATE,
        UPDATE_WHY,
    ),
    exception(
        "semantic-kernel-dotnet/recorded-streaming-message-plain.json",
        UPDATE,
        UPDATE_WHY,
    ),
    exception(
        "semantic-kernel-dotnet/recorded-streaming-message.json",
        UPDATE,
        UPDATE_WHY,
    ),
    exception(
        "semantic-kernel-dotnet/recorded-streaming-reasoning.json",
        UPDATE,
        UPDATE_WHY,
    ),
    exception(
        "semantic-kernel-dotnet/recorded-streaming-text.json",
        UPDATE,
        UPDATE_WHY,
    ),
];
