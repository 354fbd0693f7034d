//! Recursion: which definitions contain themselves, and which references need an indirection.

use indexmap::IndexMap;

use crate::references::{Way, references};
use crate::{DefinitionKind, NamedDefinition, Type};

/// Marks recursive definitions and the references that close a cycle without a list or map between.
///
/// Two definitions are in one strongly connected component when each can be reached from the other;
/// a reference is cyclic when both ends are in one component. Variants of unions need no mark:
/// every cycle passes through a member, a place of a tuple, or a variant by JSON kind.
pub(crate) fn mark_cycles(definitions: &mut IndexMap<String, NamedDefinition>) {
    let any = Components::of(definitions, Way::Any);
    let direct = Components::of(definitions, Way::Direct);
    let indices: IndexMap<String, usize> = definitions
        .keys()
        .enumerate()
        .map(|(index, name)| (name.clone(), index))
        .collect();
    for (index, definition) in definitions.values_mut().enumerate() {
        definition.recursive = any.is_cyclic(index);
        let closes = |to: &str| indices.get(to).is_some_and(|&to| direct.are_one(index, to));
        mark(&mut definition.kind, &closes);
    }
}

/// The strongly connected components of the definitions.
struct Components {
    /// The component of each definition.
    number: Vec<usize>,
    /// Whether the definition can be reached from itself.
    cyclic: Vec<bool>,
}

/// What is known of a definition while components are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Never,
    /// In the order in which it was met, with the earliest one that is known to be reached.
    Open {
        order: usize,
        lowest: usize,
    },
    Done,
}

impl Components {
    /// Finds them in time that grows with the number of references: the algorithm of Tarjan, with a
    /// stack of its own since definitions may be nested without limit.
    fn of(definitions: &IndexMap<String, NamedDefinition>, way: Way) -> Self {
        let edges: Vec<Vec<usize>> = definitions
            .values()
            .map(|definition| {
                let names = references(&definition.kind, way).into_iter();
                names
                    .filter_map(|name| definitions.get_index_of(name))
                    .collect()
            })
            .collect();
        let mut search = CycleSearch::new(&edges);
        for start in 0..edges.len() {
            if search.seen[start] == Seen::Never {
                search.walk(start);
            }
        }
        let cyclic =
            |index: usize| search.sizes[search.number[index]] > 1 || edges[index].contains(&index);
        let cyclic = (0..edges.len()).map(cyclic).collect();
        Self {
            number: search.number,
            cyclic,
        }
    }

    fn is_cyclic(&self, index: usize) -> bool {
        self.cyclic[index]
    }

    /// Whether a reference from one to the other closes a cycle.
    fn are_one(&self, from: usize, to: usize) -> bool {
        self.number[from] == self.number[to] && self.cyclic[from]
    }
}

struct CycleSearch<'e> {
    edges: &'e [Vec<usize>],
    seen: Vec<Seen>,
    number: Vec<usize>,
    /// The size of each component.
    sizes: Vec<usize>,
    /// Those met whose component is not complete.
    open: Vec<usize>,
    met: usize,
}

impl<'e> CycleSearch<'e> {
    fn new(edges: &'e [Vec<usize>]) -> Self {
        Self {
            edges,
            seen: vec![Seen::Never; edges.len()],
            number: vec![0; edges.len()],
            sizes: Vec::new(),
            open: Vec::new(),
            met: 0,
        }
    }

    fn walk(&mut self, start: usize) {
        self.meet(start);
        // Each with the number of its references that were followed.
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.pop() {
            let Some(&to) = self.edges[at].get(next) else {
                self.leave(at);
                if let Some((before, _)) = path.last() {
                    self.lower(*before, at);
                }
                continue;
            };
            path.push((at, next + 1));
            if self.seen[to] == Seen::Never {
                self.meet(to);
                path.push((to, 0));
            } else {
                self.lower(at, to);
            }
        }
    }

    fn meet(&mut self, at: usize) {
        self.seen[at] = Seen::Open {
            order: self.met,
            lowest: self.met,
        };
        self.met += 1;
        self.open.push(at);
    }

    /// What `to` reaches, `at` reaches too.
    fn lower(&mut self, at: usize, to: usize) {
        if let (Seen::Open { order, lowest }, Seen::Open { lowest: other, .. }) =
            (self.seen[at], self.seen[to])
        {
            self.seen[at] = Seen::Open {
                order,
                lowest: lowest.min(other),
            };
        }
    }

    /// Closes the component that begins at `at`, if one does.
    fn leave(&mut self, at: usize) {
        if !matches!(self.seen[at], Seen::Open { order, lowest } if order == lowest) {
            return;
        }
        let mut size = 0;
        while let Some(member) = self.open.pop() {
            self.seen[member] = Seen::Done;
            self.number[member] = self.sizes.len();
            size += 1;
            if member == at {
                break;
            }
        }
        self.sizes.push(size);
    }
}

/// Marks the references of a definition that are in place.
fn mark(kind: &mut DefinitionKind, closes: &impl Fn(&str) -> bool) {
    match kind {
        DefinitionKind::Object(object) => {
            for member in &mut object.members {
                mark_type(&mut member.ty, closes);
            }
        }
        DefinitionKind::Kinds(arms) => arms
            .iter_mut()
            .for_each(|arm| mark_type(&mut arm.ty, closes)),
        DefinitionKind::Alias(ty @ Type::Tuple(_)) => mark_type(ty, closes),
        DefinitionKind::Union(_)
        | DefinitionKind::Alternatives(_)
        | DefinitionKind::Enumeration(_)
        | DefinitionKind::Alias(_) => {}
    }
}

fn mark_type(ty: &mut Type, closes: &impl Fn(&str) -> bool) {
    match ty {
        Type::Reference { to, cyclic } => *cyclic = closes(to),
        Type::Tuple(items) => {
            for slot in items {
                mark_type(&mut slot.ty, closes);
            }
        }
        _ => {}
    }
}
