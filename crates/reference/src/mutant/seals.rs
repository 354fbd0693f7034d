//! Faults of seals: what the code covers, how it is written, and what is taken without one that fits.

use chatstate::json::{Number, Object, Value, parse};
use chatstate_protocol::{Rejected, Reply, RunRequest};

use super::super::operation;
use super::Defect;
use super::rejections::{accepted, takes};

/// The faults of seals by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    ("seal-takes-any-key", takes(&["seal.key"])),
    ("seal-takes-anything", takes(&["type"])),
    (
        "unseal-verifies-nothing",
        takes(&["seal.mismatch", "seal.other-key"]),
    ),
    ("unseal-takes-unsealed", takes(&["seal.missing", "type"])),
    (
        "unseal-takes-malformed-seals",
        takes(&["type", "const", "required", "pattern"]),
    ),
    (
        "seal-url-safe",
        Defect::Answered(|it| respelled(it, url_safe)),
    ),
    (
        "seal-covers-known-members",
        Defect::Answered(|it| covering(it, drop_unknown_members)),
    ),
    (
        "seal-rounds-numbers",
        Defect::Answered(|it| covering(it, round_numbers)),
    ),
    ("seal-leaves-key-id-out", Defect::Answered(key_id_left_out)),
    ("seal-names-every-key", Defect::Answered(named_always)),
    ("seal-seals-again", Defect::Answered(sealed_again)),
    ("unseal-keeps-seal", Defect::Answered(seal_kept)),
    (
        "unseal-leaves-key-id-out",
        Defect::Answered(unsealed_without_key_id),
    ),
    ("unseal-as-written", Defect::Answered(unsealed_as_written)),
    (
        "unseal-compares-beginnings",
        Defect::Answered(beginnings_compared),
    ),
    (
        "unseal-ignores-key-names",
        Defect::Answered(|it| operation::run(&without_key_id(it))),
    ),
    (
        "takes-unverified-seals",
        Defect::Answered(unverified_seals_taken),
    ),
];

/// The object that a request is about.
fn asked(request: &RunRequest) -> Option<Object> {
    object_of(request.input.as_deref()?)
}

fn object_of(text: &str) -> Option<Object> {
    match parse(text) {
        Ok(Value::Object(object)) => Some(object),
        _ => None,
    }
}

/// The document that the reference answers, to be changed.
fn changed(request: &RunRequest, change: impl FnOnce(&mut Object)) -> Reply {
    match operation::run(request) {
        Reply::Ok(text) => match object_of(&text) {
            Some(mut answer) => {
                change(&mut answer);
                Reply::Ok(Value::Object(answer).to_json())
            }
            None => Reply::Ok(text),
        },
        reply => reply,
    }
}

fn about(request: &RunRequest, document: Object) -> RunRequest {
    RunRequest {
        input: Some(Value::Object(document).to_json()),
        input_base64: None,
        ..request.clone()
    }
}

fn without_key_id(request: &RunRequest) -> RunRequest {
    let mut request = request.clone();
    request.arguments.remove("keyId");
    request
}

fn code_of(document: &Object) -> Option<String> {
    let seal = document.get("seal")?.as_object()?;
    seal.get("mac")?.as_str().map(str::to_owned)
}

fn set_code(document: &mut Object, code: String) {
    if let Some(Value::Object(seal)) = document.get_mut("seal") {
        seal.insert("mac", code);
    }
}

/// The code that the reference gives a document.
fn sealing_code(request: &RunRequest, document: Object) -> Option<String> {
    let mut request = about(request, document);
    "seal".clone_into(&mut request.op);
    match operation::run(&request) {
        Reply::Ok(text) => code_of(&object_of(&text)?),
        _ => None,
    }
}

/// The code in another spelling.
fn respelled(request: &RunRequest, spell: fn(&str) -> String) -> Reply {
    changed(request, |sealed| {
        let code = code_of(sealed).unwrap_or_default();
        set_code(sealed, spell(&code));
    })
}

fn url_safe(code: &str) -> String {
    code.replace('+', "-").replace('/', "_")
}

/// A seal whose code is that of another document.
fn covering(request: &RunRequest, cover: fn(&mut Value)) -> Reply {
    changed(request, |sealed| {
        let Some(asked) = asked(request) else { return };
        let mut covered = Value::Object(asked);
        cover(&mut covered);
        let Value::Object(covered) = covered else {
            return;
        };
        if let Some(code) = sealing_code(request, covered) {
            set_code(sealed, code);
        }
    })
}

fn drop_unknown_members(document: &mut Value) {
    const KNOWN: [&str; 6] = [
        "schemaVersion",
        "history",
        "participants",
        "channels",
        "sessionId",
        "stateBag",
    ];
    if let Value::Object(document) = document {
        document.retain(|name, _| KNOWN.contains(&name));
    }
}

fn round_numbers(value: &mut Value) {
    match value {
        Value::Number(number) => *number = Number::of_f64(number.nearest_f64()),
        Value::Array(items) => items.iter_mut().for_each(round_numbers),
        Value::Object(members) => members.iter_mut().for_each(|(_, it)| round_numbers(it)),
        _ => {}
    }
}

fn key_id_left_out(request: &RunRequest) -> Reply {
    changed(request, |sealed| {
        let code = asked(request).and_then(|it| sealing_code(&without_key_id(request), it));
        if let Some(code) = code {
            set_code(sealed, code);
        }
    })
}

fn named_always(request: &RunRequest) -> Reply {
    let mut request = request.clone();
    let id = request.arguments.entry("keyId");
    id.or_insert_with(|| "".into());
    operation::run(&request)
}

fn sealed_again(request: &RunRequest) -> Reply {
    match asked(request) {
        Some(mut document) if document.contains_key("seal") => {
            document.remove("seal");
            operation::run(&about(request, document))
        }
        _ => operation::run(request),
    }
}

fn seal_kept(request: &RunRequest) -> Reply {
    changed(request, |unsealed| {
        let seal = asked(request).and_then(|it| it.get("seal").cloned());
        unsealed.insert("seal", seal.unwrap_or_default());
    })
}

fn mismatch() -> Reply {
    Reply::Rejected(Rejected {
        class: Some("semantic".to_owned()),
        at: Some("/seal/mac".to_owned()),
        rule: Some("seal.mismatch".to_owned()),
        message: None,
    })
}

/// Verifies the code of a seal that has no `keyId`.
fn unsealed_without_key_id(request: &RunRequest) -> Reply {
    let Some(mut document) = asked(request) else {
        return operation::run(request);
    };
    let named = match document.get_mut("seal") {
        Some(Value::Object(seal)) => seal.remove("keyId").is_some(),
        _ => false,
    };
    if named {
        operation::run(&about(request, document))
    } else {
        operation::run(request)
    }
}

/// Takes a document only if its members are as its writer had them.
fn unsealed_as_written(request: &RunRequest) -> Reply {
    match (
        operation::run(request),
        asked(request),
        request.input.as_deref(),
    ) {
        (Reply::Ok(_), Some(document), Some(text)) if is_respelled(&document, text) => mismatch(),
        (reply, ..) => reply,
    }
}

/// Whether the text has an escape, or the seal is not the last member.
fn is_respelled(document: &Object, text: &str) -> bool {
    let last = document.iter().last().map(|(name, _)| name.as_str());
    text.contains('\\') || last != Some("seal")
}

fn beginnings_compared(request: &RunRequest) -> Reply {
    match operation::run(request) {
        Reply::Rejected(rejected) if rejected.rule.as_deref() == Some("seal.mismatch") => {
            let is_short = asked(request)
                .and_then(|it| code_of(&it))
                .is_some_and(|code| code.len() < 43);
            if is_short {
                accepted(request)
            } else {
                Reply::Rejected(rejected)
            }
        }
        reply => reply,
    }
}

/// Restores and uses what is sealed as if it was not.
fn unverified_seals_taken(request: &RunRequest) -> Reply {
    match (operation::run(request), asked(request)) {
        (Reply::Rejected(rejected), Some(document)) if is_of_seal(&rejected) => {
            let mut document = Value::Object(document);
            drop_seals(&mut document);
            match document {
                Value::Object(document) => operation::run(&about(request, document)),
                _ => Reply::Rejected(rejected),
            }
        }
        (reply, _) => reply,
    }
}

fn is_of_seal(rejected: &Rejected) -> bool {
    let at = rejected.at.as_deref().unwrap_or_default();
    at.ends_with("/seal")
}

fn drop_seals(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(drop_seals),
        Value::Object(members) => {
            members.remove("seal");
            members.iter_mut().for_each(|(_, it)| drop_seals(it));
        }
        _ => {}
    }
}
