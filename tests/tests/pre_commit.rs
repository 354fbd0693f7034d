//! The hook for `pre-commit`: what its entry does with the files of a commit.

use std::path::{Path, PathBuf};
use std::process::Command;

use chatstate_tests::program::chatstate_program;
use chatstate_tests::workspace;
use regex::Regex;

const CHAT: &str = r#"{"history":[],"participants":[],"channels":[]}"#;
const NO_CHAT: &str = r#"{"history":3,"channels":[]}"#;

/// A commit, and what comes of it.
struct Commit {
    /// Names of files, and what is in them.
    files: &'static [(&'static str, &'static str)],
    code: i32,
    /// The file that the hook names.
    named: &'static str,
}

const COMMITS: &[Commit] = &[
    Commit {
        files: &[("a.chat.json", CHAT), ("two words.chat.json", CHAT)],
        code: 0,
        named: "",
    },
    Commit {
        files: &[("a.chat.json", CHAT), ("two words.chat.json", NO_CHAT)],
        code: 1,
        named: "two words.chat.json",
    },
    Commit {
        files: &[
            ("$(touch evaluated).chat.json", NO_CHAT),
            ("b.chat.json", CHAT),
        ],
        code: 1,
        named: "$(touch evaluated).chat.json",
    },
    Commit {
        files: &[("notes.json", NO_CHAT), ("chat.json.txt", NO_CHAT)],
        code: 0,
        named: "",
    },
];

/// What the only hook has at a key.
fn hook(key: &str) -> String {
    let text = workspace::text(".pre-commit-hooks.yaml");
    let pattern = Regex::new(&format!(r"(?m)^  {key}: (.+)$")).expect("a pattern of this test");
    let found = pattern.captures(&text);
    found.unwrap_or_else(|| panic!("the hook has no `{key}`"))[1].to_owned()
}

/// `chatstate` under its own name, which the hook looks for on the path.
fn folder_of_program(folder: &Path) -> PathBuf {
    let programs = folder.join("programs");
    std::fs::create_dir(&programs).expect("a new folder");
    let program = programs.join("chatstate");
    std::fs::hard_link(chatstate_program(), &program)
        .or_else(|_| std::fs::copy(chatstate_program(), &program).map(|_| ()))
        .expect("the program is there");
    programs
}

#[test]
#[cfg(unix)]
fn chats_of_a_commit_are_checked() {
    let files_of_hook = Regex::new(&hook("files")).expect("a pattern");
    assert_eq!(hook("language"), "system");
    for Commit { files, code, named } in COMMITS {
        let folder = tempfile::tempdir().expect("a folder");
        let programs = folder_of_program(folder.path());
        for (name, text) in *files {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        // What pre-commit does: the entry, and after it the files that the pattern takes.
        let chosen = files.iter().map(|(name, _)| name);
        let chosen: Vec<_> = chosen.filter(|name| files_of_hook.is_match(name)).collect();
        if chosen.is_empty() {
            // Pre-commit skips a hook that has no files.
            assert_eq!(*code, 0, "{files:?}");
            continue;
        }
        let path = std::env::var("PATH").unwrap_or_default();
        let ran = Command::new("sh")
            .args(["-c", &format!("{} \"$@\"", hook("entry")), "sh"])
            .args(chosen)
            .current_dir(folder.path())
            .env("PATH", format!("{}:{path}", programs.display()))
            .output()
            .expect("a shell");
        let said = [ran.stdout, ran.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert_eq!(ran.status.code(), Some(*code), "{files:?}: {said}");
        assert!(said.contains(named), "`{named}` is not in: {said}");
        assert!(!folder.path().join("evaluated").exists(), "{files:?}");
    }
}
