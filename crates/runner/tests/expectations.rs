//! What a list of expected failures may say.

use chatstate_runner::Expectations;

/// Reads a list; the error, or nothing when it can be used.
fn check(text: &str, expected: Option<&str>) {
    let found = Expectations::parse("expected-failures.toml", text);
    match (found, expected) {
        (Ok(_), None) => {}
        (Err(error), Some(words)) => {
            let message = error.to_string();
            assert!(message.contains(words), "`{words}` is not in `{message}`");
        }
        (found, _) => panic!("{text}: {found:?}"),
    }
}

#[test]
fn entries() {
    check("", None);
    check("[[expect]]\ncase = 'a/b'\nreason = 'r'", None);
    check(
        "[[expect]]\nrequirement = 'a.b'\nreason = 'r'\nuntil = '2027-03-01'",
        None,
    );
    let full = "[[expect]]\ncase = 'a/*'\nreason = 'r'\nissue = 'i'\nowner = 'o'\nuntil = 2027-03-01\n\
        fingerprint = 'unknown-dropped@*'\nwhen = { name = 'n', version = '1.*', language = 'l', os = '*' }";
    check(full, None);
}

#[test]
fn malformed_entries() {
    check("[[expect]\n", Some("`expected-failures.toml` line 1"));
    check(
        "\n[[expect]]\ncase = 'a/b'",
        Some("line 2: missing field `reason`"),
    );
    check(
        "[[expect]]\ncase = 'a/b'\nreason = ' '",
        Some("`reason` is empty"),
    );
    check(
        "[[expect]]\nreason = 'r'",
        Some("`case` or `requirement`, and not both"),
    );
    check(
        "[[expect]]\ncase = 'a'\nrequirement = 'b'\nreason = 'r'",
        Some("not both"),
    );
    check(
        "[[expect]]\ncase = '['\nreason = 'r'",
        Some("`[` is not a pattern"),
    );
    check(
        "[[expect]]\ncase = 'a'\nreason = 'r'\nfingerprint = '['",
        Some("`[` is not a pattern"),
    );
    check(
        "[[expect]]\ncase = 'a'\nreason = 'r'\nuntil = 'soon'",
        Some("`soon` is not a day"),
    );
    check(
        "[[expect]]\ncase = 'a'\nreason = 'r'\nuntil = 2027-02-30",
        Some("line 4"),
    );
    check(
        "[[expect]]\ncase = 'a'\nreason = 'r'\ncolour = 1",
        Some("unknown field `colour`"),
    );
    check("[[expected]]\ncase = 'a'", Some("unknown field `expected`"));
    check(
        "[[expect]]\ncase = 'a'\nreason = 'r'\nwhen = { sdk = '1' }",
        Some("unknown field `sdk`"),
    );
}
