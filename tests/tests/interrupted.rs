//! Is everything there or nothing when writing is interrupted, killed, or cannot be finished?

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use chatstate_tests::program::{chatstate_program, finish};
use tempfile::TempDir;

/// A schema with many types, so that there is something to interrupt.
fn schema(word: &str) -> String {
    let definitions: serde_json::Map<_, _> = (0..40)
        .map(|number| {
            let property = serde_json::json!({(format!("{word}{number}")): {"type": "string"}});
            let definition = serde_json::json!({"type": "object", "properties": property});
            (format!("Type{number}"), definition)
        })
        .collect();
    serde_json::json!({"title": "Many", "$defs": definitions}).to_string()
}

/// Generates all languages into `out` of a folder.
fn generate(folder: &Path, word: &str) -> Command {
    let file = folder.join("many.json");
    fs::write(&file, schema(word)).unwrap();
    let mut command = Command::new(chatstate_program());
    command
        .args(["generate", "all", "--out"])
        .arg(folder.join("out"));
    command.arg("--schema").arg(file);
    command
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                files.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    files
}

/// What is generated from both schemas.
fn expected() -> [BTreeMap<String, String>; 2] {
    ["old", "new"].map(|word| {
        let folder = TempDir::new().unwrap();
        good(generate(folder.path(), word));
        files(&folder.path().join("out"))
    })
}

fn good(command: Command) {
    let finished = finish(command, b"");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
}

/// Starts a command, and sends a signal when its folder for what is not in its place is there.
fn ended(mut command: Command, folder: &Path, signal: &str) -> ExitStatus {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let staging = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries
            .map(|entry| entry.path())
            .find(|path| path.join("in-use").exists())
    };
    while staging(folder).is_none() && child.try_wait().unwrap().is_none() {}
    let sent = Command::new("kill")
        .args([signal, &child.id().to_string()])
        .stderr(Stdio::null())
        .status();
    assert!(sent.is_ok());
    child.wait().unwrap()
}

#[test]
fn files_are_all_old_or_all_new_after_ctrl_c() {
    let [old, new] = expected();
    for signal in ["-INT", "-TERM"] {
        let folder = TempDir::new().unwrap();
        let out = folder.path().join("out");
        for _ in 0..10 {
            good(generate(folder.path(), "old"));
            let status = ended(generate(folder.path(), "new"), &out, signal);
            let found = files(&out);
            assert!(found == old || found == new, "{signal}: {:?}", found.keys());
            assert!(matches!(status.code(), Some(0 | 130)), "{status:?}");
        }
    }
}

#[test]
fn the_next_run_takes_back_what_a_killed_one_had_begun() {
    let [old, new] = expected();
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    for _ in 0..10 {
        good(generate(folder.path(), "old"));
        ended(generate(folder.path(), "new"), &out, "-KILL");
        good(generate(folder.path(), "new"));
        assert_eq!(files(&out), new);
    }
    good(generate(folder.path(), "old"));
    assert_eq!(files(&out), old);
}

/// As a killed run leaves it: one file was replaced, one was added, and one was moved away.
#[test]
fn moves_are_taken_back_one_by_one() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    good(generate(folder.path(), "old"));
    let old = files(&out);
    let left = out.join(".chatstate-left");
    fs::create_dir_all(left.join("old/python")).unwrap();
    fs::create_dir_all(left.join("new/python")).unwrap();
    fs::write(left.join("in-use"), "").unwrap();
    let moves = "-python/README.md\n+python/added.py\n-python/pyproject.toml\n+python/later.py\n";
    fs::write(left.join("moves"), moves).unwrap();
    for name in ["README.md", "pyproject.toml"] {
        let name = format!("python/{name}");
        fs::rename(out.join(&name), left.join("old").join(&name)).unwrap();
    }
    fs::write(out.join("python/README.md"), "new").unwrap();
    fs::write(out.join("python/added.py"), "new").unwrap();
    fs::write(left.join("new/python/pyproject.toml"), "new").unwrap();
    fs::write(left.join("new/python/later.py"), "new").unwrap();
    let finished = finish(generate(folder.path(), "old"), b"");
    assert_eq!(finished.code, 0, "{}", finished.stderr);
    assert!(finished.stdout.contains(": 0 of "), "{}", finished.stdout);
    assert_eq!(files(&out), old);
}

/// What claims to be left by a run leads nowhere else.
#[test]
fn moves_stay_inside_of_the_folder() {
    for path in ["../victim", "link/victim"] {
        let folder = TempDir::new().unwrap();
        let out = folder.path().join("out");
        let left = out.join(".chatstate-left");
        fs::create_dir_all(left.join("old/link")).unwrap();
        fs::write(left.join("in-use"), "").unwrap();
        fs::write(left.join("old/link/victim"), "changed").unwrap();
        fs::write(left.join("victim"), "changed").unwrap();
        fs::write(left.join("moves"), format!("-{path}\n")).unwrap();
        fs::write(folder.path().join("victim"), "kept").unwrap();
        std::os::unix::fs::symlink("..", out.join("link")).unwrap();
        let finished = finish(generate(folder.path(), "new"), b"");
        let victim = fs::read_to_string(folder.path().join("victim")).unwrap();
        assert_eq!(victim, "kept", "{path}");
        assert_ne!(finished.code, 0, "{path}: {}", finished.stdout);
    }
}

/// A limit of the length of files is what a full disk is.
#[test]
fn a_copy_that_cannot_be_finished_leaves_nothing() {
    for exists in [false, true] {
        let folder = TempDir::new().unwrap();
        let out = folder.path().join("copied");
        if exists {
            fs::create_dir(&out).unwrap();
        }
        let mut command = Command::new("sh");
        let line = "trap '' XFSZ; ulimit -f 4; exec \"$0\" copy \"$1\"";
        command
            .args(["-c", line])
            .arg(chatstate_program())
            .arg(&out);
        let finished = finish(command, b"");
        assert_eq!(finished.code, 2, "{}", finished.stderr);
        let left = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, usize::from(exists), "beside the folder");
        if exists {
            assert_eq!(fs::read_dir(&out).unwrap().count(), 0, "in the folder");
        }
    }
}

#[test]
fn a_report_that_cannot_be_written_leaves_the_others_as_they_were() {
    let folder = TempDir::new().unwrap();
    let old = folder.path().join("old");
    fs::write(&old, "old").unwrap();
    let mut command = Command::new(chatstate_program());
    command.args(["test", "--only", "channel-key/*"]);
    command
        .arg("--report")
        .arg(format!("html={}", old.display()));
    command.args(["--report", "jsonl=/nowhere/report"]);
    let finished = finish(command, b"");
    assert_eq!(finished.code, 2, "{}", finished.stdout);
    assert!(
        finished.stderr.contains("cannot write `/nowhere/report`"),
        "{}",
        finished.stderr
    );
    assert_eq!(fs::read_to_string(&old).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// What is no file stays what it is, and a link leads where it did.
#[test]
fn reports_go_through_links_and_into_devices() {
    let folder = TempDir::new().unwrap();
    let (link, place) = (folder.path().join("link"), folder.path().join("report"));
    fs::write(&place, "old").unwrap();
    std::os::unix::fs::symlink("report", &link).unwrap();
    let mut command = Command::new(chatstate_program());
    command.args([
        "test",
        "--only",
        "channel-key/*",
        "--report",
        "json=/dev/null",
    ]);
    command
        .arg("--report")
        .arg(format!("json={}", link.display()));
    good(command);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&place).unwrap().contains("channel-key/"));
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}
