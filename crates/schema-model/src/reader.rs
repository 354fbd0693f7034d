//! Reads definitions one after the other, with those that have no name of their own after the ones
//! that they are part of.

use std::collections::HashSet;

use indexmap::IndexMap;

use crate::form::{Form, FormSubject, Formed, Forms};
use crate::name::PlaceNames;
use crate::node::Node;
use crate::opaque::ObstacleList;
use crate::types::anything;
use crate::{DefinitionKind, IrError, NamedDefinition, SchemaProfile};

/// The most definitions that are read, those without a name of their own included.
pub(crate) const MAX_DEFINITIONS: usize = 20_000;

/// What came of reading definitions.
#[derive(Debug)]
pub(crate) struct ReadDefinitions {
    pub definitions: IndexMap<String, NamedDefinition>,
    pub names: PlaceNames,
    pub obstacles: ObstacleList,
}

/// What is read, and what is still to be read.
#[derive(Debug)]
pub(crate) struct SchemaReader<'a> {
    pub forms: Forms<'a>,
    pub profile: SchemaProfile,
    pub names: PlaceNames,
    /// What was found to need a definition since the last one was begun.
    found: Vec<(String, FormSubject<'a>)>,
    seen: HashSet<String>,
}

impl<'a> SchemaReader<'a> {
    pub fn new(forms: Forms<'a>, profile: SchemaProfile, names: PlaceNames) -> Self {
        Self {
            forms,
            profile,
            names,
            found: Vec::new(),
            seen: HashSet::new(),
        }
    }

    /// Reads these definitions and all that they need.
    pub fn read(mut self, named: Vec<(String, Node<'a>)>) -> Result<ReadDefinitions, IrError> {
        let mut definitions = IndexMap::new();
        self.seen.extend(named.iter().map(|(name, _)| name.clone()));
        let mut waiting: Vec<_> = named
            .into_iter()
            .rev()
            .map(|(name, node)| (name, FormSubject::Schema(node)))
            .collect();
        while let Some((name, subject)) = waiting.pop() {
            let definition = self.definition(&name, &subject);
            definitions.insert(name, definition);
            waiting.extend(self.found.drain(..).rev());
            if definitions.len() + waiting.len() > MAX_DEFINITIONS {
                return Err(too_many(subject.node()));
            }
        }
        Ok(ReadDefinitions {
            definitions,
            names: self.names,
            obstacles: self.forms.into_obstacles(),
        })
    }

    /// The definition of that name; any JSON value if it cannot be represented.
    fn definition(&mut self, name: &str, subject: &FormSubject<'a>) -> NamedDefinition {
        let node = subject.node();
        self.described(name, subject).unwrap_or_else(|error| {
            self.forms.stumble(node, error);
            NamedDefinition {
                name: name.to_owned(),
                schema: node.file.to_owned(),
                pointer: node.pointer.clone(),
                doc: String::new(),
                deprecated: false,
                recursive: false,
                kind: DefinitionKind::Alias(anything().ty),
            }
        })
    }

    fn described(
        &mut self,
        name: &str,
        subject: &FormSubject<'a>,
    ) -> Result<NamedDefinition, IrError> {
        let node = subject.node();
        let Formed { form, nullable } = self.forms.of(subject)?;
        let kind = match form {
            Form::Enumeration(enumeration) => DefinitionKind::Enumeration(enumeration),
            Form::Object(schemas) => {
                let is_variant = matches!(subject, FormSubject::Composed(_));
                DefinitionKind::Object(self.object(&schemas, is_variant)?)
            }
            Form::Choice(choice) => self.choice(name, &choice)?,
            form => self
                .unnamed(node, form, nullable)
                .map(DefinitionKind::Alias)?,
        };
        let described = node.value.is_object();
        Ok(NamedDefinition {
            name: name.to_owned(),
            schema: node.file.to_owned(),
            pointer: node.pointer.clone(),
            doc: if described {
                node.description()?
            } else {
                String::new()
            },
            deprecated: described && node.flag("deprecated")?,
            recursive: false,
            kind,
        })
    }

    /// The name of the definition that a `$ref` leads to.
    pub fn target_name(&mut self, reference: &Node<'a>) -> Result<String, IrError> {
        let target = self.forms.documents.target(reference)?;
        self.hoist(&target)
    }

    /// The same, where a definition that only renames another stands for that one.
    pub fn final_name(&mut self, reference: &Node<'a>) -> Result<String, IrError> {
        let mut reference = reference.clone();
        loop {
            self.forms.target(&reference)?;
            let target = self.forms.documents.target(&reference)?;
            match self.forms.of_schema(&target).form {
                Form::Reference(next) => reference = next,
                _ => return self.hoist(&target),
            }
        }
    }

    /// The name of a place, which becomes a definition if it is none yet.
    pub fn hoist(&mut self, node: &Node<'a>) -> Result<String, IrError> {
        let name = self.names.hoist(node)?;
        self.need(&name, || FormSubject::Schema(node.clone()));
        Ok(name)
    }

    /// The name of a variant of the definition `parent`, which becomes a definition.
    pub fn part(
        &mut self,
        parent: &str,
        label: &str,
        subject: &FormSubject<'a>,
    ) -> Result<String, IrError> {
        let name = self.names.part(parent, label, subject.node())?;
        self.need(&name, || subject.clone());
        Ok(name)
    }

    fn need(&mut self, name: &str, subject: impl FnOnce() -> FormSubject<'a>) {
        if self.seen.insert(name.to_owned()) {
            self.found.push((name.to_owned(), subject()));
        }
    }
}

/// The complaint about a schema beyond all measure.
pub(crate) fn too_many(node: &Node<'_>) -> IrError {
    let message = format!("more than {MAX_DEFINITIONS} definitions");
    node.fail(message, "generate from a schema of the part that you need")
}
