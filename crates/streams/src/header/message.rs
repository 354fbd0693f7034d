//! A message that an event carries.

use chatstate_json::Value;
use chatstate_types::generated::Message;

/// A message as far as the order of events matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageHeader<'m> {
    /// Its role.
    pub role: &'m str,
    /// Its id; a message of an unknown role may lack one.
    pub id: Option<&'m str>,
    /// The subagent that it belongs to.
    pub subagent_run_id: Option<&'m str>,
    /// The tool calls that an assistant makes in it.
    pub call_ids: Vec<&'m str>,
}

impl<'m> MessageHeader<'m> {
    /// The header of a message.
    #[must_use]
    pub fn of(message: &'m Message) -> Self {
        let (role, id, owner) = match message {
            Message::Developer(m) => ("developer", &m.id, &m.subagent_run_id),
            Message::System(m) => ("system", &m.id, &m.subagent_run_id),
            Message::Assistant(m) => ("assistant", &m.id, &m.subagent_run_id),
            Message::User(m) => ("user", &m.id, &m.subagent_run_id),
            Message::Tool(m) => ("tool", &m.id, &m.subagent_run_id),
            Message::Activity(m) => ("activity", &m.id, &m.subagent_run_id),
            Message::Reasoning(m) => ("reasoning", &m.id, &m.subagent_run_id),
            Message::Unknown(m) => {
                let text = |name| m.extra.get(name).and_then(Value::as_str);
                return Self {
                    role: &m.role,
                    id: text("id"),
                    subagent_run_id: text("subagentRunId"),
                    call_ids: Vec::new(),
                };
            }
        };
        let calls = match message {
            Message::Assistant(message) => message.tool_calls.as_deref(),
            _ => None,
        };
        let call_ids = calls.unwrap_or_default().iter();
        Self {
            role,
            id: Some(id),
            subagent_run_id: owner.as_deref(),
            call_ids: call_ids.map(|call| call.id.as_str()).collect(),
        }
    }
}
