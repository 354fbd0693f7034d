//! The text of a list with entries changed, taken away and added.

use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, Value, value};

use super::{FailedCase, Fate};

/// The member that holds the entries.
const ENTRIES: &str = "expect";

/// Members that belong to a pattern and not to each of its cases.
const OF_PATTERNS: [&str; 4] = ["case", "requirement", "fingerprint", "max"];

/// A new entry.
pub(super) struct Addition<'a> {
    pub(super) case: &'a str,
    pub(super) fingerprint: &'a str,
    pub(super) reason: String,
    pub(super) max: Option<usize>,
}

/// Gives the text in which each entry has had its fate, and new entries are at the end; nothing
/// when the entries are not tables.
pub(super) fn edit<'a>(
    text: &str,
    fates: Vec<Fate>,
    added: impl Iterator<Item = Addition<'a>>,
) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let tables = match document.remove(ENTRIES) {
        None => ArrayOfTables::new(),
        Some(Item::ArrayOfTables(tables)) => tables,
        Some(_) => return None,
    };
    let mut list = EntryList::default();
    if tables.is_empty() {
        // What is in a file without entries stays before the new ones.
        let comments = document.trailing().as_str().unwrap_or_default().trim();
        if !comments.is_empty() {
            list.orphans = format!("{comments}\n\n");
        }
        document.set_trailing("");
    }
    for (table, fate) in tables.into_iter().zip(fates) {
        list.take(table, fate);
    }
    added.for_each(|it| list.push(new_entry(&it)));
    let EntryList { tables, orphans } = list;
    if !orphans.is_empty() {
        let behind = document.trailing().as_str().unwrap_or_default();
        let trailing = orphans + behind;
        document.set_trailing(trailing);
    }
    if !tables.is_empty() {
        document.insert(ENTRIES, Item::ArrayOfTables(tables));
    }
    Some(document.to_string())
}

/// The entries that are left.
#[derive(Default)]
struct EntryList {
    tables: ArrayOfTables,
    /// Comments before an entry that was taken away, which were about more than it.
    orphans: String,
}

impl EntryList {
    fn take(&mut self, mut table: Table, fate: Fate) {
        match fate {
            Fate::Keep | Fate::Over => self.push(table),
            Fate::Remove(_) => self.keep(heading(before(&table))),
            Fate::Refresh(fingerprint) => {
                set(&mut table, "fingerprint", &fingerprint);
                self.push(table);
            }
            Fate::Split(failures) => {
                let mut first = true;
                for failure in failures {
                    let mut one = entry_of_one(&table, &failure);
                    if first {
                        one.decor_mut().set_prefix(before(&table));
                        one.set_position(table.position());
                    }
                    first = false;
                    self.push(one);
                }
            }
        }
    }

    /// Keeps comments for the next entry.
    fn keep(&mut self, comments: &str) {
        let comments = if self.orphans.is_empty() {
            comments
        } else {
            comments.trim_start_matches('\n')
        };
        self.orphans += comments;
    }

    /// Puts an entry at the end, after the comments that have lost theirs. No file begins with an
    /// empty line.
    fn push(&mut self, mut table: Table) {
        let own = before(&table);
        let prefix = if self.orphans.is_empty() {
            own.to_owned()
        } else {
            std::mem::take(&mut self.orphans) + own.trim_start_matches('\n')
        };
        let prefix = if self.tables.is_empty() {
            prefix.trim_start_matches('\n')
        } else {
            &prefix
        };
        table.decor_mut().set_prefix(prefix);
        self.tables.push(table);
    }
}

/// What is before the head of an entry; an entry that was never written has an empty line there.
fn before(table: &Table) -> &str {
    let prefix = table.decor().prefix();
    prefix.map_or("\n", |prefix| prefix.as_str().unwrap_or("\n"))
}

/// The comments before an entry that an empty line parts from it, so that they are about more than it.
fn heading(prefix: &str) -> &str {
    let end = prefix.rfind("\n\n").map_or(0, |place| place + 2);
    let heading = &prefix[..end];
    if heading.contains('#') { heading } else { "" }
}

fn new_entry(addition: &Addition<'_>) -> Table {
    let mut table = Table::new();
    table.insert("case", value(addition.case));
    table.insert("reason", value(&addition.reason));
    table.insert("fingerprint", value(addition.fingerprint));
    if let Some(max) = addition.max.and_then(|max| i64::try_from(max).ok()) {
        table.insert("max", value(max));
    }
    table
}

/// The entry of one case among those that an entry named, with all that it said.
fn entry_of_one(pattern: &Table, failure: &FailedCase) -> Table {
    let mut table = Table::new();
    table.insert("case", value(&failure.case));
    let said = pattern.iter().map(|(name, _)| name);
    for name in said.filter(|name| !OF_PATTERNS.contains(name)) {
        if let Some((key, item)) = pattern.get_key_value(name) {
            let mut item = item.clone();
            if let Item::Table(inner) = &mut item {
                inner.set_position(None);
            }
            table.insert_formatted(key, item);
        }
    }
    table.insert("fingerprint", value(&failure.fingerprint));
    table
}

/// Sets a member and keeps what is around its value.
fn set(table: &mut Table, name: &str, text: &str) {
    let decor = table.get(name).and_then(Item::as_value);
    let decor = decor.map(|value| value.decor().clone());
    let mut new = Value::from(text);
    if let Some(decor) = decor {
        *new.decor_mut() = decor;
    }
    table.insert(name, Item::Value(new));
}
