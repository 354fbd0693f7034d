//! The failures of a run by their causes: one defect of an SDK fails many cases.

use std::collections::{BTreeMap, BTreeSet};

use chatstate_types::diff::LossClass;

use crate::judgement::{Cause, Detail, DifferenceReport};
use crate::report::messages::cause;
use crate::report::{CaseReport, RunReport};

/// The classes of differences whose cause may be the member: an SDK drops one, or adds one.
const OF_MEMBERS: [LossClass; 6] = [
    LossClass::UnknownDropped,
    LossClass::MemberDropped,
    LossClass::DefaultInjected,
    LossClass::MemberAdded,
    LossClass::MemberRenamed,
    LossClass::DiscriminatorLost,
];

/// From so many members on, these classes are one cause, too.
const MANY_MEMBERS: usize = 4;

/// Values that some SDKs do not write at all, whatever the member.
const EMPTY: [&str; 5] = ["[]", "{}", "\"\"", "false", "0"];

/// Cases that fail in the same way.
pub(crate) struct FailureGroup<'r> {
    /// The class of the differences, or what is wrong with the answers.
    pub(crate) name: String,
    /// The class of the differences alone.
    pub(crate) class: Option<LossClass>,
    /// The members that differ, the most frequent first.
    pub(crate) members: Vec<String>,
    /// The cases; the one with the shortest input is the first.
    pub(crate) cases: Vec<&'r CaseReport>,
}

/// A sign of a failure: a class of differences and the member that differs, or a sentence alone.
type Sign = (String, String);

/// The failures that no list names, by cause; the most frequent cause first. A case that fails in
/// several ways is in several groups.
pub(crate) fn failure_groups(report: &RunReport) -> Vec<FailureGroup<'_>> {
    let mut by_sign: BTreeMap<Sign, Vec<&CaseReport>> = BTreeMap::new();
    for case in report
        .cases
        .iter()
        .filter(|case| case.verdict.is_unexpected())
    {
        for sign in case.detail.iter().flat_map(signs).collect::<BTreeSet<_>>() {
            by_sign.entry(sign).or_default().push(case);
        }
    }
    let mut groups = joined(by_sign);
    for group in &mut groups {
        group
            .cases
            .sort_by_key(|case| (case.input.as_ref().map_or(0, String::len), &case.id));
        group.cases.dedup_by_key(|case| &case.id);
    }
    groups.sort_by(|one, other| {
        other
            .cases
            .len()
            .cmp(&one.cases.len())
            .then(one.name.cmp(&other.name))
    });
    groups
}

fn signs(detail: &Detail) -> Vec<Sign> {
    let alone = |words: String| vec![(words, String::new())];
    match &detail.cause {
        Cause::DifferentValue if !detail.differences.is_empty() => {
            detail.differences.iter().map(of_difference).collect()
        }
        Cause::BrokenLaws => {
            let laws = detail.laws.iter().map(|law| law.law.as_str());
            laws.flat_map(|law| alone(format!("the law `{law}` is broken")))
                .collect()
        }
        // What a parser says of one answer would part cases that have one cause.
        Cause::NotJson(_) => alone("the text of the answer is not JSON".to_owned()),
        other => alone(cause(other)),
    }
}

/// An empty value that is gone is a cause of its own.
fn of_difference(difference: &DifferenceReport) -> Sign {
    let gone = difference
        .expected
        .as_deref()
        .filter(|_| difference.got.is_none());
    let class = match gone.filter(|value| EMPTY.contains(value)) {
        Some(value) => format!("{} of `{value}`", difference.class),
        None => difference.class.clone(),
    };
    (class, member(difference))
}

/// The name of the member that differs; of an item of an array, that of the array.
fn member(difference: &DifferenceReport) -> String {
    let mut names = difference.at.rsplit('/');
    let is_name = |name: &&str| !name.is_empty() && name.parse::<usize>().is_err();
    names.find(is_name).unwrap_or_default().to_owned()
}

/// One group for each sign; one for a class that many members have.
fn joined(by_sign: BTreeMap<Sign, Vec<&CaseReport>>) -> Vec<FailureGroup<'_>> {
    let mut by_class: BTreeMap<String, Vec<(String, Vec<&CaseReport>)>> = BTreeMap::new();
    for ((class, member), cases) in by_sign {
        by_class.entry(class).or_default().push((member, cases));
    }
    let mut groups = Vec::new();
    for (class, mut members) in by_class {
        members.sort_by_key(|(_, cases)| std::cmp::Reverse(cases.len()));
        let is_of_members = OF_MEMBERS.iter().any(|known| known.as_str() == class);
        if members.len() >= MANY_MEMBERS || !is_of_members {
            let (names, cases): (Vec<_>, Vec<_>) = members.into_iter().unzip();
            groups.push(group(&class, names, cases.concat()));
        } else {
            groups.extend(
                members
                    .into_iter()
                    .map(|(name, cases)| group(&class, vec![name], cases)),
            );
        }
    }
    groups
}

fn group<'r>(
    class: &str,
    mut members: Vec<String>,
    cases: Vec<&'r CaseReport>,
) -> FailureGroup<'r> {
    members.retain(|name| !name.is_empty());
    let word = class.split(' ').next().unwrap_or_default();
    let known = LossClass::ALL
        .into_iter()
        .find(|known| known.as_str() == word);
    FailureGroup {
        name: class.to_owned(),
        class: known,
        members,
        cases,
    }
}
