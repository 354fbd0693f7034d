//! Templates that print and decide nothing: `each` and `if`, over values that are computed before.

use handlebars::{Handlebars, no_escape};
use serde::Serialize;

use crate::CodegenError;

/// The templates of one language, by name.
///
/// They are strict: a name that the values do not have is an error, so that a slip of the pen is not
/// an empty place in the output. Nothing is escaped: the values are text of the target language.
#[derive(Debug)]
pub struct Templates(Handlebars<'static>);

impl Templates {
    /// Reads templates given as name and text.
    pub fn new(templates: &[(&str, &str)]) -> Result<Self, CodegenError> {
        let mut registry = Handlebars::new();
        registry.set_strict_mode(true);
        registry.register_escape_fn(no_escape);
        for (name, text) in templates {
            registry
                .register_template_string(name, text)
                .map_err(|error| fault(name, &error))?;
        }
        Ok(Self(registry))
    }

    /// Prints the template `name` over `values`.
    pub fn print(&self, name: &str, values: &impl Serialize) -> Result<String, CodegenError> {
        let printed = self.0.render(name, values);
        printed.map_err(|error| fault(name, &error))
    }
}

fn fault(name: &str, error: &impl std::fmt::Display) -> CodegenError {
    CodegenError::Template {
        name: name.to_owned(),
        fault: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::Templates;

    #[test]
    fn nothing_is_escaped_and_a_missing_value_is_an_error() {
        let templates = Templates::new(&[("greeting", "{{name}} <{{mail}}>\n")]).unwrap();
        let all = serde_json::json!({ "name": "\"A\" & 'B'", "mail": "a@b" });
        assert_eq!(
            templates.print("greeting", &all).unwrap(),
            "\"A\" & 'B' <a@b>\n"
        );
        let error = templates.print("greeting", &serde_json::json!({ "name": "A" }));
        let text = error.unwrap_err().to_string();
        assert!(text.starts_with("template `greeting`"), "{text}");
    }
}
