//! `cargo xtask bench runner`: what the runner itself costs, how long the self-test takes, and how soon
//! the page of reports is there.

mod echo;
mod opening;
mod self_test;

use super::BenchSubject;
use super::figure::FigureBound::{AtLeast, AtMost};
use super::figure::{BenchResult, FigureBound, Goal, Unit};
use super::page::{self, Bench};

pub use echo::serve;

/// The section of the page.
pub const BENCH: Bench = Bench {
    name: "runner",
    title: "The runner",
    method: "Cases through the runner's library, without canaries, against adapters that answer each request with its
input: one in Python, one in Rust. A case is a `round-trip` of a chat of about a kilobyte. The pipe beside them is the
same adapter with the same lines, written and counted by two threads that do nothing else. The self-test is one run of
`chatstate selftest`. The page has the reports of the published SDKs in `tests/sdks` on the whole corpus; it is opened
in headless Chromium, and what counts is the time from the start of the navigation until the matrix is laid out and
takes input, as the page itself sees it.",
    goals: &[
        goal("python", "cases a second, Python, {tenth} of them", Unit::PerSecond, Some(AtLeast(10_000.0))),
        goal("python-pipe", "the same: pipe / ours", Unit::Ratio, None),
        goal("native", "cases a second, Rust, {all} of them", Unit::PerSecond, Some(AtLeast(100_000.0))),
        goal("native-pipe", "the same: pipe / ours", Unit::Ratio, None),
        goal("selftest", "`chatstate selftest`", Unit::Seconds, Some(AtMost(60.0))),
        goal("page-opens", "the page of five SDKs takes input after", Unit::Milliseconds, Some(AtMost(1000.0))),
        goal("page-finds", "the page has found what is typed after", Unit::Milliseconds, None),
        goal("page-size", "size of the page", Unit::Megabytes, Some(AtMost(2e6))),
    ],
    events: 100_000,
    least_events: 1_000,
    measure,
};

const fn goal(
    id: &'static str,
    name: &'static str,
    unit: Unit,
    floor: Option<FigureBound>,
) -> Goal {
    Goal {
        id,
        name,
        unit,
        floor,
        aim: None,
    }
}

fn measure(subject: BenchSubject<'_>, cases: usize) -> Result<BenchResult, String> {
    let BenchSubject { workspace, program } = subject;
    let mut figures = echo::measure(cases)?;
    figures.push(self_test::measure(program)?);
    figures.extend(opening::measure(workspace, program)?);
    let machine = format!(
        "{}; Python {}, {}, Rust {}",
        page::machine(),
        page::version_of("python3"),
        opening::browser(),
        page::version_of("rustc"),
    );
    Ok(BenchResult { figures, machine })
}
