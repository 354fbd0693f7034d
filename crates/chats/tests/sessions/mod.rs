//! Sessions from text, and rejections, for the tests about them.

use chatstate_chats::session::Session;
use chatstate_json::Class;
use chatstate_json::Rejection;

pub fn session(text: &str) -> Session {
    Session::from_json(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The class, the rule and the place of a rejection.
pub fn check_rejected<T>(
    result: Result<T, Rejection>,
    class: Class,
    rule: &str,
    at: &str,
) -> String {
    let rejection = result.err().expect("a rejection");
    assert_eq!(
        (
            rejection.class,
            rejection.rule.as_ref(),
            rejection.at.as_str()
        ),
        (class, rule, at),
        "{rejection}"
    );
    rejection.message
}
