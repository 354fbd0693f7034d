//! `docs/benchmarks.md`: the tables of the last full runs, each beside the command that made it.

use std::path::Path;
use std::process::Command;

use super::BenchSubject;
use super::figure::{BenchResult, Goal, HEAD};

/// The page, from the root of the workspace.
pub const PAGE: &str = "docs/benchmarks.md";

const BEGINNING: &str = "# Benchmarks

Generated; the command in each section writes it again. Everything in one table was measured in one run, in turn, as
medians of five: a machine drifts, ratios within a run do not. The program is that of `cargo xtask dist`.
";

/// One bench: a section of the page.
pub struct Bench {
    /// The name, as the command line spells it.
    pub name: &'static str,
    /// The heading.
    pub title: &'static str,
    /// What is done, for those who read the figures.
    pub method: &'static str,
    /// The figures.
    pub goals: &'static [Goal],
    /// How many events the largest log has, unless the command line says otherwise.
    pub events: usize,
    /// How many it must have at least.
    pub least_events: usize,
    /// Measures all figures, and says on what.
    pub measure: fn(BenchSubject<'_>, usize) -> Result<BenchResult, String>,
}

/// What one run put into a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionContent {
    /// The machine and the versions, in one line.
    pub machine: String,
    /// The rows of the table.
    pub rows: Vec<String>,
}

/// The whole page, from what is known of each bench; one that never ran is left out.
pub fn page(benches: &[(&Bench, Option<SectionContent>)]) -> String {
    let mut text = BEGINNING.to_owned();
    for (bench, content) in benches {
        let Some(content) = content else { continue };
        let Bench {
            name,
            title,
            method,
            ..
        } = bench;
        for part in [
            format!("\n## {title}\n"),
            (*method).to_owned(),
            format!("\n    cargo xtask bench {name}"),
            format!("\n{}\n", content.machine),
        ] {
            text += &part;
            text.push('\n');
        }
        for line in HEAD
            .iter()
            .map(|line| (*line).to_owned())
            .chain(content.rows.iter().cloned())
        {
            text += &line;
            text.push('\n');
        }
    }
    text
}

/// What the page says of a bench.
pub fn content(page: &str, bench: &Bench) -> Option<SectionContent> {
    let heading = format!("\n## {}\n", bench.title);
    let (_, section) = page.split_once(&heading)?;
    let section = section.split("\n## ").next()?;
    let (_, after) = section.split_once(&format!("    cargo xtask bench {}\n\n", bench.name))?;
    let (machine, table) = after.split_once("\n\n")?;
    let rows = table
        .lines()
        .skip(HEAD.len())
        .filter(|line| line.starts_with('|'));
    Some(SectionContent {
        machine: machine.to_owned(),
        rows: rows.map(str::to_owned).collect(),
    })
}

/// Writes one section again and keeps the others.
pub fn write(
    workspace: &Path,
    benches: &[&Bench],
    name: &str,
    new: &SectionContent,
) -> Result<(), String> {
    let path = workspace.join(PAGE);
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let sections: Vec<_> = benches
        .iter()
        .map(|bench| {
            let old = || content(&before, bench);
            (
                *bench,
                if bench.name == name {
                    Some(new.clone())
                } else {
                    old()
                },
            )
        })
        .collect();
    std::fs::write(&path, page(&sections))
        .map_err(|error| format!("cannot write `{PAGE}`: {error}"))
}

/// The machine without names: processor, number of cores, memory, system.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let processor =
        field("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let memory = field("/proc/meminfo", "MemTotal")
        .and_then(|text| text.split(' ').next()?.parse::<u64>().ok())
        .map_or_else(String::new, |kibibytes| {
            format!(", {} GB", kibibytes.div_ceil(1_000_000))
        });
    format!(
        "{processor}, {cores} cores{memory}, {}",
        std::env::consts::OS
    )
}

/// The first field of a file of the system that has this name.
fn field(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// The version that a program prints, as its last word.
pub fn version_of(program: &str) -> String {
    let output = Command::new(program).arg("--version").output().ok();
    let text = output
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default();
    let word = text.split_whitespace().find(|word| word.contains('.'));
    word.unwrap_or("of an unknown version")
        .trim_start_matches('v')
        .to_owned()
}
