//! What rows cannot say of messages: what is a message of its own here and an item there, and what
//! is in another place.

use std::collections::HashSet;

use super::super::loss::ConversionLoss;
use super::super::table::{Left, Rewrite};
use chatstate_json::Rejection;
use chatstate_json::{Object, Value};

/// Messages that one canonical message became beside the first.
const MORE: &str = "more@";

/// A mark in the `ext` of a text that is in a list, although it could be the whole content.
const IN_LIST: &str = "inList";

/// The members that are an item's in the canonical form, by the role of the message.
const OF_REASONING: [&str; 2] = ["content", "encryptedValue"];
const OF_RESULT: [&str; 3] = ["toolCallId", "content", "error"];
const OF_ACTIVITY: [&str; 2] = ["activityType", "content"];

pub(super) static TOGETHER: Rewrite = Rewrite {
    doc: "`content@items` is what the message holds: of role `reasoning`, `tool` and `activity` one item, \
           which is a `reasoning@` of the assistant, a `result@` or an `activity@`; of other roles \
           the text or the parts of `content`, then a `call@` for each of `toolCalls`",
    read,
    write,
};

pub(super) static ALONE: Rewrite = Rewrite {
    doc: "as in a list of messages; what would be further messages has no place",
    read,
    write: |message| {
        let mut left = write(message);
        if !message.contains_key("id") {
            message.insert("id", "message-1");
        }
        if message.remove(MORE).is_some() {
            left.push(lost(
                "content@items",
                "what is a message of its own has no place in one message",
            ));
        }
        left
    },
};

pub(super) fn lost(part: &'static str, why: &'static str) -> Left {
    let class = ConversionLoss::Member;
    Left { part, class, why }
}

fn read(message: &mut Object) -> Result<(), Rejection> {
    let role = message.get("role").and_then(Value::as_str);
    let items = match role {
        Some("reasoning") => {
            let item = item_of(message, "reasoning@", &OF_REASONING);
            message.insert("role", "assistant");
            vec![item]
        }
        Some("tool") => vec![item_of(message, "result@", &OF_RESULT)],
        Some("activity") => vec![item_of(message, "activity@", &OF_ACTIVITY)],
        _ => {
            let mut items = content(message)?;
            items.extend(calls(message)?);
            items
        }
    };
    message.insert("content@items", items);
    Ok(())
}

/// The item that some members of a message are.
fn item_of(message: &mut Object, tag: &str, members: &[&str]) -> Value {
    let mut item = Object::new();
    item.insert("type", tag);
    for name in members {
        if let Some((_, value)) = message.remove(name) {
            item.insert(*name, value);
        }
    }
    Value::Object(item)
}

fn content(message: &mut Object) -> Result<Vec<Value>, Rejection> {
    match message.remove("content").map(|(_, content)| content) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(text @ Value::String(_)) => Ok(vec![text_part(text)]),
        Some(Value::Array(mut parts)) => {
            if let [part] = parts.as_mut_slice()
                && is_plain_text(part)
                && let Value::Object(part) = part
            {
                part.insert(IN_LIST, true);
            }
            Ok(parts)
        }
        Some(other) => {
            let message = format!("expected a string or an array, found {}", other.kind());
            Err(Rejection::schema("type", message).within("content"))
        }
    }
}

fn text_part(text: Value) -> Value {
    let members = [("type", "text".into()), ("text", text)];
    Value::Object(members.into_iter().collect())
}

fn is_plain_text(part: &Value) -> bool {
    let members = part.as_object();
    members.is_some_and(|it| it.len() == 2 && part.get("type") == Some(&"text".into()))
        && part.get("text").is_some()
}

fn calls(message: &mut Object) -> Result<Vec<Value>, Rejection> {
    let calls = match message.remove("toolCalls").map(|(_, calls)| calls) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(calls)) => calls,
        Some(other) => {
            let message = format!("expected an array, found {}", other.kind());
            return Err(Rejection::schema("type", message).within("toolCalls"));
        }
    };
    let calls = calls.into_iter().enumerate();
    calls
        .map(|(index, call)| read_call(call).map_err(|it| it.within(index).within("toolCalls")))
        .collect()
}

fn read_call(call: Value) -> Result<Value, Rejection> {
    let Value::Object(mut call) = call else {
        let message = format!("expected an object, found {}", call.kind());
        return Err(Rejection::schema("type", message));
    };
    match call.remove("type") {
        Some((_, kind)) if kind != "function".into() => {
            let message = "`type` of a call is always `function`";
            return Err(Rejection::schema("const", message).within("type"));
        }
        _ => {}
    }
    let Some(Value::Object(function)) = call.get_mut("function") else {
        let message = "`function` with `name` and `arguments` is missing; add it";
        return Err(Rejection::schema("required", message).within("function"));
    };
    let name = function.remove("name").map(|(_, name)| name);
    let arguments = function.remove("arguments").map(|(_, text)| text);
    if function.is_empty() {
        call.remove("function");
    }
    call.insert("type", "call@");
    call.extend(name.map(|it| ("function@name", it)));
    call.extend(arguments.map(|it| ("function@arguments", it)));
    Ok(Value::Object(call))
}

/// What a message is made of while it is written.
#[derive(Default)]
struct MessageParts {
    content: Vec<Value>,
    calls: Vec<Value>,
    /// Messages of their own, each without what it shares with the others.
    others: Vec<Object>,
    left: Vec<Left>,
}

fn write(message: &mut Object) -> Vec<Left> {
    let items = match message.remove("content@items") {
        Some((_, Value::Array(items))) => items,
        _ => Vec::new(),
    };
    let role = message.get("role").and_then(Value::as_str);
    let role = role.unwrap_or_default().to_owned();
    let mut parts = MessageParts::default();
    for item in items {
        parts.take(item);
    }
    parts.check(&role);
    let is_only_other = !parts.holds_content_or_calls();
    let mut others = std::mem::take(&mut parts.others).into_iter();
    let first = if is_only_other { others.next() } else { None };
    match first {
        Some(mut other) => {
            parts.left.extend(one_identity(message, &mut other));
            if message.contains_key("encryptedValue") && other.contains_key("encryptedValue") {
                let why = "a message of its own has one encrypted value";
                parts.left.push(lost("encryptedValue", why));
            }
            message.extend(other);
        }
        None => parts.put(message, &role),
    }
    let more: Vec<Value> = others.map(Value::Object).collect();
    if !more.is_empty() {
        message.insert(MORE, more);
    }
    if !message.contains_key("id") {
        let (part, class) = ("id", ConversionLoss::MadeUp);
        let why = "a message has an identity here; one is made up";
        parts.left.insert(0, Left { part, class, why });
    }
    parts.left
}

/// Of a message and the item that it is, only one identity has a place: that of the message if it has one.
fn one_identity(message: &mut Object, item: &mut Object) -> Option<Left> {
    let (_, identity) = item.remove("id")?;
    let is_other = message.get("id").is_some_and(|id| *id != identity);
    if is_other {
        let why = "a message of its own has one identity, and this is not that of its item";
        return Some(lost("content@items", why));
    }
    message.insert("id", identity);
    let (part, class) = ("content@items", ConversionLoss::Form);
    let why = "the identity of an item is that of its message";
    Some(Left { part, class, why })
}

impl MessageParts {
    fn take(&mut self, item: Value) {
        let Value::Object(mut item) = item else {
            return;
        };
        let tag = item.get("type").and_then(Value::as_str).map(str::to_owned);
        let role = match tag.as_deref() {
            Some("call@") => return self.calls.push(written_call(item)),
            Some("reasoning@") => "reasoning",
            Some("result@") => "tool",
            Some("activity@") => "activity",
            _ => {
                if !self.calls.is_empty() {
                    self.lose(
                        ConversionLoss::Form,
                        "the content of a message comes before its calls",
                    );
                }
                return self.content.push(Value::Object(item));
            }
        };
        item.remove("type");
        item.insert("role", role);
        if role != "activity" && !item.contains_key("content") {
            item.insert("content", "");
        }
        self.others.push(item);
    }

    fn lose(&mut self, class: ConversionLoss, why: &'static str) {
        let part = "content@items";
        self.left.push(Left { part, class, why });
    }

    fn holds_content_or_calls(&self) -> bool {
        !self.content.is_empty() || !self.calls.is_empty()
    }

    /// Notes what a message of a role cannot hold.
    fn check(&mut self, role: &str) {
        let allowed: &[&str] = match role {
            "assistant" => &["reasoning", "tool"],
            "tool" => &["tool"],
            "activity" => &["activity"],
            _ => &[],
        };
        let others = self.others.iter();
        let mut roles = others.filter_map(|it| it.get("role").and_then(Value::as_str));
        if roles.any(|it| !allowed.contains(&it)) {
            self.lose(
                ConversionLoss::Form,
                "what the message holds is a message of another role",
            );
        }
        if role == "tool" && self.others.is_empty() {
            self.lose(
                ConversionLoss::Item,
                "a message of a tool must have a result",
            );
        } else if role == "tool" && self.holds_content_or_calls() {
            self.lose(
                ConversionLoss::Member,
                "a message of a tool holds a result and nothing else",
            );
            self.content.clear();
            self.calls.clear();
        }
        if role != "assistant" && !self.calls.is_empty() {
            self.lose(ConversionLoss::Member, "only the assistant makes calls");
            self.calls.clear();
        }
        let is_beside = self.holds_content_or_calls() && !self.others.is_empty();
        let is_several = is_beside || self.others.len() > 1;
        if is_several {
            self.lose(
                ConversionLoss::Form,
                "one message becomes several; one without an identity gets one that is made up",
            );
        }
    }

    /// Puts the content and the calls into the message.
    fn put(&mut self, message: &mut Object, role: &str) {
        let holds_parts = !["assistant", "system", "developer"].contains(&role);
        let calls = std::mem::take(&mut self.calls);
        match self.content.as_slice() {
            [] if role == "assistant" => {}
            [part] if is_plain_text(part) => {
                message.insert("content", part.get("text").cloned().unwrap_or_default());
            }
            _ if holds_parts => {
                let mut parts = std::mem::take(&mut self.content);
                for part in &mut parts {
                    if let Value::Object(part) = part {
                        part.remove(IN_LIST);
                    }
                }
                message.insert("content", parts);
            }
            _ => {
                let text = self.joined();
                message.insert("content", text);
            }
        }
        if !calls.is_empty() {
            message.insert("toolCalls", calls);
        }
    }

    /// The texts of the content as one.
    fn joined(&mut self) -> String {
        let parts = std::mem::take(&mut self.content);
        if parts.is_empty() {
            self.lose(
                ConversionLoss::MadeUp,
                "a message of this role has a content; an empty one is written",
            );
        }
        if !parts.iter().all(is_plain_text) {
            self.lose(
                ConversionLoss::Member,
                "a message of this role holds text and nothing else",
            );
        }
        let texts: Vec<_> = parts
            .iter()
            .filter_map(|part| part.get("text").and_then(Value::as_str))
            .collect();
        if texts.len() > 1 {
            self.lose(
                ConversionLoss::Form,
                "a message of this role holds one text; the texts are joined",
            );
        }
        texts.concat()
    }
}

/// A call with its function in an object of its own.
fn written_call(mut call: Object) -> Value {
    let mut function = Object::new();
    for (part, name) in [
        ("function@name", "name"),
        ("function@arguments", "arguments"),
    ] {
        if let Some((_, value)) = call.remove(part) {
            function.insert(name, value);
        }
    }
    call.insert("type", "function");
    call.insert("function", function);
    Value::Object(call)
}

pub(super) static LIST: Rewrite = Rewrite {
    doc: "a message without an identity gets one that no other message has, and so does an item that becomes one and has that of another",
    read: |_| Ok(()),
    write: |object| {
        let mut left = Vec::new();
        for part in ["@", "messages"] {
            if let Some(Value::Array(messages)) = object.get_mut(part) {
                let (all, taken) = spread(std::mem::take(messages));
                *messages = all;
                let why = "an item has the identity of another message; one is made up";
                left.extend(std::iter::repeat_with(|| lost(part, why)).take(taken));
            }
        }
        left
    },
};

/// Messages with those that they became beside them, each with an identity; and how many of these had one that
/// another message has.
fn spread(messages: Vec<Value>) -> (Vec<Value>, usize) {
    let identities = messages.iter().filter_map(|it| it.get("id")?.as_str());
    let mut known: HashSet<String> = identities.map(str::to_owned).collect();
    let mut taken = 0;
    let mut all = Vec::with_capacity(messages.len());
    for mut message in messages {
        let mut more = more_of(&mut message);
        for it in &mut more {
            taken += usize::from(is_taken(it, &mut known));
        }
        // Reasoning and results that are beside a content: thoughts come before what is said.
        let (before, after): (Vec<_>, Vec<_>) = more
            .into_iter()
            .partition(|it| it.get("role") == Some(&"reasoning".into()));
        all.extend(before);
        all.push(message);
        all.extend(after);
    }
    give_identities(&mut all, &mut known);
    (all, taken)
}

/// The messages that a message became beside itself.
fn more_of(message: &mut Value) -> Vec<Value> {
    let Value::Object(message) = message else {
        return Vec::new();
    };
    match message.remove(MORE) {
        Some((_, Value::Array(more))) => more,
        _ => Vec::new(),
    }
}

fn give_identities(messages: &mut [Value], known: &mut HashSet<String>) {
    let mut number = 0;
    for message in messages {
        if let Value::Object(message) = message
            && !message.contains_key("id")
        {
            message.insert("id", unused(known, &mut number));
        }
    }
}

/// Whether the identity of a message is that of another, and takes it away then.
fn is_taken(message: &mut Value, known: &mut HashSet<String>) -> bool {
    let Value::Object(message) = message else {
        return false;
    };
    let Some(identity) = message.get("id").and_then(Value::as_str) else {
        return false;
    };
    let is_taken = !known.insert(identity.to_owned());
    if is_taken {
        message.remove("id");
    }
    is_taken
}

/// The next name that no message has.
fn unused(known: &mut HashSet<String>, number: &mut usize) -> String {
    loop {
        *number += 1;
        let name = format!("message-{number}");
        if known.insert(name.clone()) {
            return name;
        }
    }
}
