//! Choices between definitions: distinguished by a tag, by JSON kind, or by nothing.

use std::collections::BTreeSet;

use crate::form::{Choice, Form, FormSubject};
use crate::limits::limited;
use crate::node::{Node, listed};
use crate::reader::SchemaReader;
use crate::tag::{TagList, constants, tag_list};
use crate::{
    DefinitionKind, IrError, JsonKind, KindArm, SchemaProfile, UnionDefinition, VariantDefinition,
};

/// A variant that is an object.
struct ObjectArm<'a> {
    subject: FormSubject<'a>,
    schemas: Vec<Node<'a>>,
}

impl<'a> ObjectArm<'a> {
    /// The text that the member `name` must have, if it is required and constant.
    fn constant(&self, name: &str) -> Option<&'a str> {
        let constants = constants(&self.schemas).into_iter();
        constants
            .rev()
            .find(|(member, _)| *member == name)
            .map(|(_, value)| value)
    }
}

impl<'a> SchemaReader<'a> {
    /// What a choice is: the definition of that name.
    pub fn choice(&mut self, name: &str, choice: &Choice<'a>) -> Result<DefinitionKind, IrError> {
        let mut kinds = Vec::new();
        for arm in &choice.arms {
            let form = self.forms.of(arm)?.form;
            kinds.push(self.forms.kind(&form)?);
        }
        let first = kinds.first().copied().flatten();
        if kinds.iter().all(|kind| *kind == Some(JsonKind::Object)) {
            no_limits(choice)?;
            return self.objects(name, choice);
        }
        no_discriminator(choice)?;
        if first.is_some() && kinds.iter().all(|kind| *kind == first) || kinds.contains(&None) {
            no_limits(choice)?;
            return self.alternatives(name, choice);
        }
        self.kinds(name, choice, &kinds)
    }

    /// A choice between JSON kinds; several variants of one kind become a choice with a name.
    fn kinds(
        &mut self,
        name: &str,
        choice: &Choice<'a>,
        kinds: &[Option<JsonKind>],
    ) -> Result<DefinitionKind, IrError> {
        let mut arms: Vec<(JsonKind, Vec<FormSubject<'a>>)> = Vec::new();
        for (arm, kind) in choice.arms.iter().zip(kinds) {
            let Some(kind) = *kind else { continue };
            match arms.iter_mut().find(|(other, _)| *other == kind) {
                Some((_, same)) => same.push(arm.clone()),
                None => arms.push((kind, vec![arm.clone()])),
            }
        }
        let mut read = Vec::new();
        for (kind, same) in arms {
            let (label, subject) = match same.as_slice() {
                [only] => (self.label(&choice.at, only)?, only.clone()),
                _ => (
                    kind_word(kind).to_owned(),
                    FormSubject::Group(choice.at.clone(), same),
                ),
            };
            let ty = self.arm_type(name, &label, &subject)?;
            let ty = match &choice.limits {
                Some(beside) => limited(ty, kind, beside)?,
                None => ty,
            };
            read.push(KindArm { kind, ty });
        }
        Ok(DefinitionKind::Kinds(read))
    }

    /// Definitions that nothing distinguishes.
    fn alternatives(&mut self, name: &str, choice: &Choice<'a>) -> Result<DefinitionKind, IrError> {
        let mut names = Vec::new();
        let labels = self.labels(&choice.at, &choice.arms)?;
        for (arm, label) in choice.arms.iter().zip(&labels) {
            let definition = self.arm_definition(name, arm, label)?;
            if names.contains(&definition) {
                let message = format!("two arms are both called `{definition}`");
                let help = "give each a `title`, or remove one of the two";
                return Err(arm.node().fail(message, help));
            }
            names.push(definition);
        }
        Ok(DefinitionKind::Alternatives(names))
    }

    /// The name of a variant's definition: what it refers to, or a name made of a label.
    fn arm_definition(
        &mut self,
        parent: &str,
        arm: &FormSubject<'a>,
        label: &str,
    ) -> Result<String, IrError> {
        if let Form::Reference(reference) = self.forms.of(arm)?.form {
            return self.target_name(&reference);
        }
        self.part(parent, label, arm)
    }

    /// A choice between objects: by tag, if there is one.
    fn objects(&mut self, name: &str, choice: &Choice<'a>) -> Result<DefinitionKind, IrError> {
        let mut arms = Vec::new();
        for subject in &choice.arms {
            let Some(schemas) = self.schemas_of(subject)? else {
                no_discriminator(choice)?;
                return self.alternatives(name, choice);
            };
            arms.push(ObjectArm {
                subject: subject.clone(),
                schemas,
            });
        }
        let unknown = take_unknown(&mut arms, self.profile)?;
        let list = unknown.as_ref().map(|(_, list)| list);
        let Some(tag) = find_tag(choice, &arms, list, self.profile)? else {
            return self.alternatives(name, choice);
        };
        let known = self.arms(name, &arms, tag)?;
        self.check_mapping(choice, &known)?;
        if let Some(list) = list {
            check_list(list, &known, self.profile)?;
        }
        let unknown = match &unknown {
            Some((arm, _)) => Some(self.arm_definition(name, &arm.subject, "unknown")?),
            None => None,
        };
        Ok(DefinitionKind::Union(UnionDefinition {
            tag: tag.to_owned(),
            arms: known,
            unknown,
        }))
    }

    fn arms(
        &mut self,
        name: &str,
        arms: &[ObjectArm<'a>],
        tag: &str,
    ) -> Result<Vec<VariantDefinition>, IrError> {
        let mut known: Vec<VariantDefinition> = Vec::new();
        for arm in arms {
            let value = arm.constant(tag).ok_or_else(|| no_constant(arm, tag))?;
            if let Some(earlier) = known.iter().find(|earlier| earlier.tag == value) {
                let message = format!(
                    "arms `{}` and `{}` both have `{tag}` `{value}`",
                    earlier.definition,
                    arm_name(arm)
                );
                return Err(arm
                    .subject
                    .node()
                    .fail(message, "give each arm a tag of its own"));
            }
            let definition = match self.forms.of(&arm.subject)?.form {
                Form::Reference(reference) => self.final_name(&reference)?,
                _ => self.part(name, value, &arm.subject)?,
            };
            known.push(VariantDefinition {
                tag: value.to_owned(),
                definition,
            });
        }
        Ok(known)
    }

    /// The `mapping` of a discriminator says again what the constants say.
    fn check_mapping(
        &mut self,
        choice: &Choice<'a>,
        known: &[VariantDefinition],
    ) -> Result<(), IrError> {
        let Some(mapping) = choice
            .discriminator
            .as_ref()
            .and_then(|node| node.get("mapping"))
        else {
            return Ok(());
        };
        for (value, target) in mapping.members()? {
            let arm = known.iter().find(|arm| arm.tag == value).ok_or_else(|| {
                target.fail(
                    format!("no arm has the constant `{value}`"),
                    "correct the mapping, or the constant of the arm",
                )
            })?;
            let definition = self.final_name(&target)?;
            if definition != arm.definition {
                let message = format!(
                    "`{value}` is mapped to `{definition}`, but it is the constant of `{}`",
                    arm.definition
                );
                return Err(target.fail(message, "correct the mapping, or the constant of the arm"));
            }
        }
        Ok(())
    }
}

/// A discriminator where nothing can be distinguished by a member contradicts the variants.
fn no_discriminator(choice: &Choice<'_>) -> Result<(), IrError> {
    match &choice.discriminator {
        None => Ok(()),
        Some(node) => Err(node.fail(
            "a discriminator between arms that are not all objects",
            "remove it, or make every arm an object with a constant",
        )),
    }
}

/// Limits are about variants of one kind among those of others.
fn no_limits(choice: &Choice<'_>) -> Result<(), IrError> {
    match &choice.limits {
        None => Ok(()),
        Some(node) => Err(node.fail(
            "limits beside a choice that is not between types",
            "write the limits at the variants that they are about",
        )),
    }
}

/// The word for several variants of one JSON kind.
pub(crate) fn kind_word(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Boolean => "flag",
        JsonKind::Number => "number",
        JsonKind::String => "text",
        JsonKind::Array => "list",
        JsonKind::Object => "object",
    }
}

/// The last variant, if it is the one for unknown tags.
fn take_unknown<'a>(
    arms: &mut Vec<ObjectArm<'a>>,
    profile: SchemaProfile,
) -> Result<Option<(ObjectArm<'a>, TagList<'a>)>, IrError> {
    let Some(last) = arms.pop() else {
        return Ok(None);
    };
    let early = arms.iter().find(|arm| tag_list(&arm.schemas).is_some());
    if profile == SchemaProfile::Ordinary && early.is_some() {
        arms.push(last);
        return Ok(None);
    }
    if let Some(early) = early {
        let message = format!(
            "`{}` takes unknown tags but is not the last arm",
            arm_name(early)
        );
        let help = "move it to the end of `oneOf`; there is only one";
        return Err(early.subject.node().fail(message, help));
    }
    if let Some(list) = tag_list(&last.schemas) {
        return Ok(Some((last, list)));
    }
    arms.push(last);
    Ok(None)
}

/// The member whose constants distinguish the variants, if there is one.
fn find_tag<'a>(
    choice: &Choice<'a>,
    arms: &[ObjectArm<'a>],
    list: Option<&TagList<'a>>,
    profile: SchemaProfile,
) -> Result<Option<&'a str>, IrError> {
    let named = choice
        .discriminator
        .as_ref()
        .map(|node| node.require("propertyName"));
    if let Some(property) = named.transpose()? {
        let tag = property.text()?;
        return match arms.iter().find(|arm| arm.constant(tag).is_none()) {
            Some(arm) => Err(no_constant(arm, tag)),
            None => Ok(Some(tag)),
        };
    }
    let candidates = arms
        .first()
        .map(|arm| constants(&arm.schemas))
        .unwrap_or_default();
    let tells_apart = |tag: &str| {
        let mut values: Vec<_> = arms.iter().map(|arm| arm.constant(tag)).collect();
        values.sort_unstable();
        let before = values.len();
        values.dedup();
        values.len() == before && values.iter().all(Option::is_some)
    };
    if let Some(list) = list {
        // By the strict profile the variants have to have it; each that lacks it is reported.
        return Ok((profile == SchemaProfile::Strict || tells_apart(list.tag)).then_some(list.tag));
    }
    if profile == SchemaProfile::Strict {
        return common_tag(choice, arms, &candidates).map(Some);
    }
    Ok(candidates
        .into_iter()
        .map(|(name, _)| name)
        .find(|name| tells_apart(name)))
}

/// The first required constant that all variants have, where there has to be one.
fn common_tag<'a>(
    choice: &Choice<'a>,
    arms: &[ObjectArm<'a>],
    candidates: &[(&'a str, &'a str)],
) -> Result<&'a str, IrError> {
    let Some((fallback, _)) = candidates.first() else {
        let node = arms.first().map_or(&choice.at, |arm| arm.subject.node());
        let name = arms.first().map(arm_name).unwrap_or_default();
        let help = "give every arm a required member with a `const` of its own, under one name";
        return Err(node.fail(format!("arm `{name}` has no required constant"), help));
    };
    let has = |name: &str| arms.iter().all(|arm| arm.constant(name).is_some());
    let common = candidates.iter().find(|(name, _)| has(name));
    Ok(common.map_or(*fallback, |(name, _)| *name))
}

fn no_constant(arm: &ObjectArm<'_>, tag: &str) -> IrError {
    let name = arm_name(arm);
    let message = format!("arm `{name}` has no required constant `{tag}`");
    let help = format!("give `{name}` a required member `{tag}` with a `const` of its own");
    arm.subject.node().fail(message, help)
}

/// What the author of the schema calls a variant.
fn arm_name<'n>(arm: &'n ObjectArm<'_>) -> &'n str {
    let node = arm.subject.node();
    let named = node.member("$ref").or_else(|| node.member("title"));
    let name = named
        .and_then(|name| name.as_str())
        .unwrap_or(&node.pointer);
    name.rsplit('/').next().unwrap_or(name)
}

/// The list of known tags in an unknown variant is a copy, so it must not drift.
fn check_list(
    list: &TagList<'_>,
    known: &[VariantDefinition],
    profile: SchemaProfile,
) -> Result<(), IrError> {
    let tags: Vec<&str> = known.iter().map(|arm| arm.tag.as_str()).collect();
    let sorted = |tags: &[&str]| {
        tags.iter()
            .map(|&tag| tag.to_owned())
            .collect::<BTreeSet<_>>()
    };
    let same = match profile {
        SchemaProfile::Strict => list.tags == tags,
        SchemaProfile::Ordinary => sorted(&list.tags) == sorted(&tags),
    };
    if same {
        return Ok(());
    }
    let message = "the list is not the tags of the known arms in their order";
    let help = format!(
        "the list is generated: run the code generator, or write {}",
        listed(&tags)
    );
    Err(list.place.fail(message, help))
}
