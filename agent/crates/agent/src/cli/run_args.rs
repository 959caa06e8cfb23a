//! What can be typed about `run` and `seek`.

use std::path::{Path, PathBuf};

use clap::Args;
use database::tls::TlsFiles;
use wire::messages::RunId;

use super::output_args::OutputArgs;
use super::serve_args::CampaignArgs;
use crate::failure::Failure;

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
    pub fn files(&self) -> TlsFiles {
        TlsFiles {
            authorities: self.authorities.clone(),
            server_name: self.server_name.clone(),
            certificate: self.certificate.clone(),
            key: self.key.clone(),
        }
    }
}

#[derive(Debug, Args)]
pub struct SeekArgs {
    /// What `run` takes. Of a plan with several phases, `--phases` names the phase; its rates are replaced, its mix stays.
    #[command(flatten)]
    pub run: RunArgs,
    /// What must hold, such as "p99 get < 5ms" or "99.9% read < 1ms".
    #[arg(long, visible_alias = "budget")]
    pub objective: String,
    /// The first load, in operations a second; else that of the plan, or 1000.
    #[arg(long, value_name = "PER_S", value_parser = positive)]
    pub start: Option<f64>,
    /// No load is higher.
    #[arg(long, value_name = "PER_S", value_parser = positive)]
    pub top: Option<f64>,
    /// The lowest load that fails may lie above the highest that holds by this share of it.
    #[arg(long, default_value_t = 0.05, value_parser = share)]
    pub precision: f64,
    /// Probes after a load has held and another has not.
    #[arg(long, default_value_t = 8)]
    pub probes: usize,
    /// No probe begins later than so many seconds of measuring.
    #[arg(long, default_value_t = 1_800.0, value_parser = positive)]
    pub most_s: f64,
    /// How long each probe measures.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(2..=3_600))]
    pub probe_s: u32,
    /// Load of the same rate before each probe, which is not recorded.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(..=3_600))]
    pub warm_up_s: u32,
    /// File that remembers the probes until the search has ended; else one in `tailroom/seek` in the user's state folder.
    #[arg(long)]
    pub state: Option<PathBuf>,
    /// Begin again instead of going on where an earlier call was cut off.
    #[arg(long)]
    pub restart: bool,
    /// File with the probes of a campaign that was interrupted; filled in by `serve`.
    #[arg(long, hide = true)]
    pub on_record: Option<PathBuf>,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| *number > 0.0 && number.is_finite());
    number.ok_or_else(|| "must be a number above 0".to_owned())
}

fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| (0.001..=1.0).contains(number));
    number.ok_or_else(|| "must be a number from 0.001 to 1, such as 0.05".to_owned())
}
