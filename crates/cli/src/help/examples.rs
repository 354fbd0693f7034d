//! The examples that the helps show.

/// What a verb is used for, and the command. A test runs each of them.
pub(super) type Example = (&'static str, &'static str);

/// The examples of each verb, and of those below it.
pub(super) const EXAMPLES: &[(&str, &[Example])] = &[
    (
        "new",
        &[
            (
                "an adapter, in which you call your SDK",
                "chatstate new adapter python --out my-adapter",
            ),
            (
                "a case of your own",
                "chatstate new case round-trip/one --op round-trip --type ChatState",
            ),
        ],
    ),
    (
        "new adapter",
        &[(
            "in a folder of your own",
            "chatstate new adapter typescript --out sdk-adapter",
        )],
    ),
    (
        "new case",
        &[(
            "from a document that went wrong",
            "chatstate new case mine/lost --op encode --input chat.json",
        )],
    ),
    (
        "expect",
        &[(
            "list what fails now, and take out what passes",
            "chatstate expect update known.toml -- python3 adapter.py",
        )],
    ),
    (
        "expect update",
        &[
            (
                "with the cases of your own",
                "chatstate expect update known.toml --corpus my-cases -- python3 adapter.py",
            ),
            (
                "fail when the list is out of date",
                "chatstate expect update known.toml --check --from run.jsonl",
            ),
        ],
    ),
    (
        "report",
        &[
            ("what a run came to", "chatstate report show run.jsonl"),
            (
                "fail when something got worse",
                "chatstate report diff --only-worse before.jsonl run.jsonl",
            ),
        ],
    ),
    (
        "report show",
        &[(
            "two runs side by side, as a page",
            "chatstate report show --report html=page.html before.jsonl run.jsonl",
        )],
    ),
    (
        "report diff",
        &[(
            "what is other than in an earlier run",
            "chatstate report diff before.jsonl run.jsonl",
        )],
    ),
    (
        "report verify",
        &[(
            "before you believe what a report claims",
            "chatstate report verify run.jsonl",
        )],
    ),
    (
        "report merge",
        &[(
            "what two machines ran with `--shard 1/2` and `--shard 2/2`",
            "chatstate report merge --report jsonl=whole.jsonl first.jsonl second.jsonl",
        )],
    ),
    (
        "test",
        &[
            (
                "with cases of your own beside the corpus",
                "chatstate test --corpus my-cases -- python3 adapter.py",
            ),
            (
                "show what fails",
                "chatstate test --suite round-trip -- python3 adapter.py",
            ),
            (
                "write a page",
                "chatstate test --report html=run.html -- python3 adapter.py",
            ),
            (
                "run conformance data of AG-UI",
                "chatstate test --fixtures hello.json -- python3 adapter.py",
            ),
        ],
    ),
    (
        "fuzz",
        &[
            (
                "look for what no case has",
                "chatstate fuzz --op replay --cases 50 -- python3 adapter.py",
            ),
            (
                "hold an SDK to its own answers",
                "chatstate fuzz --laws --cases 50 -- python3 adapter.py",
            ),
        ],
    ),
    (
        "interop",
        &[(
            "what one SDK loses of another",
            "chatstate interop -- python3 adapter.py -- python3 other.py",
        )],
    ),
    (
        "explain",
        &[
            (
                "what a failure of a run is about",
                "chatstate explain replay.messages-snapshot",
            ),
            (
                "what a class of differences means",
                "chatstate explain number-rounded",
            ),
        ],
    ),
    (
        "verify",
        &[
            ("one log", "chatstate verify events.jsonl"),
            ("every log in a folder", "chatstate verify logs"),
            (
                "what another program writes",
                "cat events.jsonl | chatstate verify --json",
            ),
        ],
    ),
    (
        "replay",
        &[
            (
                "the messages and the state at the end",
                "chatstate replay events.jsonl",
            ),
            (
                "as people read it, at the end of a run",
                "chatstate replay --format text --at r1 events.jsonl",
            ),
        ],
    ),
    (
        "compact",
        &[
            (
                "join deltas, and keep every item",
                "chatstate compact events.jsonl --output smaller.jsonl",
            ),
            (
                "keep the results of finished runs",
                "chatstate compact --level snapshot events.jsonl > smallest.jsonl",
            ),
        ],
    ),
    (
        "attach",
        &[(
            "what a client needs that joins now",
            "chatstate attach events.jsonl > prelude.jsonl",
        )],
    ),
    (
        "lineage",
        &[
            ("the runs as a tree", "chatstate lineage events.jsonl"),
            (
                "as a graph",
                "chatstate lineage --format dot events.jsonl > runs.dot",
            ),
            (
                "the events of one branch as a log of its own",
                "chatstate lineage --branch r1 events.jsonl > branch.jsonl",
            ),
        ],
    ),
    (
        "validate",
        &[
            (
                "a saved chat, with what may be a typing error",
                "chatstate validate --strict chat.json",
            ),
            (
                "all documents in a folder, as chats",
                "chatstate validate --type ChatState saved",
            ),
            (
                "an event from another program",
                "head -n 1 events.jsonl | chatstate validate --type Event",
            ),
        ],
    ),
    (
        "canonicalize",
        &[(
            "the same text for equal documents",
            "chatstate canonicalize chat.json | sha256sum",
        )],
    ),
    (
        "diff",
        &[
            (
                "what a program lost",
                "chatstate diff --type ChatState chat.json saved.json",
            ),
            (
                "two logs, one from a pipe",
                "chatstate compact events.jsonl | chatstate diff events.jsonl -",
            ),
        ],
    ),
    (
        "convert",
        &[
            (
                "to the form of an SDK",
                "chatstate convert --to semantic-kernel-python chat.json",
            ),
            (
                "from a form that is named",
                "chatstate convert --from canonical --to ag-ui chat.json",
            ),
        ],
    ),
    (
        "restore",
        &[(
            "into the chat that `target.json` describes",
            "chatstate restore --target target.json chat.json",
        )],
    ),
    (
        "encode",
        &[("and back", "chatstate encode chat.json | chatstate decode")],
    ),
    (
        "decode",
        &[(
            "to read what is in it",
            "chatstate decode encoded.json --output plain.json",
        )],
    ),
    (
        "seal",
        &[(
            "and verify it",
            "chatstate seal --key-file key chat.json | chatstate unseal --key-file key",
        )],
    ),
    (
        "unseal",
        &[(
            "only say whether it was changed",
            "chatstate unseal --key-file key --check sealed.json",
        )],
    ),
    (
        "generate",
        &[
            (
                "types of your own schema, in four languages",
                "chatstate generate all --schema order.schema.json --out types",
            ),
            (
                "fail when they are out of date",
                "chatstate generate all --schema order.schema.json --out types --check",
            ),
            (
                "declarations of the types and nothing else",
                "chatstate generate all --schema order.schema.json --out stubs --only types",
            ),
            (
                "the skeleton of an adapter",
                "chatstate generate adapter typescript --out adapter",
            ),
        ],
    ),
    (
        "list",
        &[(
            "the cases of a requirement",
            "chatstate list --requirement replay.messages-snapshot",
        )],
    ),
    ("show", &[("one case", "chatstate show replay/snapshot")]),
    (
        "copy",
        &[("to read the cases as files", "chatstate copy corpus")],
    ),
    (
        "lint",
        &[("and see what no case touches", "chatstate lint --coverage")],
    ),
    (
        "selftest",
        &[(
            "whether the cases find one defect",
            "chatstate selftest --only drop-unknown-member",
        )],
    ),
    (
        "completions",
        &[("for bash", "chatstate completions bash > chatstate.bash")],
    ),
    (
        "man",
        &[("the pages of all verbs", "chatstate man --out man")],
    ),
];
