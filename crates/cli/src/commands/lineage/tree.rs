//! The runs as a tree, with what each did.

use std::collections::HashMap;

use chatstate::json::write_string;
use chatstate::lineage::{Lineage, LineageRun, RunOutline};

use crate::time::{duration, utc};

/// The runs as a tree. A run that alone continues another stands below it in the same column, so that
/// a log of a thousand runs is not a thousand columns wide; where several do, each begins a branch.
pub fn tree(lineage: &Lineage, outlines: &[RunOutline]) -> String {
    let mut followers: HashMap<usize, Vec<usize>> = HashMap::new();
    for (place, run) in lineage.runs.iter().enumerate() {
        if let Some(predecessor) = run.predecessor {
            followers.entry(predecessor).or_default().push(place);
        }
    }
    let mut rows = Vec::new();
    let first = (!lineage.runs.is_empty()).then_some((0, String::new(), String::new()));
    // Each with what is before its own line and before the lines below; the next one is last.
    let mut waiting: Vec<(usize, String, String)> = first.into_iter().collect();
    while let Some((place, before, below)) = waiting.pop() {
        let branch = format!("{before}{}", id(&lineage.runs[place]));
        rows.push((branch, outlines.get(place).map(words)));
        match followers.get(&place).map_or(&[][..], Vec::as_slice) {
            [] => {}
            [only] => waiting.push((*only, format!("{below}└─ "), below)),
            [branches @ .., last] => {
                waiting.push((*last, format!("{below}└─ "), format!("{below}   ")));
                let branches = branches.iter().rev();
                waiting.extend(
                    branches.map(|branch| (*branch, format!("{below}├─ "), format!("{below}│  "))),
                );
            }
        }
    }
    let width = rows.iter().map(|(branch, _)| branch.chars().count()).max();
    let width = width.unwrap_or(0).min(MAX_WIDTH);
    let line = |(branch, words): (String, Option<String>)| {
        format!("{branch:width$}  {}\n", words.unwrap_or_default())
    };
    rows.into_iter().map(line).collect()
}

/// The widest column of ids, in characters; what is longer pushes its own line to the right.
const MAX_WIDTH: usize = 48;

/// The id. Control characters would break the tree, so ids are quoted as JSON where they hold any.
fn id(run: &LineageRun) -> String {
    if !run.run_id.is_empty() && !run.run_id.contains(char::is_control) {
        return run.run_id.clone();
    }
    let mut text = String::new();
    write_string(&mut text, &run.run_id);
    text
}

fn words(outline: &RunOutline) -> String {
    let noun = if outline.messages == 1 {
        "message"
    } else {
        "messages"
    };
    let mut words = vec![
        outline.status.as_str().to_owned(),
        format!("{} {noun}", outline.messages),
    ];
    words.extend(outline.begun.and_then(|begun| utc(begun.0)));
    if let (Some(begun), Some(ended)) = (outline.begun, outline.ended) {
        words.extend(duration(begun.0, ended.0));
    }
    words.join(", ")
}
