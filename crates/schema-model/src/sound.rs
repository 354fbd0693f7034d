//! Whether a model that was read back holds together, so that generators may rely on it.

use std::collections::HashSet;

use crate::name::is_type_name;
use crate::references::{Way, references};
use crate::{
    DefinitionKind, Enumeration, Ir, IrError, Literal, NamedDefinition, ObjectDefinition, Others,
    Type, UnionDefinition,
};

impl Ir {
    /// Checks what reading schema files makes sure of: names are type names and unique, references
    /// lead to definitions, variants of unions have their tags, and enumerations are of one kind.
    ///
    /// The file of the error is `file`; its pointer is that of the definition in the model.
    pub fn check(&self, file: &str) -> Result<(), IrError> {
        let files: HashSet<&str> = self
            .schemas
            .iter()
            .map(|schema| schema.name.as_str())
            .collect();
        for (name, definition) in &self.definitions {
            let check = || {
                named(name, definition, &files)?;
                self.kind(definition)
            };
            check().map_err(|message| fault(file, &format!("/definitions/{name}"), message))?;
        }
        for (index, schema) in self.schemas.iter().enumerate() {
            if let Some(root) = schema.roots.iter().find(|root| !self.has(root)) {
                let place = format!("/schemas/{index}/roots");
                return Err(fault(
                    file,
                    &place,
                    format!("there is no definition `{root}`"),
                ));
            }
        }
        if self.definitions.is_empty() {
            return Err(fault(
                file,
                "/definitions",
                "there is no definition".to_owned(),
            ));
        }
        Ok(())
    }

    fn has(&self, name: &str) -> bool {
        self.definitions.contains_key(name)
    }

    fn kind(&self, definition: &NamedDefinition) -> Result<(), String> {
        let names = references(&definition.kind, Way::Any);
        if let Some(name) = names.into_iter().find(|name| !self.has(name)) {
            return Err(format!("there is no definition `{name}`"));
        }
        match &definition.kind {
            DefinitionKind::Object(object) => members(object),
            DefinitionKind::Union(union) => self.union(union),
            DefinitionKind::Enumeration(enumeration) => values(enumeration),
            DefinitionKind::Kinds(arms) => {
                let kinds: HashSet<&str> = arms.iter().map(|arm| arm.kind.as_str()).collect();
                if arms.len() < 2 || kinds.len() < arms.len() {
                    return Err(
                        "a choice between kinds has one of each, and two at least".to_owned()
                    );
                }
                Ok(())
            }
            DefinitionKind::Alternatives(arms) if arms.is_empty() => {
                Err("a choice has one variant at least".to_owned())
            }
            DefinitionKind::Alias(Type::Reference { to, .. }) if *to == definition.name => {
                Err("the definition is made of itself and nothing else".to_owned())
            }
            DefinitionKind::Alternatives(_) | DefinitionKind::Alias(_) => Ok(()),
        }
    }

    fn union(&self, union: &UnionDefinition) -> Result<(), String> {
        let mut tags = HashSet::new();
        for arm in &union.arms {
            let object = self.object(&arm.definition)?;
            if object.required_constant(&union.tag) != Some(&arm.tag) {
                return Err(format!(
                    "`{}` has no required constant `{}` with the value `{}`",
                    arm.definition, union.tag, arm.tag
                ));
            }
            if !tags.insert(&arm.tag) {
                return Err(format!("two variants have the tag `{}`", arm.tag));
            }
        }
        let unknown = union.unknown.as_deref().map(|name| self.object(name));
        match unknown.transpose()?.map(|object| object.member(&union.tag)) {
            None => Ok(()),
            Some(Some(member)) if matches!(member.ty, Type::UnknownTag(_)) => Ok(()),
            Some(_) => Err(format!(
                "the unknown variant has no unknown tag `{}`",
                union.tag
            )),
        }
    }

    fn object(&self, name: &str) -> Result<&ObjectDefinition, String> {
        match self
            .definitions
            .get(name)
            .map(|definition| &definition.kind)
        {
            Some(DefinitionKind::Object(object)) => Ok(object),
            _ => Err(format!("`{name}` is no object")),
        }
    }
}

fn named(key: &str, definition: &NamedDefinition, files: &HashSet<&str>) -> Result<(), String> {
    if definition.name != key {
        return Err(format!("the definition is called `{}`", definition.name));
    }
    if !is_type_name(key) {
        return Err(format!("`{key}` is not a type name"));
    }
    if !files.contains(definition.schema.as_str()) {
        return Err(format!("there is no schema `{}`", definition.schema));
    }
    Ok(())
}

fn members(object: &ObjectDefinition) -> Result<(), String> {
    let mut names = HashSet::new();
    let twice = object
        .members
        .iter()
        .find(|member| !names.insert(&member.name));
    if let Some(member) = twice {
        return Err(format!("two members are called `{}`", member.name));
    }
    match &object.others {
        Others::Typed(slot) if matches!(slot.ty, Type::UnknownTag(_)) => {
            Err("an unknown tag is the type of one member".to_owned())
        }
        _ => Ok(()),
    }
}

fn values(enumeration: &Enumeration) -> Result<(), String> {
    let mut seen = HashSet::new();
    let first = enumeration.values.first().map(|known| known.value.kind());
    for known in &enumeration.values {
        let text = match &known.value {
            Literal::Text(text) => text.clone(),
            Literal::Integer(value) => value.to_string(),
            Literal::Boolean(_) => return Err("a truth value in an enumeration".to_owned()),
        };
        if Some(known.value.kind()) != first {
            return Err("the values are not of one type".to_owned());
        }
        if !seen.insert(text.clone()) {
            return Err(format!("`{text}` is listed twice"));
        }
    }
    match first {
        None => Err("an enumeration without values".to_owned()),
        Some(_) => Ok(()),
    }
}

fn fault(file: &str, pointer: &str, message: String) -> IrError {
    IrError {
        file: file.to_owned(),
        pointer: pointer.to_owned(),
        message,
        help: "print the model again with `--emit ir`, and change only what generators may see otherwise"
            .to_owned(),
    }
}
