//! Checks of the rates and sizes of a plan.

use crate::plan::{ActStoragePlan, HIGHEST_LOAD_MULTIPLE, LARGEST_BLOCK_BYTES, MICRO_LOADS_PER_LOAD, Model, PlanError};

impl ActStoragePlan {
    pub(crate) fn check_rates(&self) -> Result<(), PlanError> {
        let lowest_load = 1.0 / MICRO_LOADS_PER_LOAD as f64;
        let requests = [self.read_requests_per_s, self.write_requests_per_s];
        if requests.iter().all(Option::is_none) {
            let load = self.load_multiple.unwrap_or(1.0);
            if !(lowest_load..=HIGHEST_LOAD_MULTIPLE).contains(&load) {
                return PlanError::field(
                    "load_multiple",
                    format!("is {load}; it must lie between 0.000001 and {HIGHEST_LOAD_MULTIPLE}"),
                );
            }
        } else if let Some(load) = self.load_multiple
            && self.effective_load() != Some(load)
        {
            return PlanError::field(
                "load_multiple",
                "contradicts read_requests_per_s and write_requests_per_s; give one of both",
            );
        } else if requests.iter().flatten().all(|&per_s| per_s == 0) {
            return PlanError::field("read_requests_per_s", "and write_requests_per_s cannot both be 0");
        }
        if self.replication_factor == 0 {
            return PlanError::field("replication_factor", "is 0; it must be at least 1");
        }
        Ok(())
    }

    pub(crate) fn check_sizes(&self) -> Result<(), PlanError> {
        if !(1..=LARGEST_BLOCK_BYTES).contains(&self.record_bytes) {
            return PlanError::field(
                "record_bytes",
                format!("is {}; it must lie between 1 and {LARGEST_BLOCK_BYTES}", self.record_bytes),
            );
        }
        let range_max = self.record_bytes_range_max;
        if range_max != 0 && !(self.record_bytes + 1..=LARGEST_BLOCK_BYTES).contains(&range_max) {
            return PlanError::field(
                "record_bytes_range_max",
                format!(
                    "is {range_max}; it must be 0 or lie above record_bytes, up to \
                 {LARGEST_BLOCK_BYTES}"
                ),
            );
        }
        if !(4096..=LARGEST_BLOCK_BYTES).contains(&self.large_block_bytes)
            || !self.large_block_bytes.is_multiple_of(4096)
        {
            return PlanError::field(
                "large_block_bytes",
                format!(
                    "is {}; it must be a multiple of 4096 between 4096 and {LARGEST_BLOCK_BYTES}",
                    self.large_block_bytes
                ),
            );
        }
        if self.model == Model::Storage && self.average_stored_bytes() > self.large_block_bytes {
            return PlanError::field(
                "record_bytes",
                format!("{} does not fit into large_block_bytes {}", self.record_bytes, self.large_block_bytes),
            );
        }
        let smallest = u64::from(self.large_block_bytes) * 8;
        if let Some(size_bytes) = self.file_size_bytes
            && !(smallest..=1 << 60).contains(&size_bytes)
        {
            return PlanError::field(
                "file_size_bytes",
                format!("is {size_bytes}; it must be at least eight large blocks ({smallest})"),
            );
        }
        Ok(())
    }
}
