//! Many events at once, which a second thread reads ahead, against one event after the other.

use chatstate_arbitrary::streams::generate_with;
use chatstate_arbitrary::testing::{FEATURES, Feature, Source};
use chatstate_streams::compact::{Finished, Options, Stopped, TextCompactor};

const SEED: u64 = 20_261_122;

const LOGS: u64 = 40;

/// A second thread is asked for help with fewer events than this.
const MANY: usize = 600;

/// A log of many runs on one thread. Streams that another one can follow are put together; runs
/// have ids of their own, and what else is repeated means the same.
fn log(number: u64) -> Vec<String> {
    let is_allowed = |feature: &Feature| {
        use Feature as F;
        !matches!(feature, F::OpenAtEnd | F::ErrorFirst | F::ParentOutside)
    };
    let allowed: Vec<Feature> = FEATURES.iter().copied().filter(is_allowed).collect();
    let (mut lines, mut stream) = (Vec::new(), 0);
    while lines.len() < MANY {
        let source = Source::new(SEED, number * 1_000 + stream);
        for event in generate_with(source, &allowed).events {
            let text = event.to_json();
            let text = text.replace(r#""runId":""#, &format!(r#""runId":"{stream}-"#));
            let text = text.replace(
                r#""parentRunId":""#,
                &format!(r#""parentRunId":"{stream}-"#),
            );
            lines.push(respelled(text, lines.len()));
        }
        stream += 1;
    }
    lines
}

/// Some events have a message that is spelled in another way than the others.
fn respelled(text: String, place: usize) -> String {
    if place.is_multiple_of(3) {
        return text.replacen(r#"{"id":"#, r#"{ "id":"#, 1 + place % 2);
    }
    text
}

fn compacted(log: &[String], at_once: usize) -> (Result<Finished, Stopped>, String) {
    let (mut compactor, mut out) = (TextCompactor::new(Options::default()), Vec::new());
    let pushed = log.chunks(at_once).try_for_each(|lines| {
        let block = lines.join("\n") + "\n";
        compactor.push(block.as_bytes(), &mut out)
    });
    let finished = pushed.and_then(|()| compactor.finish(&mut out));
    let out = String::from_utf8(out).expect("the output is text");
    (finished, out)
}

#[test]
fn many_events_at_once_are_compacted_like_one_after_the_other() {
    for number in 0..LOGS {
        let log = log(number);
        let (finished, out) = compacted(&log, 1);
        assert!(finished.is_ok(), "log {number}: {finished:?}");
        for at_once in [usize::MAX, 300] {
            let (ahead, others) = compacted(&log, at_once);
            assert_eq!(ahead, finished, "log {number}, {at_once} at once");
            let differs = out
                .lines()
                .zip(others.lines())
                .find(|(one, other)| one != other);
            assert_eq!(differs, None, "log {number}, {at_once} at once");
        }
    }
}
