//! Enumerations: a struct around the text or the integer, with a member for each known value.

use chatstate_codegen::CodegenError;
use chatstate_codegen::names::{Scope, pascal_case};
use chatstate_schema_model::{Enumeration, EnumerationValue, Literal, NamedDefinition};

use crate::docs::summary;
use crate::names::{Names, identifier};
use crate::used_names::USED_BY_VALUES;
use crate::view::{Declared, EnumerationView, KnownValueView, LiteralView};

/// How many values are asked for one by one; more of them are looked up in a set, since a pattern of
/// thousands takes the compiler minutes.
const MOST_ASKED: usize = 200;

/// The struct of an enumeration.
pub(crate) fn enumeration(
    definition: &NamedDefinition,
    enumeration: &Enumeration,
    names: &Names<'_>,
) -> Result<EnumerationView, CodegenError> {
    let declared = Declared::new(definition, names);
    let mut scope = Scope::new(format!("definition `{}`", definition.name));
    let mut values = Vec::new();
    for known in &enumeration.values {
        let spelled = spelled(&known.value);
        let name = value_name(known, &declared.name);
        values.push(KnownValueView {
            doc: vec![summary(&known.doc, &format!("The value `{spelled}`."))],
            obsolete: known.deprecated,
            name: scope.take(name, &spelled)?,
            literal: LiteralView::from(&known.value),
        });
    }
    Ok(EnumerationView {
        declared,
        text: enumeration.texts().is_some(),
        open: enumeration.open,
        many: values.len() > MOST_ASKED,
        values,
    })
}

fn spelled(value: &Literal) -> String {
    match value {
        Literal::Text(text) => text.clone(),
        Literal::Boolean(value) => value.to_string(),
        Literal::Integer(value) => value.to_string(),
    }
}

/// The name of a value. An integer has no name but its digits.
fn value_name(known: &EnumerationValue, type_name: &str) -> String {
    let name = match (&known.code_name, &known.value) {
        (Some(given), _) => pascal_case(given),
        (None, Literal::Text(text)) => identifier(&pascal_case(text)),
        (None, Literal::Boolean(value)) => pascal_case(&value.to_string()),
        (None, Literal::Integer(value)) if *value < 0 => format!("Minus{}", value.unsigned_abs()),
        (None, Literal::Integer(value)) => format!("Value{value}"),
    };
    if name == type_name || USED_BY_VALUES.contains(&name.as_str()) {
        return format!("{name}Value");
    }
    name
}
