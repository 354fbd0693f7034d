//! Heads of events that come one after the other.

use super::earlier::EarlierMessages;
use super::read::delta_of;
use super::{EventKind, Head};
use chatstate_json::Rejection;
use chatstate_json::{Kind, Scanner, range_within};

/// Reads the heads of events in order. Most events append to the text that the one before appended
/// to, and begin with the same bytes; most messages of an input stood in the one before. What is
/// repeated is not read again.
#[derive(Default)]
pub(crate) struct HeadReader<'a> {
    last: Option<LastDelta<'a>>,
    /// The messages of the input that came last.
    earlier: EarlierMessages<'a>,
}

/// An event that appends text.
struct LastDelta<'a> {
    /// The event up to its text.
    beginning: &'a str,
    /// What the beginning says.
    head: Head<'a>,
}

impl<'a> HeadReader<'a> {
    /// Reads the head of the next event, as [`Head::read`] does.
    pub fn read(&mut self, event: &'a str) -> Result<Head<'a>, Rejection> {
        if let Some(head) = self.last.as_ref().and_then(|last| last.continued_by(event)) {
            return Ok(head);
        }
        let head = Head::read_after(event, &self.earlier)?;
        if head.kind == EventKind::RunStarted {
            self.earlier = EarlierMessages::of(&head.messages);
        } else if let Some(delta) = LastDelta::of(event, &head) {
            self.last = Some(delta);
        }
        Ok(head)
    }
}

impl<'a> LastDelta<'a> {
    /// What stands before the text of an event. There is none of an event that has more behind its
    /// text than a timestamp.
    fn of(event: &'a str, head: &Head<'a>) -> Option<Self> {
        head.delta?;
        let is_bare = !head.has_unknown_members && !head.has_raw_event && !head.has_metadata;
        let text = range_within(event, head.values.delta?)?;
        let (beginning, rest) = event.split_at_checked(text.start)?;
        let mut delta = Self {
            beginning,
            head: head.clone(),
        };
        let timestamp = head.values.timestamp;
        let timestamp = timestamp.and_then(|text| range_within(event, text));
        if timestamp.is_some_and(|range| range.start > text.start) {
            delta.head.values.timestamp = None;
        }
        (is_bare && delta.followed_by(rest).is_some()).then_some(delta)
    }

    /// The head of an event, if it has the same beginning.
    #[inline]
    fn continued_by(&self, event: &'a str) -> Option<Head<'a>> {
        self.followed_by(event.strip_prefix(self.beginning)?)
    }

    /// The head of an event that goes on so after the beginning.
    #[inline]
    fn followed_by(&self, rest: &'a str) -> Option<Head<'a>> {
        let mut scanner = Scanner::of(rest);
        let (text, spelling) = scanner.text()?;
        let delta = delta_of(text, spelling)?;
        let mut head = self.head.clone();
        let rest = scanner.rest();
        if rest != "}" {
            let had_none = head.values.timestamp.is_none();
            head.values.timestamp = Some(timestamp(rest).filter(|_| had_none)?);
        }
        head.delta = Some(delta);
        head.values.delta = Some(text);
        Some(head)
    }
}

/// The timestamp that is the last member of an event.
fn timestamp(rest: &str) -> Option<&str> {
    let number = rest.strip_prefix(",\"timestamp\":")?.strip_suffix('}')?;
    let mut scanner = Scanner::of(number);
    let number = scanner.raw()?;
    scanner.end()?;
    (Kind::of_text(number) == Kind::Number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::Digest;

    /// Reads the second event after the first one, and as if it stood alone.
    fn check(first: &str, second: &str, is_continued: bool) {
        let mut reader = HeadReader::default();
        reader.read(first).expect("the first event can be read");
        let last = reader.last.as_ref();
        let continued = last.and_then(|last| last.continued_by(second));
        assert_eq!(continued.is_some(), is_continued, "{first} {second}");
        let read = reader.read(second).map(told);
        assert_eq!(read, Head::read(second).map(told), "{second}");
    }

    /// What a head says; a digest is that of its message if it is known.
    fn told(mut head: Head<'_>) -> String {
        let messages = std::mem::take(&mut head.messages);
        for (message, digest) in messages.with_digests() {
            assert!(digest.is_none() || digest == Digest::of(message.value));
        }
        format!("{head:?} {:?}", messages.as_read())
    }

    fn text(rest: &str) -> String {
        format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m",{rest}"#)
    }

    #[test]
    fn an_event_that_begins_like_the_last_delta_is_read_as_if_it_stood_alone() {
        let first = text(r#""delta":"a","timestamp":1}"#);
        for (rest, is_continued) in [
            (r#""delta":"b"}"#, true),
            (r#""delta":""}"#, true),
            (r#""delta":"\n \" \u00e4","timestamp":2}"#, true),
            (r#""delta":"\ude00 \ud83d","timestamp":-2.5e3}"#, true),
            // What nobody can read.
            (r#""delta":"\ud83d\ud83d"}"#, false),
            (r#""delta":"b","timestamp":"2"}"#, false),
            (r#""delta":"b","timestamp":01}"#, false),
            (r#""delta":"b","timestamp":1,"timestamp":1}"#, false),
            (r#""delta":"b","delta":"b"}"#, false),
            (r#""delta":"b""#, false),
            (r#""delta":"b"#, false),
            (r#""delta":"b"}}"#, false),
            (r#""delta":1}"#, false),
            ("\"delta\":\"\u{1}\"}", false),
            // What is read as a whole.
            (r#""delta":"b" }"#, false),
            (r#""delta":"b","metadata":{}}"#, false),
            (r#""delta":"b","rawEvent":1}"#, false),
            (r#""delta":"b","subagentRunId":"s"}"#, false),
            (r#""delta":"b","other":1}"#, false),
            (r#""timestamp":1,"delta":"b"}"#, false),
        ] {
            check(&first, &text(rest), is_continued);
        }
        let other = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"n","delta":"b"}"#;
        check(&first, other, false);
    }

    #[test]
    fn only_what_stands_before_a_text_is_taken_over() {
        for (first, second, is_continued) in [
            (
                r#""timestamp":1,"delta":"a"}"#,
                r#""timestamp":1,"delta":"b"}"#,
                true,
            ),
            // A second timestamp.
            (
                r#""timestamp":1,"delta":"a"}"#,
                r#""timestamp":1,"delta":"b","timestamp":1}"#,
                false,
            ),
            (
                r#""subagentRunId":"\u0073","delta":"a"}"#,
                r#""subagentRunId":"\u0073","delta":"b"}"#,
                true,
            ),
            (
                r#""delta":"a","metadata":{"a":1}}"#,
                r#""delta":"b"}"#,
                false,
            ),
            (
                r#""delta":"a","subagentRunId":"s"}"#,
                r#""delta":"b"}"#,
                false,
            ),
            (
                r#""other":1,"delta":"a"}"#,
                r#""other":1,"delta":"b"}"#,
                false,
            ),
        ] {
            check(&text(first), &text(second), is_continued);
        }
        let patch = r#"{"type":"STATE_DELTA","delta":[]}"#;
        check(patch, patch, false);
    }

    #[test]
    fn an_input_that_repeats_messages_is_read_as_if_it_stood_alone() {
        let input = |messages: &str| {
            format!(
                r#"{{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{{"threadId":"t","runId":"r","messages":[{messages}]}}}}"#
            )
        };
        let user = r#"{"id":"1","role":"user","content":"\u00e4 b"}"#;
        let calls = r#"{"id":"2","role":"assistant","toolCalls":[{"id":"c"},{"id":"\u0063"}]}"#;
        let tool =
            r#"{"id":"3","role":"tool","toolCallId":"c","content":"[]","subagentRunId":"s"}"#;
        let first = input(&[user, calls, tool].join(","));
        for (messages, repeated) in [
            (vec![user, calls, tool], 3),
            (
                vec![calls, r#"{"id":"4","role":"user","content":"b"}"#, tool],
                2,
            ),
            (vec![tool, user], 1),
            (
                vec![r#"{"id":"1","role":"user","content":"\u00e4 "}"#, calls],
                1,
            ),
            // What nobody can read.
            (vec![user, r#"{"id":1,"role":"user"}"#], 1),
            (vec![user, ""], 1),
            (vec![user, "}"], 1),
        ] {
            let second = input(&messages.join(" , "));
            check(&first, &second, false);
            let snapshot = messages.join(",");
            let snapshot = format!(r#"{{"type":"MESSAGES_SNAPSHOT","messages":[{snapshot}]}}"#);
            check(&first, &snapshot, false);
            assert_eq!(count_repeated(&first, &second), repeated, "{second}");
        }
    }

    /// How many messages of an input need not be read again.
    fn count_repeated(first: &str, second: &str) -> usize {
        let mut reader = HeadReader::default();
        reader.read(first).expect("the first event can be read");
        let messages = second.find('[').map_or("", |start| &second[start..]);
        let (mut next, mut count) = (0, 0);
        let _ = Scanner::of(messages).items(|scanner| {
            match reader.earlier.repeated(scanner, &mut next) {
                Some(_) => count += 1,
                None => scanner.value()?,
            }
            Some(())
        });
        count
    }
}
