//! Lets the chatstate runner talk to the crates `ag-ui-core` and `ag-ui-client`.
//!
//! The loop of the adapter protocol is chatstate's own; documents travel through it as text, so that only
//! the crates' own types ever read or write them.

use ag_ui_client::Agent;
use ag_ui_client::agent::{AgentError, RunAgentParams};
use ag_ui_core::JsonValue;
use ag_ui_core::event::Event;
use ag_ui_core::types::input::RunAgentInput;
use ag_ui_core::types::message::Message;
use chatstate_protocol::{
    AdapterError, Implementation, ImplementationName, PROTOCOL_VERSION, Rejected, Reply, RunRequest,
    StartReply, serve,
};
use futures::stream::{self, BoxStream, StreamExt};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

// What AG-UI 1.0 promises to the user of an SDK: numbers and text keep their values, and what a newer
// peer adds survives an older reader. A capability that is left out turns a finding into a skip, so the
// promises that these crates do not keep are declared too; expected-failures.toml lists them.
const CAPABILITIES: [&str; 9] = [
    "round-trip",
    "validate",
    "replay",
    "events",
    "chunks",
    "unknown-members",
    "unknown-variants",
    "big-numbers",
    "split-surrogates",
];

/// An agent whose events come from a log: the crates apply events to messages and state only in a run.
struct Replayed(Vec<Event>);

#[async_trait::async_trait]
impl Agent for Replayed {
    async fn run(
        &self,
        _input: &RunAgentInput,
    ) -> Result<BoxStream<'async_trait, Result<Event, AgentError>>, AgentError> {
        let events = self.0.iter().cloned();
        Ok(stream::iter(events.map(Ok)).boxed())
    }
}

/// The crates, as the protocol sees them.
struct Crates;

impl Implementation for Crates {
    fn introduce(&mut self) -> StartReply {
        StartReply {
            protocol: PROTOCOL_VERSION,
            implementation: ImplementationName {
                name: "ag-ui-core + ag-ui-client".to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                language: "rust".to_owned(),
            },
            capabilities: CAPABILITIES.map(str::to_owned).to_vec(),
            dialect: None,
            max_in_flight: Some(16),
        }
    }

    fn run(&mut self, request: &RunRequest) -> Reply {
        let document = match request.document() {
            Ok(document) => document,
            Err(problem) => return Reply::Fault(problem.to_string()),
        };
        let is_whole_log = request.argument("run").is_none();
        let answer = match (request.op.as_str(), request.document_type.as_deref()) {
            ("replay", None) if is_whole_log => replay(&document),
            ("round-trip" | "validate", Some("Event")) => read_and_write::<Event>(&document),
            ("round-trip" | "validate", Some("EventStream")) => {
                read_and_write::<Vec<Event>>(&document)
            }
            ("round-trip" | "validate", Some("Message")) => read_and_write::<Message>(&document),
            ("round-trip" | "validate", Some("RunAgentInput")) => {
                read_and_write::<RunAgentInput>(&document)
            }
            (op, name) => return Reply::Unsupported(format!("`{op}` of {name:?}")),
        };
        match answer {
            Ok(_) if request.op == "validate" => Reply::Ok("true".to_owned()),
            Ok(text) => Reply::Ok(text),
            Err(rejected) => Reply::Rejected(rejected),
        }
    }
}

/// What the types of the crates keep of a document.
fn read_and_write<T: DeserializeOwned + Serialize>(document: &[u8]) -> Result<String, Rejected> {
    let value: T = serde_json::from_slice(document).map_err(|error| rejected_json(&error))?;
    serde_json::to_string(&value).map_err(|error| rejected_json(&error))
}

/// What a run of the client makes of the events of a log.
fn replay(document: &[u8]) -> Result<String, Rejected> {
    let events = serde_json::from_slice(document).map_err(|error| rejected_json(&error))?;
    let params = RunAgentParams {
        // The client takes a run without them for a bug of its caller.
        forwarded_props: Some(JsonValue::Null),
        state: JsonValue::Object(serde_json::Map::new()),
        ..RunAgentParams::default()
    };
    let agent = Replayed(events);
    let run = agent.run_agent(&params, ());
    let result = futures::executor::block_on(run).map_err(|error| rejected_run(&error))?;
    let chat = serde_json::json!({ "messages": result.new_messages, "state": result.new_state });
    Ok(chat.to_string())
}

/// The reader says whether it is the text or the value that it rejects, but no place that a pointer could name.
fn rejected_json(error: &serde_json::Error) -> Rejected {
    let class = match error.classify() {
        Category::Data => "schema",
        Category::Syntax | Category::Eof | Category::Io => "syntax",
    };
    rejected(class, error.to_string())
}

/// A patch is read only when it is applied, and the one that does not apply ends the run.
fn rejected_run(error: &AgentError) -> Rejected {
    match error {
        AgentError::SerializationError { source } => rejected_json(source),
        other => rejected("semantic", other.to_string()),
    }
}

fn rejected(class: &str, message: String) -> Rejected {
    Rejected {
        class: Some(class.to_owned()),
        message: Some(message),
        ..Rejected::default()
    }
}

fn main() -> Result<(), AdapterError> {
    serve(
        std::io::stdin().lock(),
        std::io::stdout().lock(),
        &mut Crates,
    )
}
