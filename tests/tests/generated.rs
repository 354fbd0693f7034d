//! What is checked in is what is generated, and a difference is reported with what to do.

use std::fs;
use std::path::Path;
use std::process::Command;

use chatstate_tests::program::{FinishedProgram, finish, xtask_program};
use chatstate_tests::workspace;
use tempfile::TempDir;

/// The files that generated files are made of, and these themselves.
const FILES: [&str; 7] = [
    "SPEC.md",
    "corpus",
    "crates/types/src/generated",
    "docs/traceability.md",
    "generators/rust/tests",
    "packages",
    "schema",
];

const TYPES: &str = "crates/types/src/generated/event.rs";
const CSHARP: &str = "packages/dotnet/src/Chatstate/Generated/Event/RunStartedEvent.cs";
const PYTHON: &str = "packages/python/src/chatstate/generated/models.py";
const TYPESCRIPT: &str = "packages/typescript/src/generated/types.ts";

#[test]
fn nothing_has_drifted() {
    let check = codegen(workspace::root(), true);
    assert!(check.code == 0, "{}", check.stderr);
}

/// One way to let a copy of the files drift.
struct Drift {
    file: &'static str,
    /// The change: what to replace by what. Nothing to replace appends, and no pair removes the file.
    change: Option<(&'static str, &'static str)>,
    /// The file that has to be named.
    named: &'static str,
}

const DRIFTS: &[Drift] = &[
    Drift {
        file: TYPES,
        change: Some(("pub struct RunStarted", "pub struct RunBegun")),
        named: TYPES,
    },
    Drift {
        file: TYPES,
        change: None,
        named: TYPES,
    },
    Drift {
        file: "crates/types/src/generated/left_over.rs",
        change: Some(("", "//! Nothing writes this file any more.\n")),
        named: "left_over.rs",
    },
    Drift {
        file: CSHARP,
        change: Some(("class", "struct")),
        named: CSHARP,
    },
    Drift {
        file: PYTHON,
        change: Some(("class Event", "class Events")),
        named: PYTHON,
    },
    Drift {
        file: TYPESCRIPT,
        change: None,
        named: TYPESCRIPT,
    },
    Drift {
        file: "packages/typescript/src/generated/left-over.ts",
        change: Some(("", "export {};\n")),
        named: "left-over.ts",
    },
    Drift {
        file: "schema/v1/event.schema.json",
        change: Some(("\"description\": \"", "\"description\": \"Changed. ")),
        named: TYPES,
    },
    Drift {
        file: "schema/v1/event.schema.json",
        change: Some(("\"description\": \"", "\"description\": \"Changed. ")),
        named: PYTHON,
    },
    Drift {
        file: "schema/v1/event.schema.json",
        change: Some(("            \"RUN_STARTED\",\n", "")),
        named: "schema/v1/event.schema.json",
    },
    Drift {
        file: "schema/kit/report.schema.json",
        change: Some(("\"Report\"", "\"Result\"")),
        named: "schema/kit/report.schema.json",
    },
    Drift {
        file: "schema/kit/view.schema.json",
        change: Some(("\"Views\"", "\"Data\"")),
        named: "schema/kit/view.schema.json",
    },
    Drift {
        file: "docs/traceability.md",
        change: Some(("tested", "not tested")),
        named: "docs/traceability.md",
    },
    Drift {
        file: "SPEC.md",
        change: Some(("", "\n**[json.new]** An implementation MUST be new.\n")),
        named: "docs/traceability.md",
    },
    Drift {
        file: "corpus/round-trip/identifiers.json",
        change: None,
        named: "docs/traceability.md",
    },
];

#[test]
fn drift_is_named() {
    let copy = copied();
    let copy = copy.path();
    let mended = codegen(copy, false);
    assert_eq!(mended.code, 0, "{}", mended.stderr);
    for drift in DRIFTS {
        check(copy, drift);
    }
    let left = codegen(copy, true);
    assert_eq!(left.code, 0, "{}", left.stderr);
}

#[test]
fn drift_is_mended() {
    let copy = copied();
    fs::remove_file(copy.path().join(TYPES)).unwrap();
    fs::write(copy.path().join("docs/traceability.md"), "nothing").unwrap();
    for check in [false, true] {
        let finished = codegen(copy.path(), check);
        assert_eq!(finished.code, 0, "{}", finished.stderr);
    }
}

/// Makes one change in a copy without drift, looks what is found, and takes the change back.
fn check(copy: &Path, drift: &Drift) {
    let file = drift.file;
    let path = copy.join(file);
    let before = fs::read_to_string(&path).ok();
    change(&path, before.as_deref().unwrap_or_default(), drift);
    let found = codegen(copy, true);
    match before {
        Some(text) => fs::write(&path, text).unwrap(),
        None => fs::remove_file(&path).unwrap(),
    }
    assert_eq!(found.code, 1, "nothing was found wrong with `{file}`");
    for words in [drift.named, "cargo xtask codegen"] {
        let said = &found.stderr;
        assert!(
            said.contains(words),
            "`{file}` has drifted, and it says: {said}"
        );
    }
}

fn change(path: &Path, before: &str, drift: &Drift) {
    match drift.change {
        None => fs::remove_file(path).unwrap(),
        Some(("", more)) => fs::write(path, format!("{before}{more}")).unwrap(),
        Some((old, new)) => {
            assert!(before.contains(old), "`{}` has no `{old}`", drift.file);
            fs::write(path, before.replacen(old, new, 1)).unwrap();
        }
    }
}

/// Runs the task in this workspace, which it knows from the folder of its own package.
fn codegen(workspace: &Path, check: bool) -> FinishedProgram {
    let mut command = Command::new(xtask_program());
    command
        .arg("codegen")
        .env("CARGO_MANIFEST_DIR", workspace.join("xtask"));
    if check {
        command.arg("--check");
    }
    finish(command, b"")
}

fn copied() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in workspace::tracked_files() {
        if FILES
            .iter()
            .any(|wanted| Path::new(&name).starts_with(wanted))
        {
            let path = folder.path().join(&name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::copy(workspace::path(&name), path).unwrap();
        }
    }
    folder
}
