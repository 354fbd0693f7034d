//! `chatstate explain`: what an id, a class or a code of a report means.

use std::fmt::Write;

use chatstate::dialect::ConversionLoss;
use chatstate::diff::LossClass;
use chatstate_corpus::{Case, Corpus, Requirement, specification};
use chatstate_runner::Verdict;
use chatstate_schema_model::KEYWORDS;

use super::corpus::{embedded, requirements};
use super::validate::STRICT_RULES;
use crate::failure::{EXIT_CODES, Failure};
use crate::names::did_you_mean;
use crate::output;

/// How many cases of a requirement are named.
const MAX_CASES: usize = 8;

/// Prints what a name of a report means.
pub fn run(name: &str) -> Result<u8, Failure> {
    let (corpus, requirements) = (embedded()?, requirements()?);
    match explained(name, &corpus, &requirements) {
        Some(text) => output::print(&text)?,
        None => return Err(unknown(name, &corpus, &requirements)),
    }
    Ok(0)
}

fn explained(name: &str, corpus: &Corpus, requirements: &[Requirement]) -> Option<String> {
    requirement(name, corpus, requirements)
        .or_else(|| corpus.case(name).map(|case| of_case(case, requirements)))
        .or_else(|| rule(name, requirements))
        .or_else(|| class(name))
        .or_else(|| verdict(name))
        .or_else(|| loss(name))
        .or_else(|| exit_code(name))
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

fn rule(name: &str, requirements: &[Requirement]) -> Option<String> {
    if let Some((class, when)) = specification::rule(name) {
        let kind = match class {
            Some(class) => format!("the rule of a rejection, of class `{class}`"),
            None => "a warning of `chatstate verify`".to_owned(),
        };
        return Some(format!("{name}: {kind}\n\n{when}\n"));
    }
    if let Some(requirement) = specification::requirement_of_rule(name, requirements) {
        let Requirement { id, text, .. } = requirement;
        return Some(format!(
            "{name}: the rule of a rejection, by [{id}]\n\n{text}\n\n`chatstate explain {id}` says more\n"
        ));
    }
    if let Some((_, when)) = STRICT_RULES.iter().find(|(rule, _)| *rule == name) {
        return Some(format!(
            "{name}: a finding of `chatstate validate --strict`\n\n{when}\n"
        ));
    }
    let is_keyword = KEYWORDS.contains(&name);
    is_keyword.then(|| {
        format!(
            "{name}: a keyword of JSON Schema\n\n\
             A rejection of class `schema` with this rule says that the value breaks the keyword, at the place that \
             the rejection names.\n"
        )
    })
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

fn verdict(name: &str) -> Option<String> {
    let verdict = Verdict::ALL
        .into_iter()
        .find(|verdict| verdict.as_str() == name)?;
    Some(format!("{name}: a verdict\n\n{}\n", verdict.meaning()))
}

fn loss(name: &str) -> Option<String> {
    let loss = ConversionLoss::ALL
        .into_iter()
        .find(|loss| loss.as_str() == name)?;
    Some(format!(
        "{name}: a class of losses of a conversion\n\n{}\n",
        loss.meaning()
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
    let known = known.chain(Verdict::ALL.map(Verdict::as_str));
    let known = known.chain(KEYWORDS.iter().copied());
    let kinds = "give the id of a requirement or a case, a rule, a class of differences or of losses, a verdict or an exit code";
    let help = match did_you_mean(name, known) {
        None => kinds.to_owned(),
        Some(question) => format!("{question} {kinds}"),
    };
    Failure::usage(format!("nothing has the name `{name}`"), help)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use chatstate_corpus::Expect;

    use super::*;

    /// The rules that the cases of the corpus expect.
    fn rules(corpus: &Corpus) -> BTreeSet<String> {
        let expected = corpus.cases().iter().map(|case| case.expect.as_ref());
        let named = expected.filter_map(|expect| match expect? {
            Expect::Rejected(rejected) => rejected.rule.clone(),
            _ => None,
        });
        named.collect()
    }

    #[test]
    fn what_a_report_names_is_explained() {
        let (corpus, requirements) = (embedded().unwrap(), requirements().unwrap());
        let rules = rules(&corpus);
        assert!(rules.len() > 60, "the corpus expects {} rules", rules.len());
        let classes = LossClass::ALL.map(LossClass::as_str);
        let losses = ConversionLoss::ALL.map(ConversionLoss::as_str);
        let verdicts = Verdict::ALL.map(Verdict::as_str);
        let codes = EXIT_CODES.iter().map(|(code, _)| code.to_string());
        let names = rules.into_iter().chain(codes);
        let others = [&classes[..], &losses[..], &verdicts[..]].concat();
        let strict = STRICT_RULES.iter().map(|(rule, _)| (*rule).to_owned());
        let names = names.chain(others.iter().map(|it| (*it).to_owned()));
        let missing: Vec<String> = names
            .chain(strict)
            .filter(|name| explained(name, &corpus, &requirements).is_none())
            .collect();
        assert!(missing.is_empty(), "nothing explains {missing:?}");
    }
}
