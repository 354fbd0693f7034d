//! What chatstate's Python package does beside reading and writing: its own tests, with the reference
//! beside it, and SDKs whose chats and sessions it saves and restores.

use std::process::Command;

use chatstate_tests::package::PYTHON;
use chatstate_tests::program::{chatstate_program, finish};
use chatstate_tests::sdk::{AGENT_FRAMEWORK, SEMANTIC_KERNEL, Sdk};
use chatstate_tests::workspace;
use serde_json::{Value, json};

/// The tests of what pydantic does for the package.
const ABOUT_DOCUMENTS: [&str; 6] = [
    "test_chats.py",
    "test_every_class.py",
    "test_models.py",
    "test_pydantic.py",
    "test_sessions.py",
    "test_ways_to_save.py",
];

#[test]
fn its_own_tests_pass_beside_the_reference() {
    if !PYTHON.has_toolchain() {
        return;
    }
    let mut command = Command::new(workspace::path("packages/python/tools/test"));
    command.arg("--quiet").env("CHATSTATE", chatstate_program());
    let finished = finish(command, b"");
    assert_eq!(finished.code, 0, "{}{}", finished.stdout, finished.stderr);
}

#[test]
fn its_documents_pass_with_the_oldest_pydantic() {
    if !PYTHON.has_toolchain() {
        return;
    }
    let mut command = Command::new(workspace::path("packages/python/tools/test"));
    command
        .arg("--quiet")
        .args(ABOUT_DOCUMENTS)
        .env("OLDEST", "1");
    let finished = finish(command, b"");
    assert_eq!(finished.code, 0, "{}{}", finished.stdout, finished.stderr);
}

#[test]
fn chats_of_semantic_kernel_are_restored() {
    check(
        &SEMANTIC_KERNEL,
        &json!({
            "participants": ["Ann"],
            "key": true,
            "saved again": true,
            "said": [
                "1 seen, the last one: hello",
                "3 seen, the last one: and now?",
                "3 seen, the last one: and now?",
            ],
            "refused": ["restore.invalid", "restore.empty"],
            "then": "restored",
        }),
    );
}

#[test]
fn sessions_of_the_agent_framework_are_restored() {
    check(
        &AGENT_FRAMEWORK,
        &json!({
            "id": "s-1",
            "profile": {"name": "Ann", "visits": 2, "theme": {"dark": null}},
            "messages": ["hello"],
            "same": true,
        }),
    );
}

/// Has an SDK save and restore with the package, and holds what came of it against what should.
fn check(sdk: &Sdk, expected: &Value) {
    if !sdk.can_run() {
        return;
    }
    let mut command = Command::new(sdk.adapter());
    command.arg("restore.py");
    let finished = finish(command, b"");
    assert_eq!(finished.code, 0, "{}: {}", sdk.name, finished.stderr);
    let said: Value = serde_json::from_str(&finished.stdout).expect("one line of JSON");
    assert_eq!(said, *expected);
}
