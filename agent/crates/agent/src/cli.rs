//! What can be typed.

use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use wire::messages::RunId;

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
    Run(RunArgs),
    /// Print what this machine is, as JSON. What cannot be read is null; `unknown` says why.
    Inventory {
        /// Describe the file system of this place too. May be repeated.
        #[arg(long)]
        path: Vec<PathBuf>,
    },
    /// Send what earlier runs left in the spool. A run that never said how it ended is reported as interrupted.
    Drain(DrainArgs),
}

/// Arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Plan to execute (TOML).
    #[arg(long)]
    pub plan: PathBuf,
    /// Where and as whom to send. Without a backend everything stays in the spool.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// Where intervals lie until they are acknowledged.
    #[command(flatten)]
    pub spool: SpoolArgs,
    /// Write everything to this file too, for `tailroom inspect` and `tailroom judge`. It must not exist yet.
    #[arg(long)]
    pub result: Option<PathBuf>,
    /// How progress is shown.
    #[arg(long, value_enum, default_value_t = ProgressKind::Human)]
    pub progress: ProgressKind,
    /// Identity of the run (`UUIDv7`); made up when not given.
    #[arg(long)]
    pub run_id: Option<RunId>,
    /// After the workload ended, give up when the backend has been away for so long.
    #[arg(long, default_value_t = 60)]
    pub deliver_wait_s: u64,
    /// Largest size of the run in the spool. When it is reached the run ends as failed; nothing is dropped.
    #[arg(long, default_value_t = 4096)]
    pub spool_limit_mib: u64,
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
    /// Offer batches once more that the backend refused and that were set aside.
    #[arg(long)]
    pub retry_set_aside: bool,
    /// Give up when the backend has been away for so long.
    #[arg(long, default_value_t = 60)]
    pub deliver_wait_s: u64,
}

/// Where the backend is and how to be let in.
#[derive(Debug, Args)]
pub struct BackendArgs {
    /// Address of the backend, such as `https://tailroom.example.org`.
    #[arg(long, env = "TAILROOM_BACKEND_URL")]
    pub backend: Option<String>,
    /// File that holds the agent token; else `TAILROOM_AGENT_TOKEN`.
    #[arg(long, env = "TAILROOM_TOKEN_FILE")]
    pub token_file: Option<PathBuf>,
    /// Trust the certificates of this file (PEM) instead of the well-known ones.
    #[arg(long, env = "TAILROOM_CA_FILE")]
    pub ca_file: Option<PathBuf>,
    /// Send the token unencrypted to another machine over `http://`.
    #[arg(long, env = "TAILROOM_ALLOW_PLAIN_HTTP", value_parser = BoolishValueParser::new())]
    pub allow_plain_http: bool,
}

/// Where the spool is.
#[derive(Debug, Args)]
pub struct SpoolArgs {
    /// Folder of the spool; else `tailroom/spool` in the user's state folder.
    #[arg(long, env = "TAILROOM_SPOOL")]
    pub spool: Option<PathBuf>,
}

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgressKind {
    /// One line that refreshes, on a terminal; a line each ten seconds elsewhere.
    Human,
    /// One JSON object a line, on standard output.
    Json,
    /// Nothing but problems.
    None,
}
