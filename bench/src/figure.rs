//! Figures: what is measured, what it must be, and what it was.

use std::fmt;

/// What a figure is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// One thing over another.
    Ratio,
    /// Things done in a second.
    PerSecond,
    /// Seconds.
    Seconds,
    /// Thousandths of a second.
    Milliseconds,
    /// Bytes, printed as megabytes.
    Megabytes,
    /// Bytes.
    Bytes,
}

/// A bound of a figure.
#[derive(Debug, Clone, Copy)]
pub enum FigureBound {
    /// The figure must reach this.
    AtLeast(f64),
    /// The figure must stay below or at this.
    AtMost(f64),
}

impl FigureBound {
    fn holds(self, measured: f64) -> bool {
        match self {
            Self::AtLeast(bound) => measured >= bound,
            Self::AtMost(bound) => measured <= bound,
        }
    }

    fn text(self, unit: Unit) -> String {
        match self {
            Self::AtLeast(bound) => format!("≥ {}", unit.bound(bound)),
            Self::AtMost(bound) => format!("≤ {}", unit.bound(bound)),
        }
    }
}

impl Unit {
    /// A bound, without digits that say nothing.
    fn bound(self, value: f64) -> String {
        match self {
            Self::Ratio => value.to_string(),
            Self::PerSecond => format!("{value}/s"),
            Self::Seconds => format!("{value} s"),
            Self::Milliseconds => format!("{value} ms"),
            Self::Megabytes => format!("{} MB", value / MEGABYTE),
            Self::Bytes => format!("{value} B"),
        }
    }

    /// A measured value: three digits are all that a machine repeats.
    fn measured(self, value: f64) -> String {
        match self {
            Self::Ratio if value < 10.0 => format!("{value:.2}"),
            Self::Ratio if value < 100.0 => format!("{value:.1}"),
            Self::Ratio | Self::Bytes => {
                let unit = if self == Self::Bytes { " B" } else { "" };
                format!("{value:.0}{unit}")
            }
            Self::PerSecond => format!("{value:.0}/s"),
            Self::Seconds => format!("{value:.1} s"),
            Self::Milliseconds => format!("{value:.1} ms"),
            Self::Megabytes => format!("{:.1} MB", value / MEGABYTE),
        }
    }
}

/// The bytes of a megabyte, as disks and networks count.
const MEGABYTE: f64 = 1_000_000.0;

/// Something that is measured. The names may hold `{all}`, `{tenth}` and `{hundredth}`: the events
/// of the largest log, of the middle one, of the smallest.
#[derive(Debug, Clone, Copy)]
pub struct Goal {
    /// By which its figure is found.
    pub id: &'static str,
    /// What it is.
    pub name: &'static str,
    /// What it is measured in.
    pub unit: Unit,
    /// What it must be; missing it is a failure.
    pub floor: Option<FigureBound>,
    /// What it should be.
    pub aim: Option<FigureBound>,
}

impl Goal {
    /// The goal as the beginning of a row: its name, its floor, its aim.
    pub fn row(&self, events: usize) -> String {
        let bound = |bound: Option<FigureBound>| {
            bound.map_or("–".to_owned(), |bound| bound.text(self.unit))
        };
        format!(
            "| {} | {} | {} |",
            named(self.name, events),
            bound(self.floor),
            bound(self.aim)
        )
    }
}

/// A name with the sizes of the logs put in.
fn named(name: &str, events: usize) -> String {
    let sizes = [("{all}", 1), ("{tenth}", 10), ("{hundredth}", 100)];
    sizes
        .iter()
        .fold(name.to_owned(), |name, (place, divisor)| {
            name.replace(place, &grouped(events / divisor))
        })
}

/// A number with its digits in groups.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What a goal's figure was in one run.
pub struct Measured {
    /// The goal.
    pub id: &'static str,
    /// The figure.
    pub value: f64,
    /// The two things that it compares, in words.
    pub peer: String,
}

/// What one run of a bench gave.
pub struct BenchResult {
    /// A figure for each goal.
    pub figures: Vec<Measured>,
    /// The machine and the versions, in one line.
    pub machine: String,
}

/// How a figure compares to its goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoalVerdict {
    /// The aim is reached, or at least the floor where there is no aim.
    Reached,
    /// The floor is kept, the aim is not reached.
    AboveFloor,
    /// The floor is missed.
    Missed,
    /// There is neither.
    Open,
}

impl GoalVerdict {
    /// Judges a figure.
    pub fn of(goal: &Goal, measured: f64) -> Self {
        let holds = |bound: Option<FigureBound>| bound.map(|bound| bound.holds(measured));
        match (holds(goal.floor), holds(goal.aim)) {
            (Some(false), _) => Self::Missed,
            (None, None) => Self::Open,
            (_, Some(false)) => Self::AboveFloor,
            _ => Self::Reached,
        }
    }
}

impl fmt::Display for GoalVerdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Reached => "reached",
            Self::AboveFloor => "above the floor",
            Self::Missed => "MISSED",
            Self::Open => "–",
        })
    }
}

/// The head of every table.
pub const HEAD: [&str; 2] = [
    "| figure | floor | aim | measured | compared | verdict |",
    "|---|---|---|---|---|---|",
];

/// The figures of one bench beside its goals.
pub struct FigureTable {
    /// The rows, without the head.
    pub rows: Vec<String>,
    /// The names of the figures that missed their floor.
    pub missed: Vec<String>,
}

impl FigureTable {
    /// Puts goals and figures together, one figure for each goal.
    pub fn new(goals: &[Goal], figures: &[Measured], events: usize) -> Result<Self, String> {
        let mut table = Self {
            rows: Vec::new(),
            missed: Vec::new(),
        };
        for goal in goals {
            let figure = figures.iter().find(|figure| figure.id == goal.id);
            let Some(Measured { value, peer, .. }) = figure else {
                return Err(format!("nothing was measured for `{}`", goal.id));
            };
            let verdict = GoalVerdict::of(goal, *value);
            let (row, shown) = (goal.row(events), goal.unit.measured(*value));
            table
                .rows
                .push(format!("{row} {shown} | {peer} | {verdict} |"));
            if verdict == GoalVerdict::Missed {
                table.missed.push(named(goal.name, events));
            }
        }
        Ok(table)
    }
}
