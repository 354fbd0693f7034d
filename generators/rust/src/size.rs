//! How large a generated type is, to keep unions small.

use chatstate_schema_model::{DefinitionKind, Ir, Type};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Variants of more bytes than this are boxed. It is a fixed number, so that a variant changes its
/// type only when its own definition grows.
const LARGE: usize = 256;

/// Whether a variant of a union is so large that it is boxed.
pub(crate) fn is_large(ir: &Ir, definition: &str) -> bool {
    definition_size(ir, definition, 0) > LARGE
}

/// The type of a variant, in a box where it is large.
pub(crate) fn boxed(ir: &Ir, definition: &str, ty: &Ident) -> TokenStream {
    if is_large(ir, definition) {
        quote!(Box<#ty>)
    } else {
        quote!(#ty)
    }
}

/// An estimate in bytes on a machine of 64 bits. Depth is bounded because a cycle has a list, a map or
/// a box, whose sizes do not depend on what they hold.
fn definition_size(ir: &Ir, name: &str, depth: usize) -> usize {
    let Some(definition) = ir.definitions.get(name) else {
        return 0;
    };
    let arm = |name: &str| {
        let size = definition_size(ir, name, depth + 1);
        if size > LARGE { 8 } else { size }
    };
    match &definition.kind {
        _ if depth > ir.definitions.len() => 0,
        DefinitionKind::Object(object) => {
            let members = object.members.iter();
            let fields = members
                .filter(|member| !(member.required && matches!(member.ty, Type::Constant(_))));
            8 + fields
                .map(|member| type_size(ir, &member.ty, depth))
                .sum::<usize>()
        }
        DefinitionKind::Union(union) => {
            let arms = union
                .arms
                .iter()
                .map(|arm| arm.definition.as_str())
                .chain(union.unknown.as_deref());
            8 + arms.map(arm).max().unwrap_or(0)
        }
        DefinitionKind::Kinds(arms) => {
            8 + arms
                .iter()
                .map(|arm| type_size(ir, &arm.ty, depth))
                .max()
                .unwrap_or(0)
        }
        DefinitionKind::Alternatives(arms) => {
            8 + arms.iter().map(|name| arm(name)).max().unwrap_or(0)
        }
        DefinitionKind::Enumeration(enumeration) => {
            if enumeration.open {
                24
            } else {
                1
            }
        }
        DefinitionKind::Alias(ty) => type_size(ir, ty, depth),
    }
}

fn type_size(ir: &Ir, ty: &Type, depth: usize) -> usize {
    match ty {
        Type::Reference { cyclic: true, .. } | Type::OpenObject => 8,
        Type::Reference { to, .. } => definition_size(ir, to, depth + 1),
        Type::Map(_) => 72,
        Type::Constant(_) | Type::Boolean => 1,
        Type::List { .. } | Type::Tuple(_) | Type::UnknownTag(_) | Type::Text { .. } => 24,
        Type::SplitText | Type::Any { .. } => 32,
        Type::Integer(_) | Type::Number(_) => 16,
    }
}
