//! Names of types, and texts as TypeScript spells them.

use chatstate_codegen::{is_direction_mark, is_plain};
use unicode_ident::{is_xid_continue, is_xid_start};

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

/// Whether a member can be declared without quotes.
pub(crate) fn is_bare(member: &str) -> bool {
    let mut characters = member.chars();
    let starts = characters
        .next()
        .is_some_and(|first| is_xid_start(first) || "_$".contains(first));
    starts && characters.all(|next| is_xid_continue(next) || next == '$')
}

/// Whether every object has a member of this name.
pub(crate) fn is_inherited(member: &str) -> bool {
    INHERITED.contains(&member)
}

/// A text as a string literal. JSON's escapes are those of TypeScript, and what ends a line in
/// TypeScript or has no place in a source file is escaped, too. As with Prettier, single quotes are
/// around a text that has more double ones in it.
pub(crate) fn quoted(text: &str) -> String {
    if is_plain(text) {
        return format!("\"{text}\"");
    }
    let is_more = text.matches('"').count() > text.matches('\'').count();
    let quote = if is_more { '\'' } else { '"' };
    let mut out = String::from(quote);
    for character in text.chars() {
        match character {
            '"' | '\'' if character == quote => {
                out.push('\\');
                out.push(quote);
            }
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            hidden if is_hidden(hidden) => out.extend(hidden.escape_unicode()),
            plain => out.push(plain),
        }
    }
    out.push(quote);
    out
}

/// Whether a character is better escaped: controls, line separators, and what changes the direction
/// of the text around it.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}')
        || is_direction_mark(character)
}

/// The largest integer up to which every integer is a `number`.
pub(crate) const MAX_SAFE: u64 = (1 << 53) - 1;
