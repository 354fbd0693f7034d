//! `cargo xtask matrix`: every SDK and every generated package on the whole corpus, as pages.

mod page;
mod table;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use chatstate_corpus::{Corpus, Requirement, specification};
use chatstate_runner::report::text::TextDetail;
use chatstate_runner::{
    AdapterCommand, Expectations, InteropReport, InteropWork, RunOptions, RunReport, RunWork,
    interop, report, run as judge,
};

use crate::lane::LANES;
use crate::program;

/// The page for people in a browser, the page for people at the source, and the page with the summary.
const HTML: &str = "docs/matrix.html";
const MARKDOWN: &str = "docs/matrix.md";
const README: &str = "README.md";

/// The largest page that is kept in the repository.
const MOST_BYTES: usize = 2_000_000;

/// How long an answer may take; the machine may have other things to do.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Runs everybody, and writes the pages when every failure is one that is explained.
pub fn run(workspace: &Path) -> Result<(), String> {
    let corpus = Corpus::embedded().map_err(|error| error.to_string())?;
    let requirements = specification::embedded().map_err(|problems| problems.to_string())?;
    let reference = program::build(workspace)?;
    let mut reports = Vec::new();
    let mut commands = Vec::new();
    for adapter in adapters(workspace)? {
        let command = command(workspace, &reference, adapter);
        eprintln!("running `{}`", adapter.unwrap_or("chatstate"));
        let list = list(workspace, adapter)?;
        reports.push(judged(&command, &corpus, &requirements, &list)?);
        commands.push(command);
    }
    eprintln!("handing documents over");
    let handed = handed_over(&corpus, &commands)?;
    write(workspace, &requirements, &reports, &handed)
}

/// The adapters in the order of the pages, as paths from the root of the workspace: the reference, which has
/// none, the packages, the SDKs. Each is set up.
fn adapters(workspace: &Path) -> Result<Vec<Option<&'static str>>, String> {
    let mut adapters = vec![None];
    for lane in LANES.iter().filter(|lane| !lane.adapters.is_empty()) {
        let name = lane.name;
        lane.find(workspace).map_err(|missing| {
            format!("the pages are about everybody, but {missing} for lane `{name}`")
        })?;
        eprintln!("setting up lane `{name}`");
        lane.set_up(workspace)?;
        adapters.extend(lane.adapters.iter().copied().map(Some));
    }
    adapters.sort_unstable();
    Ok(adapters)
}

fn command(workspace: &Path, reference: &Path, adapter: Option<&str>) -> AdapterCommand {
    let mut command = match adapter {
        Some(adapter) => AdapterCommand::new(adapter, Vec::<OsString>::new()),
        None => AdapterCommand::new(reference, ["adapter"]),
    };
    command.directory = Some(workspace.to_owned());
    command
}

/// The known failures, which are listed beside an adapter that has any.
fn list(workspace: &Path, adapter: Option<&str>) -> Result<Expectations, String> {
    let name = adapter.and_then(|adapter| adapter.strip_suffix("run"));
    let name = name.map(|folder| format!("{folder}expected-failures.toml"));
    let name = name.filter(|name| workspace.join(name).exists());
    let Some(name) = name else {
        return Ok(Expectations::default());
    };
    let text = fs::read_to_string(workspace.join(&name));
    let text = text.map_err(|error| format!("cannot read `{name}`: {error}"))?;
    Expectations::parse(&name, &text).map_err(|error| error.to_string())
}

fn judged(
    command: &AdapterCommand,
    corpus: &Corpus,
    requirements: &[Requirement],
    expectations: &Expectations,
) -> Result<RunReport, String> {
    let options = RunOptions {
        timeout: TIMEOUT,
        reference: command.arguments == ["adapter"],
        ..RunOptions::default()
    };
    let work = RunWork {
        command,
        corpus,
        cases: corpus.cases().iter().collect(),
        requirements,
        expectations,
    };
    let report = judge(&work, &options, &mut |_| {}).map_err(|error| error.to_string())?;
    if report.exit_code() == 0 {
        return Ok(report);
    }
    Err(format!(
        "{}\nthe pages show only what is explained: mend it, or list it with a reason",
        report::text::render(&report, TextDetail::Everything.coloured(false))
    ))
}

fn handed_over(corpus: &Corpus, commands: &[AdapterCommand]) -> Result<InteropReport, String> {
    let work = InteropWork {
        commands,
        corpus,
        cases: corpus.cases().iter().collect(),
        timeout: TIMEOUT,
        start_timeout: TIMEOUT,
        crash_budget: RunOptions::default().crash_budget,
    };
    interop(&work).map_err(|error| error.to_string())
}

fn write(
    workspace: &Path,
    requirements: &[Requirement],
    reports: &[RunReport],
    handed: &InteropReport,
) -> Result<(), String> {
    // Where an SDK broke, its own words name files of this machine.
    let here = format!("{}/", workspace.display());
    let html = report::html(reports, requirements).replace(&here, "");
    if html.len() > MOST_BYTES {
        let bytes = html.len();
        return Err(format!(
            "`{HTML}` would have {bytes} bytes, more than {MOST_BYTES}"
        ));
    }
    let readme = workspace.join(README);
    let text = fs::read_to_string(&readme);
    let text = text.map_err(|error| format!("cannot read `{README}`: {error}"))?;
    let readme = page::with_summary(&text, reports)?;
    for (name, text) in [
        (HTML, html),
        (MARKDOWN, page::page(reports, handed)),
        (README, readme),
    ] {
        let written = fs::write(workspace.join(name), text);
        written.map_err(|error| format!("cannot write `{name}`: {error}"))?;
        println!("wrote `{name}`");
    }
    Ok(())
}
