//! The plan of a device run: what is read and written, how fast, and where.
//!
//! Decides the defaults and which plans are refused before anything is touched. The names follow the plan file.

use std::path::PathBuf;

use measure::series::WorkloadError;
use serde::{Deserialize, Serialize};

use crate::rates::MICRO_LOADS_PER_LOAD;

/// Largest load multiple: a thousand times the reference drive of 2012.
const HIGHEST_LOAD_MULTIPLE: f64 = 10_000.0;

/// Which engine carries out the input and output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineChoice {
    /// `io_uring` where the kernel offers it, else `sync`.
    #[default]
    Auto,
    /// One thread, asynchronous input and output through an `io_uring`.
    IoUring,
    /// Worker threads with `pread` and `pwrite`.
    Sync,
    /// No input or output: a seeded latency for each operation, the same on every machine.
    Null,
}

/// The ACT storage workload: random reads of records beside large-block reads and writes, at constant rates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActStoragePlan {
    /// A file that does not exist yet (it is created, filled and removed), or a block device (see `allow_destroy`).
    pub path: PathBuf,
    /// Size of the file, or of the part of the block device that is used.
    #[serde(default = "default_file_size_bytes")]
    pub file_size_bytes: u64,
    /// 1.0 is 2,000 reads and 1,000 record writes per second; the writes happen as large blocks.
    #[serde(default = "default_load_multiple")]
    pub load_multiple: f64,
    /// Size of one record; a read is this, rounded up to what direct input and output needs.
    #[serde(default = "default_record_bytes")]
    pub record_bytes: u32,
    /// Size of a large block.
    #[serde(default = "default_large_block_bytes")]
    pub large_block_bytes: u32,
    /// A block is rewritten when less than this share of it is in use; 50 doubles the large-block rate.
    #[serde(default = "default_defrag_lwm_pct")]
    pub defrag_lwm_pct: u8,
    /// Which engine.
    #[serde(default)]
    pub engine: EngineChoice,
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
    /// For a block device: the same path once more, as consent that its content is destroyed.
    #[serde(default)]
    pub allow_destroy: Option<PathBuf>,
}

fn default_file_size_bytes() -> u64 {
    4 << 30
}

fn default_load_multiple() -> f64 {
    1.0
}

fn default_record_bytes() -> u32 {
    1536
}

fn default_large_block_bytes() -> u32 {
    131_072
}

fn default_defrag_lwm_pct() -> u8 {
    50
}

fn default_true() -> bool {
    true
}

fn default_limits_ns() -> Vec<u64> {
    vec![1_000_000, 8_000_000, 64_000_000]
}

fn default_seed() -> u64 {
    1
}

impl ActStoragePlan {
    /// A plan for `path` with every default.
    #[must_use]
    pub fn new(path: PathBuf) -> Self {
        Self {
            path,
            file_size_bytes: default_file_size_bytes(),
            load_multiple: default_load_multiple(),
            record_bytes: default_record_bytes(),
            large_block_bytes: default_large_block_bytes(),
            defrag_lwm_pct: default_defrag_lwm_pct(),
            engine: EngineChoice::default(),
            direct_io: true,
            sync_writes: true,
            limits_ns: default_limits_ns(),
            seed: default_seed(),
            allow_destroy: None,
        }
    }

    /// Checks the values against each other; looks at no file.
    ///
    /// # Errors
    /// Names the field, its value and what is allowed.
    pub fn validate(&self) -> Result<(), WorkloadError> {
        let refuse = |sentence: String| Err(WorkloadError(format!("act_storage plan: {sentence}")));
        if self.path.as_os_str().is_empty() {
            return refuse("path is empty; name a file that may be created".into());
        }
        let lowest_load = 1.0 / MICRO_LOADS_PER_LOAD as f64;
        if !(lowest_load..=HIGHEST_LOAD_MULTIPLE).contains(&self.load_multiple) {
            return refuse(format!(
                "load_multiple is {}; it must lie between 0.000001 and {HIGHEST_LOAD_MULTIPLE}",
                self.load_multiple
            ));
        }
        if !(1..=1 << 20).contains(&self.record_bytes) {
            return refuse(format!("record_bytes is {}; it must lie between 1 and 1048576", self.record_bytes));
        }
        if !(4096..=8 << 20).contains(&self.large_block_bytes) || !self.large_block_bytes.is_multiple_of(4096) {
            return refuse(format!(
                "large_block_bytes is {}; it must be a multiple of 4096 between 4096 and 8388608",
                self.large_block_bytes
            ));
        }
        if self.stored_record_bytes() > self.large_block_bytes {
            return refuse(format!(
                "record_bytes {} does not fit into large_block_bytes {}",
                self.record_bytes, self.large_block_bytes
            ));
        }
        if self.defrag_lwm_pct > 99 {
            return refuse(format!("defrag_lwm_pct is {}; it must lie between 0 and 99", self.defrag_lwm_pct));
        }
        let smallest = u64::from(self.large_block_bytes) * 8;
        if self.file_size_bytes < smallest || self.file_size_bytes > 1 << 60 {
            return refuse(format!(
                "file_size_bytes is {}; it must be at least eight large blocks ({smallest})",
                self.file_size_bytes
            ));
        }
        if self.limits_ns.len() > 16 || !self.limits_ns.is_sorted_by(|a, b| a < b) || self.limits_ns.first() == Some(&0)
        {
            return refuse(format!(
                "limits_ns is {:?}; at most 16 ascending values above 0 are allowed",
                self.limits_ns
            ));
        }
        Ok(())
    }

    /// Size of a record as ACT lays it out: rounded up to 16 bytes.
    #[must_use]
    pub fn stored_record_bytes(&self) -> u32 {
        self.record_bytes.next_multiple_of(16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_with_only_a_path_has_every_default() {
        let plan: ActStoragePlan = toml::from_str("path = \"act.dat\"").expect("readable");
        assert_eq!(plan, ActStoragePlan::new("act.dat".into()));
        assert!(plan.validate().is_ok());
        assert_eq!((plan.load_multiple, plan.limits_ns.len()), (1.0, 3));
    }

    #[test]
    fn an_unknown_field_is_named() {
        let error = toml::from_str::<ActStoragePlan>("path = \"a\"\nload_multipel = 2.0").expect_err("refused");
        assert!(error.to_string().contains("load_multipel"));
    }

    #[test]
    fn each_bad_value_is_named() {
        let refused = |change: fn(&mut ActStoragePlan)| {
            let mut plan = ActStoragePlan::new("act.dat".into());
            change(&mut plan);
            plan.validate().expect_err("refused").to_string()
        };
        assert!(refused(|plan| plan.path = PathBuf::new()).contains("path"));
        assert!(refused(|plan| plan.load_multiple = f64::NAN).contains("load_multiple"));
        assert!(refused(|plan| plan.load_multiple = 0.0).contains("load_multiple"));
        assert!(refused(|plan| plan.record_bytes = 0).contains("record_bytes"));
        assert!(refused(|plan| plan.record_bytes = 200_000).contains("does not fit"));
        assert!(refused(|plan| plan.large_block_bytes = 5000).contains("large_block_bytes"));
        assert!(refused(|plan| plan.defrag_lwm_pct = 100).contains("defrag_lwm_pct"));
        assert!(refused(|plan| plan.file_size_bytes = 4096).contains("file_size_bytes"));
        assert!(refused(|plan| plan.limits_ns = vec![2, 1]).contains("limits_ns"));
        assert!(refused(|plan| plan.limits_ns = vec![0]).contains("limits_ns"));
    }
}
