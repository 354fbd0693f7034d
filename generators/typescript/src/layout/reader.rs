//! Reads a line of the generated code from left to right.

/// What is still to be read of a line.
#[derive(Debug, Clone)]
pub(super) struct Reader<'l> {
    rest: &'l str,
}

impl<'l> Reader<'l> {
    pub(super) fn new(line: &'l str) -> Self {
        Self { rest: line }
    }

    /// What is still to be read.
    pub(super) fn rest(&self) -> &'l str {
        self.rest
    }

    pub(super) fn is_at(&self, text: &str) -> bool {
        self.rest.starts_with(text)
    }

    /// Goes past a text if it is next.
    pub(super) fn skip(&mut self, text: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(text) else {
            return false;
        };
        self.rest = rest;
        true
    }

    /// Everything before a sign that is outside of texts and brackets; the sign is gone past.
    pub(super) fn until(&mut self, sign: &str) -> Option<String> {
        let mut depth = 0_usize;
        let mut reader = self.clone();
        while !reader.rest.is_empty() {
            if depth == 0 && reader.is_at(sign) {
                let read = self.read_to(&reader);
                self.skip(sign);
                return Some(read);
            }
            match reader.next_sign()? {
                '(' | '[' | '{' | '<' => depth += 1,
                ')' | ']' | '}' | '>' => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
        None
    }

    /// The parts between two brackets, which have commas between them.
    pub(super) fn listed<T>(
        &mut self,
        open: &str,
        close: &str,
        mut read: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut parts = Vec::new();
        if !self.skip(open) {
            return None;
        }
        if self.skip(close) {
            return Some(parts);
        }
        loop {
            parts.push(read(self)?);
            if self.skip(close) {
                return Some(parts);
            }
            if !self.skip(", ") {
                return None;
            }
        }
    }

    /// The parameters of a function, if one is next; its arrow is gone past.
    pub(super) fn arrow(&mut self) -> Option<String> {
        let mut reader = self.clone();
        if !reader.skip("(") {
            return None;
        }
        let name = reader
            .rest
            .find(|character: char| !character.is_alphanumeric())?;
        let parameters = format!("({})", &reader.rest[..name]);
        reader.rest = &reader.rest[name..];
        if !reader.skip(") => ") {
            return None;
        }
        *self = reader;
        Some(parameters)
    }

    /// A name, a literal, a comparison of such, or what is before the arguments of a call, with the
    /// comment before it.
    pub(super) fn atom(&mut self) -> Option<String> {
        self.word(&[
            "/* @__PURE__ */ ",
            "new ",
            "typeof ",
            " === ",
            " >= ",
            " <= ",
            " > ",
            " < ",
            "[",
        ])
    }

    /// The name of a type, with its arguments, or a literal.
    pub(super) fn type_atom(&mut self) -> Option<String> {
        self.word(&["readonly "])
    }

    /// Everything up to what ends a name or a literal; some texts do not end it.
    fn word(&mut self, within: &[&str]) -> Option<String> {
        let mut reader = self.clone();
        loop {
            if let Some(text) = within.iter().find(|text| reader.skip(text)) {
                if *text == "[" {
                    reader.until("]")?;
                }
                continue;
            }
            match reader.rest.chars().next() {
                // The arguments of a type.
                Some('<') if reader.skip("<") => {
                    reader.until(">")?;
                }
                None | Some(' ' | ',' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | ':' | ';') => {
                    break;
                }
                Some(_) => {
                    reader.next_sign()?;
                }
            }
        }
        let read = self.read_to(&reader);
        (!read.is_empty()).then_some(read)
    }

    /// The member of an expression that is called, with the point before it.
    pub(super) fn member(&mut self) -> Option<String> {
        let mut reader = self.clone();
        if !reader.skip(".") {
            return None;
        }
        let end = reader.rest.find(|next: char| !next.is_alphanumeric())?;
        reader.rest = &reader.rest[end..];
        reader.is_at("(").then(|| self.read_to(&reader))
    }

    /// The next character; of a text, its first one, and the text is gone past.
    fn next_sign(&mut self) -> Option<char> {
        let mut characters = self.rest.char_indices();
        let (_, first) = characters.next()?;
        let mut end = first.len_utf8();
        if matches!(first, '"' | '\'') {
            let mut escaped = false;
            let (place, _) = characters.find(|(_, character)| {
                let ends = *character == first && !escaped;
                escaped = *character == '\\' && !escaped;
                ends
            })?;
            end = place + first.len_utf8();
        }
        self.rest = &self.rest[end..];
        Some(first)
    }

    /// Goes to where another reader of the same line is, and gives what is between.
    fn read_to(&mut self, other: &Self) -> String {
        let read = &self.rest[..self.rest.len() - other.rest.len()];
        self.rest = other.rest;
        read.to_owned()
    }
}
