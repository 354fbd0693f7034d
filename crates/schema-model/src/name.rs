//! The names of types: from the schema's own names and places, never from a counter.

use std::collections::HashMap;

use crate::node::{Node, unescaped};
use crate::{IrError, Lock};

/// The keyword with the name that a definition, a member or a value has in code.
pub(crate) const X_NAME: &str = "x-name";

/// A name for code: ASCII letters and digits, and `_` or `-` between words.
pub(crate) fn code_name(node: &Node<'_>) -> Result<String, IrError> {
    let name = node.text()?;
    let is_part = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    if name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(is_part) {
        return Ok(name.to_owned());
    }
    let message = format!("`{name}` is no name for code");
    Err(node.fail(
        message,
        "begin with a letter, and go on with letters, digits and `_`",
    ))
}

/// The names that are given, each to one place.
#[derive(Debug, Default)]
pub(crate) struct PlaceNames {
    /// What each name was given to.
    owners: HashMap<String, String>,
    /// The name of each place: the key is the file, `#`, and the pointer.
    places: HashMap<String, KeyedName>,
    /// The names that earlier runs gave, which win.
    locked: HashMap<String, String>,
    /// All names by their stable keys, in the order in which they were given.
    pub lock: Lock,
}

/// The name of a place, and the key that keeps it.
#[derive(Debug, Clone)]
struct KeyedName {
    name: String,
    key: String,
}

/// The position of a place among those with names.
struct Ancestor {
    named: KeyedName,
    /// The steps from there: what they mean for a name, and as they are in the pointer.
    labels: Vec<String>,
    steps: Vec<String>,
}

impl PlaceNames {
    /// No names yet, but those of earlier runs will be used again.
    pub fn new(lock: &Lock) -> Self {
        let mut names = Self::default();
        for (key, name) in &lock.types {
            names.owners.insert(name.clone(), key.clone());
            names.locked.insert(key.clone(), name.clone());
        }
        names
    }

    /// The name of a place that has one.
    pub fn of(&self, node: &Node<'_>) -> Option<&str> {
        Some(&self.places.get(&address(node))?.name)
    }

    /// The place that a name was given to.
    pub fn owner(&self, name: &str) -> Option<&str> {
        self.owners.get(name).map(String::as_str)
    }

    /// Names a definition by its own name in the schema, or by the one that it is given.
    pub fn define(&mut self, node: &Node<'_>, own: &str) -> Result<String, IrError> {
        if let Some(given) = node.get(X_NAME) {
            let name = type_name(&code_name(&given)?);
            let key = address(node);
            // A name that is given wins over that of an earlier run.
            self.locked.remove(&key);
            return self.give(node, key, &[name]);
        }
        let short = type_name(own);
        let long = format!("{}{short}", type_name(stem(node.file)));
        self.give(node, address(node), &[short, long])
    }

    /// Names a place without a name after the nearest place around it that has one.
    pub fn hoist(&mut self, node: &Node<'_>) -> Result<String, IrError> {
        if let Some(name) = self.of(node) {
            return Ok(name.to_owned());
        }
        let around = self.around(node);
        let label: String = around.labels.iter().map(|label| type_name(label)).collect();
        let key = format!("{}/{}", around.named.key, around.steps.join("/"));
        let short = lengthened(&around.named.name, &label);
        let long = format!("{}{short}", type_name(stem(node.file)));
        self.give(node, key, &[short, long])
    }

    /// Names a part of the definition `parent` by a label. The place gets that name unless it has one
    /// already: it may be a part of several definitions.
    pub fn part(&mut self, parent: &str, label: &str, node: &Node<'_>) -> Result<String, IrError> {
        let owner = self.owners.get(parent).cloned().unwrap_or_default();
        let key = format!(
            "{owner}/oneOf/{}",
            label.replace('~', "~0").replace('/', "~1")
        );
        let short = lengthened(parent, &type_name(label));
        let long = format!("{}{short}", type_name(stem(node.file)));
        let place = self.places.get(&address(node)).cloned();
        let name = self.give(node, key, &[short, long])?;
        if let Some(earlier) = place {
            self.places.insert(address(node), earlier);
        }
        Ok(name)
    }

    /// Gives the first of the names that is free.
    fn give(
        &mut self,
        node: &Node<'_>,
        key: String,
        candidates: &[String],
    ) -> Result<String, IrError> {
        let locked = self.locked.get(&key).cloned();
        let free = |name: &&String| self.owners.get(*name).is_none_or(|owner| *owner == key);
        let name = match locked {
            Some(name) => name,
            None => candidates.iter().find(free).cloned().ok_or_else(|| {
                let message = format!("the type name `{}` is taken", candidates[0]);
                node.fail(message, "give one of the two a name of its own: a definition under `$defs`, a `title`, or `x-name`")
            })?,
        };
        self.owners.insert(name.clone(), key.clone());
        self.lock.types.insert(key.clone(), name.clone());
        let named = KeyedName {
            name: name.clone(),
            key,
        };
        self.places.insert(address(node), named);
        Ok(name)
    }

    /// The nearest named place around a place without a name.
    fn around(&self, node: &Node<'_>) -> Ancestor {
        let mut pointer = node.pointer.as_str();
        let mut steps: Vec<&str> = Vec::new();
        loop {
            if let Some(named) = self.places.get(&format!("{}#{pointer}", node.file)) {
                return ancestor(named.clone(), &steps);
            }
            let Some((before, last)) = pointer.rsplit_once('/') else {
                let named = KeyedName {
                    name: String::new(),
                    key: format!("{}#", node.file),
                };
                return ancestor(named, &steps);
            };
            steps.insert(0, last);
            pointer = before;
        }
    }
}

/// A name with a label after it, unless the label repeats the name.
pub(crate) fn lengthened(name: &str, label: &str) -> String {
    match label.strip_prefix(name) {
        Some(rest) if rest.starts_with(|first: char| first.is_ascii_uppercase()) => {
            label.to_owned()
        }
        _ => format!("{name}{label}"),
    }
}

fn address(node: &Node<'_>) -> String {
    format!("{}#{}", node.file, node.pointer)
}

/// What the steps of a pointer mean for a name: the names of members, and words for the rest.
/// Places in a choice or a composition are left out, since they move when a variant is added.
fn ancestor(named: KeyedName, pointer: &[&str]) -> Ancestor {
    let (mut labels, mut steps) = (Vec::new(), Vec::new());
    let mut rest = pointer.iter();
    while let Some(step) = rest.next() {
        let label = match *step {
            "oneOf" | "anyOf" | "allOf" => {
                rest.next();
                continue;
            }
            "items" => "item",
            "additionalProperties" => "value",
            "patternProperties" => {
                let pattern = rest.next().map(|step| unescaped(step).into_owned());
                let pattern = pattern.unwrap_or_default();
                labels.push(format!("{} value", crate::patterns::letters(&pattern)));
                steps.extend([(*step).to_owned(), pattern]);
                continue;
            }
            "properties" | "$defs" | "definitions" | "prefixItems" => match rest.next() {
                Some(name) => {
                    labels.push(name.replace("~1", "/").replace("~0", "~"));
                    steps.extend([(*step).to_owned(), (*name).to_owned()]);
                    continue;
                }
                None => continue,
            },
            other => other,
        };
        labels.push(label.to_owned());
        steps.push((*step).to_owned());
    }
    Ancestor {
        named,
        labels,
        steps,
    }
}

/// A file name without its endings.
pub(crate) fn stem(file: &str) -> &str {
    file.split('.').next().unwrap_or(file)
}

/// A type name of ASCII letters and digits that begins with a capital letter: the name itself, if it
/// is one, otherwise its words with capitals. Characters outside of ASCII are spelled by number.
pub(crate) fn type_name(name: &str) -> String {
    if is_type_name(name) {
        return name.to_owned();
    }
    let mut result = String::new();
    for word in
        name.split(|character: char| character.is_ascii() && !character.is_ascii_alphanumeric())
    {
        push_word(&mut result, word);
    }
    match result.chars().next() {
        None => "Empty".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("N{result}"),
        Some(_) => result,
    }
}

/// Adds a word with a capital letter; a word in capitals only is not shouted.
fn push_word(result: &mut String, word: &str) {
    let shouted =
        word.len() > 1 && !word.contains(|character: char| character.is_ascii_lowercase());
    for (index, character) in word.chars().enumerate() {
        match character {
            _ if !character.is_ascii() => push_number(result, character),
            _ if index == 0 => result.push(character.to_ascii_uppercase()),
            _ if shouted => result.push(character.to_ascii_lowercase()),
            _ => result.push(character),
        }
    }
}

/// Spells a character by its number in Unicode.
fn push_number(result: &mut String, character: char) {
    use std::fmt::Write;
    // Writing to a string cannot fail.
    let _ = write!(result, "U{:04x}", u32::from(character));
}

/// Whether every language can make a type of that name.
pub(crate) fn is_type_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && name
            .chars()
            .all(|character| character.is_ascii_alphanumeric())
}
