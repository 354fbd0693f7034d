//! Expressions of the generated code, and how they are broken over lines.

use super::document::{Doc, concat, group, group_if, indent, join, text};
use super::reader::Reader;

/// An expression, as far as it matters for lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expression {
    /// What has no place where a line may end.
    Atom(String),
    /// A comparison, which has none either where it is short.
    Comparison(String),
    Array(Vec<Expression>),
    Object(Vec<(String, Expression)>),
    Call {
        function: String,
        arguments: Vec<Expression>,
    },
    Arrow {
        parameters: String,
        body: Box<Expression>,
    },
    Conditional {
        test: Box<Expression>,
        yes: Box<Expression>,
        no: Box<Expression>,
    },
    /// Operands with one operator between them.
    Logical {
        operator: &'static str,
        operands: Vec<Expression>,
    },
    Parenthesized(Box<Expression>),
    /// A call of a member of an expression, such as `.within`.
    MemberCall {
        of: Box<Expression>,
        member: String,
        arguments: Vec<Expression>,
    },
    /// An expression with `as const` after it.
    AsConst(Box<Expression>),
}

use Expression::{
    Array, Arrow, AsConst, Atom, Call, Comparison, Conditional, Logical, MemberCall, Object,
    Parenthesized,
};

impl Expression {
    /// Reads an expression; none where it has a form that generated code does not have.
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        if let Some(parameters) = reader.arrow() {
            let body = Box::new(Self::read(reader)?);
            return Some(Arrow { parameters, body });
        }
        let test = Self::logical(reader)?;
        if !reader.skip(" ? ") {
            return Some(test);
        }
        let yes = Self::read(reader)?;
        if !reader.skip(" : ") {
            return None;
        }
        let no = Self::read(reader)?;
        Some(Conditional {
            test: Box::new(test),
            yes: Box::new(yes),
            no: Box::new(no),
        })
    }

    fn logical(reader: &mut Reader<'_>) -> Option<Self> {
        let first = Self::operand(reader)?;
        let Some(operator) = [" || ", " && "].into_iter().find(|it| reader.is_at(it)) else {
            return Some(first);
        };
        let mut operands = vec![first];
        while reader.skip(operator) {
            operands.push(Self::operand(reader)?);
        }
        Some(Logical {
            operator: operator.trim(),
            operands,
        })
    }

    fn operand(reader: &mut Reader<'_>) -> Option<Self> {
        let operand = if reader.is_at("[") {
            Array(reader.listed("[", "]", Self::read)?)
        } else if reader.is_at("{ ") {
            Object(reader.listed("{ ", " }", Self::property)?)
        } else if reader.skip("(") {
            let of = Self::read(reader)?;
            if !reader.skip(")") {
                return None;
            }
            Parenthesized(Box::new(of))
        } else {
            Self::atom_or_call(reader)?
        };
        if reader.skip(" as const") {
            return Some(AsConst(Box::new(operand)));
        }
        let Some(member) = reader.member() else {
            return Some(operand);
        };
        Some(MemberCall {
            of: Box::new(operand),
            member,
            arguments: reader.listed("(", ")", Self::read)?,
        })
    }

    fn property(reader: &mut Reader<'_>) -> Option<(String, Self)> {
        let name = reader.until(": ")?;
        Some((name, Self::read(reader)?))
    }

    fn atom_or_call(reader: &mut Reader<'_>) -> Option<Self> {
        let function = reader.atom()?;
        if !reader.is_at("(") {
            let operators = [" === ", " >= ", " <= ", " > ", " < "];
            let is_comparison = operators.iter().any(|it| function.contains(it));
            return Some(if is_comparison {
                Comparison(function)
            } else {
                Atom(function)
            });
        }
        let arguments = reader.listed("(", ")", Self::read)?;
        Some(Call {
            function,
            arguments,
        })
    }

    /// Its layouts.
    pub(super) fn doc(&self) -> Doc {
        match self {
            Atom(atom) | Comparison(atom) => text(atom.as_str()),
            Array(items) => array(items),
            Object(properties) => object(properties),
            Call {
                function,
                arguments,
            } => concat([text(function.as_str()), call(arguments)]),
            Arrow { parameters, body } => arrow(parameters, arrow_body(body), false),
            Conditional { test, yes, no } => conditional(test.doc(), yes, no),
            Logical { operator, operands } => group(logical(operator, operands, |rest| rest)),
            Parenthesized(of) => concat([text("("), nested(of), text(")")]),
            MemberCall {
                of,
                member,
                arguments,
            } => concat([of.doc(), text(member.as_str()), call(arguments)]),
            AsConst(of) => concat([of.doc(), text(" as const")]),
        }
    }

    /// Its layouts after `return`, where the operands of a condition are indented.
    pub(super) fn returned_doc(&self) -> Doc {
        match self {
            Conditional { test, yes, no } => conditional(nested(test), yes, no),
            other => other.doc(),
        }
    }

    /// Whether it has an operator between two operands, at which the value of an assignment is not
    /// broken before it begins on a line of its own.
    fn is_binary(&self) -> bool {
        matches!(self, Logical { .. } | Comparison(_))
    }

    /// Whether the value of an assignment gets a line of its own before it is broken.
    pub(super) fn begins_on_a_line_of_its_own(&self) -> bool {
        match self {
            Conditional { test, .. } => test.is_binary(),
            Atom(_) | Comparison(_) | Logical { .. } => true,
            Call {
                function,
                arguments,
            } => is_hardly_breakable(function, arguments),
            _ => false,
        }
    }

    /// Whether an argument may begin in the line of the call and end in its last.
    fn may_hug(&self) -> bool {
        match self {
            Array(items) => !items.is_empty(),
            Object(properties) => !properties.is_empty(),
            Arrow { body, .. } => matches!(
                body.unparenthesized(),
                Array(_) | Object(_) | Conditional { .. } | Call { .. }
            ),
            _ => false,
        }
    }

    /// Its layouts as the last argument of a call: on lines of its own, and begun in that of the call.
    fn as_argument(&self) -> (Doc, Doc) {
        match self {
            Arrow { parameters, body } => {
                let body = arrow_body(body);
                (
                    arrow(parameters, body.clone(), false),
                    arrow(parameters, body, true),
                )
            }
            other => {
                let doc = other.doc();
                (doc.clone(), doc)
            }
        }
    }

    fn unparenthesized(&self) -> &Self {
        match self {
            Parenthesized(of) => of,
            other => other,
        }
    }

    fn is_number(&self) -> bool {
        match self {
            Atom(atom) => atom.parse::<f64>().is_ok(),
            _ => false,
        }
    }
}

/// An array, each of whose items has a line if they do not fit in one, or if all of them are lists, or
/// objects, of several parts.
fn array(items: &[Expression]) -> Doc {
    if items.is_empty() {
        return text("[]");
    }
    let of = items.iter().map(Expression::doc);
    let of = if items.iter().all(Expression::is_number) {
        Doc::Fill(of.collect())
    } else {
        join(&[text(","), Doc::Line], of)
    };
    let all = |several: fn(&Expression) -> bool| items.len() > 1 && items.iter().all(several);
    let broken = all(|item| matches!(item, Array(items) if items.len() > 1))
        || all(|item| matches!(item, Object(properties) if properties.len() > 1));
    let last = Doc::IfBroken(",");
    group_if(
        broken,
        [
            text("["),
            indent([Doc::SoftLine, of, last]),
            Doc::SoftLine,
            text("]"),
        ],
    )
}

fn object(properties: &[(String, Expression)]) -> Doc {
    let of = properties
        .iter()
        .map(|(name, value)| concat([text(format!("{name}: ")), value.doc()]));
    let of = join(&[text(","), Doc::Line], of);
    let last = Doc::IfBroken(",");
    group([
        text("{"),
        indent([Doc::Line, of, last]),
        Doc::Line,
        text("}"),
    ])
}

/// The arguments of a call: in one line, or only the last of them broken, or each on a line.
fn call(arguments: &[Expression]) -> Doc {
    let Some((last, others)) = arguments.split_last() else {
        return text("()");
    };
    let (plain, hugged) = last.as_argument();
    let mut docs: Vec<Doc> = others.iter().map(Expression::doc).collect();
    let before = docs.iter().flat_map(|doc| [doc.clone(), text(", ")]);
    let before = concat(before);
    docs.push(plain);
    let any_broken = docs.iter().any(Doc::is_broken);
    let each_on_a_line = |broken| {
        let of = join(&[text(","), Doc::Line], docs.iter().cloned());
        let of = indent([Doc::SoftLine, of, Doc::IfBroken(",")]);
        group_if(broken, [text("("), of, Doc::SoftLine, text(")")])
    };
    if before.is_broken() || !hugs(last, others) {
        return each_on_a_line(any_broken);
    }
    let with = |last: Doc| concat([text("("), before.clone(), last, text(")")]);
    let in_one_line = (!hugged.is_broken()).then(|| with(hugged.clone()));
    let broken = [with(group_if(true, [hugged])), each_on_a_line(true)];
    Doc::OneOf(in_one_line.into_iter().chain(broken).collect())
}

/// Whether the last argument may begin in the line of the call.
fn hugs(last: &Expression, others: &[Expression]) -> bool {
    let same_kind =
        |other: &Expression| std::mem::discriminant(other) == std::mem::discriminant(last);
    let numbers = matches!(last, Array(items) if items.iter().all(Expression::is_number));
    let after_arrow = matches!((others, last), ([Arrow { .. }], Array(_)));
    let is_kept_apart = after_arrow || numbers || others.last().is_some_and(same_kind);
    last.may_hug() && (others.is_empty() || !is_kept_apart)
}

/// What a function of one expression has after its arrow, with the place before it.
#[derive(Clone)]
enum ArrowBody {
    /// It begins in the line of the arrow.
    Begun(Doc),
    Indented(Doc),
}

fn arrow_body(body: &Expression) -> ArrowBody {
    ArrowBody::Indented(match body {
        Array(_) | Object(_) => return ArrowBody::Begun(body.doc()),
        Parenthesized(of) if matches!(**of, Conditional { .. }) => {
            concat([Doc::IfFlat("("), of.doc(), Doc::IfFlat(")")])
        }
        other => other.doc(),
    })
}

/// A function of one expression; `hugged` where it is the last argument of a call.
fn arrow(parameters: &str, body: ArrowBody, hugged: bool) -> Doc {
    let head = concat([text(parameters), text(" =>")]);
    match body {
        ArrowBody::Begun(body) => group([head, text(" "), body]),
        ArrowBody::Indented(body) => {
            let end = hugged.then_some(concat([Doc::IfBroken(","), Doc::SoftLine]));
            group([head, indent([Doc::Line, body])].into_iter().chain(end))
        }
    }
}

fn conditional(test: Doc, yes: &Expression, no: &Expression) -> Doc {
    let branch = |sign: &str, of: &Expression| {
        concat([Doc::Line, text(format!("{sign} ")), indent([of.doc()])])
    };
    group([test, indent([branch("?", yes), branch(":", no)])])
}

/// Operands with their operators, each but the first on a line if they do not fit in one.
fn logical(operator: &str, operands: &[Expression], lay_out_rest: impl Fn(Doc) -> Doc) -> Vec<Doc> {
    let mut docs = operands.iter().map(Expression::doc);
    let first = docs.next();
    let rest = docs.flat_map(|operand| [text(format!(" {operator}")), Doc::Line, operand]);
    let rest = lay_out_rest(concat(rest));
    first.into_iter().chain([rest]).collect()
}

/// What is in parentheses; the operands of an operator are indented there.
fn nested(of: &Expression) -> Doc {
    match of {
        Logical { operator, operands } => group(logical(operator, operands, |rest| indent([rest]))),
        other => other.doc(),
    }
}

/// Whether a call has too short an argument to be broken in its parentheses.
fn is_hardly_breakable(function: &str, arguments: &[Expression]) -> bool {
    /// A quarter of the width of a line.
    const SHORT: usize = super::document::WIDTH / 4;
    if function.contains('<') || function.contains("new ") {
        return false;
    }
    match arguments {
        [] => true,
        [Atom(argument)] => {
            let is_name = argument
                .chars()
                .all(|character| character.is_alphanumeric() || "_$".contains(character));
            is_name && argument.chars().count() <= SHORT
        }
        _ => false,
    }
}
