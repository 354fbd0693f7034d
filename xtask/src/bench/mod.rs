//! `cargo xtask bench`: how fast the kit is, each figure beside a yardstick of the same run.

mod echo;
mod measure;
mod program;

use std::path::Path;
use std::process::Command;

use measure::Row;

/// Measures everything and prints one table. Built without optimisation it runs itself again with.
pub fn run(workspace: &Path) -> Result<(), String> {
    if cfg!(debug_assertions) {
        return run_optimised(workspace);
    }
    let program = program::build(workspace)?;
    let mut rows = vec![
        program::start(&program)?,
        program::corpus(&program)?,
        program::large_document(&program)?,
    ];
    match echo::runner() {
        Ok(row) => rows.insert(0, row),
        Err(reason) => eprintln!("SKIPPED BENCH runner: {reason}"),
    }
    print(&rows);
    Ok(())
}

fn run_optimised(workspace: &Path) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args([
            "run",
            "--release",
            "--quiet",
            "--package",
            "xtask",
            "--",
            "bench",
        ])
        .current_dir(workspace)
        .status()
        .map_err(|error| format!("cannot run the optimised build: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("the measurements failed; see above".to_owned())
    }
}

fn print(rows: &[Row]) {
    println!("| what | measured | yardstick of the same run | ratio |");
    println!("|---|---|---|---|");
    for row in rows {
        println!(
            "| {} | {} | {} | {:.2} |",
            row.what, row.measured, row.yardstick, row.ratio
        );
    }
}
