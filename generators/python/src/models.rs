//! The generated file `models.py`: every definition, in an order in which each is known before it is
//! used.

use chatstate_codegen::CodegenError;
use chatstate_schema_model::{DefinitionKind, Ir, NamedDefinition};

use crate::alias::{alias, circle, variants};
use crate::annotation::Annotations;
use crate::class::{Unions, document, object, union};
use crate::imports::Imports;
use crate::names::TypeNames;
use crate::order::{Ordered, aliases, classes, is_class, unions};
use crate::view::{DefinitionView, HeaderView, ModuleView, SchemaView};

/// What is in `models.py`: what is above the definitions, and each of them.
pub(crate) fn models(ir: &Ir) -> Result<(ModuleView, Vec<DefinitionView>), CodegenError> {
    let types = TypeNames::new(ir);
    let imports = Imports::new(&types);
    let annotations = Annotations {
        ir,
        types: &types,
        imports: &imports,
    };
    let unions = unions(ir);
    let mut definitions = Vec::new();
    for definition in classes(ir, &unions) {
        definitions.push(class(definition, &annotations, &unions)?);
    }
    for definition in ir.definitions.values() {
        if let DefinitionKind::Union(union) = &definition.kind {
            let variants = variants(definition, union, &annotations);
            definitions.push(DefinitionView::Variants(variants));
        }
    }
    let (circles, aliases): (Vec<_>, Vec<_>) =
        aliases(ir, is_class).into_iter().partition(|it| it.cyclic);
    for Ordered { definition, .. } in circles {
        definitions.push(DefinitionView::Circle(circle(definition, &annotations)?));
    }
    for Ordered { definition, .. } in aliases {
        definitions.push(DefinitionView::Alias(alias(definition, &annotations)?));
    }
    let module = ModuleView {
        header: header(ir, "The types of the schema."),
        imports: imports.statements(),
    };
    Ok((module, definitions))
}

/// What a generated file says of itself: the schemas that it is made from.
pub(crate) fn header(ir: &Ir, title: &'static str) -> HeaderView {
    let schemas = ir.schemas.iter().map(|schema| SchemaView {
        name: schema.name.clone(),
        digest: schema.digest.clone(),
    });
    HeaderView {
        title,
        schemas: schemas.collect(),
    }
}

fn class(
    definition: &NamedDefinition,
    annotations: &Annotations<'_>,
    unions: &Unions<'_>,
) -> Result<DefinitionView, CodegenError> {
    Ok(match &definition.kind {
        DefinitionKind::Object(members) => {
            DefinitionView::Object(object(definition, members, annotations, unions)?)
        }
        DefinitionKind::Union(arms) => DefinitionView::Union(union(definition, arms, annotations)),
        _ => DefinitionView::Document(document(definition, annotations)?),
    })
}
