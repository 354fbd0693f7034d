//! The report as SARIF 2.1.0, which code scanning services read.
//!
//! Rules have a text for `help` and no `helpUri`: the specification has no address on the web that would be
//! the same for every reader of a report. `chatstate explain` has its text.

use std::fmt::Write;

use chatstate_corpus::Requirement;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::judgement::{EntryPlace, Verdict};
use crate::report::evidence::{canary_evidence, found};
use crate::report::lines::hex;
use crate::report::messages::{canary, joined, result, staleness};
use crate::report::status::reason;
use crate::report::{CaseReport, RunReport};

/// The rules that are about the run, beside the requirements of SPEC.md.
const CANARY: &str = "chatstate.canary";
const STALE: &str = "chatstate.stale-expectation";

/// Gives the report as SARIF: requirements are rules, what fails is a result, and a known failure is a
/// suppressed one.
#[must_use]
pub fn render(report: &RunReport, requirements: &[Requirement]) -> String {
    let mut results: Vec<Value> = Vec::new();
    if let Some(failure) = &report.canary {
        let words = format!("{}\n{}", canary(failure), joined(&canary_evidence(failure)));
        let mut result = found_result(CANARY, "error", &words, &["adapter"]);
        let file = report.adapter.as_deref().and_then(adapter_file);
        result["locations"] = file.iter().map(|file| location(file, 1)).collect();
        results.push(result);
    }
    results.extend(
        report
            .cases
            .iter()
            .filter_map(|case| result_of(report, case)),
    );
    results.extend(report.stale.iter().map(|entry| {
        let words = format!("`{}` {}", entry.names, staleness(&entry.because));
        let mut result = found_result(STALE, "error", &words, &[&entry.file, &entry.names]);
        result["locations"] = json!([location(&entry.file, entry.line)]);
        result
    }));
    let ids: Vec<_> = results.iter().map(|it| it["ruleId"].clone()).collect();
    let rules = rules(requirements);
    let rules: Vec<_> = rules
        .into_iter()
        .filter(|it| ids.contains(&it["id"]))
        .collect();
    let page = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "chatstate",
                "version": report.kit,
                "rules": rules,
            } },
            "automationDetails": { "id": format!("chatstate/{}/", report.implementation.name) },
            "invocations": [{
                "executionSuccessful": report.incomplete.is_none() && report.canary.is_none(),
                "exitCode": report.exit_code(),
                "exitCodeDescription": result(report),
            }],
            "properties": {
                "implementation": report.implementation,
                "corpus": report.corpus,
                "summary": report.summary,
            },
            "results": results,
        }],
    });
    format!("{page:#}\n")
}

fn rules(requirements: &[Requirement]) -> Vec<Value> {
    let of_runs = [
        (CANARY, "An adapter answers plain requests as they deserve."),
        (
            STALE,
            "A list of expected failures names what fails and nothing else.",
        ),
    ];
    let of_runs = of_runs.into_iter().map(|(id, text)| rule(id, text, text));
    let requirements = requirements.iter().map(|it| {
        let help = format!("{} `chatstate explain {}` names its cases.", it.text, it.id);
        rule(&it.id, &it.text, &help)
    });
    of_runs.chain(requirements).collect()
}

fn rule(id: &str, text: &str, help: &str) -> Value {
    json!({
        "id": id,
        "shortDescription": { "text": text },
        "help": { "text": help },
        "properties": { "tags": ["conformance"] },
    })
}

/// The result of a case, unless there is nothing to report.
fn result_of(report: &RunReport, case: &CaseReport) -> Option<Value> {
    let level = match case.verdict {
        Verdict::Fail
        | Verdict::Error
        | Verdict::Flaky
        | Verdict::UnexpectedPass
        | Verdict::ExpectedFailure => "error",
        Verdict::Warn => "warning",
        _ => return None,
    };
    let words = format!(
        "{}: {}
{}
why: {}
again: {}",
        case.id,
        case.title,
        joined(&found(case)),
        case.why,
        report.command(&case.id)
    );
    let rule = case.requirements.first().map_or("", String::as_str);
    let detail = case.detail.as_ref();
    let fingerprint = detail.and_then(|detail| detail.fingerprint.as_deref());
    let names = [case.id.as_str(), fingerprint.unwrap_or("")];
    let mut result = found_result(rule, level, &words, &names);
    let (file, line) = place(report, case);
    result["locations"] = json!([location(&file, line)]);
    result["properties"] = json!({
        "case": case.id,
        "verdict": case.verdict,
        "requirements": case.requirements,
        "fingerprint": fingerprint,
    });
    if case.verdict == Verdict::ExpectedFailure {
        let why = reason(case);
        result["suppressions"] = json!([{ "kind": "external", "justification": why }]);
    }
    Some(result)
}

/// The file and line that a failure is shown at, in the repository that is scanned: the entry that
/// expects it, the file of an own case, or that of the adapter, since the corpus is elsewhere. The
/// built-in reference has no other file than the case.
fn place(report: &RunReport, case: &CaseReport) -> (String, usize) {
    let entry = case.detail.as_ref().and_then(|it| it.expected_at.as_ref());
    if let Some(EntryPlace { file, line }) = entry {
        return (file.clone(), *line);
    }
    let adapter = || adapter_file(report.adapter.as_deref()?);
    let file = case.file.clone().or_else(adapter);
    (
        file.unwrap_or_else(|| format!("corpus/{}.json", case.id)),
        1,
    )
}

/// The file in the command of an adapter: the first relative path, else the first path. Interpreters
/// are words without a folder or in another place.
fn adapter_file(command: &str) -> Option<String> {
    let words = shlex::split(command)?;
    let paths: Vec<&String> = words
        .iter()
        .filter(|word| !word.starts_with('-') && word.contains(['/', '.']))
        .collect();
    let mut relative = paths.iter().filter(|path| !path.starts_with('/'));
    let found = relative.next().or(paths.first())?;
    Some(found.trim_start_matches("./").to_owned())
}

fn found_result(rule: &str, level: &str, words: &str, names: &[&str]) -> Value {
    json!({
        "ruleId": rule,
        "level": level,
        "message": { "text": words },
        "locations": [],
        "partialFingerprints": { "chatstate/v1": hex(&Sha256::digest(names.join("\n"))) },
    })
}

fn location(file: &str, line: usize) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(file) },
            "region": { "startLine": line },
        },
    })
}

/// A path as a reference: `/` between its parts, and no character that has a meaning of its own.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.replace('\\', "/").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(byte));
            }
            other => {
                let _ = write!(out, "%{other:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::adapter_file;

    #[test]
    fn a_failure_is_at_the_file_of_the_adapter() {
        let check = |command, file: Option<&str>| {
            assert_eq!(adapter_file(command).as_deref(), file, "{command}");
        };
        check("python3 adapter.py", Some("adapter.py"));
        check("./conformance/run --fast", Some("conformance/run"));
        check(
            "/usr/bin/node dist/adapter.mjs a.json",
            Some("dist/adapter.mjs"),
        );
        check("'my sdk' '/opt/sdk/adapter'", Some("/opt/sdk/adapter"));
        check("my-adapter", None);
        check(
            "python3 'my sdk/the adapter.py'",
            Some("my sdk/the adapter.py"),
        );
    }
}
