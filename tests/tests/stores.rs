//! Do the stores of all packages keep events in one folder: what one language writes, do the others read and append, and is
//! nothing lost when several processes write at once or one is killed?

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use chatstate_tests::package::{DOTNET, LanguagePackage, PYTHON, TYPESCRIPT};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Ids that need care in the names of files.
const IDS: [&str; 8] = [
    "a.b", "é", "user:42", "JOHN", "x/y", "Ümlaut", "con", "thread 1",
];

#[test]
fn what_one_language_writes_the_others_read_and_append() {
    let mut users = users();
    let count = users.len();
    for first in 0..count {
        let folder = TempDir::new().unwrap();
        for id in IDS {
            let mut texts = Vec::new();
            for at in 0..count {
                let user = &mut users[(first + at) % count];
                assert_eq!(user.read(folder.path(), id), texts, "{id}");
                texts.push(user.language.to_owned());
                assert_eq!(user.append(folder.path(), id, 1, 1), json!(texts.len()));
            }
            let owner = &mut users[first];
            owner.ask(&json!({"do": "save", "folder": folder.path(), "thread": id, "text": id}));
        }
        let mut ids = IDS.map(str::to_owned);
        ids.sort();
        for user in &mut users {
            let listed = user.ask(&json!({"do": "list", "folder": folder.path()}));
            assert_eq!(listed, json!(ids), "{}", user.language);
            for id in IDS {
                let load = json!({"do": "load", "folder": folder.path(), "thread": id});
                assert_eq!(user.ask(&load), json!([1, id]), "{}", user.language);
            }
        }
        let files = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(files, 2 * IDS.len(), "each thread has a log and a snapshot");
    }
}

/// Two processes of each language append at once, and each batch is there, whole.
#[test]
fn processes_that_append_at_once_lose_nothing() {
    const TIMES: usize = 60;
    const BATCH: usize = 3;
    let folder = TempDir::new().unwrap();
    let mut writers = users();
    writers.extend(users());
    for writer in &mut writers {
        let step = append(folder.path(), "t", writer.language, TIMES, BATCH);
        writer.send(&step);
    }
    for writer in &mut writers {
        let position = writer.answer();
        assert!(position.is_u64(), "{}: {position}", writer.language);
    }
    let mut expected = BTreeMap::new();
    for writer in &writers {
        *expected.entry(writer.language.to_owned()).or_insert(0) += TIMES;
    }
    for reader in &mut writers {
        let texts = reader.read(folder.path(), "t");
        let mut found = BTreeMap::new();
        for batch in texts.chunks(BATCH) {
            assert!(batch.iter().all(|text| *text == batch[0]), "{batch:?}");
            *found.entry(batch[0].clone()).or_insert(0) += 1;
        }
        assert_eq!(found, expected, "as {} reads them", reader.language);
    }
    assert_only_log(folder.path());
}

/// A writer is killed while it writes. Its batches are there as wholes, and others go on without help.
#[cfg(unix)]
#[test]
fn of_a_writer_that_is_killed_each_batch_is_there_or_none_of_it() {
    const BATCH: usize = 20_000;
    for victim in users() {
        let folder = TempDir::new().unwrap();
        kill_while_it_appends(victim, folder.path(), BATCH);
        for mut user in users() {
            let before = user.read(folder.path(), "t").len();
            let others = before % BATCH;
            assert_eq!(
                user.append(folder.path(), "t", 1, 1),
                json!(before + 1),
                "{before}"
            );
            let texts = user.read(folder.path(), "t");
            assert_eq!(
                texts.len() % BATCH,
                others + 1,
                "as {} reads",
                user.language
            );
        }
        assert_only_log(folder.path());
    }
}

/// Has a process append large batches, and kills it when part of one is in the log.
fn kill_while_it_appends(mut victim: User, folder: &Path, batch: usize) {
    victim.send(&append(folder, "t", victim.language, 1_000, batch));
    let writer = loop {
        let Ok(lock) = fs::read_to_string(folder.join("t.lock")) else {
            continue;
        };
        let Some((owner, Some(before))) = held(&lock) else {
            continue;
        };
        let log = fs::metadata(folder.join("t.jsonl"));
        if log.is_ok_and(|log| log.len() > before) {
            break owner;
        }
    };
    // The process that writes may have been started by the one that was started here.
    let killed = Command::new("kill").args(["-9", &writer]).status().unwrap();
    assert!(killed.success());
    victim.end();
}

/// The process that a lock names, and the length that it says.
fn held(lock: &str) -> Option<(String, Option<u64>)> {
    let lines: Result<Vec<Value>, _> = lock.lines().map(serde_json::from_str).collect();
    let lines = lines.ok()?;
    let length = lines.get(1).and_then(|line| line["length"].as_u64());
    Some((lines.first()?["pid"].to_string(), length))
}

fn assert_only_log(folder: &Path) {
    let names = fs::read_dir(folder).unwrap();
    let names: Vec<_> = names.map(|file| file.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| name == "t.jsonl"), "{names:?}");
}

/// One process for each package that can run here.
fn users() -> Vec<User> {
    let packages = [PYTHON, TYPESCRIPT, DOTNET];
    let packages = packages.iter().filter(|package| package.can_run());
    packages.map(User::start).collect()
}

fn append(folder: &Path, thread: &str, text: &str, times: usize, batch: usize) -> Value {
    json!({"do": "append", "folder": folder, "thread": thread, "text": text, "times": times, "batch": batch})
}

/// A process that uses stores.
struct User {
    language: &'static str,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl User {
    fn start(package: &LanguagePackage) -> Self {
        let mut command = package.command();
        command.arg("stores");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self {
            language: package.language,
            child,
            input,
            output,
        }
    }

    fn send(&mut self, step: &Value) {
        writeln!(self.input, "{step}").unwrap();
    }

    fn answer(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("{}: `{line}`", self.language))
    }

    fn ask(&mut self, step: &Value) -> Value {
        self.send(step);
        self.answer()
    }

    fn append(&mut self, folder: &Path, thread: &str, times: usize, batch: usize) -> Value {
        self.ask(&append(folder, thread, self.language, times, batch))
    }

    fn read(&mut self, folder: &Path, thread: &str) -> Vec<String> {
        let read = self.ask(&json!({"do": "read", "folder": folder, "thread": thread}));
        serde_json::from_value(read.clone()).unwrap_or_else(|_| panic!("{}: {read}", self.language))
    }

    /// Waits for a process that was killed.
    fn end(mut self) {
        drop(self.input);
        self.child.wait().unwrap();
    }
}
