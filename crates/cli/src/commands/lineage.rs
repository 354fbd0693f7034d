//! `chatstate lineage`: which run of a stream continues which.

mod tree;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use chatstate::json::WriteJson;
use chatstate::lineage::{Lineage, LineageProblem};
use chatstate::log::{OutliningRuns, TakingBranch};

use crate::arguments::LineageFormat;
use crate::destination::OutputFile;
use crate::failure::{Failure, UNEXPECTED};
use crate::log::{LogPlaces, index_of, placed, read_log};
use crate::output;

use super::findings::TOLD;

/// Prints the lineage on stdout. Problems go to stderr, unless they are part of the JSON.
pub fn run(
    file: Option<&PathBuf>,
    format: LineageFormat,
    output: &OutputFile,
) -> Result<u8, Failure> {
    let log = read_log(file, OutliningRuns::default())?;
    let code = log.code();
    let (lineage, outlines) = &log.output;
    match format {
        LineageFormat::Text => output.write(&tree::tree(lineage, outlines))?,
        LineageFormat::Dot => output.write(&graph(lineage))?,
        LineageFormat::Json => {
            let mut text = String::new();
            lineage.write(&mut text);
            output.write_json(&text)?;
        }
    }
    if format != LineageFormat::Json {
        report(&lineage.problems, &log.name, &log.places);
    }
    let is_valid = lineage.problems.iter().all(|problem| !problem.is_error);
    Ok(if is_valid { code } else { UNEXPECTED })
}

/// Prints the events of the branch that ends with a run: an array for an array, lines for lines.
pub fn branch(file: Option<&PathBuf>, run_id: &str, output: &OutputFile) -> Result<u8, Failure> {
    let log = read_log(file, TakingBranch::to(run_id))?;
    let code = log.code();
    output.write_events(log.output, log.framing)?;
    Ok(code)
}

/// Says the first problems of each rule with their places, and how many more there are.
fn report(problems: &[LineageProblem], name: &str, places: &LogPlaces) {
    let mut of_rule = BTreeMap::<&str, usize>::new();
    let mut told = Vec::new();
    for problem in problems {
        let count = of_rule.entry(problem.rule).or_default();
        *count += 1;
        if *count <= TOLD {
            told.push(problem);
        }
    }
    let found = places.find(told.iter().filter_map(|it| index_of(&it.at)).collect());
    for problem in told {
        let LineageProblem {
            rule, at, message, ..
        } = problem;
        let level = if problem.is_error { "error" } else { "warning" };
        let place = index_of(at).and_then(|index| found.get(&index));
        let place = place.map(|place| format!("{}: ", placed(name, *place)));
        output::note(&format!(
            "{}{level}: {message}, at `{at}` (rule `{rule}`)",
            place.unwrap_or_default()
        ));
    }
    for (rule, count) in of_rule.into_iter().filter(|(_, count)| *count > TOLD) {
        output::note(&format!(
            "{} more like these (rule `{rule}`); `chatstate lineage --json` lists all",
            count - TOLD
        ));
    }
}

/// The runs as a graph; nodes are distinguished by their place, since ids may be used twice.
fn graph(lineage: &Lineage) -> String {
    let mut text = String::from("digraph lineage {\n");
    for (place, run) in lineage.runs.iter().enumerate() {
        let label = label(&run.run_id);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  run{place} [label=\"{label}\"];");
        if let Some(predecessor) = run.predecessor {
            let _ = writeln!(text, "  run{predecessor} -> run{place};");
        }
    }
    text.push_str("}\n");
    text
}

/// Text as a label of Graphviz, which reads a backslash as the beginning of an escape.
fn label(text: &str) -> String {
    let escape = |character: char| match character {
        '"' | '\\' => format!("\\{character}"),
        '\n' => "\\n".to_owned(),
        other if other.is_control() => format!("\\\\u{:04x}", u32::from(other)),
        other => other.to_string(),
    };
    text.chars().map(escape).collect()
}
