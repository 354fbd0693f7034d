//! What a model cannot represent: all of it in one message, and a warning for each place that is read
//! as any JSON value.

use chatstate::json::visible_lines;
use chatstate_schema_model::{Obstacle, Obstacles};

use crate::failure::Failure;
use crate::output;

/// Warns that any JSON value stands in a place.
pub fn warn(obstacle: &Obstacle) {
    let (place, error) = (shown_place(obstacle), &obstacle.error);
    let text = format!(
        "warning: `{place}` in `{}` is read as any JSON value: {}{}",
        error.file,
        error.message,
        inside(obstacle),
    );
    output::note(&visible_lines(&text));
}

impl From<Obstacles> for Failure {
    fn from(obstacles: Obstacles) -> Self {
        let (message, help) = match obstacles.iter().len() {
            1 => of_one(&obstacles),
            _ => of_several(&obstacles),
        };
        Self::Schema {
            message: visible_lines(&message),
            help: Some(visible_lines(&help)),
        }
    }
}

fn of_one(obstacles: &Obstacles) -> (String, String) {
    let error = obstacles.first();
    let message = format!(
        "{}, in `{}` at `{}`",
        error.message, error.file, error.pointer
    );
    let schema = obstacles.iter().find_map(|only| only.schema.as_deref());
    let help = match schema {
        None => error.help.clone(),
        Some(place) => format!(
            "{}; or read any JSON value in its place: `--opaque {}`",
            error.help,
            quoted(place)
        ),
    };
    (message, help)
}

fn of_several(obstacles: &Obstacles) -> (String, String) {
    let places = obstacles.iter().map(|obstacle| {
        let error = &obstacle.error;
        let place = shown_place(obstacle);
        let (file, help) = (&error.file, &error.help);
        format!(
            "\n`{place}` in `{file}`: {}{}\n    {help}",
            error.message,
            inside(obstacle)
        )
    });
    let count = obstacles.iter().len();
    let places: String = places.collect();
    let message = format!("{count} places cannot be represented{places}");
    let help = "change them, or read any JSON value in the places that you name with \
                `--opaque POINTER`, or in all of these with `--opaque all`";
    (message, help.to_owned())
}

/// The schema that any JSON value can stand for; where there is none, what is wrong itself.
fn shown_place(obstacle: &Obstacle) -> &str {
    obstacle
        .schema
        .as_deref()
        .unwrap_or(&obstacle.error.pointer)
}

/// The part of a schema that is wrong, if it is not the whole of it.
fn inside(obstacle: &Obstacle) -> String {
    match &obstacle.schema {
        Some(schema) if *schema != obstacle.error.pointer => {
            format!(", at `{}`", obstacle.error.pointer)
        }
        _ => String::new(),
    }
}

/// A pointer as a word of a shell.
pub fn quoted(place: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/#._-".contains(letter);
    if place.chars().all(plain) && !place.is_empty() {
        return place.to_owned();
    }
    format!("'{}'", place.replace('\'', r"'\''"))
}
