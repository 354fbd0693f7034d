//! The verbs for saved chats: what they print, and their exit codes.

use chatstate_tests::call::{CALL, CommandCall, call_in, check, files};

const CHAT: &str = r#"{"history":[{"role":"user","items":[]}],"participants":[{"id":"g","type":"Guide"}],"channels":[{"channelkey":"Z4OjHqv2jMwGYPk1wIJigr3SJB86gKny0Q1Zrqnrtdg=","channelstate":"t"}]}"#;

const ENCODED: &str = r#"{"encoding":"base64","history":"W3siaXRlbXMiOltdLCJyb2xlIjoidXNlciJ9XQ==","participants":["eyJpZCI6ImciLCJ0eXBlIjoiR3VpZGUifQ=="],"channels":[{"channelkey":"Z4OjHqv2jMwGYPk1wIJigr3SJB86gKny0Q1Zrqnrtdg=","channelstate":"InQi"}]}"#;

/// What a restore of the chat comes to, with an agent that joins.
const RESTORED: &str = concat!(
    r#"{"participants":[{"id":"g","type":"Guide"}],"#,
    r#""restored":["Z4OjHqv2jMwGYPk1wIJigr3SJB86gKny0Q1Zrqnrtdg="],"#,
    r#""pending":[],"unclaimed":[],"history":[{"role":"user","items":[]}],"#,
    r#""synchronized":{"GKw+c0PwFokMUQ6T+TUmEWnZ4/VlQ2Qpgw+vCTT0+OQ=":1}}"#,
    "\n"
);

/// The chat with a seal of the key in `key`, as Python's `hmac` makes it.
const SEALED: &str = r#"{"channels":[],"history":[],"seal":{"algorithm":"HMAC-SHA256","mac":"xyENHSMPx2Ea/hlOxMhwUjcUonh5uB4MCxYw/KZ3ZJg="}}"#;

const FORMS: &[CommandCall] = &[
    CommandCall {
        arguments: &["encode"],
        stdin: CHAT,
        prints: &[ENCODED],
        ..CALL
    },
    CommandCall {
        arguments: &["decode", "-"],
        stdin: ENCODED,
        prints: &[CHAT],
        ..CALL
    },
    CommandCall {
        arguments: &["encode"],
        stdin: ENCODED,
        code: 1,
        says: &["must be the text `plain`", "at `/encoding`"],
        ..CALL
    },
    CommandCall {
        arguments: &["decode"],
        stdin: CHAT,
        code: 1,
        says: &["the member `encoding` is missing, at `/encoding`"],
        ..CALL
    },
    CommandCall {
        arguments: &["decode"],
        stdin: r#"{"encoding":"base64","history":"bm9wZQ==","channels":[]}"#,
        code: 1,
        says: &[
            "what is encoded here is rejected: not JSON",
            "at `/history`",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["decode"],
        stdin: r#"{"encoding":"base64","history":"W3t9XQ==","channels":[]}"#,
        code: 1,
        says: &["the member `items` is missing, at `/0/items`, at `/history`"],
        ..CALL
    },
];

#[test]
fn forms() {
    FORMS.iter().for_each(check);
}

const RESTORES: &[CommandCall] = &[
    CommandCall {
        arguments: &["restore", "--target", "target.json"],
        stdin: CHAT,
        prints: &[RESTORED],
        ..CALL
    },
    CommandCall {
        arguments: &["restore", "--target", "target.json", "-"],
        stdin: ENCODED,
        prints: &[RESTORED],
        ..CALL
    },
    CommandCall {
        arguments: &["restore", "--target", "empty-target.json"],
        stdin: CHAT,
        code: 1,
        says: &[
            "the chat has no agents, so nothing was restored; add the agents first",
            "at `/target/agents`",
            "empty-target.json",
            "class `restore`, rule `restore.empty`",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["restore", "--target", "used-target.json"],
        stdin: CHAT,
        code: 1,
        says: &[
            "restore into a new chat",
            "class `restore`, rule `restore.invalid`",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["restore", "--target", "target.json"],
        stdin: r#"{"history":[],"channels":[{"channelkey":"k","channelstate":1},{"channelkey":"k","channelstate":2}]}"#,
        code: 1,
        says: &[
            "the channel `k` occurs twice; keep one of its states",
            "at `/channels/1/channelkey`",
            "class `semantic`, rule `restore.repeated-channel`",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["restore", "--target", "target.json"],
        stdin: r#"{"History":[]}"#,
        code: 1,
        says: &["the member `history` is missing, at `/history`"],
        ..CALL
    },
    CommandCall {
        arguments: &["restore", "--target", "one.json"],
        stdin: CHAT,
        code: 1,
        says: &["the member `target` is missing, at `/target`"],
        ..CALL
    },
    CommandCall {
        arguments: &["restore", "--target", "missing.json"],
        stdin: CHAT,
        code: 2,
        says: &["cannot read `missing.json`"],
        ..CALL
    },
    CommandCall {
        arguments: &["restore"],
        stdin: CHAT,
        code: 2,
        says: &["--target <FILE>"],
        ..CALL
    },
];

#[test]
fn restores() {
    RESTORES.iter().for_each(check);
}

const SEALS: &[CommandCall] = &[
    CommandCall {
        arguments: &["seal", "--key-file", "key"],
        stdin: r#"{"channels":[],"history":[]}"#,
        prints: &[SEALED],
        ..CALL
    },
    CommandCall {
        arguments: &["seal", "--key-file", "key", "--key-id", "desk-1"],
        stdin: "{}",
        prints: &[r#"{"seal":{"algorithm":"HMAC-SHA256","keyId":"desk-1","mac":""#],
        ..CALL
    },
    CommandCall {
        arguments: &["unseal", "--key-file", "key"],
        stdin: SEALED,
        prints: &["{\"channels\":[],\"history\":[]}\n"],
        ..CALL
    },
    CommandCall {
        arguments: &["unseal", "--check", "--key-file", "key", "-"],
        stdin: SEALED,
        says: &["stdin is as it was sealed"],
        ..CALL
    },
    CommandCall {
        arguments: &["unseal", "--key-file", "other-key"],
        stdin: SEALED,
        code: 1,
        says: &["the document was changed after it was sealed, or it was sealed with another key"],
        ..CALL
    },
    CommandCall {
        arguments: &["unseal", "--check", "--key-file", "key"],
        stdin: CHAT,
        code: 1,
        says: &["the document is not sealed", "at `/seal`"],
        ..CALL
    },
    CommandCall {
        arguments: &["seal", "--key-file", "key"],
        stdin: SEALED,
        code: 1,
        says: &["take the seal off first"],
        ..CALL
    },
    CommandCall {
        arguments: &["seal", "--key-file", "key"],
        stdin: "[1]",
        code: 1,
        says: &["only an object can be sealed, and this is of type array"],
        ..CALL
    },
    CommandCall {
        arguments: &["seal", "--key-file", "empty.json"],
        stdin: "{}",
        code: 2,
        says: &[
            "`empty.json`: the key has 0 bytes, fewer than 16; use at least 32 bytes from a random source",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["seal", "--key-file", "missing"],
        stdin: "{}",
        code: 2,
        says: &["cannot read `missing`"],
        ..CALL
    },
    CommandCall {
        arguments: &["unseal"],
        stdin: SEALED,
        code: 2,
        says: &["--key-file <FILE>"],
        ..CALL
    },
    CommandCall {
        arguments: &["encode"],
        stdin: SEALED,
        code: 1,
        says: &["seal the new form", "at `/seal`"],
        ..CALL
    },
];

#[test]
fn seals() {
    SEALS.iter().for_each(check);
}

#[test]
fn a_key_is_never_shown() {
    let folder = files();
    for arguments in [
        ["seal", "--key-file", "key"],
        ["unseal", "--key-file", "key"],
    ] {
        for stdin in ["{}", "nope", SEALED] {
            let finished = call_in(folder.path(), &arguments, stdin.as_bytes());
            let said = finished.stdout + &finished.stderr;
            assert!(!said.contains("some bytes"), "{arguments:?}: {said}");
        }
    }
}
