//! The templates of this language, one construct each.

use chatstate_codegen::{CodegenError, Templates};

/// All templates by name.
const TEMPLATES: &[(&str, &str)] = &[
    ("collection", include_str!("../templates/collection.hbs")),
    ("enumeration", include_str!("../templates/enumeration.hbs")),
    ("file", include_str!("../templates/file.hbs")),
    ("holder", include_str!("../templates/holder.hbs")),
    ("object", include_str!("../templates/object.hbs")),
    ("project", include_str!("../templates/project.hbs")),
    ("readme", include_str!("../templates/readme.hbs")),
    ("resolver", include_str!("../templates/resolver.hbs")),
    ("scalar", include_str!("../templates/scalar.hbs")),
    ("union", include_str!("../templates/union.hbs")),
    ("unknown", include_str!("../templates/unknown.hbs")),
];

/// The templates, read.
pub(crate) fn templates() -> Result<Templates, CodegenError> {
    Templates::new(TEMPLATES)
}
