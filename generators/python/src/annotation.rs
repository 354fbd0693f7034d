//! The annotation of a model type.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{Bounds, DefinitionKind, Ir, Literal, NamedDefinition, Slot, Type};
use regex::Regex;

use crate::imports::Imports;
use crate::literal::{literal, text};
use crate::names::{definition, type_name};

/// Writes annotations, and notes what they import.
#[derive(Debug)]
pub(crate) struct Annotations<'a> {
    pub(crate) ir: &'a Ir,
    pub(crate) imports: &'a Imports,
}

impl Annotations<'_> {
    /// The annotation of a type, `null` aside.
    pub(crate) fn of(&self, ty: &Type) -> Result<String, CodegenError> {
        Ok(match ty {
            Type::Reference { to, .. } => type_name(to),
            Type::List { .. } => self.list(ty)?,
            Type::Tuple(slots) => self.tuple(slots)?,
            Type::Map(values) => format!("dict[str, {}]", self.slot(values)?),
            Type::Constant(value) => self.constant(value),
            Type::UnknownTag(known) => {
                let known: Vec<String> = known.iter().map(|tag| text(tag)).collect();
                let marker = self.call("NoneOf", &known);
                self.annotated("str", &[marker])
            }
            Type::Text { .. } => self.text(ty)?,
            Type::SplitText => self.imports.name("SplitText"),
            Type::Boolean => "bool".to_owned(),
            Type::Integer(bounds) => self.number("Integer", "int", "WholeNumber", bounds),
            Type::Number(bounds) => self.number("Number", "float", "AnyNumber", bounds),
            Type::OpenObject => self.imports.name("JsonObject"),
            Type::Any { nullable: true } => self.imports.name("JsonValue"),
            Type::Any { nullable: false } => self.imports.name("NotNull"),
        })
    }

    /// The annotation of what lists and maps hold, and of members that are always there.
    pub(crate) fn slot(&self, slot: &Slot) -> Result<String, CodegenError> {
        self.nullable(&slot.ty, slot.nullable)
    }

    /// The annotation of a type that may be `null` as well.
    pub(crate) fn nullable(&self, ty: &Type, nullable: bool) -> Result<String, CodegenError> {
        let annotation = self.of(ty)?;
        Ok(if nullable && !self.holds_null(ty) {
            format!("{annotation} | None")
        } else {
            annotation
        })
    }

    /// The annotation of one definition of several.
    pub(crate) fn union(&self, arms: &[String], marker: String) -> String {
        self.annotated(&arms.join(" | "), &[marker])
    }

    /// `Annotated` with what pydantic has to know beside the type; the type itself if that is
    /// nothing.
    pub(crate) fn annotated(&self, annotation: &str, markers: &[String]) -> String {
        if markers.is_empty() {
            return annotation.to_owned();
        }
        let annotated = self.imports.name("Annotated");
        format!("{annotated}[{annotation}, {}]", markers.join(", "))
    }

    /// A call of something that is imported.
    pub(crate) fn call(&self, name: &'static str, arguments: &[String]) -> String {
        format!("{}({})", self.imports.name(name), arguments.join(", "))
    }

    /// Whether null is a value of the type.
    pub(crate) fn holds_null(&self, ty: &Type) -> bool {
        match ty {
            Type::Any { nullable } => *nullable,
            Type::Reference { to, .. } => match self.ir.definitions.get(to) {
                Some(NamedDefinition {
                    kind: DefinitionKind::Alias(ty),
                    ..
                }) => self.holds_null(ty),
                _ => false,
            },
            _ => false,
        }
    }

    /// `Literal` of some values.
    pub(crate) fn literals(&self, values: &[String]) -> String {
        format!("{}[{}]", self.imports.name("Literal"), values.join(", "))
    }

    fn constant(&self, value: &Literal) -> String {
        let literals = self.literals(&[literal(value)]);
        match value {
            // To Python, `True` and 1 are equal.
            Literal::Integer(_) | Literal::Boolean(_) => {
                let marker = self.call("ExactLiteral", &[]);
                self.annotated(&literals, &[marker])
            }
            Literal::Text(_) => literals,
        }
    }

    fn list(&self, ty: &Type) -> Result<String, CodegenError> {
        let Type::List {
            items,
            minimum_items,
            maximum_items,
            unique,
        } = ty
        else {
            return Ok(String::new());
        };
        let mut markers = Vec::new();
        markers.extend(self.field(&[
            argument("min_length", minimum_items.as_ref()),
            argument("max_length", maximum_items.as_ref()),
        ]));
        if *unique {
            markers.push(self.call("Unique", &[]));
        }
        Ok(self.annotated(&format!("list[{}]", self.slot(items)?), &markers))
    }

    fn tuple(&self, slots: &[Slot]) -> Result<String, CodegenError> {
        let slots: Result<Vec<String>, CodegenError> =
            slots.iter().map(|slot| self.slot(slot)).collect();
        let slots = slots?.join(", ");
        let slots = if slots.is_empty() { "()" } else { &slots };
        let marker = self.call("FromArray", &[]);
        Ok(self.annotated(&format!("tuple[{slots}]"), &[marker]))
    }

    fn text(&self, ty: &Type) -> Result<String, CodegenError> {
        let Type::Text {
            pattern,
            minimum_length,
            maximum_length,
            ..
        } = ty
        else {
            return Ok(String::new());
        };
        let pattern = pattern.as_deref().map(checked_pattern).transpose()?;
        let field = self.field(&[
            argument("pattern", pattern.as_ref()),
            argument("min_length", minimum_length.as_ref()),
            argument("max_length", maximum_length.as_ref()),
        ]);
        Ok(self.annotated("str", &Vec::from_iter(field)))
    }

    /// `Field` with the arguments that there are.
    fn field(&self, arguments: &[Option<String>]) -> Option<String> {
        let arguments: Vec<String> = arguments.iter().flatten().cloned().collect();
        (!arguments.is_empty()).then(|| self.call("Field", &arguments))
    }

    /// A number: the short name without limits, else the type with its limits.
    fn number(
        &self,
        short: &'static str,
        plain: &str,
        marker: &'static str,
        bounds: &Bounds,
    ) -> String {
        let limits = [
            argument("minimum", bounds.minimum.as_ref()),
            argument("maximum", bounds.maximum.as_ref()),
            argument("exclusive_minimum", bounds.exclusive_minimum.as_ref()),
            argument("exclusive_maximum", bounds.exclusive_maximum.as_ref()),
            argument("multiple_of", bounds.multiple_of.as_ref()),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        if limits.is_empty() {
            return self.imports.name(short);
        }
        let plain = if plain == "float" {
            self.imports.name("PlainNumber")
        } else {
            plain.to_owned()
        };
        let marker = self.call(marker, &limits);
        self.annotated(&plain, &[marker])
    }
}

/// A keyword argument, if there is a value for it.
fn argument(name: &str, value: Option<&impl std::fmt::Display>) -> Option<String> {
    value.map(|value| format!("{name}={value}"))
}

/// A pattern as a literal. It is compiled here once with the engine that pydantic uses, so that the
/// package cannot hold one that fails.
fn checked_pattern(pattern: &str) -> Result<String, CodegenError> {
    match Regex::new(pattern) {
        Ok(_) => Ok(text(pattern)),
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
