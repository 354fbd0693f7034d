//! The reference, broken in one named way each: what the corpus must notice.

mod attach;
mod chat;
mod compact;
mod convert;
mod order;
mod sessions;
mod streams;

use chatstate::definition::{ObjectShape, Shape, definition_of};
use chatstate::json::{Halves, Number, Object, Value, parse, parse_with};
use chatstate_adapter::{Rejected, Reply, Run};

use super::operation;
use streams::Fault;

/// Every mutant by the id that a case's `kills` names.
pub const MUTANTS: [&str; 81] = [
    "drop-unknown-member",
    "drop-unknown-variant",
    "null-for-absent",
    "absent-for-null",
    "inject-default",
    "round-integer",
    "accept-all",
    "reject-all",
    "wrong-reason",
    "replay-appends-to-last-message",
    "compact-does-nothing",
    "compact-loses-last-delta",
    "compact-swaps-messages",
    "compact-drops-metadata",
    "compact-joins-across-barriers",
    "compact-keeps-chunks",
    "compact-drops-open-item",
    "compact-ends-open-item",
    "compact-flushes-behind-the-end",
    "compact-drops-known-ids",
    "compact-folds-across-owners",
    "compact-joins-patches",
    "compact-drops-unknown-event",
    "compact-snapshot-of-last-message",
    "compact-stamps-each-pass",
    "attach-repeats-text",
    "attach-drops-open-item",
    "attach-forgets-earlier-runs",
    "replay-answers-for-removed",
    "replay-ignores-branches",
    "verify-accepts-open-item",
    "lineage-unsorted",
    "restore-accepts-empty",
    "restore-accepts-chat-in-use",
    "restore-refuses-enhanced",
    "restore-refuses-reduced",
    "restore-synchronizes-twice",
    "restore-never-synchronizes",
    "restore-reuses-late-state",
    "restore-drops-last-message",
    "restore-loses-participants",
    "restore-once-per-agent",
    "restore-keeps-last-state",
    "restore-needs-participants",
    "restore-skips-bad-channel",
    "save-keeps-unclaimed",
    "save-drops-unknown-members",
    "save-sorts-channels",
    "encode-url-safe",
    "encode-without-padding",
    "encode-as-written",
    "decode-takes-plain",
    "decode-repairs-base64",
    "decode-parses-text",
    "session-accepts-blank-key",
    "session-accepts-other-type",
    "session-accepts-shared-key",
    "session-begins-anew",
    "session-changes-copies",
    "session-drops-null-entries",
    "session-forgets-unknown-members",
    "session-ignores-factory",
    "session-overwrites-misfits",
    "session-reads-any-version",
    "session-takes-any-kind",
    "session-wants-tag-first",
    "convert-drops-extension",
    "convert-drops-unknown-item",
    "convert-hides-losses",
    "convert-invents-losses",
    "convert-calls-all-members",
    "convert-forgets-places",
    "convert-shuffles-losses",
    "convert-reads-empty-chat",
    "convert-escalates-role",
    "convert-parses-text",
    "convert-decodes-base64",
    "convert-rounds-numbers",
    "convert-drops-nulls",
    "convert-drops-data",
    "convert-swaps-ids",
];

/// How the reference is broken.
pub enum Mutant {
    /// What is written is changed, after the reference has read it well.
    Written(Change),
    /// Every answer is changed.
    Answered(fn(&Run) -> Reply),
    /// One operation on events is changed.
    Stream(Fault),
    /// One operation on chats is changed.
    Chat(chat::Fault),
    /// Conversion is changed.
    Convert(convert::Fault),
}

/// A change of one value, which knows what the schema says of the place.
type Change = fn(&mut Value, Option<&'static Shape>);

impl Mutant {
    /// The mutant of this id, or the sentence that there is none.
    pub fn named(id: &str) -> Result<Self, String> {
        Ok(match id {
            "drop-unknown-member" => Self::Written(drop_unknown_members),
            "drop-unknown-variant" => Self::Written(drop_unknown_variants),
            "null-for-absent" => Self::Written(null_for_absent),
            "absent-for-null" => Self::Written(absent_for_null),
            "inject-default" => Self::Written(inject_defaults),
            "round-integer" => Self::Written(round_integers),
            "accept-all" => Self::Answered(accept_all),
            "reject-all" => Self::Answered(reject_all),
            "wrong-reason" => Self::Answered(wrong_reason),
            "replay-appends-to-last-message" => Self::Answered(replay_appends_to_last_message),
            "verify-accepts-open-item" => Self::Answered(order::accept_open_items),
            "lineage-unsorted" => Self::Answered(order::unsorted_lineage),
            "compact-does-nothing" => Self::Answered(compact_does_nothing),
            other => match (chat::fault(other), sessions::answers(other)) {
                (Some(fault), _) => Self::Chat(fault),
                (None, Some(answers)) => Self::Answered(answers),
                (None, None) => match convert::fault(other) {
                    Some(fault) => Self::Convert(fault),
                    None => return fault(other).map(Self::Stream),
                },
            },
        })
    }

    /// Answers one request in the broken way.
    pub fn run(&self, request: &Run) -> Reply {
        match self {
            Self::Answered(answer) => answer(request),
            Self::Written(change) => rewrite(request, *change),
            Self::Stream(fault) => fault.run(request),
            Self::Chat(fault) => fault.run(request),
            Self::Convert(fault) => fault.run(request),
        }
    }
}

/// The fault of this id in what is made of event streams.
fn fault(id: &str) -> Result<Fault, String> {
    let compacted = |answered| Fault::of_answer("compact", answered);
    let to_compact = |asked| Fault::of_request("compact", asked);
    Ok(match id {
        "compact-loses-last-delta" => to_compact(compact::lose_last_delta),
        "compact-swaps-messages" => compacted(compact::swap_items),
        "compact-drops-metadata" => compacted(compact::drop_metadata),
        "compact-joins-across-barriers" => compacted(compact::join_across_barriers),
        "compact-keeps-chunks" => Fault {
            operation: "compact",
            asked: compact::hide_chunks,
            answered: compact::show_chunks,
        },
        "compact-drops-open-item" => compacted(compact::drop_open),
        "compact-ends-open-item" => compacted(compact::end_open),
        "compact-flushes-behind-the-end" => compacted(compact::flush_behind_the_end),
        "compact-drops-known-ids" => compacted(compact::drop_known_ids),
        "compact-folds-across-owners" => to_compact(compact::forget_owners_of_state),
        "compact-joins-patches" => to_compact(compact::join_patches),
        "compact-drops-unknown-event" => compacted(compact::drop_unknown_events),
        "compact-snapshot-of-last-message" => compacted(compact::snapshot_of_last_message),
        "compact-stamps-each-pass" => compacted(compact::stamp),
        "attach-repeats-text" => Fault::of_answer("attach", attach::repeat_text),
        "attach-drops-open-item" => Fault::of_answer("attach", attach::drop_open),
        "attach-forgets-earlier-runs" => Fault::of_request("attach", attach::forget_earlier_runs),
        "replay-answers-for-removed" => Fault::of_request("replay", order::forget_marks),
        "replay-ignores-branches" => Fault::of_request("replay", order::forget_parents),
        _ => return Err(format!("there is no mutant `{id}`")),
    })
}

/// Gives back what it got.
fn compact_does_nothing(request: &Run) -> Reply {
    match (operation::run(request), request.op.as_str()) {
        (Reply::Ok(_), "compact") => Reply::Ok(request.input.clone().unwrap_or_default()),
        (reply, _) => reply,
    }
}

/// Changes the document that a round trip writes.
fn rewrite(request: &Run, change: Change) -> Reply {
    let reply = operation::run(request);
    let Reply::Ok(text) = &reply else {
        return reply;
    };
    let definition = request.document_type.as_deref().and_then(definition_of);
    match (
        request.op.as_str(),
        definition,
        parse_with(text, Halves::Keep),
    ) {
        ("round-trip", Some(definition), Ok(mut value)) => {
            walk(&mut value, Some(&definition.shape), change);
            Reply::Ok(value.to_json())
        }
        _ => reply,
    }
}

/// Changes a value and everything in it, outer values first.
fn walk(value: &mut Value, shape: Option<&'static Shape>, change: Change) {
    change(value, shape);
    match value {
        Value::Array(items) => {
            let item = shape.and_then(Shape::item);
            for value in items {
                walk(value, item, change);
            }
        }
        Value::Object(object) => {
            let known = ObjectShape::of(shape, object);
            for (name, value) in object.iter_mut() {
                let shape = known.member(name).map(|member| &member.shape);
                walk(value, shape, change);
            }
        }
        _ => {}
    }
}

fn drop_unknown_members(value: &mut Value, shape: Option<&'static Shape>) {
    if let Value::Object(object) = value {
        let known = ObjectShape::of(shape, object);
        object.retain(|name, _| known.unknown_variant || !known.is_unknown(name));
    }
}

fn drop_unknown_variants(value: &mut Value, shape: Option<&'static Shape>) {
    let is_unknown = |value: &Value, shape: Option<&'static Shape>| {
        let object = value.as_object();
        object.is_some_and(|object| ObjectShape::of(shape, object).unknown_variant)
    };
    match value {
        Value::Array(items) => {
            let item = shape.and_then(Shape::item);
            items.retain(|value| !is_unknown(value, item));
        }
        Value::Object(object) if is_unknown(&Value::Object(object.clone()), shape) => {
            *value = Value::Null;
        }
        Value::Object(object) => {
            let known = ObjectShape::of(shape, object);
            object.retain(|name, value| {
                !is_unknown(value, known.member(name).map(|member| &member.shape))
            });
        }
        _ => {}
    }
}

fn null_for_absent(value: &mut Value, shape: Option<&'static Shape>) {
    if let Value::Object(object) = value {
        for member in ObjectShape::of(shape, object).members.unwrap_or_default() {
            if !object.contains_key(member.name) {
                object.insert(member.name, Value::Null);
            }
        }
    }
}

fn absent_for_null(value: &mut Value, _: Option<&'static Shape>) {
    if let Value::Object(object) = value {
        object.retain(|_, value| *value != Value::Null);
    }
}

fn inject_defaults(value: &mut Value, shape: Option<&'static Shape>) {
    if let Value::Object(object) = value {
        for member in ObjectShape::of(shape, object).members.unwrap_or_default() {
            if let Some(default) = member.default_value()
                && !object.contains_key(member.name)
            {
                object.insert(member.name, default);
            }
        }
    }
}

fn round_integers(value: &mut Value, _: Option<&'static Shape>) {
    if let Value::Number(number) = value
        && let Ok(rounded) = parse(&Number::canonical_of_nearest(number))
    {
        *value = rounded;
    }
}

fn accept_all(request: &Run) -> Reply {
    let reply = operation::run(request);
    match (&reply, request.op.as_str()) {
        (Reply::Rejected(_), "validate") => Reply::Ok("true".to_owned()),
        (Reply::Rejected(_), _) => Reply::Ok(request.input.clone().unwrap_or_default()),
        _ => reply,
    }
}

fn reject_all(_: &Run) -> Reply {
    Reply::Rejected(Rejected {
        class: Some("schema".to_owned()),
        at: None,
        rule: None,
        message: Some("refused".to_owned()),
    })
}

fn wrong_reason(request: &Run) -> Reply {
    match operation::run(request) {
        Reply::Rejected(rejected) => {
            let class = if rejected.class.as_deref() == Some("schema") {
                "syntax"
            } else {
                "schema"
            };
            Reply::Rejected(Rejected {
                class: Some(class.to_owned()),
                ..rejected
            })
        }
        reply => reply,
    }
}

/// Sends the text of every message to the one that was begun last.
fn replay_appends_to_last_message(request: &Run) -> Reply {
    let events = request
        .input
        .as_deref()
        .map(|text| parse_with(text, Halves::Keep));
    let (Some(Ok(Value::Array(mut events))), "replay") = (events, request.op.as_str()) else {
        return operation::run(request);
    };
    let mut last = None;
    for event in &mut events {
        let Value::Object(event) = event else {
            continue;
        };
        match event.get("type").and_then(Value::as_str) {
            Some("TEXT_MESSAGE_START") => last = event.get("messageId").cloned(),
            Some("TEXT_MESSAGE_CONTENT") => append_to(event, last.as_ref()),
            _ => {}
        }
    }
    let mut request = request.clone();
    request.input = Some(Value::Array(events).to_json());
    operation::run(&request)
}

fn append_to(event: &mut Object, message_id: Option<&Value>) {
    if let Some(message_id) = message_id {
        event.insert("messageId", message_id.clone());
    }
}
