//! Changes of a document, one at a time: what a validator has to look at.

use serde_json::{Value, json};

/// One change of a document at a JSON pointer.
#[derive(Debug)]
pub struct DocumentChange {
    /// The place.
    pub place: String,
    kind: DocumentChangeKind,
}

#[derive(Debug, Clone, Copy)]
enum DocumentChangeKind {
    /// The value of this number is put in its place.
    Replaced(usize),
    /// A member is added to it.
    More,
    /// It is left out.
    Less,
}

/// Values of all kinds.
fn others() -> Vec<Value> {
    let values = r#"[null, true, 0, -7, 1.5, "", "other", [], ["other"], {}, {"other": 1}]"#;
    serde_json::from_str(values).unwrap()
}

/// All changes of a document: a member or an item left out, something of another kind in its place,
/// a member more.
///
/// # Panics
///
/// Never: places are those of the document.
#[must_use]
pub fn changes(document: &Value) -> Vec<DocumentChange> {
    let replaced = (0..others().len()).map(DocumentChangeKind::Replaced);
    let kinds: Vec<DocumentChangeKind> = replaced
        .chain([DocumentChangeKind::More, DocumentChangeKind::Less])
        .collect();
    let places = places(document).into_iter();
    let all = places.flat_map(|place| {
        let is_object = document.pointer(&place).unwrap().is_object();
        let kinds = kinds.iter().filter(|kind| match kind {
            DocumentChangeKind::Replaced(_) => true,
            DocumentChangeKind::More => is_object,
            DocumentChangeKind::Less => !place.is_empty(),
        });
        let changes = kinds.map(|kind| DocumentChange {
            place: place.clone(),
            kind: *kind,
        });
        changes.collect::<Vec<_>>()
    });
    all.collect()
}

impl DocumentChange {
    /// The document with this change.
    ///
    /// # Panics
    ///
    /// When it is a change of another document.
    #[must_use]
    pub fn of(&self, document: &Value) -> Value {
        let mut changed = document.clone();
        match self.kind {
            DocumentChangeKind::Replaced(number) => {
                *changed.pointer_mut(&self.place).unwrap() = others()[number].clone();
            }
            DocumentChangeKind::More => {
                let members = changed.pointer_mut(&self.place).unwrap();
                members["other"] = json!(1);
            }
            DocumentChangeKind::Less => {
                let (around, last) = self.place.rsplit_once('/').unwrap();
                match changed.pointer_mut(around).unwrap() {
                    Value::Object(members) => {
                        let name = last.replace("~1", "/").replace("~0", "~");
                        members.shift_remove(&name).unwrap();
                    }
                    Value::Array(items) => {
                        items.remove(last.parse().unwrap());
                    }
                    _ => unreachable!(),
                }
            }
        }
        changed
    }
}

/// The pointers of all values in a document, the document itself first.
fn places(document: &Value) -> Vec<String> {
    let mut places = vec![String::new()];
    let mut next = 0;
    while let Some(place) = places.get(next).cloned() {
        match document.pointer(&place).unwrap() {
            Value::Object(members) => places.extend(
                members
                    .keys()
                    .map(|name| format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"))),
            ),
            Value::Array(items) => {
                places.extend((0..items.len()).map(|index| format!("{place}/{index}")));
            }
            _ => {}
        }
        next += 1;
    }
    places
}
