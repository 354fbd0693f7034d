//! A conversation with `serve`, line by line.

use chatstate_protocol::{
    AdapterError, Answer, AnswerError, DocumentError, Implementation, ImplementationName, Rejected,
    Reply, Request, RunRequest, StartReply, serve,
};

/// Gives back what it gets, and rejects what it cannot read.
struct Echo;

impl Implementation for Echo {
    fn introduce(&mut self) -> StartReply {
        StartReply {
            protocol: 1,
            implementation: ImplementationName::default(),
            capabilities: vec!["round-trip".to_owned()],
            dialect: None,
            max_in_flight: None,
        }
    }

    fn run(&mut self, request: &RunRequest) -> Reply {
        match request.document() {
            Ok(bytes) => Reply::Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Err(error) => Reply::Fault(error.to_string()),
        }
    }
}

const START: &str = r#"{"cmd":"start","protocol":1}"#;

/// Sends lines; gives what came back and how it ended.
fn talk(lines: &[&str]) -> (Vec<String>, Result<(), AdapterError>) {
    let mut output = Vec::new();
    let input = lines.join("\n");
    let end = serve(input.as_bytes(), &mut output, &mut Echo);
    let text = String::from_utf8(output).expect("answers are UTF-8");
    (text.lines().map(str::to_owned).collect(), end)
}

/// Sends one request after `start`, and compares the answer.
fn check_answer(request: &str, expected: &str) {
    let (answers, end) = talk(&[START, request, r#"{"cmd":"stop"}"#, "never read"]);
    assert!(end.is_ok(), "{request}: {end:?}");
    assert_eq!(answers[1], expected, "{request}");
}

/// Sends lines that end the loop, and compares the error.
fn check_error(lines: &[&str], expected: &str) {
    let (_, end) = talk(lines);
    let message = end.expect_err("the loop ends with an error").to_string();
    assert!(
        message.contains(expected),
        "`{expected}` is not in `{message}`"
    );
}

#[test]
fn requests_are_answered() {
    check_answer(
        r#"{"cmd":"run","seq":7,"op":"round-trip","type":"Event","input":"{\"a\":1.0}"}"#,
        r#"{"seq":7,"ok":"{\"a\":1.0}"}"#,
    );
    check_answer(
        r#"{"cmd":"run","seq":8,"op":"compact","input":"[]","level":"stream","new":{"x":1}}"#,
        r#"{"seq":8,"ok":"[]"}"#,
    );
    check_answer(
        r#"{"cmd":"run","seq":9,"op":"validate","inputBase64":"e30="}"#,
        r#"{"seq":9,"ok":"{}"}"#,
    );
    check_answer(
        r#"{"cmd":"run","seq":10,"op":"validate"}"#,
        r#"{"seq":10,"fault":"the request has neither `input` nor `inputBase64`"}"#,
    );
}

#[test]
fn the_end_of_input_ends_the_loop() {
    let (answers, end) = talk(&[START]);
    assert!(end.is_ok());
    let introduction = r#"{"protocol":1,"implementation":{"name":"","version":"","language":""},"capabilities":["round-trip"]}"#;
    assert_eq!(answers, [introduction]);
}

#[test]
fn another_protocol_is_rejected_in_its_own_words() {
    let (answers, end) = talk(&[r#"{"cmd":"start","protocol":2}"#]);
    assert_eq!(
        answers,
        [r#"{"protocol":0,"error":"this adapter supports protocol 1, not 2"}"#]
    );
    assert!(matches!(end, Err(AdapterError::OtherProtocol { asked: 2 })));
}

#[test]
fn garbage_ends_the_loop_with_an_error() {
    check_error(&["garbage"], "line 1 from the runner is not a request");
    check_error(&[START, "{}"], "line 2 from the runner is not a request");
    check_error(&[START, "", "x"], "line 2 from the runner is not a request");
    check_error(&[START, r#"{"cmd":"later"}"#], "unknown variant `later`");
    check_error(
        &[r#"{"cmd":"run","seq":1,"op":"validate"}"#],
        "a `run` before any `start`",
    );
    let long = "x".repeat(chatstate_protocol::MAX_LINE_BYTES + 1);
    check_error(&[START, &long], "line 2 from the runner is longer than");
}

#[test]
fn messages_survive_their_text() {
    let run = RunRequest {
        seq: 1,
        op: "replay".to_owned(),
        input: Some("[]".to_owned()),
        arguments: [("run".to_owned(), "r".into())].into_iter().collect(),
        ..RunRequest::default()
    };
    let requests = [Request::Stop, Request::Run(run.clone())];
    for request in requests {
        let text = serde_json::to_string(&request).expect("it is written");
        let again: Request = serde_json::from_str(&text).expect("it is read");
        assert_eq!(again, request);
    }
    assert_eq!(run.argument("run"), Some("r"));
    let replies = [
        Reply::Ok(String::new()),
        Reply::Rejected(Rejected::default()),
        Reply::Unsupported("why".to_owned()),
        Reply::Fault("what".to_owned()),
    ];
    for reply in replies {
        assert_eq!(Answer::new(1, reply.clone()).reply(), Ok(reply));
    }
}

#[test]
fn an_answer_says_one_thing() {
    let read = |text| {
        serde_json::from_str::<Answer>(text)
            .expect("it is an answer")
            .reply()
    };
    assert_eq!(read(r#"{"seq":1}"#), Err(AnswerError::Nothing));
    assert_eq!(
        read(r#"{"seq":1,"ok":"","fault":""}"#),
        Err(AnswerError::MoreThanOne)
    );
    assert_eq!(
        read(r#"{"seq":1,"ok":"","later":1}"#),
        Ok(Reply::Ok(String::new()))
    );
}

#[test]
fn a_request_has_one_document() {
    let run = |input: Option<&str>, input_base64: Option<&str>| RunRequest {
        input: input.map(str::to_owned),
        input_base64: input_base64.map(str::to_owned),
        ..RunRequest::default()
    };
    assert_eq!(run(Some("é"), None).document(), Ok("é".as_bytes().to_vec()));
    assert_eq!(run(None, Some("/w==")).document(), Ok(vec![0xff]));
    assert_eq!(run(None, None).document(), Err(DocumentError::Missing));
    assert_eq!(run(Some(""), Some("")).document(), Err(DocumentError::Both));
    assert!(matches!(
        run(None, Some("/w")).document(),
        Err(DocumentError::NotBase64(_))
    ));
}
