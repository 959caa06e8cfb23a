//! Operations per second that a plan results in (source: README and source code of ACT 6.6).
//!
//! 1x is 2,000 reads and 1,000 record writes per second and device. Records are written in large blocks. A written block is read
//! and written again whenever its remaining records are moved, which depends on the low-water mark. With records of 1.5 KB, blocks
//! of 128 KiB and a mark of 50 %, that is 2000 / 85 = 23.53 blocks per second. ACT's code aligns records to 16 bytes and leaves the
//! rest of a block unused; ACT's README divides bytes instead (22.95).
//!
//! All rates are exact ratios. ACT rounds requests per second and thread down to whole numbers, which loses up to 4 % of the load
//! with many threads; nothing is rounded here.

use measure::schedule::{Rate, RateUnusable};

use crate::plan::{ActStoragePlan, MICRO_LOADS_PER_LOAD, Model, PlanError};

const READS_PER_S: u128 = 2_000;
/// Reads per second and device at a load of 1x.
pub const READS_PER_S_AT_1X: f64 = READS_PER_S as f64;
const RECORD_WRITES_PER_S: u128 = 1_000;
/// Number of microrequests in a request.
const MICRO: u128 = MICRO_LOADS_PER_LOAD as u128;

/// Operations per second; `None` for a kind that the plan does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rates {
    pub read: Option<Rate>,
    pub large_block_read: Option<Rate>,
    pub large_block_write: Option<Rate>,
    pub write: Option<Rate>,
}

/// An exact ratio: `operations` per `per` microrequests.
type Ratio = (u128, u128);

/// Returns the rates of a plan for each of `devices` devices. Fails if a rate exceeds one operation per nanosecond, or a ratio
/// is too fine to calculate with.
pub fn rates(plan: &ActStoragePlan, devices: usize) -> Result<Rates, PlanError> {
    let (reads, writes) = requests(plan);
    let replicated = writes * u128::from(plan.replication_factor);
    let (lwm, free) = (u128::from(plan.defrag_lwm_pct), u128::from(100 - plan.defrag_lwm_pct));
    let none: Ratio = (0, 1);
    let (read, large_read, large_write, write) = match plan.model {
        Model::Storage => {
            let per_block = u128::from(plan.large_block_bytes / plan.average_stored_bytes());
            let all: Ratio = (replicated * 100, per_block * free);
            let rewritten: Ratio = (replicated * lwm, per_block * free);
            let read: Ratio = (reads * 100 + writes * u128::from(plan.update_pct), 100);
            let large_read = if plan.no_defrag_reads { none } else { all };
            if plan.commit_to_device {
                (read, large_read, rewritten, (replicated, 1))
            } else {
                (read, large_read, all, none)
            }
        }
        // Each request and each replica looks up an entry; each write touches 100 / free entries, which are read and written.
        Model::Index => {
            let touched: Ratio = (replicated * 100, free);
            ((((reads + replicated) * free) + replicated * 100, free), none, none, touched)
        }
    };
    let per_ns = MICRO * 1_000_000_000 * u128::try_from(devices).unwrap_or(u128::MAX).max(1);
    let rate = |(operations, per): Ratio, is_enabled: bool| {
        if operations == 0 || !is_enabled {
            return Ok(None);
        }
        let refuse = |error: RateUnusable| PlanError::field("load_multiple", format!("cannot be scheduled: {error}"));
        Rate::new(operations, per * per_ns).map(Some).or_else(refuse)
    };
    Ok(Rates {
        read: rate(read, true)?,
        large_block_read: rate(large_read, true)?,
        large_block_write: rate(large_write, !plan.read_only)?,
        write: rate(write, !plan.read_only)?,
    })
}

/// Returns the read and write requests per second over all devices, in millionths.
fn requests(plan: &ActStoragePlan) -> (u128, u128) {
    let (reads, writes) = (plan.read_requests_per_s, plan.write_requests_per_s);
    if reads.is_some() || writes.is_some() {
        let micro = |requests: Option<u32>| u128::from(requests.unwrap_or(0)) * MICRO;
        return (micro(reads), micro(writes));
    }
    let load = plan.load_multiple.unwrap_or(1.0) * MICRO_LOADS_PER_LOAD as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a validated plan: above 0, at most 10^4"
    )]
    let micro_loads = (load.round() as u128).max(1) * u128::try_from(plan.device_count()).unwrap_or(1);
    (READS_PER_S * micro_loads, RECORD_WRITES_PER_S * micro_loads)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns reads, large-block reads, large-block writes and writes per second over all devices.
    fn of(change: impl FnOnce(&mut ActStoragePlan)) -> [f64; 4] {
        let mut plan = ActStoragePlan::new("file".into());
        change(&mut plan);
        plan.validate().expect("valid");
        let rates = rates(&plan, 1).expect("usable");
        [rates.read, rates.large_block_read, rates.large_block_write, rates.write]
            .map(|rate| rate.map_or(0.0, |rate| rate.as_per_second()))
    }

    #[track_caller]
    fn same(actual: [f64; 4], expected: [f64; 4]) {
        let close = actual.iter().zip(expected).all(|(actual, expected)| (actual - expected).abs() < 1e-9);
        assert!(close, "{actual:?} instead of {expected:?}");
    }

    #[test]
    fn one_load_is_what_act_does_and_not_what_its_readme_divides() {
        let large = 2_000.0 / 85.0;
        same(of(|_| {}), [2_000.0, large, large, 0.0]);
        assert!((large - 23.529).abs() < 0.001);
        // The README ignores the layout: 1,000 records of 1,536 bytes, doubled by defragmentation, in 128 KiB.
        assert!((2.0 * 1_000.0 * 1_536.0 / 131_072.0 - 23.4375_f64).abs() < 1e-9);
    }

    #[test]
    fn each_parameter_does_what_act_makes_of_it() {
        let large = 2_000.0 / 85.0;
        let scaled = of(|plan| (plan.load_multiple, plan.defrag_lwm_pct) = (Some(2.5), 0));
        same(scaled, [5_000.0, 2_500.0 / 85.0, 2_500.0 / 85.0, 0.0]);
        same(of(|plan| plan.replication_factor = 2), [2_000.0, 2.0 * large, 2.0 * large, 0.0]);
        same(of(|plan| plan.update_pct = 30), [2_300.0, large, large, 0.0]);
        same(of(|plan| plan.no_defrag_reads = true), [2_000.0, 0.0, large, 0.0]);
        // Records of 512 to 4,096 bytes: 2,304 on average, 56 in a block.
        let ranged = of(|plan| (plan.record_bytes, plan.record_bytes_range_max) = (512, 4_096));
        same(ranged, [2_000.0, 2_000.0 / 56.0, 2_000.0 / 56.0, 0.0]);
        let committed = of(|plan| (plan.commit_to_device, plan.replication_factor) = (true, 2));
        same(committed, [2_000.0, 2.0 * large, large, 2_000.0]);
        same(of(|plan| plan.read_only = true), [2_000.0, large, 0.0, 0.0]);
        same(of(|plan| plan.read_requests_per_s = Some(7)), [7.0, 0.0, 0.0, 0.0]);
        // Values printed by ACT 6.6 for 6x on two devices: 24000 and 12000 requests, 282.35 large blocks.
        let two = of(|plan| (plan.load_multiple, plan.further_paths) = (Some(6.0), vec!["two".into()]));
        same(two, [24_000.0, 24_000.0 / 85.0, 24_000.0 / 85.0, 0.0]);
    }

    #[test]
    fn the_index_reads_and_writes_what_act_derives() {
        let index = |lwm: u8, replicas: u32| {
            of(|plan| (plan.model, plan.defrag_lwm_pct, plan.replication_factor) = (Model::Index, lwm, replicas))
        };
        // 2,000 + 1,000 look-ups and 2 × 1,000 touched entries.
        same(index(50, 1), [5_000.0, 0.0, 0.0, 2_000.0]);
        same(index(60, 2), [2_000.0 + 2_000.0 + 5_000.0, 0.0, 0.0, 5_000.0]);
    }

    #[test]
    fn a_device_has_its_share() {
        let plan = ActStoragePlan { further_paths: vec!["b".into(), "c".into()], ..ActStoragePlan::new("a".into()) };
        let each = rates(&plan, 3).expect("usable").read.expect("reads");
        assert!((each.as_per_second() - 2_000.0).abs() < 1e-9);
    }
}
