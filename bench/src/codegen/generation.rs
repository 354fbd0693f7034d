//! How fast code is generated: all four languages, beside quicktype in the same run.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::figure::Measured;
use crate::peer::PeerPackages;
use crate::{BenchSubject, process};

/// How often each thing is measured; the fastest counts, since nothing makes a program faster than
/// it is.
const ROUNDS: usize = 9;

/// How often the peer is measured, which takes seconds.
const PEER_ROUNDS: usize = 3;

/// The definitions of the large schema, at least.
const LARGE: usize = 600;

/// What quicktype calls the four languages.
const PEER_LANGUAGES: [&str; 4] = ["csharp", "python", "rust", "typescript"];

/// The figures of generating code.
pub fn measure(subject: BenchSubject<'_>) -> Result<Vec<Measured>, String> {
    let bench = Generation::new(subject)?;
    let own = bench.fastest(&[])?;
    let large = bench.large_schema()?;
    let large_path = large.path.display().to_string();
    let of_large = bench.fastest(&["--schema", &large_path, "--name", "large"])?;
    let peak = process::peak(&mut bench.command(&[]), &bench.log())?;
    bench.remove_out()?;
    let peer = bench.peer(subject.workspace)?;
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    let figure = |id, value, peer: String| Measured { id, value, peer };
    Ok(vec![
        figure(
            "generate",
            milliseconds(own),
            "the fastest of several runs".to_owned(),
        ),
        #[expect(
            clippy::cast_precision_loss,
            reason = "programs have less memory than that"
        )]
        figure(
            "generate-memory",
            peak as f64,
            "the most at once".to_owned(),
        ),
        figure(
            "generate-large",
            milliseconds(of_large),
            format!("{} definitions", large.definitions),
        ),
        figure(
            "generate-peer",
            peer.as_secs_f64() / own.as_secs_f64(),
            format!("{:.0} ms / {:.1} ms", milliseconds(peer), milliseconds(own)),
        ),
    ])
}

/// A schema in a file.
struct Large {
    path: PathBuf,
    definitions: usize,
}

struct Generation {
    program: PathBuf,
    folder: PathBuf,
    /// How often was generated so far.
    runs: Cell<usize>,
    schemas: Vec<Value>,
}

impl Generation {
    fn new(subject: BenchSubject<'_>) -> Result<Self, String> {
        let folder = subject.workspace.join("target/bench/generation");
        fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot make `{}`: {error}", folder.display()))?;
        let bench = Self {
            program: subject.program.to_owned(),
            folder,
            runs: Cell::new(0),
            schemas: schemas(&subject.workspace.join("schema/v1"))?,
        };
        bench.remove_out()?;
        Ok(bench)
    }

    fn log(&self) -> PathBuf {
        self.folder.join("log")
    }

    /// Generates all languages into a folder of its own. Nothing is removed between two runs: some
    /// file systems look for a long while at what was removed just now before they make a file.
    fn command(&self, more: &[&str]) -> Command {
        let run = self.runs.get();
        self.runs.set(run + 1);
        let out = self.out().join(run.to_string());
        let mut command = Command::new(&self.program);
        command
            .args(["generate", "all", "--out"])
            .arg(out)
            .args(more);
        command
    }

    /// Where the runs write to.
    fn out(&self) -> PathBuf {
        self.folder.join("out")
    }

    fn remove_out(&self) -> Result<(), String> {
        let out = self.out();
        if out.exists() {
            fs::remove_dir_all(&out)
                .map_err(|error| format!("cannot remove `{}`: {error}", out.display()))?;
        }
        Ok(())
    }

    fn fastest(&self, more: &[&str]) -> Result<Duration, String> {
        let mut fastest = Duration::MAX;
        for _ in 0..ROUNDS {
            let run = process::run(&mut self.command(more), &self.log())?;
            fastest = fastest.min(run.wall);
        }
        Ok(fastest)
    }

    /// The definitions of our schema again and again, each time under other names.
    fn large_schema(&self) -> Result<Large, String> {
        let mut definitions = Map::new();
        for letter in 'A'..='Z' {
            for (name, definition) in self.definitions() {
                definitions.insert(format!("{name}{letter}"), renamed(definition, letter));
            }
            if definitions.len() >= LARGE {
                break;
            }
        }
        let count = definitions.len();
        let path = self.write("large.json", &json!({ "$defs": definitions }))?;
        Ok(Large {
            path,
            definitions: count,
        })
    }

    /// Quicktype for the same four languages, one after the other. It needs one schema with a member
    /// for each root.
    fn peer(&self, workspace: &Path) -> Result<Duration, String> {
        let roots = self
            .schemas
            .iter()
            .filter_map(|schema| schema["x-roots"].as_array());
        let members: Map<String, Value> = roots
            .flatten()
            .filter_map(Value::as_str)
            .map(|root| {
                (
                    root.to_owned(),
                    json!({ "$ref": format!("#/$defs/{root}") }),
                )
            })
            .collect();
        let definitions: BTreeMap<_, _> = self.definitions().collect();
        let schema = json!({ "type": "object", "properties": members, "$defs": definitions });
        let path = self.write("peer.json", &schema)?;
        let peer = PeerPackages::install(workspace)?;
        let mut fastest = Duration::MAX;
        for _ in 0..PEER_ROUNDS {
            let mut total = Duration::ZERO;
            for language in PEER_LANGUAGES {
                let mut command = peer.program("quicktype");
                command.args([
                    "--src-lang",
                    "schema",
                    "--top-level",
                    "All",
                    "--lang",
                    language,
                    "--src",
                ]);
                command
                    .arg(&path)
                    .arg("--out")
                    .arg(self.folder.join(language));
                total += process::run(&mut command, &self.log())?.wall;
            }
            fastest = fastest.min(total);
        }
        Ok(fastest)
    }

    fn definitions(&self) -> impl Iterator<Item = (&String, &Value)> {
        let all = self
            .schemas
            .iter()
            .filter_map(|schema| schema["$defs"].as_object());
        all.flatten()
    }

    fn write(&self, name: &str, schema: &Value) -> Result<PathBuf, String> {
        let path = self.folder.join(name);
        fs::write(&path, schema.to_string())
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        Ok(path)
    }
}

/// The schema files of a folder.
fn schemas(folder: &Path) -> Result<Vec<Value>, String> {
    let failed =
        |error: &dyn std::fmt::Display| format!("cannot read `{}`: {error}", folder.display());
    let mut schemas = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(&error))? {
        let path = entry.map_err(|error| failed(&error))?.path();
        let text = fs::read_to_string(path).map_err(|error| failed(&error))?;
        schemas.push(serde_json::from_str(&text).map_err(|error| failed(&error))?);
    }
    Ok(schemas)
}

/// A schema whose references lead to the definitions with that letter.
fn renamed(schema: &Value, letter: char) -> Value {
    match schema {
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| match value {
                Value::String(target) if name == "$ref" => {
                    (name.clone(), json!(format!("{target}{letter}")))
                }
                value => (name.clone(), renamed(value, letter)),
            });
            Value::Object(members.collect())
        }
        Value::Array(items) => items.iter().map(|item| renamed(item, letter)).collect(),
        other => other.clone(),
    }
}
