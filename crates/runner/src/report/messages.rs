//! The words of all reports. Every sentence that a reader of a run sees is in this file.

use crate::canary::CanaryFailure;
use std::collections::BTreeMap;
use std::fmt::Write;

use chatstate_json::visible;
use chatstate_protocol::Rejected;
use chatstate_types::diff::excerpt;

use crate::canary::CanaryVerdict;
use crate::expectations::Staleness;
use crate::judgement::{Cause, DifferenceReport, Expected, Verdict};
use crate::outcome::{Lost, Outcome, ProtocolViolation, beginning};
use crate::report::compare::{CaseChange, CaseState, Compared, Direction, RunComparison};
use crate::report::evidence::EvidenceField;
use crate::report::{Incomplete, RunReport};

/// How many characters of a document are shown on a line.
const SHOWN_CHARACTERS: usize = 400;

/// How many lines of a stack trace or of stderr are shown, from the end.
const SHOWN_LINES: usize = 8;

/// Who was tested against what, and what came of it.
pub(crate) fn total(report: &RunReport) -> String {
    let sdk = &report.implementation;
    let digest: String = report.corpus.digest.chars().take(12).collect();
    let source = if report.replayed {
        ", judged from a transcript"
    } else {
        ""
    };
    format!(
        "{} {} ({}) on corpus {} ({digest}){source}: {}",
        visible(&sdk.name),
        visible(&sdk.version),
        visible(&sdk.language),
        report.corpus.version,
        counted(&report.summary)
    )
}

/// The result of a run in a few words.
pub(crate) fn result(report: &RunReport) -> String {
    if report.canary.is_some() {
        return "the adapter failed a canary; nothing was scored".to_owned();
    }
    if let Some(incomplete) = &report.incomplete {
        return format!("incomplete: {}", incomplete_words(incomplete));
    }
    match report.exit_code() {
        0 => "as expected".to_owned(),
        4 => "the list of expected failures is out of date".to_owned(),
        _ => plural(report.unexpected(), "unexpected failure"),
    }
}

pub(crate) fn incomplete_words(incomplete: &Incomplete) -> String {
    match incomplete {
        Incomplete::NothingSelected => "no case is selected".to_owned(),
        Incomplete::EverythingSkipped => {
            "every selected case needs what the adapter neither declares nor answers".to_owned()
        }
        Incomplete::CrashBudgetSpent(budget) => format!(
            "{} crashed the adapter, hung it or broke the protocol, so the run stopped",
            plural(*budget, "case")
        ),
        Incomplete::CouldNotRestart(problem) => {
            format!("the adapter did not start again: {problem}")
        }
        Incomplete::NotInTranscript(count) => format!(
            "the transcript does not hold {}; run the adapter again",
            plural(*count, "request")
        ),
        Incomplete::FirstFailure => "it stopped at the first unexpected failure".to_owned(),
    }
}

pub(crate) fn plural(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// The verdicts that at least one case has.
pub(crate) fn counted(counts: &BTreeMap<Verdict, usize>) -> String {
    let present = counts.iter().filter(|(_, count)| **count > 0);
    let words = present.map(|(verdict, count)| format!("{count} {}", verdict.as_str()));
    let words: Vec<_> = words.collect();
    match words.as_slice() {
        [] => "no case judged".to_owned(),
        words => words.join(", "),
    }
}

pub(crate) fn cause(cause: &Cause) -> String {
    match cause {
        Cause::DifferentValue => "the answer has another value".to_owned(),
        Cause::DifferentText => "the answer is another text".to_owned(),
        Cause::NotJson(problem) => format!("the text of the answer is not JSON: {problem}"),
        Cause::Accepted => "the document was accepted, and it should be rejected".to_owned(),
        Cause::Rejected => "the document was rejected, and it should be accepted".to_owned(),
        Cause::OtherReason => "the document was rejected for another reason".to_owned(),
        Cause::NoAlternative => "none of the right answers was given".to_owned(),
        Cause::NoClass => "the rejection has no class".to_owned(),
        Cause::Unsupported => {
            "the adapter declares the capability, and then does not have it".to_owned()
        }
        Cause::Unsayable => "the format of the SDK cannot hold the document".to_owned(),
        Cause::Fault => "the SDK or its adapter broke".to_owned(),
        Cause::NoAnswer => "there is no answer to judge".to_owned(),
        Cause::NotDeclared(words) => format!("not declared: {}", words.join(", ")),
        Cause::ReferenceOnly => "the case binds the reference alone".to_owned(),
        Cause::OtherDialect(name) => {
            format!("the adapter sees `{name}` alone, and the case is about the canonical form")
        }
        Cause::LeftOut(member) => format!("the answer has no `{member}`, and may leave it out"),
        Cause::Open(reason) => format!("any answer is right: {reason}"),
        Cause::BrokenLaws => "the answer breaks a law".to_owned(),
        Cause::CannotBeWritten => {
            "the document was accepted, and cannot be written back".to_owned()
        }
        Cause::WrittenOtherwise => {
            "the document was accepted, and is written back as another one".to_owned()
        }
        Cause::DefectMadeValid => {
            "the document was accepted, and its defect is made valid: what is written back is another document"
                .to_owned()
        }
        Cause::MalformedCase(problem) => format!("the case itself is wrong: {problem}"),
    }
}

pub(crate) fn difference_line(difference: &DifferenceReport) -> String {
    let DifferenceReport {
        class,
        at,
        to,
        expected,
        got,
    } = difference;
    if let Some(to) = to {
        return format!("{} {class}: it is at {}", place(at), place(to));
    }
    let (expected, got) = match (expected, got) {
        (Some(expected), Some(got)) => both_sides(expected, got),
        (expected, got) => (side(expected.as_deref()), side(got.as_deref())),
    };
    format!("{} {class}: expected {expected}, got {got}", place(at))
}

fn side(text: Option<&str>) -> String {
    text.map_or("nothing".to_owned(), |text| {
        format!("`{}`", shortened(text))
    })
}

/// Two values that differ; of long ones the part that differs.
fn both_sides(expected: &str, got: &str) -> (String, String) {
    if expected.len().max(got.len()) <= SHOWN_CHARACTERS {
        return (side(Some(expected)), side(Some(got)));
    }
    let excerpt = excerpt(expected, got, SHOWN_CHARACTERS / 2);
    (side(Some(&excerpt.before)), side(Some(&excerpt.after)))
}

pub(crate) fn loss_line(lost: &Lost) -> String {
    format!(
        "{} {}: {}",
        place(&lost.at),
        lost.class,
        shortened(&lost.why)
    )
}

/// A JSON pointer; the empty one is the whole document.
pub(crate) fn place(at: &str) -> String {
    if at.is_empty() {
        "the whole document".to_owned()
    } else {
        format!("`{at}`")
    }
}

pub(crate) fn expected_line(expected: &Expected) -> String {
    match expected {
        Expected::Ok(text) => shortened(text),
        Expected::Rejected(rejected) => rejection(rejected),
        Expected::AnyOf(alternatives) => {
            let lines: Vec<_> = alternatives.iter().map(expected_line).collect();
            lines.join("\nor ")
        }
    }
}

pub(crate) fn got_lines(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ok(text) => shortened(text),
        Outcome::Rejected(rejected) => rejection(rejected),
        Outcome::Unsupported(why) => format!("unsupported: {}", shortened(why)),
        Outcome::Unsayable(lost) => {
            let lines: Vec<_> = lost.iter().map(loss_line).collect();
            format!(
                "not asked, because this would be lost:\n{}",
                lines.join("\n")
            )
        }
        Outcome::Fault(what) => format!("fault:\n{}", last_lines(what)),
        Outcome::Crashed {
            ending,
            stderr,
            certain,
        } => {
            format!(
                "the adapter {ending}{}{}",
                blame(*certain),
                stderr_lines(stderr)
            )
        }
        Outcome::TimedOut {
            milliseconds,
            stderr,
            certain,
        } => format!(
            "no answer within {milliseconds} ms{}{}",
            blame(*certain),
            stderr_lines(stderr)
        ),
        Outcome::Malformed {
            violation: kind,
            line,
            certain,
        } => {
            format!("{}{}\n{line}", violation(kind), blame(*certain))
        }
    }
}

/// A line about a case that is not what it was.
pub(crate) fn change_words(change: &CaseChange) -> String {
    let side = |state: &Option<CaseState>| match state {
        Some(CaseState {
            verdict,
            fingerprint: Some(fingerprint),
        }) => format!("{} ({})", verdict.as_str(), shortened(fingerprint)),
        Some(state) => state.verdict.as_str().to_owned(),
        None => "not there".to_owned(),
    };
    format!(
        "{:<9} {}: {} -> {}\n",
        change.direction.as_str(),
        change.id,
        side(&change.before),
        side(&change.after)
    )
}

/// How many cases went which way, from which run to which.
pub(crate) fn counted_changes(comparison: &RunComparison) -> String {
    let name = |run: &Compared| {
        let (sdk, corpus) = (&run.implementation, &run.corpus);
        let digest: String = corpus.digest.chars().take(12).collect();
        format!(
            "{} {} on corpus {} ({digest})",
            sdk.name, sdk.version, corpus.version
        )
    };
    let counts = Direction::ALL.map(|direction| {
        let changes = comparison.changes.iter();
        let count = changes.filter(|it| it.direction == direction).count();
        format!("{count} {}", direction.as_str())
    });
    let (before, after) = (name(&comparison.before), name(&comparison.after));
    format!("{before} -> {after}: {}\n", counts.join(", "))
}

pub(crate) fn rejection(rejected: &Rejected) -> String {
    let Rejected {
        class,
        at,
        rule,
        message,
    } = rejected;
    let mut text = match class {
        Some(class) => format!("rejected with class `{class}`"),
        None => "rejected without a class".to_owned(),
    };
    if let Some(at) = at {
        let _ = write!(text, " at {}", place(at));
    }
    if let Some(rule) = rule {
        let _ = write!(text, " by rule `{rule}`");
    }
    if let Some(message) = message {
        let _ = write!(text, ": {}", shortened(message));
    }
    text
}

pub(crate) fn blame(certain: bool) -> &'static str {
    if certain {
        ""
    } else {
        " while several requests were under way; none did it again alone, and this one was sent first"
    }
}

pub(crate) fn stderr_lines(stderr: &str) -> String {
    if stderr.trim().is_empty() {
        "; it wrote nothing to stderr".to_owned()
    } else {
        format!("; its stderr ends with\n{}", last_lines(stderr))
    }
}

pub(crate) fn violation(violation: &ProtocolViolation) -> String {
    match violation {
        ProtocolViolation::NotUtf8 => "a line that is not UTF-8:".to_owned(),
        ProtocolViolation::TooLong => "a line longer than 64 MiB".to_owned(),
        ProtocolViolation::NotAnAnswer => {
            "a line that is not an answer (logs belong on stderr):".to_owned()
        }
        ProtocolViolation::UnknownSeq => "an answer with a `seq` that was never sent:".to_owned(),
        ProtocolViolation::AnsweredTwice => "a second answer to the same `seq`:".to_owned(),
        ProtocolViolation::BadReply(problem) => format!("a malformed answer, {problem}:"),
        ProtocolViolation::AfterTheLast => "a line after the last answer:".to_owned(),
    }
}

pub(crate) fn canary(failure: &CanaryFailure) -> &'static str {
    match failure.verdict {
        CanaryVerdict::SkipsAll => {
            "the adapter skips all: it declares no operation with a kind of document, or answers `unsupported` to everything"
        }
        CanaryVerdict::MixesUp => {
            "the adapter mixes up its answers: it answers a request with what belongs to another one"
        }
        CanaryVerdict::EchoesAll => {
            "the adapter echoes all: it gives back what it got, even what is not JSON"
        }
        CanaryVerdict::AcceptsAll => {
            "the adapter accepts all: it takes what is not JSON, or what plainly breaks the schema"
        }
        CanaryVerdict::RejectsAll => "the adapter rejects all: it rejects a valid document",
        CanaryVerdict::Broken if failure.is_about_no_json() => {
            "the adapter breaks on a document that is not JSON, which it should answer with `rejected`"
        }
        CanaryVerdict::Broken => "the adapter breaks on a plain request",
    }
}

pub(crate) fn staleness(because: &Staleness) -> String {
    match because {
        Staleness::MatchesNothing => {
            "matches no case of the corpus; take the entry away".to_owned()
        }
        Staleness::NotScored => {
            "is skipped or never scored, so nothing is known to fail; take the entry away"
                .to_owned()
        }
        Staleness::NoneFailsSo => {
            "names cases of which none fails in the way of its fingerprint; take the entry away"
                .to_owned()
        }
        Staleness::Passes(ids) => format!(
            "passes: {}; take the entry away, or make it name what fails",
            ids.join(", ")
        ),
        Staleness::Over => "had its last day; look at it again".to_owned(),
        Staleness::TooMany { failures, most } => format!(
            "would excuse {failures} failures and may excuse {most}, so it excuses none; name them one by one, \
             or say more in `max`"
        ),
    }
}

/// Evidence as lines of text.
pub(crate) fn joined(fields: &[EvidenceField]) -> String {
    let lines = fields.iter().map(|(name, words)| match *name {
        "" => words.clone(),
        name => format!("{name}: {words}"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A text on one line, without characters that command a terminal.
pub(crate) fn one_line(text: &str) -> String {
    visible(&text.replace(char::is_control, " ")).into_owned()
}

/// The beginning of a text on one line.
pub(crate) fn shortened(text: &str) -> String {
    beginning(&text.replace(['\n', '\r'], " "), SHOWN_CHARACTERS)
}

/// The last lines of a text, each shortened.
pub(crate) fn last_lines(text: &str) -> String {
    let lines: Vec<_> = text.trim_end().lines().collect();
    let skipped = lines.len().saturating_sub(SHOWN_LINES);
    let shown: Vec<_> = lines[skipped..]
        .iter()
        .map(|line| shortened(line))
        .collect();
    shown.join("\n")
}
