//! What can be typed.

mod device_args;
mod keys_args;
mod output_args;
mod serve_args;

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand};
use database::tls::TlsFiles;
use wire::messages::RunId;

pub use device_args::{ActArgs, BenchArgs, PrepareArgs};
pub use keys_args::{ExplainArgs, KeysArgs, LawName, NameOf};
pub use output_args::{BackendArgs, OutputArgs, ProgressKind, SpoolArgs};
pub use serve_args::{CampaignArgs, EnrolArgs, ExecArgs, ObserveArgs, ServeArgs};

use crate::failure::Failure;

/// Measures latency and sends it, bucket by bucket.
#[derive(Debug, Parser)]
#[command(name = "tailroom-agent", version, about, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
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
    /// Load drives as ACT does: from one of its configuration files, or from a load multiple. Exit codes as for `run`;
    /// for a ladder 0 also means that a load was found.
    Act(Box<ActArgs>),
    /// Prepare drives as ACT does before its first test: zeros over all of it, then random data. THEIR CONTENT IS
    /// DESTROYED. Continues where an earlier call was interrupted.
    Prepare(PrepareArgs),
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

/// Arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Plan to execute (TOML), or a property file of YCSB.
    #[arg(value_name = "PLAN", conflicts_with = "plan", required_unless_present = "plan")]
    pub file: Option<PathBuf>,
    /// The same.
    #[arg(long)]
    pub plan: Option<PathBuf>,
    /// What is measured, for plans of databases (workload fraud, keyvalue, YCSB).
    #[command(flatten)]
    pub target: TargetArgs,
    /// Where results go.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Identity of the run (`UUIDv7`); made up when not given.
    #[arg(long)]
    pub run_id: Option<RunId>,
    /// Filled in by `serve`.
    #[command(flatten)]
    pub campaign: CampaignArgs,
}

impl RunArgs {
    /// The plan, whichever way it was given.
    ///
    /// # Errors
    /// When none was.
    pub fn plan_file(&self) -> Result<&Path, Failure> {
        self.file.as_deref().or(self.plan.as_deref()).ok_or_else(|| Failure::Usage("name a plan file".into()))
    }
}

/// Which server a database plan is run against, and what becomes of its objects.
#[derive(Debug, Args)]
pub struct TargetArgs {
    /// The server: `redis://host:port/database`, `unix:/path/of/socket` (of Redis or Valkey),
    /// `postgresql://user@host:port/database`, or `aerospike://host:port/namespace`; by TLS `rediss://…`, `postgresql://…?sslmode=verify-full`. Its password goes
    /// into a file, or into `TAILROOM_TARGET_PASSWORD`.
    #[arg(long, env = "TAILROOM_TARGET")]
    pub target: Option<String>,
    /// File that holds the password of the server.
    #[arg(long, requires = "target")]
    pub password_file: Option<PathBuf>,
    /// Whom the server is trusted to be.
    #[command(flatten)]
    pub tls: TlsArgs,
    /// Other seeds draw other keys in another order. Objects that were loaded with another seed are not used again.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// An operation that takes longer is given up and counted as a time-out.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    pub timeout_ms: u64,
    /// How often histograms are cut.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub histogram_every_s: u64,
    /// Load the objects anew, also where they are there from an earlier run.
    #[arg(long)]
    pub reload: bool,
    /// Take the objects away afterwards; else they stay for the next run.
    #[arg(long)]
    pub remove: bool,
    /// Only these phases, by their names, separated by commas. Objects that are missing are loaded all the same.
    #[arg(long, value_delimiter = ',')]
    pub phases: Vec<String>,
}

/// TLS of a database server.
#[derive(Debug, Args)]
pub struct TlsArgs {
    /// File with the certificates of authorities that may vouch for the server (PEM); else those of this machine.
    #[arg(long = "tls-ca", value_name = "FILE", requires = "target")]
    pub authorities: Option<PathBuf>,
    /// Name that the server's certificate must have, where it is not that of the address.
    #[arg(long = "tls-server-name", value_name = "NAME", requires = "target")]
    pub server_name: Option<String>,
    /// File with our own certificate (PEM), where the server asks for one.
    #[arg(long = "tls-cert", value_name = "FILE", requires = "key")]
    pub certificate: Option<PathBuf>,
    /// File with the key of our own certificate (PEM).
    #[arg(long = "tls-key", value_name = "FILE", requires = "certificate")]
    pub key: Option<PathBuf>,
}

impl TlsArgs {
    /// As the drivers have them.
    #[must_use]
    pub fn files(&self) -> TlsFiles {
        TlsFiles {
            authorities: self.authorities.clone(),
            server_name: self.server_name.clone(),
            certificate: self.certificate.clone(),
            key: self.key.clone(),
        }
    }
}

/// Arguments of `drain`.
#[derive(Debug, Args)]
pub struct DrainArgs {
    /// Where and as whom to send.
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
