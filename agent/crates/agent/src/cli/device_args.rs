//! What can be typed about drives: `act`, `prepare` and `bench`.

use std::path::PathBuf;

use clap::Args;
use device::EngineChoice;

use super::output_args::OutputArgs;

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
    /// Raise the load from --load by --step until a limit of ACT is broken, hold the last load that kept them, then
    /// stress at twice of it. Each load is a run of its own.
    #[arg(long, requires = "load")]
    pub ladder: bool,
    /// File that remembers the loads of the ladder until it has ended; else one in `tailroom/ladder` in the user's state folder.
    #[arg(long, requires = "ladder")]
    pub state: Option<PathBuf>,
    /// Begin the ladder again instead of going on where an earlier call was cut off.
    #[arg(long, requires = "ladder")]
    pub restart: bool,
    /// How much more each rung of the ladder loads; by default as much as the first.
    #[arg(long, value_parser = load_multiple, requires = "ladder")]
    pub step: Option<f64>,
    /// No rung is higher.
    #[arg(long, value_parser = load_multiple, default_value = "1000x")]
    pub top: f64,
    /// How long the load that kept the limits is held, and stressed; by default as long as each rung.
    #[arg(long, requires = "ladder")]
    pub hold_s: Option<u64>,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, Args)]
pub struct SyncWriteArgs {
    /// Folder on the drive, for example next to the data of the database. It holds a file of 64 MiB during the test.
    #[arg(long, required_unless_present = "device", conflicts_with = "device")]
    pub folder: Option<PathBuf>,
    /// A device instead. ITS FIRST 64 MiB ARE DESTROYED.
    #[arg(long)]
    pub device: Option<PathBuf>,
    /// Serial number of the device, as consent that its content is destroyed.
    #[arg(long, requires = "device")]
    pub confirm_serial: Vec<String>,
    /// The list of devices that may be written to on this machine.
    #[arg(long, env = "TAILROOM_ALLOW_LIST")]
    pub allow_list: Option<PathBuf>,
    /// Bytes of each write; a run for each size. etcd writes about 2 to 4 KiB, `PostgreSQL` pages of 8 KiB.
    #[arg(long, value_delimiter = ',', value_parser = size_bytes, default_value = "4K,8K")]
    pub block: Vec<u64>,
    /// How long each size is measured.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub duration_s: u64,
    /// What a person calls the runs.
    #[arg(long)]
    pub title: Option<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}

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
    /// First discard the content of the drive (TRIM).
    #[arg(long)]
    pub trim: bool,
    /// Begin anew instead of going on where an earlier call was cut off.
    #[arg(long)]
    pub restart: bool,
    /// Folder that remembers how far each device is; else `tailroom/prepared` in the user's state folder.
    #[arg(long, env = "TAILROOM_PREPARED")]
    pub state: Option<PathBuf>,
}

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

pub(super) fn load_multiple(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches(['x', 'X']);
    number.parse().ok().filter(|load: &f64| *load > 0.0).ok_or_else(|| "a load is a number such as 30x".to_owned())
}

fn size_bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(['B', 'i', 'K', 'M', 'G', 'T', 'b', 'k', 'm', 'g', 't']);
    let unit = text[digits.len()..].to_ascii_uppercase();
    let units = ["", "K", "M", "G", "T"];
    let power = units.iter().position(|name| *name == unit.trim_end_matches('B').trim_end_matches('I'));
    let number = digits.parse().ok().filter(|number: &u64| *number > 0);
    let bytes = number.zip(power).and_then(|(number, power)| number.checked_mul(1 << (10 * power)));
    bytes.ok_or_else(|| "a size is a number with K, M, G or T, such as 4G".to_owned())
}

fn engine(text: &str) -> Result<EngineChoice, String> {
    serde_json::from_value(text.into()).map_err(|_| "an engine is auto, io_uring, sync or null".to_owned())
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
