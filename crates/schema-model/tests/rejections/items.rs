//! Items of events: each row breaks what the canonical schema says of one item.

use serde_json::{Value, json};

use crate::roles::check;

#[test]
fn an_item_can_be_what_is_said_of_it() {
    for (place, value, at, message, help) in [
        (
            "step/streams",
            json!("content"),
            "step/streams",
            "no event appends text to `step`",
            "`append`",
        ),
        (
            "text/streams",
            json!("contents"),
            "text/streams",
            "no definition has these members",
            "name a member",
        ),
        (
            "text/streams",
            json!("function.arguments"),
            "text/streams",
            "text goes to a part of a message if `text` has a `parent`, and else to a member of one",
            "name a member",
        ),
        (
            "text/changes",
            Value::Null,
            "text",
            "text goes into messages, and `text` does not change them",
            "`messages`",
        ),
        (
            "run/changes",
            json!("messages"),
            "run/changes",
            "a run itself changes nothing",
            "remove it",
        ),
        (
            "step/changes",
            json!("state"),
            "step/changes",
            "there is one state, but `step` has ids",
            "`messages`",
        ),
        (
            "state/owners",
            json!("message"),
            "state/owners",
            "no event names both an id and an owner of `state`",
            "remove it",
        ),
        (
            "step/owners",
            json!("message"),
            "step/owners",
            "each owner has ids of `step` of its own",
            "`key`",
        ),
    ] {
        let [place, at] = [place, at].map(|place| format!("/x-items/{place}"));
        check(&place, value, &at, message, help);
    }
}
