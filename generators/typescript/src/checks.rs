//! The functions that find what is wrong with a value.

use askama::Template;
use chatstate_codegen::{CodegenError, printed};
use chatstate_schema_model::{
    DefinitionKind, Enumeration, KindArm, MemberDefinition, NamedDefinition, ObjectDefinition,
    Others, Slot, Type, UnionDefinition,
};

use crate::expressions::Expressions;
use crate::names::{access, check_name, is_inherited, listed, literal, quoted};

#[derive(Template)]
#[template(path = "check-object.j2", escape = "none")]
struct ObjectView {
    name: String,
    members: Vec<MemberView>,
    /// The names of the members, and what they are called where other members are judged.
    named: String,
    named_by: String,
    /// What is asked of other members.
    others: Option<String>,
}

struct MemberView {
    access: String,
    /// What is wrong with the member.
    found: String,
    key: String,
}

#[derive(Template)]
#[template(path = "check-union.j2", escape = "none")]
struct UnionView {
    name: String,
    tag: String,
    arms: Vec<CaseView>,
    otherwise: String,
}

struct CaseView {
    case: String,
    call: String,
}

#[derive(Template)]
#[template(path = "check-values.j2", escape = "none")]
struct ValuesView {
    name: String,
    values: Vec<String>,
    all: String,
}

#[derive(Template)]
#[template(path = "check-expression.j2", escape = "none")]
struct ExpressionView {
    name: String,
    call: String,
}

#[derive(Template)]
#[template(path = "check-kinds.j2", escape = "none")]
struct KindsView {
    name: String,
    arms: Vec<CaseView>,
    all: String,
}

#[derive(Template)]
#[template(path = "check-alternatives.j2", escape = "none")]
struct AlternativesView {
    name: String,
    /// What the list of the alternatives' checks is called; by it they are known while a document is
    /// judged.
    checked_by: String,
    checks: String,
}

/// The function of one definition.
pub(crate) fn check(
    definition: &NamedDefinition,
    expressions: &mut Expressions<'_>,
) -> Result<String, CodegenError> {
    let name = check_name(&definition.name);
    Ok(match &definition.kind {
        DefinitionKind::Object(kind) => printed(&object(definition, kind, expressions))?,
        DefinitionKind::Union(kind) => printed(&union(name, kind, expressions))?,
        DefinitionKind::Kinds(arms) => printed(&kinds(name, arms, expressions))?,
        DefinitionKind::Alternatives(of) => {
            expressions.runtime("anyOf");
            expressions.runtime("type Check");
            let checks: Vec<String> = of.iter().map(|name| check_name(name)).collect();
            let view = AlternativesView {
                name,
                checked_by: format!("alternativesOf{}", definition.name),
                checks: listed(&checks),
            };
            printed(&view)?
        }
        DefinitionKind::Enumeration(kind) => values(name, kind, expressions)?,
        DefinitionKind::Alias(ty) => {
            let call = expressions.found(ty, "value");
            printed(&ExpressionView { name, call })?
        }
    })
}

fn object(
    definition: &NamedDefinition,
    object: &ObjectDefinition,
    expressions: &mut Expressions<'_>,
) -> ObjectView {
    expressions.runtime("isObject");
    expressions.runtime("wrongKind");
    let (fixed, free): (Vec<&MemberDefinition>, Vec<&MemberDefinition>) =
        object.members.iter().partition(|member| is_fixed(member));
    let members = fixed.into_iter().chain(free);
    let members = members
        .filter_map(|member| member_view(member, expressions))
        .collect();
    let others = match &object.others {
        Others::Kept => None,
        Others::Rejected => Some(expressions.runtime("rejected").to_owned()),
        Others::Typed(slot) => is_asked(slot).then(|| expressions.function(slot)),
    };
    if others.is_some() {
        expressions.runtime("others");
    }
    let named: Vec<String> = object
        .members
        .iter()
        .map(|member| quoted(&member.name))
        .collect();
    ObjectView {
        name: check_name(&definition.name),
        members,
        named: listed(&named),
        named_by: format!("membersOf{}", definition.name),
        others,
    }
}

/// Whether a member is always there and always the same. Such members are judged first, since they
/// tell what the object is.
fn is_fixed(member: &MemberDefinition) -> bool {
    member.required && !member.nullable && matches!(member.ty, Type::Constant(_))
}

/// Whether there is a value of JSON that the slot rejects.
fn is_asked(slot: &Slot) -> bool {
    !matches!(slot.ty, Type::Any { nullable } if nullable || slot.nullable)
}

/// What is asked of a member; nothing where it may be absent and anything else.
fn member_view(member: &MemberDefinition, expressions: &mut Expressions<'_>) -> Option<MemberView> {
    let any = Type::Any { nullable: true };
    let takes_null = matches!(member.ty, Type::Any { nullable } if nullable || member.nullable);
    if takes_null && !member.required {
        return None;
    }
    let ty = if takes_null { &any } else { &member.ty };
    let mut accepted = Vec::new();
    if !member.required {
        accepted.push("member === undefined".to_owned());
    }
    if member.nullable && !takes_null {
        accepted.push("member === null".to_owned());
    }
    if let Some(usual) = expressions.usual(ty, "member") {
        accepted.push(grouped(usual));
    }
    let call = match ty {
        Type::Constant(expected) if is_fixed(member) => {
            let function = expressions.runtime("fixed");
            format!("{function}(member, {})", literal(expected))
        }
        _ => expressions.call(ty, "member"),
    };
    if is_inherited(&member.name) {
        expressions.runtime("own");
    }
    let accepted = accepted.join(" || ");
    Some(MemberView {
        access: access(&member.name),
        found: if accepted.is_empty() {
            call
        } else {
            format!("{accepted} ? undefined : {call}")
        },
        key: quoted(&member.name),
    })
}

/// A condition that can be beside others of which one is enough.
fn grouped(condition: String) -> String {
    if condition.contains(" && ") {
        format!("({condition})")
    } else {
        condition
    }
}

fn union(name: String, union: &UnionDefinition, expressions: &mut Expressions<'_>) -> UnionView {
    expressions.runtime("isObject");
    expressions.runtime("wrongKind");
    if is_inherited(&union.tag) {
        expressions.runtime("own");
    }
    let tag = access(&union.tag);
    let arms = union.arms.iter().map(|arm| CaseView {
        case: quoted(&arm.tag),
        call: format!("{}(value)", check_name(&arm.definition)),
    });
    let otherwise = if let Some(unknown) = &union.unknown {
        format!("{}(value)", check_name(unknown))
    } else {
        let tags: Vec<String> = union.arms.iter().map(|arm| quoted(&arm.tag)).collect();
        let function = expressions.runtime("noSuchTag");
        let key = quoted(&union.tag);
        format!("{function}({tag}, {}).within({key})", listed(&tags))
    };
    UnionView {
        name,
        arms: arms.collect(),
        otherwise,
        tag,
    }
}

fn kinds(name: String, arms: &[KindArm], expressions: &mut Expressions<'_>) -> KindsView {
    expressions.runtime("kindOf");
    expressions.runtime("noSuchKind");
    let all: Vec<String> = arms.iter().map(|arm| quoted(arm.kind.as_str())).collect();
    let arms = arms.iter().map(|arm| CaseView {
        case: quoted(arm.kind.as_str()),
        call: expressions.call(&arm.ty, "value"),
    });
    KindsView {
        name,
        arms: arms.collect(),
        all: listed(&all),
    }
}

fn values(
    name: String,
    enumeration: &Enumeration,
    expressions: &mut Expressions<'_>,
) -> Result<String, CodegenError> {
    if enumeration.open {
        let function = if enumeration.texts().is_some() {
            "text"
        } else {
            "integer"
        };
        let call = format!("{}(value)", expressions.runtime(function));
        return printed(&ExpressionView { name, call });
    }
    expressions.runtime("noSuchValue");
    let values: Vec<String> = enumeration
        .values
        .iter()
        .map(|known| literal(&known.value))
        .collect();
    let all = listed(&values);
    printed(&ValuesView { name, values, all })
}
