//! What a difference says to a reader.

use std::fmt;

use chatstate_json::{Value, visible};

use super::{Difference, Excerpt, LossClass, excerpt, moved_items};

/// The longest value that is shown whole, in characters.
const MAX_SHOWN: usize = 60;

/// The longest place that is shown whole, in characters.
const MAX_PLACE: usize = 200;

/// How many moved items of an array that is otherwise the same are shown.
const MAX_MOVED: usize = 3;

/// A difference in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// Its class and place, and the values if they are short.
    pub line: String,
    /// The part of two long values that differs.
    pub excerpt: Option<Excerpt>,
}

impl Difference {
    /// What a reader is told: one line, and for long values the part that differs.
    #[must_use]
    pub fn words(&self) -> Words {
        let subject = format!("{} at {}", self.class, place(&self.at));
        let line = |said: String| Words {
            line: format!("{subject}{said}"),
            excerpt: None,
        };
        match (self.class, &self.to, &self.before, &self.after) {
            (LossClass::ItemMoved, Some(to), ..) => line(format!(" -> {}", place(to))),
            (LossClass::ArrayReordered, _, Some(Value::Array(old)), Some(Value::Array(new))) => {
                line(format!(": {}", reordered(old, new)))
            }
            (_, _, Some(before), Some(after)) => changed(subject, before, after),
            (_, _, Some(before), None) => line(format!(": {} -> nothing", shown(before))),
            (_, _, None, Some(after)) => line(format!(": nothing -> {}", shown(after))),
            (_, _, None, None) => line(String::new()),
        }
    }
}

/// The words, and below them the part of long values that differs, with marks below what is other.
impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Words { line, excerpt } = self.words();
        formatter.write_str(&line)?;
        let Some(excerpt) = excerpt else {
            return Ok(());
        };
        write!(formatter, "\n  - {}\n  + {}", excerpt.before, excerpt.after)?;
        write!(formatter, "\n    {}", excerpt.marks())
    }
}

/// A JSON pointer; the empty one is the whole document.
fn place(at: &str) -> String {
    if at.is_empty() {
        "the whole document".to_owned()
    } else {
        format!("`{}`", cut(&visible(at), MAX_PLACE))
    }
}

/// Which items of an array moved, when all others kept their order.
fn reordered(before: &[Value], after: &[Value]) -> String {
    let moved = moved_items(before, after);
    let first = moved.iter().take(MAX_MOVED);
    let first: Vec<String> = first
        .map(|(from, to)| format!("`/{from}` -> `/{to}`"))
        .collect();
    let more = match moved.len().saturating_sub(MAX_MOVED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if first.is_empty() {
        // The items that moved are not the only ones of their value, so they have no places.
        let side = |items: &[Value]| shown(&Value::from(items.to_vec()));
        return format!("{} -> {}", side(before), side(after));
    }
    let (moved, all, first) = (moved.len(), before.len(), first.join(", "));
    format!("{moved} of {all} items moved: {first}{more}")
}

/// Two values, in the line if both are short; else the part that differs.
fn changed(subject: String, before: &Value, after: &Value) -> Words {
    let (before, after) = (before.to_json(), after.to_json());
    let (before, after) = (visible(&before), visible(&after));
    if before.chars().count().max(after.chars().count()) <= MAX_SHOWN {
        return Words {
            line: format!("{subject}: {before} -> {after}"),
            excerpt: None,
        };
    }
    Words {
        line: subject,
        excerpt: Some(excerpt(&before, &after, MAX_SHOWN)),
    }
}

fn shown(value: &Value) -> String {
    cut(&visible(&value.to_json()), MAX_SHOWN)
}

fn cut(text: &str, characters: usize) -> String {
    if text.chars().count() <= characters {
        return text.to_owned();
    }
    text.chars().take(characters).chain(['…']).collect()
}
