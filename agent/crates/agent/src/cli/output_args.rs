//! What can be typed about where results go.

use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{Args, ValueEnum};

use crate::result_file::named;

/// Where the results of a run go.
#[derive(Debug, Args)]
pub struct OutputArgs {
    /// Where and as whom to send. Without a backend nothing leaves this machine, now or later.
    #[command(flatten)]
    pub backend: BackendArgs,
    /// Where intervals lie until they are acknowledged.
    #[command(flatten)]
    pub spool: SpoolArgs,
    /// Write everything to this file too, for `tailroom inspect` and `tailroom judge`. It must not exist yet.
    #[arg(long)]
    pub result: Option<PathBuf>,
    /// Without a backend, leave the run in the spool for the next `serve` or `drain` of this user to send.
    #[arg(long)]
    pub send_later: bool,
    /// How progress is shown.
    #[arg(long, value_enum, default_value_t = ProgressKind::Human)]
    pub progress: ProgressKind,
    /// Short for `--progress json`.
    #[arg(long)]
    pub json: bool,
    /// Show nothing but problems and the answer at the end; short for `--progress none`.
    #[arg(long, conflicts_with_all = ["json", "progress"])]
    pub quiet: bool,
    /// How often intervals are sent while the workload runs; 0: as they come, which is each second. What costs the
    /// backend is the request. An order to stop comes with the next answer.
    #[arg(long, env = "TAILROOM_SEND_EVERY_S", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=60))]
    pub send_every_s: u64,
    /// After the workload ended, give up when the backend has been away for so long.
    #[arg(long, default_value_t = 60)]
    pub deliver_wait_s: u64,
    /// Largest size of the run in the spool. From three quarters of it on, the oldest unsent ticks are left out; if that
    /// is not enough, the run ends as failed. Both are reported.
    #[arg(long, default_value_t = 4096)]
    pub spool_limit_mib: u64,
    /// How often the counters of measured drives are read while the workload runs; 0: not at all. For measuring what it costs.
    #[arg(long, hide = true, default_value_t = 60, value_parser = clap::value_parser!(u64).range(..=3_600))]
    pub drive_counters_every_s: u64,
}

impl OutputArgs {
    /// How progress is shown.
    pub fn progress(&self) -> ProgressKind {
        match self {
            Self { json: true, .. } => ProgressKind::Json,
            Self { quiet: true, .. } => ProgressKind::None,
            Self { progress, .. } => *progress,
        }
    }

    /// Returns the path for one of several result files: `run.ndjson` becomes `run-P1.ndjson`.
    pub fn result_named(&self, part: &str) -> Option<PathBuf> {
        self.result.as_deref().map(|path| named(path, part))
    }

    /// Returns the path for the result file of a step, such as `run-02.ndjson`.
    pub fn result_of_step(&self, step: usize) -> Option<PathBuf> {
        self.result_named(&format!("{step:02}"))
    }
}

/// Where the backend is and how to be let in.
#[derive(Debug, Args)]
pub struct BackendArgs {
    /// Address of the backend, such as `https://tailroom.example.org`.
    #[arg(long, env = "TAILROOM_BACKEND_URL")]
    pub backend: Option<String>,
    /// File that holds the agent token, or the key that enrolling made (`key.json`); else `TAILROOM_AGENT_TOKEN`.
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
    /// One line that refreshes, on a terminal; a line each ten seconds elsewhere. The answer goes to standard output.
    Human,
    /// One JSON object a line, on standard output.
    Json,
    /// Nothing but problems and the answer at the end.
    None,
}
