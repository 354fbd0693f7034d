//! Objects with named members, which may come from several schemas.

use indexmap::{IndexMap, IndexSet};

use crate::about_objects::says_something;
use crate::condition::{
    CONDITIONS, condition, conditions_beside, evaluates_by_value, is_only_asked, member_condition,
};
use crate::form::{Form, FormSubject};
use crate::keywords::{APPLICATORS, OBJECT};
use crate::name::{X_NAME, code_name};
use crate::narrow::{Described, are_apart, narrower};
use crate::node::Node;
use crate::patterns::{NamePattern, add_to_named, name_patterns};
use crate::present::present_members;
use crate::reader::SchemaReader;
use crate::tag::rejected_objects;
use crate::types::{anything, listed_names};
use crate::{Condition, IrError, MemberDefinition, ObjectDefinition, Others, Slot, Type};

impl<'a> SchemaReader<'a> {
    /// Reads an object whose members these schemas name.
    ///
    /// Of a variant, it need not be that a value fits it.
    pub fn object(
        &mut self,
        schemas: &[Node<'a>],
        is_variant: bool,
    ) -> Result<ObjectDefinition, IrError> {
        let mut members: IndexMap<&'a str, Vec<Node<'a>>> = IndexMap::new();
        let mut required: IndexSet<&'a str> = IndexSet::new();
        for schema in schemas {
            if let Err(error) = check(schema) {
                self.forms.stumble(schema, error);
                continue;
            }
            for (name, member) in schema
                .get("properties")
                .map(|node| node.members())
                .transpose()?
                .unwrap_or_default()
            {
                members.entry(name).or_default().push(member);
            }
            for name in listed_of(schema) {
                let value = schema.get("additionalProperties");
                members.entry(name).or_default().extend(value);
            }
            if let Some(names) = schema.get("required") {
                required.extend(names.texts()?);
            }
        }
        for name in &required {
            members.entry(name).or_default();
        }
        let patterns = name_patterns(schemas)?;
        let mut conditions = Vec::new();
        for schema in schemas {
            let checked = check_required(schema, &required, &patterns);
            if let (Err(error), false) = (checked, is_variant) {
                self.forms.stumble(schema, error);
            }
        }
        let others = self.others(schemas, &members, &patterns, &mut conditions);
        for schema in schemas {
            add_others_to_named(&mut members, schema, &patterns);
        }
        add_to_named(&mut members, &patterns);
        let (others, names) = self.by_name(&patterns, others);
        let rejected: Vec<_> = schemas.iter().filter_map(rejected_objects).collect();
        let mut read = Vec::new();
        for (name, places) in &members {
            let mut member = self.member(name, places, required.contains(name), &mut conditions)?;
            let list = rejected.iter().find(|list| list.tag == *name);
            if let (Some(list), Type::Text { .. }, true) = (list, &member.ty, member.required) {
                let tags = list.tags.iter().map(|&tag| tag.to_owned());
                member.ty = Type::UnknownTag(tags.collect());
            }
            read.push(member);
        }
        for schema in schemas {
            match conditions_beside(&self.forms.documents, schema, &read) {
                Ok(said) => conditions.extend(said),
                Err(error) => self.forms.stumble(schema, error),
            }
        }
        Ok(ObjectDefinition {
            members: read,
            others,
            names,
            present: present_members(schemas)?,
            conditions,
        })
    }

    fn member(
        &mut self,
        name: &str,
        places: &[Node<'a>],
        required: bool,
        conditions: &mut Vec<Condition>,
    ) -> Result<MemberDefinition, IrError> {
        let mut described: Option<Described<'_, 'a>> = None;
        for place in places {
            let is_asked =
                !self.forms.is_opaque(place) && is_only_asked(&self.forms.documents, place)?;
            if is_asked {
                let asked = member_condition(&self.forms.documents, name, place);
                self.ask(place, asked, conditions);
                continue;
            }
            let next = Described {
                place,
                slot: self.slot(place),
            };
            described = Some(match described {
                None => next,
                Some(first) => self.both(name, first, next, conditions)?,
            });
        }
        let slot = described.map(|described| described.slot);
        let Slot { ty, nullable } = slot.unwrap_or_else(anything);
        let last = |keyword: &str| places.iter().rev().find_map(|place| place.get(keyword));
        let default = last("default").map(|node| node.value.clone());
        let doc = last("description").map(|node| node.text()).transpose()?;
        let code_name = last(X_NAME).map(|node| code_name(&node)).transpose()?;
        Ok(MemberDefinition {
            name: name.to_owned(),
            code_name,
            default: default.filter(|value| !required && fits(&ty, nullable, value)),
            ty,
            required,
            nullable,
            doc: doc.unwrap_or_default().to_owned(),
            deprecated: places
                .iter()
                .try_fold(false, |any, place| Ok(any | place.flag("deprecated")?))?,
        })
    }

    /// What two descriptions of one member say together. Where a type cannot say it, a condition asks
    /// what the second says.
    fn both<'n>(
        &self,
        name: &str,
        first: Described<'n, 'a>,
        second: Described<'n, 'a>,
        conditions: &mut Vec<Condition>,
    ) -> Result<Described<'n, 'a>, IrError> {
        let place = second.place;
        let kept = first.slot.clone();
        if are_apart(&self.forms, &first, &second)? {
            let message =
                format!("member `{name}` is described in two ways that contradict each other");
            let help = "describe it once, or narrow plain text to one value or several";
            self.forms.stumble(place, place.fail(message, help));
            return Ok(Described { place, slot: kept });
        }
        let slot = narrower(&self.forms, first, second)?.unwrap_or_else(|| {
            let asked = member_condition(&self.forms.documents, name, place);
            self.ask(place, asked, conditions);
            kept
        });
        Ok(Described { place, slot })
    }

    /// Notes a condition.
    fn ask(
        &self,
        schema: &Node<'a>,
        asked: Result<Condition, IrError>,
        conditions: &mut Vec<Condition>,
    ) {
        match asked {
            Ok(asked) => conditions.push(asked),
            Err(error) => self.forms.stumble(schema, error),
        }
    }

    /// What an object may have beside its named members. Where a type cannot say it, a condition asks
    /// what the keyword says.
    fn others(
        &mut self,
        schemas: &[Node<'a>],
        members: &IndexMap<&'a str, Vec<Node<'a>>>,
        patterns: &[NamePattern<'a>],
        conditions: &mut Vec<Condition>,
    ) -> Others {
        let mut others = Others::Kept;
        for schema in schemas {
            let names = schema.get("propertyNames");
            if names.is_some_and(|names| listed_names(&names).is_some()) {
                others = Others::Rejected;
                continue;
            }
            for keyword in ["additionalProperties", "unevaluatedProperties"] {
                let values = schema.get(keyword).filter(says_something);
                let Some(values) = values.filter(|values| !self.forms.is_opaque(values)) else {
                    continue;
                };
                let is_plain = self.is_plain(schema, &values, members, patterns);
                if others != Others::Kept || is_plain != Ok(true) {
                    let asked =
                        is_plain.and_then(|_| condition(&self.forms.documents, schema, keyword));
                    self.ask(&values, asked, conditions);
                    continue;
                }
                others = match values.value.as_bool() {
                    Some(false) => Others::Rejected,
                    _ => Others::Typed(Box::new(self.slot(&values))),
                };
            }
        }
        others
    }

    /// Whether what a schema says of other members is about those that the object does not name.
    fn is_plain(
        &self,
        schema: &Node<'a>,
        values: &Node<'a>,
        members: &IndexMap<&'a str, Vec<Node<'a>>>,
        patterns: &[NamePattern<'a>],
    ) -> Result<bool, IrError> {
        let is_typed = values.value.as_bool().is_none();
        if is_typed && !patterns.is_empty() {
            return Ok(false);
        }
        // What is evaluated elsewhere in a composition is no matter of `unevaluatedProperties`.
        if values.pointer.ends_with("/unevaluatedProperties") {
            let all_are_described = members.iter().all(|(name, places)| {
                !places.is_empty() || patterns.iter().any(|pattern| pattern.matches(name))
            });
            return Ok(all_are_described && !evaluates_by_value(&self.forms.documents, schema)?);
        }
        let mut names = members.keys();
        Ok(is_typed
            || names.all(|name| is_named(schema, name, patterns))
                && patterns.iter().all(|pattern| pattern.is_of(schema)))
    }

    /// The schemas that an object variant of a choice is made of, through references; `None` for
    /// another thing.
    pub fn schemas_of(&self, subject: &FormSubject<'a>) -> Result<Option<Vec<Node<'a>>>, IrError> {
        let form = self.forms.of(subject)?.form;
        Ok(match self.forms.resolved(&form)? {
            Form::Object(schemas) => Some(schemas),
            _ => None,
        })
    }
}

/// The names that members may have, where the schema lists them.
fn listed_of<'a>(schema: &Node<'a>) -> Vec<&'a str> {
    let names = schema.get("propertyNames");
    names
        .and_then(|names| listed_names(&names))
        .unwrap_or_default()
}

fn check(schema: &Node<'_>) -> Result<(), IrError> {
    let mut keywords = vec!["type", "nullable", "discriminator"];
    keywords.extend_from_slice(CONDITIONS);
    keywords.extend_from_slice(APPLICATORS);
    keywords.extend_from_slice(OBJECT);
    schema.allow(&keywords)
}

/// Whether a schema says something of the member of that name, beside what it says of others.
fn is_named(schema: &Node<'_>, name: &str, patterns: &[NamePattern<'_>]) -> bool {
    let own = schema.member("properties");
    own.and_then(|own| own.get(name)).is_some()
        || patterns
            .iter()
            .any(|pattern| pattern.is_of(schema) && pattern.matches(name))
}

/// Rejects a schema that takes no member of a name that is required.
fn check_required(
    schema: &Node<'_>,
    required: &IndexSet<&str>,
    patterns: &[NamePattern<'_>],
) -> Result<(), IrError> {
    let closing = schema.get("additionalProperties");
    let Some(closing) = closing.filter(|values| values.value == false) else {
        return Ok(());
    };
    let are_listed = !listed_of(schema).is_empty();
    let mut names = required.iter();
    match names.find(|name| !are_listed && !is_named(schema, name, patterns)) {
        Some(name) => Err(closing.fail(
            format!("this takes no member `{name}`, which is required"),
            "close the composed object with `unevaluatedProperties`, in one place",
        )),
        None => Ok(()),
    }
}

/// Describes named members by what a schema says of others, if they are others to it.
fn add_others_to_named<'a>(
    members: &mut IndexMap<&'a str, Vec<Node<'a>>>,
    schema: &Node<'a>,
    patterns: &[NamePattern<'a>],
) {
    let values = schema.get("additionalProperties").filter(says_something);
    // Where no others may be there, a condition says so.
    let Some(values) = values.filter(|values| values.value.is_object()) else {
        return;
    };
    let are_listed = !listed_of(schema).is_empty();
    for (name, places) in members {
        if !are_listed && !is_named(schema, name, patterns) {
            places.push(values.clone());
        }
    }
}

/// Whether a default is a value of a type. Defaults are annotations, so a wrong one is left out.
fn fits(ty: &Type, nullable: bool, value: &serde_json::Value) -> bool {
    if value.is_null() {
        return nullable;
    }
    match ty {
        Type::Text { .. } | Type::SplitText | Type::UnknownTag(_) => value.is_string(),
        Type::Boolean => value.is_boolean(),
        Type::Integer(_) => value.is_i64() || value.is_u64(),
        Type::Number(_) => value.is_number(),
        Type::List { .. } | Type::Tuple(_) => value.is_array(),
        Type::Map(_) | Type::OpenObject => value.is_object(),
        Type::Constant(literal) => {
            serde_json::to_value(literal).is_ok_and(|literal| literal == *value)
        }
        Type::Reference { .. } | Type::Any { .. } => true,
    }
}
