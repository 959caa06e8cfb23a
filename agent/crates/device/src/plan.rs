//! The plan of a device run: its operations, their rates, and the devices.
//!
//! Decides the defaults and which plans are refused before anything is touched. The names follow the plan file; those of
//! ACT's own configuration are translated in `config`.

use std::path::{Path, PathBuf};

use measure::series::WorkloadError;
use serde::{Deserialize, Serialize};

use crate::engine::settings::{EngineChoice, Polling};
use crate::safety::{Consent, DEFAULT_PLACE};

/// Resolution of a load multiple.
pub const MICRO_LOADS_PER_LOAD: u64 = 1_000_000;
/// Largest load multiple: ten thousand times the reference drive of 2012.
pub(crate) const HIGHEST_LOAD_MULTIPLE: f64 = 10_000.0;
/// Largest record and large block, as in ACT 6.5 and later.
pub(crate) const LARGEST_BLOCK_BYTES: u32 = 8 << 20;
/// Limits of ACT that reads are counted at exactly when the plan names none.
const ACT_LIMITS_NS: [u64; 3] = [1_000_000, 8_000_000, 64_000_000];
/// More devices than any machine of ACT's list has.
const MOST_DEVICES: usize = 64;
/// Size of a file when the plan says none.
const DEFAULT_FILE_SIZE_BYTES: u64 = 4 << 30;
/// ACT's index test reads and writes in these units, whatever the record.
pub const INDEX_BYTES: u32 = 4096;

/// Which of ACT's two tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// `act_storage`: reads of records beside reads and writes of large blocks.
    #[default]
    Storage,
    /// `act_index`: reads and writes of 4 KiB, as an index on a drive needs them.
    Index,
}

/// How operations arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArrivalProcess {
    /// Evenly spaced, as ACT intends it.
    #[default]
    Constant,
    /// With independent, exponential gaps.
    Poisson,
}

/// The ACT workload: random reads of records beside large-block reads and writes, at constant rates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "the yes-or-no keys of ACT's configuration, each for itself")]
pub struct ActStoragePlan {
    /// A file that does not exist yet (it is created, filled and removed), or a block device.
    pub path: PathBuf,
    /// Further files or devices; the load is spread evenly over all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further_paths: Vec<PathBuf>,
    /// Size of each file (4 GiB when not given), or of the part of each device that is used (all of it when not given).
    #[serde(default)]
    pub file_size_bytes: Option<u64>,
    /// Which of ACT's tests.
    #[serde(default)]
    pub model: Model,
    /// 1.0 is 2,000 reads and 1,000 record writes per second and device; not given where the rates are no such load.
    #[serde(default)]
    pub load_multiple: Option<f64>,
    /// Instead of a load multiple: read requests per second, all devices together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_requests_per_s: Option<u32>,
    /// Instead of a load multiple: write requests per second, all devices together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_requests_per_s: Option<u32>,
    /// Size of one record; a read is this, rounded up to what direct input and output needs.
    #[serde(default = "default_record_bytes")]
    pub record_bytes: u32,
    /// Records are evenly spread between `record_bytes` and this; 0: all of one size.
    #[serde(default)]
    pub record_bytes_range_max: u32,
    /// Size of a large block.
    #[serde(default = "default_large_block_bytes")]
    pub large_block_bytes: u32,
    /// Copies of each record that a cluster writes.
    #[serde(default = "default_one")]
    pub replication_factor: u32,
    /// Share of the writes that read the record first.
    #[serde(default)]
    pub update_pct: u8,
    /// A block is rewritten when less than this share of it is in use; 50 doubles the large-block rate.
    #[serde(default = "default_defrag_lwm_pct")]
    pub defrag_lwm_pct: u8,
    /// Blocks that are rewritten need not be read (they are in memory).
    #[serde(default)]
    pub no_defrag_reads: bool,
    /// Share of each written block that is random; the rest is zeros, for drives that compress.
    #[serde(default = "default_hundred")]
    pub compress_pct: u8,
    /// Records are written one by one; large blocks are then written only as they are rewritten.
    #[serde(default)]
    pub commit_to_device: bool,
    /// One large block after the other is read from start to end, again and again.
    #[serde(default)]
    pub tomb_raider: bool,
    /// Pause between two reads of that sweep.
    #[serde(default)]
    pub tomb_raider_sleep_us: u32,
    /// An operation that begins so late ends the run; 0: never.
    #[serde(default = "default_max_lag_s")]
    pub max_lag_s: u32,
    /// An operation that takes so long is given up and counted as a time-out.
    #[serde(default = "default_io_timeout_s")]
    pub io_timeout_s: u32,
    /// Leaves out everything that writes; the device is opened for reading only.
    #[serde(default)]
    pub read_only: bool,
    /// Reads what is there, also of a file: nothing is created or filled. Never set by a plan file.
    #[serde(skip)]
    pub as_it_is: bool,
    /// How operations arrive.
    #[serde(default)]
    pub arrivals: ArrivalProcess,
    /// Before the run the load rises for so long; what happens then is not recorded.
    #[serde(default)]
    pub ramp_s: u32,
    /// Which engine.
    #[serde(default)]
    pub engine: EngineChoice,
    /// Threads that keep the schedule; not given: as few as the load needs.
    #[serde(default)]
    pub threads: Option<u16>,
    /// The kernel looks for submissions by itself (a busy core for each thread; for high loads).
    #[serde(default)]
    pub sq_poll: bool,
    /// The measuring thread asks the drive for completions, which then raises no interrupts (a busy core for each thread;
    /// only for drives whose driver has polled queues).
    #[serde(default)]
    pub io_poll: bool,
    /// Go around the page cache (`O_DIRECT`). Without it memory is measured, not the drive.
    #[serde(default = "default_true")]
    pub direct_io: bool,
    /// A write counts as completed when the drive says that it is durable (`O_DSYNC`), as in ACT since 5.0.
    #[serde(default = "default_true")]
    pub sync_writes: bool,
    /// Ascending latencies at and above which operations are counted exactly.
    #[serde(default = "default_limits_ns")]
    pub limits_ns: Vec<u64>,
    /// Source of all offsets and of the file's content.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// How the devices were prepared, in words; filled in by the agent where it knows.
    #[serde(default)]
    pub preconditioning: Option<String>,
    /// Share of each device that the owner has set aside (0.21 for 21 %); 0: none.
    #[serde(default)]
    pub over_provisioning: Option<f64>,
    /// Serial numbers of the block devices, as consent that their content is destroyed. Never leaves this machine.
    #[serde(default, skip_serializing)]
    pub confirm_serials: Vec<String>,
    /// File that names the devices that may be written to; the usual place when not given.
    #[serde(default, skip_serializing)]
    pub allow_list: Option<PathBuf>,
}

fn default_record_bytes() -> u32 {
    1536
}

fn default_large_block_bytes() -> u32 {
    131_072
}

fn default_one() -> u32 {
    1
}

fn default_hundred() -> u8 {
    100
}

fn default_defrag_lwm_pct() -> u8 {
    50
}

fn default_max_lag_s() -> u32 {
    10
}

fn default_io_timeout_s() -> u32 {
    30
}

fn default_true() -> bool {
    true
}

fn default_limits_ns() -> Vec<u64> {
    ACT_LIMITS_NS.to_vec()
}

fn default_seed() -> u64 {
    1
}

/// A field of a plan that cannot be what it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("act_storage plan: {field} {sentence}")]
pub struct PlanError {
    /// As the plan file names it.
    pub field: &'static str,
    /// What is wrong with it, behind its name.
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

impl ActStoragePlan {
    /// What was agreed to about devices.
    #[must_use]
    pub fn consent(&self) -> Consent {
        Consent {
            serials: self.confirm_serials.clone(),
            allow_list: self.allow_list.clone().unwrap_or_else(|| DEFAULT_PLACE.into()),
        }
    }

    /// Returns a plan for `path` with every default.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            further_paths: Vec::new(),
            file_size_bytes: None,
            model: Model::default(),
            load_multiple: None,
            read_requests_per_s: None,
            write_requests_per_s: None,
            record_bytes: default_record_bytes(),
            record_bytes_range_max: 0,
            large_block_bytes: default_large_block_bytes(),
            replication_factor: default_one(),
            update_pct: 0,
            defrag_lwm_pct: default_defrag_lwm_pct(),
            no_defrag_reads: false,
            compress_pct: default_hundred(),
            commit_to_device: false,
            tomb_raider: false,
            tomb_raider_sleep_us: 0,
            max_lag_s: default_max_lag_s(),
            io_timeout_s: default_io_timeout_s(),
            read_only: false,
            as_it_is: false,
            arrivals: ArrivalProcess::default(),
            ramp_s: 0,
            engine: EngineChoice::default(),
            threads: None,
            sq_poll: false,
            io_poll: false,
            direct_io: true,
            sync_writes: true,
            limits_ns: default_limits_ns(),
            seed: default_seed(),
            preconditioning: None,
            over_provisioning: None,
            confirm_serials: Vec::new(),
            allow_list: None,
        }
    }

    /// Returns all files or devices.
    #[must_use]
    pub fn paths(&self) -> Vec<&Path> {
        std::iter::once(&self.path).chain(&self.further_paths).map(PathBuf::as_path).collect()
    }

    /// Returns how many there are.
    #[must_use]
    pub fn device_count(&self) -> usize {
        1 + self.further_paths.len()
    }

    /// Size of each file; of a device, once it is resolved.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        self.file_size_bytes.unwrap_or(DEFAULT_FILE_SIZE_BYTES)
    }

    /// The load multiple that the requests per second are, where they are one; else what the plan says, by default 1.
    #[must_use]
    pub fn effective_load(&self) -> Option<f64> {
        let (reads, writes) = (self.read_requests_per_s, self.write_requests_per_s);
        if reads.is_none() && writes.is_none() {
            return Some(self.load_multiple.unwrap_or(1.0));
        }
        let (reads, writes) = (u64::from(reads.unwrap_or(0)), u64::from(writes.unwrap_or(0)));
        (reads == 2 * writes).then(|| writes as f64 / 1_000.0 / self.device_count() as f64)
    }

    /// What `sq_poll` and `io_poll` mean together.
    ///
    /// # Errors
    /// A sentence, when both are set.
    pub fn polling(&self) -> Result<Polling, String> {
        Polling::of(self.sq_poll, self.io_poll)
    }

    /// Checks the values against each other; looks at no file.
    ///
    /// # Errors
    /// Names the field, its value and what is allowed.
    pub fn validate(&self) -> Result<(), PlanError> {
        let paths = self.paths();
        if paths.iter().any(|path| path.as_os_str().is_empty()) {
            return PlanError::field("path", "is empty; name a file that may be created");
        }
        if let Some(twice) = paths.iter().enumerate().find(|(place, path)| paths[..*place].contains(path)) {
            return PlanError::field("further_paths", format!("names {} twice", twice.1.display()));
        }
        if paths.len() > MOST_DEVICES {
            return PlanError::field("further_paths", format!("at most {MOST_DEVICES} devices are loaded at once"));
        }
        self.check_rates()?;
        self.check_sizes()?;
        for (name, value, most) in [
            ("defrag_lwm_pct", self.defrag_lwm_pct, 99),
            ("update_pct", self.update_pct, 100),
            ("compress_pct", self.compress_pct, 100),
        ] {
            if value > most {
                return PlanError::field(name, format!("is {value}; it must lie between 0 and {most}"));
            }
        }
        if self.limits_ns.len() > 16 || !self.limits_ns.is_sorted_by(|a, b| a < b) || self.limits_ns.first() == Some(&0)
        {
            return PlanError::field(
                "limits_ns",
                format!("is {:?}; at most 16 ascending values above 0 are allowed", self.limits_ns),
            );
        }
        let polling = self.polling().or_else(|sentence| PlanError::field("sq_poll", sentence))?;
        if self.io_poll && !self.direct_io {
            return PlanError::field("io_poll", "goes around the page cache; direct_io cannot be false with it");
        }
        if let (EngineChoice::Sync, Some(key)) = (self.engine, polling.key()) {
            return PlanError::field("engine", format!("is sync; {key} needs io_uring"));
        }
        if self.commit_to_device && !self.sync_writes {
            return PlanError::field("sync_writes", "is false; commit_to_device means that every write is durable");
        }
        if self.threads == Some(0) || self.threads.is_some_and(|threads| threads > 256) {
            return PlanError::field("threads", "must lie between 1 and 256");
        }
        if self.over_provisioning.is_some_and(|ratio| !(0.0..1.0).contains(&ratio)) {
            return PlanError::field("over_provisioning", "is a share of the device: at least 0, less than 1");
        }
        if self.io_timeout_s == 0 {
            return PlanError::field("io_timeout_s", "is 0; at least one second is needed");
        }
        Ok(())
    }

    /// Smallest and largest record as ACT lays it out: rounded up to 16 bytes.
    #[must_use]
    pub fn stored_bytes(&self) -> (u32, u32) {
        if self.model == Model::Index {
            return (INDEX_BYTES, INDEX_BYTES);
        }
        let least = self.record_bytes.next_multiple_of(16);
        (least, self.record_bytes_range_max.next_multiple_of(16).max(least))
    }

    /// Mean of a record as it is laid out, rounded down as ACT does.
    #[must_use]
    pub fn average_stored_bytes(&self) -> u32 {
        let (least, most) = self.stored_bytes();
        u32::midpoint(least, most)
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
