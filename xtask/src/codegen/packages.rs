//! The packages of the canonical schema that are checked in, one for each language. The reference is
//! the one of Rust.

use std::path::Path;

use chatstate_codegen::{Generator, Package, Publication};
use chatstate_generator_dotnet::DotnetGenerator;
use chatstate_generator_python::PythonGenerator;
use chatstate_generator_typescript::TypeScriptGenerator;
use chatstate_schema_model::Ir;

use super::disk::{all_texts, texts_of};
use super::{Error, GeneratedFolder};

/// The package of one language.
struct PackageFolder {
    generator: &'static dyn Generator,
    /// The folder of its package, from the root of the workspace.
    package: &'static str,
    /// The folder in it whose files are all generated.
    generated: &'static str,
}

const PLACES: &[PackageFolder] = &[
    PackageFolder {
        generator: &DotnetGenerator,
        package: "packages/dotnet/src/Chatstate",
        generated: "Generated",
    },
    PackageFolder {
        generator: &PythonGenerator,
        package: "packages/python",
        generated: "src/chatstate/generated",
    },
    PackageFolder {
        generator: &TypeScriptGenerator,
        package: "packages/typescript",
        generated: "src/generated",
    },
];

/// The package of every language.
pub fn outputs(workspace: &Path, ir: &Ir) -> Result<Vec<GeneratedFolder>, Error> {
    let package = Package {
        name: "chatstate".to_owned(),
        behaviour: true,
        publication: Publication {
            license: Some(env!("CARGO_PKG_LICENSE").to_owned()),
            ..Publication::default()
        },
        ..Package::default()
    };
    let outputs = PLACES
        .iter()
        .map(|place| place.output(workspace, ir, &package));
    outputs.collect()
}

impl PackageFolder {
    fn output(
        &self,
        workspace: &Path,
        ir: &Ir,
        package: &Package,
    ) -> Result<GeneratedFolder, Error> {
        let path = workspace.join(self.package);
        let files = self.generator.package(ir, package)?;
        // What is beside these is written by people.
        let mut existing = all_texts(&path, self.generated)?;
        existing.extend(texts_of(&path, files.iter().map(|(name, _)| name))?);
        Ok(GeneratedFolder {
            folder: self.package.to_owned(),
            files,
            existing,
            path,
        })
    }
}
