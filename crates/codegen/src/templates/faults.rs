//! What is wrong with a template, for whoever wrote it.

use std::collections::BTreeSet;

use handlebars::{RenderError, RenderErrorReason, TemplateError};
use serde_json::Value;

use crate::CodegenError;

/// How many names a help gives.
const NAMES: usize = 3;

/// Where the names of all templates are found.
const ALL: &str = "`chatstate generate templates LANGUAGE --out DIR` writes all of them";

/// Where templates without a fault are found.
const AS_THEY_ARE: &str =
    "`chatstate generate templates LANGUAGE --out DIR` writes the templates as they are";

/// How alike a name has to be to be given; 1 is the same.
const ALIKE: f64 = 0.7;

/// A template that is not one.
pub(super) fn unreadable(shown: &str, error: &TemplateError) -> CodegenError {
    let mut fault = error.reason().to_string();
    // What the parser would have taken is a list of its own rules.
    if let Some(at) = fault.find(": expected ") {
        fault.truncate(at);
    }
    CodegenError::Template {
        template: shown.to_owned(),
        place: place(error.pos()),
        fault: lower_case(&fault),
        help: "close each `{{#each}}`, `{{#if}}` and `{{` that it opens".to_owned(),
    }
}

/// A template that asks for what there is not.
pub(super) fn unprintable(
    name: &str,
    error: &RenderError,
    view: &Value,
    templates: &BTreeSet<&str>,
) -> CodegenError {
    let (fault, help) = explained(error.reason(), view, templates);
    CodegenError::Template {
        template: error.template_name.clone().unwrap_or(name.to_owned()),
        place: place(error.line_no.zip(error.column_no)),
        fault,
        help,
    }
}

fn explained(
    reason: &RenderErrorReason,
    view: &Value,
    templates: &BTreeSet<&str>,
) -> (String, String) {
    match reason {
        RenderErrorReason::MissingVariable(path) => {
            let path = path.clone().unwrap_or_default();
            let mut known = BTreeSet::new();
            collect_names(view, &mut known);
            let last = path.rsplit(['.', '/']).next().unwrap_or(&path);
            let shown = "`chatstate generate LANGUAGE --emit view` prints what it has";
            let help = if known.contains(last) {
                format!("in `each`, what is around it is `../{last}`; {shown}")
            } else {
                nearest(last, &known, shown)
            };
            (format!("its view has no `{path}` here"), help)
        }
        RenderErrorReason::PartialNotFound(name) => (
            format!("there is no template `{name}`"),
            nearest(name, templates, ALL),
        ),
        other => (lower_case(&other.to_string()), AS_THEY_ARE.to_owned()),
    }
}

/// An overlay for a template that there is not.
pub(super) fn no_such_template(
    shown: &str,
    name: &str,
    templates: &BTreeSet<&str>,
) -> CodegenError {
    CodegenError::Template {
        template: shown.to_owned(),
        place: String::new(),
        fault: "it takes the place of no template".to_owned(),
        help: nearest(name, templates, ALL),
    }
}

/// The names that are most like one, or where all of them are.
fn nearest(name: &str, known: &BTreeSet<&str>, otherwise: &str) -> String {
    let mut alike: Vec<(f64, &str)> = known
        .iter()
        .map(|known| (strsim::jaro_winkler(name, known), *known))
        .filter(|(alike, _)| *alike > ALIKE)
        .collect();
    alike.sort_by(|left, right| right.0.total_cmp(&left.0));
    let alike: Vec<String> = alike
        .iter()
        .take(NAMES)
        .map(|(_, name)| format!("`{name}`"))
        .collect();
    match alike.as_slice() {
        [] => otherwise.to_owned(),
        names => format!("is it {}? {otherwise}", names.join(" or ")),
    }
}

/// The names of all members of a view.
fn collect_names<'v>(view: &'v Value, names: &mut BTreeSet<&'v str>) {
    match view {
        Value::Object(members) => {
            names.extend(members.keys().map(String::as_str));
            members
                .values()
                .for_each(|value| collect_names(value, names));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_names(item, names)),
        _ => {}
    }
}

fn place(position: Option<(usize, usize)>) -> String {
    position.map_or_else(String::new, |(line, column)| format!(":{line}:{column}"))
}

fn lower_case(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}
