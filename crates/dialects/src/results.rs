//! The function of a result. Some formats name it in the result too, and others only in the call that
//! the result answers: there it is not lost, and from there it is known.

use std::collections::HashMap;

use super::HISTORY_ENTRY;
use super::table::{Dialect, FunctionsOfResults};
use chatstate_json::{Object, Value};

/// What a call says of its function: the name, and the plugin if there is one.
type Function = (Option<Value>, Option<Value>);

/// Gives the results in the histories of a canonical document the function of their calls where the
/// dialect names it there, and takes it away where the dialect does not and the call says the same.
pub(super) fn settle(document: &mut Value, dialect: &Dialect) {
    for history in histories(document) {
        let mut calls = HashMap::new();
        for item in items(history) {
            match item.get("type").and_then(Value::as_str) {
                Some("call") => note(&mut calls, item),
                Some("result") => answer(&calls, item, dialect.functions_of_results),
                _ => {}
            }
        }
    }
}

/// The histories that a document holds. A message alone is none: its results have no calls.
fn histories(document: &mut Value) -> Vec<&mut Value> {
    let is_chat = document.get("history").is_some();
    let sessions = match document {
        Value::Array(sessions) => sessions.iter_mut().collect(),
        chat if is_chat => return within(chat, &["history"]).into_iter().collect(),
        session => vec![session],
    };
    let history = ["stateBag", HISTORY_ENTRY, "messages"];
    let histories = sessions.into_iter();
    histories.filter_map(|it| within(it, &history)).collect()
}

fn within<'a>(value: &'a mut Value, path: &[&str]) -> Option<&'a mut Value> {
    path.iter().try_fold(value, |value, name| match value {
        Value::Object(object) => object.get_mut(name),
        _ => None,
    })
}

/// The items of the messages of a history, in order.
fn items(history: &mut Value) -> impl Iterator<Item = &mut Object> {
    let messages = array_of(history).iter_mut();
    let items = messages.filter_map(|message| match message {
        Value::Object(message) => message.get_mut("items"),
        _ => None,
    });
    let items = items.flat_map(|items| array_of(items).iter_mut());
    items.filter_map(|item| match item {
        Value::Object(item) => Some(item),
        _ => None,
    })
}

fn array_of(value: &mut Value) -> &mut [Value] {
    match value {
        Value::Array(items) => items,
        _ => &mut [],
    }
}

fn note(calls: &mut HashMap<String, Function>, call: &Object) {
    if let Some(id) = call.get("id").and_then(Value::as_str) {
        calls.insert(id.to_owned(), function_of(call));
    }
}

fn function_of(item: &Object) -> Function {
    (item.get("function").cloned(), item.get("plugin").cloned())
}

fn answer(calls: &HashMap<String, Function>, result: &mut Object, named: FunctionsOfResults) {
    let id = result.get("id").and_then(Value::as_str);
    let Some(call) = id.and_then(|id| calls.get(id)) else {
        return;
    };
    let said = function_of(result);
    match named {
        FunctionsOfResults::InEach if said == (None, None) => {
            let (function, plugin) = call.clone();
            result.extend(function.map(|it| ("function", it)));
            result.extend(plugin.map(|it| ("plugin", it)));
        }
        FunctionsOfResults::InCalls if said == *call => {
            result.retain(|name, _| name != "function" && name != "plugin");
        }
        _ => {}
    }
}
