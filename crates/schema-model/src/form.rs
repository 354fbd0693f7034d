//! What kind of thing a schema says a value is, before any of its parts are read.
//!
//! The same thing can be said in many ways: `null` by a list of types, by a variant, by a value or
//! by `nullable`; one variant alone is no choice; members may come from several schemas. Here they
//! become one of a few forms.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use crate::about_objects::{asks_objects, has_members};
use crate::choice::{check_type, choice_form};
use crate::compose::composed_form;
use crate::condition::{is_conditional, keywords as conditions, takes_null, takes_only_objects};
use crate::documents::Documents;
use crate::exclusion::{excluded_kinds, of_other_kinds};
use crate::keywords::{APPLICATORS, ARRAY, KEYWORDS, NUMBER, OBJECT, REFERENCES, TEXT};
use crate::literal::{constant, listed_values, of_listed, values_of_kind};
use crate::node::{Node, listed};
use crate::opaque::{NodeAddress, ObstacleList, address};
use crate::{Enumeration, IrError, JsonKind, Literal};

/// How many references and choices may follow each other before something is said about a value.
const MAX_CHAIN: usize = 200;

/// A part of a schema that says what a value is.
#[derive(Debug, Clone)]
pub(crate) enum FormSubject<'a> {
    /// A schema as it is written.
    Schema(Node<'a>),
    /// What a schema with a list of types says about one of them.
    Typed(Node<'a>, &'a str),
    /// The values of one kind that a schema lists.
    Listed(Node<'a>, JsonKind),
    /// Several schemas at once.
    Composed(Composed<'a>),
    /// Some variants of a choice, all of one JSON kind.
    Group(Node<'a>, Vec<FormSubject<'a>>),
}

/// A variant of a choice composed with what is around the choice.
#[derive(Debug, Clone)]
pub(crate) struct Composed<'a> {
    /// The variant.
    pub arm: Node<'a>,
    /// The variants around it that are choices themselves, the outermost first.
    pub within: Vec<Node<'a>>,
    pub parts: Vec<Conjunct<'a>>,
}

/// One of several schemas that hold at once.
#[derive(Debug, Clone)]
pub(crate) struct Conjunct<'a> {
    pub node: Node<'a>,
    pub part: ConjunctPart,
}

/// Which keywords of a schema count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConjunctPart {
    All,
    /// Its own, without those that refer to other schemas.
    Own,
    /// The same, of which only what is about objects counts.
    OwnOfObjects,
    /// The choice between variants.
    Choice,
}

impl<'a> FormSubject<'a> {
    /// Notes that this is a variant of a variant.
    pub fn put_within(&mut self, arm: &Node<'a>) {
        if let Self::Composed(composed) = self {
            composed.within.insert(0, arm.clone());
        }
    }

    /// The place that complaints name.
    pub fn node(&self) -> &Node<'a> {
        match self {
            Self::Schema(node)
            | Self::Typed(node, _)
            | Self::Listed(node, _)
            | Self::Composed(Composed { arm: node, .. })
            | Self::Group(node, _) => node,
        }
    }
}

/// What a value is.
#[derive(Debug, Clone)]
pub(crate) enum Form<'a> {
    /// Anything.
    Any,
    /// `null` and nothing else.
    Null,
    /// What the target of this `$ref` says.
    Reference(Node<'a>),
    /// One value.
    Constant(Literal),
    /// One of several values.
    Enumeration(Enumeration),
    /// One of several forms.
    Choice(Box<Choice<'a>>),
    /// An object with the members that these schemas name, each by its own keywords.
    Object(Vec<Node<'a>>),
    /// A scalar, a list or a map.
    Typed(Node<'a>, &'a str),
}

/// One of several forms, at least two, none of them `null` alone.
#[derive(Debug, Clone)]
pub(crate) struct Choice<'a> {
    pub at: Node<'a>,
    pub arms: Vec<FormSubject<'a>>,
    pub discriminator: Option<Node<'a>>,
    /// The schema that limits the variants of some kinds.
    pub limits: Option<Node<'a>>,
}

/// A form, and whether `null` is legal beside it.
#[derive(Debug, Clone)]
pub(crate) struct Formed<'a> {
    pub form: Form<'a>,
    pub nullable: bool,
}

impl<'a> Formed<'a> {
    pub fn new(form: Form<'a>, nullable: bool) -> Self {
        Self { form, nullable }
    }
}

/// What is known of the target of a reference without reading it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReferenceTarget {
    pub nullable: bool,
    pub kind: Option<JsonKind>,
}

/// Finds the forms of the schemas of some files.
#[derive(Debug)]
pub(crate) struct Forms<'a> {
    pub documents: Documents<'a>,
    /// What is known of targets; `None` while one is being looked at.
    targets: RefCell<HashMap<NodeAddress, Option<ReferenceTarget>>>,
    /// The forms that were found, since each is asked for several times.
    known: RefCell<HashMap<NodeAddress, Formed<'a>>>,
    /// How many forms are being looked for, each for the one before.
    depth: Cell<usize>,
    obstacles: ObstacleList,
}

impl<'a> Forms<'a> {
    pub fn new(documents: Documents<'a>, obstacles: ObstacleList) -> Self {
        Self {
            documents,
            obstacles,
            targets: RefCell::default(),
            known: RefCell::default(),
            depth: Cell::new(0),
        }
    }

    /// The form of a subject.
    pub fn of(&self, subject: &FormSubject<'a>) -> Result<Formed<'a>, IrError> {
        match subject {
            FormSubject::Schema(node) => Ok(self.of_schema(node)),
            FormSubject::Typed(node, kind) => Ok(Formed::new(of_kind(node, kind)?, false)),
            FormSubject::Listed(node, kind) => {
                let listed = of_listed(node, &values_of_kind(node, *kind)?)?;
                Ok(Formed::new(listed, false))
            }
            FormSubject::Composed(composed) => composed_form(self, &composed.parts),
            FormSubject::Group(node, arms) => {
                let choice = Choice {
                    at: node.clone(),
                    arms: arms.clone(),
                    discriminator: None,
                    limits: None,
                };
                Ok(Formed::new(Form::Choice(Box::new(choice)), false))
            }
        }
    }

    /// The form of a schema as it is written.
    pub fn of_schema(&self, node: &Node<'a>) -> Formed<'a> {
        let key = address(node);
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let formed = match self.look_deeper(node) {
            // It may have been found on the way that the schema is made of itself.
            Ok(formed) if !self.is_opaque(node) => formed,
            Ok(_) => any(),
            Err(error) => {
                self.stumble(node, error);
                any()
            }
        };
        self.known.borrow_mut().insert(key, formed.clone());
        formed
    }

    fn look_deeper(&self, node: &Node<'a>) -> Result<Formed<'a>, IrError> {
        if self.is_opaque(node) {
            return Ok(any());
        }
        if self.depth.get() > MAX_CHAIN {
            let message = format!("more than {MAX_CHAIN} references and choices follow each other");
            return Err(node.fail(message, "refer to the definition itself"));
        }
        self.depth.set(self.depth.get() + 1);
        let formed = self.look_at(node);
        self.depth.set(self.depth.get() - 1);
        formed
    }

    /// Whether a schema is read as any JSON value.
    pub fn is_opaque(&self, node: &Node<'a>) -> bool {
        self.obstacles.has(node)
    }

    /// Notes that a schema cannot be represented. Reading goes on with any JSON value in its place,
    /// to see what else there is.
    pub fn stumble(&self, node: &Node<'a>, error: IrError) {
        self.obstacles
            .add(&self.documents.schema_around(node), error);
    }

    /// What was noted.
    pub fn into_obstacles(self) -> ObstacleList {
        self.obstacles
    }

    fn look_at(&self, node: &Node<'a>) -> Result<Formed<'a>, IrError> {
        match node.value.as_bool() {
            Some(true) => return Ok(Formed::new(Form::Any, true)),
            Some(false) => {
                return Err(node.fail(
                    "`false` lets no value through",
                    "describe the value, or leave the member out",
                ));
            }
            None => node.object()?,
        };
        let nullable = node.flag("nullable")?;
        let mut formed = self.of_object(node)?;
        formed.nullable |= nullable;
        if formed.nullable && matches!(formed.form, Form::Object(_)) {
            formed.nullable = takes_null(&self.documents, node)?;
        }
        Ok(formed)
    }

    fn of_object(&self, node: &Node<'a>) -> Result<Formed<'a>, IrError> {
        let alone = self.documents.ignores_siblings(node);
        if let Some(reference) = node.get("$ref").filter(|_| alone) {
            let nullable = self.target(&reference)?.nullable;
            return Ok(Formed::new(Form::Reference(reference), nullable));
        }
        let combined = APPLICATORS.iter().filter(|name| node.has(name)).count();
        let by_condition = combined == 0 && is_conditional(node) && excluded_kinds(node).is_none();
        if by_condition && takes_only_objects(&self.documents, node)? {
            return Ok(Formed::new(Form::Object(vec![node.clone()]), false));
        }
        if combined == 0 {
            return of_own_keywords(node);
        }
        if combined > 1
            || node.has_any(OBJECT)
            || !conditions(node).is_empty()
            || all_of_several(node)
        {
            return composed_form(
                self,
                &[Conjunct {
                    node: node.clone(),
                    part: ConjunctPart::All,
                }],
            );
        }
        if let Some(reference) = node.reference() {
            return self.of_reference(node, reference);
        }
        if let Some(only) = said_by_all(node).pop() {
            node.allow(&["allOf", "nullable", "type"])?;
            let formed = self.of_schema(&only);
            check_type(self, node, &formed.form)?;
            return Ok(formed);
        }
        choice_form(self, node)
    }

    fn of_reference(&self, node: &Node<'a>, reference: Node<'a>) -> Result<Formed<'a>, IrError> {
        node.allow(&[REFERENCES, &["nullable", "type"]].concat())?;
        let target = self.target(&reference)?;
        let form = Form::Reference(reference);
        check_type(self, node, &form)?;
        Ok(Formed::new(form, target.nullable))
    }

    /// What is known of the target of a `$ref`.
    pub fn target(&self, reference: &Node<'a>) -> Result<ReferenceTarget, IrError> {
        let found = self.documents.target(reference)?;
        let key = address(&found);
        let known = self.targets.borrow().get(&key).copied();
        match known {
            Some(Some(target)) => return Ok(target),
            Some(None) => {
                let help = "break the circle: a value needs a member, a list or a map on the way to itself";
                return Err(
                    reference.fail("the definition is made of itself and nothing else", help)
                );
            }
            None => {}
        }
        self.targets.borrow_mut().insert(key, None);
        let formed = self.of_schema(&found);
        let target = ReferenceTarget {
            nullable: formed.nullable,
            kind: self.kind(&formed.form)?,
        };
        self.targets.borrow_mut().insert(key, Some(target));
        Ok(target)
    }

    /// The JSON kind that all values of a form have, if there is only one.
    pub fn kind(&self, form: &Form<'a>) -> Result<Option<JsonKind>, IrError> {
        Ok(match form {
            Form::Any | Form::Null => None,
            Form::Reference(reference) => self.target(reference)?.kind,
            Form::Constant(value) => Some(value.kind()),
            Form::Enumeration(enumeration) => {
                enumeration.values.first().map(|known| known.value.kind())
            }
            Form::Object(_) => Some(JsonKind::Object),
            Form::Typed(_, kind) => kind_of_type(kind),
            Form::Choice(choice) => {
                let mut kinds = Vec::new();
                for arm in &choice.arms {
                    kinds.push(self.kind(&self.of(arm)?.form)?);
                }
                kinds.dedup();
                match kinds.as_slice() {
                    [kind] => *kind,
                    _ => None,
                }
            }
        })
    }

    /// The form at the end of a chain of references.
    pub fn resolved(&self, form: &Form<'a>) -> Result<Form<'a>, IrError> {
        let mut form = form.clone();
        while let Form::Reference(reference) = &form {
            // Circles are found when the target is first looked at.
            self.target(reference)?;
            form = self.of_schema(&self.documents.target(reference)?).form;
        }
        Ok(form)
    }
}

/// Any JSON value.
fn any<'a>() -> Formed<'a> {
    Formed::new(Form::Any, true)
}

/// Whether a schema composes others than one alone.
fn all_of_several(node: &Node<'_>) -> bool {
    node.has("allOf") && said_by_all(node).len() != 1
}

/// The schemas in `allOf` that say something about values.
fn said_by_all<'a>(node: &Node<'a>) -> Vec<Node<'a>> {
    let all = node.get("allOf").and_then(|all| all.items().ok());
    let mut all = all.unwrap_or_default();
    all.retain(|part| part.has_any(KEYWORDS) || !(part.value.is_object() || part.value == true));
    all
}

/// The kind of JSON value that a name in `type` stands for.
pub(crate) fn kind_of_type(name: &str) -> Option<JsonKind> {
    Some(match name {
        "string" => JsonKind::String,
        "integer" | "number" => JsonKind::Number,
        "boolean" => JsonKind::Boolean,
        "array" => JsonKind::Array,
        "object" => JsonKind::Object,
        _ => return None,
    })
}

/// The form of a schema that refers to no other.
fn of_own_keywords<'a>(node: &Node<'a>) -> Result<Formed<'a>, IrError> {
    if let Some(value) = node.get("const") {
        node.allow(&["const", "type", "nullable"])?;
        if value.value.is_null() {
            return Ok(Formed::new(Form::Null, true));
        }
        return Ok(Formed::new(Form::Constant(constant(&value)?), false));
    }
    if node.has("enum") {
        node.allow(&["enum", "type", "nullable"])?;
        return listed_values(node);
    }
    match node.get("type") {
        Some(kinds) if kinds.value.is_array() => of_kinds(node, &kinds),
        Some(kind) => Ok(match kind.text()? {
            "null" => Formed::new(Form::Null, true),
            name => Formed::new(of_kind(node, name)?, false),
        }),
        None if asks_objects(node) => Ok(Formed::new(of_kind(node, "object")?, false)),
        None if node.has_any(&["items", "prefixItems"]) => {
            Ok(Formed::new(of_kind(node, "array")?, false))
        }
        None => {
            if let Some(excluded) = excluded_kinds(node) {
                node.allow(&["not", "nullable"])?;
                return of_other_kinds(node, &excluded);
            }
            let limits = [TEXT, NUMBER, ARRAY].concat();
            let mut limits = limits.iter().filter(|name| **name != "additionalItems");
            if let Some(name) = limits.find(|name| node.has(name)) {
                let message = format!("`{name}` without `type` lets values of other types through");
                return Err(node.fail(message, "say which `type` the value has"));
            }
            node.allow(&["nullable", "additionalProperties", "unevaluatedProperties"])?;
            Ok(Formed::new(Form::Any, true))
        }
    }
}

/// The kinds of JSON value that `type` lists where any value but `null` is legal.
pub(crate) const NOT_NULL: &[&str] = &["object", "array", "string", "number", "boolean"];

/// A list of types: one, one of several, or anything.
fn of_kinds<'a>(node: &Node<'a>, list: &Node<'a>) -> Result<Formed<'a>, IrError> {
    let mut kinds = list.texts()?;
    let given = kinds.len();
    kinds.retain(|name| *name != "null");
    let nullable = kinds.len() < given;
    if kinds.contains(&"number") {
        kinds.retain(|name| *name != "integer");
    }
    if NOT_NULL.iter().all(|name| kinds.contains(name))
        && !node.has_any(OBJECT)
        && !node.has_any(ARRAY)
    {
        node.allow(&["type", "nullable"])?;
        return Ok(Formed::new(Form::Any, nullable));
    }
    match kinds.as_slice() {
        [] if nullable => Ok(Formed::new(Form::Null, true)),
        [] => Err(list.fail("no type is legal", "list one at least")),
        [kind] => Ok(Formed::new(of_kind(node, kind)?, nullable)),
        _ => {
            let arms = kinds
                .iter()
                .map(|kind| FormSubject::Typed(node.clone(), kind));
            let choice = Choice {
                at: list.clone(),
                arms: arms.collect(),
                discriminator: None,
                limits: None,
            };
            Ok(Formed::new(Form::Choice(Box::new(choice)), nullable))
        }
    }
}

/// A schema by the name of its type.
fn of_kind<'a>(node: &Node<'a>, kind: &'a str) -> Result<Form<'a>, IrError> {
    match kind {
        "object" if has_members(node) => Ok(Form::Object(vec![node.clone()])),
        _ if kind_of_type(kind).is_some() => Ok(Form::Typed(node.clone(), kind)),
        _ => {
            let place = node.get("type").unwrap_or_else(|| node.clone());
            Err(place.fail(
                format!("type `{kind}` cannot be represented here"),
                format!(
                    "use {}",
                    listed(&["string", "boolean", "integer", "number", "array", "object"])
                ),
            ))
        }
    }
}
