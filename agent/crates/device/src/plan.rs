//! The plan of a drive measurement: its operations, their rates, and the devices.
//!
//! Defines the defaults, and rejects invalid plans before any file or device is opened. Names are those of the plan file; `config`
//! translates ACT's own configuration files.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use measure::series::WorkloadError;
use serde::{Deserialize, Serialize};

use crate::engine::settings::{EngineChoice, Polling};
use crate::safety::{Consent, DEFAULT_PATH};

/// Resolution of a load multiple: steps per 1x.
pub const MICRO_LOADS_PER_LOAD: u64 = 1_000_000;
const HIGHEST_LOAD_MULTIPLE: f64 = 10_000.0;
/// Largest record and largest large block in bytes, as in ACT 6.5 and later.
const LARGEST_BLOCK_BYTES: u32 = 8 << 20;
/// Limits of ACT in nanoseconds, at which reads are counted exactly unless the plan states others.
const ACT_LIMITS_NS: [u64; 3] = [1_000_000, 8_000_000, 64_000_000];
/// Largest number of devices; more than any machine on ACT's list has.
const MOST_DEVICES: usize = 64;
const DEFAULT_FILE_SIZE_BYTES: u64 = 4 << 30;
/// Size in bytes of reads and writes of ACT's index test, independent of the record size.
pub const INDEX_BYTES: u32 = 4096;

/// ACT's two tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// `act_storage`: reads of records beside reads and writes of large blocks.
    #[default]
    Storage,
    /// `act_index`: reads and writes of 4 KiB, as for an index on a drive.
    Index,
}

/// Process by which operations arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArrivalProcess {
    /// Evenly spaced, as in ACT.
    #[default]
    Constant,
    /// Independent, exponentially distributed gaps.
    Poisson,
}

/// Plan of an ACT workload: random reads of records beside reads and writes of large blocks, at constant rates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "the yes-or-no keys of ACT's configuration, each for itself")]
pub struct ActStoragePlan {
    /// A file that does not exist yet (it is created, filled and removed), or a block device.
    pub path: PathBuf,
    /// Further files or devices; the load is spread evenly over all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub further_paths: Vec<PathBuf>,
    /// Size of each file in bytes (4 GiB if `None`), or of the used part of each device (all of it if `None`).
    pub file_size_bytes: Option<u64>,
    /// Which of ACT's tests to run.
    pub model: Model,
    /// Load, where 1.0 is 2,000 reads and 1,000 record writes per second and device; `None` if the rates correspond to none.
    pub load_multiple: Option<f64>,
    /// Read requests per second over all devices, as an alternative to `load_multiple`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_requests_per_s: Option<u32>,
    /// Write requests per second over all devices, as an alternative to `load_multiple`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub write_requests_per_s: Option<u32>,
    /// Size of a record in bytes; a read is rounded up to the unit of direct I/O.
    pub record_bytes: u32,
    /// Upper bound of record sizes, which are uniform from `record_bytes` to this; 0 if all have `record_bytes`.
    pub record_bytes_range_max: u32,
    pub large_block_bytes: u32,
    /// Number of copies of each record in a cluster.
    pub replication_factor: u32,
    /// Percentage of writes that read the record first.
    pub update_pct: u8,
    /// Percentage of a block in use below which the block is rewritten; 50 doubles the large-block rate.
    pub defrag_lwm_pct: u8,
    /// Whether blocks are rewritten without being read, because they are in memory.
    pub no_defrag_reads: bool,
    /// Percentage of random bytes in each written block; the others are zeros, for drives that compress.
    pub compress_pct: u8,
    /// Whether records are written individually; large blocks are then only written when they are rewritten.
    pub commit_to_device: bool,
    /// Whether large blocks are also read sequentially from start to end, repeatedly.
    pub tomb_raider: bool,
    /// Pause between two reads of the tomb raider, in microseconds.
    pub tomb_raider_sleep_us: u32,
    /// Lateness of an operation that ends the run, in seconds; 0 for no limit.
    pub max_lag_s: u32,
    /// Time after which an operation counts as timed out, in seconds.
    pub io_timeout_s: u32,
    /// Whether to leave out all writes; devices are then opened for reading only.
    pub read_only: bool,
    /// Whether to read existing content, even of a file; nothing is created or filled. Never set by a plan file.
    #[serde(skip)]
    pub reads_existing: bool,
    pub arrivals: ArrivalProcess,
    /// Length of the ramp before the run in seconds, during which the load rises and nothing is recorded.
    pub ramp_s: u32,
    pub engine: EngineChoice,
    /// Number of measuring threads; as few as the load needs if `None`.
    pub threads: Option<u16>,
    /// Whether a kernel thread polls for submissions (occupies a core per thread; for high loads).
    pub sq_poll: bool,
    /// Whether the measuring thread polls the drive for completions instead of using interrupts (occupies a core per thread; only
    /// for drives whose driver has polled queues).
    pub io_poll: bool,
    /// Whether to bypass the page cache (`O_DIRECT`). Without this, memory is measured instead of the drive.
    pub direct_io: bool,
    /// Whether a write only completes when the drive reports it as durable (`O_DSYNC`), as in ACT since 5.0.
    pub sync_writes: bool,
    /// Ascending latencies in nanoseconds at and above which operations are counted exactly.
    pub limits_ns: Vec<u64>,
    /// Seed of all offsets and of the file's content.
    pub seed: u64,
    /// Description of how the devices were prepared; filled in by the agent if known.
    pub preconditioning: Option<String>,
    /// Share of each device that is reserved as spare (0.21 for 21 %).
    pub over_provisioning: Option<f64>,
    /// Serial numbers of the block devices, as consent to the loss of their data. They never leave this machine.
    #[serde(skip_serializing)]
    pub confirm_serials: Vec<String>,
    /// Path of the list of devices that may be written to; the default path if `None`.
    #[serde(skip_serializing)]
    pub allow_list: Option<PathBuf>,
}

/// Error for an invalid field of a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("act_storage plan: {field} {sentence}")]
pub struct PlanError {
    /// Name of the field in the plan file.
    pub field: &'static str,
    /// Explanation that follows the name.
    pub sentence: String,
}

impl PlanError {
    pub(crate) fn field<T>(field: &'static str, sentence: impl Into<String>) -> Result<T, Self> {
        Err(Self { field, sentence: sentence.into() })
    }
}

impl From<PlanError> for WorkloadError {
    fn from(error: PlanError) -> Self {
        Self(error.to_string())
    }
}

impl Default for ActStoragePlan {
    /// Returns the default values, which need a path.
    fn default() -> Self {
        Self {
            path: PathBuf::new(),
            further_paths: Vec::new(),
            file_size_bytes: None,
            model: Model::default(),
            load_multiple: None,
            read_requests_per_s: None,
            write_requests_per_s: None,
            record_bytes: 1536,
            record_bytes_range_max: 0,
            large_block_bytes: 131_072,
            replication_factor: 1,
            update_pct: 0,
            defrag_lwm_pct: 50,
            no_defrag_reads: false,
            compress_pct: 100,
            commit_to_device: false,
            tomb_raider: false,
            tomb_raider_sleep_us: 0,
            max_lag_s: 10,
            io_timeout_s: 30,
            read_only: false,
            reads_existing: false,
            arrivals: ArrivalProcess::default(),
            ramp_s: 0,
            engine: EngineChoice::default(),
            threads: None,
            sq_poll: false,
            io_poll: false,
            direct_io: true,
            sync_writes: true,
            limits_ns: ACT_LIMITS_NS.to_vec(),
            seed: 1,
            preconditioning: None,
            over_provisioning: None,
            confirm_serials: Vec::new(),
            allow_list: None,
        }
    }
}

impl ActStoragePlan {
    /// Returns the consent to writing to the devices.
    pub fn consent(&self) -> Consent {
        Consent {
            serials: self.confirm_serials.clone(),
            allow_list: self.allow_list.clone().unwrap_or_else(|| DEFAULT_PATH.into()),
        }
    }

    /// Returns a plan for `path` with the default values.
    pub fn new(path: PathBuf) -> Self {
        Self { path, ..Self::default() }
    }

    /// Returns the paths of all files or devices.
    pub fn paths(&self) -> Vec<&Path> {
        std::iter::once(&self.path).chain(&self.further_paths).map(PathBuf::as_path).collect()
    }

    /// Returns the number of files or devices.
    pub fn device_count(&self) -> usize {
        1 + self.further_paths.len()
    }

    /// Returns the size of each file in bytes; of a device, only once the plan is resolved.
    pub fn size_bytes(&self) -> u64 {
        self.file_size_bytes.unwrap_or(DEFAULT_FILE_SIZE_BYTES)
    }

    /// Returns the load multiple that corresponds to the requests per second, or `None` if there is none; without requests per
    /// second, the load multiple of the plan, by default 1.
    pub fn effective_load(&self) -> Option<f64> {
        let (reads, writes) = (self.read_requests_per_s, self.write_requests_per_s);
        if reads.is_none() && writes.is_none() {
            return Some(self.load_multiple.unwrap_or(1.0));
        }
        let (reads, writes) = (u64::from(reads.unwrap_or(0)), u64::from(writes.unwrap_or(0)));
        (reads == 2 * writes).then(|| writes as f64 / 1_000.0 / self.device_count() as f64)
    }

    /// Returns the polling mode that `sq_poll` and `io_poll` select. Fails if both are set.
    pub fn polling(&self) -> Result<Polling, String> {
        Polling::of(self.sq_poll, self.io_poll)
    }

    /// Checks the values of the plan without accessing any file. Fails for the first invalid field, with the allowed values.
    pub fn validate(&self) -> Result<(), PlanError> {
        let paths = self.paths();
        let are_named = paths.iter().all(|path| !path.as_os_str().is_empty());
        require(are_named, "path", "is empty; name a file that may be created")?;
        if let Some((_, twice)) = paths.iter().enumerate().find(|(index, path)| paths[..*index].contains(path)) {
            return PlanError::field("further_paths", format!("names {} twice", twice.display()));
        }
        let sentence = format!("at most {MOST_DEVICES} devices are loaded at once");
        require(paths.len() <= MOST_DEVICES, "further_paths", sentence)?;
        self.check_rates()?;
        self.check_sizes()?;
        within("defrag_lwm_pct", self.defrag_lwm_pct, 0..=99)?;
        within("update_pct", self.update_pct, 0..=100)?;
        within("compress_pct", self.compress_pct, 0..=100)?;
        let limits = &self.limits_ns;
        let are_ascending = limits.len() <= 16 && limits.is_sorted_by(|a, b| a < b) && limits.first() != Some(&0);
        let sentence = format!("is {limits:?}; at most 16 ascending values above 0 are allowed");
        require(are_ascending, "limits_ns", sentence)?;
        let polling = self.polling().or_else(|sentence| PlanError::field("sq_poll", sentence))?;
        let sentence = "goes around the page cache; direct_io cannot be false with it";
        require(self.direct_io || !self.io_poll, "io_poll", sentence)?;
        if let (EngineChoice::Sync, Some(key)) = (self.engine, polling.key()) {
            return PlanError::field("engine", format!("is sync; {key} needs io_uring"));
        }
        let sentence = "is false; commit_to_device means that every write is durable";
        require(self.sync_writes || !self.commit_to_device, "sync_writes", sentence)?;
        let is_possible = self.threads.is_none_or(|threads| (1..=256).contains(&threads));
        require(is_possible, "threads", "must lie between 1 and 256")?;
        let is_share = self.over_provisioning.is_none_or(|ratio| (0.0..1.0).contains(&ratio));
        require(is_share, "over_provisioning", "is a share of the device: at least 0, less than 1")?;
        require(self.io_timeout_s > 0, "io_timeout_s", "is 0; at least one second is needed")
    }

    fn check_rates(&self) -> Result<(), PlanError> {
        let requests = [self.read_requests_per_s, self.write_requests_per_s];
        if requests.iter().all(Option::is_none) {
            let lowest_load = 1.0 / MICRO_LOADS_PER_LOAD as f64;
            within("load_multiple", self.load_multiple.unwrap_or(1.0), lowest_load..=HIGHEST_LOAD_MULTIPLE)?;
        } else {
            let is_same = self.load_multiple.is_none_or(|load| self.effective_load() == Some(load));
            let sentence = "contradicts read_requests_per_s and write_requests_per_s; give one of both";
            require(is_same, "load_multiple", sentence)?;
            let any = requests.iter().flatten().any(|&per_s| per_s > 0);
            require(any, "read_requests_per_s", "and write_requests_per_s cannot both be 0")?;
        }
        require(self.replication_factor > 0, "replication_factor", "is 0; it must be at least 1")
    }

    fn check_sizes(&self) -> Result<(), PlanError> {
        let (record_bytes, large_block_bytes) = (self.record_bytes, self.large_block_bytes);
        within("record_bytes", record_bytes, 1..=LARGEST_BLOCK_BYTES)?;
        let range_max = self.record_bytes_range_max;
        let is_above = range_max == 0 || (record_bytes + 1..=LARGEST_BLOCK_BYTES).contains(&range_max);
        let sentence = format!("is {range_max}; it must be 0 or lie above record_bytes, up to {LARGEST_BLOCK_BYTES}");
        require(is_above, "record_bytes_range_max", sentence)?;
        let is_block =
            (4096..=LARGEST_BLOCK_BYTES).contains(&large_block_bytes) && large_block_bytes.is_multiple_of(4096);
        let sentence =
            format!("is {large_block_bytes}; it must be a multiple of 4096 between 4096 and {LARGEST_BLOCK_BYTES}");
        require(is_block, "large_block_bytes", sentence)?;
        let fits = self.model != Model::Storage || self.average_stored_bytes() <= large_block_bytes;
        let sentence = format!("{record_bytes} does not fit into large_block_bytes {large_block_bytes}");
        require(fits, "record_bytes", sentence)?;
        let (smallest, size_bytes) = (u64::from(large_block_bytes) * 8, self.size_bytes());
        let is_enough = self.file_size_bytes.is_none() || (smallest..=1 << 60).contains(&size_bytes);
        let sentence = format!("is {size_bytes}; it must be at least eight large blocks ({smallest})");
        require(is_enough, "file_size_bytes", sentence)
    }

    /// Returns the smallest and the largest record size in bytes as stored by ACT, rounded up to 16 bytes.
    pub fn stored_bytes(&self) -> (u32, u32) {
        if self.model == Model::Index {
            return (INDEX_BYTES, INDEX_BYTES);
        }
        let least = self.record_bytes.next_multiple_of(16);
        (least, self.record_bytes_range_max.next_multiple_of(16).max(least))
    }

    /// Returns the mean record size as stored, in bytes, rounded down as in ACT.
    pub fn average_stored_bytes(&self) -> u32 {
        let (least, most) = self.stored_bytes();
        u32::midpoint(least, most)
    }
}

fn require(holds: bool, field: &'static str, sentence: impl Into<String>) -> Result<(), PlanError> {
    if holds { Ok(()) } else { PlanError::field(field, sentence) }
}

fn within<T: PartialOrd + Display + Copy>(
    field: &'static str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), PlanError> {
    let sentence = format!("is {value}; it must lie between {} and {}", range.start(), range.end());
    require(range.contains(&value), field, sentence)
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
