//! The packages of the canonical schema that are checked in, one for each language. The reference is
//! the one of Rust.

use std::path::Path;

use chatstate_codegen::{Generator, Package, Runtime};
use chatstate_generator_dotnet::DotnetGenerator;
use chatstate_generator_python::PythonGenerator;
use chatstate_generator_typescript::TypeScriptGenerator;
use chatstate_schema_model::Ir;

use super::disk::all_texts;
use super::{Error, Output};

/// The generators of these languages.
const GENERATORS: &[&dyn Generator] = &[&DotnetGenerator, &PythonGenerator, &TypeScriptGenerator];

/// The package of every language.
pub fn outputs(workspace: &Path, ir: &Ir) -> Result<Vec<Output>, Error> {
    let package = Package {
        name: "chatstate".to_owned(),
        chat_state: true,
        runtime: Runtime::Vendored,
    };
    let outputs = GENERATORS.iter().map(|generator| {
        let folder = format!("generators/{}/package", generator.name());
        let path = workspace.join(&folder);
        Ok(Output {
            folder,
            files: generator.package(ir, &package)?,
            existing: all_texts(&path)?,
            path,
        })
    });
    outputs.collect()
}
