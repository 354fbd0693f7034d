//! The events of a log as text, run by run. Attaching reads few of them again, so a run that is over
//! is kept compressed.

use std::ops::Range;

use crate::packed::PackedText;

/// What separates the events of a run, as in a JSON text sequence (RFC 7464): JSON text has no such
/// character.
const SEPARATOR: char = '\u{1e}';

/// The events of a log in order. Those before the first run belong to it.
#[derive(Default)]
pub(super) struct RunTexts {
    over: Vec<PackedText>,
    /// The events of the last run, and those before the first one.
    last: Vec<Box<str>>,
    /// Where each run begins among all events.
    starts: Vec<usize>,
    length: usize,
}

impl RunTexts {
    pub fn push(&mut self, event: &str) {
        self.last.push(event.into());
        self.length += 1;
    }

    /// Begins the next run.
    pub fn begin_run(&mut self) {
        if !self.starts.is_empty() {
            let text = self.last.join(&*SEPARATOR.to_string());
            self.over.push(PackedText::of(&text));
            self.last.clear();
        }
        self.starts.push(self.length);
    }

    /// How many runs have begun.
    pub fn runs(&self) -> usize {
        self.starts.len()
    }

    /// The index of the event that begins a run.
    pub fn start(&self, run: usize) -> usize {
        self.starts[run]
    }

    /// The indexes of the events of a run, with those before the first run.
    pub fn range(&self, run: usize) -> Range<usize> {
        let start = if run == 0 { 0 } else { self.starts[run] };
        let end = self.starts.get(run + 1).copied();
        start..end.unwrap_or(self.length)
    }

    /// The events of a run; without any run, all events.
    pub fn events_of(&self, run: usize) -> Vec<Box<str>> {
        let Some(packed) = self.over.get(run) else {
            return self.last.clone();
        };
        packed
            .text()
            .split(SEPARATOR)
            .filter(|event| !event.is_empty())
            .map(Box::from)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::RunTexts;

    fn check(texts: &RunTexts, run: usize, start: usize, expected: &[&str]) {
        let events = texts.events_of(run);
        assert_eq!(
            events.iter().map(AsRef::as_ref).collect::<Vec<_>>(),
            expected
        );
        assert_eq!(texts.range(run).len(), expected.len());
        assert_eq!(texts.start(run), start);
    }

    #[test]
    fn each_run_has_its_events_and_the_first_also_those_before_it() {
        let mut texts = RunTexts::default();
        texts.push("{\n\"before\":1}");
        assert_eq!(texts.events_of(0).len(), 1);
        texts.begin_run();
        texts.push("\"one\"");
        texts.begin_run();
        texts.begin_run();
        texts.push("\"three\"");
        check(&texts, 0, 1, &["{\n\"before\":1}", "\"one\""]);
        check(&texts, 1, 2, &[]);
        check(&texts, 2, 2, &["\"three\""]);
        assert_eq!(texts.runs(), 3);
    }
}
