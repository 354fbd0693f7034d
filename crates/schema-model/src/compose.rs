//! Schemas that hold at once: `allOf`, keywords beside `$ref`, members beside the variants of a
//! choice.

use crate::choice::arms_of;
use crate::condition::{CONDITIONS, is_conditional, keywords as conditions, takes_only_objects};
use crate::exclusion::excluded_kinds;
use crate::form::{Choice, Composed, Conjunct, ConjunctPart, Form, FormSubject, Formed, Forms};
use crate::keywords::{APPLICATORS, OBJECT};
use crate::node::Node;
use crate::opaque::address;
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
    if found.is_anything_but_null() {
        return Ok(Formed::new(Form::Any, false));
    }
    if found.leaves.is_empty() {
        return Ok(Formed::new(Form::Any, true));
    }
    let others = found.other_kinds(parts)?;
    found.check_kind(forms)?;
    let objects = found.leaves.iter().filter_map(Leaf::object).cloned();
    let mut choices = found.leaves.iter().filter_map(Leaf::choice);
    let form = match choices.next() {
        None => Form::Object(objects.collect()),
        // A variant that is composed with further choices gives all its combinations.
        Some(choice) => {
            let choice = distributed(forms, choice, &found.leaves)?;
            match choice.arms.as_slice() {
                [only] => return forms.of(only),
                _ => Form::Choice(Box::new(choice)),
            }
        }
    };
    let Some(at) = others.at else {
        return Ok(Formed::new(form, false));
    };
    let object = FormSubject::Composed(Composed {
        arm: at.clone(),
        within: Vec::new(),
        parts: found.objects(),
    });
    let truth = others.kinds.contains(&"boolean");
    let truth = truth.then(|| FormSubject::Typed(at.clone(), "boolean"));
    let nullable = others.kinds.contains(&"null");
    let Some(truth) = truth else {
        return Ok(Formed::new(form, nullable));
    };
    let choice = Choice {
        at,
        arms: vec![object, truth],
        discriminator: None,
        limits: None,
    };
    Ok(Formed::new(Form::Choice(Box::new(choice)), nullable))
}

/// The kinds that a composition lets through beside objects, and the schema that lists them.
#[derive(Default)]
struct OtherKinds<'a> {
    at: Option<Node<'a>>,
    kinds: Vec<&'a str>,
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
        if part.part == ConjunctPart::Choice {
            return self.choose(node);
        }
        let all = part.part == ConjunctPart::All;
        let mut own = false;
        for name in node.object()?.keys() {
            match name.as_str() {
                "$ref" | "$dynamicRef" | "$recursiveRef" if all => {
                    self.follow(forms, &node.require(name)?, depth)?;
                }
                "allOf" if all => {
                    for item in node.require("allOf")?.items()? {
                        let part = Conjunct {
                            node: item,
                            part: ConjunctPart::All,
                        };
                        self.expand(forms, &part, depth + 1)?;
                    }
                }
                "oneOf" | "anyOf" if all => self.choose(node)?,
                // That it is one variant only, a condition asks.
                "oneOf" if !own => {
                    own = true;
                    self.leaves.push(Leaf::Object(node.clone()));
                }
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

    /// The kinds beside objects that all schemas let through which say which ones they do.
    fn other_kinds(&self, parts: &[Conjunct<'a>]) -> Result<OtherKinds<'a>, IrError> {
        let of_objects = |part: &Conjunct<'_>| part.part == ConjunctPart::OwnOfObjects;
        let nodes: Vec<&Node<'a>> = self.leaves.iter().filter_map(Leaf::object).collect();
        let typed: Vec<&&Node<'a>> = nodes.iter().filter(|node| node.has("type")).collect();
        let mut others = OtherKinds::default();
        if parts.iter().any(of_objects) || typed.is_empty() {
            return Ok(others);
        }
        for (index, node) in typed.into_iter().enumerate() {
            let kinds = node.require("type")?;
            let kinds = match kinds.value.as_str() {
                Some(kind) => vec![kind],
                None => kinds.texts()?,
            };
            if index == 0 {
                others.kinds.clone_from(&kinds);
                others.at = Some((*node).clone());
            }
            others.kinds.retain(|kind| kinds.contains(kind));
        }
        others.kinds.retain(|kind| *kind != "object");
        if others.kinds.is_empty() {
            return Ok(OtherKinds::default());
        }
        // What else is said is about objects, or asks conditions of all values.
        let asking = nodes.iter().find(|node| !conditions(node).is_empty());
        let choice = self.leaves.iter().find_map(Leaf::choice);
        let is_known = |kind: &&str| matches!(*kind, "boolean" | "null");
        match (
            asking.copied().or(choice),
            others.kinds.iter().all(is_known),
        ) {
            (None, true) => Ok(others),
            _ => Err(others.at.as_ref().map_or_else(
                || no_kind(nodes[0]),
                |at| only_objects(&at.get("type").unwrap_or_else(|| at.clone())),
            )),
        }
    }

    /// Whether the schemas say no more than that the value is not null.
    fn is_anything_but_null(&self) -> bool {
        let says_no_more = |leaf: &Leaf<'a>| {
            leaf.object().is_some_and(|node| {
                is_conditional(node)
                    && conditions(node) == ["not"]
                    && excluded_kinds(node).is_some_and(|kinds| kinds == ["null"])
            })
        };
        !self.leaves.is_empty() && self.leaves.iter().all(says_no_more)
    }

    /// What the schemas say of objects.
    fn objects(&self) -> Vec<Conjunct<'a>> {
        let nodes = self.leaves.iter().filter_map(Leaf::object);
        nodes
            .map(|node| conjunct(node, ConjunctPart::OwnOfObjects))
            .collect()
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
                part: ConjunctPart::All,
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

fn only_objects(kind: &Node<'_>) -> IrError {
    let help = "compose objects only, and say everything about another value in one place";
    kind.fail("only objects can be composed", help)
}

/// The own keywords of a schema in a composition are those of an object.
fn check_own(node: &Node<'_>) -> Result<(), IrError> {
    let kind = node.get("type");
    let takes_objects = |kind: &Node<'_>| match kind.value.as_array() {
        Some(kinds) => kinds.iter().any(|kind| kind == "object"),
        None => kind.value == "object",
    };
    if let Some(kind) = kind.filter(|kind| !takes_objects(kind)) {
        return Err(only_objects(&kind));
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
        let parts = leaves.iter().flat_map(|leaf| match leaf {
            Leaf::Object(node) => vec![conjunct(node, ConjunctPart::Own)],
            Leaf::Choice(node) if address(node) != address(choice) => {
                vec![conjunct(node, ConjunctPart::Choice)]
            }
            Leaf::Choice(node) => {
                let mut parts = vec![conjunct(&arm, ConjunctPart::All)];
                let is_there = |leaf: &Leaf<'_>| {
                    leaf.object()
                        .is_some_and(|other| address(other) == address(node))
                };
                if node.has("oneOf") && !leaves.iter().any(is_there) {
                    parts.push(conjunct(node, ConjunctPart::Own));
                }
                parts
            }
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

fn conjunct<'a>(node: &Node<'a>, part: ConjunctPart) -> Conjunct<'a> {
    let node = node.clone();
    Conjunct { node, part }
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
