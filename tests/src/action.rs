//! The action of this repository, with its steps run as GitHub runs those of a composite action.

mod expression;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value};

use crate::program::finish;
use crate::report_folder::ReportFolder;
use crate::workspace;
use expression::{Context, evaluated, filled};

/// What became of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepEnd {
    /// Its condition does not hold.
    Skipped,
    /// Its script ended with this exit code.
    Ran(i32),
    /// It hands these inputs to an action of others.
    Used(String, BTreeMap<String, String>),
}

/// What became of the action.
#[derive(Debug, Clone)]
pub struct FinishedAction {
    /// The exit code of the first step that failed, or 0.
    pub code: i32,
    /// What its scripts wrote, to either side.
    pub said: String,
    /// The outputs of the action.
    pub outputs: BTreeMap<String, String>,
    /// Each step by its name.
    pub steps: BTreeMap<String, StepEnd>,
}

/// Runs the steps of `action.yml` with these inputs in a folder, where `summary` is the file for the
/// summary of the step.
///
/// # Panics
///
/// When the action is not what GitHub takes, or an input is not declared.
#[must_use]
pub fn run(inputs: &[(&str, String)], folder: &ReportFolder) -> FinishedAction {
    let action = read("action.yml");
    let mut context = Context::new(declared(&action, inputs));
    context.set(
        "github.action_path",
        &workspace::root().display().to_string(),
    );
    let mut finished = FinishedAction {
        code: 0,
        said: String::new(),
        outputs: BTreeMap::new(),
        steps: BTreeMap::new(),
    };
    for step in action["runs"]["steps"].as_array().expect("steps") {
        let end = run_step(step, &mut context, &mut finished, folder);
        let name = text(&step["name"]);
        finished.steps.insert(name, end);
    }
    for (name, output) in members(&action["outputs"]) {
        let value = filled(&text(&output["value"]), &context);
        finished.outputs.insert(name.clone(), value);
    }
    finished
}

/// A file of YAML.
///
/// # Panics
///
/// When it is none.
#[must_use]
pub fn read(path: &str) -> Value {
    serde_saphyr::from_str(&workspace::text(path)).expect("it is YAML")
}

/// The inputs that are given, and the defaults of the others.
fn declared(action: &Value, given: &[(&str, String)]) -> BTreeMap<String, String> {
    let declared = members(&action["inputs"]);
    for (name, _) in given {
        assert!(declared.contains_key(*name), "there is no input `{name}`");
    }
    let inputs = declared.iter().map(|(name, input)| {
        let given = given.iter().find(|(given, _)| given == name);
        let value = given.map(|(_, value)| value.clone());
        let default = || input.get("default").map(text);
        let value = value.or_else(default).unwrap_or_default();
        (name.clone(), value)
    });
    inputs.collect()
}

fn run_step(
    step: &Value,
    context: &mut Context,
    finished: &mut FinishedAction,
    folder: &ReportFolder,
) -> StepEnd {
    context.succeeds = finished.code == 0;
    let condition = step.get("if").map_or_else(|| "success()".to_owned(), text);
    if !evaluated(&condition, context).is_true() {
        return StepEnd::Skipped;
    }
    if let Some(action) = step.get("uses") {
        let inputs = members(&step["with"]);
        let inputs = inputs
            .iter()
            .map(|(name, value)| (name.clone(), filled(&text(value), context)));
        return StepEnd::Used(text(action), inputs.collect());
    }
    assert_eq!(
        text(&step["shell"]),
        "bash",
        "a step of a composite action names its shell"
    );
    let script = folder.write("step.sh", &filled(&text(&step["run"]), context));
    let outputs = folder.write("outputs", "");
    let mut command = Command::new("bash");
    command.args(["--noprofile", "--norc", "-eo", "pipefail", &script]);
    command.current_dir(folder.path(""));
    command.env("GITHUB_OUTPUT", &outputs);
    command.env("GITHUB_STEP_SUMMARY", folder.path("summary"));
    for (name, value) in step.get("env").map_or_else(Map::new, members) {
        command.env(name, filled(&text(&value), context));
    }
    let ended = finish(command, b"");
    finished.said += &ended.stdout;
    finished.said += &ended.stderr;
    if let Some(id) = step.get("id") {
        for line in folder.text("outputs").lines() {
            let (name, value) = line.split_once('=').expect("an output has a value");
            context.set(&format!("steps.{}.outputs.{name}", text(id)), value);
        }
    }
    if finished.code == 0 {
        finished.code = ended.code;
    }
    StepEnd::Ran(ended.code)
}

/// Whether a path that a step passes on is there.
#[must_use]
pub fn is_there(folder: &ReportFolder, path: &str) -> bool {
    Path::new(&folder.path(path)).exists()
}

fn members(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().expect("a mapping")
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}
