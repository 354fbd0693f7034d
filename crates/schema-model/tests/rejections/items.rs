//! Items of events: each row breaks what the canonical schema says of one item.

use serde_json::json;

use crate::roles::check;

#[test]
fn an_item_can_be_what_is_said_of_it() {
    for (place, value, message, help) in [
        (
            "run/changes",
            json!("messages"),
            "a run itself changes nothing",
            "remove it",
        ),
        (
            "run/owners",
            json!("message"),
            "a run has no owner",
            "remove it",
        ),
        (
            "state/owners",
            json!("message"),
            "no event names an id of `state`",
            "remove it",
        ),
        (
            "text/changes",
            json!("state"),
            "text is appended to messages, which `text` does not change",
            "`messages`",
        ),
        (
            "step/owners",
            json!("message"),
            "each owner has ids of `step` of its own",
            "`key`",
        ),
    ] {
        let place = format!("/x-items/{place}");
        check(&place, value, &place, message, help);
    }
}
