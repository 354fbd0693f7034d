//! Rejections, with the position of the tokenizer.

use super::{MAX_DEPTH, MAX_EXPONENT_DIGITS, Tokenizer};
use crate::pointer;
use crate::rejection::{Class, Rejection};
use crate::string::StringFault;

impl Tokenizer<'_> {
    #[cold]
    pub(super) fn bad_string(&mut self, at: usize, fault: StringFault) -> Rejection {
        self.at = at;
        match fault {
            StringFault::Expected(what) => self.unexpected(what),
            StringFault::UnpairedSurrogate => self.unpaired_surrogate(),
        }
    }

    #[cold]
    pub(super) fn unexpected(&self, expected: &str) -> Rejection {
        let found = match self.text[self.at..].chars().next() {
            None if self.text.trim().is_empty() => "the document is empty".to_owned(),
            None => "the document ends".to_owned(),
            Some(character @ ('"' | '\'')) => format!("there is `{character}`"),
            Some(character) => format!("there is `{}`", character.escape_debug()),
        };
        let message = format!(
            "not JSON: expected {expected}, but {found}{}",
            self.position()
        );
        self.reject(Class::Syntax, "json", message)
    }

    #[cold]
    pub(super) fn unpaired_surrogate(&self) -> Rejection {
        let message = format!(
            "text holds an unpaired surrogate{}; only a string `delta` may begin or end with one",
            self.position()
        );
        self.reject(Class::Syntax, "unpaired-surrogate", message)
    }

    #[cold]
    pub(super) fn duplicate_name(&self) -> Rejection {
        let message = format!(
            "a member name occurs twice in one object{}; readers disagree about which one counts, so remove one",
            self.position()
        );
        self.reject(Class::Syntax, "duplicate-member", message)
    }

    #[cold]
    pub(super) fn long_exponent(&self) -> Rejection {
        let message = format!("a number's exponent has more than {MAX_EXPONENT_DIGITS} digits");
        self.reject(Class::Limit, "number-exponent", message)
    }

    #[cold]
    pub(super) fn too_deep() -> Rejection {
        let message = format!(
            "the document is nested deeper than {MAX_DEPTH} levels, which is as deep as this reader goes"
        );
        Rejection::new(Class::Limit, "depth", message)
    }

    fn reject(&self, class: Class, rule: &'static str, message: String) -> Rejection {
        let mut rejection = Rejection::new(class, rule, message);
        rejection.at = self.pointer();
        rejection
    }

    /// The value that is being read, as a pointer through the open containers.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for (depth, frame) in self.open.iter().enumerate() {
            let inner = self.open.get(depth + 1);
            // Between two members there is no name.
            let is_named = inner.is_some() || self.is_named;
            let names_end = inner.map_or(self.names.len(), |inner| inner.first_name);
            if !frame.is_object {
                pointer.push('/');
                pointer += &frame.length.to_string();
            } else if let Some(name) = self.names.before(names_end).filter(|_| is_named) {
                pointer.push('/');
                pointer += &pointer::escape(&name);
            }
        }
        pointer
    }

    /// Whether nothing is wrong at the position of the tokenizer but that the text ends.
    pub(crate) fn is_at_cut(&self) -> bool {
        let (before, rest) = self.text.split_at(self.at);
        let is_literal = ["null", "true", "false", "\\"]
            .iter()
            .any(|token| token.starts_with(rest));
        let is_code_unit = before.ends_with("\\u") && rest.len() < 4;
        is_literal || (is_code_unit && rest.bytes().all(|byte| byte.is_ascii_hexdigit()))
    }

    /// The position of the tokenizer, as line and column for people.
    fn position(&self) -> String {
        let before = &self.text[..self.at];
        let line = 1 + before.matches('\n').count();
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = 1 + before[line_start..].chars().count();
        format!(" (line {line}, column {column})")
    }
}
