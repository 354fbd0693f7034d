//! When what is printed has colours.

use std::ffi::OsString;

use anstream::ColorChoice;
use clap::ValueEnum;

/// When what is printed has colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// At a terminal, unless `NO_COLOR` is set.
    Auto,
    /// In a pipe too.
    Always,
    /// Not at a terminal either.
    Never,
}

impl Colour {
    /// What arguments ask for, before they are known to be right.
    pub fn asked(arguments: &[OsString]) -> Self {
        let words = arguments.iter().map(|it| it.to_string_lossy());
        let words: Vec<_> = words.take_while(|word| word != "--").collect();
        let after = |(place, word): (usize, &std::borrow::Cow<'_, str>)| match word.as_ref() {
            "--color" => words.get(place + 1).map(ToString::to_string),
            word => word.strip_prefix("--color=").map(str::to_owned),
        };
        let asked = words.iter().enumerate().find_map(after);
        asked
            .and_then(|name| Self::from_str(&name, false).ok())
            .unwrap_or(Self::Auto)
    }

    /// Makes everything that is printed from now on follow it.
    pub fn apply(self) {
        let choice = match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::AlwaysAnsi,
            Self::Never => ColorChoice::Never,
        };
        choice.write_global();
    }
}

impl From<Colour> for clap::ColorChoice {
    fn from(colour: Colour) -> Self {
        match colour {
            Colour::Auto => Self::Auto,
            Colour::Always => Self::Always,
            Colour::Never => Self::Never,
        }
    }
}
