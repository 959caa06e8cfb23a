//! What can be typed.

mod device_args;
mod keys_args;
mod output_args;
mod qualify_args;
mod run_args;
mod serve_args;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use wire::messages::RunId;

pub use device_args::{ActArgs, BenchArgs, PrepareArgs, SyncWriteArgs};
pub use keys_args::{DistributionName, ExplainArgs, KeyNameFormat, KeysArgs};
pub use output_args::{BackendArgs, OutputArgs, ProgressKind, SpoolArgs};
pub use qualify_args::{FillName, QualifyArgs, SuiteName};
pub use run_args::{RunArgs, SeekArgs, TargetArgs};
pub use serve_args::{CampaignArgs, EnrolArgs, ExecArgs, ObserveArgs, ServeArgs};

/// Measures latency and sends it, bucket by bucket.
#[derive(Debug, Parser)]
#[command(name = "tailroom-agent", version, about, disable_help_subcommand = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// What the agent can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Execute a plan. Exit code 0: done and everything acknowledged (without a backend: all of it in the file that
    /// --result names); 1: the workload failed; 2: the command or the plan is wrong; 3: measured, but not everything
    /// delivered (the rest stays in the spool).
    Run(Box<RunArgs>),
    /// Search for the highest load at which an objective holds: probes of a plan for a database at rising rates, then between the
    /// highest that held and the lowest that did not. The same command resumes an interrupted search. Exit codes as for `run`;
    /// 1 also if no load holds.
    Seek(Box<SeekArgs>),
    /// Load drives as ACT does: from one of its configuration files, or from a load multiple. Exit codes as for `run`;
    /// for a ladder 0 also means that a load was found.
    Act(Box<ActArgs>),
    /// Say yes or no for the log of a database (etcd, PostgreSQL): writes of a small block, `fdatasync` after each, whether 99 %
    /// take less than 10 ms. Two minutes with both sizes of block. Exit codes as for `run`.
    SyncWrite(Box<SyncWriteArgs>),
    /// Prepare drives as ACT does before its first test: zeros over all of it, then random data. THEIR CONTENT IS
    /// DESTROYED. Continues where an earlier call was interrupted.
    Prepare(PrepareArgs),
    /// Qualify a drive by the standard's steps: purge, fill, settle, measure. ITS CONTENT IS DESTROYED. Resumes an
    /// interrupted call. That a drive does not settle is a result; exit codes as for `run`.
    Qualify(Box<QualifyArgs>),
    /// Show what this agent itself can do on this machine: recorder, schedule, and the engine that issues no I/O.
    Selftest {
        /// One JSON object instead of a table.
        #[arg(long)]
        json: bool,
    },
    /// Read a file or device at random with a fixed number of operations under way, as benchmarks do. Writes nothing.
    Bench(BenchArgs),
    /// Print what this machine is, as JSON. What cannot be read is null; `unknown` says why.
    Inventory {
        /// Describe the file system of this place too. May be repeated.
        #[arg(long)]
        path: Vec<PathBuf>,
    },
    /// Print which keys a law of key choice draws, or what a key number is called, as JSON. Connects to nothing.
    Keys(KeysArgs),
    /// Print what a plan of a database workload means: phases, rates of each agent, data set, differences from the original.
    /// JSON; connects to nothing.
    Explain(ExplainArgs),
    /// Send what earlier runs left in the spool, also those that were measured without a backend. A run that never said how it
    /// ended is reported as interrupted.
    Drain(DrainArgs),
    /// Run an installed tool, keep what it prints in a file, and send it as a result file while it grows. Ends with the exit code
    /// of the tool, or with 3 where that is 0 and nothing was delivered.
    Exec(ExecArgs),
    /// Make this machine an agent of a backend, by a code that is good once. Its pages show the code under Agents.
    Enrol(EnrolArgs),
    /// Take part in campaigns: ask the backend for work, and do what the policy file of this machine allows.
    Serve(ServeArgs),
    /// Print completions for a shell.
    Completions {
        /// Which shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page of this program, or write those of all its commands into a folder.
    Man {
        /// The folder, which must exist.
        folder: Option<PathBuf>,
    },
    /// Read each second what this machine does (processors, disks, network, pressure, memory, temperature, watts) and send it, so
    /// that pages show it beside what was measured meanwhile.
    Observe(ObserveArgs),
}

#[derive(Debug, Args)]
pub struct DrainArgs {
    #[command(flatten)]
    pub backend: BackendArgs,
    /// Where the runs lie.
    #[command(flatten)]
    pub spool: SpoolArgs,
    /// Only this run.
    #[arg(long)]
    pub run_id: Option<RunId>,
    /// Leave runs that were measured without a backend; `serve` drains so.
    #[arg(long, hide = true, conflicts_with = "run_id")]
    pub leave_held: bool,
    /// Offer batches once more that the backend refused and that were set aside.
    #[arg(long)]
    pub retry_set_aside: bool,
    /// Give up when the backend has been away for so long.
    #[arg(long, default_value_t = 60)]
    pub deliver_wait_s: u64,
}
