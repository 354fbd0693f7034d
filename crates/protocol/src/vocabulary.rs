//! The words of the protocol: operations, capabilities, document types, rejection classes.
//!
//! They are plain text on the wire, because a kit of one version must be able to talk to an
//! adapter of another. These tables are the one place where the words are written down; the
//! lint of the corpus and the schemas of the kit take them from here.

/// Every operation a request can name, in the order of the protocol's table.
pub const OPERATIONS: &[&str] = &[
    "round-trip",
    "validate",
    "canonicalize",
    "encode",
    "decode",
    "seal",
    "unseal",
    "to-cbor",
    "from-cbor",
    "channel-key",
    "restore",
    "verify",
    "replay",
    "compact",
    "attach",
    "lineage",
    "session",
    "convert",
];

/// Capabilities that are not operations: kinds of documents first, then properties of them.
pub const FEATURES: &[&str] = &[
    "chat",
    "sessions",
    "events",
    "unknown-members",
    "unknown-variants",
    "big-numbers",
    "split-surrogates",
    "chunks",
    "branches",
    "snapshots",
    "warnings",
    DEFINITIONS,
];

/// The capability for documents of every definition of the schema, and not only of those in [`TYPES`].
pub const DEFINITIONS: &str = "definitions";

/// The files of the schema, each with the capability that covers its definitions.
const FILES: &[(&str, &str)] = &[
    ("chat-state.schema.json", "chat"),
    ("session.schema.json", "sessions"),
    ("event.schema.json", "events"),
];

/// Every document type that an implementation with the capability for it reads and writes. A request
/// names another definition of the schema only where [`DEFINITIONS`] is declared.
pub const TYPES: &[(&str, &str)] = &[
    ("ChatState", "chat"),
    ("EncodedChatState", "chat"),
    ("ChatMessage", "chat"),
    ("Participant", "chat"),
    ("ChannelState", "chat"),
    ("AgentSession", "sessions"),
    ("SessionList", "sessions"),
    ("Event", "events"),
    ("EventStream", "events"),
    ("Message", "events"),
    ("RunAgentInput", "events"),
];

/// Every value of an argument that not everyone with the operation has: the argument, the value and
/// the capability that covers it.
pub const VALUES: &[(&str, &str, &str)] = &[
    ("level", "snapshot", "snapshots"),
    ("warnings", "true", "warnings"),
];

/// The optional member of an answer of `replay` that lists the events which the SDK delivered to
/// application code, in their order.
pub const DELIVERED: &str = "delivered";

/// Why a document can be rejected.
pub const CLASSES: &[&str] = &[
    "syntax", "limit", "version", "schema", "semantic", "sequence", "restore",
];

/// Gives every capability an adapter can declare: the operations, then the features.
pub fn capabilities() -> impl Iterator<Item = &'static str> {
    OPERATIONS.iter().chain(FEATURES).copied()
}

/// Gives the capability that covers a document type, or nothing for an unknown type.
#[must_use]
pub fn capability_of_type(name: &str) -> Option<&'static str> {
    let row = TYPES.iter().find(|(known, _)| *known == name)?;
    Some(row.1)
}

/// Gives the capability that covers the definitions of a file of the schema.
#[must_use]
pub fn capability_of_file(file: &str) -> Option<&'static str> {
    let row = FILES.iter().find(|(known, _)| *known == file)?;
    Some(row.1)
}

/// Tells whether documents of a type are asked for where these capabilities are declared. Who names
/// types of a kind has those of that kind and no others; who names none has all.
///
/// ```
/// use chatstate_protocol::vocabulary::has_type;
/// assert!(has_type(&["events"], "Message"));
/// assert!(!has_type(&["events", "Event"], "Message"));
/// assert!(has_type(&["events", "Event", "chat"], "ChatState"));
/// ```
#[must_use]
pub fn has_type(declared: &[impl AsRef<str>], name: &str) -> bool {
    let is_declared = |name: &str| declared.iter().any(|it| it.as_ref() == name);
    let kind = capability_of_type(name);
    let mut of_kind = TYPES
        .iter()
        .filter(|(_, capability)| Some(*capability) == kind);
    is_declared(name) || !of_kind.any(|(other, _)| is_declared(other))
}

/// Tells whether requests for this operation carry a `type`.
#[must_use]
pub fn takes_type(operation: &str) -> bool {
    matches!(operation, "round-trip" | "validate")
}

/// A further argument of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// What it may be.
    pub takes: Takes,
}

/// What an argument may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Any text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// `true` or `false`, which is the same as absent.
    Flag,
}

/// Gives the further arguments that an operation takes.
#[must_use]
pub fn arguments_of(operation: &str) -> &'static [Argument] {
    const fn optional(name: &'static str, takes: Takes) -> Argument {
        Argument {
            name,
            required: false,
            takes,
        }
    }
    const VERIFY: &[Argument] = &[
        optional("complete", Takes::Flag),
        optional("warnings", Takes::Flag),
    ];
    const REPLAY: &[Argument] = &[
        optional("run", Takes::Text),
        optional("lenient", Takes::Flag),
    ];
    const COMPACT: &[Argument] = &[
        Argument {
            name: "level",
            required: true,
            takes: Takes::Word(&["stream", "snapshot"]),
        },
        optional("retain", Takes::Word(&["tips", "runs"])),
        optional("partial", Takes::Flag),
        optional("lenient", Takes::Flag),
    ];
    const fn required(name: &'static str) -> Argument {
        Argument {
            name,
            required: true,
            takes: Takes::Text,
        }
    }
    const CONVERT: &[Argument] = &[
        required("from"),
        required("to"),
        optional("document", Takes::Text),
    ];
    const SEAL: &[Argument] = &[required("key"), optional("keyId", Takes::Text)];
    const RESTORE: &[Argument] = &[optional("save", Takes::Flag)];
    match operation {
        "seal" | "unseal" => SEAL,
        "restore" => RESTORE,
        "convert" => CONVERT,
        "verify" => VERIFY,
        "replay" => REPLAY,
        "compact" => COMPACT,
        _ => &[],
    }
}
