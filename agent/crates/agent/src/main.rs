//! `tailroom-agent`: executes plans, stores measurements on disk until the backend has them, and describes this machine.

#![forbid(unsafe_code)]

mod act;
mod agent_key;
mod barrier;
mod bench;
mod campaign_phases;
mod cli;
mod conclusion;
mod credential;
mod delivery;
mod display;
mod drain;
mod drive_counters;
mod drives;
mod events;
mod exec;
mod failure;
mod inventory;
mod job;
mod keys;
mod local_plan;
mod objective;
mod observe;
mod offset_zero;
mod plan;
mod prepare;
mod probe;
mod qualify;
mod result_file;
mod run;
mod run_context;
mod seek;
mod selftest;
mod serve;
mod shell;
mod state_folder;
mod stop;
mod summary;
mod sync_write;
mod target;
mod temperature;
mod transport;
mod verdicts;

use std::path::Path;
use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::{Cli, Command};
use crate::failure::Failure;

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Run(args) => run::run(&args),
        Command::Seek(args) => seek::seek(&args),
        Command::Act(args) => act::act(&args),
        Command::SyncWrite(args) => sync_write::sync_write(&args),
        Command::Prepare(args) => prepare::prepare(&args),
        Command::Qualify(args) => qualify::qualify(&args),
        Command::Selftest { json } => selftest::selftest(json),
        Command::Bench(args) => bench::bench(&args),
        Command::Explain(args) => run::explain(&args),
        Command::Keys(args) => keys::keys(&args),
        Command::Drain(args) => drain::drain(&args),
        Command::Exec(args) => exec::exec(&args),
        Command::Enrol(args) => serve::enrolment::enrol(&args),
        Command::Serve(args) => serve::serve(&args),
        Command::Observe(args) => observe::observe(&args),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { folder } => shell::man(folder.as_deref()),
        Command::Inventory { path } => print_inventory(&path.iter().map(AsRef::as_ref).collect::<Vec<_>>()),
    };
    result.unwrap_or_else(|failure| {
        eprintln!("tailroom-agent: {failure}");
        failure.exit_code()
    })
}

fn print_inventory(paths: &[&Path]) -> Result<ExitCode, Failure> {
    let text = serde_json::to_string_pretty(&inventory::inventory(paths))
        .map_err(|error| Failure::Workload(format!("the inventory has no JSON form: {error}")))?;
    println!("{text}");
    Ok(ExitCode::SUCCESS)
}
