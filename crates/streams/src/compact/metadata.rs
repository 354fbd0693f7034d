//! Metadata as text, folded name by name.

use foldhash::fast::RandomState;
use indexmap::IndexMap;

use chatstate_json::{Class, Rejection};
use chatstate_json::{members_of, write_string};

/// The last value of each name, in the order in which the names came first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FoldedMetadata(IndexMap<String, String, RandomState>);

impl FoldedMetadata {
    /// Folds the text of further metadata in.
    pub fn fold(&mut self, metadata: &str) -> Result<(), Rejection> {
        let mut names = Vec::new();
        for (name, raw) in members_of(metadata)? {
            if names.contains(&name) {
                return Err(duplicate(&name));
            }
            self.0.insert(name.as_ref().to_owned(), raw.to_owned());
            names.push(name);
        }
        Ok(())
    }

    /// Folds metadata into what may be there.
    pub fn fold_into(folded: &mut Option<Self>, metadata: Option<&str>) -> Result<(), Rejection> {
        match metadata {
            Some(metadata) => folded.get_or_insert_default().fold(metadata),
            None => Ok(()),
        }
    }

    /// Folds what is folded already into what may be there.
    pub fn fold_all(folded: &mut Option<Self>, metadata: Option<&Self>) {
        if let Some(metadata) = metadata {
            let members = metadata.0.iter();
            let members = members.map(|(name, value)| (name.clone(), value.clone()));
            folded.get_or_insert_default().0.extend(members);
        }
    }

    /// Appends it as an object.
    pub fn write(&self, out: &mut String) {
        out.push('{');
        for (index, (name, value)) in self.0.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            write_string(out, name);
            out.push(':');
            out.push_str(value);
        }
        out.push('}');
    }
}

fn duplicate(name: &str) -> Rejection {
    let message = format!(
        "the member name `{name}` stands twice in one `metadata`; readers disagree about which one counts, so remove one"
    );
    Rejection::new(Class::Syntax, "duplicate-member", message).within("metadata")
}
