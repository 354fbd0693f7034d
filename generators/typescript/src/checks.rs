//! The functions that find what is wrong with a value.

use chatstate_codegen::{ConditionView, PresentView};
use chatstate_schema_model::{
    DefinitionKind, Enumeration, KindArm, MemberDefinition, NamedDefinition, ObjectDefinition,
    Others, Slot, Type, UnionDefinition,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::expressions::{
    CallArgument, CheckCall, CheckCondition, CheckResult, Expressions, PatternView,
};
use crate::names::{check_name, is_inherited};
use crate::view::{AccessView, LiteralView};

/// The function of one definition.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct CheckView {
    /// The definition, after which the function is called.
    definition: String,
    #[serde(flatten)]
    kind: CheckKind,
}

impl CheckView {
    /// The template that prints it.
    pub(crate) fn template(&self) -> &'static str {
        match self.kind {
            CheckKind::Object { .. } => "check-object.ts",
            CheckKind::Union { .. } => "check-union.ts",
            CheckKind::Kinds { .. } => "check-kinds.ts",
            CheckKind::Alternatives { .. } => "check-alternatives.ts",
            CheckKind::Values { .. } => "check-values.ts",
            CheckKind::Expression { .. } => "check-expression.ts",
        }
    }
}

#[derive(Debug, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum CheckKind {
    Object {
        members: Vec<MemberView>,
        /// The names of the members, where other members are judged.
        named: Vec<String>,
        /// What is asked of other members.
        others: Option<CallArgument>,
        /// What is asked of which members are there.
        present: Option<PresentView>,
        /// What is asked of the object beyond all that.
        conditions: Vec<ConditionView>,
    },
    Union {
        tag: AccessView,
        arms: Vec<ArmView>,
        /// The function for unknown variants.
        unknown: Option<String>,
    },
    Kinds {
        arms: Vec<KindView>,
    },
    /// The list of the functions has a name, by which they are known while a document is judged.
    Alternatives {
        checks: Vec<String>,
    },
    Values {
        values: Vec<LiteralView>,
    },
    Expression {
        found: CheckResult,
    },
}

#[derive(Debug, JsonSchema, Serialize)]
struct MemberView {
    access: AccessView,
    /// What is wrong with the member.
    found: CheckResult,
}

#[derive(Debug, JsonSchema, Serialize)]
struct ArmView {
    tag: String,
    function: String,
}

#[derive(Debug, JsonSchema, Serialize)]
struct KindView {
    kind: &'static str,
    call: CheckCall,
}

/// The function of one definition.
pub(crate) fn check(definition: &NamedDefinition, expressions: &mut Expressions<'_>) -> CheckView {
    let kind = match &definition.kind {
        DefinitionKind::Object(kind) => object(kind, expressions),
        DefinitionKind::Union(kind) => union(kind, expressions),
        DefinitionKind::Kinds(arms) => kinds(arms, expressions),
        DefinitionKind::Alternatives(of) => {
            expressions.runtime("anyOf");
            expressions.runtime("type Check");
            let checks = of.iter().map(|name| check_name(name)).collect();
            CheckKind::Alternatives { checks }
        }
        DefinitionKind::Enumeration(kind) => values(kind, expressions),
        DefinitionKind::Alias(ty) => {
            let found = expressions.found(ty, "value");
            CheckKind::Expression { found }
        }
    };
    CheckView {
        definition: definition.name.clone(),
        kind,
    }
}

fn object(object: &ObjectDefinition, expressions: &mut Expressions<'_>) -> CheckKind {
    expressions.runtime("isObject");
    expressions.runtime("wrongKind");
    let (fixed, free): (Vec<&MemberDefinition>, Vec<&MemberDefinition>) =
        object.members.iter().partition(|member| is_fixed(member));
    let members = fixed.into_iter().chain(free);
    let members = members
        .filter_map(|member| member_view(member, expressions))
        .collect();
    let others = match &object.others {
        // The patterns of names say what each of the other members is.
        _ if object.names.is_some() => by_name(object, expressions),
        Others::Kept => None,
        Others::Rejected => Some(CallArgument::Function {
            name: expressions.runtime("rejected").to_owned(),
        }),
        Others::Typed(slot) => is_asked(slot).then(|| expressions.function(slot)),
    };
    if others.is_some() {
        expressions.runtime("others");
    }
    let present = object.present.as_ref().map(PresentView::from);
    if present.is_some() {
        expressions.runtime("present");
    }
    let named = object.members.iter().map(|member| member.name.clone());
    CheckKind::Object {
        members,
        named: named.collect(),
        others,
        present,
        conditions: ConditionView::all(&object.conditions, str::to_owned),
    }
}

/// What the names of other members say of them.
fn by_name(object: &ObjectDefinition, expressions: &mut Expressions<'_>) -> Option<CallArgument> {
    let names = object.names.as_ref()?;
    expressions.runtime("byName");
    let patterns = names.patterns.iter().map(|members| PatternView {
        pattern: members.pattern.clone(),
        check: expressions.function(&members.slot),
    });
    Some(CallArgument::ByName {
        patterns: patterns.collect(),
        closed: names.closed,
    })
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
    let of = "member";
    let ty = if takes_null { &any } else { &member.ty };
    let absent = (!member.required).then_some(CheckCondition::Absent { of });
    let null = (member.nullable && !takes_null).then_some(CheckCondition::Null { of });
    let usual = expressions.usual(ty, of);
    let call = match ty {
        Type::Constant(expected) if is_fixed(member) => CheckCall {
            function: expressions.runtime("fixed").to_owned(),
            of,
            arguments: vec![CallArgument::Literal {
                value: expected.into(),
            }],
        },
        _ => expressions.call(ty, of),
    };
    if is_inherited(&member.name) {
        expressions.runtime("own");
    }
    let accepted = [absent, null, usual].into_iter().flatten().collect();
    Some(MemberView {
        access: AccessView::new(&member.name),
        found: CheckResult::new(accepted, call),
    })
}

fn union(union: &UnionDefinition, expressions: &mut Expressions<'_>) -> CheckKind {
    expressions.runtime("isObject");
    expressions.runtime("wrongKind");
    if is_inherited(&union.tag) {
        expressions.runtime("own");
    }
    if union.unknown.is_none() {
        expressions.runtime("noSuchTag");
    }
    let arms = union.arms.iter().map(|arm| ArmView {
        tag: arm.tag.clone(),
        function: check_name(&arm.definition),
    });
    CheckKind::Union {
        tag: AccessView::new(&union.tag),
        arms: arms.collect(),
        unknown: union.unknown.as_deref().map(check_name),
    }
}

fn kinds(arms: &[KindArm], expressions: &mut Expressions<'_>) -> CheckKind {
    expressions.runtime("kindOf");
    expressions.runtime("noSuchKind");
    let arms = arms.iter().map(|arm| KindView {
        kind: arm.kind.as_str(),
        call: expressions.call(&arm.ty, "value"),
    });
    let arms = arms.collect();
    CheckKind::Kinds { arms }
}

fn values(enumeration: &Enumeration, expressions: &mut Expressions<'_>) -> CheckKind {
    if enumeration.open {
        let is_text = enumeration.texts().is_some();
        let call = CheckCall {
            function: expressions
                .runtime(if is_text { "text" } else { "integer" })
                .to_owned(),
            of: "value",
            arguments: Vec::new(),
        };
        return CheckKind::Expression {
            found: CheckResult::new(Vec::new(), call),
        };
    }
    expressions.runtime("noSuchValue");
    let values = enumeration.values.iter();
    CheckKind::Values {
        values: values
            .map(|known| LiteralView::from(&known.value))
            .collect(),
    }
}
