//! What stands in the way of a model, all of it at once; and the places that are read as any JSON
//! value because the caller says so.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt;
use std::ptr;

use indexmap::IndexMap;
use serde_json::Value;

use crate::IrError;
use crate::documents::Documents;
use crate::node::Node;

/// How often the files are read again, each time with the places that were in the way left out.
pub(crate) const MAX_PASSES: usize = 20;

/// Which places may be read as any JSON value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OpaquePlaces {
    /// All that cannot be represented.
    pub all: bool,
    /// These, each as a JSON pointer, with the name of the file and `#` before it where several
    /// files have the place.
    pub places: Vec<String>,
}

/// A schema that cannot be represented.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacle {
    /// JSON pointer to the schema that any JSON value can stand for; `None` if what is wrong is
    /// wrong with a file as a whole.
    pub schema: Option<String>,
    /// What is wrong: the place is the schema, or one inside of it.
    pub error: IrError,
}

impl Obstacle {
    /// The file, `#` and the pointer of the schema that any JSON value can stand for.
    #[must_use]
    pub fn place(&self) -> Option<String> {
        let schema = self.schema.as_ref()?;
        Some(format!("{}#{schema}", self.error.file))
    }
}

impl From<IrError> for Obstacle {
    fn from(error: IrError) -> Self {
        Self {
            schema: None,
            error,
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(formatter)
    }
}

/// Everything that stands in the way of a model: one obstacle at least, in the order in which they
/// were met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Obstacles(Vec<Obstacle>);

impl Obstacles {
    /// The first.
    #[must_use]
    pub fn first(&self) -> &IrError {
        &self.0[0].error
    }

    /// All of them.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Obstacle> {
        self.0.iter()
    }
}

impl std::error::Error for Obstacles {}

impl fmt::Display for Obstacles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, obstacle) in self.0.iter().enumerate() {
            let line = if index == 0 { "" } else { "\n" };
            write!(formatter, "{line}{obstacle}")?;
        }
        Ok(())
    }
}

impl From<IrError> for Obstacles {
    fn from(error: IrError) -> Self {
        Self(vec![error.into()])
    }
}

/// A place in the files: where its value is in memory, which is sooner compared than its pointer.
pub(crate) type NodeAddress = *const Value;

pub(crate) fn address(node: &Node<'_>) -> NodeAddress {
    ptr::from_ref(node.value)
}

/// The obstacles that earlier passes met, which are read as any JSON value, and those of this one.
#[derive(Debug, Default)]
pub(crate) struct ObstacleList {
    known: HashSet<NodeAddress>,
    met: RefCell<IndexMap<NodeAddress, Obstacle>>,
}

impl ObstacleList {
    /// The list for a further pass.
    pub fn after(earlier: &IndexMap<NodeAddress, Obstacle>) -> Self {
        Self {
            known: earlier.keys().copied().collect(),
            met: RefCell::default(),
        }
    }

    /// Whether a place is read as any JSON value.
    pub fn has(&self, node: &Node<'_>) -> bool {
        let key = address(node);
        self.known.contains(&key) || self.met.borrow().contains_key(&key)
    }

    /// Notes that a schema cannot be represented; the first reason counts.
    pub fn add(&self, schema: &Node<'_>, error: IrError) {
        let known = self.known.contains(&address(schema));
        let obstacle = Obstacle {
            // A place that is in the way even as any JSON value cannot be made good.
            schema: (!known).then(|| schema.pointer.clone()),
            error,
        };
        self.met
            .borrow_mut()
            .entry(address(schema))
            .or_insert(obstacle);
    }

    /// What this pass met.
    pub fn into_met(self) -> IndexMap<NodeAddress, Obstacle> {
        self.met.into_inner()
    }
}

/// The obstacles that remain when the caller's places are read as any JSON value. A place of the
/// caller's that is none of them is an error.
pub(crate) fn remaining(
    obstacles: IndexMap<NodeAddress, Obstacle>,
    allowed: &OpaquePlaces,
    documents: &Documents<'_>,
) -> Result<Vec<Obstacle>, Obstacles> {
    let mut given = HashSet::new();
    for place in &allowed.places {
        given.insert(address(&obstacle_at(place, &obstacles, documents)?));
    }
    let (opaque, others): (Vec<_>, Vec<_>) = obstacles
        .into_iter()
        .partition(|(key, _)| allowed.all || given.contains(key));
    if others.is_empty() {
        return Ok(opaque.into_iter().map(|(_, obstacle)| obstacle).collect());
    }
    Err(all(others.into_iter().map(|(_, obstacle)| obstacle)))
}

/// These obstacles, of which there is one at least.
pub(crate) fn all(obstacles: impl Iterator<Item = Obstacle>) -> Obstacles {
    Obstacles(obstacles.collect())
}

/// The obstacle that a caller's place names.
fn obstacle_at<'a>(
    place: &str,
    obstacles: &IndexMap<NodeAddress, Obstacle>,
    documents: &Documents<'a>,
) -> Result<Node<'a>, IrError> {
    let places = documents.places(place)?;
    let obstacle = places
        .iter()
        .find(|node| obstacles.contains_key(&address(node)));
    obstacle.cloned().ok_or_else(|| {
        let message = "this place can be represented, so it is not read as any JSON value";
        let within = obstacles.values().filter(|obstacle| {
            let schema = obstacle.schema.as_deref();
            schema.is_some_and(|schema| {
                places.iter().any(|node| {
                    node.file == obstacle.error.file
                        && schema.starts_with(&format!("{}/", node.pointer))
                })
            })
        });
        let within: Vec<_> = within
            .filter_map(|obstacle| obstacle.schema.as_deref())
            .collect();
        let help = if within.is_empty() {
            "leave it out".to_owned()
        } else {
            format!(
                "name the places inside of it: {}",
                crate::node::listed(&within)
            )
        };
        places[0].fail(message, help)
    })
}
