//! The annotation of a model type.

use std::fmt::Display;

use chatstate_codegen::{CodegenError, ConditionView};
use chatstate_schema_model::{
    Bounds, Condition, DefinitionKind, Ir, Literal, NamedDefinition, Slot, Type,
};
use regex::Regex;

use crate::imports::Imports;
use crate::names::{TypeNames, definition};
use crate::view::{Annotation, CallArgument, LiteralView, Marker};

/// Makes annotations, and notes what they import.
#[derive(Debug)]
pub(crate) struct Annotations<'a> {
    pub(crate) ir: &'a Ir,
    pub(crate) types: &'a TypeNames<'a>,
    pub(crate) imports: &'a Imports<'a>,
}

impl Annotations<'_> {
    /// The annotation of a type, `null` aside.
    pub(crate) fn of(&self, ty: &Type) -> Result<Annotation, CodegenError> {
        let imported = |name| Ok(Annotation::named(self.imports.name(name)));
        match ty {
            Type::Reference { to, .. } => Ok(Annotation::named(self.types.annotated(to))),
            Type::List { .. } => self.list(ty),
            Type::Tuple(slots) => self.tuple(slots),
            Type::Map(values) => Ok(Annotation::Map {
                of: Box::new(self.slot(values)?),
            }),
            Type::Constant(value) => Ok(self.constant(value)),
            Type::UnknownTag(known) => {
                let known = known.iter().map(|tag| LiteralView::Text(tag.clone()));
                let marker = self.marker("NoneOf", known);
                Ok(self.annotated(Annotation::named("str"), vec![marker]))
            }
            Type::Text { .. } => self.text(ty),
            Type::SplitText => imported("SplitText"),
            Type::Boolean => Ok(Annotation::named("bool")),
            Type::Integer(bounds) => Ok(self.integer(bounds)),
            Type::Number(bounds) => Ok(self.number(bounds)),
            Type::OpenObject => imported("JsonObject"),
            Type::Any { nullable: true } => imported("JsonValue"),
            Type::Any { nullable: false } => imported("NotNull"),
        }
    }

    /// The annotation of what lists and maps hold, and of members that are always there.
    pub(crate) fn slot(&self, slot: &Slot) -> Result<Annotation, CodegenError> {
        self.nullable(&slot.ty, slot.nullable)
    }

    /// The annotation of a type that may be `null` as well.
    pub(crate) fn nullable(&self, ty: &Type, nullable: bool) -> Result<Annotation, CodegenError> {
        let annotation = self.of(ty)?;
        Ok(if nullable && !self.holds_null(ty) {
            let of = Box::new(annotation);
            Annotation::Nullable { of }
        } else {
            annotation
        })
    }

    /// One of several types; a type more is a line more, and changes no other.
    pub(crate) fn union(&self, of: Vec<Annotation>) -> Annotation {
        match <[Annotation; 1]>::try_from(of) {
            Ok([only]) => only,
            Err(of) => Annotation::Union {
                name: self.imports.name("Union"),
                of,
            },
        }
    }

    /// An annotation where Python has a value. There, type checkers know no `|` after `Annotated`.
    pub(crate) fn as_value(&self, annotation: Annotation) -> Annotation {
        match annotation {
            Annotation::Nullable { of } => Annotation::Optional {
                name: self.imports.name("Optional"),
                of,
            },
            other => other,
        }
    }

    /// A type with what pydantic has to know beside it; the type itself if that is nothing.
    pub(crate) fn annotated(&self, of: Annotation, markers: Vec<Marker>) -> Annotation {
        if markers.is_empty() {
            return of;
        }
        Annotation::Annotated {
            name: self.imports.name("Annotated"),
            of: Box::new(of),
            markers,
        }
    }

    /// A call of something that is imported, with values.
    pub(crate) fn marker(
        &self,
        name: &'static str,
        values: impl IntoIterator<Item = LiteralView>,
    ) -> Marker {
        let values = values.into_iter();
        let arguments = values.map(|value| CallArgument { name: None, value });
        Marker {
            name: self.imports.name(name),
            arguments: arguments.collect(),
        }
    }

    /// A call with the arguments by keyword that there are; nothing if there is none.
    pub(crate) fn described<const COUNT: usize>(
        &self,
        name: &'static str,
        arguments: [Option<CallArgument>; COUNT],
    ) -> Option<Marker> {
        let arguments: Vec<CallArgument> = arguments.into_iter().flatten().collect();
        (!arguments.is_empty()).then(|| Marker {
            name: self.imports.name(name),
            arguments,
        })
    }

    /// Whether null is a value of the type.
    pub(crate) fn holds_null(&self, ty: &Type) -> bool {
        holds_null(self.ir, ty)
    }

    /// `Literal` of some values.
    pub(crate) fn literals<'v>(&self, values: impl IntoIterator<Item = &'v Literal>) -> Annotation {
        Annotation::Literals {
            name: self.imports.name("Literal"),
            values: values.into_iter().map(value).collect(),
        }
    }

    fn constant(&self, value: &Literal) -> Annotation {
        let literals = self.literals([value]);
        match value {
            // To Python, `True` and 1 are equal.
            Literal::Integer(_) | Literal::Boolean(_) => {
                let marker = self.marker("ExactLiteral", []);
                self.annotated(literals, vec![marker])
            }
            Literal::Text(_) => literals,
        }
    }

    fn list(&self, ty: &Type) -> Result<Annotation, CodegenError> {
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
        let limits = [
            number("min_length", minimum_items.as_ref()),
            number("max_length", maximum_items.as_ref()),
        ];
        let mut markers = Vec::from_iter(self.described("Field", limits));
        if *unique {
            markers.push(self.marker("Unique", []));
        }
        markers.extend(self.fitting(conditions));
        let of = Box::new(self.slot(items)?);
        Ok(self.annotated(Annotation::List { of }, markers))
    }

    fn tuple(&self, slots: &[Slot]) -> Result<Annotation, CodegenError> {
        let of = slots.iter().map(|slot| self.slot(slot));
        let of = of.collect::<Result<_, _>>()?;
        let marker = self.marker("FromArray", []);
        Ok(self.annotated(Annotation::Tuple { of }, vec![marker]))
    }

    fn text(&self, ty: &Type) -> Result<Annotation, CodegenError> {
        let Type::Text {
            pattern,
            minimum_length,
            maximum_length,
            conditions,
            ..
        } = ty
        else {
            return self.of(ty);
        };
        let pattern = pattern.as_deref().map(checked_pattern).transpose()?;
        let field = self.described(
            "Field",
            [
                pattern.map(|pattern| CallArgument {
                    name: Some("pattern"),
                    value: LiteralView::Text(pattern),
                }),
                number("min_length", minimum_length.as_ref()),
                number("max_length", maximum_length.as_ref()),
            ],
        );
        let markers = field.into_iter().chain(self.fitting(conditions));
        Ok(self.annotated(Annotation::named("str"), markers.collect()))
    }

    /// What asks conditions.
    fn fitting(&self, conditions: &[Condition]) -> Vec<Marker> {
        let conditions = ConditionView::all(conditions, str::to_owned).into_iter();
        let markers = conditions.map(|asked| {
            let values = [asked.keyword, asked.pointer, asked.predicate];
            self.marker("Fitting", values.map(LiteralView::Text))
        });
        markers.collect()
    }

    /// A whole number: the short name without limits, else the type with its limits.
    fn integer(&self, bounds: &Bounds) -> Annotation {
        match self.described("WholeNumber", limits(bounds)) {
            None => Annotation::named(self.imports.name("Integer")),
            Some(marker) => self.annotated(Annotation::named("int"), vec![marker]),
        }
    }

    /// A number in the same way.
    fn number(&self, bounds: &Bounds) -> Annotation {
        match self.described("AnyNumber", limits(bounds)) {
            None => Annotation::named(self.imports.name("Number")),
            Some(marker) => {
                let plain = Annotation::named(self.imports.name("PlainNumber"));
                self.annotated(plain, vec![marker])
            }
        }
    }
}

/// Whether null is a value of a type.
pub(crate) fn holds_null(ir: &Ir, ty: &Type) -> bool {
    match ty {
        Type::Any { nullable } => *nullable,
        Type::Reference { to, .. } => match ir.definitions.get(to) {
            Some(NamedDefinition {
                kind: DefinitionKind::Alias(ty),
                ..
            }) => holds_null(ir, ty),
            _ => false,
        },
        _ => false,
    }
}

/// A value that the schema spells out.
pub(crate) fn value(literal: &Literal) -> LiteralView {
    match literal {
        Literal::Boolean(value) => LiteralView::Boolean(*value),
        Literal::Integer(value) => LiteralView::Number(value.to_string()),
        Literal::Text(value) => LiteralView::Text(value.clone()),
    }
}

fn limits(bounds: &Bounds) -> [Option<CallArgument>; 5] {
    [
        number("minimum", bounds.minimum.as_ref()),
        number("maximum", bounds.maximum.as_ref()),
        number("exclusive_minimum", bounds.exclusive_minimum.as_ref()),
        number("exclusive_maximum", bounds.exclusive_maximum.as_ref()),
        number("multiple_of", bounds.multiple_of.as_ref()),
    ]
}

/// A number as an argument by keyword, if there is one.
fn number(name: &'static str, value: Option<&impl Display>) -> Option<CallArgument> {
    let name = Some(name);
    value.map(|value| CallArgument {
        name,
        value: LiteralView::Number(value.to_string()),
    })
}

/// A pattern, which is compiled here once with the engine that pydantic uses, so that the package
/// cannot hold one that fails.
pub(crate) fn checked_pattern(pattern: &str) -> Result<String, CodegenError> {
    match Regex::new(pattern) {
        Ok(_) => Ok(pattern.to_owned()),
        Err(error) => Err(CodegenError::Inexpressible {
            message: format!("pydantic does not know the pattern `{pattern}`: {error}"),
            place: "a `pattern`".to_owned(),
            help: "write it without look-around and back references".to_owned(),
        }),
    }
}

/// The type that an alias, or an alias of an alias, stands for.
pub(crate) fn resolved<'a>(ir: &'a Ir, ty: &'a Type) -> Result<&'a Type, CodegenError> {
    // Aliases cannot go round in circles; the front end rejects that.
    let mut ty = ty;
    while let Type::Reference { to, .. } = ty
        && let DefinitionKind::Alias(inner) = &definition(ir, to)?.kind
    {
        if matches!(inner, Type::Reference { to: next, .. } if next == to) {
            break;
        }
        ty = inner;
    }
    Ok(ty)
}
