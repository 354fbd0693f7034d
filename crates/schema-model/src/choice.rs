//! `oneOf` and `anyOf`: `null` beside something, values with documentation, or several forms.

use crate::form::{Choice, Form, FormSubject, Formed, Forms};
use crate::keywords::APPLICATORS;
use crate::limits::limits;
use crate::literal::closed;
use crate::name::{X_NAME, code_name};
use crate::node::Node;
use crate::{Enumeration, EnumerationValue, IrError, JsonKind};

/// The form of a schema whose only combining keyword is `oneOf` or `anyOf`.
pub(crate) fn choice_form<'a>(forms: &Forms<'a>, node: &Node<'a>) -> Result<Formed<'a>, IrError> {
    let beside = ["oneOf", "anyOf", "type", "nullable", "discriminator"];
    node.allow(&[&beside, limits().as_slice()].concat())?;
    let mut arms = Arms::default();
    let at = arms_of(node)?;
    collect(forms, &at, &mut arms)?;
    arms.drop_integers();
    let nullable = arms.nullable;
    let mut formed = match arms.known.as_slice() {
        [] if nullable => Formed::new(Form::Null, true),
        [] => return Err(at.fail("a union without arms", "list the arms")),
        [(subject, _)] => forms.of(subject)?,
        _ => Formed::new(several(forms, node, at, arms.known)?, nullable),
    };
    formed.nullable |= nullable;
    check_type(forms, node, &formed.form)?;
    if !matches!(&formed.form, Form::Choice(choice) if choice.limits.is_some()) {
        node.allow(&beside)?;
    }
    Ok(formed)
}

/// The list of variants.
pub(crate) fn arms_of<'a>(node: &Node<'a>) -> Result<Node<'a>, IrError> {
    let one = node.get("oneOf");
    one.map_or_else(|| node.require("anyOf"), Ok)
}

/// The variants without `null`.
#[derive(Default)]
struct Arms<'a> {
    known: Vec<(FormSubject<'a>, Form<'a>)>,
    nullable: bool,
}

impl Arms<'_> {
    /// Whether a variant is there that says the same in the same words.
    fn has(&self, arm: &Node<'_>) -> bool {
        let mut known = self.known.iter();
        known.any(
            |(subject, _)| matches!(subject, FormSubject::Schema(node) if node.value == arm.value),
        )
    }

    /// An integer is a number, so beside any number it says nothing.
    fn drop_integers(&mut self) {
        let plain = |form: &Form<'_>| matches!(form, Form::Typed(node, "number") if node.allow(&["type"]).is_ok());
        if self.known.iter().any(|(_, form)| plain(form)) {
            self.known
                .retain(|(_, form)| !matches!(form, Form::Typed(_, "integer")));
        }
    }
}

/// Takes the variants apart; a choice without a name within a choice is part of it.
fn collect<'a>(forms: &Forms<'a>, list: &Node<'a>, arms: &mut Arms<'a>) -> Result<(), IrError> {
    for arm in list.items()? {
        let Formed { form, nullable } = forms.of_schema(&arm);
        arms.nullable |= nullable;
        if list.pointer.ends_with("/anyOf") && arms.has(&arm) {
            continue;
        }
        match form {
            Form::Null => {}
            Form::Reference(_) if matches!(forms.resolved(&form)?, Form::Null) => {}
            Form::Choice(inner) if is_bare(&arm) => {
                for mut subject in inner.arms {
                    if inner.at.pointer.ends_with("/anyOf") && arms.has(subject.node()) {
                        continue;
                    }
                    subject.put_within(&arm);
                    let form = forms.of(&subject)?.form;
                    arms.known.push((subject, form));
                }
            }
            form => arms.known.push((FormSubject::Schema(arm), form)),
        }
    }
    Ok(())
}

/// Whether a schema is a choice and says nothing else.
fn is_bare(arm: &Node<'_>) -> bool {
    !arm.has("discriminator")
        && !arm.has_any(&limits())
        && APPLICATORS.iter().filter(|name| arm.has(name)).count() < 2
}

fn several<'a>(
    forms: &Forms<'a>,
    node: &Node<'a>,
    at: Node<'a>,
    known: Vec<(FormSubject<'a>, Form<'a>)>,
) -> Result<Form<'a>, IrError> {
    if let Some(enumeration) = values(forms, &at, &known)? {
        return Ok(Form::Enumeration(enumeration));
    }
    Ok(Form::Choice(Box::new(Choice {
        at,
        arms: known.into_iter().map(|(subject, _)| subject).collect(),
        discriminator: node.get("discriminator"),
        limits: node.has_any(&limits()).then(|| node.clone()),
    })))
}

/// The variants as an enumeration, if each is a value, a list of values, or any other value of
/// their kind.
fn values<'a>(
    forms: &Forms<'a>,
    at: &Node<'a>,
    arms: &[(FormSubject<'a>, Form<'a>)],
) -> Result<Option<Enumeration>, IrError> {
    let mut known = Vec::new();
    let mut rest = None;
    for (subject, form) in arms {
        let node = subject.node();
        match form {
            Form::Typed(typed, kind) if is_any_other(typed, kind) && rest.is_none() => {
                rest = Some((node, *kind));
            }
            _ => match values_of(forms, node, form)? {
                Some(values) => known.extend(values.into_iter().map(|value| (node.clone(), value))),
                None => return Ok(None),
            },
        }
    }
    // A reference beside another is a choice between types with names.
    let named = arms
        .iter()
        .filter(|(_, form)| matches!(form, Form::Reference(_)))
        .count();
    if known.is_empty()
        || (named > 0 && rest.is_none())
        || known
            .iter()
            .any(|(_, each)| each.value.kind() == JsonKind::Boolean)
    {
        return Ok(None);
    }
    let kind = if known[0].1.value.kind() == JsonKind::String {
        "string"
    } else {
        "integer"
    };
    if let Some((node, rest)) = rest {
        if rest != kind {
            return Ok(None);
        }
        if at.pointer.ends_with("/oneOf") {
            let help = "write `anyOf`, where a value may match several arms";
            return Err(node.fail("with `oneOf` this arm forbids the known values", help));
        }
    }
    if known
        .iter()
        .any(|(_, each)| each.value.kind() != known[0].1.value.kind())
    {
        return Ok(None);
    }
    let mut enumeration = closed(known)?;
    enumeration.open = rest.is_some();
    Ok(Some(enumeration))
}

/// A string or an integer without any limit.
fn is_any_other(typed: &Node<'_>, kind: &str) -> bool {
    matches!(kind, "string" | "integer")
        && typed.allow(&["type"]).is_ok()
        && typed
            .member("type")
            .is_some_and(serde_json::Value::is_string)
}

/// The values that a variant lets through, if it lists them.
fn values_of<'a>(
    forms: &Forms<'a>,
    node: &Node<'a>,
    form: &Form<'a>,
) -> Result<Option<Vec<EnumerationValue>>, IrError> {
    Ok(match form {
        Form::Constant(value) => Some(vec![EnumerationValue {
            value: value.clone(),
            code_name: node.get(X_NAME).map(|node| code_name(&node)).transpose()?,
            doc: node.description()?,
            deprecated: node.flag("deprecated")?,
        }]),
        Form::Enumeration(enumeration) if !enumeration.open => Some(enumeration.values.clone()),
        Form::Reference(_) => match forms.resolved(form)? {
            Form::Enumeration(enumeration) if !enumeration.open => Some(enumeration.values),
            _ => None,
        },
        _ => None,
    })
}

/// A `type` beside a reference or a choice may only say what that says too.
pub(crate) fn check_type<'a>(
    forms: &Forms<'a>,
    node: &Node<'a>,
    form: &Form<'a>,
) -> Result<(), IrError> {
    let Some(kind) = node.get("type") else {
        return Ok(());
    };
    let said = kind.value.as_str().and_then(crate::form::kind_of_type);
    if said.is_some() && said == forms.kind(form)? {
        return Ok(());
    }
    let help = "remove it, or make the definitions say the same";
    Err(kind.fail("`type` contradicts its siblings", help))
}
