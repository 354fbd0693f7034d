//! Faults of the canonical form: other orders, spellings and escapes.

use std::fmt::Write;

use chatstate::json::{Number, Object, Surrogates, Value, canonical, parse, parse_with};
use chatstate_protocol::{Reply, RunRequest};

use super::super::operation;
use super::Defect;

/// The faults of the canonical form by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    (
        "canonical-keeps-order",
        Defect::Answered(|request| again(request, Value::to_json)),
    ),
    (
        "canonical-sorts-by-code-points",
        Defect::Answered(sort_by_code_points),
    ),
    ("canonical-sorts-lists", Defect::Answered(sort_lists)),
    ("canonical-rounds-numbers", Defect::Answered(round_numbers)),
    (
        "canonical-keeps-spellings",
        Defect::Answered(keep_spellings),
    ),
    (
        "canonical-writes-exponents",
        Defect::Answered(write_exponents),
    ),
    (
        "canonical-keeps-signs-of-zero",
        Defect::Answered(keep_signs_of_zero),
    ),
    ("canonical-trims-text", Defect::Answered(trim_texts)),
    (
        "canonical-writes-spaces",
        Defect::Answered(|it| said(it, |text| text.replace("\":", "\": "))),
    ),
    (
        "canonical-escapes-all",
        Defect::Answered(|it| said(it, escape_all)),
    ),
    (
        "canonical-escapes-slashes",
        Defect::Answered(|it| said(it, |text| text.replace('/', "\\/"))),
    ),
    (
        "canonical-long-escapes",
        Defect::Answered(|it| said(it, long_escapes)),
    ),
    (
        "canonical-drops-noncharacters",
        Defect::Answered(|it| said(it, drop_noncharacters)),
    ),
    ("canonical-grows", Defect::Answered(grow)),
];

/// Changes the text of an answer.
fn said(request: &RunRequest, change: fn(&str) -> String) -> Reply {
    match operation::run(request) {
        Reply::Ok(text) => Reply::Ok(change(&text)),
        reply => reply,
    }
}

/// Writes a document that can be read in another way.
fn again(request: &RunRequest, write: fn(&Value) -> String) -> Reply {
    let text = request.input.as_deref().unwrap_or_default();
    match (
        operation::run(request),
        parse_with(text, Surrogates::AllowUnpairedAtEnds),
    ) {
        (Reply::Ok(_), Ok(value)) => Reply::Ok(write(&value)),
        (reply, _) => reply,
    }
}

/// Changes a value and everything in it, then writes it with the given order of members.
fn changed(request: &RunRequest, change: fn(&mut Value)) -> Reply {
    let text = request.input.as_deref().unwrap_or_default();
    match (
        operation::run(request),
        parse_with(text, Surrogates::AllowUnpairedAtEnds),
    ) {
        (Reply::Ok(_), Ok(mut value)) => {
            each(&mut value, change);
            Reply::Ok(canonical(&value))
        }
        (reply, _) => reply,
    }
}

fn each(value: &mut Value, change: fn(&mut Value)) {
    change(value);
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| each(item, change)),
        Value::Object(object) => object.iter_mut().for_each(|(_, value)| each(value, change)),
        _ => {}
    }
}

/// Orders members by the code points of their names.
fn sort_by_code_points(request: &RunRequest) -> Reply {
    ordered(request, |_| {})
}

/// Writes what is in order of code points, after a change.
fn ordered(request: &RunRequest, change: fn(&mut Value)) -> Reply {
    let text = request.input.as_deref().unwrap_or_default();
    match (
        operation::run(request),
        parse_with(text, Surrogates::AllowUnpairedAtEnds),
    ) {
        (Reply::Ok(right), Ok(mut value)) => {
            let mut spelled =
                parse_with(&right, Surrogates::AllowUnpairedAtEnds).unwrap_or_default();
            each(&mut value, change);
            each(&mut spelled, sort_members);
            Reply::Ok(spelled.to_json())
        }
        (reply, _) => reply,
    }
}

fn sort_members(value: &mut Value) {
    if let Value::Object(object) = value {
        let mut members: Vec<_> = std::mem::take(object).into_iter().collect();
        members.sort_by(|a, b| a.0.cmp(&b.0));
        *object = members.into_iter().collect::<Object>();
    }
}

fn sort_lists(request: &RunRequest) -> Reply {
    changed(request, |value| {
        if let Value::Array(items) = value {
            items.sort_by_key(canonical);
        }
    })
}

fn round_numbers(request: &RunRequest) -> Reply {
    changed(request, |value| {
        if let Value::Number(number) = value
            && let Ok(rounded) = parse(&Number::canonical_of_nearest(number))
        {
            *value = rounded;
        }
    })
}

/// Orders members and leaves numbers as they are spelled.
fn keep_spellings(request: &RunRequest) -> Reply {
    again(request, |value| {
        let mut value = value.clone();
        each(&mut value, sort_members);
        value.to_json()
    })
}

/// Writes large integers with exponents, as doubles are.
fn write_exponents(request: &RunRequest) -> Reply {
    again(request, |value| {
        let mut value = value.clone();
        each(&mut value, |value| {
            sort_members(value);
            if let Value::Number(number) = value {
                let spelled = number.canonical();
                let digits = spelled.trim_start_matches('-').len();
                let long = digits > 21 && spelled.bytes().skip(1).all(|it| it.is_ascii_digit());
                let text = if long {
                    with_exponent(&spelled)
                } else {
                    spelled
                };
                *value = parse(&text).unwrap_or_default();
            }
        });
        value.to_json()
    })
}

fn with_exponent(digits: &str) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits),
    };
    let exponent = digits.len() - 1;
    let (first, rest) = digits.split_at(1);
    let rest = rest.trim_end_matches('0');
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{first}{point}{rest}e+{exponent}")
}

fn keep_signs_of_zero(request: &RunRequest) -> Reply {
    again(request, |value| {
        let mut value = value.clone();
        each(&mut value, |value| {
            sort_members(value);
            if let Value::Number(number) = value {
                let negative_zero = number.as_str().starts_with('-') && number.canonical() == "0";
                let text = number.canonical();
                let text = if negative_zero { "-0".to_owned() } else { text };
                *value = parse(&text).unwrap_or_default();
            }
        });
        value.to_json()
    })
}

fn trim_texts(request: &RunRequest) -> Reply {
    changed(request, |value| {
        if let Value::String(text) = value {
            *text = text.trim().to_owned();
        }
    })
}

/// Writes whatever is not ASCII as escapes.
fn escape_all(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        if character.is_ascii() {
            out.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

/// Writes control characters with long escapes only.
fn long_escapes(text: &str) -> String {
    let long = [("\\n", "\\u000a"), ("\\t", "\\u0009"), ("\\b", "\\u0008")];
    long.iter().fold(text.to_owned(), |text, (short, long)| {
        text.replace(short, long)
    })
}

fn drop_noncharacters(text: &str) -> String {
    let is_noncharacter = |character: char| u32::from(character) & 0xfffe == 0xfffe;
    let kept = text
        .chars()
        .filter(|character| !is_noncharacter(*character));
    kept.collect()
}

/// Ends every text with a space that was not there, and once more each time.
fn grow(request: &RunRequest) -> Reply {
    said(request, |text| format!("{text} "))
}
