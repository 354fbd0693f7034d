//! One row: its commands on the smaller and the larger input.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::rows::{Cost, HostileInput, HostileRow, RightEnd};
use crate::figure::{Measured, grouped};
use crate::measure::{self, megabytes, milliseconds, of_bytes};
use crate::process::{self, ProcessEnd};

/// How often each command reads each input.
const ROUNDS: usize = 3;

/// A run that takes longer is not repeated: what disturbs it is small beside it.
const LONG: Duration = Duration::from_secs(3);

/// An input in files.
pub struct WrittenInput {
    count: usize,
    files: Vec<PathBuf>,
    bytes: usize,
}

impl WrittenInput {
    /// Writes the input of a row.
    pub fn write(row: &HostileRow, count: usize, folder: &Path) -> Result<Self, String> {
        let (texts, ending) = match (row.input)(count) {
            HostileInput::Log(text) => (vec![text], "jsonl"),
            HostileInput::Documents(texts) => (texts, "json"),
        };
        let mut files = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            let file = folder.join(format!("{}-{count}-{index}.{ending}", row.goal.id));
            std::fs::write(&file, text)
                .map_err(|error| format!("cannot write `{}`: {error}", file.display()))?;
            files.push(file);
        }
        let bytes = texts.iter().map(String::len).sum();
        Ok(Self {
            count,
            files,
            bytes,
        })
    }

    /// The arguments of a command on this input.
    pub fn arguments(&self, command: &[&str]) -> Result<Vec<PathBuf>, String> {
        let argument = |word: &&str| match *word {
            "{0}" => Ok(self.files[0].clone()),
            "{1}" => Ok(self.files[1].clone()),
            "{count}" => Ok(self.count.to_string().into()),
            "{bench}" => {
                std::env::current_exe().map_err(|error| format!("cannot find itself: {error}"))
            }
            word => Ok(word.into()),
        };
        command.iter().map(argument).collect()
    }
}

/// What a command costs on one input.
#[derive(Debug, Clone, Copy)]
struct CommandCosts {
    time: Duration,
    output: u64,
    memory: u64,
}

/// What is measured with, and where it writes.
struct Runner<'a> {
    program: &'a Path,
    folder: &'a Path,
    row: &'a HostileRow,
}

impl Runner<'_> {
    /// Runs a command once; nothing, if it was stopped.
    fn time(&self, command: &[&str], input: &WrittenInput) -> Result<Option<Duration>, String> {
        let arguments = input.arguments(command)?;
        let run = process::bounded(self.program, &arguments, &self.output(), &self.errors())?;
        if run.end == ProcessEnd::Stopped {
            return Ok(None);
        }
        self.expect(command, run.end)?;
        Ok(Some(run.time))
    }

    /// The memory of a command, and how much it writes.
    fn sizes(&self, command: &[&str], input: &WrittenInput) -> Result<[u64; 2], String> {
        let wanted = |cost| self.row.costs.contains(&cost);
        let output = std::fs::metadata(self.output());
        let output = output.map_err(|error| format!("cannot read what was written: {error}"))?;
        let mut memory = 0;
        if wanted(Cost::Memory) || wanted(Cost::MemoryOfInput) {
            let mut started = Command::new(self.program);
            started.args(input.arguments(command)?);
            memory = process::peak_at_any_end(&mut started, &self.output())?;
        }
        Ok([output.len(), memory])
    }

    /// A command that ends otherwise than it should would measure nothing.
    fn expect(&self, command: &[&str], end: ProcessEnd) -> Result<(), String> {
        let right = match (self.row.end, end) {
            (_, ProcessEnd::Succeeded) => true,
            (RightEnd::Found, ProcessEnd::Failed(status)) => status == 1,
            (RightEnd::Limit(rule), ProcessEnd::Failed(_)) => {
                let said = std::fs::read(self.errors());
                let said = said.map_err(|error| format!("cannot read the errors: {error}"))?;
                String::from_utf8_lossy(&said).contains(rule)
            }
            (_, ProcessEnd::Failed(_) | ProcessEnd::Stopped) => false,
        };
        if right {
            return Ok(());
        }
        let (name, id) = (spelled(command), self.row.goal.id);
        Err(format!("{name} of the row `{id}` ended wrong: {end:?}"))
    }

    fn output(&self) -> PathBuf {
        self.folder.join("printed")
    }

    fn errors(&self) -> PathBuf {
        self.folder.join("errors")
    }

    /// What a command costs on each input, each run in turn; nothing, if one was stopped.
    fn costs(
        &self,
        command: &[&str],
        inputs: &[WrittenInput; 2],
    ) -> Result<Option<[CommandCosts; 2]>, String> {
        let mut costs = [CommandCosts {
            time: Duration::MAX,
            output: 0,
            memory: 0,
        }; 2];
        for round in 0..ROUNDS {
            for (input, costs) in inputs.iter().zip(&mut costs) {
                let Some(time) = self.time(command, input)? else {
                    return Ok(None);
                };
                costs.time = costs.time.min(time);
                if round == 0 {
                    [costs.output, costs.memory] = self.sizes(command, input)?;
                }
            }
            if costs[1].time > LONG {
                break;
            }
        }
        Ok(Some(costs))
    }

    /// The worst figure of a command, and what it compares.
    fn worst(&self, command: &[&str], inputs: &[WrittenInput; 2]) -> Result<(f64, String), String> {
        let of = format!(
            "{} on {} and {}",
            spelled(command),
            grouped(inputs[0].count),
            grouped(inputs[1].count)
        );
        let Some(costs) = self.costs(command, inputs)? else {
            return Ok((f64::INFINITY, format!("{of} was stopped")));
        };
        let figures = self
            .row
            .costs
            .iter()
            .map(|cost| figure(*cost, costs, inputs[1].bytes));
        let (value, words) = worst(figures).ok_or("a row compares no cost")?;
        Ok((value, format!("{of}: {words}")))
    }
}

/// The worst of several figures with their words.
fn worst(figures: impl Iterator<Item = (f64, String)>) -> Option<(f64, String)> {
    figures.max_by(|one, other| one.0.total_cmp(&other.0))
}

/// One cost of a command on both inputs.
fn figure(cost: Cost, [small, large]: [CommandCosts; 2], bytes: usize) -> (f64, String) {
    let of = |small: u64, large: u64, what| {
        let words = format!("{} and {} of {what}", megabytes(small), megabytes(large));
        (of_bytes(large) / of_bytes(small.max(1)), words)
    };
    match cost {
        Cost::Time => {
            let words = format!(
                "{} and {}",
                milliseconds(small.time),
                milliseconds(large.time)
            );
            (measure::ratio(large.time, small.time), words)
        }
        Cost::Output => of(small.output, large.output, "output"),
        Cost::Memory => of(small.memory, large.memory, "memory"),
        Cost::MemoryOfInput => {
            let bytes = bytes as u64;
            let words = format!("{} for {}", megabytes(large.memory), megabytes(bytes));
            (of_bytes(large.memory) / of_bytes(bytes.max(1)), words)
        }
    }
}

/// A command without its files, as the page names it.
pub fn spelled(command: &[&str]) -> String {
    let words: Vec<_> = command
        .iter()
        .take_while(|word| **word != "--")
        .filter(|word| !word.starts_with('{') && **word != "--target")
        .copied()
        .collect();
    format!("`{}`", words.join(" "))
}

/// The figure of a row: that of its worst command.
pub fn row(
    program: &Path,
    folder: &Path,
    row: &HostileRow,
    most: usize,
) -> Result<Measured, String> {
    let count = row.count.min(most / 2);
    let inputs = [
        WrittenInput::write(row, count, folder)?,
        WrittenInput::write(row, 2 * count, folder)?,
    ];
    let runner = Runner {
        program,
        folder,
        row,
    };
    let figures = row
        .commands
        .iter()
        .map(|command| runner.worst(command, &inputs))
        .collect::<Result<Vec<_>, _>>()?;
    for (value, words) in &figures {
        eprintln!("  {value:.2}, {words}");
    }
    for file in inputs.iter().flat_map(|input| &input.files) {
        std::fs::remove_file(file)
            .map_err(|error| format!("cannot remove `{}`: {error}", file.display()))?;
    }
    let (value, peer) = worst(figures.into_iter()).ok_or("a row has no command")?;
    Ok(Measured {
        id: row.goal.id,
        value,
        peer,
    })
}
