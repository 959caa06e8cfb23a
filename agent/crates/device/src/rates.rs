//! What one load multiple means in operations per second (design note on file formats, section on ACT).
//!
//! 1x is 2,000 reads and 1,000 record writes per second. Records are written as large blocks; a block that is written
//! is read and written once more for each time that its records are moved together, which the low-water mark decides.
//! With records of 1.5 KB, blocks of 128 KiB and a mark of 50 % that is 2000 / 85 = 23.53 blocks per second.

use measure::schedule::{Rate, RateUnusable, Schedule};
use measure::series::WorkloadError;

use crate::plan::ActStoragePlan;

/// Resolution of a load multiple.
pub const MICRO_LOADS_PER_LOAD: u64 = 1_000_000;

const READS_PER_S: u128 = 2_000;
const RECORD_WRITES_PER_S: u128 = 1_000;

/// When each operation is intended.
#[derive(Debug, Clone, Copy)]
pub struct Schedules {
    /// Reads of one record.
    pub read: Schedule,
    /// Reads of large blocks.
    pub large_block_read: Schedule,
    /// Writes of large blocks.
    pub large_block_write: Schedule,
}

/// The schedules of a plan. They begin at different parts of their periods, so that they do not meet each time.
///
/// # Errors
/// When the load multiple yields more than one operation per nanosecond or a ratio too fine to calculate with.
pub fn schedules(plan: &ActStoragePlan) -> Result<Schedules, WorkloadError> {
    let refuse =
        |error: RateUnusable| WorkloadError(format!("act_storage plan: load_multiple {}: {error}", plan.load_multiple));
    let micro_loads = micro_loads(plan.load_multiple);
    let per_ns = u128::from(MICRO_LOADS_PER_LOAD) * 1_000_000_000;
    let records_per_block = u128::from(plan.large_block_bytes / plan.stored_record_bytes());
    let free_pct = u128::from(100 - plan.defrag_lwm_pct);
    let read = Rate::new(READS_PER_S * micro_loads, per_ns).map_err(refuse)?;
    let large =
        Rate::new(RECORD_WRITES_PER_S * micro_loads * 100, per_ns * records_per_block * free_pct).map_err(refuse)?;
    Ok(Schedules {
        read: Schedule::new(read, 0, 1),
        large_block_read: Schedule::new(large, 1, 3),
        large_block_write: Schedule::new(large, 2, 3),
    })
}

fn micro_loads(load_multiple: f64) -> u128 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a validated plan: above 0, at most 10^4"
    )]
    let micro_loads = (load_multiple * MICRO_LOADS_PER_LOAD as f64).round() as u128;
    micro_loads.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rates(change: impl FnOnce(&mut ActStoragePlan)) -> (f64, f64) {
        let mut plan = ActStoragePlan::new("file".into());
        change(&mut plan);
        let schedules = schedules(&plan).expect("usable");
        (schedules.read.rate().as_per_second(), schedules.large_block_write.rate().as_per_second())
    }

    #[test]
    fn one_load_is_what_act_does() {
        let (read, large) = rates(|_| {});
        assert!((read - 2_000.0).abs() < 1e-9);
        assert!((large - 2_000.0 / 85.0).abs() < 1e-9);
    }

    #[test]
    fn loads_and_the_low_water_mark_scale_the_rates() {
        let (read, large) = rates(|plan| {
            plan.load_multiple = 2.5;
            plan.defrag_lwm_pct = 0;
        });
        assert!((read - 5_000.0).abs() < 1e-9);
        assert!((large - 2_500.0 / 85.0).abs() < 1e-9);
    }

    #[test]
    fn an_hour_at_one_load_has_exactly_its_operations() {
        let schedules = schedules(&ActStoragePlan::new("file".into())).expect("usable");
        let hour_ns = 3_600_000_000_000;
        assert_eq!(schedules.read.count_before(hour_ns), 7_200_000);
        assert_eq!(schedules.large_block_read.count_before(hour_ns), 84_706);
    }
}
