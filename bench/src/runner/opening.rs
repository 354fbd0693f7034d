//! The page of reports in a real browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::figure::{Measured, grouped};
use crate::measure::ROUNDS;
use crate::page;

/// What the browser is called.
const BROWSER: &str = "chromium";

/// What it may not do: reach for the network, or ask for a sandbox that containers do not have.
const FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--dump-dom",
    "--timeout=60000",
];

/// Comes after everything else in a page. Reading a height makes the browser lay everything out.
const CLOCK: &str = r#"<script>
document.body.offsetHeight;
const opened = performance.now();
const field = document.getElementById("find");
if (field !== null) {
  field.value = "unknown";
  field.dispatchEvent(new Event("input"));
  document.body.offsetHeight;
}
document.body.dataset.times = [opened, performance.now() - opened].join(" ");
</script></body>"#;

/// A page that has nothing to do.
const EMPTY: &str = "<!DOCTYPE html><html><body><p>Nothing.</p></body></html>";

/// When a page was there, and how long it took to find something, in milliseconds.
#[derive(Debug, Clone, Copy)]
struct OpeningTimes {
    opened: f64,
    found: f64,
}

/// Opens the page of the published SDKs, and an empty one, in turn.
pub fn measure(workspace: &Path, program: &Path) -> Result<Vec<Measured>, String> {
    let folder = tempfile::tempdir_in(workspace.join("target"));
    let folder = folder.map_err(|error| format!("cannot make a folder below `target`: {error}"))?;
    let (page, cases) = write_page(workspace, program, folder.path())?;
    let text =
        fs::read_to_string(&page).map_err(|error| format!("no page was written: {error}"))?;
    let (mut ours, mut empty) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        ours.push(open(folder.path(), &text)?);
        empty.push(open(folder.path(), EMPTY)?);
    }
    let opened = median(ours.iter().map(|it| it.opened));
    let nothing = median(empty.iter().map(|it| it.opened));
    let size = u32::try_from(text.len()).map_or(f64::NAN, f64::from);
    let figure = |id, value, peer| Measured { id, value, peer };
    Ok(vec![
        figure(
            "page-opens",
            opened,
            format!("ours {opened:.0} ms, an empty page {nothing:.0} ms"),
        ),
        figure(
            "page-finds",
            median(ours.iter().map(|it| it.found)),
            "the word `unknown`".to_owned(),
        ),
        figure("page-size", size, format!("{} verdicts", grouped(cases))),
    ])
}

/// The browser with its version.
pub fn browser() -> String {
    format!("Chromium {}", page::version_of(BROWSER))
}

/// Runs the corpus against every published SDK and writes the page of all reports. Gives how many verdicts
/// it has.
fn write_page(workspace: &Path, program: &Path, folder: &Path) -> Result<(PathBuf, usize), String> {
    let (mut reports, mut cases) = (Vec::new(), 0);
    for sdk in sdks(workspace)? {
        let report = folder.join(format!("{}.json", reports.len()));
        let mut command = Command::new(program);
        command
            .args(["test", "--report"])
            .arg(format!("json={}", report.display()));
        command
            .arg("--expect")
            .arg(sdk.join("expected-failures.toml"));
        command.arg("--").arg(sdk.join("run"));
        quiet(&mut command)?;
        let text = fs::read_to_string(&report)
            .map_err(|error| format!("`{}` gave no report: {error}", sdk.display()))?;
        let report_of: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        cases += report_of["cases"].as_array().map_or(0, Vec::len);
        reports.push(report);
    }
    let page = folder.join("report.html");
    let mut command = Command::new(program);
    command
        .args(["report", "show", "--report"])
        .arg(format!("html={}", page.display()));
    quiet(command.args(&reports))?;
    Ok((page, cases))
}

/// The folders of the adapters of published SDKs, in the order of their names.
fn sdks(workspace: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = workspace.join("tests/sdks");
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("cannot read `tests/sdks`: {error}"))?;
    let mut sdks: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("run").is_file())
        .collect();
    sdks.sort();
    Ok(sdks)
}

/// Runs a command that says what it has to say in a file.
fn quiet(command: &mut Command) -> Result<(), String> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    match command.status() {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("cannot start {command:?}: {error}")),
    }
}

fn open(folder: &Path, page: &str) -> Result<OpeningTimes, String> {
    let profile = tempfile::tempdir_in(folder);
    let profile =
        profile.map_err(|error| format!("cannot make a folder for the browser: {error}"))?;
    let file = profile.path().join("page.html");
    let failed = |error: std::io::Error| format!("cannot open the page in `{BROWSER}`: {error}");
    fs::write(&file, page.replace("</body>", CLOCK)).map_err(failed)?;
    let output = Command::new(BROWSER)
        .args(FLAGS)
        .arg(format!(
            "--user-data-dir={}",
            profile.path().join("profile").display()
        ))
        .arg(format!("file://{}", file.display()))
        .stdin(Stdio::null())
        .output()
        .map_err(failed)?;
    let document = String::from_utf8_lossy(&output.stdout);
    let times = document
        .split("data-times=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let times: Vec<f64> = times
        .unwrap_or_default()
        .split(' ')
        .filter_map(|time| time.parse().ok())
        .collect();
    match times[..] {
        [opened, found] => Ok(OpeningTimes { opened, found }),
        _ => Err(format!("`{BROWSER}` gave no times: {}", output.status)),
    }
}

fn median(times: impl Iterator<Item = f64>) -> f64 {
    let mut times: Vec<_> = times.collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
