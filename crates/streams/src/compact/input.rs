//! The text of a run's beginning without the messages that its path holds already.

use std::borrow::Cow;

use chatstate_json::Raw;

/// The text of a `RUN_STARTED` without the messages of its input at these places. What stays is
/// spelled as it came.
pub(super) fn without_messages<'t>(text: &'t str, raw: Raw<'_>, places: &[usize]) -> Cow<'t, str> {
    let input = raw.member("input").map(|(_, input)| input);
    let messages = input.and_then(|input| input.member("messages"));
    let Some((_, messages)) = messages.filter(|_| !places.is_empty()) else {
        return Cow::Borrowed(text);
    };
    let elements = messages.elements().enumerate();
    let stay = elements.filter(|(place, _)| places.binary_search(place).is_err());
    let stay: Vec<_> = stay.map(|(_, message)| message.get()).collect();
    let place = messages.range();
    let (before, after) = (&text[..place.start], &text[place.end..]);
    Cow::Owned(format!("{before}[{}]{after}", stay.join(",")))
}
