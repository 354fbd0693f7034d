//! Media in messages as the Agent Framework and AG-UI write them: bytes in a data URI, or the address
//! of bytes. The canonical form tells pictures, sound and other bytes apart by their type, and these
//! formats by the media type.

use super::checks::is_base64;
use super::loss::ConversionLoss;
use super::table::Left;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chatstate_json::{Object, Value};

/// The media type, the parameters and the Base64 text of a data URI. Nothing if it is another one.
pub(super) fn parts(uri: &str) -> Option<(String, Object, String)> {
    let (head, data) = uri.strip_prefix("data:")?.split_once(',')?;
    head_of(head.strip_suffix(";base64")?).map(|(mime, params)| (mime, params, data.to_owned()))
}

/// The parts of a data URI by RFC 2397, whose bytes may also be percent-encoded: they are Base64 here,
/// too. Nothing if an escape is broken, since nobody knows which bytes were meant.
pub(super) fn parts_of_any(uri: &str) -> Option<(String, Object, String)> {
    parts(uri).or_else(|| {
        let (head, data) = uri.strip_prefix("data:")?.split_once(',')?;
        let (mime, params) = head_of(head)?;
        let bytes = percent_decoded(data)?;
        Some((mime, params, STANDARD.encode(bytes)))
    })
}

/// The media type and the parameters.
fn head_of(head: &str) -> Option<(String, Object)> {
    let mut words = head.split(';');
    let mime = words.next()?.to_owned();
    let mut params = Object::new();
    for word in words {
        let (name, value) = word.split_once('=')?;
        if params.insert(name, value).is_some() {
            return None;
        }
    }
    Some((mime, params))
}

fn percent_decoded(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'%' => {
                let value = digit(bytes.next())? * 16 + digit(bytes.next())?;
                u8::try_from(value).ok()?
            }
            byte => byte,
        });
    }
    Some(decoded)
}

/// The data URI that says these parts.
pub(super) fn uri_of(mime: &str, params: Option<&Object>, data: &str) -> String {
    let mut uri = format!("data:{mime}");
    for (name, value) in params.into_iter().flat_map(Object::iter) {
        let value = value.as_str().unwrap_or_default();
        uri.extend([";", name, "=", value]);
    }
    uri.extend([";base64,", data]);
    uri
}

/// The canonical type of what has a media type.
pub(super) fn kind_of(mime: &str) -> &'static str {
    match mime.split('/').next() {
        Some("image") => "image",
        Some("audio") => "audio",
        _ => "binary",
    }
}

/// Names the media among the items of an object's lists by what they are: `image@` in place of
/// `data` or `uri`. One that would not come back the same keeps its name.
pub(super) fn name_items(object: &mut Object, lists: &[&str], tag: &str, media_type: &str) {
    for item in items_mut(object, lists) {
        if let Some(kind) = kind_of_item(item, tag, media_type) {
            item.insert(tag, format!("{kind}@"));
        }
    }
}

fn kind_of_item(item: &Object, tag: &str, media_type: &str) -> Option<&'static str> {
    let uri = item.get("uri")?.as_str()?;
    let said = item.get(media_type);
    match item.get(tag)?.as_str()? {
        "data" => {
            let (mime, ..) = parts_of_any(uri)?;
            let agrees = said.is_none_or(|said| said.as_str() == Some(&*mime));
            agrees.then(|| kind_of(&mime))
        }
        "uri" if !uri.starts_with("data:") => match said {
            Some(said) => Some(kind_of(said.as_str()?)),
            None => Some("binary"),
        },
        _ => None,
    }
}

/// Gives media their names in the dialect back.
pub(super) fn unname_items(object: &mut Object, lists: &[&str], tag: &str) {
    for item in items_mut(object, lists) {
        let is_named = item.get(tag).and_then(Value::as_str);
        if is_named.is_some_and(|name| name.ends_with('@')) {
            let uri = item.get("uri").and_then(Value::as_str);
            let is_data = uri.is_some_and(|uri| uri.starts_with("data:"));
            item.insert(tag, if is_data { "data" } else { "uri" });
        }
    }
}

/// The objects in the lists of an object, and those that are in place of a list.
fn items_mut<'a>(object: &'a mut Object, lists: &[&str]) -> Vec<&'a mut Object> {
    let members = object.iter_mut();
    let members = members.filter(|(name, _)| lists.contains(&name.as_str()));
    let values = members.flat_map(|(_, value)| match value {
        Value::Array(items) => items.iter_mut().collect(),
        value => vec![value],
    });
    let objects = values.filter_map(|value| match value {
        Value::Object(object) => Some(object),
        _ => None,
    });
    objects.collect()
}

/// Takes the `uri` of an item apart. The media type of bytes that are elsewhere becomes a part too.
pub(super) fn read(object: &mut Object, media_type: &str) {
    let uri = object.get("uri").and_then(Value::as_str);
    match uri.and_then(parts_of_any) {
        Some((mime, params, data)) => {
            object.remove("uri");
            if !mime.is_empty() {
                object.insert("uri@mime", mime);
            }
            if !params.is_empty() {
                object.insert("uri@params", params);
            }
            object.insert("uri@data", data);
        }
        None => {
            if let Some((_, mime)) = object.remove(media_type) {
                object.insert("uri@mime", mime);
            }
        }
    }
}

/// The media type of bytes that the item itself holds, before or after its parts are put together.
pub(super) fn media_type(object: &Object) -> Option<Value> {
    if object.contains_key("uri@data") {
        return object.get("uri@mime").cloned();
    }
    let (mime, ..) = parts_of_any(object.get("uri")?.as_str()?)?;
    Some(mime.into())
}

/// Puts the parts of an item together that is one of `kind` in the canonical form.
pub(super) fn write(object: &mut Object, kind: &str, media_type: &str) -> Vec<Left> {
    let mut left = Vec::new();
    take_from_address(object, &mut left);
    let mut take = |name| object.remove(name).map(|(_, value)| value);
    let (mime, params, data) = (take("uri@mime"), take("uri@params"), take("uri@data"));
    let has_uri = object.contains_key("uri");
    let mut lose = |part, class, why| left.push(Left { part, class, why });
    let text = mime.as_ref().and_then(Value::as_str).unwrap_or_default();
    if kind_of(text) != kind {
        let why = "an item with this media type is read as one of another kind";
        lose("uri@mime", ConversionLoss::Form, why);
    }
    match data.as_ref().and_then(Value::as_str) {
        Some(data) => {
            if has_uri {
                let why = "an item has its bytes or says where they are, and not both";
                lose("uri", ConversionLoss::Member, why);
            }
            let params = params.as_ref().and_then(Value::as_object);
            object.insert("uri", uri_of(text, params, data));
        }
        None if has_uri => {
            if params.is_some() {
                let why = "only an item that has its bytes has parameters";
                lose("uri@params", ConversionLoss::Member, why);
            }
            if let Some(mime) = mime {
                object.insert(media_type, mime);
            }
        }
        None => {
            let why = "an item must have its bytes or say where they are";
            lose("uri", ConversionLoss::Item, why);
        }
    }
    left
}

/// Makes the bytes of an address that holds them those of the item. One that cannot be read is taken
/// away: it would be read as bytes.
fn take_from_address(object: &mut Object, left: &mut Vec<Left>) {
    let Some(Value::String(address)) = object.get("uri").filter(|uri| is_data(uri)).cloned() else {
        return;
    };
    if object.contains_key("uri@data") {
        return;
    }
    object.remove("uri");
    let mut lose = |part, class, why| left.push(Left { part, class, why });
    let Some((mime, params, data)) = parts_of_any(&address).filter(|it| is_base64(&it.2)) else {
        let why = "the bytes of the data URI cannot be read";
        return lose("uri", ConversionLoss::Value, why);
    };
    let why = "a data URI is no address here; its bytes are those of the item";
    lose("uri", ConversionLoss::Form, why);
    let said = object.get("uri@mime").and_then(Value::as_str);
    if said.is_some_and(|said| said != mime) {
        let why = "the media type is that of the data URI";
        lose("uri@mime", ConversionLoss::Value, why);
    }
    object.insert("uri@mime", mime);
    if !params.is_empty() {
        object.insert("uri@params", params);
    }
    object.insert("uri@data", data);
}

fn is_data(uri: &Value) -> bool {
    uri.as_str().is_some_and(super::checks::is_data_uri)
}
