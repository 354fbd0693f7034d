//! Schemas that hold at once: `allOf`, keywords beside `$ref`, members beside the variants of a
//! choice.

use crate::choice::arms_of;
use crate::condition::{CONDITIONS, is_conditional, keywords as conditions, takes_only_objects};
use crate::form::{Choice, Composed, Conjunct, Form, FormSubject, Formed, Forms};
use crate::keywords::{APPLICATORS, OBJECT};
use crate::node::Node;
use crate::{IrError, JsonKind};

/// How many schemas may be put together into one object.
const MAX_PARTS: usize = 1_000;

/// How deep compositions may refer to each other.
const MAX_DEPTH: usize = 100;

/// The form of several schemas at once: an object, or a choice of objects.
pub(crate) fn composed_form<'a>(
    forms: &Forms<'a>,
    parts: &[Conjunct<'a>],
) -> Result<Formed<'a>, IrError> {
    let mut found = Found::default();
    for part in parts {
        found.expand(forms, part, 0)?;
    }
    if let Some(form) = found.only_reference(forms)? {
        return Ok(form);
    }
    if found.leaves.is_empty() {
        return Ok(Formed::new(Form::Any, true));
    }
    found.check_kind(forms)?;
    let objects = found.leaves.iter().filter_map(Leaf::object).cloned();
    let mut choices = found.leaves.iter().filter_map(Leaf::choice);
    let form = match (choices.next(), choices.next()) {
        (None, _) => Form::Object(objects.collect()),
        (Some(choice), None) => {
            let choice = distributed(forms, choice, &found.leaves)?;
            match choice.arms.as_slice() {
                [only] => return forms.of(only),
                _ => Form::Choice(Box::new(choice)),
            }
        }
        (Some(_), Some(second)) => {
            let help = "write the choice of all combinations as one `oneOf`";
            return Err(second.fail("two choices at once cannot be represented", help));
        }
    };
    Ok(Formed::new(form, false))
}

/// One schema of a composition.
enum Leaf<'a> {
    /// The own keywords of an object.
    Object(Node<'a>),
    /// A schema with variants.
    Choice(Node<'a>),
}

impl<'a> Leaf<'a> {
    fn object(&self) -> Option<&Node<'a>> {
        match self {
            Self::Object(node) => Some(node),
            Self::Choice(_) => None,
        }
    }

    fn choice(&self) -> Option<&Node<'a>> {
        match self {
            Self::Choice(node) => Some(node),
            Self::Object(_) => None,
        }
    }
}

/// The schemas of a composition, in the order in which they are written.
#[derive(Default)]
struct Found<'a> {
    leaves: Vec<Leaf<'a>>,
    /// The references that were followed at the top, to see whether there is nothing else.
    references: Vec<Node<'a>>,
}

impl<'a> Found<'a> {
    fn expand(
        &mut self,
        forms: &Forms<'a>,
        part: &Conjunct<'a>,
        depth: usize,
    ) -> Result<(), IrError> {
        let node = &part.node;
        if depth > MAX_DEPTH || self.leaves.len() > MAX_PARTS {
            return Err(node.fail(
                "the composition has no end",
                "break the circle of `allOf` and `$ref`",
            ));
        }
        if node.value == true || forms.is_opaque(node) {
            return Ok(());
        }
        if node.has("$ref") && forms.documents.ignores_siblings(node) {
            return self.follow(forms, &node.require("$ref")?, depth);
        }
        if let Err(error) = check_own(node) {
            forms.stumble(node, error);
            return Ok(());
        }
        let mut own = false;
        for name in node.object()?.keys() {
            match name.as_str() {
                "$ref" | "$dynamicRef" | "$recursiveRef" if !part.own => {
                    self.follow(forms, &node.require(name)?, depth)?;
                }
                "allOf" if !part.own => {
                    for item in node.require("allOf")?.items()? {
                        let part = Conjunct {
                            node: item,
                            own: false,
                        };
                        self.expand(forms, &part, depth + 1)?;
                    }
                }
                "oneOf" | "anyOf" if !part.own => self.choose(node)?,
                name if APPLICATORS.contains(&name) || own => {}
                name if name == "type"
                    || OBJECT.contains(&name)
                    || conditions(node).contains(&name) =>
                {
                    own = true;
                    self.leaves.push(Leaf::Object(node.clone()));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn follow(
        &mut self,
        forms: &Forms<'a>,
        reference: &Node<'a>,
        depth: usize,
    ) -> Result<(), IrError> {
        let target = forms.documents.target(reference)?;
        self.references.push(reference.clone());
        self.expand(
            forms,
            &Conjunct {
                node: target,
                own: false,
            },
            depth + 1,
        )
    }

    /// Conditions do not say that a value is an object, but for those that no other value fulfils.
    fn check_kind(&self, forms: &Forms<'a>) -> Result<(), IrError> {
        for leaf in &self.leaves {
            let says = match leaf {
                Leaf::Object(node) => {
                    !is_conditional(node) || takes_only_objects(&forms.documents, node)?
                }
                Leaf::Choice(_) => true,
            };
            if says {
                return Ok(());
            }
        }
        match self.leaves.first().and_then(Leaf::object) {
            Some(node) => Err(no_kind(node)),
            None => Ok(()),
        }
    }

    fn choose(&mut self, node: &Node<'a>) -> Result<(), IrError> {
        if node.has("oneOf") && node.has("anyOf") {
            let help = "write the choice of all combinations as one `oneOf`";
            return Err(node.fail("two choices at once cannot be represented", help));
        }
        self.leaves.push(Leaf::Choice(node.clone()));
        Ok(())
    }

    /// The only reference, if the rest says no more than that it is what it is.
    fn only_reference(&self, forms: &Forms<'a>) -> Result<Option<Formed<'a>>, IrError> {
        let [reference] = self.references.as_slice() else {
            return Ok(None);
        };
        let target = forms.documents.target(reference)?;
        let within = |node: &Node<'_>| {
            let below = node.pointer.strip_prefix(target.pointer.as_str());
            node.file == target.file
                && below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let silent = self.leaves.iter().all(|leaf| match leaf {
            Leaf::Object(node) => {
                within(node) || !(node.has_any(OBJECT) || node.has_any(CONDITIONS))
            }
            Leaf::Choice(node) => within(node),
        });
        if !silent {
            return Ok(None);
        }
        let nullable = forms.target(reference)?.nullable;
        Ok(Some(Formed::new(
            Form::Reference(reference.clone()),
            nullable,
        )))
    }
}

/// The complaint about conditions alone.
pub(crate) fn no_kind(node: &Node<'_>) -> IrError {
    let place = conditions(node)
        .first()
        .and_then(|keyword| node.get(keyword));
    let place = place.unwrap_or_else(|| node.clone());
    let message = "a condition that lets values of several types through";
    place.fail(
        message,
        "say beside it that the value has `\"type\": \"object\"`",
    )
}

/// The own keywords of a schema in a composition are those of an object.
fn check_own(node: &Node<'_>) -> Result<(), IrError> {
    let kind = node.get("type");
    if let Some(kind) = kind.filter(|kind| kind.value != "object") {
        let help = "compose objects only, and say everything about another value in one place";
        return Err(kind.fail("only objects can be composed", help));
    }
    let mut keywords = vec!["type", "nullable", "discriminator"];
    keywords.extend_from_slice(CONDITIONS);
    keywords.extend_from_slice(APPLICATORS);
    keywords.extend_from_slice(OBJECT);
    node.allow(&keywords)
}

/// A choice whose variants are each composed with everything around the choice.
fn distributed<'a>(
    forms: &Forms<'a>,
    choice: &Node<'a>,
    leaves: &[Leaf<'a>],
) -> Result<Choice<'a>, IrError> {
    let at = arms_of(choice)?;
    let mut arms = Vec::new();
    for arm in at.items()? {
        let Formed { form, .. } = forms.of_schema(&arm);
        if matches!(form, Form::Null) {
            continue;
        }
        if forms
            .kind(&form)?
            .is_some_and(|kind| kind != JsonKind::Object)
        {
            let help =
                "compose objects only: the members beside the choice are members of every arm";
            forms.stumble(&arm, arm.fail("the arm is no object", help));
        }
        let parts = leaves.iter().map(|leaf| match leaf {
            Leaf::Object(node) => Conjunct {
                node: node.clone(),
                own: true,
            },
            Leaf::Choice(_) => Conjunct {
                node: arm.clone(),
                own: false,
            },
        });
        push_arm(forms, &arm, parts.collect(), &mut arms)?;
    }
    if arms.is_empty() {
        return Err(at.fail("a union without arms", "list the arms"));
    }
    Ok(Choice {
        at,
        arms,
        discriminator: choice.get("discriminator"),
        limits: None,
    })
}

/// Adds a variant; one that is a choice itself gives all its variants.
fn push_arm<'a>(
    forms: &Forms<'a>,
    arm: &Node<'a>,
    parts: Vec<Conjunct<'a>>,
    arms: &mut Vec<FormSubject<'a>>,
) -> Result<(), IrError> {
    match composed_form(forms, &parts)?.form {
        Form::Choice(inner) => {
            for mut subject in inner.arms {
                subject.put_within(arm);
                arms.push(subject);
            }
        }
        _ => arms.push(FormSubject::Composed(Composed {
            arm: arm.clone(),
            within: Vec::new(),
            parts,
        })),
    }
    if arms.len() > MAX_PARTS {
        let message = format!("more than {MAX_PARTS} arms");
        return Err(arm.fail(message, "write fewer arms"));
    }
    Ok(())
}
