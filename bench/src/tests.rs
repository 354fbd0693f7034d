//! The page of figures is the one that the benches write, and verdicts say what they should.

use super::BENCHES;
use super::figure::FigureBound::{AtLeast, AtMost};
use super::figure::{FigureBound, FigureTable, Goal, GoalVerdict, Measured, Unit};
use super::page::{PAGE, content, page};

fn text() -> String {
    let path = crate::workspace().join(PAGE);
    std::fs::read_to_string(path).expect("the page is there")
}

#[test]
fn the_page_has_every_figure_of_every_bench() {
    let text = text();
    for bench in BENCHES {
        let name = bench.name;
        let content =
            content(&text, bench).unwrap_or_else(|| panic!("`{name}` is not on the page"));
        assert_eq!(content.rows.len(), bench.goals.len(), "{name}");
        for (row, goal) in content.rows.iter().zip(bench.goals) {
            let beginning = goal.row(bench.events);
            assert!(
                row.starts_with(&beginning),
                "{name}: `{row}` is not `{beginning} …`"
            );
            assert_eq!(row.matches(" |").count(), 6, "{name}: `{row}`");
        }
    }
}

#[test]
fn the_page_is_as_the_benches_write_it() {
    let text = text();
    let sections: Vec<_> = BENCHES
        .iter()
        .map(|bench| (*bench, content(&text, bench)))
        .collect();
    assert_eq!(text, page(&sections), "run the benches again");
}

/// A floor, an aim, a figure, and what is said of it.
const VERDICTS: &[(Option<FigureBound>, Option<FigureBound>, f64, GoalVerdict)] = &[
    (None, None, 1.0, GoalVerdict::Open),
    (
        Some(AtLeast(12.0)),
        Some(AtLeast(20.0)),
        11.9,
        GoalVerdict::Missed,
    ),
    (
        Some(AtLeast(12.0)),
        Some(AtLeast(20.0)),
        12.0,
        GoalVerdict::AboveFloor,
    ),
    (
        Some(AtLeast(12.0)),
        Some(AtLeast(20.0)),
        20.0,
        GoalVerdict::Reached,
    ),
    (
        Some(AtMost(1.2)),
        Some(AtMost(1.05)),
        1.21,
        GoalVerdict::Missed,
    ),
    (
        Some(AtMost(1.2)),
        Some(AtMost(1.05)),
        1.2,
        GoalVerdict::AboveFloor,
    ),
    (
        Some(AtMost(1.2)),
        Some(AtMost(1.05)),
        0.9,
        GoalVerdict::Reached,
    ),
    (None, Some(AtMost(100.0)), 101.0, GoalVerdict::AboveFloor),
    (Some(AtMost(100.0)), None, 99.0, GoalVerdict::Reached),
    (Some(AtMost(100.0)), None, f64::NAN, GoalVerdict::Missed),
];

#[test]
fn verdicts() {
    for (floor, aim, measured, expected) in VERDICTS {
        let goal = goal(*floor, *aim);
        assert_eq!(
            GoalVerdict::of(&goal, *measured),
            *expected,
            "{goal:?} of {measured}"
        );
    }
}

fn goal(floor: Option<FigureBound>, aim: Option<FigureBound>) -> Goal {
    Goal {
        id: "speed",
        name: "speed with {tenth} events",
        unit: Unit::Ratio,
        floor,
        aim,
    }
}

#[test]
fn a_missed_floor_is_named() {
    let goals = [goal(Some(AtLeast(12.0)), Some(AtLeast(20.0)))];
    let figure = |value| Measured {
        id: "speed",
        value,
        peer: "1 and 2".to_owned(),
    };
    let missed = FigureTable::new(&goals, &[figure(3.0)], 50_000).expect("a table");
    assert_eq!(missed.missed, ["speed with 5,000 events"]);
    assert_eq!(
        missed.rows,
        ["| speed with 5,000 events | ≥ 12 | ≥ 20 | 3.00 | 1 and 2 | MISSED |"]
    );
    let kept = FigureTable::new(&goals, &[figure(13.0)], 50_000).expect("a table");
    assert!(kept.missed.is_empty());
    assert!(
        FigureTable::new(&goals, &[], 50_000).is_err(),
        "a goal without a figure"
    );
}
