//! Each hint with the call that provokes it, and what comes of following it.

mod code;

pub use code::OF_CODE;

/// A hint.
pub struct Hint {
    /// What the hint begins with, in the sources and in the message.
    pub text: &'static str,
    /// The call that provokes the message.
    pub call: &'static str,
    /// The call that follows the hint. `{1}` is what stands in the first backticks of the hint.
    pub follow: &'static str,
    /// What the call that follows ends with.
    pub code: i32,
    /// What it says: the promise of the hint.
    pub says: &'static str,
}

const fn hint(
    text: &'static str,
    call: &'static str,
    follow: &'static str,
    code: i32,
    says: &'static str,
) -> Hint {
    Hint {
        text,
        call,
        follow,
        code,
        says,
    }
}

/// The words that hints have in the place of a user's own.
pub const OWN_WORDS: [(&str, &str); 10] = [
    ("ADAPTER", "python3 sdk.py"),
    ("REPORT", "whole.jsonl"),
    ("jsonl=PATH", "jsonl=written.jsonl"),
    ("json=PATH", "json=written.json"),
    ("VERB", "verify"),
    ("LANGUAGE", "python"),
    ("DIR", "made"),
    ("I/N", "1/2"),
    ("NAME", "number-rounded"),
    ("POINTER", "/properties/m"),
];

pub const OF_CALLS: &[Hint] = &[
    hint(
        "give a whole number above 0",
        "chatstate test --jobs 0",
        "chatstate test --suite channel-key --jobs {1}",
        0,
        "as expected",
    ),
    hint(
        "give a share such as",
        "chatstate test --shard 5/4",
        "chatstate test --suite channel-key --shard {1}",
        0,
        "4 pass",
    ),
    hint(
        "give a number of seconds above 0",
        "chatstate test --timeout 0",
        "chatstate test --suite channel-key --timeout {1} && chatstate test --suite channel-key --timeout {2}",
        0,
        "as expected",
    ),
    hint(
        "`chatstate VERB --help` has examples",
        "chatstate --help",
        "{1}",
        0,
        "Examples:",
    ),
    hint(
        "`{called} --help` shows how to call it",
        "chatstate verify --nonsense",
        "{1}",
        0,
        "Usage: chatstate verify",
    ),
    hint(
        "`{called} --help` lists the verbs",
        "chatstate report frobnicate",
        "{1}",
        0,
        "Usage: chatstate report",
    ),
    hint(
        "did you mean `{near}`",
        "chatstate validate --strikt chat.json",
        "chatstate validate {1} chat.json",
        0,
        "valid",
    ),
    hint(
        "did you mean {only}",
        "chatstate tset",
        "chatstate {1} --suite channel-key",
        0,
        "as expected",
    ),
    hint(
        "did you mean {} or",
        "chatstate selftest --only drop",
        "chatstate selftest --only {1} && chatstate selftest --only {2}",
        0,
        "1/1 mutants killed",
    ),
    hint(
        "put the command of the adapter behind",
        "chatstate test python3 sdk.py",
        "{2}",
        1,
        "unexpected failures",
    ),
    hint(
        "the values are `{}`",
        "chatstate lineage --format tree",
        "chatstate lineage --format {1} events.jsonl && chatstate lineage --format {2} events.jsonl && chatstate lineage --format {3} events.jsonl",
        0,
        "digraph",
    ),
    hint(
        "the types are `{roots}`",
        "chatstate validate --type Nope chat.json",
        "chatstate validate --type {1} chat.json",
        0,
        "valid",
    ),
    hint(
        "give the path of a readable file, or",
        "chatstate verify none.jsonl",
        "chatstate verify events.jsonl && chatstate verify {1} < events.jsonl",
        0,
        "valid stream",
    ),
    hint(
        "give the path of a readable file$",
        "chatstate seal --key-file none chat.json",
        "chatstate seal --key-file key chat.json",
        0,
        "seal",
    ),
    hint(
        "see what `gzip -t`",
        "chatstate verify damaged.jsonl.gz",
        "{1} damaged.jsonl.gz",
        1,
        "gzip: ",
    ),
];

pub const OF_LOGS_AND_DOCUMENTS: &[Hint] = &[
    hint(
        "give `--level snapshot` too",
        "chatstate compact --retain runs events.jsonl",
        "chatstate compact --retain runs {1} events.jsonl && chatstate compact events.jsonl",
        0,
        "RUN_STARTED",
    ),
    hint(
        "give `-` for one document alone",
        "chatstate diff - - < chat.json",
        "chatstate diff {1} chat.json < chat.json",
        0,
        "",
    ),
    hint(
        "leave it out, or name several logs",
        "chatstate verify --jobs 2 events.jsonl",
        "chatstate verify events.jsonl && chatstate verify --jobs 2 events.jsonl future.jsonl",
        0,
        "valid",
    ),
    hint(
        "more like these (rule `{rule}`); `chatstate verify --json`",
        "chatstate verify lost.jsonl",
        "{2} lost.jsonl",
        0,
        "/22/parentRunId",
    ),
    hint(
        "more like these (rule `{rule}`); `chatstate lineage --json`",
        "chatstate lineage lost.jsonl",
        "{2} lost.jsonl",
        0,
        "/22/parentRunId",
    ),
    hint(
        "a warning of `chatstate verify`",
        "chatstate explain verify.unknown-member",
        "{1} future.jsonl",
        0,
        "(rule `verify.unknown-member`)",
    ),
    hint(
        "say which with `--from`",
        "chatstate convert --to ag-ui odd.json",
        "{2} chat.json",
        0,
        "[",
    ),
    hint(
        "convert to `",
        "chatstate convert --from ag-ui --to cbor ag-ui.json",
        "chatstate convert --from ag-ui --to {1} ag-ui.json | chatstate convert --from {1} --to cbor --output chat.cbor && chatstate convert --from cbor --to canonical chat.cbor",
        0,
        "history",
    ),
    hint(
        "say `--to ",
        "chatstate convert --from ag-ui-draft --to canonical events.jsonl",
        "chatstate convert --from ag-ui-draft {1} events.jsonl",
        0,
        "RUN_STARTED",
    ),
    hint(
        "there are `{}`",
        "chatstate restore --target odd-target.json saved.json",
        "sed 's/colour/{3}/' odd-target.json > target.json; chatstate restore --target target.json saved.json",
        0,
        "history",
    ),
    hint(
        "leave out one of `--check` and",
        "chatstate unseal --key-file key --check --output plain.json sealed.json",
        "chatstate unseal --key-file key {1} sealed.json && chatstate unseal --key-file key {2} plain.json sealed.json && cat plain.json",
        0,
        "\"history\"",
    ),
    hint(
        "say which with `--type`",
        "chatstate validate odd.json",
        "echo '[]' | chatstate validate --type {8}",
        0,
        "valid",
    ),
    hint(
        "it looks like `{name}`; `chatstate convert",
        "chatstate validate ag-ui.json",
        "{2} ag-ui.json | chatstate validate",
        0,
        "valid",
    ),
    hint(
        "also wrong:",
        "chatstate validate wrong.json",
        "sed 's/,\"text\":8//' wrong.json | chatstate validate",
        1,
        "/history",
    ),
];

pub const OF_RUNS: &[Hint] = &[
    hint(
        "`{pattern}` is a suite: say",
        "chatstate test --only channel-key",
        "chatstate test {2} && chatstate test {3}",
        0,
        "17 pass",
    ),
    hint(
        "`chatstate list` prints the ids",
        "chatstate show no/such",
        "{1}",
        0,
        "replay/snapshot ",
    ),
    hint(
        "name a folder that does not exist yet",
        "chatstate copy .",
        "chatstate copy fresh",
        0,
        "fresh",
    ),
    hint(
        "give `--from REPORT`",
        "chatstate expect update list.toml",
        "chatstate expect update list.toml {1} && chatstate expect update list.toml {2}",
        0,
        "nothing to change",
    ),
    hint(
        "this one is about cases of your own",
        "chatstate new case round-trip/own --op round-trip --type ChatState --corpus own; chatstate test --corpus own --quiet --report jsonl=own.jsonl -- python3 sdk.py; chatstate expect update own.toml --from own.jsonl",
        "chatstate expect update own.toml --from own.jsonl {1} own",
        0,
        "added",
    ),
    hint(
        "is not a comparison of versions; write",
        "printf '[[expect]]\\ncase = \"round-trip/null-*\"\\nreason = \"old\"\\nmax = 900\\nwhen = { version = \">=x\" }\\n' > versions.toml; chatstate test --only 'round-trip/null-*' --expect versions.toml -- python3 sdk.py",
        "sed -i 's/>=x/{4}/' versions.toml; chatstate test --only 'round-trip/null-*' --expect versions.toml -- python3 sdk.py",
        0,
        "expected-failure",
    ),
    hint(
        "`chatstate list --requirement {name}`",
        "chatstate explain replay.messages-snapshot",
        "{1}",
        0,
        "replay/snapshot ",
    ),
    hint(
        "\\n`chatstate show {}` prints its input",
        "chatstate explain replay/snapshot",
        "{1}",
        0,
        "\"input\"",
    ),
    hint(
        "give the id of a requirement or a case",
        "chatstate explain nonsense",
        "for name in replay.text replay/snapshot json number-rounded made-up fail 2; do chatstate explain $name || exit; done",
        0,
        "an exit code",
    ),
    hint(
        "`chatstate explain {id}` says more",
        "chatstate explain run.wrong-run",
        "chatstate explain verify.same-run",
        0,
        "a requirement of SPEC.md",
    ),
    hint(
        "a finding of `chatstate validate --strict`",
        "chatstate explain strict.unknown-member",
        "{1} --type ChatState named.json",
        1,
        "strict.unknown-member",
    ),
    hint(
        "`chatstate explain NAME` says what a class",
        "chatstate test --suite round-trip -- python3 sdk.py",
        "{1}",
        0,
        "a class of differences",
    ),
    hint(
        "{} `chatstate explain {}` names its cases.",
        "chatstate test --only round-trip/null-raw --report sarif -- python3 sdk.py",
        "{1}",
        0,
        "case(s) test it",
    ),
    hint(
        "chatstate test{}{} --only {case}",
        "chatstate test --only round-trip/null-raw -- python3 sdk.py",
        "{line}",
        1,
        "absent-for-null",
    ),
    hint(
        "chatstate fuzz{operations}",
        "chatstate fuzz --op round-trip --seed 1 --seconds 1 --findings 1 -- python3 sdk.py",
        "{line}",
        1,
        "found-accepted-schema-type",
    ),
    hint(
        "leave out `--laws`, or",
        "chatstate fuzz --laws --op verify --cases 5 -- python3 adapter.py",
        "chatstate fuzz --op verify --cases 5 -- python3 adapter.py && chatstate fuzz --laws --op {2} --cases 5 -- python3 adapter.py",
        0,
        "nothing found",
    ),
    hint(
        "give the case another name",
        "chatstate new case round-trip/mine --op replay --corpus mine && chatstate new case round-trip/mine --op replay --corpus mine",
        "chatstate new case round-trip/other --op replay --corpus mine",
        0,
        "wrote",
    ),
    hint(
        "fill in `title`",
        "chatstate new case round-trip/begun --op round-trip --type ChatState --corpus begun",
        "sed -i 's/\"input\": {}/\"input\": {\"history\":[],\"channels\":[]}/' begun/round-trip/begun.json; {4}",
        0,
        "1 pass",
    ),
    hint(
        "write a suite and a name",
        "chatstate new case mine --op replay",
        "chatstate new case {2} --op replay --corpus made-here",
        0,
        "wrote",
    ),
    hint(
        "name it with `--type`",
        "chatstate new case a/b --op round-trip",
        "chatstate new case a/b --op round-trip {1} ChatState --corpus typed",
        0,
        "wrote",
    ),
    hint(
        "`chatstate validate --help` lists the types",
        "chatstate new case a/b --op round-trip --type Nope",
        "{1}",
        0,
        "ChatState",
    ),
    hint(
        "a case lies at `<suite>/<name>.json`",
        "mkdir -p empty; chatstate test --corpus empty",
        "{2}",
        0,
        "wrote",
    ),
    hint(
        "write `chatstate interop --",
        "chatstate interop -- python3 adapter.py",
        "{1}",
        0,
        "what the row writes",
    ),
    hint(
        "give two adapters or more",
        "chatstate interop --only 'round-trip/null-*' -- python3 adapter.py",
        "chatstate interop --only 'round-trip/null-*' {1} python3 adapter.py {1} python3 other.py",
        0,
        "what the row writes",
    ),
    hint(
        "line {line} is no part of a report",
        "chatstate report show events.jsonl 2>&1 | sed 1d",
        "{2} --suite channel-key && chatstate report show written.jsonl && chatstate test --report {3} --suite channel-key && chatstate report show written.json",
        0,
        "17 pass",
    ),
    hint(
        "report {number} is of a whole run",
        "chatstate report merge whole.jsonl whole.jsonl",
        "{1} --suite channel-key --report jsonl=first.jsonl && chatstate test --suite channel-key --shard 2/2 --report jsonl=second.jsonl && chatstate report merge first.jsonl second.jsonl",
        0,
        "17 pass",
    ),
    hint(
        "line {line} is no part of a transcript",
        "chatstate test --replay odd.json",
        "{3} asked.jsonl --suite channel-key && chatstate test --suite channel-key --replay asked.jsonl",
        0,
        "17 pass",
    ),
    hint(
        "`corpus/mutants.toml` of the repository",
        "chatstate selftest --only nonsense",
        "chatstate selftest --only $(grep -m1 '^id' $REPOSITORY/{1} | cut -d'\"' -f2)",
        0,
        "1/1 mutants killed",
    ),
];

/// What looks like a hint in the sources and is followed in no test, and why.
pub const NOT_FOLLOWED: &[(&str, &str)] = &[
    ("class `{}`, rule `{}`; {written}", "it says what happened"),
    (
        "chatstate generate {language} --out {}",
        "it is the command of \"run `{fix}`\"",
    ),
    (
        "leave out `--max-memory` and",
        "systems that these tests run on have limits",
    ),
    ("this is a bug of chatstate", "nobody knows a call"),
    ("chatstate {verb}", "it is compared with what was called"),
    (
        "What `chatstate generate LANGUAGE --emit view`",
        "it is a description in a schema",
    ),
    ("chatstate {} on corpus", "it says what ran"),
    (
        "the reference does not pass `{case}`",
        "no case of the corpus shows it; the command is that of `again`",
    ),
    (
        "remove the folders `.chatstate-*`",
        "a move that leads out of a folder is left by no run; tests of `folder` forge one",
    ),
];
