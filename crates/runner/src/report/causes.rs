//! The failures of a run by their causes: one defect of an SDK fails many cases.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use chatstate_types::diff::LossClass;

use crate::judgement::{Cause, Detail, DifferenceReport};
use crate::report::evidence::{EvidenceField, evidence};
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

/// How many of the members that a cause has are named.
const SHOWN_MEMBERS: usize = 4;

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

impl FailureGroup<'_> {
    /// The case with the shortest input.
    pub(crate) fn example(&self) -> Option<&CaseReport> {
        self.cases.first().copied()
    }

    /// The members that differ, in words.
    pub(crate) fn at_members(&self) -> String {
        let first = self.members.iter().take(SHOWN_MEMBERS);
        let first: Vec<String> = first.map(|name| format!("`{name}`")).collect();
        let more = match self.members.len().saturating_sub(SHOWN_MEMBERS) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        if first.is_empty() {
            String::new()
        } else {
            format!(" at {}{more}", first.join(", "))
        }
    }

    /// What shows it in the example: the difference of its class, else what the adapter answered.
    pub(crate) fn shown_by(&self, report: &RunReport) -> Option<EvidenceField> {
        let fields = evidence(report, self.example()?);
        let class = self.class.map_or("", LossClass::as_str);
        let class = format!(" {class}: ");
        let of_class = |(name, text): &&EvidenceField| *name == "where" && text.contains(&class);
        let answer = |(name, _): &&EvidenceField| *name == "got";
        let mut found = fields.iter();
        let field = found.find(of_class).or_else(|| fields.iter().find(answer));
        field.cloned()
    }
}

/// What shows a failure.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    /// A difference of this class.
    Difference(LossClass),
    /// An empty value, as text, is gone, which is a difference of this class.
    EmptyGone(LossClass, String),
    /// What is wrong with the answers.
    Words(String),
}

impl Sign {
    fn class(&self) -> Option<LossClass> {
        match self {
            Self::Difference(class) | Self::EmptyGone(class, _) => Some(*class),
            Self::Words(_) => None,
        }
    }

    /// Whether the member that differs makes it another cause.
    fn is_of_members(&self) -> bool {
        matches!(self, Self::Difference(class) if OF_MEMBERS.contains(class))
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Difference(class) => write!(formatter, "{class}"),
            Self::EmptyGone(class, value) => write!(formatter, "{class} of `{value}`"),
            Self::Words(words) => formatter.write_str(words),
        }
    }
}

/// A sign, and the name of the member that differs, which is empty where there is none.
type SignOfMember = (Sign, String);

/// The failures that no list names, by cause; the most frequent cause first. A case that fails in
/// several ways is in several groups.
pub(crate) fn failure_groups(report: &RunReport) -> Vec<FailureGroup<'_>> {
    let mut by_sign: BTreeMap<SignOfMember, Vec<&CaseReport>> = BTreeMap::new();
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

fn signs(detail: &Detail) -> Vec<SignOfMember> {
    let alone = |words: String| (Sign::Words(words), String::new());
    match &detail.cause {
        Cause::DifferentValue if !detail.differences.is_empty() => {
            detail.differences.iter().map(of_difference).collect()
        }
        Cause::BrokenLaws => {
            let laws = detail.laws.iter().map(|law| law.law.as_str());
            laws.map(|law| alone(format!("the law `{law}` is broken")))
                .collect()
        }
        // What a parser says of one answer would part cases that have one cause.
        Cause::NotJson(_) => vec![alone("the text of the answer is not JSON".to_owned())],
        other => vec![alone(cause(other))],
    }
}

/// An empty value that is gone is a cause of its own.
fn of_difference(difference: &DifferenceReport) -> SignOfMember {
    let mut classes = LossClass::ALL.into_iter();
    let class = classes.find(|class| class.as_str() == difference.class);
    let gone = difference
        .expected
        .as_deref()
        .filter(|_| difference.got.is_none());
    let sign = match (class, gone.filter(|value| EMPTY.contains(value))) {
        (Some(class), Some(value)) => Sign::EmptyGone(class, value.to_owned()),
        (Some(class), None) => Sign::Difference(class),
        // A report may be of a later version, which has more classes.
        (None, _) => Sign::Words(difference.class.clone()),
    };
    (sign, member(difference))
}

/// The name of the member that differs; of an item of an array, that of the array.
fn member(difference: &DifferenceReport) -> String {
    let mut names = difference.at.rsplit('/');
    let is_name = |name: &&str| !name.is_empty() && name.parse::<usize>().is_err();
    names.find(is_name).unwrap_or_default().to_owned()
}

/// One group for each sign; one for a sign that many members have.
fn joined(by_sign: BTreeMap<SignOfMember, Vec<&CaseReport>>) -> Vec<FailureGroup<'_>> {
    let mut by_class: BTreeMap<Sign, Vec<(String, Vec<&CaseReport>)>> = BTreeMap::new();
    for ((sign, member), cases) in by_sign {
        by_class.entry(sign).or_default().push((member, cases));
    }
    let mut groups = Vec::new();
    for (sign, mut members) in by_class {
        members.sort_by_key(|(_, cases)| std::cmp::Reverse(cases.len()));
        if members.len() >= MANY_MEMBERS || !sign.is_of_members() {
            let (names, cases): (Vec<_>, Vec<_>) = members.into_iter().unzip();
            groups.push(group(&sign, names, cases.concat()));
        } else {
            let each = members.into_iter();
            groups.extend(each.map(|(name, cases)| group(&sign, vec![name], cases)));
        }
    }
    groups
}

fn group<'r>(
    sign: &Sign,
    mut members: Vec<String>,
    cases: Vec<&'r CaseReport>,
) -> FailureGroup<'r> {
    members.retain(|name| !name.is_empty());
    FailureGroup {
        name: sign.to_string(),
        class: sign.class(),
        members,
        cases,
    }
}
