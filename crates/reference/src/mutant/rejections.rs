//! Faults of judging: what breaks a rule is taken, or what keeps them all rejected.

use chatstate::definition::{ObjectShape, Shape, definition_of};
use chatstate::generated::EventStream;
use chatstate::json::{MemberName, Object, Surrogates, Value, parse_with, pointer};
use chatstate::verify::verify;
use chatstate_protocol::{Rejected, Reply, RunRequest};

use super::super::operation;
use super::Defect;
use super::streams::{Events, is_start, item, open, read, tag, text};
use super::written::walk;

/// Takes what the reference rejects for one of some reasons.
#[derive(Clone, Copy)]
pub struct Taken {
    /// The rules; `*` stands for any text at an end.
    rules: &'static [&'static str],
    /// Which of these rejections it does not know.
    only: fn(&RunRequest, &Rejected) -> bool,
}

pub(super) const fn takes(rules: &'static [&'static str]) -> Defect {
    takes_where(rules, |_, _| true)
}

const fn takes_where(
    rules: &'static [&'static str],
    only: fn(&RunRequest, &Rejected) -> bool,
) -> Defect {
    Defect::Takes(Taken { rules, only })
}

/// The faults of taking by the ids of the mutants.
pub(super) const TAKEN: &[(&str, Defect)] = &[
    ("reads-lenient-json", takes(&["json"])),
    ("reads-any-bytes", takes(&["utf-8"])),
    ("reads-byte-order-mark", takes(&["byte-order-mark"])),
    ("reads-duplicate-members", takes(&["duplicate-member"])),
    ("reads-half-pairs", takes(&["unpaired-surrogate"])),
    ("reads-any-depth", takes(&["depth"])),
    ("copies-without-bound", takes(&["patch-copy"])),
    ("validate-ignores-required", takes(&["required"])),
    ("validate-ignores-kind", takes_where(&["type"], not_null)),
    ("validate-takes-null", takes_where(&["type"], is_null)),
    ("validate-ignores-constants", takes(&["const"])),
    ("validate-opens-closed-words", takes(&["enum"])),
    ("validate-ignores-patterns", takes(&["pattern"])),
    ("validate-ignores-ranges", takes(&["minimum", "maximum"])),
    ("validate-ignores-lengths", takes(&["minItems"])),
    (
        "validate-takes-malformed-for-unknown",
        takes_where(&["*"], is_variant),
    ),
    (
        "validate-looks-at-first-element",
        takes_where(&["*"], is_later_element),
    ),
    ("reads-any-version", takes(&["version.unspoken"])),
    ("encode-ignores-schema", takes(&["type", "const"])),
    (
        "decode-ignores-schema",
        takes(&["required", "type", "const"]),
    ),
    (
        "decode-takes-any-text",
        takes(&["json", "utf-8", "byte-order-mark"]),
    ),
    ("encoding-drops-seals", takes(&["encoding.sealed"])),
    ("restore-ignores-schema", takes(&["required", "type"])),
    ("channel-key-takes-anything", takes(&["type"])),
    (
        "convert-ignores-schema",
        takes(&[
            "required",
            "type",
            "enum",
            "pattern",
            "additionalProperties",
        ]),
    ),
    (
        "convert-takes-any-document",
        takes(&["convert.document", "convert.encoded"]),
    ),
    ("convert-reads-any-version", takes(&["convert.version"])),
    (
        "compact-takes-invalid-events",
        takes(&["required", "type", "*.not-open"]),
    ),
    (
        "attach-takes-invalid-events",
        takes(&["required", "type", "*.not-open"]),
    ),
    ("verify-takes-second-start", takes(&["*.already-open"])),
    ("verify-takes-unopened", takes(&["*.not-open"])),
    (
        "verify-takes-event-behind-finish",
        takes(&["run.after-finish"]),
    ),
    (
        "verify-takes-event-behind-error",
        takes(&["run.after-error"]),
    ),
    ("verify-takes-any-beginning", takes(&["run.first-event"])),
    ("verify-takes-run-in-run", takes(&["run.already-started"])),
    ("verify-takes-other-run", takes(&["run.wrong-run"])),
    ("verify-takes-other-thread", takes(&["run.wrong-thread"])),
    ("verify-takes-reused-run", takes(&["lineage.run-reused"])),
    (
        "verify-takes-later-parent",
        takes(&["lineage.self-or-later"]),
    ),
    ("verify-takes-other-owner", takes(&["subagent.wrong-owner"])),
    (
        "verify-takes-call-of-other",
        takes(&["subagent.wrong-parent"]),
    ),
    ("verify-takes-subagent-again", takes(&["subagent.reused"])),
    (
        "verify-takes-orphan-subagent",
        takes(&["subagent.unknown-parent"]),
    ),
    (
        "verify-takes-headless-chunk",
        takes(&["chunk.missing-head"]),
    ),
    (
        "verify-takes-disagreeing-chunk",
        takes(&["chunk.disagrees"]),
    ),
    (
        "verify-takes-chunk-of-other",
        takes(&["chunk.wrong-subagent"]),
    ),
    ("verify-takes-ambiguous-chunk", takes(&["chunk.ambiguous"])),
    (
        "verify-takes-foreign-end",
        takes(&["chunk.ended-elsewhere"]),
    ),
    ("verify-takes-halves", takes(&["text.unpaired-surrogate"])),
    ("verify-takes-invalid", takes(&["required"])),
    (
        "replay-takes-any-order",
        takes_where(&["*"], is_of_sequence),
    ),
    ("replay-takes-unknown-run", takes(&["replay.unknown-run"])),
    ("replay-takes-invalid", takes(&["required"])),
    ("attach-takes-removed-run", takes(&["replay.removed-run"])),
];

impl Taken {
    /// Answers one request in the broken way.
    pub fn run(self, request: &RunRequest) -> Reply {
        match operation::run(request) {
            Reply::Rejected(rejected) if self.takes(request, &rejected) => accepted(request),
            reply => reply,
        }
    }

    fn takes(self, request: &RunRequest, rejected: &Rejected) -> bool {
        let rule = rejected.rule.as_deref().unwrap_or_default();
        let fits = |pattern: &&str| match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
            (Some(ending), _) => rule.ends_with(ending),
            (None, Some(beginning)) => rule.starts_with(beginning),
            (None, None) => rule == *pattern,
        };
        self.rules.iter().any(fits) && (self.only)(request, rejected)
    }
}

/// What an operation answers that has nothing to complain about.
pub(super) fn accepted(request: &RunRequest) -> Reply {
    Reply::Ok(match request.op.as_str() {
        "validate" | "verify" => "true".to_owned(),
        _ => request.input.clone().unwrap_or_default(),
    })
}

/// The document of a request.
fn document(request: &RunRequest) -> Option<Value> {
    parse_with(request.input.as_deref()?, Surrogates::AllowUnpairedAtEnds).ok()
}

/// Whether what is rejected is null.
fn is_null(request: &RunRequest, rejected: &Rejected) -> bool {
    let document = document(request);
    let at = rejected.at.as_deref().unwrap_or_default();
    let place = document.as_ref().and_then(|root| pointer::find(root, at));
    place == Some(&Value::Null)
}

fn not_null(request: &RunRequest, rejected: &Rejected) -> bool {
    !is_null(request, rejected)
}

fn is_of_sequence(_: &RunRequest, rejected: &Rejected) -> bool {
    rejected.class.as_deref() == Some("sequence")
}

/// Whether what is rejected is inside of something that has a tag.
fn is_variant(request: &RunRequest, rejected: &Rejected) -> bool {
    let at = rejected.at.as_deref().unwrap_or_default();
    let parent = at.rsplit_once('/').map_or("", |(parent, _)| parent);
    let document = document(request);
    let place = document
        .as_ref()
        .and_then(|root| pointer::find(root, parent));
    let tags = ["type", "role", "op"];
    let tagged = |place: &Value| tags.iter().any(|tag| place.get(tag).is_some_and(is_text));
    rejected.class.as_deref() == Some("schema") && place.is_some_and(tagged)
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some()
}

/// Whether what is rejected is in an element of an array that is not the first.
fn is_later_element(_: &RunRequest, rejected: &Rejected) -> bool {
    let at = rejected.at.as_deref().unwrap_or_default();
    let mut indices = at.split('/').filter_map(pointer::index);
    rejected.class.as_deref() == Some("schema") && indices.any(|index| index > 0)
}

/// Rejects what the reference takes.
#[derive(Clone, Copy)]
pub enum NeedlessRejection {
    /// Some streams of events.
    Events(fn(&Events) -> bool),
    /// Documents that hold a value like this, in a place of which the schema says that.
    Values(fn(&Value, Option<&'static Shape>) -> bool),
}

/// The faults of rejecting by the ids of the mutants.
pub(super) const REJECTED: &[(&str, Defect)] = &[
    (
        "validate-refuses-unknown-member",
        values(has_unknown_member),
    ),
    ("validate-refuses-unknown-tag", values(has_unknown_tag)),
    ("validate-refuses-unknown-word", values(is_unknown_word)),
    ("validate-refuses-base-members", values(has_base_members)),
    ("validate-refuses-attribution", values(has_owner)),
    (
        "validate-refuses-empty-text",
        values(|value, _| value.as_str() == Some("")),
    ),
    (
        "validate-refuses-zero",
        values(|value, _| *value == Value::from(0_i64)),
    ),
    ("validate-refuses-parts", values(has_parts)),
    ("validate-refuses-minor-version", values(has_minor_version)),
    (
        "validate-refuses-halves",
        values(|value, _| matches!(value, Value::Split(_))),
    ),
    ("validate-refuses-other-roles", values(has_other_role)),
    ("verify-refuses-late-error", events(has_late_error)),
    (
        "verify-refuses-further-runs",
        events(|events| count(events, "RUN_STARTED") > 1),
    ),
    ("verify-refuses-cut", events(is_cut)),
    ("verify-refuses-error-while-open", events(fails_while_open)),
    ("verify-refuses-parent-outside", events(has_parent_outside)),
    ("verify-refuses-second-beginning", events(begins_again)),
    ("verify-refuses-shared-ids", events(shares_ids)),
    ("verify-refuses-interleaved", events(interleaves)),
    ("verify-refuses-unannounced", events(has_unannounced_owner)),
    ("verify-refuses-untagged", events(has_untagged)),
    ("verify-refuses-unknown-event", events(has_unknown_event)),
    ("verify-refuses-failed-patch", events(has_warning)),
    ("verify-refuses-loose-events", events(has_loose_events)),
    ("lineage-refuses-damaged-run", events(is_damaged)),
    ("replay-refuses-unknown-event", events(has_unknown_event)),
];

const fn values(rejects: fn(&Value, Option<&'static Shape>) -> bool) -> Defect {
    Defect::Rejects(NeedlessRejection::Values(rejects))
}

const fn events(rejects: fn(&Events) -> bool) -> Defect {
    Defect::Rejects(NeedlessRejection::Events(rejects))
}

impl NeedlessRejection {
    /// Answers one request in the broken way.
    pub fn run(self, request: &RunRequest) -> Reply {
        let rejects = match self {
            Self::Events(rejects) => {
                let events = request.input.as_deref().and_then(read);
                events.is_some_and(|events| rejects(&events))
            }
            Self::Values(rejects) => holds(request, rejects),
        };
        match operation::run(request) {
            Reply::Ok(_) if rejects => Reply::Rejected(Rejected {
                class: Some("schema".to_owned()),
                ..Rejected::default()
            }),
            reply => reply,
        }
    }
}

/// Whether the document of a request holds such a value somewhere.
fn holds(request: &RunRequest, is_such: fn(&Value, Option<&'static Shape>) -> bool) -> bool {
    let definition = request.document_type.as_deref().and_then(definition_of);
    let (Some(definition), Some(mut document)) = (definition, document(request)) else {
        return false;
    };
    let mut found = false;
    walk(
        &mut document,
        Some(&definition.shape),
        &mut |value, shape| {
            found |= is_such(value, shape);
        },
    );
    found
}

fn members(value: &Value) -> impl Iterator<Item = (&MemberName, &Value)> {
    value.as_object().into_iter().flat_map(Object::iter)
}

fn has_unknown_member(value: &Value, shape: Option<&'static Shape>) -> bool {
    value.as_object().is_some_and(|object| {
        let known = ObjectShape::of(shape, object);
        !known.unknown_variant && object.keys().any(|name| known.is_unknown(name))
    })
}

fn has_unknown_tag(value: &Value, shape: Option<&'static Shape>) -> bool {
    let object = value.as_object();
    object.is_some_and(|object| ObjectShape::of(shape, object).unknown_variant)
}

fn is_unknown_word(value: &Value, shape: Option<&'static Shape>) -> bool {
    let mut shape = shape;
    while let Some(Shape::Reference(definition)) = shape {
        shape = Some(&definition.shape);
    }
    match (shape, value.as_str()) {
        (Some(Shape::Enumeration { values, .. }), Some(text)) => !values.contains(&text),
        _ => false,
    }
}

fn has_base_members(value: &Value, _: Option<&'static Shape>) -> bool {
    members(value).any(|(name, _)| ["timestamp", "rawEvent"].contains(&name.as_str()))
}

fn has_owner(value: &Value, _: Option<&'static Shape>) -> bool {
    members(value).any(|(name, _)| name == "subagentRunId")
}

/// Content is text, and never a list.
fn has_parts(value: &Value, _: Option<&'static Shape>) -> bool {
    members(value).any(|(name, value)| name == "content" && value.as_array().is_some())
}

fn has_minor_version(value: &Value, _: Option<&'static Shape>) -> bool {
    let is_minor = |value: &Value| value.as_str().is_some_and(|text| text.contains('.'));
    members(value).any(|(name, value)| name == "schemaVersion" && is_minor(value))
}

/// Roles are those of the first SDK.
fn has_other_role(value: &Value, _: Option<&'static Shape>) -> bool {
    let known = [
        "system",
        "user",
        "assistant",
        "tool",
        "developer",
        "activity",
        "reasoning",
    ];
    let other = |value: &Value| value.as_str().is_some_and(|role| !known.contains(&role));
    members(value).any(|(name, value)| name == "role" && other(value))
}

fn count(events: &Events, kind: &str) -> usize {
    events.iter().filter(|event| tag(event) == kind).count()
}

fn has_late_error(events: &Events) -> bool {
    let tags = |pair: &[Object]| [tag(&pair[0]).to_owned(), tag(&pair[1]).to_owned()];
    events
        .windows(2)
        .any(|pair| tags(pair) == ["RUN_FINISHED", "RUN_ERROR"])
}

fn is_cut(events: &Events) -> bool {
    let last = events.last().map(tag);
    !matches!(last, Some("RUN_FINISHED" | "RUN_ERROR"))
}

fn fails_while_open(events: &Events) -> bool {
    events.last().map(tag) == Some("RUN_ERROR") && !open(events).is_empty()
}

fn has_parent_outside(events: &Events) -> bool {
    let runs = events.iter().filter(|event| tag(event) == "RUN_STARTED");
    let ids: Vec<_> = runs.clone().filter_map(|run| text(run, "runId")).collect();
    runs.filter_map(|run| text(run, "parentRunId"))
        .any(|parent| !ids.contains(&parent))
}

fn begins_again(events: &Events) -> bool {
    let starts: Vec<_> = events.iter().filter(|event| is_start(event)).collect();
    let again = |place: usize| {
        starts[..place]
            .iter()
            .any(|it| item(it) == item(starts[place]))
    };
    (0..starts.len()).any(again)
}

/// Whether items of two kinds have one id.
fn shares_ids(events: &Events) -> bool {
    let items: Vec<_> = events.iter().filter_map(item).collect();
    let shared = |(kind, id): &(&str, &str)| items.iter().any(|it| it.0 != *kind && it.1 == *id);
    items.iter().any(shared)
}

/// Whether something begins while something else is open.
fn interleaves(events: &Events) -> bool {
    let mut under_way = None;
    for event in events.iter().filter(|event| item(event).is_some()) {
        match under_way {
            None if is_start(event) => under_way = item(event),
            Some(_) if is_start(event) => return true,
            Some(_) if tag(event).ends_with("_END") => under_way = None,
            _ => {}
        }
    }
    false
}

fn has_unannounced_owner(events: &Events) -> bool {
    let announced = |owner: &str| {
        let started = |event: &Object| {
            tag(event) == "SUBAGENT_STARTED" && text(event, "subagentRunId") == Some(owner)
        };
        events.iter().any(started)
    };
    let mut owners = events
        .iter()
        .filter_map(|event| text(event, "subagentRunId"));
    owners.any(|owner| !announced(owner))
}

/// Whether an item of a subagent is continued by an event that does not say so.
fn has_untagged(events: &Events) -> bool {
    let owner = |event: &Object| text(event, "subagentRunId").map(str::to_owned);
    let untagged = |event: &&Object| item(event).is_some() && owner(event).is_none();
    events.iter().filter(untagged).any(|event| {
        let same = |other: &&Object| item(other) == item(event);
        events
            .iter()
            .filter(same)
            .any(|other| owner(other).is_some())
    })
}

fn stream(events: &Events) -> Option<EventStream> {
    let items = events.iter().cloned().map(Value::Object);
    EventStream::from_json(&Value::Array(items.collect()).to_json()).ok()
}

fn has_unknown_event(events: &Events) -> bool {
    use chatstate::generated::Event;
    let unknown = |event: &Event| matches!(event, Event::Unknown(_));
    stream(events).is_some_and(|stream| stream.0.iter().any(unknown))
}

fn has_warning(events: &Events) -> bool {
    stream(events).is_some_and(|stream| !verify(&stream.0).warnings.is_empty())
}

/// Whether state or activities change, or a result comes, while something is open.
fn has_loose_events(events: &Events) -> bool {
    let loose = |event: &Object| {
        let tag = tag(event);
        tag.starts_with("STATE_") || tag.starts_with("ACTIVITY_") || tag == "TOOL_CALL_RESULT"
    };
    let ends = |event: &Object| tag(event).ends_with("_END");
    let first = events.iter().position(is_start);
    let last = events.iter().rposition(ends);
    match (first, last) {
        (Some(first), Some(last)) if first < last => events[first..last].iter().any(loose),
        _ => false,
    }
}

fn is_damaged(events: &Events) -> bool {
    stream(events).is_some_and(|stream| !verify(&stream.0).is_valid())
}
