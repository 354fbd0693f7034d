//! Every type that is a document or a part of one.

use chatstate::Rejection;
use chatstate::generated;
use chatstate::json::{Number, Object, SplitText, Value, from_text, to_valid_text};
use chatstate::session::{Session, StateBag};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What is written and read as JSON.
pub trait Document: Sized + Serialize + DeserializeOwned {
    /// Its own reader.
    fn from_json(text: &str) -> Result<Self, Rejection>;

    /// Its own writer.
    fn to_json(&self) -> Result<String, Rejection>;
}

/// Does something with each type: a name in the schema, and the type.
pub trait Visit {
    fn visit<T: Document>(&mut self, name: &str);
}

macro_rules! each {
    ($($name:ident,)*) => {
        $(impl Document for generated::$name {
            fn from_json(text: &str) -> Result<Self, Rejection> {
                generated::$name::from_json(text)
            }

            fn to_json(&self) -> Result<String, Rejection> {
                to_valid_text(self)
            }
        })*

        /// The generated types, in the order of their names.
        pub const GENERATED: &[&str] = &[$(stringify!($name)),*];

        /// Shows every generated type.
        pub fn visit_all(visit: &mut impl Visit) {
            $(visit.visit::<generated::$name>(stringify!($name));)*
        }
    };
}

each! {
    ActionContent,
    ActivityDeltaEvent,
    ActivityMessage,
    ActivitySnapshotEvent,
    AddOperation,
    AgentCapabilities,
    AgentSession,
    AnnotationContent,
    AnnotationKind,
    AnnotationReference,
    AssistantMessage,
    AudioContent,
    AudioPart,
    BinaryContent,
    CallContent,
    ChannelState,
    ChatMessage,
    ChatRole,
    ChatState,
    ChatStateEncoding,
    Citation,
    CitedRegion,
    Content,
    ContentPart,
    Context,
    ConversationId,
    ConversationReference,
    CopyOperation,
    CustomEvent,
    DataSource,
    DeveloperMessage,
    DocumentPart,
    EncodedChannelState,
    EncodedChatState,
    EncryptedValueSubtype,
    Event,
    EventStream,
    ExecutionCapabilities,
    FileContent,
    FileSource,
    FinishReason,
    FunctionCall,
    HumanInTheLoopCapabilities,
    IdentityCapabilities,
    ImageContent,
    ImagePart,
    Interrupt,
    JsonPatch,
    JsonPointer,
    Message,
    MessageContent,
    MessageStatus,
    MessagesSnapshotEvent,
    MoveOperation,
    MultiAgentCapabilities,
    MultimodalCapabilities,
    MultimodalInputCapabilities,
    MultimodalOutputCapabilities,
    OriginalEvent,
    OutputCapabilities,
    PartSource,
    Participant,
    PatchOperation,
    RawEvent,
    ReasoningCapabilities,
    ReasoningContent,
    ReasoningEncryptedValueEvent,
    ReasoningEndEvent,
    ReasoningMessage,
    ReasoningMessageChunkEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    RemoveOperation,
    ReplaceOperation,
    ResultContent,
    ResumeEntry,
    ResumeStatus,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    Seal,
    SessionList,
    SessionSeal,
    StateCapabilities,
    StateDeltaEvent,
    StateSnapshotEvent,
    StepFinishedEvent,
    StepStartedEvent,
    StreamAnnotationContent,
    StreamFileContent,
    SubagentErrorEvent,
    SubagentFinishedEvent,
    SubagentFinishedOutcome,
    SubagentFinishedSuccessOutcome,
    SubagentFinishedSuspendedOutcome,
    SubagentInfo,
    SubagentStartedEvent,
    SystemMessage,
    TestOperation,
    TextContent,
    TextMessageChunkEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageRole,
    TextMessageStartEvent,
    TextOrParts,
    TextPart,
    Timestamp,
    TokenUsage,
    Tool,
    ToolCall,
    ToolCallArgsEvent,
    ToolCallChunkEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallResultEventRole,
    ToolCallStartEvent,
    ToolMessage,
    ToolsCapabilities,
    TransportCapabilities,
    UnknownContent,
    UnknownContentPart,
    UnknownEvent,
    UnknownMessage,
    UnknownOperation,
    UnknownPartSource,
    UnknownRunFinishedOutcome,
    UnknownSubagentFinishedOutcome,
    UrlSource,
    UserMessage,
    VideoPart,
}

/// The types of exact JSON.
macro_rules! exact {
    ($($name:ty,)*) => {$(
        impl Document for $name {
            fn from_json(text: &str) -> Result<Self, Rejection> {
                from_text(text)
            }

            fn to_json(&self) -> Result<String, Rejection> {
                to_valid_text(self)
            }
        }
    )*};
}

exact! { Value, Object, Number, SplitText, }

impl Document for Session {
    fn from_json(text: &str) -> Result<Self, Rejection> {
        Session::from_json(text)
    }

    fn to_json(&self) -> Result<String, Rejection> {
        Session::to_json(self)
    }
}

impl Document for StateBag {
    fn from_json(text: &str) -> Result<Self, Rejection> {
        StateBag::from_json(text)
    }

    fn to_json(&self) -> Result<String, Rejection> {
        StateBag::to_json(self)
    }
}
