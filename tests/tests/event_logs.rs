//! The verbs for event logs: what they print, and their exit codes.

use chatstate_tests::call::{CALL, CommandCall, check};

/// A log with the names of AG-UI's draft, whose run names no thread.
const FORMER: &str = r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},{"type":"THINKING_START","title":"plan"},{"type":"THINKING_END"}]"#;
const DRAFT: &str = r#"{"type":"RUN_STARTED","runId":"r"}
{"type":"STATE_DELTA","patch":{"op":"add","path":"/foo","value":1}}
"#;

const ARRAY: &str = r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},{"type":"RUN_FINISHED","threadId":"t","runId":"r"}]"#;
const DAMAGED: &str = r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},
    {"type":"TEXT_MESSAGE_START","messageId":"m"},{"type":"TEXT_MESSAGE_START","messageId":"m"}]"#;
const FAILED_AND_UNKNOWN: &str = r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},
{"type":"STATE_SNAPSHOT","snapshot":{"a":1}},
{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/b"}]},
{"type":"STATE_DELTA","delta":[{"op":"push","path":"/a"}]},
{"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"w","content":{}},
{"type":"ACTIVITY_DELTA","messageId":"m","activityType":"w","patch":[{"op":"remove","path":"/b"}]},
{"type":"RUN_FINISHED","threadId":"t","runId":"r"}]"#;

const FAILED_PATCH: &str = r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},
    {"type":"STATE_DELTA","delta":[{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b"}]}]"#;
const DELTAS: &str = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
{"type":"TEXT_MESSAGE_START","messageId":"m"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hel"}
{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"lo"}
"#;
const TORN: &str = "{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n{\"type\":\"CUS";
const BROKEN: &str =
    "{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n\nnonsense\n x\n";
const UNKNOWN: &str = r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r"},{"type":"F"},{"type":"F"},
    {"type":"F"},{"type":"F"},{"type":"F"},{"type":"F"},{"type":"F"},{"type":"F"},{"type":"F"},{"type":"F"},{"type":"F"},{"type":"F"}]"#;
const REPLAYED: &str = concat!(
    r#"{"messages":[],"state":{},"runs":[{"runId":"r","status":"finished"}],"open":[],"#,
    r#""interrupts":[]}"#,
    "\n"
);

const CALLS: &[CommandCall] = &[
    CommandCall {
        arguments: &["replay"],
        stdin: ARRAY,
        prints: &[REPLAYED],
        ..CALL
    },
    CommandCall {
        arguments: &["replay", "stream.jsonl"],
        prints: &[REPLAYED],
        ..CALL
    },
    CommandCall {
        arguments: &["replay"],
        stdin: "[]",
        prints: &[r#"{"messages":[],"state":{},"runs":[],"open":[],"interrupts":[]}"#],
        ..CALL
    },
    CommandCall {
        arguments: &["replay"],
        stdin: r#"[{"type":"TEXT_MESSAGE_END","messageId":"m"}]"#,
        code: 1,
        says: &["class `sequence`", "at `/0`"],
        ..CALL
    },
    CommandCall {
        arguments: &["replay", "--lenient"],
        stdin: r#"[{"type":"TEXT_MESSAGE_END","messageId":"m"}]"#,
        prints: &[r#"{"messages":[],"state":{},"runs":[],"open":[],"interrupts":[]}"#],
        says: &[
            "passed over: `TEXT_MESSAGE_END` comes before any run has begun, at `/0` (rule `run.first-event`)",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["replay"],
        stdin: FAILED_PATCH,
        prints: &[r#""state":{}"#],
        says: &[
            "warning: operation 1 of the patch does not apply",
            "at `/1/delta/1` (rule `verify.failed-patch`)",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["compact", "--level", "snapshot"],
        stdin: FAILED_PATCH,
        prints: &[r#""type":"STATE_DELTA""#],
        says: &["at `/1/delta/1` (rule `verify.failed-patch`)"],
        ..CALL
    },
    CommandCall {
        arguments: &["compact"],
        stdin: FAILED_AND_UNKNOWN,
        prints: &[r#""type":"STATE_SNAPSHOT","snapshot":{"a":1}"#],
        says: &[
            "at `/2/delta/0` (rule `verify.failed-patch`)",
            "at `/3/delta/0` (rule `verify.unknown-operation`)",
            "at `/5/patch/0` (rule `verify.failed-patch`)",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["replay", "--at", "r1", "branches.jsonl"],
        prints: &[r#""runs":[{"runId":"r1","status":"finished"}]"#],
        ..CALL
    },
    CommandCall {
        arguments: &["replay", "--at", "r9", "branches.jsonl"],
        code: 1,
        says: &["no run of the stream has the id `r9`"],
        ..CALL
    },
    CommandCall {
        arguments: &["verify", "branches.jsonl"],
        says: &["`branches.jsonl` is a valid stream of events"],
        ..CALL
    },
    CommandCall {
        arguments: &["verify"],
        stdin: r#"[{"type":"RUN_STARTED","threadId":"t","runId":"r1","parentRunId":"r0"},{"type":"FUTURE"}]"#,
        says: &[
            "warning: the parent `r0` of run `r1` is not in the log",
            "warning: `FUTURE` is no known type of event, at `/1` (rule `verify.unknown-event`)",
            "stdin is a valid stream of events",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["verify"],
        stdin: UNKNOWN,
        says: &[
            "warning: `F` is no known type of event, at `/10` (rule `verify.unknown-event`)\n\
             warning: 2 more like these (rule `verify.unknown-event`); `chatstate verify --json` lists all\n",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["verify"],
        stdin: DAMAGED,
        code: 1,
        says: &[
            "error: the text `m` is begun, but it is open, at `/2`, with the event at `/1` (rule `text.already-open`)",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["verify", "--json"],
        stdin: DAMAGED,
        code: 1,
        prints: &[
            r#"{"valid":false,"errors":[{"rule":"text.already-open","at":"/2","other":"/1","message":""#,
            r#""warnings":[]}"#,
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["verify"],
        stdin: r#"[{"type":"STATE_DELTA","delta":{}}]"#,
        code: 1,
        says: &[
            "stdin:1:2 (byte 1): error: ",
            "at `/0/delta` (class `schema`, rule `type`)",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["verify", "--json"],
        stdin: TORN,
        code: 1,
        prints: &[
            "{\"valid\":false,\"errors\":[],\"warnings\":[],\"torn\":{\"line\":2,\"byte\":50}}\n",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["verify"],
        stdin: "\n",
        says: &["stdin is a valid stream of events"],
        ..CALL
    },
    CommandCall {
        arguments: &["verify"],
        stdin: "{\"type\":\"RUN_STA",
        code: 1,
        says: &["what begins at byte 0 was left out (line 1)"],
        ..CALL
    },
    CommandCall {
        arguments: &["verify"],
        stdin: "{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\0\0",
        code: 1,
        says: &["what begins at byte 50 was left out (line 2)"],
        ..CALL
    },
    CommandCall {
        arguments: &["verify"],
        stdin: BROKEN,
        code: 1,
        says: &[
            "stdin:4:1 (byte 52): error: not JSON",
            "stdin:5:2 (byte 62): error: not JSON",
            "the order of the events after `/1` was not verified",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["verify", "--json"],
        stdin: BROKEN,
        code: 1,
        prints: &[
            r#""line":4,"byte":52},{"rule":"json","at":"/2","#,
            r#""line":5,"byte":62}],"warnings":[]}"#,
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["verify", "--json", "no-such-file"],
        code: 2,
        prints: &[
            "{\"valid\":false,\"error\":\"cannot read `no-such-file`: No such file or directory (os error 2)\"}\n",
        ],
        says: &["cannot read `no-such-file`"],
        ..CALL
    },
    CommandCall {
        arguments: &["replay"],
        stdin: BROKEN,
        code: 1,
        says: &[
            "stdin:4:1 (byte 52): not JSON",
            "(column 1 of the event), at `/1`",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["compact", "--keep", "NOPE"],
        code: 2,
        says: &["`NOPE` is no value of `--keep <TYPE>`"],
        ..CALL
    },
    CommandCall {
        arguments: &["compact", "--retain", "runs"],
        code: 2,
        says: &["`--retain` has no effect at level `stream`"],
        ..CALL
    },
    CommandCall {
        arguments: &["lineage", "--json", "branches.jsonl"],
        prints: &[r#""tips":["r2","r4"],"problems":[]}"#],
        ..CALL
    },
    CommandCall {
        arguments: &["verify", "--json"],
        stdin: r#"[{"type":"STATE_DELTA","delta":{}}]"#,
        code: 1,
        prints: &[r#"{"valid":false,"errors":[{"rule":"type","at":"/0/delta","message":""#],
        ..CALL
    },
    CommandCall {
        arguments: &["verify", "--complete"],
        stdin: DELTAS,
        code: 1,
        says: &[
            "error: the log ends before the run `r` has finished or failed, at `/0` (rule `run.unfinished`)",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["verify", "--complete"],
        stdin: ARRAY,
        says: &["stdin is a valid stream of events"],
        ..CALL
    },
    CommandCall {
        arguments: &["compact"],
        stdin: DELTAS,
        prints: &[concat!(
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            "\n",
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
            "\n",
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Hello"}"#,
            "\n",
        )],
        ..CALL
    },
    CommandCall {
        arguments: &["compact", "--level", "snapshot", "--retain", "runs"],
        stdin: ARRAY,
        prints: &[ARRAY],
        ..CALL
    },
    CommandCall {
        arguments: &["compact"],
        stdin: DAMAGED,
        code: 1,
        // What was finished before stays, and the array is closed.
        prints: &["[]"],
        says: &["rule `text.already-open`", "3 byte(s) were written"],
    },
    CommandCall {
        arguments: &["compact", "--lenient"],
        stdin: DAMAGED,
        prints: &["[{", r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#],
        says: &["rule `text.already-open`; the run and all that follows were passed through"],
        ..CALL
    },
    CommandCall {
        arguments: &["compact", "--keep", "TEXT_MESSAGE_CONTENT"],
        stdin: DELTAS,
        prints: &[DELTAS],
        ..CALL
    },
    CommandCall {
        arguments: &["compact"],
        stdin: TORN,
        code: 1,
        prints: &["{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n"],
        says: &["what begins at byte 50 was left out"],
    },
    CommandCall {
        arguments: &["compact"],
        stdin: "nope",
        code: 1,
        says: &["class `syntax`"],
        ..CALL
    },
    CommandCall {
        arguments: &["replay"],
        stdin: TORN,
        code: 1,
        prints: &[r#""runs":[{"runId":"r","status":"running"}]"#],
        says: &["what begins at byte 50 was left out"],
    },
    CommandCall {
        arguments: &["verify"],
        stdin: TORN,
        code: 1,
        says: &[
            "what begins at byte 50 was left out (line 2)",
            "stdin: the events before are valid\n",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["convert", "--from", "ag-ui-draft", "--to", "ag-ui"],
        stdin: DRAFT,
        code: 1,
        prints: &[r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/foo","value":1}]}"#],
        says: &["made up: `threadId` is not said; took `thread-1`, at `/0/threadId`"],
    },
    CommandCall {
        arguments: &[
            "convert",
            "--from",
            "ag-ui-draft",
            "--to",
            "ag-ui",
            "--allow-loss",
            "--json",
        ],
        stdin: DRAFT,
        prints: &[
            r#"{"document":[{"type":"RUN_STARTED","threadId":"thread-1","runId":"r"},"#,
            r#""inventions":[{"at":"/0/threadId","message":""#,
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["convert", "--from", "ag-ui-draft", "--to", "ag-ui"],
        stdin: r#"[{"type":"STATE_DELTA","patch":[],"delta":[{"op":"remove","path":"/a"}]}]"#,
        code: 1,
        says: &["rule `convert.two-values`"],
        ..CALL
    },
    CommandCall {
        arguments: &["convert", "--from", "ag-ui-0.0.x", "--to", "ag-ui"],
        stdin: FORMER,
        code: 1,
        prints: &[r#"{"type":"REASONING_START","messageId":"reasoning-1"}"#],
        says: &[
            "made up: the event names no message; made up `reasoning-1`, at `/1/messageId`",
            "lost (member): a block of reasoning has no title, at `/1/title`",
        ],
    },
    CommandCall {
        arguments: &[
            "convert",
            "--from",
            "ag-ui-0.0.x",
            "--to",
            "ag-ui",
            "--allow-loss",
            "--json",
        ],
        stdin: FORMER,
        prints: &[r#""losses":[{"class":"member","at":"/1/title","why":""#],
        ..CALL
    },
    CommandCall {
        arguments: &["attach"],
        stdin: DELTAS,
        prints: &[concat!(
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            "\n",
            r#"{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","content":"Hello"}]}"#,
            "\n",
            r#"{"type":"STATE_SNAPSHOT","snapshot":{}}"#,
            "\n",
            r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#,
            "\n",
        )],
        ..CALL
    },
    CommandCall {
        arguments: &["attach"],
        stdin: "[]",
        prints: &["[]\n"],
        ..CALL
    },
    CommandCall {
        arguments: &["lineage", "branches.jsonl"],
        prints: &[
            "r1        finished, 0 messages\n├─ r2     finished, 0 messages\n└─ r3     finished, 0 messages\n   └─ r4  finished, 0 messages\n",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["lineage", "--format", "dot", "branches.jsonl"],
        prints: &[
            "digraph lineage {\n  run0 [label=\"r1\"];\n",
            "  run0 -> run2;\n",
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["lineage", "--format", "json", "branches.jsonl"],
        prints: &[
            r#"{"runId":"r3","predecessor":"r1","parentRunId":"r1"}"#,
            r#""tips":["r2","r4"],"problems":[]}"#,
        ],
        ..CALL
    },
    CommandCall {
        arguments: &["lineage"],
        stdin: r#"[{"type":"RUN_STARTED","threadId":"t","runId":"a\"\\\n","parentRunId":"a\"\\\n"}]"#,
        code: 1,
        prints: &["\"a\\\"\\\\\\n\"  running, 0 messages\n"],
        says: &[
            "error: run",
            "at `/0/parentRunId` (rule `lineage.self-or-later`)",
        ],
    },
    CommandCall {
        arguments: &["lineage"],
        stdin: "[]",
        ..CALL
    },
];

#[test]
fn every_call_comes_to_what_its_row_says() {
    CALLS.iter().for_each(check);
}
