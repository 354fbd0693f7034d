//! What the environment may set.

use proptest::test_runner::{Config, FileFailurePersistence, RngSeed};

/// A number that the environment may set.
#[must_use]
pub fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// How a law is tried: on so many streams if `CHATSTATE_STREAMS` sets no other number, and on those
/// that `CHATSTATE_SEED` draws, by default the same in every run.
///
/// The seed of a stream that breaks a law is written beside the test, into a file that ends in
/// `.regressions`, and is tried first from then on.
#[must_use]
pub fn config(streams: u32) -> Config {
    let cases = setting("CHATSTATE_STREAMS", streams.into());
    Config {
        cases: u32::try_from(cases).unwrap_or(u32::MAX),
        rng_seed: RngSeed::Fixed(setting("CHATSTATE_SEED", 1)),
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        // By default it depends on the number of streams.
        max_shrink_iters: 10_000,
        ..Config::default()
    }
}
