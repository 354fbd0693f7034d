//! The parts of messages of 0.0.x.

use super::{Translation, drop_null};
use chatstate_json::{Object, Value};

/// The parts that had null for no metadata.
const MEDIA: [&str; 4] = ["image", "audio", "video", "document"];

impl Translation {
    /// The messages of a snapshot or of an input.
    pub(super) fn messages(&mut self, object: &mut Object, place: &str) {
        let Some(Value::Array(messages)) = object.get_mut("messages") else {
            return;
        };
        for (index, message) in messages.iter_mut().enumerate() {
            if let Value::Object(message) = message {
                self.parts(message, &format!("{place}/messages/{index}"));
            }
        }
    }

    /// The parts of a content that is a list.
    pub(super) fn parts(&mut self, message: &mut Object, place: &str) {
        let Some(Value::Array(parts)) = message.get_mut("content") else {
            return;
        };
        for (index, part) in parts.iter_mut().enumerate() {
            let Value::Object(part) = part else {
                continue;
            };
            let kind = part.get("type").and_then(Value::as_str);
            if kind == Some("binary") {
                self.binary(part, &format!("{place}/content/{index}"));
            } else if kind.is_some_and(|kind| MEDIA.contains(&kind)) {
                drop_null(part, "metadata");
            }
        }
    }

    /// A part of type `binary` as the part that its media type says. One without a place for its bytes
    /// stays as it is, as an unknown part.
    fn binary(&mut self, part: &mut Object, place: &str) {
        for name in ["id", "url", "data", "filename"] {
            drop_null(part, name);
        }
        let text = |name: &str| part.get(name).and_then(Value::as_str).map(str::to_owned);
        let (Some(mime), data, url, id) = (text("mimeType"), text("data"), text("url"), text("id"))
        else {
            return;
        };
        let first = [("data", data), ("url", url), ("file", id)];
        let mut places = first.into_iter().filter(|(_, value)| value.is_some());
        let Some((kind, Some(value))) = places.next() else {
            return;
        };
        for (other, _) in places {
            let name = if other == "file" { "id" } else { other };
            self.lose(
                &format!("{place}/{name}"),
                "a part says once where its bytes are",
            );
        }
        if part.contains_key("filename") {
            let why = "a part has no name of a file";
            self.lose(&format!("{place}/filename"), why);
        }
        for name in ["id", "url", "data", "filename", "mimeType"] {
            part.remove(name);
        }
        let source = [
            ("type", kind.to_owned()),
            ("value", value),
            ("mimeType", mime),
        ];
        part.insert("type", part_of(&source[2].1));
        let source = source.map(|(name, text)| (name, Value::from(text)));
        part.insert_at(1, "source", Value::Object(source.into_iter().collect()));
    }
}

/// The part of 1.x that holds bytes of a media type.
fn part_of(mime: &str) -> &'static str {
    match mime.split('/').next() {
        Some("image") => "image",
        Some("audio") => "audio",
        Some("video") => "video",
        _ => "document",
    }
}
