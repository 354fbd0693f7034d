//! The expressions of workflows, as far as the action uses them.

use std::collections::BTreeMap;

use regex::Regex;

/// What expressions can see.
#[derive(Debug)]
pub struct Context {
    values: BTreeMap<String, String>,
    /// Whether no step has failed so far.
    pub succeeds: bool,
}

/// What an expression gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// A text.
    Text(String),
    /// True or false.
    Truth(bool),
}

impl Context {
    /// A context with these inputs.
    pub fn new(inputs: BTreeMap<String, String>) -> Self {
        let inputs = inputs.into_iter();
        Self {
            values: inputs
                .map(|(name, value)| (format!("inputs.{name}"), value))
                .collect(),
            succeeds: true,
        }
    }

    /// Sets what a name stands for.
    pub fn set(&mut self, name: &str, value: &str) {
        self.values.insert(name.to_owned(), value.to_owned());
    }
}

impl Given {
    /// Whether a condition with it holds.
    pub fn is_true(&self) -> bool {
        match self {
            Self::Text(text) => !text.is_empty(),
            Self::Truth(truth) => *truth,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Truth(truth) => truth.to_string(),
        }
    }
}

/// A text with its expressions filled in.
pub fn filled(text: &str, context: &Context) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${{") {
        let (expression, after) = after.split_once("}}").expect("an expression ends");
        filled += before;
        filled += &evaluated(expression, context).text();
        rest = after;
    }
    filled + rest
}

/// What an expression gives, with or without the marks around it.
pub fn evaluated(expression: &str, context: &Context) -> Given {
    let bare = expression.trim();
    let bare = bare
        .strip_prefix("${{")
        .and_then(|it| it.strip_suffix("}}"))
        .unwrap_or(bare);
    let token = Regex::new(r"'[^']*'|\|\||&&|==|[(),]|[\w.-]+").expect("a pattern of this file");
    let tokens: Vec<&str> = token.find_iter(bare).map(|it| it.as_str()).collect();
    let mut reader = ExpressionReader {
        tokens: &tokens,
        context,
    };
    let given = reader.either();
    assert!(
        reader.tokens.is_empty(),
        "`{bare}` is read up to {:?}",
        reader.tokens
    );
    given
}

struct ExpressionReader<'a> {
    tokens: &'a [&'a str],
    context: &'a Context,
}

impl ExpressionReader<'_> {
    fn take(&mut self, token: &str) -> bool {
        let is_next = self.tokens.first() == Some(&token);
        if is_next {
            self.tokens = &self.tokens[1..];
        }
        is_next
    }

    fn either(&mut self) -> Given {
        let mut given = self.both();
        while self.take("||") {
            let other = self.both();
            given = if given.is_true() { given } else { other };
        }
        given
    }

    fn both(&mut self) -> Given {
        let mut given = self.comparison();
        while self.take("&&") {
            let other = self.comparison();
            given = if given.is_true() { other } else { given };
        }
        given
    }

    fn comparison(&mut self) -> Given {
        let given = self.value();
        if self.take("==") {
            return Given::Truth(given == self.value());
        }
        given
    }

    fn value(&mut self) -> Given {
        let (first, rest) = self.tokens.split_first().expect("an expression goes on");
        self.tokens = rest;
        if let Some(literal) = first.strip_prefix('\'') {
            return Given::Text(literal.trim_end_matches('\'').to_owned());
        }
        if self.take("(") {
            return self.call(first);
        }
        // What is not set is empty, as with GitHub.
        Given::Text(self.context.values.get(*first).cloned().unwrap_or_default())
    }

    fn call(&mut self, name: &str) -> Given {
        let mut arguments = Vec::new();
        while !self.take(")") {
            arguments.push(self.either().text());
            self.take(",");
        }
        match (name, arguments.as_slice()) {
            ("always", []) => Given::Truth(true),
            ("success", []) => Given::Truth(self.context.succeeds),
            ("format", [form, only]) => Given::Text(form.replace("{0}", only)),
            _ => panic!("`{name}` is not a function that the action uses"),
        }
    }
}
