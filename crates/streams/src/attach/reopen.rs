//! The open items of a run in progress, begun again.

use std::collections::HashMap;

use crate::replay::Reducer;
use crate::sequence::{ItemKind, OpenItem};
use chatstate_json::{Object, SplitText, Value};
use chatstate_types::generated::Event;
use chatstate_types::generated::roles::Subject;

/// The messages with the halves of characters that open texts end in taken out, and these halves.
pub(super) struct SplitEnds {
    pub messages: Vec<Object>,
    texts: HashMap<String, SplitText>,
    arguments: HashMap<String, SplitText>,
}

impl SplitEnds {
    pub fn taken_from<'m>(messages: impl Iterator<Item = &'m Object>) -> Self {
        let mut taken = Self {
            messages: messages.cloned().collect(),
            texts: HashMap::new(),
            arguments: HashMap::new(),
        };
        for message in &mut taken.messages {
            let half = message.get_mut("content").and_then(take_half);
            let id = message.get("id").and_then(Value::as_str);
            if let (Some(half), Some(id)) = (half, id) {
                taken.texts.insert(id.to_owned(), half);
            }
            let Some(Value::Array(calls)) = message.get_mut("toolCalls") else {
                continue;
            };
            taken
                .arguments
                .extend(calls.iter_mut().filter_map(call_half));
        }
        taken
    }

    /// The half that an item goes on with. A text and a reasoning message of one id share it.
    fn take(&mut self, item: &OpenItem) -> Option<SplitText> {
        match item.kind {
            ItemKind::Text | ItemKind::Reasoning => self.texts.remove(&item.id),
            ItemKind::ToolCall => self.arguments.remove(&item.id),
            _ => None,
        }
    }
}

fn call_half(call: &mut Value) -> Option<(String, SplitText)> {
    let Value::Object(call) = call else {
        return None;
    };
    let half = match call.get_mut("function") {
        Some(Value::Object(function)) => take_half(function.get_mut("arguments")?)?,
        _ => return None,
    };
    let id = call.get("id").and_then(Value::as_str)?;
    Some((id.to_owned(), half))
}

/// Takes the half off the end of a text.
fn take_half(text: &mut Value) -> Option<SplitText> {
    let Value::Split(split) = text else {
        return None;
    };
    let half = SplitText::new(None, String::new(), split.trailing()).ok()?;
    let whole = SplitText::new(split.leading(), split.body().to_owned(), None).ok()?;
    *text = Value::from(whole);
    Some(half)
}

/// What begins the open items again: before the snapshot those whose message it takes away again,
/// behind it all others.
#[derive(Default)]
pub(super) struct Reopened {
    pub before: Vec<Event>,
    pub after: Vec<Event>,
}

/// Begins again what is open, in the order of beginning. Subagents that are done are among the
/// items, since others may name them as their parents.
pub(super) fn reopened(
    run: &[Event],
    first: usize,
    end: &Reducer,
    halves: &mut SplitEnds,
) -> Reopened {
    let mut reopened = Reopened::default();
    let open = end.open();
    let mut open = open.iter().peekable();
    for (index, event) in run.iter().enumerate() {
        match open.next_if(|(opened, _)| *opened == first + index) {
            Some((_, item)) if end.conversation().holds(item) => {
                reopened.after.extend(begun_again(event, item, halves));
            }
            Some((_, item)) => reopened.before.extend(begun_again(event, item, halves)),
            None if is_of_subagents(event) => reopened.after.push(event.clone()),
            None => {}
        }
    }
    reopened
}

fn is_of_subagents(event: &Event) -> bool {
    event.kind().role().subject == Subject::Item(ItemKind::Subagent)
}

/// The event that began an item, without what it said beside that, and half a character to go on
/// with.
fn begun_again(event: &Event, item: &OpenItem, halves: &mut SplitEnds) -> Vec<Event> {
    let half = halves.take(item);
    let mut opener = bare(event);
    match &mut opener {
        Event::TextMessageChunk(chunk) => chunk.delta = half,
        Event::ReasoningMessageChunk(chunk) => chunk.delta = half,
        Event::ToolCallChunk(chunk) => chunk.delta = half,
        _ => {
            // The half is a delta in the lane of the opening.
            let owner = item.subagent_run_id.as_deref();
            let delta = half.and_then(|half| Event::appending(item.kind, &item.id, owner, half));
            return std::iter::once(opener).chain(delta).collect();
        }
    }
    vec![opener]
}

/// An opening without text, metadata and original event, which the message has by now. The spans
/// that are no messages keep all.
fn bare(event: &Event) -> Event {
    let mut opener = event.clone();
    let (raw_event, metadata) = match &mut opener {
        Event::TextMessageStart(event) => (&mut event.raw_event, &mut event.metadata),
        Event::ReasoningMessageStart(event) => (&mut event.raw_event, &mut event.metadata),
        Event::ToolCallStart(event) => (&mut event.raw_event, &mut event.metadata),
        Event::TextMessageChunk(event) => (&mut event.raw_event, &mut event.metadata),
        Event::ReasoningMessageChunk(event) => (&mut event.raw_event, &mut event.metadata),
        Event::ToolCallChunk(event) => (&mut event.raw_event, &mut event.metadata),
        _ => return opener,
    };
    (*raw_event, *metadata) = (None, None);
    opener
}
