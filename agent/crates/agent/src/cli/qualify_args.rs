//! What can be typed about `qualify`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use device::qualify::one_pass::USUAL_SPARE_RATIO;
use device::qualify::purge::Purge;

use super::output_args::OutputArgs;
use crate::qualify::suite::Step;

#[derive(Debug, Args)]
pub struct QualifyArgs {
    /// Device to qualify. ITS CONTENT IS DESTROYED.
    #[arg(long, required_unless_present = "simulated_drive")]
    pub device: Option<PathBuf>,
    /// Instead of a device: a model of a drive, with settings in this TOML file, to see what a report looks like. Its
    /// clock runs as fast as it can be calculated, and its figures are those of no drive.
    #[arg(long, conflicts_with = "device")]
    pub simulated_drive: Option<PathBuf>,
    /// Serial number of the device, as consent that its content is destroyed.
    #[arg(long)]
    pub confirm_serial: Vec<String>,
    /// The list of devices that may be written to on this machine.
    #[arg(long, env = "TAILROOM_ALLOW_LIST")]
    pub allow_list: Option<PathBuf>,
    /// All steps of the suite, in its order.
    #[arg(long, value_enum, conflicts_with = "step", required_unless_present = "step")]
    pub suite: Option<SuiteName>,
    /// Only these steps, separated by commas; carried out in the order of the suite.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub step: Vec<Step>,
    /// How the drive is purged. A format needs --consent-format, a sanitize --consent-sanitize.
    #[arg(long, value_parser = purges(), default_value = "trim")]
    pub purge: Purge,
    /// Serial number of the device, as consent that it is formatted.
    #[arg(long)]
    pub consent_format: Vec<String>,
    /// Serial number of the device, as consent that it is sanitized: all its flash is erased for good.
    #[arg(long)]
    pub consent_sanitize: Vec<String>,
    /// How the drive is filled: in one pass that leaves it as random writes do, or sequentially twice.
    #[arg(long, value_enum, default_value_t = FillName::OnePass)]
    pub fill: FillName,
    /// Spare flash of the drive as a share of its capacity, for the order of the single pass.
    #[arg(long, default_value_t = USUAL_SPARE_RATIO, value_parser = spare)]
    pub spare: f64,
    /// How long each round and each load of a test is measured.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub round_s: u64,
    /// Load of the step `act`, such as 1x, in multiples of ACT's standard load of one drive.
    #[arg(long, default_value = "1x", value_parser = super::device_args::load_multiple)]
    pub act_load: f64,
    /// File that remembers how far the drive is; else one in `tailroom/qualified` in the user's state folder.
    #[arg(long)]
    pub state: Option<PathBuf>,
    /// Begin anew instead of going on where an earlier call was cut off.
    #[arg(long)]
    pub restart: bool,
    /// Write the report to this file too, as JSON.
    #[arg(long)]
    pub report: Option<PathBuf>,
    /// Where results go: each round and each load is a run.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// A suite by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SuiteName {
    /// Purge, fill, settle, then IOPS, throughput, latency, outstanding operations, recovery from another load and by idle
    /// time, after SNIA's specification; then synchronous writes and ACT.
    Pts,
    /// The same, with write saturation first: hours.
    Full,
}

/// How a drive is filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FillName {
    /// At most 1.2 full writes, 4 KiB each.
    OnePass,
    /// Two full writes, 128 KiB each.
    Sequential,
}

fn purges() -> impl TypedValueParser<Value = Purge> {
    let purges = [
        ("trim", "TRIM of all of it"),
        ("format", "An `NVMe` format that erases user data"),
        ("sanitize", "An `NVMe` sanitize: block erase where the drive offers it, else crypto erase"),
    ];
    let values = PossibleValuesParser::new(purges.map(|(name, help)| PossibleValue::new(name).help(help)));
    values.try_map(|name| serde_json::from_value(name.into()))
}

fn spare(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| (0.01..=0.2).contains(number));
    number.ok_or_else(|| "must be a number from 0.01 to 0.2, such as 0.07".to_owned())
}
