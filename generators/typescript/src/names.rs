//! Names of types, and texts as TypeScript spells them.

use chatstate_codegen::{is_direction_mark, is_plain};
use chatstate_schema_model::Literal;

/// What the package exports beside the types, and what their declarations take from the language. A
/// definition of such a name gets a `_` after it.
const TAKEN: &[&str] = &[
    "Decoder",
    "Exact",
    "ExactList",
    "ExactNumber",
    "JsonNumber",
    "NonNullable",
    "Parser",
    "ReadOptions",
    "Rejection",
    "RejectionClass",
    "StandardResult",
    "StandardSchema",
    "UnknownTag",
    "Validator",
    "WithExtras",
    "Writer",
];

/// Members that every object has without being given them; a document's own member of such a name is
/// asked for in another way.
const INHERITED: &[&str] = &[
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// The type of a definition.
pub(crate) fn type_name(definition: &str) -> String {
    if TAKEN.contains(&definition) {
        return format!("{definition}_");
    }
    definition.to_owned()
}

/// The function that checks a value of a definition.
pub(crate) fn check_name(definition: &str) -> String {
    format!("check{definition}")
}

/// A member as an interface declares it: bare where that is possible.
pub(crate) fn property(member: &str) -> String {
    let mut characters = member.chars();
    let starts = characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || "_$".contains(first));
    if starts && characters.all(|next| next.is_ascii_alphanumeric() || "_$".contains(next)) {
        return member.to_owned();
    }
    quoted(member)
}

/// The member of `value`, `undefined` where it is not there.
pub(crate) fn access(member: &str) -> String {
    if is_inherited(member) {
        return format!("own(value, {})", quoted(member));
    }
    format!("value[{}]", quoted(member))
}

/// Whether every object has a member of this name.
pub(crate) fn is_inherited(member: &str) -> bool {
    INHERITED.contains(&member)
}

/// A text as a string literal. JSON's escapes are those of TypeScript, and what ends a line in
/// TypeScript or has no place in a source file is escaped, too.
pub(crate) fn quoted(text: &str) -> String {
    if is_plain(text) {
        return format!("\"{text}\"");
    }
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            hidden if is_hidden(hidden) => out.extend(hidden.escape_unicode()),
            plain => out.push(plain),
        }
    }
    out.push('"');
    out
}

/// Whether a character is better escaped: controls, line separators, and what changes the direction
/// of the text around it.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}')
        || is_direction_mark(character)
}

/// A value as a literal, which is its type as well.
pub(crate) fn literal(value: &Literal) -> String {
    match value {
        Literal::Boolean(value) => value.to_string(),
        // Beyond `MAX_SAFE` it stands for the integers that it is the nearest `number` of.
        Literal::Integer(value) => value.to_string(),
        Literal::Text(text) => quoted(text),
    }
}

/// The largest integer up to which every integer is a `number`.
pub(crate) const MAX_SAFE: u64 = (1 << 53) - 1;

/// The longest list that is in one line.
const LONGEST_LINE: usize = 90;

/// Expressions as a list; a long one has a line for each, so that a new one changes no other line.
pub(crate) fn listed(items: &[String]) -> String {
    let line = items.join(", ");
    if line.chars().count() <= LONGEST_LINE {
        return format!("[{line}]");
    }
    format!("[\n    {},\n  ]", items.join(",\n    "))
}
