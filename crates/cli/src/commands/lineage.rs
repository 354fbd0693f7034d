//! `chatstate lineage`: which run of a stream continues which.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::PathBuf;

use chatstate::json::{WriteJson, write_string};
use chatstate::lineage::{Lineage, LineageProblem, LineageRun};
use chatstate::log::{TakingBranch, TracingLineage};

use crate::arguments::LineageFormat;
use crate::failure::{Failure, UNEXPECTED};
use crate::log::{LogPlaces, index_of, placed, read_log};
use crate::output;

use super::findings::TOLD;

/// Prints the lineage on stdout. Problems go to stderr, unless they are part of the JSON.
pub fn run(file: Option<&PathBuf>, format: LineageFormat) -> Result<u8, Failure> {
    let log = read_log(file, TracingLineage::default())?;
    let code = log.code();
    let lineage = &log.output;
    match format {
        LineageFormat::Text => output::print(&tree(lineage))?,
        LineageFormat::Dot => output::print(&graph(lineage))?,
        LineageFormat::Json => {
            let mut text = String::new();
            lineage.write(&mut text);
            output::print_line(&text)?;
        }
    }
    if format != LineageFormat::Json {
        report(&lineage.problems, &log.name, &log.places);
    }
    let is_valid = lineage.problems.iter().all(|problem| !problem.is_error);
    Ok(if is_valid { code } else { UNEXPECTED })
}

/// Prints the events of the branch that ends with a run: an array for an array, lines for lines.
pub fn branch(file: Option<&PathBuf>, run_id: &str) -> Result<u8, Failure> {
    let log = read_log(file, TakingBranch::to(run_id))?;
    let code = log.code();
    output::print_events(log.output, log.framing)?;
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

/// The runs as a tree. A run that alone continues another is below it; where several do,
/// each begins a branch.
fn tree(lineage: &Lineage) -> String {
    let mut followers: HashMap<usize, Vec<usize>> = HashMap::new();
    for (place, run) in lineage.runs.iter().enumerate() {
        if let Some(predecessor) = run.predecessor {
            followers.entry(predecessor).or_default().push(place);
        }
    }
    let mut text = String::new();
    let first = (!lineage.runs.is_empty()).then_some((0, String::new(), String::new()));
    // Each with what is before its own line and before the lines below; the next one is last.
    let mut waiting: Vec<(usize, String, String)> = first.into_iter().collect();
    while let Some((place, before, below)) = waiting.pop() {
        line(&mut text, &before, &lineage.runs[place]);
        match followers.get(&place).map_or(&[][..], Vec::as_slice) {
            [] => {}
            [only] => waiting.push((*only, below.clone(), below)),
            [branches @ .., last] => {
                waiting.push((*last, format!("{below}└─ "), format!("{below}   ")));
                let branches = branches.iter().rev();
                waiting.extend(
                    branches.map(|branch| (*branch, format!("{below}├─ "), format!("{below}│  "))),
                );
            }
        }
    }
    text
}

/// One line of the tree. Control characters of an id would break it, so ids are quoted as JSON
/// where they hold any.
fn line(text: &mut String, before: &str, run: &LineageRun) {
    text.push_str(before);
    if run.run_id.is_empty() || run.run_id.contains(char::is_control) {
        write_string(text, &run.run_id);
    } else {
        text.push_str(&run.run_id);
    }
    text.push('\n');
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
