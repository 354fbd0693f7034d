//! Objects: a class with a property for each member.

use std::collections::HashSet;

use chatstate_codegen::names::Scope;
use chatstate_codegen::{CodegenError, ConditionView, PresentView};
use chatstate_schema_model::{
    DefinitionKind, MemberDefinition, NamedDefinition, ObjectDefinition, Others, Type,
};

use crate::docs::{of_definition, remarks, summary};
use crate::names::Names;
use crate::others::judged;
use crate::pattern::pattern;
use crate::types::{CSharpTypes, is_inline};
use crate::union::tag_property;
use crate::view::{
    AccessorView, Declared, DocElement, LiteralView, MemberPresence, MemberView, ObjectView,
    ValueView,
};

impl Declared {
    /// What the type of a definition says of itself.
    pub(crate) fn new(definition: &NamedDefinition, names: &Names<'_>) -> Self {
        let name = names.definition(&definition.name);
        Self {
            doc: of_definition(definition, &name),
            obsolete: definition.deprecated,
            name,
        }
    }
}

/// A member with its name and its type.
pub(crate) struct Field<'a> {
    pub member: &'a MemberDefinition,
    pub name: String,
    pub value: ValueView,
    pub presence: MemberPresence,
}

impl Field<'_> {
    /// The value of a member that is always there and always the same.
    pub fn fixed(&self) -> Option<LiteralView> {
        match &self.member.ty {
            Type::Constant(value) if self.member.required && !self.member.nullable => {
                Some(LiteralView::from(value))
            }
            _ => None,
        }
    }

    /// The property. `tag` is the member for which the base class has one.
    pub fn view(&self, tag: Option<&str>) -> MemberView {
        let member = self.member;
        MemberView {
            doc: docs(member),
            obsolete: member.deprecated,
            wire: member.name.clone(),
            name: self.name.clone(),
            value: self.value.clone(),
            presence: self.presence,
            fixed: self.fixed(),
            inherited: tag == Some(&member.name),
        }
    }
}

/// The fields of an object, and the names that they take. `tag` is the name of the property that
/// its base class has for a member.
pub(crate) fn fields<'a>(
    definition: &NamedDefinition,
    members: impl Iterator<Item = &'a MemberDefinition>,
    tag: Option<(&str, &str)>,
    names: &Names<'_>,
) -> Result<(Vec<Field<'a>>, Scope), CodegenError> {
    let type_name = names.definition(&definition.name);
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    let mut with_names = Vec::new();
    for member in members {
        let name = match tag {
            Some((wire, name)) if wire == member.name => name.to_owned(),
            _ => names.property(definition, member, &type_name),
        };
        with_names.push((member, scope.take(name, &member.name)?));
    }
    let types = CSharpTypes {
        names,
        hidden: hidden(&with_names, names),
    };
    let fields = with_names.into_iter().map(|(member, name)| Field {
        member,
        name,
        value: types.of(&member.ty),
        presence: presence(member, &types),
    });
    Ok((fields.collect(), scope))
}

/// What a member may be beside a value. Null needs no words where the C# type has a value for it.
fn presence(member: &MemberDefinition, types: &CSharpTypes<'_>) -> MemberPresence {
    let null = member.nullable && !types.holds_null(&member.ty);
    match (member.required, null) {
        (true, false) => MemberPresence::Required,
        (true, true) => MemberPresence::Nullable,
        (false, false) => MemberPresence::Optional,
        (false, true) => MemberPresence::OptionalOrNull,
    }
}

/// The properties that hide a type of their name. One that has the type itself does not, as C# has a
/// rule for that.
fn hidden(with_names: &[(&MemberDefinition, String)], names: &Names<'_>) -> HashSet<String> {
    let has_its_type = |member: &MemberDefinition, name: &str| match &member.ty {
        Type::Reference { to, .. } => {
            let is_class = match names.kind(to) {
                Some(DefinitionKind::Alias(ty)) => !is_inline(ty),
                kind => !matches!(kind, Some(DefinitionKind::Enumeration(_))),
            };
            is_class && names.definition(to) == name && (member.required || !member.nullable)
        }
        _ => false,
    };
    let hiding = with_names
        .iter()
        .filter(|(member, name)| !has_its_type(member, name));
    hiding.map(|(_, name)| name.clone()).collect()
}

/// The class of an object.
pub(crate) fn object(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
    names: &Names<'_>,
) -> Result<ObjectView, CodegenError> {
    let base = names.base(&definition.name);
    let tag = base.map(|(base, union)| (union.tag.as_str(), tag_property(base, union, names)));
    let tag = tag.as_ref().map(|(wire, name)| (*wire, name.as_str()));
    let (fields, mut scope) = fields(definition, object.members.iter(), tag, names)?;
    let place = "the members that the schema does not name";
    let additional = match &object.others {
        Others::Rejected => None,
        Others::Kept => {
            scope.take("ExtensionData".to_owned(), place)?;
            None
        }
        Others::Typed(slot) => {
            scope.take("AdditionalProperties".to_owned(), place)?;
            let hidden = fields.iter().map(|field| field.name.clone()).collect();
            Some(CSharpTypes { names, hidden }.slot(slot))
        }
    };
    let tag = tag.map(|(wire, _)| wire);
    Ok(ObjectView {
        declared: Declared::new(definition, names),
        base: base.map(|(base, _)| names.definition(base)),
        root: names.is_root(&definition.name),
        members: fields.iter().map(|field| field.view(tag)).collect(),
        accessors: accessors(&fields, &mut scope, names)?,
        closed: object.others == Others::Rejected,
        extensible: object.others == Others::Kept,
        additional,
        judged: judged(object, names),
        present: object.present.as_ref().map(PresentView::from),
        conditions: ConditionView::all(&object.conditions, pattern),
    })
}

/// What the schema says of a member.
pub(crate) fn docs(member: &MemberDefinition) -> Vec<DocElement> {
    let otherwise = format!("The member `{}`.", member.name);
    let mut docs = vec![summary(&member.doc, &otherwise)];
    if let Some(default) = &member.default {
        docs.push(remarks(&format!(
            "A reader takes an absent member as `{default}`; it is never written in its place."
        )));
    }
    docs
}

/// The formats that .NET has a type for: the type, and the method of the runtime that reads it.
const FORMATS: &[(&str, &str)] = &[
    ("date-time", "DateTimeOffset"),
    ("date", "DateOnly"),
    ("uuid", "Guid"),
    ("uri", "Uri"),
    ("uri-reference", "Uri"),
    ("iri", "Uri"),
];

fn accessors(
    fields: &[Field<'_>],
    scope: &mut Scope,
    names: &Names<'_>,
) -> Result<Vec<AccessorView>, CodegenError> {
    let mut accessors = Vec::new();
    for field in fields {
        let Some(ty) = format(&field.member.ty, names) else {
            continue;
        };
        let wire = &field.member.name;
        let sentence =
            format!("The member `{wire}` as a `{ty}`, or null where it is absent or is none.");
        accessors.push(AccessorView {
            doc: vec![summary(&sentence, "")],
            obsolete: field.member.deprecated,
            ty,
            name: scope.take(format!("{}As{ty}", field.name), wire)?,
            member: field.name.clone(),
            presence: field.presence,
        });
    }
    Ok(accessors)
}

fn format(ty: &Type, names: &Names<'_>) -> Option<&'static str> {
    match ty {
        Type::Text {
            format: Some(format),
            ..
        } => {
            let known = FORMATS.iter().find(|(name, _)| name == format)?;
            Some(known.1)
        }
        Type::Reference { to, .. } => match names.kind(to)? {
            DefinitionKind::Alias(ty @ Type::Text { .. }) => self::format(ty, names),
            _ => None,
        },
        _ => None,
    }
}
