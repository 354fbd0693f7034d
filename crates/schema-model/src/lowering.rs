//! From schemas to predicates: every dialect and every way to say a thing become one.

use std::collections::HashSet;

use indexmap::IndexMap;
use regex::Regex;
use serde_json::Value;

use crate::documents::Documents;
use crate::node::Node;
use crate::opaque::{NodeAddress, address};
use crate::types::bounds;
use crate::{IrError, Predicate};

/// How many predicates a condition may be made of: generated code holds each of them.
const MAX_SIZE: usize = 1_000;

/// How many references to what is asked of the same value may follow each other in a condition.
const MAX_CHAIN: usize = 50;

/// Reads predicates.
pub(crate) struct PredicateReader<'d, 'a> {
    documents: &'d Documents<'a>,
    /// What is referred to, each once. It is called by its place here.
    targets: IndexMap<NodeAddress, Node<'a>>,
}

impl<'d, 'a> PredicateReader<'d, 'a> {
    pub fn new(documents: &'d Documents<'a>) -> Self {
        Self {
            documents,
            targets: IndexMap::new(),
        }
    }

    /// What one keyword of a schema says, with those that belong to it.
    pub fn condition(mut self, node: &Node<'a>, keyword: &str) -> Result<Predicate, IrError> {
        let mut read = Predicate::default();
        match keyword {
            // What else is said of members decides which ones it is about.
            "unevaluatedProperties" => read = self.predicate(node)?,
            "additionalProperties" => {
                read.properties = names(node, "properties")?;
                read.pattern_properties = names(node, "patternProperties")?;
                self.keywords(&mut read, node, &[keyword])?;
            }
            "if" => self.keywords(&mut read, node, &["if", "then", "else"])?,
            "contains" => {
                let keywords = ["contains", "minContains", "maxContains"];
                self.keywords(&mut read, node, &keywords)?;
            }
            "prefixItems" | "items" => {
                self.keywords(
                    &mut read,
                    node,
                    &["prefixItems", "items", "additionalItems"],
                )?;
                if let (None, Some(rest)) = (&read.items, node.get("unevaluatedItems")) {
                    read.items = Some(self.boxed(&rest)?);
                }
            }
            keyword => self.keywords(&mut read, node, &[keyword])?,
        }
        self.with_definitions(read, node)
    }

    /// What a schema says of a member of that name.
    pub fn member(mut self, name: &str, node: &Node<'a>) -> Result<Predicate, IrError> {
        let said = self.predicate(node)?;
        let read = Predicate {
            properties: IndexMap::from([(name.to_owned(), said)]),
            ..Predicate::default()
        };
        self.with_definitions(read, node)
    }

    fn keywords(
        &mut self,
        read: &mut Predicate,
        node: &Node<'a>,
        keywords: &[&str],
    ) -> Result<(), IrError> {
        for keyword in keywords {
            if let Some(place) = node.get(keyword) {
                self.keyword(read, node, keyword, &place)?;
            }
        }
        Ok(())
    }

    /// Reads what is referred to, and what that refers to.
    fn with_definitions(
        mut self,
        mut read: Predicate,
        node: &Node<'a>,
    ) -> Result<Predicate, IrError> {
        let mut size = read.size();
        while let Some((_, target)) = self.targets.get_index(read.definitions.len()) {
            let target = target.clone();
            let definition = self.predicate(&target)?;
            size += definition.size();
            if size > MAX_SIZE {
                let message = format!("a condition that is made of more than {MAX_SIZE} schemas");
                return Err(node.fail(message, "refer to smaller schemas in it"));
            }
            let name = read.definitions.len().to_string();
            read.definitions.insert(name, definition);
        }
        self.check_chains(&read)?;
        Ok(read)
    }

    /// Rejects what is asked of a value by way of too many references, which may have no end.
    fn check_chains(&self, read: &Predicate) -> Result<(), IrError> {
        let mut left: Vec<(&str, Vec<&str>)> = read
            .definitions
            .iter()
            .map(|(name, definition)| (name.as_str(), definition.targets()))
            .collect();
        // Each round takes those away that lead to nothing that is left.
        for _ in 0..MAX_CHAIN {
            let names: HashSet<&str> = left.iter().map(|(name, _)| *name).collect();
            left.retain(|(_, targets)| targets.iter().any(|target| names.contains(target)));
        }
        let first = left.first().and_then(|(name, _)| name.parse().ok());
        let Some((_, place)) = first.and_then(|place| self.targets.get_index(place)) else {
            return Ok(());
        };
        let message = format!(
            "a condition that is made of itself and nothing else, or of more than {MAX_CHAIN} references"
        );
        let help = "refer to the schema itself, or only from its members and items";
        Err(place.fail(message, help))
    }

    fn predicate(&mut self, node: &Node<'a>) -> Result<Predicate, IrError> {
        match node.value.as_bool() {
            Some(true) => return Ok(Predicate::default()),
            Some(false) => return Ok(Predicate::never()),
            None => {}
        }
        let mut read = Predicate::default();
        let alone = node.has("$ref") && self.documents.ignores_siblings(node);
        for (keyword, place) in node.members()? {
            if !alone || keyword == "$ref" {
                self.keyword(&mut read, node, keyword, &place)?;
            }
        }
        if read.r#if.is_none() {
            (read.then, read.r#else) = (None, None);
        }
        Ok(read)
    }

    fn keyword(
        &mut self,
        read: &mut Predicate,
        node: &Node<'a>,
        keyword: &str,
        place: &Node<'a>,
    ) -> Result<(), IrError> {
        match keyword {
            "$ref" | "$dynamicRef" | "$recursiveRef" => self.refer(read, place)?,
            "not" => read.not = Some(self.boxed(place)?),
            "allOf" => read.all_of.extend(self.list(place)?),
            "anyOf" => read.any_of = self.list(place)?,
            "oneOf" => read.one_of = self.list(place)?,
            "if" => read.r#if = Some(self.boxed(place)?),
            "then" => read.then = Some(self.boxed(place)?),
            "else" => read.r#else = Some(self.boxed(place)?),
            "unevaluatedProperties" if self.documents.ignores_siblings(node) => {}
            "unevaluatedProperties" => read.unevaluated_properties = Some(self.boxed(place)?),
            "unevaluatedItems" if !self.documents.ignores_siblings(node) => {
                let help = "describe what is there with the schemas themselves";
                return Err(place.fail(format!("`{keyword}` in a condition"), help));
            }
            _ => {
                scalar(read, node, keyword, place)?;
                self.array(read, node, keyword, place)?;
                self.object(read, keyword, place)?;
            }
        }
        Ok(())
    }

    fn refer(&mut self, read: &mut Predicate, place: &Node<'a>) -> Result<(), IrError> {
        let target = self.documents.target(place)?;
        let entry = self.targets.entry(address(&target));
        let name = entry.index().to_string();
        entry.or_insert(target);
        let reference = Predicate::reference(&name);
        match read.reference {
            None => read.reference = reference.reference,
            Some(_) => read.all_of.push(reference),
        }
        Ok(())
    }

    fn array(
        &mut self,
        read: &mut Predicate,
        node: &Node<'a>,
        keyword: &str,
        place: &Node<'a>,
    ) -> Result<(), IrError> {
        let is_late = !self.documents.ignores_siblings(node);
        match keyword {
            "prefixItems" => read.prefix_items = self.list(place)?,
            "items" if place.value.is_array() => read.prefix_items = self.list(place)?,
            "items" => read.items = Some(self.boxed(place)?),
            "additionalItems" if node.member("items").is_some_and(Value::is_array) => {
                read.items = Some(self.boxed(place)?);
            }
            "contains" => read.contains = Some(self.boxed(place)?),
            "minContains" if is_late => read.min_contains = node.optional_count(keyword)?,
            "maxContains" if is_late => read.max_contains = node.optional_count(keyword)?,
            "minItems" => read.min_items = node.optional_count(keyword)?,
            "maxItems" => read.max_items = node.optional_count(keyword)?,
            "uniqueItems" => read.unique_items = node.flag(keyword)?,
            _ => {}
        }
        Ok(())
    }

    fn object(
        &mut self,
        read: &mut Predicate,
        keyword: &str,
        place: &Node<'a>,
    ) -> Result<(), IrError> {
        match keyword {
            "required" => read.required = place.texts()?.into_iter().map(str::to_owned).collect(),
            "properties" => read.properties = self.named(place)?,
            "patternProperties" => {
                for (pattern, member) in place.members()? {
                    check_pattern(&member, pattern)?;
                }
                read.pattern_properties = self.named(place)?;
            }
            "additionalProperties" => read.additional_properties = Some(self.boxed(place)?),
            "propertyNames" => read.property_names = Some(self.boxed(place)?),
            "dependentSchemas" | "dependentRequired" | "dependencies" => {
                for (member, needed) in place.members()? {
                    let needed = self.needed(&needed)?;
                    // As two variants, it would say something of members where the first holds.
                    read.all_of.push(Predicate {
                        r#if: Some(Box::new(with_members(vec![member.to_owned()]))),
                        then: Some(Box::new(needed)),
                        ..Predicate::default()
                    });
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What a member needs: others, or what a schema says.
    fn needed(&mut self, needed: &Node<'a>) -> Result<Predicate, IrError> {
        if !needed.value.is_array() {
            return self.predicate(needed);
        }
        let names = needed.texts()?.into_iter().map(str::to_owned);
        Ok(with_members(names.collect()))
    }

    fn boxed(&mut self, node: &Node<'a>) -> Result<Box<Predicate>, IrError> {
        self.predicate(node).map(Box::new)
    }

    fn list(&mut self, node: &Node<'a>) -> Result<Vec<Predicate>, IrError> {
        let items = node.items()?;
        items.iter().map(|item| self.predicate(item)).collect()
    }

    fn named(&mut self, node: &Node<'a>) -> Result<IndexMap<String, Predicate>, IrError> {
        let members = node.members()?.into_iter();
        members
            .map(|(name, member)| Ok((name.to_owned(), self.predicate(&member)?)))
            .collect()
    }
}

/// The names, or the patterns of names, at a keyword, with nothing that is said of the members.
fn names(node: &Node<'_>, keyword: &str) -> Result<IndexMap<String, Predicate>, IrError> {
    let members = node.get(keyword).map(|place| place.members()).transpose()?;
    let members = members.unwrap_or_default().into_iter();
    let names = members.map(|(name, member)| {
        if keyword == "patternProperties" {
            check_pattern(&member, name)?;
        }
        Ok((name.to_owned(), Predicate::default()))
    });
    names.collect()
}

/// What is asked of any value, of numbers and of texts.
fn scalar(
    read: &mut Predicate,
    node: &Node<'_>,
    keyword: &str,
    place: &Node<'_>,
) -> Result<(), IrError> {
    match keyword {
        "type" => read.types = Some(types(node, place)?),
        "nullable" if node.flag("nullable")? && !node.has("type") => {
            let help = "say which `type` the value has beside it";
            return Err(place.fail("`nullable` in a condition without `type`", help));
        }
        "const" => one_of_these(read, vec![place.value.clone()]),
        "enum" => {
            let values = place.items()?.into_iter();
            one_of_these(read, values.map(|item| item.value.clone()).collect());
        }
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            let bounds = bounds(node)?;
            read.minimum = bounds.minimum;
            read.maximum = bounds.maximum;
            read.exclusive_minimum = bounds.exclusive_minimum;
            read.exclusive_maximum = bounds.exclusive_maximum;
            read.multiple_of = bounds.multiple_of;
        }
        "minLength" => read.min_length = node.optional_count(keyword)?,
        "maxLength" => read.max_length = node.optional_count(keyword)?,
        "pattern" => {
            check_pattern(place, place.text()?)?;
            read.pattern = Some(place.text()?.to_owned());
        }
        "minProperties" => read.min_properties = node.optional_count(keyword)?,
        "maxProperties" => read.max_properties = node.optional_count(keyword)?,
        _ => {}
    }
    Ok(())
}

/// A schema may list values by two keywords.
fn one_of_these(read: &mut Predicate, values: Vec<Value>) {
    if read.values.is_none() {
        read.values = Some(values);
        return;
    }
    read.all_of.push(Predicate {
        values: Some(values),
        ..Predicate::default()
    });
}

/// The names of types, of which there are seven.
fn types(node: &Node<'_>, place: &Node<'_>) -> Result<Vec<String>, IrError> {
    let mut names = match place.value.as_str() {
        Some(name) => vec![name],
        None => place.texts()?,
    };
    if node.flag("nullable")? && !names.contains(&"null") {
        names.push("null");
    }
    let known = |name: &&str| *name == "null" || crate::form::kind_of_type(name).is_some();
    match names.iter().find(|name| !known(name)) {
        Some(name) => Err(place.fail(
            format!("there is no type `{name}`"),
            "use `null`, `boolean`, `integer`, `number`, `string`, `array` or `object`",
        )),
        None => Ok(names.into_iter().map(str::to_owned).collect()),
    }
}

/// A pattern in a condition is one that all languages know.
fn check_pattern(place: &Node<'_>, pattern: &str) -> Result<(), IrError> {
    if Regex::new(pattern).is_ok() {
        return Ok(());
    }
    let help = "write it without look-around and back references";
    Err(place.fail(
        format!("a condition cannot ask for the pattern `{pattern}`"),
        help,
    ))
}

/// What an object fits that has these members, and any other value.
fn with_members(names: Vec<String>) -> Predicate {
    Predicate {
        required: names,
        ..Predicate::default()
    }
}
