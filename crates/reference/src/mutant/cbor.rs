//! Faults of CBOR: values that are written in another way than SPEC.md says, and bytes that are read
//! although they are no value, or not read although they are one.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chatstate::cbor::{from_cbor, to_cbor};
use chatstate::json::{Number, Object, Surrogates, Value, parse_with};
use chatstate::{Class, Rejection};
use chatstate_protocol::{Rejected, Reply, RunRequest};

use super::super::operation;
use super::Defect;

/// The faults of CBOR by the ids of the mutants.
pub(super) const DEFECTS: &[(&str, Defect)] = &[
    (
        "cbor-writes-wide-heads",
        Defect::Answered(|it| rewritten(it, CborFault::WideHeads)),
    ),
    (
        "cbor-keeps-member-order",
        Defect::Answered(|it| rewritten(it, CborFault::MemberOrder)),
    ),
    (
        "cbor-writes-doubles",
        Defect::Answered(|it| rewritten(it, CborFault::Doubles)),
    ),
    (
        "cbor-writes-integers-as-floats",
        Defect::Answered(|it| rewritten(it, CborFault::FloatsForIntegers)),
    ),
    (
        "cbor-rounds-big-integers",
        Defect::Answered(|it| rewritten(it, CborFault::RoundBigIntegers)),
    ),
    (
        "cbor-rounds-decimals",
        Defect::Answered(|it| rewritten(it, CborFault::RoundDecimals)),
    ),
    (
        "cbor-replaces-halves",
        Defect::Answered(|it| rewritten(it, CborFault::ReplaceHalves)),
    ),
    (
        "cbor-reads-first-value-alone",
        Defect::Answered(read_first_value),
    ),
    (
        "cbor-reads-other-values-as-null",
        Defect::Answered(read_as_null),
    ),
    (
        "cbor-reads-its-own-encoding-alone",
        Defect::Answered(read_own_alone),
    ),
];

/// What an encoder does wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CborFault {
    WideHeads,
    MemberOrder,
    Doubles,
    FloatsForIntegers,
    RoundBigIntegers,
    RoundDecimals,
    ReplaceHalves,
}

/// Writes the document of a request with a fault, where the reference writes it at all.
fn rewritten(request: &RunRequest, fault: CborFault) -> Reply {
    let reply = operation::run(request);
    let (Reply::Ok(_), "to-cbor", Some(document)) =
        (&reply, request.op.as_str(), request.input.as_deref())
    else {
        return reply;
    };
    let mut bytes = Vec::new();
    let written = parse_with(document, Surrogates::AllowUnpairedAtEnds)
        .and_then(|value| write(&mut bytes, &value, fault));
    match written {
        Ok(()) => Reply::Ok(Value::from(STANDARD.encode(bytes)).to_json()),
        Err(rejection) => Reply::Fault(rejection.to_string()),
    }
}

/// Appends a value, and with the fault what is wrong with it.
fn write(out: &mut Vec<u8>, value: &Value, fault: CborFault) -> Result<(), Rejection> {
    match value {
        Value::Array(items) => {
            head(out, 4, items.len(), fault)?;
            items.iter().try_for_each(|item| write(out, item, fault))
        }
        Value::Object(object) => write_object(out, object, fault),
        Value::String(text) if fault == CborFault::WideHeads => {
            head(out, 3, text.len(), fault)?;
            out.extend(text.as_bytes());
            Ok(())
        }
        Value::Number(number) => match faulty_number(number, fault) {
            Some(bytes) => {
                out.extend(bytes);
                Ok(())
            }
            None => plain(out, value),
        },
        Value::Split(_) if fault == CborFault::ReplaceHalves => {
            plain(out, &Value::from("\u{fffd}"))
        }
        _ => plain(out, value),
    }
}

/// Appends a value as the reference does.
fn plain(out: &mut Vec<u8>, value: &Value) -> Result<(), Rejection> {
    out.extend(to_cbor(value)?);
    Ok(())
}

fn write_object(out: &mut Vec<u8>, object: &Object, fault: CborFault) -> Result<(), Rejection> {
    head(out, 5, object.len(), fault)?;
    let mut members: Vec<_> = object.iter().collect();
    if fault != CborFault::MemberOrder {
        members.sort_by_key(|(name, _)| (name.len(), name.as_str().to_owned()));
    }
    for (name, value) in members {
        plain(out, &Value::from(name.as_str()))?;
        write(out, value, fault)?;
    }
    Ok(())
}

/// The head of a value that has a length.
fn head(out: &mut Vec<u8>, major: u8, length: usize, fault: CborFault) -> Result<(), Rejection> {
    if fault == CborFault::WideHeads {
        out.push((major << 5) | 0x1b);
        out.extend((length as u64).to_be_bytes());
        return Ok(());
    }
    // An integer has the same head, but for its three bits.
    let count = out.len();
    plain(out, &Value::Number(Number::from(length)))?;
    if let Some(first) = out.get_mut(count) {
        *first |= major << 5;
    }
    Ok(())
}

/// A number as the fault writes it, if it does that in another way.
fn faulty_number(number: &Number, fault: CborFault) -> Option<Vec<u8>> {
    let right = to_cbor(&Value::Number(number.clone())).ok()?;
    let major = right.first()? >> 5;
    let is_wrong = match fault {
        CborFault::Doubles => major == 7,
        CborFault::FloatsForIntegers => major < 2,
        CborFault::RoundBigIntegers => matches!(right[0], 0xc2 | 0xc3),
        CborFault::RoundDecimals => right[0] == 0xc4,
        _ => false,
    };
    let double: f64 = number.as_str().parse().ok().filter(|_| is_wrong)?;
    let mut bytes = vec![0xfb];
    bytes.extend(double.to_be_bytes());
    Some(bytes)
}

/// The bytes that a request wants to have read.
fn bytes_of(request: &RunRequest) -> Option<Vec<u8>> {
    let text = parse_with(request.input.as_deref()?, Surrogates::Reject).ok()?;
    STANDARD.decode(text.as_str()?).ok()
}

/// Reads the first value and leaves what follows.
fn read_first_value(request: &RunRequest) -> Reply {
    let reply = operation::run(request);
    if let (Reply::Rejected(_), "from-cbor", Some(bytes)) =
        (&reply, request.op.as_str(), bytes_of(request))
    {
        let mut beginnings = (1..bytes.len()).map(|end| from_cbor(&bytes[..end]));
        if let Some(Ok(value)) = beginnings.find(Result::is_ok) {
            return Reply::Ok(value.to_json());
        }
    }
    reply
}

/// Reads what JSON does not have as null.
fn read_as_null(request: &RunRequest) -> Reply {
    match operation::run(request) {
        Reply::Rejected(Rejected {
            rule: Some(rule), ..
        }) if rule == "cbor.value" => Reply::Ok("null".to_owned()),
        reply => reply,
    }
}

/// Rejects what it would have written in another way.
fn read_own_alone(request: &RunRequest) -> Reply {
    let reply = operation::run(request);
    if let (Reply::Ok(_), "from-cbor", Some(bytes)) =
        (&reply, request.op.as_str(), bytes_of(request))
        && from_cbor(&bytes).and_then(|value| to_cbor(&value)) != Ok(bytes)
    {
        return Reply::Rejected(Rejected {
            class: Some(Class::Syntax.as_str().to_owned()),
            rule: Some("cbor".to_owned()),
            ..Rejected::default()
        });
    }
    reply
}
