//! What rows cannot say of calls, results and media.

use super::super::loss::ConversionLoss;
use super::super::table::{Left, Rewrite};
use super::messages::lost;
use chatstate_json::{Object, Value};

pub(super) static ARGUMENTS: Rewrite = Rewrite {
    doc: "a plugin and a function are written as one name, with `-` between them; a call without \
           arguments has an empty text",
    read: |_| Ok(()),
    write: |call| {
        let mut left = Vec::new();
        let plugin = call.remove("function@plugin").map(|(_, plugin)| plugin);
        let name = call.get("function@name").and_then(Value::as_str);
        if let (Some(Value::String(plugin)), Some(name)) = (plugin, name) {
            let joined = format!("{plugin}-{name}");
            call.insert("function@name", joined);
            left.push(Left {
                part: "function@plugin",
                class: ConversionLoss::Form,
                why: "there are no plugins here; the name of the plugin is put before that of the function",
            });
        }
        if !call.contains_key("function@arguments") {
            call.insert("function@arguments", "");
            left.push(Left {
                part: "function@arguments",
                class: ConversionLoss::MadeUp,
                why: "a call has arguments here; an empty text is written",
            });
        }
        left
    },
};

pub(super) static OUTPUT: Rewrite = Rewrite {
    doc: "a `content` that is a list is `content@parts`",
    read: |result| {
        if let Some(Value::Array(_)) = result.get("content")
            && let Some((_, parts)) = result.remove("content")
        {
            result.insert("content@parts", parts);
        }
        Ok(())
    },
    write: |result| {
        let Some((_, parts)) = result.remove("content@parts") else {
            return Vec::new();
        };
        if result.contains_key("content") {
            return vec![lost(
                "content@parts",
                "a result is one text or a list of parts",
            )];
        }
        result.insert("content", parts);
        Vec::new()
    },
};

/// The kinds of sources: the tag, the part that the value is, and further parts.
const SOURCES: [(&str, &str); 3] = [
    ("data", "source@data"),
    ("url", "source@url"),
    ("file", "source@file"),
];

pub(super) static SOURCE: Rewrite = Rewrite {
    doc: "`source` is taken apart: the bytes, the address or the name of the file, and the media type",
    read: |part| {
        let Some((_, source)) = part.remove("source") else {
            return Ok(());
        };
        match read_source(&source) {
            Some(parts) => part.extend(parts),
            None => drop(part.insert("source@other", source)),
        }
        Ok(())
    },
    write: write_source,
};

/// The parts of a source whose members are all known.
fn read_source(source: &Value) -> Option<Vec<(&'static str, Value)>> {
    let tag = source.get("type")?.as_str()?;
    let (_, value) = SOURCES.iter().find(|(known, _)| *known == tag)?;
    let mut parts = Vec::new();
    for (name, member) in source.as_object()?.iter() {
        parts.push(match name.as_str() {
            "type" => continue,
            "value" => (*value, member.clone()),
            "mimeType" => ("source@mime", member.clone()),
            "provider" if tag == "file" => ("source@provider", member.clone()),
            _ => return None,
        });
    }
    Some(parts)
}

fn write_source(part: &mut Object) -> Vec<Left> {
    let mut take = |name| part.remove(name).map(|(_, value)| value);
    let (mime, provider, other) = (
        take("source@mime"),
        take("source@provider"),
        take("source@other"),
    );
    let values = SOURCES.map(|(tag, name)| (tag, name, take(name)));
    let mut left = Vec::new();
    let mut source = other;
    for (tag, name, value) in values {
        let Some(value) = value else { continue };
        if source.is_some() {
            left.push(lost(name, "a part has one source"));
            continue;
        }
        let mut made = Object::new();
        made.insert("type", tag);
        made.insert("value", value);
        made.extend(mime.clone().map(|it| ("mimeType", it)));
        if tag == "data" && mime.is_none() {
            made.insert("mimeType", "application/octet-stream");
            left.push(Left {
                part: "source@mime",
                class: ConversionLoss::MadeUp,
                why: "bytes have a media type here; `application/octet-stream` is written",
            });
        }
        if tag == "file" {
            made.extend(provider.clone().map(|it| ("provider", it)));
        }
        source = Some(Value::Object(made));
    }
    match source {
        Some(source) => drop(part.insert("source", source)),
        None => left.push(Left {
            part: "source@data",
            class: ConversionLoss::Item,
            why: "a part must say where its bytes are",
        }),
    }
    left
}
