//! The schema as tables of `chatstate::definition`.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{
    Bounds, DefinitionKind, Ir, MemberDefinition, NamedDefinition, Others, Slot, Type,
};
use proc_macro2::TokenStream;
use quote::quote;

use crate::check::{count, integer, pattern, whole};
use crate::docs::above;
use crate::names::Names;
use crate::reader::goes_deeper;
use crate::types::{holds_null, range};

/// The static table of every definition, the list of all, and the list of the roots.
pub(crate) fn tables(ir: &Ir, names: &Names) -> Result<TokenStream, CodegenError> {
    let definitions = ir.definitions.values();
    let tables = definitions.map(|definition| table(definition, names));
    let tables = tables.collect::<Result<Vec<_>, _>>()?;
    let all = ir.definitions.keys().map(|name| names.table(name));
    let roots = ir.roots().map(|name| names.table(name));
    let keys = ir.definitions.keys();
    let types = keys.clone().map(|name| names.definition(name));
    Ok(quote! {
        use chatstate_json::{self as json, Rejection};
        use crate::definition::{Constraint, Definition, Member, Shape};
        /// The definitions that documents are made of, in the order of the schema files.
        pub static ROOTS: &[&Definition] = &[#(&#roots),*];
        /// All definitions, in the order of the schema files.
        pub static DEFINITIONS: &[&Definition] = &[#(&#all),*];
        /// Reads JSON text as the definition called `name` and writes what was read; `None` if there
        /// is no such definition.
        #[must_use]
        pub fn read_and_write(name: &str, text: &str) -> Option<Result<String, Rejection>> {
            Some(match name {
                #(#keys => json::read_and_write::<super::#types>(text),)*
                _ => return None,
            })
        }
        #(#tables)*
    })
}

fn table(definition: &NamedDefinition, names: &Names) -> Result<TokenStream, CodegenError> {
    let name = &definition.name;
    let table = names.table(name);
    let above = above(&format!("`{name}`: {}", definition.doc), false);
    let file = &definition.schema;
    let shape = definition_shape(definition, names)?;
    Ok(quote! {
        #above
        pub static #table: Definition = Definition { name: #name, file: #file, shape: #shape };
    })
}

fn definition_shape(
    definition: &NamedDefinition,
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    Ok(match &definition.kind {
        DefinitionKind::Object(object) => {
            let is_asked = object.present.is_some() || !object.conditions.is_empty();
            if object.others != Others::Kept || is_asked {
                return Err(no_words(
                    "an object whose further members are not kept as they are",
                ));
            }
            let members = object.members.iter();
            let members = members.map(|member| member_table(definition, member, names));
            let members = members.collect::<Result<Vec<_>, _>>()?;
            quote!(Shape::Object(&[#(#members),*]))
        }
        DefinitionKind::Union(union) => {
            let (tag, arms) = (&union.tag, &union.arms);
            let tags = arms.iter().map(|arm| &arm.tag);
            let tables = arms.iter().map(|arm| names.table(&arm.definition));
            let unknown = union.unknown.as_ref().map(|name| names.table(name));
            let unknown = option(unknown.map(|table| quote!(&#table)));
            quote!(Shape::Union { tag: #tag, arms: &[#((#tags, &#tables)),*], unknown: #unknown })
        }
        DefinitionKind::Kinds(arms) => {
            let arms = arms.iter().map(|arm| shape(&arm.ty, names));
            let arms = arms.collect::<Result<Vec<_>, _>>()?;
            quote!(Shape::Kinds(&[#(#arms),*]))
        }
        DefinitionKind::Enumeration(enumeration) => {
            let values = enumeration
                .texts()
                .ok_or_else(|| no_words("an enumeration of integers"))?;
            let open = enumeration.open;
            quote!(Shape::Enumeration { values: &[#(#values),*], open: #open })
        }
        DefinitionKind::Alternatives(_) => {
            return Err(no_words("a union that nothing tells apart"));
        }
        DefinitionKind::Alias(ty) => shape(ty, names)?,
    })
}

fn member_table(
    definition: &NamedDefinition,
    member: &MemberDefinition,
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let MemberDefinition {
        name,
        required,
        nullable,
        ..
    } = member;
    let shape = shape(&member.ty, names)?;
    let recursive = definition.recursive && goes_deeper(&member.ty, names);
    let default = member.default.as_ref().map(ToString::to_string);
    let default = option(default.map(|text| quote!(#text)));
    Ok(quote!(Member {
        name: #name,
        shape: #shape,
        required: #required,
        nullable: #nullable,
        recursive: #recursive,
        default: #default,
    }))
}

fn shape(ty: &Type, names: &Names) -> Result<TokenStream, CodegenError> {
    let shape = match ty {
        Type::Reference { to, .. } => {
            let table = names.table(to);
            quote!(Shape::Reference(&#table))
        }
        Type::List { items, .. } => {
            let items = slot(items, names)?;
            quote!(Shape::List(&#items))
        }
        Type::Map(values) => {
            let values = slot(values, names)?;
            quote!(Shape::Map(&#values))
        }
        Type::Tuple(_) => return Err(no_words("an array of exactly these items")),
        Type::Constant(value) => {
            let text = value.text();
            let text = text.ok_or_else(|| no_words("a constant that is not a text"))?;
            quote!(Shape::Constant(#text))
        }
        Type::UnknownTag(_) | Type::Text { .. } => quote!(Shape::Text),
        Type::SplitText => quote!(Shape::SplitText),
        Type::Boolean => quote!(Shape::Boolean),
        Type::Integer(_) => quote!(Shape::Integer),
        Type::Number(_) => quote!(Shape::Number),
        Type::OpenObject => quote!(Shape::Object(&[])),
        Type::Any { .. } => quote!(Shape::Any),
    };
    let constraints = constraints(ty)?;
    Ok(if constraints.is_empty() {
        shape
    } else {
        quote!(Shape::Constrained { shape: &#shape, by: &[#(Constraint::#constraints),*] })
    })
}

/// What a list or a map holds.
fn slot(slot: &Slot, names: &Names) -> Result<TokenStream, CodegenError> {
    let shape = shape(&slot.ty, names)?;
    let null = slot.nullable && !holds_null(&slot.ty, names);
    Ok(if null {
        quote!(Shape::Nullable(&#shape))
    } else {
        shape
    })
}

/// What is asked beyond the shape, in the order of the readers.
fn constraints(ty: &Type) -> Result<Vec<TokenStream>, CodegenError> {
    reject_further_constraints(ty)?;
    let length = |least: &Option<u64>| least.map(count);
    let constraints = match ty {
        Type::Text {
            pattern: matched,
            minimum_length,
            ..
        } => {
            let matched = matched.as_deref().map(pattern).transpose()?;
            [
                matched.map(|matched| quote!(Pattern(#matched))),
                length(minimum_length).map(|least| quote!(MinLength(#least))),
            ]
        }
        Type::Integer(bounds) if range(bounds).is_some() => {
            let range = range(bounds).map(|(minimum, maximum)| {
                let (minimum, maximum) = (integer(minimum), integer(maximum));
                quote!(Range(#minimum, #maximum))
            });
            [range, None]
        }
        Type::Integer(bounds) | Type::Number(bounds) => {
            let bound = |bound: &Option<_>| whole(bound.as_ref()).map(integer);
            [
                bound(&bounds.minimum).map(|bound| quote!(Minimum(#bound))),
                bound(&bounds.maximum).map(|bound| quote!(Maximum(#bound))),
            ]
        }
        Type::List { minimum_items, .. } => {
            let least = length(minimum_items);
            [least.map(|least| quote!(MinItems(#least))), None]
        }
        Type::UnknownTag(known) => [Some(quote!(NoneOf(&[#(#known),*]))), None],
        Type::Any { nullable: false } => [Some(quote!(NotNull)), None],
        _ => [None, None],
    };
    Ok(constraints.into_iter().flatten().collect())
}

/// An option as code.
pub(crate) fn option(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(|| quote!(None), |value| quote!(Some(#value)))
}

/// The tables know the constraints of the canonical schema; another one must not be lost.
fn reject_further_constraints(ty: &Type) -> Result<(), CodegenError> {
    let further = match ty {
        Type::Text {
            maximum_length,
            conditions,
            ..
        } => maximum_length.is_some() || !conditions.is_empty(),
        Type::List {
            maximum_items,
            unique,
            conditions,
            ..
        } => maximum_items.is_some() || *unique || !conditions.is_empty(),
        Type::Integer(bounds) | Type::Number(bounds) => !has_whole_bounds(bounds),
        _ => false,
    };
    if further {
        return Err(no_words(
            "a constraint that the canonical schema has not used yet",
        ));
    }
    Ok(())
}

fn has_whole_bounds(bounds: &Bounds) -> bool {
    let Bounds {
        minimum,
        maximum,
        exclusive_minimum,
        exclusive_maximum,
        multiple_of,
    } = bounds;
    let whole = |bound: &Option<_>| bound.is_none() || whole(bound.as_ref()).is_some();
    let further = [exclusive_minimum, exclusive_maximum, multiple_of];
    whole(minimum) && whole(maximum) && further.iter().all(|bound| bound.is_none())
}

/// What the tables of the reference do not hold, for its own schema does not have it.
fn no_words(what: &str) -> CodegenError {
    CodegenError::Inexpressible {
        message: format!("the tables of the reference have no words for {what}"),
        place: "the schema".to_owned(),
        help: "teach `chatstate::definition` and `chatstate::validate` first".to_owned(),
    }
}
