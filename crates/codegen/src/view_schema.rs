//! The JSON Schema of views, for those who write templates.

use schemars::generate::{Contract, SchemaSettings};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::Generator;

/// The name of the file.
pub const VIEW_SCHEMA: &str = "view.schema.json";

/// The schema of the views of one language, which is made of the types that are their data.
#[derive(Debug)]
pub struct ViewSchema {
    language: &'static str,
    types: SchemaGenerator,
    templates: Vec<Value>,
}

impl ViewSchema {
    /// The schema of no view.
    #[must_use]
    pub fn new(language: &'static str) -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = format!("/$defs/{language}/$defs").into();
            // A view is written and never read: a member without a value is null, and not absent.
            settings.contract = Contract::Serialize;
        });
        Self {
            language,
            types: settings.into_generator(),
            templates: Vec::new(),
        }
    }

    /// Adds the views that a template prints.
    #[must_use]
    pub fn with<T: JsonSchema>(mut self, template: &'static str) -> Self {
        let data = self.types.subschema_for::<T>();
        self.templates.push(json!({
            "description": format!("What the template `{template}` prints."),
            "type": "object",
            "properties": {
                "path": { "description": "The path of the file.", "type": "string" },
                "template": { "description": "The template.", "const": template },
                "data": data,
            },
            "required": ["path", "template", "data"],
        }));
        self
    }

    /// The definition of the views of the language.
    #[must_use]
    pub fn definition(mut self) -> Value {
        let mut types = Value::Object(self.types.take_definitions(true));
        tidy(&mut types);
        json!({
            "description": format!("A view of `{}`: a file, or a part of one, and what is printed into it.", self.language),
            "oneOf": self.templates,
            "$defs": types,
        })
    }
}

/// The schema of what `--emit view` prints, with a definition for each language.
#[must_use]
pub fn view_schema(generators: &[&dyn Generator]) -> String {
    let definitions = generators.iter().map(|generator| {
        let definition = generator.view_schema().definition();
        (generator.name().to_owned(), definition)
    });
    let definitions: Map<String, Value> = definitions.collect();
    let languages = definitions.keys().map(
        |language| json!({ "type": "array", "items": { "$ref": format!("#/$defs/{language}") } }),
    );
    let languages: Vec<Value> = languages.collect();
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": format!("https://chatstate.dev/schema/kit/{VIEW_SCHEMA}"),
        "title": "Views",
        "description": "What `chatstate generate LANGUAGE --emit view` prints: each file, or each part of \
                        one, that a template prints, with the data that the template has.",
        "anyOf": languages,
        "$defs": definitions,
    });
    format!("{schema:#}\n")
}

/// Takes away what JSON Schema does not have: formats of numbers, and line breaks of the source in
/// descriptions.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            let format = members.get("format").and_then(Value::as_str);
            if format.is_some_and(|format| format.contains("int")) {
                members.shift_remove("format");
            }
            if let Some(Value::String(text)) = members.get_mut("description") {
                *text = text.replace('\n', " ");
            }
            members.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}
