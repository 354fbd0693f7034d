//! One file per verb; each gives the exit code or the reason why it failed.

mod attach;
mod canonicalize;
mod compact;
mod convert;
mod corpus;
mod diff;
mod encoding;
mod expect;
mod explain;
mod findings;
mod fixtures;
mod fuzz;
pub mod generate;
mod interop;
mod lineage;
mod new;
mod own_cases;
mod replay;
mod report;
mod restore;
mod seal;
mod selftest;
mod shell;
mod test;
mod validate;
mod verify;
mod written_reports;

use chatstate::generated::{ROOT_NAMES, definitions::DEFINITIONS};
use chatstate::replay::ReplayOptions;

use crate::arguments::{Arguments, LineageFormat, Verb};
use crate::failure::Failure;
use crate::names::did_you_mean;

/// Does what the arguments say and gives the exit code.
pub fn run(arguments: Arguments) -> Result<u8, Failure> {
    match arguments.verb {
        Verb::Test(test) => test::run(&test),
        Verb::Report(report) => report::run(&report),
        Verb::Expect(expect) => expect::run(&expect),
        Verb::New(new) => new::run(&new),
        Verb::List(list) => corpus::list(&list),
        Verb::Show { case } => corpus::show(&case),
        Verb::Copy { directory } => corpus::copy(&directory),
        Verb::Lint { coverage } => corpus::lint(coverage),
        Verb::Interop(arguments) => interop::run(&arguments),
        Verb::Fuzz(fuzz) => fuzz::run(&fuzz),
        Verb::Selftest(selftest) => selftest::run(&selftest),
        Verb::Validate(validate) => validate::run(&validate),
        Verb::Canonicalize {
            document_type,
            output,
            file,
        } => canonicalize::run(document_type.as_deref(), file.as_ref(), &output),
        Verb::Diff(diff) => diff::run(&diff),
        Verb::Verify(verify) => verify::run(&verify),
        Verb::Replay {
            at,
            lenient,
            format,
            output,
            file,
        } => {
            let options = ReplayOptions {
                run: at.as_deref(),
                lenient,
            };
            replay::run(file.as_ref(), &options, format, &output)
        }
        Verb::Compact(compact) => compact::run(&compact),
        Verb::Convert(convert) => convert::run(&convert),
        Verb::Attach { output, file } => attach::run(file.as_ref(), &output),
        Verb::Restore {
            target,
            output,
            file,
        } => restore::run(&target, file.as_ref(), &output),
        Verb::Encode { output, file } => encoding::encode(file.as_ref(), &output),
        Verb::Decode { output, file } => encoding::decode(file.as_ref(), &output),
        Verb::Generate(arguments) => generate::run(&arguments),
        Verb::Seal(seal) => seal::seal(&seal),
        Verb::Unseal(unseal) => seal::unseal(&unseal),
        Verb::Lineage {
            branch: Some(run_id),
            output,
            file,
            ..
        } => lineage::branch(file.as_ref(), &run_id, &output),
        Verb::Lineage {
            json,
            format,
            output,
            file,
            ..
        } => {
            let format = if json { LineageFormat::Json } else { format };
            lineage::run(file.as_ref(), format, &output)
        }
        Verb::Explain { name } => explain::run(&name),
        Verb::Completions { shell } => shell::completions(shell),
        Verb::Man { out } => shell::man(&out),
        Verb::Adapter { mutant } => adapter(mutant.as_deref()),
    }
}

/// Speaks the adapter protocol as the reference.
fn adapter(mutant: Option<&str>) -> Result<u8, Failure> {
    chatstate_reference::serve(mutant)?;
    Ok(0)
}

/// A type of the schema, or the failure that lists them.
fn known_type(name: &str) -> Result<&'static str, Failure> {
    let names = || DEFINITIONS.iter().map(|definition| definition.name);
    let known = names().find(|known| *known == name);
    known.ok_or_else(|| {
        let roots = ROOT_NAMES.join("`, `");
        let all = format!("the types are `{roots}` and every other definition of `schema/v1`");
        let question = did_you_mean(name, names());
        let help = question.map_or_else(|| all.clone(), |question| format!("{question} {all}"));
        Failure::usage(format!("`{name}` is not a type of the schema"), help)
    })
}
