//! The packages of the canonical schema that are checked in, one for each language. The reference is
//! the one of Rust.

use std::path::Path;

use chatstate_codegen::{Generator, Package, Runtime};
use chatstate_generator_dotnet::DotnetGenerator;
use chatstate_generator_python::PythonGenerator;
use chatstate_generator_typescript::TypeScriptGenerator;
use chatstate_schema_model::Ir;

use super::disk::{all_texts, texts_of};
use super::{Error, Output};

/// The package of one language.
struct Place {
    generator: &'static dyn Generator,
    /// The folder of its package, from the root of the workspace.
    package: &'static str,
    /// The folder in it whose files are all generated.
    generated: &'static str,
}

const PLACES: &[Place] = &[
    Place {
        generator: &DotnetGenerator,
        package: "packages/dotnet/src/Chatstate",
        generated: "Generated",
    },
    Place {
        generator: &PythonGenerator,
        package: "packages/python",
        generated: "src/chatstate/generated",
    },
    Place {
        generator: &TypeScriptGenerator,
        package: "packages/typescript",
        generated: "src/generated",
    },
];

/// The package of every language.
pub fn outputs(workspace: &Path, ir: &Ir) -> Result<Vec<Output>, Error> {
    let package = Package {
        name: "chatstate".to_owned(),
        chat_state: true,
        runtime: Runtime::Vendored,
    };
    let outputs = PLACES
        .iter()
        .map(|place| place.output(workspace, ir, &package));
    outputs.collect()
}

impl Place {
    fn output(&self, workspace: &Path, ir: &Ir, package: &Package) -> Result<Output, Error> {
        let path = workspace.join(self.package);
        let files = self.generator.package(ir, package)?;
        // What stands beside these is written by people.
        let mut existing = all_texts(&path, self.generated)?;
        existing.extend(texts_of(&path, files.iter().map(|(name, _)| name))?);
        Ok(Output {
            folder: self.package.to_owned(),
            files,
            existing,
            path,
        })
    }
}
