//! An adapter that answers everything the same way gets no score, and is told why.

use std::fs;

use chatstate_tests::program::chatstate_program;
use chatstate_tests::report;
use serde_json::Value;

/// An adapter that is no implementation, and what it is called.
struct Impostor {
    name: &'static str,
    kind: Kind,
    verdict: &'static str,
    /// What the text report says of it.
    says: &'static str,
}

enum Kind {
    /// A mutant of the reference.
    Mutant(&'static str),
    /// A shell script that declares these capabilities and answers each request like this.
    Script {
        capabilities: &'static str,
        answer: &'static str,
    },
}

const ALL: &str =
    r#""round-trip","validate","canonicalize","channel-key","replay","chat","events""#;

const IMPOSTORS: &[Impostor] = &[
    Impostor {
        name: "a reference that accepts all",
        // Its round trip has nothing else to answer than what it got.
        kind: Kind::Mutant("accept-all"),
        verdict: "echoes-all",
        says: "echoes",
    },
    Impostor {
        name: "a reference that refuses all",
        kind: Kind::Mutant("reject-all"),
        verdict: "refuses-all",
        says: "refuses",
    },
    Impostor {
        name: "a script that declares nothing",
        kind: Kind::Script {
            capabilities: "",
            answer: r#"{"seq":$seq,"unsupported":"no"}"#,
        },
        verdict: "skips-all",
        says: "skips",
    },
    Impostor {
        name: "a script that declares all and supports nothing",
        kind: Kind::Script {
            capabilities: ALL,
            answer: r#"{"seq":$seq,"unsupported":"no"}"#,
        },
        verdict: "skips-all",
        says: "skips",
    },
    Impostor {
        name: "a script that echoes",
        kind: Kind::Script {
            capabilities: ALL,
            answer: r#"{"seq":$seq,"ok":$input}"#,
        },
        verdict: "echoes-all",
        says: "echoes",
    },
    Impostor {
        name: "a script that calls all valid",
        kind: Kind::Script {
            capabilities: r#""validate","chat","events""#,
            answer: r#"{"seq":$seq,"ok":"true"}"#,
        },
        verdict: "accepts-all",
        says: "accepts",
    },
    Impostor {
        name: "a script that refuses all",
        kind: Kind::Script {
            capabilities: ALL,
            answer: r#"{"seq":$seq,"rejected":{"class":"syntax"}}"#,
        },
        verdict: "refuses-all",
        says: "refuses",
    },
    Impostor {
        name: "a script that is lost for words",
        kind: Kind::Script {
            capabilities: ALL,
            answer: "?",
        },
        verdict: "broken",
        says: "not an answer",
    },
];

#[test]
fn impostors_get_no_score() {
    IMPOSTORS.iter().for_each(check);
}

fn check(impostor: &Impostor) {
    let Impostor {
        name,
        kind,
        verdict,
        says,
    } = impostor;
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("adapter.sh");
    let mut arguments = vec!["--".into()];
    match kind {
        Kind::Mutant(id) => {
            arguments.push(chatstate_program().into());
            arguments.extend(["adapter", "--mutant", id].map(Into::into));
        }
        Kind::Script {
            capabilities,
            answer,
        } => {
            fs::write(&script, text_of_script(capabilities, answer)).unwrap();
            arguments.extend(["sh".into(), script.into_os_string()]);
        }
    }
    let run = report::test(arguments);
    assert_eq!(run.finished.code, 1, "{name}: {}", run.finished.stdout);
    assert_eq!(run.report["canary"]["verdict"], *verdict, "{name}");
    assert_eq!(
        run.report["cases"],
        Value::Array(Vec::new()),
        "{name} has a score"
    );
    let said = &run.finished.stdout;
    assert!(said.contains(says), "{name}: {said}");
}

/// The input is the last member of a request, so the script cuts it out without reading JSON.
fn text_of_script(capabilities: &str, answer: &str) -> String {
    format!(
        r#"while read -r line; do
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
      ;;
    *) exit 0 ;;
  esac
done
"#
    )
}
