//! What came of trying all mutants, for people.

use std::fmt::Write;

use chatstate_corpus::traceability::{Status, Traceability};
use chatstate_corpus::{Family, RequirementLevel};

use super::{Complaint, SelftestResult};

/// Gives the conclusion as lines; the last one is the result.
#[must_use]
pub fn render(conclusion: &SelftestResult<'_>, joined: &Traceability<'_>) -> String {
    let mut out = String::new();
    families(&mut out, conclusion);
    idle(&mut out, conclusion);
    requirements(&mut out, joined);
    for problem in &conclusion.complaints {
        let _ = writeln!(out, "{}", complaint(problem));
    }
    let untested = joined.rows.iter().filter(|row| {
        row.status == Status::Untested && row.requirement.level != RequirementLevel::May
    });
    let _ = writeln!(
        out,
        "{}/{} mutants killed, {} cases, {} untested requirements",
        conclusion.killed.len(),
        conclusion.trials.len(),
        conclusion.cases,
        untested.count(),
    );
    out
}

fn families(out: &mut String, conclusion: &SelftestResult<'_>) {
    for family in Family::ALL {
        let trials = conclusion.trials.iter();
        let of_family = trials.filter(|trial| trial.mutant.family == family);
        let ids: Vec<&str> = of_family.map(|trial| trial.mutant.id.as_str()).collect();
        let killed = ids
            .iter()
            .filter(|id| conclusion.killed.contains(*id))
            .count();
        if !ids.is_empty() {
            let _ = writeln!(out, "{:13} {killed}/{} killed", family.as_str(), ids.len());
        }
    }
}

fn idle(out: &mut String, conclusion: &SelftestResult<'_>) {
    if conclusion.idle.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "{} cases find out no mutant but those that answer everything alike:",
        conclusion.idle.len()
    );
    for case in &conclusion.idle {
        let _ = writeln!(out, "  {case}");
    }
}

fn requirements(out: &mut String, joined: &Traceability<'_>) {
    let rows = joined.rows.iter();
    let binding: Vec<_> = rows
        .filter(|row| row.requirement.level == RequirementLevel::Must)
        .map(|row| &row.status)
        .collect();
    let count = |wanted: fn(&Status) -> bool| binding.iter().filter(|it| wanted(it)).count();
    let _ = writeln!(
        out,
        "{} requirements are a MUST: {} proven by a mutant, {} tested, {} excluded",
        binding.len(),
        count(|status| *status == Status::Proven),
        count(|status| *status == Status::Tested),
        count(|status| matches!(status, Status::Excluded(_))),
    );
}

/// What is wrong, and what to do next.
pub(super) fn complaint(complaint: &Complaint) -> String {
    match complaint {
        Complaint::ReferenceFails(case) => format!(
            "the reference does not pass `{case}`\n  help: `chatstate test --only {case}` says why"
        ),
        Complaint::NotFoundOut { mutant, case } => format!(
            "`{case}` names `{mutant}` in `kills`, and passes under it\n  help: take the name away, \
             or make the case notice"
        ),
        Complaint::OtherReason { mutant, case, sign } => format!(
            "`{case}` fails under `{mutant}` for another reason: `{sign}`\n  help: take the name out \
             of `kills`, or add the sign to `shows` in `corpus/mutants.toml` if it is the fault's"
        ),
        Complaint::NotPromised { mutant, cases } if cases.is_empty() => {
            format!("`{mutant}` survives: no case fails under it\n  help: add a case that does")
        }
        Complaint::NotPromised { mutant, cases } => format!(
            "no case names `{mutant}` in `kills`\n  help: name it in one of those that fail: `{}`",
            cases.join("`, `")
        ),
        Complaint::TooBroad { mutant, failures } => format!(
            "`{mutant}` fails {failures} cases, which is more than one in ten\n  help: make it a \
             narrower fault"
        ),
        Complaint::Alike(one, other) => format!(
            "`{one}` and `{other}` fail the same cases in the same way\n  help: add a case that tells \
             them apart, or take one away"
        ),
    }
}
