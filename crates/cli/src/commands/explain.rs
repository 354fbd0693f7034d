//! `chatstate explain`: what an id, a class or a code of a report means.

use std::fmt::Write;

use chatstate::diff::LossClass;
use chatstate_corpus::{Case, Corpus, Requirement, specification};

use super::corpus::{embedded, requirements};
use crate::failure::{EXIT_CODES, Failure};
use crate::names::did_you_mean;
use crate::output;

/// How many cases of a requirement are named.
const MAX_CASES: usize = 8;

/// Prints what a name of a report means.
pub fn run(name: &str) -> Result<u8, Failure> {
    let (corpus, requirements) = (embedded()?, requirements()?);
    let explained = requirement(name, &corpus, &requirements)
        .or_else(|| corpus.case(name).map(|case| of_case(case, &requirements)))
        .or_else(|| rule(name))
        .or_else(|| class(name))
        .or_else(|| exit_code(name));
    match explained {
        Some(text) => output::print(&text)?,
        None => return Err(unknown(name, &corpus, &requirements)),
    }
    Ok(0)
}

fn requirement(name: &str, corpus: &Corpus, requirements: &[Requirement]) -> Option<String> {
    let requirement = requirements.iter().find(|it| it.id == name)?;
    let mut text = format!(
        "{}: a requirement of SPEC.md, line {}\n\n",
        requirement.id, requirement.line
    );
    text.push_str(&requirement.text);
    text.push('\n');
    for paragraph in specification::remarks(requirement) {
        let _ = write!(text, "\n{paragraph}\n");
    }
    let tests = |case: &&Case| case.requirements.iter().any(|id| id == name);
    let cases: Vec<&Case> = corpus.cases().iter().filter(tests).collect();
    let _ = write!(text, "\n{} case(s) test it:\n", cases.len());
    for case in cases.iter().take(MAX_CASES) {
        let _ = writeln!(text, "  {}: {}", case.id, case.title);
    }
    if cases.len() > MAX_CASES {
        let _ = writeln!(text, "`chatstate list --requirement {name}` lists them all");
    }
    Some(text)
}

fn of_case(case: &Case, requirements: &[Requirement]) -> String {
    let mut text = format!("{}: {}\n", case.id, case.title);
    if !case.why.is_empty() {
        let _ = write!(text, "\n{}\n", case.why);
    }
    for id in &case.requirements {
        let sentence = requirements.iter().find(|it| it.id == *id);
        let sentence = sentence.map_or("", |requirement| requirement.text.as_str());
        let _ = write!(text, "\n[{id}] {sentence}\n");
    }
    let _ = write!(
        text,
        "\n`chatstate show {}` prints its input and what is right\n",
        case.id
    );
    text
}

fn rule(name: &str) -> Option<String> {
    let (class, when) = specification::rule(name)?;
    let kind = match class {
        Some(class) => format!("the rule of a rejection, of class `{class}`"),
        None => "a warning of `chatstate verify`".to_owned(),
    };
    Some(format!("{name}: {kind}\n\n{when}\n"))
}

fn class(name: &str) -> Option<String> {
    let class = LossClass::ALL
        .into_iter()
        .find(|class| class.as_str() == name)?;
    Some(format!(
        "{name}: a class of differences\n\n{}\n",
        class.meaning()
    ))
}

fn exit_code(name: &str) -> Option<String> {
    let code: u8 = name.parse().ok()?;
    let (_, meaning) = EXIT_CODES.iter().find(|(known, _)| *known == code)?;
    Some(format!("{code}: an exit code\n\n{meaning}\n"))
}

/// Offers the known names that are most alike.
fn unknown(name: &str, corpus: &Corpus, requirements: &[Requirement]) -> Failure {
    let known = requirements.iter().map(|it| it.id.as_str());
    let known = known.chain(corpus.cases().iter().map(|case| case.id.as_str()));
    let known = known.chain(LossClass::ALL.map(LossClass::as_str));
    let kinds =
        "give the id of a requirement or a case, a rule, a class of differences or an exit code";
    let help = match did_you_mean(name, known) {
        None => kinds.to_owned(),
        Some(question) => format!("{question} {kinds}"),
    };
    Failure::usage(format!("nothing has the name `{name}`"), help)
}
