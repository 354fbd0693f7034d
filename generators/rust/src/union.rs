//! Tagged unions: an enumeration with one variant for each arm.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::{Scope, pascal_case};
use chatstate_ir::{Definition, Ir, Kind, Object, Type, Union};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::docs::{deprecated, doc};
use crate::module::document_methods;
use crate::names::{Names, field_name, ident};
use crate::size::is_large;

/// One arm as it is printed.
struct Variant<'a> {
    tag: &'a str,
    name: Ident,
    ty: Ident,
    boxed: bool,
    docs: TokenStream,
}

/// All items of a union definition.
pub(crate) fn union(
    ir: &Ir,
    definition: &Definition,
    union: &Union,
    names: &Names,
) -> Result<TokenStream, CodegenError> {
    let name = names.definition(&definition.name);
    let variants = lower(ir, definition, union, names)?;
    let enumeration = enumeration(ir, definition, &name, union, &variants, names);
    let tag = tag_method(ir, union, &variants);
    let methods = document_methods();
    let reader = reader(union, &variants, names);
    let writes = variants.iter().map(|variant| &variant.name);
    let unknown = union
        .unknown
        .as_ref()
        .map(|_| quote!(Self::Unknown(value) => value.write(out),));
    Ok(quote! {
        #enumeration
        impl #name {
            #tag
            #methods
            #reader
        }
        impl ReadJson for #name {
            fn read(raw: Raw<'_>) -> Result<Self, Rejection> {
                Self::from_members(Members::read(raw)?)
            }
        }
        impl WriteJson for #name {
            fn write(&self, out: &mut String) {
                match self {
                    #(Self::#writes(value) => value.write(out),)*
                    #unknown
                }
            }
        }
    })
}

fn lower<'a>(
    ir: &Ir,
    definition: &Definition,
    union: &'a Union,
    names: &Names,
) -> Result<Vec<Variant<'a>>, CodegenError> {
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    scope.take("Unknown".to_owned(), "the unknown arm")?;
    let variants = union.arms.iter().map(|arm| {
        let short = pascal_case(&arm.tag);
        let name = if scope.has(&short) || short == "Self" {
            arm.definition.clone()
        } else {
            short
        };
        let doc_text = ir
            .definitions
            .get(&arm.definition)
            .map_or("", |arm| arm.doc.as_str());
        Ok(Variant {
            tag: &arm.tag,
            name: ident(&scope.take(name, &arm.tag)?),
            ty: names.definition(&arm.definition),
            boxed: is_large(ir, &arm.definition),
            docs: doc(doc_text),
        })
    });
    variants.collect()
}

fn enumeration(
    ir: &Ir,
    definition: &Definition,
    name: &Ident,
    union: &Union,
    variants: &[Variant<'_>],
    names: &Names,
) -> TokenStream {
    let docs = doc(&definition.doc);
    let deprecated = deprecated(definition.deprecated);
    let known = variants.iter().map(
        |Variant {
             name,
             ty,
             boxed,
             docs,
             ..
         }| {
            let ty = if *boxed {
                quote!(Box<#ty>)
            } else {
                quote!(#ty)
            };
            quote!(#docs #name(#ty),)
        },
    );
    let open = union.unknown.as_ref().map(|_| quote!(#[non_exhaustive]));
    let unknown = union.unknown.as_ref().map(|unknown| {
        let docs = doc(ir
            .definitions
            .get(unknown)
            .map_or("", |arm| arm.doc.as_str()));
        let ty = names.definition(unknown);
        quote!(#docs Unknown(#ty),)
    });
    quote! {
        #docs
        #deprecated
        #[derive(Debug, Clone, PartialEq)]
        #open
        pub enum #name {
            #(#known)*
            #unknown
        }
    }
}

fn tag_method(ir: &Ir, union: &Union, variants: &[Variant<'_>]) -> TokenStream {
    let docs = doc(&format!("The discriminator, the member `{}`.", union.tag));
    let (known, tags) = (variants.iter().map(|variant| &variant.name), tags(variants));
    let unknown = union.unknown.as_ref().map(|unknown| {
        let field = unknown_field(ir, unknown, &union.tag);
        quote!(Self::Unknown(value) => &value.#field,)
    });
    quote! {
        #docs
        #[must_use]
        pub fn tag(&self) -> &str {
            match self {
                #(Self::#known(_) => #tags,)*
                #unknown
            }
        }
    }
}

/// The field of the unknown arm that keeps the tag.
fn unknown_field(ir: &Ir, unknown: &str, tag: &str) -> Ident {
    let kind = ir
        .definitions
        .get(unknown)
        .map(|definition| &definition.kind);
    let member = match kind {
        Some(Kind::Object(Object { members, .. })) => members
            .iter()
            .find(|member| matches!(member.ty, Type::UnknownTag(_))),
        _ => None,
    };
    ident(&field_name(member.map_or(tag, |member| &member.name)))
}

fn tags<'a>(variants: &[Variant<'a>]) -> Vec<&'a str> {
    variants.iter().map(|variant| variant.tag).collect()
}

/// The reader looks at the tag and chooses the reader of the arm. Each arm has a function of its own,
/// so that the temporaries of all arms are not on the stack while one of them goes deeper.
fn reader(union: &Union, variants: &[Variant<'_>], names: &Names) -> TokenStream {
    let tag = &union.tag;
    let known = variants.iter().map(|variant| {
        let Variant { tag, name, ty, .. } = variant;
        let boxed = variant.boxed.then(|| quote!(.map(Box::new)));
        quote!(#tag => |members| #ty::from_members(members)#boxed.map(Self::#name),)
    });
    let rest = if let Some(unknown) = &union.unknown {
        let ty = names.definition(unknown);
        quote!(_ => |members| #ty::from_members(members).map(Self::Unknown),)
    } else {
        let tags = tags(variants);
        quote!(other => return Err(constraint::no_such_tag(other, &[#(#tags),*]).within(#tag)),)
    };
    quote! {
        fn from_members(members: Members<'_>) -> Result<Self, Rejection> {
            let read: fn(Members<'_>) -> Result<Self, Rejection> = match members.tag(#tag)?.as_ref() {
                #(#known)*
                #rest
            };
            read(members)
        }
    }
}
