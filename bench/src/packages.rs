//! `cargo xtask bench packages`: event streams in the packages of the other languages.

mod chat;
mod dotnet;
mod reading;

use std::path::PathBuf;

use serde_json::Value;

use super::BenchSubject;
use super::codegen::languages::Languages;
use super::figure::FigureBound::{AtLeast, AtMost};
use super::figure::{BenchResult, FigureBound, Goal, Measured, Unit};
use super::page::{self, Bench};
use super::stream::{self, FileFraming};
use dotnet::Dotnet;

/// Any number; the logs of one seed are equal on every machine.
const SEED: u64 = 20_261;

/// The section of the page.
pub const BENCH: Bench = Bench {
    name: "packages",
    title: "Event streams in other languages",
    method: "The packages in `packages` compact the parsed events of the logs of the first section at level `stream`; only
the compaction is in the time. In TypeScript, `@ag-ui/client` takes turns with the package in one process; in Python,
`json.loads()` of the same lines does. The fastest pass counts, and the median where sizes are compared, since no
collection of garbage may fall into a short pass. What ten times the live events cost the engine of JavaScript by itself
is measured by copying each parsed event: `events.map((event) => ({ ...event }))`.

Reading in .NET is from UTF-8 bytes to objects, beside `System.Text.Json` with plain classes of the same members, the
output of `chatstate generate dotnet --only types`. It is told to reject duplicate names, and keeps unknown members, too. Times
are medians of readings in turn, and bytes are what the thread allocates. The metadata of the plain classes is made by
reflection before the clock starts. The source generator of the SDK, which does not run here, gives the same converters
other metadata. That was written by hand once for the classes of most events: the time was the same within 2 %, and 5 to
11 % longer with the constructors that the generator writes for `required` members. The memory of compaction to level
`snapshot` is the peak of a process that reads a file and writes one.",
    goals: &[
        goal("typescript", "compaction of {tenth} events: `@ag-ui/client` / TypeScript", AtLeast(5.0)),
        goal("linear", "compaction in TypeScript: {all} events / 10 × {tenth} events", AtMost(1.2)),
        Goal {
            floor: None,
            ..goal("copying", "copying each event: {all} events / 10 × {tenth} events", AtMost(1.2))
        },
        goal("replay", "replay of {hundredth} events: `defaultApplyEvents` / TypeScript", AtLeast(50.0)),
        goal("python", "compaction of {tenth} events in Python / `json.loads()`", AtMost(2.0)),
        goal("dotnet", "compaction of {tenth} events: .NET / TypeScript", AtMost(2.0)),
        goal("read-chat", "reading a chat of 1 MB in .NET / plain classes", AtMost(1.3)),
        goal("read-chat-bytes", "the same: allocated bytes", AtMost(2.0)),
        goal("read-events", "reading {tenth} events in .NET / plain classes", AtMost(1.6)),
        goal("read-events-bytes", "the same: allocated bytes", AtMost(2.0)),
        Goal {
            unit: Unit::Megabytes,
            ..goal("snapshots", "level `snapshot` in .NET, {all} events: peak memory", AtMost(160e6))
        },
    ],
    events: 1_000_000,
    least_events: 10_000,
    measure,
};

const fn goal(id: &'static str, name: &'static str, floor: FigureBound) -> Goal {
    Goal {
        id,
        name,
        unit: Unit::Ratio,
        floor: Some(floor),
        aim: None,
    }
}

fn measure(subject: BenchSubject<'_>, events: usize) -> Result<BenchResult, String> {
    let workspace = subject.workspace;
    let languages = Languages::set_up(workspace)?;
    let dotnet = Dotnet::build(subject)?;
    let folder = tempfile::tempdir_in(workspace.join("target"));
    let folder = folder.map_err(|error| format!("cannot make a folder below `target`: {error}"))?;
    let log = |events: usize| -> Result<PathBuf, String> {
        let path = folder.path().join(format!("log-{events}.jsonl"));
        stream::write(&path, FileFraming::Lines, events, SEED)?;
        Ok(path)
    };
    let (all, tenth, hundredth) = (log(events)?, log(events / 10)?, log(events / 100)?);
    let typescript = languages.typescript_streams(&[&tenth, &hundredth, &all])?;
    let python = languages.python_streams(&tenth)?;
    let mut dotnet_figures = reading::figures(&dotnet, folder.path(), events / 10, SEED)?;
    dotnet_figures.push(reading::snapshots(&dotnet, folder.path(), &all)?);
    let dotnet = dotnet.answer(&["compaction".as_ref(), &tenth])?;
    let machine = format!(
        "{}; Node.js {}, Python {}, .NET {}",
        page::machine(),
        page::version_of("node"),
        page::version_of("python3"),
        page::version_of("dotnet"),
    );
    let mut figures = figures(&typescript, &python, &dotnet)?;
    figures.extend(dotnet_figures);
    Ok(BenchResult { figures, machine })
}

/// A time of a script, under the name that the row shows.
struct Time {
    name: &'static str,
    seconds: f64,
}

/// The fastest pass of a script.
fn time(name: &'static str, answer: &Value, what: &str) -> Result<Time, String> {
    told(name, answer, "seconds", what)
}

fn told(name: &'static str, answer: &Value, of: &str, what: &str) -> Result<Time, String> {
    let seconds = answer[of][what].as_f64();
    let seconds = seconds.ok_or_else(|| format!("no {of} of `{what}` in {answer}"))?;
    Ok(Time { name, seconds })
}

fn figures(typescript: &Value, python: &Value, dotnet: &Value) -> Result<Vec<Measured>, String> {
    let ours = |name| time(name, typescript, "compaction");
    let peer = time("peer", typescript, "peerCompaction")?;
    let tenth_of = |what| -> Result<Time, String> {
        let all = told("all", typescript, "medians", what)?;
        let seconds = all.seconds / 10.0;
        Ok(Time { seconds, ..all })
    };
    let a_tenth = |what| told("a tenth", typescript, "medians", what);
    let replay = time("ours", typescript, "replay")?;
    let peer_replay = time("peer", typescript, "peerReplay")?;
    let parsing = time("`json.loads()`", python, "parsing")?;
    let python = time("Python", python, "compaction")?;
    let dotnet = time(".NET", dotnet, "compaction")?;
    Ok(vec![
        figure("typescript", &peer, &ours("ours")?),
        figure(
            "linear",
            &tenth_of("largeCompaction")?,
            &a_tenth("compaction")?,
        ),
        figure("copying", &tenth_of("largeCopying")?, &a_tenth("copying")?),
        figure("replay", &peer_replay, &replay),
        figure("python", &python, &parsing),
        figure("dotnet", &dotnet, &ours("TypeScript")?),
    ])
}

fn figure(id: &'static str, over: &Time, under: &Time) -> Measured {
    let shown = |time: &Time| format!("{} {:.1} ms", time.name, time.seconds * 1000.0);
    Measured {
        id,
        value: over.seconds / under.seconds,
        peer: format!("{}, {}", shown(under), shown(over)),
    }
}
