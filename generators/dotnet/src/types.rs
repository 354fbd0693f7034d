//! The C# type of a model type, and the functions that read and write it.

use std::collections::HashSet;

use chatstate_codegen::ConditionView;
use chatstate_schema_model::{Bounds, Condition, DefinitionKind, Literal, Slot, Type};
use serde_json::Number;

use crate::names::Names;
use crate::pattern::pattern;
use crate::used_names::USED_MEMBERS;
use crate::view::{
    ClassName, ItemReadView, ItemWriteView, LimitView, LiteralView, ReadView, TypeView, ValueView,
    WriteView,
};

/// What the values are of that C# has no type for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Values {
    /// Those of the runtime, which packages read and write.
    Exact,
    /// What C# has instead.
    Plain,
}

impl ValueView {
    fn text(read: ReadView) -> Self {
        Self {
            ty: TypeView::named("string"),
            is_struct: false,
            read,
            write: WriteView::Runtime { method: "Text" },
        }
    }

    /// A struct that the runtime reads and writes.
    fn of_struct(ty: &'static str, read: ReadView, write: &'static str) -> Self {
        Self {
            ty: TypeView::named(ty),
            is_struct: true,
            read,
            write: WriteView::Runtime { method: write },
        }
    }
}

impl ReadView {
    /// The same with conditions that are asked after it.
    fn fitting(self, conditions: &[Condition]) -> Self {
        if conditions.is_empty() {
            return self;
        }
        Self::Fitting {
            of: Box::new(self),
            conditions: ConditionView::all(conditions, pattern),
        }
    }
}

/// Makes C# types. `hidden` has the names of properties, which in an expression hide a type of the
/// same name.
pub(crate) struct CSharpTypes<'a> {
    pub names: &'a Names<'a>,
    pub hidden: HashSet<String>,
}

impl<'a> CSharpTypes<'a> {
    /// For a place without properties.
    pub fn new(names: &'a Names<'a>) -> Self {
        Self {
            names,
            hidden: HashSet::new(),
        }
    }

    /// The C# type of `ty`, `null` aside.
    pub fn of(&self, ty: &Type) -> ValueView {
        match ty {
            Type::Reference { to, .. } => self.reference(to),
            Type::List { .. } => self.list(ty),
            Type::Tuple(items) => self.tuple(items),
            Type::Map(values) => self.map(values),
            Type::Constant(value) => constant(value),
            Type::UnknownTag(known) => ValueView::text(ReadView::UnknownTag {
                known: known.clone(),
            }),
            Type::Text { .. } => ValueView::text(text(ty)),
            Type::SplitText => ValueView {
                write: WriteView::Runtime {
                    method: "SplitText",
                },
                ..ValueView::text(runtime("SplitText"))
            },
            Type::Boolean => ValueView::of_struct("bool", runtime("Boolean"), "Boolean"),
            Type::Integer(_) if self.names.values == Values::Plain => plain("long"),
            Type::Number(_) if self.names.values == Values::Plain => plain("double"),
            Type::Integer(bounds) => integer(bounds),
            Type::Number(bounds) => number(bounds, false),
            Type::OpenObject => open_object(),
            Type::Any { nullable } => {
                let read = runtime(if *nullable { "Any" } else { "NotNull" });
                ValueView::of_struct("JsonElement", read, "Any")
            }
        }
    }

    /// What a list or a map holds.
    pub fn slot(&self, slot: &Slot) -> ValueView {
        let value = self.of(&slot.ty);
        if !slot.nullable || self.holds_null(&slot.ty) {
            return value;
        }
        let ValueView {
            ty,
            is_struct,
            read,
            write,
        } = value;
        ValueView {
            ty: TypeView::Nullable { of: Box::new(ty) },
            is_struct,
            read: ReadView::NullOr {
                is_struct,
                of: Box::new(read),
            },
            write: WriteView::NullOr {
                of: Box::new(write),
            },
        }
    }

    /// Whether the C# type has a value for null of its own.
    pub fn holds_null(&self, ty: &Type) -> bool {
        match ty {
            Type::Any { nullable } => *nullable,
            Type::Reference { to, .. } => self.names.takes_null(to),
            _ => false,
        }
    }

    /// A name for the type of a definition that means it in an expression, too.
    pub fn expression(&self, definition: &str) -> ClassName {
        let name = self.names.definition(definition);
        let is_hidden = self.hidden.contains(&name) || USED_MEMBERS.contains(&name.as_str());
        let namespace = is_hidden.then(|| self.names.namespace.clone());
        ClassName { namespace, name }
    }

    fn reference(&self, to: &str) -> ValueView {
        let class = self.expression(to);
        let read = ReadView::Definition(class.clone());
        match self.names.kind(to) {
            Some(DefinitionKind::Alias(ty)) if is_inline(ty) => ValueView {
                read,
                write: WriteView::Definition(class),
                ..self.of(ty)
            },
            kind => ValueView {
                ty: TypeView::named(self.names.definition(to)),
                is_struct: matches!(kind, Some(DefinitionKind::Enumeration(_))),
                read,
                write: WriteView::Runtime { method: "Value" },
            },
        }
    }

    fn list(&self, ty: &Type) -> ValueView {
        let Type::List {
            items,
            minimum_items,
            maximum_items,
            unique,
            conditions,
        } = ty
        else {
            return self.of(ty);
        };
        let ValueView {
            ty, read, write, ..
        } = self.slot(items);
        let limits = [
            ("minimum", length(*minimum_items)),
            ("maximum", length(*maximum_items)),
            ("unique", unique.then_some(LiteralView::Boolean(true))),
        ];
        ValueView {
            ty: TypeView::List { of: Box::new(ty) },
            is_struct: false,
            read: ReadView::List {
                of: Box::new(read),
                limits: there(limits),
            }
            .fitting(conditions),
            write: WriteView::List {
                of: Box::new(write),
            },
        }
    }

    fn map(&self, values: &Slot) -> ValueView {
        let ValueView {
            ty, read, write, ..
        } = self.slot(values);
        ValueView {
            ty: TypeView::Map { of: Box::new(ty) },
            is_struct: false,
            read: ReadView::Map { of: Box::new(read) },
            write: WriteView::Map {
                of: Box::new(write),
            },
        }
    }

    fn tuple(&self, items: &[Slot]) -> ValueView {
        let count = items.len();
        let (mut types, mut reads, mut writes) = (Vec::new(), Vec::new(), Vec::new());
        for (index, slot) in items.iter().enumerate() {
            let ValueView {
                ty, read, write, ..
            } = self.slot(slot);
            types.push(ty);
            reads.push(ItemReadView { index, count, read });
            let position = index + 1;
            writes.push(ItemWriteView { position, write });
        }
        let (ty, read) = match (types.as_slice(), reads.as_slice()) {
            ([], _) => (TypeView::named("ValueTuple"), runtime("Nothing")),
            ([ty], [item]) => single(ty, &item.read),
            _ => (TypeView::Tuple { of: types }, ReadView::Tuple { of: reads }),
        };
        ValueView {
            ty,
            is_struct: true,
            read,
            write: WriteView::Tuple { of: writes },
        }
    }
}

/// A tuple of one.
fn single(ty: &TypeView, read: &ReadView) -> (TypeView, ReadView) {
    let read = ReadView::Single {
        ty: ty.clone(),
        of: Box::new(read.clone()),
    };
    let of = Box::new(ty.clone());
    (TypeView::Single { of }, read)
}

/// Whether an alias of a type is that type in C#, and not a class of its own.
pub(crate) fn is_inline(ty: &Type) -> bool {
    !matches!(ty, Type::List { .. } | Type::Map(_))
}

/// A number of C#, in declarations that neither read nor write.
fn plain(ty: &'static str) -> ValueView {
    ValueView::of_struct(ty, runtime("Number"), "Number")
}

fn runtime(method: &'static str) -> ReadView {
    ReadView::Runtime { method }
}

fn open_object() -> ValueView {
    let of = Box::new(TypeView::named("JsonElement"));
    ValueView {
        ty: TypeView::Map { of },
        is_struct: false,
        read: runtime("OpenObject"),
        write: WriteView::Runtime {
            method: "OpenObject",
        },
    }
}

fn constant(value: &Literal) -> ValueView {
    let (ty, is_struct) = match value {
        Literal::Text(_) => ("string", false),
        Literal::Boolean(_) => ("bool", true),
        Literal::Integer(_) => ("long", true),
    };
    let value = LiteralView::from(value);
    ValueView {
        ty: TypeView::named(ty),
        is_struct,
        read: ReadView::Constant {
            value: value.clone(),
        },
        write: WriteView::Constant { value },
    }
}

fn text(ty: &Type) -> ReadView {
    let Type::Text {
        pattern: matched,
        minimum_length,
        maximum_length,
        conditions,
        ..
    } = ty
    else {
        return runtime("Text");
    };
    let matched = matched.as_deref();
    let limits = there([
        ("minimum", length(*minimum_length)),
        ("maximum", length(*maximum_length)),
        (
            "pattern",
            matched.map(|text| LiteralView::Text(pattern(text))),
        ),
    ]);
    let read = if limits.is_empty() {
        runtime("Text")
    } else {
        ReadView::Text { limits }
    };
    read.fitting(conditions)
}

/// An integer that has bounds on both sides is a `long`; any other may be of any size.
fn integer(bounds: &Bounds) -> ValueView {
    let Some((minimum, maximum)) = range(bounds) else {
        return number(bounds, true);
    };
    let others = Bounds {
        minimum: None,
        maximum: None,
        ..bounds.clone()
    };
    let read = ReadView::Integer {
        minimum,
        maximum,
        limits: bound_limits(&others),
    };
    ValueView::of_struct("long", read, "Integer")
}

fn number(bounds: &Bounds, whole: bool) -> ValueView {
    let limits = bound_limits(bounds);
    let read = match (limits.is_empty(), whole) {
        (true, false) => runtime("Number"),
        (true, true) => runtime("WholeNumber"),
        (false, false) => ReadView::Number { limits },
        (false, true) => ReadView::WholeNumber { limits },
    };
    ValueView::of_struct("JsonNumber", read, "Number")
}

/// The least and the greatest value of an integer that has both.
fn range(bounds: &Bounds) -> Option<(i64, i64)> {
    let whole = |bound: &Option<Number>| bound.as_ref().and_then(Number::as_i64);
    Some((whole(&bounds.minimum)?, whole(&bounds.maximum)?))
}

fn bound_limits(bounds: &Bounds) -> Vec<LimitView> {
    let text = |bound: &Option<Number>| {
        let bound = bound.as_ref();
        bound.map(|bound| LiteralView::Text(bound.to_string()))
    };
    there([
        ("minimum", text(&bounds.minimum)),
        ("maximum", text(&bounds.maximum)),
        ("exclusiveMinimum", text(&bounds.exclusive_minimum)),
        ("exclusiveMaximum", text(&bounds.exclusive_maximum)),
        ("multipleOf", text(&bounds.multiple_of)),
    ])
}

/// A length as a `long`, beyond which no text and no list is.
fn length(length: Option<u64>) -> Option<LiteralView> {
    let length = length.map(|length| length.min(i64::MAX.unsigned_abs()));
    length.map(|length| LiteralView::Number(length.to_string()))
}

/// The limits that there are.
fn there<const N: usize>(all: [(&'static str, Option<LiteralView>); N]) -> Vec<LimitView> {
    let all = all.into_iter();
    all.filter_map(|(name, value)| value.map(|value| LimitView { name, value }))
        .collect()
}
