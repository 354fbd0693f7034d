//! What is merged, and what is not: rules 2 and 3 of level `stream`.

use super::expansion::{Spelled, expanded};
use super::{Broken, LawResult};
use chatstate_json::{Object, SplitText, Value};
use chatstate_types::generated::Event;

/// Whether between two barriers each span says what it said: its text, whose it is, and its folded
/// metadata. No law: another compactor may place barriers differently.
///
/// # Errors
///
/// When deltas were merged across a barrier, or something of them was lost.
pub fn joined(before: &[Event], after: &[Event]) -> LawResult {
    let (before, after) = (spans(before), spans(after));
    for (before, after) in before.iter().zip(&after) {
        if !before.is_kept_by(after) {
            let problem = format!("{before:?} became {after:?}");
            return Err(Broken::new(problem));
        }
    }
    if before.len() != after.len() {
        let problem = format!("{} spans became {}", before.len(), after.len());
        return Err(Broken::new(problem));
    }
    Ok(())
}

/// What a span says between two barriers.
#[derive(Debug, PartialEq, Default)]
struct MergedText {
    text: SplitText,
    owner: Option<String>,
    metadata: Object,
}

/// A span from its START on.
#[derive(Debug)]
struct Span {
    kind: &'static str,
    id: String,
    /// Whose all deltas are, if chunks keep the span open.
    lane: Option<String>,
    /// What the START says; chunks may say it of their text instead.
    metadata: Object,
    parts: Vec<MergedText>,
    is_open: bool,
    /// Whether the next delta begins a part.
    is_barred: bool,
}

impl Span {
    fn is_kept_by(&self, after: &Self) -> bool {
        let same = |(before, after): (&MergedText, &MergedText)| {
            (&before.text, &before.metadata) == (&after.text, &after.metadata)
                && (before.owner == after.owner
                    || (self.lane.is_some() && self.lane == after.owner))
        };
        (self.kind, &self.id, self.parts.len()) == (after.kind, &after.id, after.parts.len())
            && self.parts.iter().zip(&after.parts).all(same)
    }
}

fn spans(events: &[Event]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for event in &expanded(events) {
        let item = item_of(event);
        let is_delta = event.members.contains_key("delta") && item.is_some();
        let stands_alone = match item {
            Some((kind, id)) if is_delta => has_unknown(event) || is_shared(&spans, kind, id),
            _ => true,
        };
        if stands_alone {
            bar(&mut spans, event, item);
        }
        let Some((kind, id)) = item else { continue };
        let mut latest = spans.iter_mut().rev();
        let span = latest.find(|span| span.kind == kind && span.id == id);
        match (event.tag(), span) {
            (tag, _) if tag.ends_with("_START") => spans.push(Span {
                kind,
                id: id.to_owned(),
                lane: event
                    .text("subagentRunId")
                    .filter(|_| events[event.index].tag().ends_with("_CHUNK"))
                    .map(str::to_owned),
                metadata: event.metadata(),
                parts: Vec::new(),
                is_open: true,
                is_barred: true,
            }),
            (tag, Some(span)) if tag.ends_with("_END") => span.is_open = false,
            (_, Some(span)) if is_delta => {
                span.append(event, stands_alone);
                span.is_barred = stands_alone;
            }
            _ => {}
        }
    }
    spans
}

impl Span {
    fn append(&mut self, event: &Spelled, stands_alone: bool) {
        if self.is_barred || stands_alone {
            self.parts.push(MergedText {
                metadata: std::mem::take(&mut self.metadata),
                ..MergedText::default()
            });
        }
        let Some(part) = self.parts.last_mut() else {
            return;
        };
        let delta = match event.members.get("delta") {
            Some(Value::String(text)) => SplitText::from(text.as_str()),
            Some(Value::Split(text)) => (**text).clone(),
            _ => SplitText::default(),
        };
        // Halves that do not meet stay apart, which no valid log has.
        let _ = part.text.push(&delta);
        let owner = event.text("subagentRunId").map(str::to_owned);
        part.owner = part.owner.take().or(owner);
        part.metadata.extend(event.metadata());
    }
}

impl Spelled {
    fn metadata(&self) -> Object {
        let metadata = self.members.get("metadata").and_then(Value::as_object);
        metadata.cloned().unwrap_or_default()
    }
}

/// The span that an event begins, continues or ends.
fn item_of(event: &Spelled) -> Option<(&'static str, &str)> {
    let (kind, name) = match event.tag() {
        "TEXT_MESSAGE_START" | "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_END" => ("text", "messageId"),
        "REASONING_MESSAGE_START" | "REASONING_MESSAGE_CONTENT" | "REASONING_MESSAGE_END" => {
            ("reasoning", "messageId")
        }
        "TOOL_CALL_START" | "TOOL_CALL_ARGS" | "TOOL_CALL_END" => ("call", "toolCallId"),
        _ => return None,
    };
    Some((kind, event.text(name)?))
}

/// Whether a text and a reasoning span of this id are both open.
fn is_shared(spans: &[Span], kind: &str, id: &str) -> bool {
    let other = match kind {
        "text" => "reasoning",
        "reasoning" => "text",
        _ => return false,
    };
    let is_it = |span: &Span| span.is_open && span.kind == other && span.id == id;
    spans.iter().any(is_it)
}

fn has_unknown(event: &Spelled) -> bool {
    let known = [
        "type",
        "messageId",
        "toolCallId",
        "delta",
        "timestamp",
        "rawEvent",
        "metadata",
        "subagentRunId",
    ];
    let mut names = event.members.keys();
    names.any(|name| !known.contains(&name.as_str()))
}

/// Bars the spans that an event is a barrier for.
fn bar(spans: &mut [Span], event: &Spelled, item: Option<(&'static str, &str)>) {
    if event.unknown {
        return;
    }
    let everything = event.tag() == "MESSAGES_SNAPSHOT" || event.tag().starts_with("RUN_");
    let mut ids = vec![event.text("messageId"), event.text("entityId")];
    if event.tag() == "TOOL_CALL_START" {
        ids.extend([event.text("toolCallId"), event.text("parentMessageId")]);
    }
    let kind = item.map(|(kind, _)| kind);
    for span in spans {
        span.is_open &= !event.tag().starts_with("RUN_");
        let is_named = kind != Some(span.kind) && ids.contains(&Some(span.id.as_str()));
        span.is_barred |= everything || is_named;
    }
}
