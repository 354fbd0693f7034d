//! Logs in several files: folders, patterns, compressed logs, and those that break off.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const RUN: &str = concat!(
    r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
    "\n",
    r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
    "\n"
);

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

/// The exit code, stdout and stderr of a call.
fn call(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chatstate"));
    let output = command.args(arguments).current_dir(folder).output();
    let output = output.expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    let code = output.status.code().expect("an exit code");
    (code, text(output.stdout), text(output.stderr))
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("logs/deep");
    fs::create_dir_all(&place).expect("a folder");
    let logs = folder.path().join("logs");
    let zstandard = zstd::encode_all(RUN.as_bytes(), 1).expect("memory");
    let files: [(&str, Vec<u8>); 8] = [
        ("a.jsonl", RUN.into()),
        (
            "b.jsonl.gz",
            [gzip(RUN), gzip(&RUN.replace("\"r\"", "\"s\""))].concat(),
        ),
        ("c.ndjson.zst", zstandard.clone()),
        ("deep/d.jsonl", RUN[..70].into()),
        ("deep/e.jsonl", format!("{RUN}nonsense\nnor this\n").into()),
        ("f.snapshot.json", "{}".into()),
        (".hidden.jsonl", "nonsense".into()),
        ("deep/g.jsonl.zst", zstandard[..zstandard.len() - 4].into()),
    ];
    for (name, bytes) in files {
        fs::write(logs.join(name), bytes).expect("a file");
    }
    folder
}

#[test]
fn each_log_of_a_folder_has_a_line() {
    let folder = folder();
    let (code, lines, counts) = call(folder.path(), &["verify", "logs", "--jobs", "2"]);
    let expected = "valid    logs/a.jsonl: 2 events\n\
        valid    logs/b.jsonl.gz: 4 events\n\
        valid    logs/c.ndjson.zst: 2 events\n\
        torn     logs/deep/d.jsonl: breaks off in line 2\n\
        invalid  logs/deep/e.jsonl:3:1 (byte 101): not JSON: expected a value, but there is `n` \
        (column 1 of the event) (and 1 more)\n\
        torn     logs/deep/g.jsonl.zst: breaks off\n";
    assert_eq!((code, lines.as_str()), (1, expected));
    assert_eq!(counts, "6 logs: 3 valid, 1 invalid, 2 torn\n");
    let (_, _, counts) = call(folder.path(), &["verify", "logs/*.gz"]);
    assert_eq!(counts, "1 log: 1 valid\n");
}

#[test]
fn the_json_of_several_logs_is_one_document() {
    let folder = folder();
    let arguments = [
        "verify",
        "--json",
        "logs/a.jsonl",
        "none.jsonl",
        "logs/deep/*.jsonl",
    ];
    let (code, text, _) = call(folder.path(), &arguments);
    let document: serde_json::Value = serde_json::from_str(&text).expect("a document");
    let verdicts: Vec<_> = document["logs"].as_array().expect("logs").iter().collect();
    let valid: Vec<_> = verdicts.iter().map(|it| it["valid"].as_bool()).collect();
    assert_eq!(code, 2);
    assert_eq!(document["valid"], false);
    assert_eq!(valid, [Some(true), Some(false), Some(false), Some(false)]);
    assert_eq!(verdicts[1]["error"], "cannot read `none.jsonl`");
    assert_eq!(verdicts[2]["torn"]["byte"], 50);
    assert_eq!(verdicts[3]["errors"][1]["line"], 4);
}

#[test]
fn a_folder_without_logs_is_wrong_usage() {
    let folder = tempfile::tempdir().expect("a folder");
    let (code, text, said) = call(folder.path(), &["verify", "--json", "."]);
    assert_eq!(code, 2);
    assert!(text.starts_with("{\"valid\":false,\"error\":"), "{text}");
    assert!(said.contains("there is no log in `.`"), "{said}");
}

/// Each verb for logs reads compressed ones, and takes the same of one that breaks off.
#[test]
fn compressed_logs_are_read_by_every_verb() {
    let folder = folder();
    for verb in ["verify", "replay", "compact", "attach", "lineage"] {
        let plain = call(folder.path(), &[verb, "logs/a.jsonl"]);
        let zstandard = call(folder.path(), &[verb, "logs/c.ndjson.zst"]);
        assert_eq!((plain.0, &plain.1), (zstandard.0, &zstandard.1), "{verb}");
        let (code, _, said) = call(folder.path(), &[verb, "logs/deep/g.jsonl.zst"]);
        assert_eq!(code, 1, "{verb}");
        assert!(said.contains("breaks off"), "{verb}: {said}");
        fs::write(
            folder.path().join("bad.gz"),
            [&gzip(RUN)[..12], b"damaged, all of it"].concat(),
        )
        .expect("a file");
        let (code, _, said) = call(folder.path(), &[verb, "bad.gz"]);
        assert_eq!(code, 2, "{verb}: {said}");
        assert!(
            said.contains("cannot decompress `bad.gz`"),
            "{verb}: {said}"
        );
    }
}

/// What comes from stdin is told with its places, however large it is.
#[test]
fn stdin_has_places_too() {
    let run = |index: usize| RUN.replace("\"r\"", &format!("\"r{index}\""));
    let large: String = (0..11_000).map(run).collect();
    for (log, line) in [(RUN, 3), (large.as_str(), 22_001)] {
        let log = format!("{log}nonsense\n");
        for verb in ["verify", "replay", "compact", "attach", "lineage"] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_chatstate"));
            command
                .arg(verb)
                .stdin(Stdio::piped())
                .stdout(Stdio::null());
            let mut child = command.stderr(Stdio::piped()).spawn().expect("a start");
            let mut pipe = child.stdin.take().expect("a pipe");
            // A verb that has found the line may stop reading.
            let _ = pipe.write_all(log.as_bytes());
            drop(pipe);
            let output = child.wait_with_output().expect("an end");
            let said = String::from_utf8_lossy(&output.stderr);
            let place = format!("stdin:{line}:1 (byte {})", log.len() - 9);
            assert!(said.contains(&place), "{verb}: {said}");
        }
    }
}
