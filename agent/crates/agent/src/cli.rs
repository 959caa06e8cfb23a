//! What can be typed.

use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use device::EngineChoice;
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
    /// Load drives as ACT does: from one of its configuration files, or from a load multiple. Exit codes as for `run`;
    /// for a ladder 0 also means that a load was found.
    Act(Box<ActArgs>),
    /// Prepare drives as ACT does before its first test: zeros over all of it, then random data. THEIR CONTENT IS
    /// DESTROYED. Goes on where an earlier call was cut off.
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
    /// Send what earlier runs left in the spool. A run that never said how it ended is reported as interrupted.
    Drain(DrainArgs),
}

/// Arguments of `run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    /// Plan to execute (TOML).
    #[arg(long)]
    pub plan: PathBuf,
    /// Where results go.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Identity of the run (`UUIDv7`); made up when not given.
    #[arg(long)]
    pub run_id: Option<RunId>,
}

/// Where the results of a run go.
#[derive(Debug, Args)]
pub struct OutputArgs {
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
    /// Short for `--progress json`.
    #[arg(long)]
    pub json: bool,
    /// After the workload ended, give up when the backend has been away for so long.
    #[arg(long, default_value_t = 60)]
    pub deliver_wait_s: u64,
    /// Largest size of the run in the spool. From three quarters of it on, the oldest unsent ticks are left out; if that
    /// is not enough, the run ends as failed. Both are said.
    #[arg(long, default_value_t = 4096)]
    pub spool_limit_mib: u64,
}

impl OutputArgs {
    /// How progress is shown.
    pub fn progress(&self) -> ProgressKind {
        if self.json { ProgressKind::Json } else { self.progress }
    }
}

/// Arguments of `act`.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of the command line")]
pub struct ActArgs {
    /// Configuration file of `act_storage` or `act_index`.
    #[arg(long, conflicts_with = "load")]
    pub config: Option<PathBuf>,
    /// Load multiple, such as 30x: 2,000 reads and 1,000 record writes a second, on each device.
    #[arg(long, value_parser = load_multiple)]
    pub load: Option<f64>,
    /// Devices to load, separated by commas. THEIR CONTENT IS DESTROYED unless --read-only is given.
    #[arg(long, value_delimiter = ',', conflicts_with = "config")]
    pub devices: Vec<PathBuf>,
    /// Load a file instead: it must not exist yet, is filled, and is gone afterwards.
    #[arg(long, requires = "size", conflicts_with = "devices")]
    pub file: Option<PathBuf>,
    /// Size of the file, such as 4G.
    #[arg(long, value_parser = size_bytes)]
    pub size: Option<u64>,
    /// The index test instead of the storage test.
    #[arg(long)]
    pub index: bool,
    /// Serial number of a device, as consent that its content is destroyed. Once for each device.
    #[arg(long)]
    pub confirm_serial: Vec<String>,
    /// The list of devices that may be written to on this machine.
    #[arg(long, env = "TAILROOM_ALLOW_LIST")]
    pub allow_list: Option<PathBuf>,
    /// Leave out whatever writes.
    #[arg(long)]
    pub read_only: bool,
    /// How long to measure; else as the configuration says, or a day.
    #[arg(long)]
    pub duration_s: Option<u64>,
    /// What a person calls the run.
    #[arg(long)]
    pub title: Option<String>,
    /// Which engine: auto, `io_uring`, sync or null.
    #[arg(long, value_parser = engine)]
    pub engine: Option<EngineChoice>,
    /// Threads that keep the schedule.
    #[arg(long)]
    pub threads: Option<u16>,
    /// Let the kernel look for submissions by itself: costs a core, for very high loads.
    #[arg(long)]
    pub sq_poll: bool,
    /// Ask the drive for completions instead of letting it raise interrupts: costs a core, only for drives whose driver
    /// has polled queues.
    #[arg(long, conflicts_with = "sq_poll")]
    pub io_poll: bool,
    /// Operations arrive at random (Poisson) instead of evenly.
    #[arg(long)]
    pub poisson: bool,
    /// Let the load rise for so long before the run.
    #[arg(long, default_value_t = 0)]
    pub ramp_s: u32,
    /// Share of the devices that was set aside, such as 0.21.
    #[arg(long)]
    pub over_provisioning: Option<f64>,
    /// How the devices were prepared, in words.
    #[arg(long)]
    pub preconditioning: Option<String>,
    /// Folder in which `prepare` remembers how far each device is.
    #[arg(long, env = "TAILROOM_PREPARED")]
    pub prepared: Option<PathBuf>,
    /// How often histograms are cut.
    #[arg(long, default_value_t = 10)]
    pub histogram_every_s: u64,
    /// Raise the load from --load by --step until a limit of ACT is broken, hold the last one that kept them, then
    /// stress at twice of it. Each load is a run of its own.
    #[arg(long, requires = "load")]
    pub ladder: bool,
    /// How much more each rung of the ladder loads; by default as much as the first.
    #[arg(long, value_parser = load_multiple, requires = "ladder")]
    pub step: Option<f64>,
    /// No rung is higher.
    #[arg(long, value_parser = load_multiple, default_value = "1000x")]
    pub top: f64,
    /// How long the load that kept the limits is held, and stressed; by default as long as each rung.
    #[arg(long, requires = "ladder")]
    pub hold_s: Option<u64>,
    /// Where results go.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Arguments of `prepare`.
#[derive(Debug, Args)]
pub struct PrepareArgs {
    /// Devices to prepare, separated by commas, one after the other.
    #[arg(long, value_delimiter = ',', required = true)]
    pub devices: Vec<PathBuf>,
    /// Serial number of a device, as consent that its content is destroyed. Once for each device.
    #[arg(long)]
    pub confirm_serial: Vec<String>,
    /// The list of devices that may be written to on this machine.
    #[arg(long, env = "TAILROOM_ALLOW_LIST")]
    pub allow_list: Option<PathBuf>,
    /// Tell the drive first that nothing on it is needed (TRIM).
    #[arg(long)]
    pub trim: bool,
    /// Begin anew instead of going on where an earlier call was cut off.
    #[arg(long)]
    pub restart: bool,
    /// Folder that remembers how far each device is; else `tailroom/prepared` in the user's state folder.
    #[arg(long, env = "TAILROOM_PREPARED")]
    pub state: Option<PathBuf>,
}

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub struct BenchArgs {
    /// File or device to read; opened for reading only.
    #[arg(long)]
    pub file: PathBuf,
    /// Operations under way at once, for each thread.
    #[arg(long, default_value_t = 32)]
    pub depth: u32,
    /// Threads, each with an engine of its own.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
    /// Bytes of each read.
    #[arg(long, value_parser = size_bytes, default_value = "4K")]
    pub block: u64,
    /// How long.
    #[arg(long, default_value_t = 5)]
    pub seconds: u64,
    /// Which engine: auto, `io_uring` or sync.
    #[arg(long, value_parser = engine, default_value = "auto")]
    pub engine: EngineChoice,
    /// Through the page cache.
    #[arg(long)]
    pub buffered: bool,
    /// Let the kernel look for submissions by itself.
    #[arg(long)]
    pub sq_poll: bool,
    /// Ask the drive for completions instead of letting it raise interrupts.
    #[arg(long, conflicts_with_all = ["sq_poll", "buffered"])]
    pub io_poll: bool,
}

fn load_multiple(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches(['x', 'X']);
    number.parse().ok().filter(|load: &f64| *load > 0.0).ok_or_else(|| "a load is a number such as 30x".to_owned())
}

fn size_bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(['B', 'i', 'K', 'M', 'G', 'T', 'b', 'k', 'm', 'g', 't']);
    let shift = match text[digits.len()..].to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err("a size is a number with K, M, G or T, such as 4G".to_owned()),
    };
    let number: Option<u64> = digits.parse().ok();
    number
        .filter(|number| *number > 0)
        .and_then(|number| number.checked_mul(1 << shift))
        .ok_or_else(|| "a size is a number with K, M, G or T, such as 4G".to_owned())
}

fn engine(text: &str) -> Result<EngineChoice, String> {
    match text {
        "auto" => Ok(EngineChoice::Auto),
        "io_uring" => Ok(EngineChoice::IoUring),
        "sync" => Ok(EngineChoice::Sync),
        "null" => Ok(EngineChoice::Null),
        _ => Err("an engine is auto, io_uring, sync or null".to_owned()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_loads_are_read_as_people_write_them() {
        for (text, bytes) in [("4096", 4096), ("4K", 4096), ("512M", 512 << 20), ("4GiB", 4 << 30), ("1TB", 1 << 40)] {
            assert_eq!(size_bytes(text), Ok(bytes), "{text}");
        }
        assert!(size_bytes("4X").is_err() && size_bytes("").is_err() && size_bytes("0G").is_err());
        assert!((load_multiple("30x").expect("a load") - 30.0).abs() < 1e-9);
        assert!(load_multiple("x").is_err() && load_multiple("-1x").is_err());
    }
}
