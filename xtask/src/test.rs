//! `cargo xtask test`: sets up what the tests need and runs all of them.

use std::path::Path;

use crate::lane::LANES;
use crate::test_programs;

/// The lanes that must run, by name, with commas between.
const REQUIRE: &str = "CHATSTATE_REQUIRE";

/// Runs all tests. Fails when one fails, or when a lane that is required cannot run.
pub fn run(workspace: &Path) -> Result<(), String> {
    let required = required_lanes()?;
    let mut skipped = Vec::new();
    let mut variables = Vec::new();
    for lane in &LANES {
        match lane.find(workspace) {
            Ok(variable) => {
                eprintln!("setting up lane `{}`", lane.name);
                lane.set_up(workspace)?;
                variables.extend(variable);
            }
            Err(missing) if required.iter().any(|name| name == lane.name) => {
                return Err(format!(
                    "lane `{}` is required by {REQUIRE}, but {missing}",
                    lane.name
                ));
            }
            Err(missing) => skipped.push((lane.name, missing)),
        }
    }
    // `chatstate` is built for the tests of its own package. Building it alone would compile
    // everything again, with fewer features.
    variables.push(("CHATSTATE_BUILT", "1".to_owned()));
    let failed = test_programs::run(workspace, &variables)?;
    for (lane, missing) in &skipped {
        eprintln!("SKIPPED LANE {lane}: {missing}, so what needs it was not tested");
    }
    if !failed.is_empty() {
        return Err(format!("tests failed: {}; see above", failed.join("; ")));
    }
    let ran = LANES.len() - skipped.len();
    println!("all tests passed; {ran} of {} lanes ran", LANES.len());
    Ok(())
}

/// The lanes that the environment requires; a name that is no lane is an error, for it would
/// require nothing.
fn required_lanes() -> Result<Vec<String>, String> {
    let text = std::env::var(REQUIRE).unwrap_or_default();
    let names = text
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let mut required = Vec::new();
    for name in names {
        if !LANES.iter().any(|lane| lane.name == name) {
            let known: Vec<_> = LANES.iter().map(|lane| lane.name).collect();
            return Err(format!(
                "{REQUIRE} names `{name}`, but the lanes are {}",
                known.join(", ")
            ));
        }
        required.push(name.to_owned());
    }
    Ok(required)
}
