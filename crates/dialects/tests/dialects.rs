//! Documents of other SDKs: what they are in the canonical form, and what is lost on the way.

use chatstate_dialects::{CANONICAL, Conversion, convert};
use chatstate_json::{Value, parse};

fn parsed(text: &str) -> Value {
    parse(text).unwrap_or_else(|rejection| panic!("{rejection} in {text}"))
}

fn converted(text: &str, from: &str, to: &str) -> Conversion {
    let result = convert(parsed(text), from, to).unwrap_or_else(|| panic!("no {from} or {to}"));
    result.unwrap_or_else(|rejection| panic!("{rejection} in {text}"))
}

/// There and back nothing is lost; in between is the canonical document.
#[track_caller]
fn check(dialect: &str, foreign: &str, canonical: &str) {
    let read = converted(foreign, dialect, CANONICAL);
    assert_eq!(
        read.document,
        parsed(canonical),
        "{}",
        read.document.to_json()
    );
    let written = converted(canonical, CANONICAL, dialect);
    assert_eq!(
        written.document,
        parsed(foreign),
        "{}",
        written.document.to_json()
    );
    assert_eq!(written.losses, [], "{foreign}");
}

fn message(items: &str) -> String {
    format!(r#"{{"metadata":{{}},"content_type":"message","role":"user","items":[{items}]}}"#)
}

#[track_caller]
fn check_item(foreign: &str, canonical: &str) {
    let canonical = format!(r#"{{"role":"user","items":[{canonical}]}}"#);
    check("semantic-kernel-python", &message(foreign), &canonical);
}

#[track_caller]
fn check_dotnet(foreign: &str, canonical: &str) {
    let foreign = format!(r#"{{"Role":{{"Label":"user"}},"Items":[{foreign}]}}"#);
    let canonical = format!(r#"{{"role":"user","items":[{canonical}]}}"#);
    check("semantic-kernel-dotnet", &foreign, &canonical);
}

/// What is lost from a message that is converted.
#[track_caller]
fn check_losses(from: &str, to: &str, message: &str, expected: &[(&str, &str)]) {
    let losses = converted(message, from, to).losses;
    let losses: Vec<_> = losses
        .iter()
        .map(|loss| (loss.class.as_str(), loss.at.as_str()))
        .collect();
    assert_eq!(losses, expected, "{message}");
}

/// Why a document is rejected: the class, the place and the rule.
#[track_caller]
fn check_rejected(from: &str, to: &str, text: &str, expected: [&str; 3]) {
    match convert(parsed(text), from, to) {
        Some(Err(it)) => assert_eq!([it.class.as_str(), &it.at, &it.rule], expected, "{it}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn items_of_semantic_kernel_for_dotnet() {
    check_dotnet(
        r#"{"$type":"TextContent"}"#,
        r#"{"type":"text","text":null}"#,
    );
    check_dotnet(
        r#"{"$type":"ImageContent","Uri":"https://h:123","MimeType":"image/png","Metadata":{"a":1,"data-uri-charset":"x"},"Data":"AQID"}"#,
        r#"{"type":"image","uri":"https://h:123","mime":"image/png","metadata":{"a":1},"params":{"charset":"x"},"data":"AQID"}"#,
    );
    check_dotnet(
        r#"{"$type":"AnnotationContent","Kind":{"Label":"urlcitation"},"Label":"l","ReferenceId":"u","StartIndex":2}"#,
        r#"{"type":"annotation","kind":"url_citation","label":"l","ref":{"url":"u"},"start":2}"#,
    );
    check_dotnet(
        r#"{"$type":"FunctionCallContent","Id":"1","PluginName":"p","FunctionName":"f","Arguments":{"n":9007199254740993},"Exception":{"Message":"m"}}"#,
        r#"{"type":"call","id":"1","plugin":"p","function":"f","arguments":{"n":9007199254740993},"error":{"Message":"m"}}"#,
    );
    check_dotnet(
        r#"{"$type":"FunctionResultContent","CallId":"1","FunctionName":"f","Result":{"a":[1]}}"#,
        r#"{"type":"result","id":"1","function":"f","result":{"a":[1]}}"#,
    );
    check_dotnet(
        r#"{"$type":"ChatMessageContent","AuthorName":"a","Role":{"Label":"critic"},"Items":[{"$type":"ActionContent","Text":"x"}]}"#,
        r#"{"type":"message","message":{"name":"a","role":"critic","items":[{"type":"action","text":"x"}]}}"#,
    );
    check_dotnet(
        r#"{"$type":"VideoContent","Url":"u"}"#,
        r#"{"type":"VideoContent","ext":{"semantic-kernel-dotnet":{"$type":"VideoContent","Url":"u"}}}"#,
    );
}

#[test]
fn chats_of_semantic_kernel_for_dotnet() {
    check(
        "semantic-kernel-dotnet",
        r#"{"Participants":[{"Id":"a","Type":"T","More":1}],"History":[{"AuthorName":null,"Role":{"Label":"user"},"Items":[]}],"Channels":[{"ChannelKey":"k","ChannelState":"[draft]"}]}"#,
        r#"{"participants":[{"id":"a","type":"T","ext":{"semantic-kernel-dotnet":{"More":1}}}],"history":[{"role":"user","items":[]}],"channels":[{"channelkey":"k","channelstate":"[draft]"}]}"#,
    );
    check(
        "semantic-kernel-dotnet",
        r#"[{"Role":{"Label":"user"},"Items":[]}]"#,
        r#"{"history":[{"role":"user","items":[]}],"channels":[]}"#,
    );
}

#[test]
fn what_one_semantic_kernel_cannot_say_of_the_other() {
    let (python, dotnet) = ("semantic-kernel-python", "semantic-kernel-dotnet");
    check_losses(
        python,
        dotnet,
        r#"{"content_type":"message","role":"user","status":"failed","more":1,"items":[
            {"content_type":"function_call","function_name":"f","call_id":"2","arguments":"{\"a\": 1}"},
            {"content_type":"annotation","quote":"q"}]}"#,
        &[
            ("form", "/items/0/arguments"),
            ("member", "/items/0/call_id"),
            ("item", "/items/1"),
            ("foreign", "/more"),
            ("member", "/status"),
        ],
    );
    check_losses(
        dotnet,
        python,
        r#"{"Role":{"Label":"critic"},"Items":[{"$type":"TextContent","Text":null},
            {"$type":"ImageContent","Uri":"https://a","MimeType":"image/png"},
            {"$type":"FunctionResultContent","FunctionName":"f","Result":{"a":1}},
            {"$type":"ActionContent","Text":"x"}]}"#,
        &[
            ("value", "/Items/0/Text"),
            ("member", "/Items/1/MimeType"),
            ("form", "/Items/2/Result"),
            ("item", "/Items/3"),
            ("value", "/Role"),
        ],
    );
}

#[test]
fn documents_that_are_rejected() {
    let (python, dotnet) = ("semantic-kernel-python", "semantic-kernel-dotnet");
    check_rejected(
        dotnet,
        python,
        r#"{"messages":[]}"#,
        ["schema", "", "convert.dialect"],
    );
    check_rejected(
        dotnet,
        CANONICAL,
        r#"{"History":[{"Role":"user","Items":[]}],"Channels":[]}"#,
        ["schema", "/History/0/Role", "type"],
    );
    check_rejected(
        dotnet,
        CANONICAL,
        r#"[{"Role":{"Label":"user"},"Items":[{"Text":"x"}]}]"#,
        ["schema", "/0/Items/0/$type", "required"],
    );
    check_rejected(
        python,
        CANONICAL,
        r#"{"messages":null}"#,
        ["schema", "/messages", "required"],
    );
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
