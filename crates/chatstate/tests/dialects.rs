//! Documents of other SDKs: what they are in the canonical form, and what is lost on the way.

use chatstate::dialect::{CANONICAL, Conversion, convert};
use chatstate::json::{Value, parse};

fn parsed(text: &str) -> Value {
    parse(text).unwrap_or_else(|rejection| panic!("{rejection} in {text}"))
}

fn converted(text: &str, from: &str, to: &str) -> Conversion {
    let result = convert(parsed(text), from, to).unwrap_or_else(|| panic!("no {from} or {to}"));
    result.unwrap_or_else(|rejection| panic!("{rejection} in {text}"))
}

/// There and back nothing is lost; in between stands the canonical document.
#[track_caller]
fn check(dialect: &str, theirs: &str, canonical: &str) {
    let read = converted(theirs, dialect, CANONICAL);
    assert_eq!(
        read.document,
        parsed(canonical),
        "{}",
        read.document.to_json()
    );
    let written = converted(canonical, CANONICAL, dialect);
    assert_eq!(
        written.document,
        parsed(theirs),
        "{}",
        written.document.to_json()
    );
    assert_eq!(written.losses, [], "{theirs}");
}

fn message(items: &str) -> String {
    format!(r#"{{"metadata":{{}},"content_type":"message","role":"user","items":[{items}]}}"#)
}

#[track_caller]
fn check_item(theirs: &str, ours: &str) {
    let canonical = format!(r#"{{"role":"user","items":[{ours}]}}"#);
    check("semantic-kernel-python", &message(theirs), &canonical);
}

#[test]
fn items_of_semantic_kernel_for_python() {
    check_item(
        r#"{"metadata":{},"content_type":"text","text":"hi","ai_model_id":"m","encoding":"utf-8"}"#,
        r#"{"type":"text","text":"hi","model":"m","encoding":"utf-8"}"#,
    );
    check_item(
        r#"{"metadata":{"a":null},"content_type":"image","data_uri":"data:image/png;charset=x;base64,AQID"}"#,
        r#"{"type":"image","metadata":{"a":null},"mime":"image/png","params":{"charset":"x"},"data":"AQID"}"#,
    );
    check_item(
        r#"{"metadata":{},"content_type":"audio","uri":"https://example.com/a.wav","data_uri":""}"#,
        r#"{"type":"audio","uri":"https://example.com/a.wav"}"#,
    );
    check_item(
        r#"{"metadata":{},"content_type":"audio","data_uri":"data:audio/wav;,x"}"#,
        r#"{"type":"audio","ext":{"semantic-kernel-python":{"data_uri":"data:audio/wav;,x"}}}"#,
    );
    check_item(
        r#"{"metadata":{},"content_type":"function_call","id":"1","name":"p-f","function_name":"f","plugin_name":"p","arguments":"{\"a\":"}"#,
        r#"{"type":"call","id":"1","function":"f","plugin":"p","arguments_text":"{\"a\":"}"#,
    );
    check_item(
        r#"{"metadata":{},"content_type":"function_call","name":"other","function_name":"f","plugin_name":"p","arguments":{"a":1.0}}"#,
        r#"{"type":"call","function":"f","plugin":"p","arguments":{"a":1.0},"ext":{"semantic-kernel-python":{"name":"other"}}}"#,
    );
    check_item(
        r#"{"metadata":{},"content_type":"annotation","file_id":"f","quote":"q"}"#,
        r#"{"type":"annotation","kind":"citation","ref":{"file":"f"},"label":"q"}"#,
    );
    check_item(
        r#"{"content_type":"video","url":"u"}"#,
        r#"{"type":"video","ext":{"semantic-kernel-python":{"content_type":"video","url":"u"}}}"#,
    );
}

#[test]
fn a_history_of_semantic_kernel_for_python() {
    check(
        "semantic-kernel-python",
        &format!(r#"{{"messages":[{}],"more":1}}"#, message("")),
        r#"{"history":[{"role":"user","items":[]}],"channels":[],"ext":{"semantic-kernel-python":{"more":1}}}"#,
    );
}
