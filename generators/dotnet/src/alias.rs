//! Names for other types: a collection, or readers and writers for a type that C# has.

use chatstate_schema_model::{NamedDefinition, Type};

use crate::names::Names;
use crate::types::{CSharpTypes, is_inline};
use crate::view::{CollectionView, Declared, DefinitionView, ScalarView};

/// A name for another type.
pub(crate) fn alias(definition: &NamedDefinition, ty: &Type, names: &Names<'_>) -> DefinitionView {
    let value = CSharpTypes::new(names).of(ty);
    let declared = Declared::new(definition, names);
    if is_inline(ty) {
        return DefinitionView::Scalar(ScalarView { declared, value });
    }
    DefinitionView::Collection(CollectionView {
        declared,
        value,
        root: names.is_root(&definition.name),
    })
}
