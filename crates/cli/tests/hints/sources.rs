//! The hints in the sources: the string literals that say to a user what to do next.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Where messages of the program are written, beside the workspace's root.
const FOLDERS: [&str; 4] = [
    "crates/cli/src",
    "crates/codegen/src",
    "crates/fuzz/src",
    "crates/runner/src",
];

/// Where the examples of the helps are, which another test runs.
const EXAMPLES: &str = "crates/cli/src/help/examples.rs";

/// How a sentence begins that tells a user what to do.
const BEGINNINGS: [&str; 14] = [
    "choose ",
    "fill in ",
    "give ",
    "leave ",
    "name ",
    "put ",
    "remove ",
    "run ",
    "say ",
    "see ",
    "take ",
    "the types are ",
    "the values are ",
    "write ",
];

/// A literal of the sources.
pub struct SourceHint {
    /// The file, from the root of the workspace.
    pub file: String,
    /// The literal as it is written, without its quotes.
    pub text: String,
}

/// All hints of the sources.
pub fn hints() -> Vec<SourceHint> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut hints = Vec::new();
    for path in FOLDERS.iter().flat_map(|folder| files(&root.join(folder))) {
        let file = path.strip_prefix(&root).expect("a file of the workspace");
        let file = file.display().to_string();
        if file == EXAMPLES || file.ends_with("tests.rs") || file.contains("/tests/") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source");
        let tokens = TokenStream::from_str(&text).expect("tokens");
        let mut literals = Literals::default();
        literals.walk(tokens, false);
        let found = literals.hints.into_iter();
        hints.extend(found.map(|text| SourceHint {
            file: file.clone(),
            text,
        }));
    }
    hints
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of sources");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let below = paths.into_iter().flat_map(|path| {
        if path.is_dir() {
            files(&path)
        } else {
            vec![path]
        }
    });
    below
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .collect()
}

#[derive(Default)]
struct Literals {
    hints: Vec<String>,
}

impl Literals {
    /// Collects the hints of a sequence of tokens. What is given to a name `help` is a hint.
    fn walk(&mut self, tokens: TokenStream, inside_help: bool) {
        let mut in_help = inside_help;
        let mut of_test = false;
        let mut before = String::new();
        for token in tokens {
            match &token {
                TokenTree::Group(group) if matches!(before.as_str(), "#" | "!") => {
                    let text = group.stream().to_string();
                    of_test |= text.replace(' ', "") == "cfg(test)";
                    if !text.starts_with("doc") {
                        self.walk(group.stream(), in_help);
                    }
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && of_test => {
                    of_test = false;
                }
                TokenTree::Group(group) => {
                    self.walk(group.stream(), in_help || before.ends_with("help"));
                }
                TokenTree::Literal(literal) => self.literal(&literal.to_string(), in_help),
                TokenTree::Punct(punct) => match punct.as_char() {
                    '=' | ':' if before == "help" => in_help = true,
                    ';' => {
                        in_help = inside_help;
                        of_test = false;
                    }
                    ',' if !before.is_empty() => in_help = inside_help,
                    _ => {}
                },
                TokenTree::Ident(_) => {}
            }
            before = token.to_string();
        }
    }

    fn literal(&mut self, literal: &str, in_help: bool) {
        let Some(text) = literal.strip_prefix('"') else {
            return;
        };
        let text = text.trim_end_matches('"');
        let is_sentence = words_of(text).contains(' ');
        let is_command = [
            "`chatstate ",
            "`{called} ",
            "give `",
            "run `",
            "say `",
            "; write `",
        ]
        .iter()
        .any(|part| text.contains(part));
        let is_command = is_command || text.starts_with("chatstate ");
        let tells = BEGINNINGS
            .iter()
            .any(|beginning| text.starts_with(beginning));
        if (in_help && is_sentence) || is_command || tells || text.contains("did you mean") {
            self.hints.push(text.to_owned());
        }
    }
}

/// A literal without its placeholders and the marks around them.
fn words_of(literal: &str) -> String {
    let mut words = String::new();
    let mut depth = 0;
    for letter in literal.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ if depth == 0 => words.push(letter),
            _ => {}
        }
    }
    let is_mark = |letter: char| !letter.is_alphanumeric();
    words.trim_matches(is_mark).to_owned()
}
