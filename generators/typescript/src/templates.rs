//! The templates, one construct each.

use chatstate_codegen::{CodegenError, Templates};

/// All templates by name.
const TEMPLATES: &[(&str, &str)] = &[
    ("alias", include_str!("../templates/alias.hbs")),
    (
        "check-alternatives",
        include_str!("../templates/check-alternatives.hbs"),
    ),
    (
        "check-expression",
        include_str!("../templates/check-expression.hbs"),
    ),
    ("check-kinds", include_str!("../templates/check-kinds.hbs")),
    (
        "check-object",
        include_str!("../templates/check-object.hbs"),
    ),
    ("check-union", include_str!("../templates/check-union.hbs")),
    (
        "check-values",
        include_str!("../templates/check-values.hbs"),
    ),
    ("document", include_str!("../templates/document.hbs")),
    ("head", include_str!("../templates/head.hbs")),
    ("import", include_str!("../templates/import.hbs")),
    ("index", include_str!("../templates/index.hbs")),
    ("interface", include_str!("../templates/interface.hbs")),
    ("known", include_str!("../templates/known.hbs")),
    ("manifest", include_str!("../templates/manifest.hbs")),
    ("readme", include_str!("../templates/readme.hbs")),
    ("sum", include_str!("../templates/sum.hbs")),
];

/// Reads the templates.
pub(crate) fn templates() -> Result<Templates, CodegenError> {
    Templates::new(TEMPLATES)
}
