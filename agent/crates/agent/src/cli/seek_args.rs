//! What can be typed about `seek`.

use std::path::PathBuf;

use clap::Args;

use super::run_args::RunArgs;

/// Arguments of `seek`.
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
