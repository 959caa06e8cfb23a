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
mod lock;
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

use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::{Cli, Command};

fn main() -> ExitCode {
    let success = |()| ExitCode::SUCCESS;
    let result = match Cli::parse().command {
        Command::Run(args) => run::run(&args).map(success),
        Command::Seek(args) => seek::seek(&args).map(success),
        Command::Act(args) => act::act(&args).map(success),
        Command::SyncWrite(args) => sync_write::sync_write(&args).map(success),
        Command::Prepare(args) => prepare::prepare(&args).map(success),
        Command::Qualify(args) => qualify::qualify(&args).map(success),
        Command::Selftest { json } => selftest::selftest(json).map(success),
        Command::Bench(args) => bench::bench(&args).map(success),
        Command::Explain(args) => run::explain(&args).map(success),
        Command::Keys(args) => keys::keys(&args).map(success),
        Command::Drain(args) => drain::drain(&args).map(success),
        Command::Exec(args) => exec::exec(&args),
        Command::Enrol(args) => serve::enrolment::enrol(&args).map(success),
        Command::Serve(args) => serve::serve(&args).map(success),
        Command::Observe(args) => observe::observe(&args),
        Command::Completions { shell } => shell::completions(shell).map(success),
        Command::Man { folder } => shell::man(folder.as_deref()).map(success),
        Command::Inventory { path } => {
            println!("{:#}", inventory::inventory(&path.iter().map(AsRef::as_ref).collect::<Vec<_>>()));
            Ok(ExitCode::SUCCESS)
        }
    };
    result.unwrap_or_else(|failure| {
        eprintln!("tailroom-agent: {failure}");
        failure.exit_code()
    })
}
