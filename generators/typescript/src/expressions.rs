//! Expressions that check a value of some type.

use std::collections::BTreeSet;

use chatstate_codegen::ConditionView;
use chatstate_schema_model::{Bounds, Condition, DefinitionKind, Ir, Slot, Type};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Number;

use crate::names::{MAX_SAFE, check_name};
use crate::view::LiteralView;

/// What is wrong with a value: nothing if one of the conditions is true, else what a call finds.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct CheckResult {
    pub accepted: Vec<CheckCondition>,
    pub call: CheckCall,
}

impl CheckResult {
    /// What is found where none of the conditions is true.
    pub(crate) fn new(mut accepted: Vec<CheckCondition>, call: CheckCall) -> Self {
        let several = accepted.len() > 1;
        for condition in &mut accepted {
            if let CheckCondition::Number { grouped, .. } = condition {
                *grouped = several;
            }
        }
        Self { accepted, call }
    }
}

/// A condition on the variable `of`.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum CheckCondition {
    Absent {
        of: &'static str,
    },
    Null {
        of: &'static str,
    },
    /// It has a type of the language.
    Type {
        of: &'static str,
        name: &'static str,
    },
    Equal {
        of: &'static str,
        value: LiteralView,
    },
    /// It is a finite number, or an integer that a `number` holds for certain, within its bounds.
    Number {
        of: &'static str,
        /// Whether it is one of several conditions, so that it is in parentheses.
        grouped: bool,
        integer: bool,
        comparisons: Vec<BoundComparison>,
    },
}

/// A comparison with a bound.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct BoundComparison {
    operator: &'static str,
    bound: String,
}

/// A call with the variable `of`, and arguments after it.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub(crate) struct CheckCall {
    pub function: String,
    pub of: &'static str,
    pub arguments: Vec<CallArgument>,
}

/// An argument of a call.
#[derive(Debug, Clone, JsonSchema, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum CallArgument {
    /// A function by its name.
    Function {
        name: String,
    },
    /// A function of an `item`.
    Lambda {
        call: Box<CheckCall>,
    },
    /// The same, which also takes null.
    LambdaOrNull {
        call: Box<CheckCall>,
    },
    /// What is asked of members by their names.
    ByName {
        patterns: Vec<PatternView>,
        /// Whether a name that matches no pattern is an error.
        closed: bool,
    },
    /// What is asked beyond a type.
    Conditions {
        conditions: Vec<ConditionView>,
    },
    /// A list of functions.
    Functions {
        of: Vec<CallArgument>,
    },
    Literal {
        value: LiteralView,
    },
    Literals {
        values: Vec<LiteralView>,
    },
    /// A number as it is written.
    Number {
        number: String,
    },
    /// The bounds of a number.
    Bounds {
        bounds: Vec<BoundView>,
    },
}

/// What is asked of the members whose names match a pattern.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub(crate) struct PatternView {
    pub pattern: String,
    pub check: CallArgument,
}

/// A bound of a number.
#[derive(Debug, Clone, JsonSchema, Serialize)]
pub(crate) struct BoundView {
    name: &'static str,
    number: String,
    /// Whether it is a factor, which is made ready once.
    multiple: bool,
}

/// What asks conditions of a value beside its type; it is not where the other checks are.
pub(crate) const FITTING: &str = "fitting";

/// Makes expressions, and remembers what they take from the runtime.
#[derive(Debug)]
pub(crate) struct Expressions<'a> {
    ir: &'a Ir,
    used: BTreeSet<&'static str>,
}

impl<'a> Expressions<'a> {
    /// Expressions about the types of a model.
    pub fn new(ir: &'a Ir) -> Self {
        Self {
            ir,
            used: BTreeSet::new(),
        }
    }

    /// What the expressions take from the runtime, in order.
    pub fn used(&self) -> impl Iterator<Item = &'static str> {
        self.used.iter().copied()
    }

    /// A name of the runtime.
    pub fn runtime(&mut self, name: &'static str) -> &'static str {
        self.used.insert(name);
        name
    }

    /// What is true of a usual value of the type and can be asked in place; none where only a call
    /// can tell.
    pub fn usual(&self, ty: &Type, of: &'static str) -> Option<CheckCondition> {
        let has_type = |name| Some(CheckCondition::Type { of, name });
        let number = |bounds, integer| {
            let comparisons = within(bounds, integer)?;
            Some(CheckCondition::Number {
                of,
                grouped: false,
                integer,
                comparisons,
            })
        };
        match ty {
            Type::Reference { to, .. } => self.usual_of_definition(to, of),
            Type::Text { conditions, .. } if !is_constrained(ty) && conditions.is_empty() => {
                has_type("string")
            }
            Type::SplitText => has_type("string"),
            Type::Boolean => has_type("boolean"),
            Type::Constant(expected) => {
                let value = expected.into();
                Some(CheckCondition::Equal { of, value })
            }
            Type::Number(bounds) => number(bounds, false),
            Type::Integer(bounds) => number(bounds, true),
            _ => None,
        }
    }

    fn usual_of_definition(&self, name: &str, of: &'static str) -> Option<CheckCondition> {
        match &self.ir.definitions.get(name)?.kind {
            DefinitionKind::Alias(ty) => self.usual(ty, of),
            DefinitionKind::Enumeration(words) if words.open && words.texts().is_some() => {
                let name = "string";
                Some(CheckCondition::Type { of, name })
            }
            _ => None,
        }
    }

    /// What is wrong with a variable, which is asked in place first where that is possible.
    pub fn found(&mut self, ty: &Type, of: &'static str) -> CheckResult {
        let accepted = self.usual(ty, of).into_iter().collect();
        CheckResult::new(accepted, self.call(ty, of))
    }

    /// The call that finds what is wrong with a variable.
    pub fn call(&mut self, ty: &Type, of: &'static str) -> CheckCall {
        let (function, arguments) = match ty {
            Type::Reference { to, .. } => {
                return CheckCall {
                    function: check_name(to),
                    of,
                    arguments: Vec::new(),
                };
            }
            Type::List { items, .. } => return self.list(ty, items, of),
            Type::Tuple(slots) => {
                let of = slots.iter().map(|slot| self.function(slot)).collect();
                ("tuple", vec![CallArgument::Functions { of }])
            }
            Type::Map(slot) => ("map", vec![self.function(slot)]),
            Type::Constant(expected) => {
                let value = expected.into();
                ("constant", vec![CallArgument::Literal { value }])
            }
            Type::UnknownTag(known) => {
                let values = known
                    .iter()
                    .map(|tag| LiteralView::Text(tag.clone()))
                    .collect();
                ("unknownTag", vec![CallArgument::Literals { values }])
            }
            Type::Text { conditions, .. } => {
                let (function, arguments) = text(ty);
                return self.fitting(function, arguments, of, conditions);
            }
            Type::Integer(bounds) => ("integer", self.bounds(bounds)),
            Type::Number(bounds) => ("number", self.bounds(bounds)),
            Type::SplitText => ("splitText", Vec::new()),
            Type::Boolean => ("boolean", Vec::new()),
            Type::OpenObject => ("object", Vec::new()),
            Type::Any { nullable: true } => ("anything", Vec::new()),
            Type::Any { nullable: false } => ("notNull", Vec::new()),
        };
        CheckCall {
            function: self.runtime(function).to_owned(),
            of,
            arguments,
        }
    }

    /// A function that finds what is wrong with its argument.
    pub fn function(&mut self, slot: &Slot) -> CallArgument {
        let any = matches!(slot.ty, Type::Any { .. });
        if slot.nullable && any {
            let name = self.runtime("anything").to_owned();
            return CallArgument::Function { name };
        }
        let call = self.call(&slot.ty, "item");
        if slot.nullable {
            let call = Box::new(call);
            return CallArgument::LambdaOrNull { call };
        }
        if call.arguments.is_empty() {
            let name = call.function;
            return CallArgument::Function { name };
        }
        let call = Box::new(call);
        CallArgument::Lambda { call }
    }

    fn list(&mut self, ty: &Type, items: &Slot, of: &'static str) -> CheckCall {
        let check = self.function(items);
        let no_conditions = Vec::new();
        let conditions = match ty {
            Type::List { conditions, .. } => conditions,
            _ => &no_conditions,
        };
        let (function, arguments) = match ty {
            Type::List {
                minimum_items,
                maximum_items,
                unique,
                ..
            } if *unique || minimum_items.is_some() || maximum_items.is_some() => {
                let [minimum, maximum] = limits(*minimum_items, *maximum_items);
                // Only what is asked of is in the bundles of users, so each has a function of its own.
                let function = if *unique { "uniqueList" } else { "listWithin" };
                (function, vec![check, minimum, maximum])
            }
            _ => ("list", vec![check]),
        };
        self.fitting(function, arguments, of, conditions)
    }

    /// A call of a function of the runtime, with conditions that are asked after it.
    fn fitting(
        &mut self,
        function: &'static str,
        arguments: Vec<CallArgument>,
        of: &'static str,
        conditions: &[Condition],
    ) -> CheckCall {
        let function = self.runtime(function).to_owned();
        let call = |of| CheckCall {
            function,
            of,
            arguments,
        };
        if conditions.is_empty() {
            return call(of);
        }
        let call = Box::new(call("item"));
        let conditions = ConditionView::all(conditions, str::to_owned);
        CheckCall {
            function: self.runtime(FITTING).to_owned(),
            of,
            arguments: vec![
                CallArgument::Lambda { call },
                CallArgument::Conditions { conditions },
            ],
        }
    }

    fn bounds(&mut self, bounds: &Bounds) -> Vec<CallArgument> {
        if bounds.multiple_of.is_some() {
            self.runtime("multipleOf");
        }
        let bounds = bound_views(bounds);
        if bounds.is_empty() {
            return Vec::new();
        }
        vec![CallArgument::Bounds { bounds }]
    }
}

fn text(ty: &Type) -> (&'static str, Vec<CallArgument>) {
    match ty {
        Type::Text {
            pattern,
            minimum_length,
            maximum_length,
            ..
        } if is_constrained(ty) => {
            let mut arguments = limits(*minimum_length, *maximum_length).to_vec();
            let pattern = pattern.clone().map(LiteralView::Text);
            arguments.extend(pattern.map(|value| CallArgument::Literal { value }));
            ("textWithin", arguments)
        }
        _ => ("text", Vec::new()),
    }
}

/// Whether more is asked of a text than to be one.
fn is_constrained(ty: &Type) -> bool {
    let free = matches!(
        ty,
        Type::Text {
            pattern: None,
            minimum_length: None,
            maximum_length: None,
            ..
        }
    );
    !free
}

/// The least and the greatest length as arguments.
fn limits(minimum: Option<u64>, maximum: Option<u64>) -> [CallArgument; 2] {
    let maximum = maximum.map_or_else(|| "Infinity".to_owned(), |most| most.to_string());
    let minimum = minimum.unwrap_or(0).to_string();
    [minimum, maximum].map(|number| CallArgument::Number { number })
}

/// The bounds of a number by their names.
fn bound_views(bounds: &Bounds) -> Vec<BoundView> {
    let all = [
        ("minimum", &bounds.minimum),
        ("maximum", &bounds.maximum),
        ("exclusiveMinimum", &bounds.exclusive_minimum),
        ("exclusiveMaximum", &bounds.exclusive_maximum),
        ("multipleOf", &bounds.multiple_of),
    ];
    let given = all
        .into_iter()
        .filter_map(|(name, bound)| Some((name, bound.as_ref()?)));
    let views = given.map(|(name, bound)| BoundView {
        name,
        number: number_literal(bound),
        multiple: name == "multipleOf",
    });
    views.collect()
}

/// A number as a literal, without needless signs and zeros; an integer that no `number` is for certain
/// is a `bigint`.
fn number_literal(number: &Number) -> String {
    let text = number.to_string();
    if is_large(number) {
        return text + "n";
    }
    let text = text.to_ascii_lowercase().replace("e+", "e");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, ""));
    let digits = if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    };
    if exponent.trim_matches(['-', '0']).is_empty() {
        return digits.to_owned();
    }
    format!("{digits}e{exponent}")
}

/// Whether a number is an integer that no `number` is for certain.
fn is_large(number: &Number) -> bool {
    let text = number.to_string();
    let mut characters = text.bytes();
    let is_plain = characters.all(|byte| byte.is_ascii_digit() || byte == b'-');
    let value = number.as_i64();
    is_plain && value.is_none_or(|value| value.unsigned_abs() > MAX_SAFE)
}

/// Whether a bound is the last integer, in its direction, that a `number` holds for certain.
fn is_limit(bound: &Number) -> bool {
    let value = bound.as_i64();
    value.is_some_and(|value| value.unsigned_abs() == MAX_SAFE)
}

/// What is asked of a `number` in place beside its type: its bounds, but those that every integer
/// keeps which a `number` holds. None where it takes more than comparisons.
fn within(bounds: &Bounds, integer: bool) -> Option<Vec<BoundComparison>> {
    if bounds.multiple_of.is_some() {
        return None;
    }
    let comparisons = [
        (">=", &bounds.minimum),
        ("<=", &bounds.maximum),
        (">", &bounds.exclusive_minimum),
        ("<", &bounds.exclusive_maximum),
    ];
    let mut asked = Vec::new();
    for (operator, bound) in comparisons {
        let Some(bound) = bound else {
            continue;
        };
        let is_inclusive = operator.ends_with('=');
        if integer && (is_large(bound) || is_inclusive && is_limit(bound)) {
            let is_far = operator.starts_with('>') == bound.to_string().starts_with('-');
            is_far.then_some(())?;
            continue;
        }
        let bound = number_literal(bound);
        asked.push(BoundComparison { operator, bound });
    }
    Some(asked)
}
