//! What other kits show green: an adapter that answers everything the same way, mixes its answers up,
//! crashes or hangs now and then. Each is called what it is, and none ends with 0.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use chatstate_tests::program::chatstate_program;
use chatstate_tests::report;

/// An adapter that is no implementation, and what it is called.
struct Impostor {
    name: &'static str,
    kind: Kind,
    /// What the canaries call it; nothing where they pass, and the cases have to tell.
    verdict: Option<&'static str>,
    /// The exit code.
    code: i32,
    /// What the text report says of it.
    says: &'static [&'static str],
}

enum Kind {
    /// A mutant of the reference.
    Mutant(&'static str),
    /// A shell script that declares these capabilities and answers each request like this.
    Script {
        capabilities: &'static str,
        answer: &'static str,
    },
    /// The reference after a shell script that does this with each line of the runner, `$line`,
    /// which is number `$n`. The script is over after `break`, and the adapter ends with status 9.
    Behind(&'static str),
}

const ALL: &str =
    r#""round-trip","validate","canonicalize","channel-key","replay","chat","events""#;

const IMPOSTORS: &[Impostor] = &[
    Impostor {
        name: "a reference that accepts all",
        // Its round trip has nothing else to answer than what it got.
        kind: Kind::Mutant("accept-all"),
        verdict: Some("echoes-all"),
        code: 1,
        says: &["echoes"],
    },
    Impostor {
        name: "a reference that rejects all",
        kind: Kind::Mutant("reject-all"),
        verdict: Some("refuses-all"),
        code: 1,
        says: &["rejects"],
    },
    Impostor {
        name: "a script that declares nothing",
        kind: Kind::Script {
            capabilities: "",
            answer: r#"{"seq":$seq,"unsupported":"no"}"#,
        },
        verdict: Some("skips-all"),
        code: 1,
        says: &["skips"],
    },
    Impostor {
        name: "a script that declares all and supports nothing",
        kind: Kind::Script {
            capabilities: ALL,
            answer: r#"{"seq":$seq,"unsupported":"no"}"#,
        },
        verdict: Some("skips-all"),
        code: 1,
        says: &["skips"],
    },
    Impostor {
        name: "a script that echoes",
        kind: Kind::Script {
            capabilities: ALL,
            answer: r#"{"seq":$seq,"ok":$input}"#,
        },
        verdict: Some("echoes-all"),
        code: 1,
        says: &["echoes"],
    },
    Impostor {
        name: "a script that calls all valid",
        kind: Kind::Script {
            capabilities: r#""validate","chat","events""#,
            answer: r#"{"seq":$seq,"ok":"true"}"#,
        },
        verdict: Some("accepts-all"),
        code: 1,
        says: &["accepts"],
    },
    Impostor {
        name: "a script that rejects all",
        kind: Kind::Script {
            capabilities: ALL,
            answer: r#"{"seq":$seq,"rejected":{"class":"syntax"}}"#,
        },
        verdict: Some("refuses-all"),
        code: 1,
        says: &["rejects"],
    },
    Impostor {
        name: "a script that is lost for words",
        kind: Kind::Script {
            capabilities: ALL,
            answer: "?",
        },
        verdict: Some("broken"),
        code: 1,
        says: &["not an answer"],
    },
    Impostor {
        name: "a script that answers with what came before",
        kind: Kind::Script {
            capabilities: ALL,
            answer: r#"{"seq":$seq,"ok":$last}"#,
        },
        verdict: Some("mixes-up"),
        code: 1,
        says: &["mixes up"],
    },
    Impostor {
        name: "a reference that answers the request before",
        kind: Kind::Behind(
            r#"seq=${line#*'"seq":'}; rest=${seq#*,}; seq=${seq%%,*}
            case $line in *'"seq":'*) line="{\"cmd\":\"run\",\"seq\":$seq,${last:-$rest}"; last=$rest;; esac"#,
        ),
        verdict: Some("mixes-up"),
        code: 1,
        says: &["mixes up"],
    },
    Impostor {
        name: "a reference that answers a request that was not made",
        kind: Kind::Mutant("protocol-answers-another"),
        verdict: Some("broken"),
        code: 1,
        says: &["an answer with a `seq` that was never sent"],
    },
    Impostor {
        name: "a reference that answers twice",
        kind: Kind::Mutant("protocol-answers-twice"),
        verdict: Some("broken"),
        code: 1,
        says: &["a second answer to the same `seq`"],
    },
    Impostor {
        name: "a reference that never answers",
        kind: Kind::Behind(r"case $line in *start*) ;; *) sleep 600 ;; esac"),
        verdict: Some("broken"),
        code: 1,
        says: &["no answer within 5000 ms"],
    },
    Impostor {
        name: "a reference that crashes at once",
        kind: Kind::Behind(r"case $line in *start*) ;; *) break ;; esac"),
        verdict: Some("broken"),
        code: 1,
        says: &["the adapter exited with status 9"],
    },
    // From here on the canaries pass, since they are few.
    Impostor {
        name: "a reference that crashes now and then",
        kind: Kind::Behind(r"[ $n -lt 60 ] || break"),
        verdict: None,
        code: 3,
        says: &[
            "the adapter exited with status 9",
            "incomplete: 5 cases crashed the adapter, hung it or broke the protocol",
        ],
    },
    Impostor {
        name: "a reference that hangs now and then",
        kind: Kind::Behind(r"[ $n -lt 60 ] || sleep 600"),
        verdict: None,
        code: 3,
        says: &["no answer within 5000 ms"],
    },
];

#[test]
fn no_impostor_is_green() {
    // Most of the time is waited for adapters that hang.
    std::thread::scope(|scope| {
        for impostor in IMPOSTORS {
            scope.spawn(move || check(impostor));
        }
    });
}

fn check(impostor: &Impostor) {
    let Impostor {
        name,
        kind,
        verdict,
        code,
        says,
    } = impostor;
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("adapter.sh");
    // Who is waited for is waited for in vain, or has all the time that a busy machine needs.
    let waits = matches!(kind, Kind::Behind(step) if step.contains("sleep"));
    let timeout = if waits { "5" } else { "60" };
    let mut arguments: Vec<OsString> = vec!["--timeout".into(), timeout.into(), "--".into()];
    let program = chatstate_program();
    match kind {
        Kind::Mutant(id) => {
            arguments.push(program.into());
            arguments.extend(["adapter", "--mutant", id].map(Into::into));
        }
        Kind::Script {
            capabilities,
            answer,
        } => {
            fs::write(&script, text_of_script(capabilities, answer)).unwrap();
            arguments.extend(["sh".into(), script.into_os_string()]);
        }
        Kind::Behind(step) => {
            fs::write(&script, text_of_relay(step, program)).unwrap();
            arguments.extend(["sh".into(), script.into_os_string()]);
        }
    }
    let run = report::test(arguments);
    let said = &run.finished.stdout;
    assert_eq!(run.finished.code, *code, "{name}: {said}");
    assert_eq!(run.report["canary"]["verdict"].as_str(), *verdict, "{name}");
    let cases = run.report["cases"].as_array().unwrap();
    assert_eq!(cases.is_empty(), verdict.is_some(), "{name} has a score");
    for words in *says {
        assert!(
            said.contains(words),
            "{name} does not say `{words}`: {said}"
        );
    }
}

/// Hands the lines of the runner to the reference, whose answers go to the runner directly.
fn text_of_relay(step: &str, program: &Path) -> String {
    let program = program.display();
    format!(
        r#"{{ n=0; while IFS= read -r line; do
  n=$((n + 1))
  {step}
  printf '%s\n' "$line"
done; }} | '{program}' adapter
exit 9
"#
    )
}

/// The input is the last member of a request, so the script cuts it out without reading JSON.
fn text_of_script(capabilities: &str, answer: &str) -> String {
    format!(
        r#"last='""'
while read -r line; do
  case $line in
    *'"cmd":"start"'*)
      printf '%s\n' '{{"protocol":1,"implementation":{{"name":"impostor","version":"1","language":"sh"}},"capabilities":[{capabilities}]}}'
      ;;
    *'"cmd":"run"'*)
      seq=${{line#*'"seq":'}}
      seq=${{seq%%,*}}
      input=${{line#*'"input":'}}
      input=${{input%\}}}}
      cat <<ANSWER
{answer}
ANSWER
      last=$input
      ;;
    *) exit 0 ;;
  esac
done
"#
    )
}
