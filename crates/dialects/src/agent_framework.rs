//! What the Agent Frameworks for Python and .NET have in common beside the names of members, which
//! `docs/decisions/0135-two-agent-frameworks-two-tables.md` counts.

use super::loss::ConversionLoss;
use super::table::{Left, MemberRow, Rewrite, lost};
use chatstate_json::Value;

/// Neither keeps these.
pub(super) const NO_MODEL: MemberRow = lost("model", "the SDK does not keep which model answered");
pub(super) const NO_PARTICIPANTS: MemberRow =
    lost("participants", "a list of messages knows no participants");
pub(super) const NO_FINISH_REASON: MemberRow = lost(
    "finish_reason",
    "the SDK does not keep why the model stopped",
);
pub(super) const NO_STATUS: MemberRow =
    lost("status", "the SDK does not keep how complete a message is");
pub(super) const NO_MIME: MemberRow = lost("mime", "a message of this SDK has no media type");
pub(super) const NO_ENCODING: MemberRow = lost(
    "encoding",
    "the SDK always writes UTF-8 and does not say so",
);
pub(super) const NO_PLUGIN_OF_RESULT: MemberRow = lost(
    "plugin",
    "a result of this SDK names its call and no function",
);
pub(super) const NO_FUNCTION_OF_RESULT: MemberRow = lost(
    "function",
    "a result of this SDK names its call and no function",
);
pub(super) const NO_TOOLS_OF_FILE: MemberRow =
    lost("tools", "the SDK does not keep which tools may use a file");
pub(super) const NO_INDEX_OF_CALL: MemberRow =
    lost("index", "the SDK does not keep the place of a call");

/// The name of a function, which has that of its plugin before it.
pub(super) static JOINED_NAME: Rewrite = Rewrite {
    doc: "a plugin and a function are written as one name, with `-` between them",
    read: |_| Ok(()),
    write: |object| {
        let plugin = object.remove("name@plugin").map(|(_, value)| value);
        let name = object.get("name").and_then(Value::as_str);
        let (Some(Value::String(plugin)), Some(name)) = (plugin, name) else {
            return Vec::new();
        };
        let joined = format!("{plugin}-{name}");
        object.insert("name", joined);
        vec![Left {
            part: "name@plugin",
            class: ConversionLoss::Form,
            why: "the SDK has no plugins; the name of the plugin is put before that of the function",
        }]
    },
};

/// Whether a value is a list of such items.
pub(super) fn each_is(list: &Value, is: fn(&Value) -> bool) -> bool {
    list.as_array().is_some_and(|items| items.iter().all(is))
}

pub(super) fn is_empty(list: &Value) -> bool {
    list.as_array().is_none_or(<[Value]>::is_empty)
}

/// Whether a canonical document keeps members that only the dialect of this name knows: a list has no
/// place for them.
pub(super) fn has_kept(document: &Value, dialect: &str) -> bool {
    let ext = document.get("ext");
    ext.is_some_and(|ext| ext.get(dialect).is_some())
}
