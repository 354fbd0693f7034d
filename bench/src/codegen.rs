//! `cargo xtask bench codegen`: the generated types beside those that people write by hand.

mod generation;
pub mod languages;
mod round_trip;

use super::BenchSubject;
use super::figure::FigureBound::{AtLeast, AtMost};
use super::figure::{BenchResult, FigureBound, Goal, Unit};
use super::page::{self, Bench};

/// Any number; the logs of one seed are equal on every machine.
const SEED: u64 = 20_265;

/// The section of the page.
pub const BENCH: Bench = Bench {
    name: "codegen",
    title: "Generated code",
    method: "A round trip reads each event of a log from its own text into types and writes it again. Rust is the
reference, TypeScript and Python are the packages in `packages`. Beside them: `JSON.parse`, the zod schemas of
`@ag-ui/core` and `JSON.stringify`; the pydantic models of `ag-ui-protocol` with `validate_json` and
`model_dump_json`. Validation is of events that are parsed already. Those of one language take turns in one process,
and the fastest pass of all rounds counts. Generating is `chatstate generate all` into an empty folder, as a process of its own, from the
canonical schema and from its definitions again under other names; beside it quicktype for the same four languages.",
    goals: &[
        goal("rust-zod", "round trip of {all} events: zod / Rust", AtLeast(4.0)),
        goal("rust-pydantic", "round trip of {all} events: pydantic / Rust", AtLeast(10.0)),
        goal("typescript", "validation of {all} events: zod / TypeScript", AtLeast(3.0)),
        open("typescript-zod", "round trip of {all} events, numbers as doubles: zod / TypeScript"),
        Goal {
            unit: Unit::Milliseconds,
            ..goal("generate", "all four languages from the canonical schema", AtMost(80.0))
        },
        Goal {
            unit: Unit::Megabytes,
            ..goal("generate-memory", "memory of the same", AtMost(64e6))
        },
        Goal {
            unit: Unit::Milliseconds,
            ..goal("generate-large", "all four languages from 600 definitions", AtMost(300.0))
        },
        goal("generate-peer", "all four languages: quicktype / chatstate", AtLeast(50.0)),
        goal("python", "round trip of {all} events: Python / `ag-ui-protocol`", AtMost(1.5)),
    ],
    events: 2_000,
    least_events: 1_000,
    measure,
};

const fn goal(id: &'static str, name: &'static str, floor: FigureBound) -> Goal {
    Goal {
        floor: Some(floor),
        ..open(id, name)
    }
}

const fn open(id: &'static str, name: &'static str) -> Goal {
    Goal {
        id,
        name,
        unit: Unit::Ratio,
        floor: None,
        aim: None,
    }
}

fn measure(subject: BenchSubject<'_>, events: usize) -> Result<BenchResult, String> {
    let mut figures = round_trip::measure(subject.workspace, events, SEED)?;
    figures.extend(generation::measure(subject)?);
    let machine = format!(
        "{}; Node.js {}, Python {}, Rust {}",
        page::machine(),
        page::version_of("node"),
        page::version_of("python3"),
        page::version_of("rustc"),
    );
    Ok(BenchResult { figures, machine })
}
