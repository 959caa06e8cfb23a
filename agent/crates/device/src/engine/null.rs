//! An engine without input or output: latencies are a function of seed, kind and number alone.
//!
//! It measures the generator and the recording: two runs of one plan yield identical histograms.

use std::sync::Arc;

use measure::clock::{MonotonicTime, TimeSource};
use measure::random;
use measure::series::WorkloadError;

use runner::{End, Session};

use crate::command::{Command, Completion, Kind, Request};

/// Inverse distribution function of the latencies, linear between these points: probability × 10⁹, and nanoseconds. Similar to a
/// good drive: median 95 µs, 0.7 % over 1 ms, maximum 30 ms.
const QUANTILE_POINTS: [(u64, u64); 7] = [
    (0, 60_000),
    (500_000_000, 95_000),
    (900_000_000, 180_000),
    (990_000_000, 420_000),
    (999_000_000, 2_200_000),
    (999_900_000, 9_000_000),
    (1_000_000_000, 30_000_000),
];

/// Ratio of the latency of a large block to that of a record.
const LARGE_BLOCK_FACTOR: u64 = 6;

/// An engine with computed latencies.
pub struct NullEngine {
    seed: u64,
    time: Arc<dyn TimeSource>,
    completions_due: Vec<Completion>,
}

impl NullEngine {
    /// Returns an engine with latencies derived from `seed`.
    pub fn new(seed: u64) -> Self {
        Self { seed, time: Arc::new(MonotonicTime::start()), completions_due: Vec::new() }
    }
}

impl Session for NullEngine {
    type Command = Command;

    fn start(&mut self, time: Arc<dyn TimeSource>) {
        self.time = time;
    }

    fn is_simulated(&self) -> bool {
        true
    }

    fn free_slots_of(&self, _: usize) -> usize {
        usize::MAX
    }

    fn begin(&mut self, request: Request) {
        let Command { kind, device, number, .. } = request.command;
        let completed_ns = request.intended_ns + latency_ns(self.seed.wrapping_add(u64::from(device)), kind, number);
        self.completions_due.push(Completion {
            request,
            submitted_ns: request.intended_ns,
            completed_ns,
            end: End::Done,
        });
    }

    fn wait(&mut self, until_ns: u64, completions: &mut Vec<Completion>) -> Result<(), WorkloadError> {
        if self.completions_due.is_empty() {
            self.time.wait_until(until_ns);
        }
        completions.append(&mut self.completions_due);
        Ok(())
    }

    fn in_flight(&self) -> usize {
        self.completions_due.len()
    }

    fn under_way(&self, visit: &mut dyn FnMut(&Request)) {
        self.completions_due.iter().for_each(|completion| visit(&completion.request));
    }

    /// Does nothing, because every request completes immediately.
    fn give_up(&mut self, _: u64, _: &mut Vec<Request>) {}
}

/// Returns the latency of one operation, in nanoseconds.
fn latency_ns(seed: u64, kind: Kind, number: u64) -> u64 {
    let (stream, factor) = match kind {
        Kind::Read => (100, 1),
        Kind::LargeBlockRead => (101, LARGE_BLOCK_FACTOR),
        Kind::LargeBlockWrite => (102, LARGE_BLOCK_FACTOR),
        Kind::Write => (103, 1),
        Kind::Sweep => (104, LARGE_BLOCK_FACTOR),
    };
    let part = random::below(1_000_000_000, random::bits(seed, stream, number));
    let upper = QUANTILE_POINTS.partition_point(|&(knot, _)| knot <= part).min(QUANTILE_POINTS.len() - 1);
    let ((from, low_ns), (to, high_ns)) = (QUANTILE_POINTS[upper - 1], QUANTILE_POINTS[upper]);
    factor * (low_ns + (high_ns - low_ns) * (part - from) / (to - from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latencies_follow_the_knots() {
        let mut latencies: Vec<u64> = (0..100_000).map(|number| latency_ns(1, Kind::Read, number)).collect();
        latencies.sort_unstable();
        assert!(latencies[0] >= 60_000 && latencies[99_999] <= 30_000_000);
        assert!(latencies[50_000].abs_diff(95_000) < 1_000, "{}", latencies[50_000]);
        assert!(latencies[99_000].abs_diff(420_000) < 40_000, "{}", latencies[99_000]);
    }

    #[test]
    fn seed_kind_and_number_each_matter() {
        let of = |seed, kind, number| latency_ns(seed, kind, number);
        assert_eq!(of(1, Kind::Read, 5), of(1, Kind::Read, 5));
        assert_ne!(of(1, Kind::Read, 5), of(2, Kind::Read, 5));
        assert_ne!(of(1, Kind::Read, 5), of(1, Kind::Read, 6));
        assert_ne!(of(1, Kind::LargeBlockRead, 5), of(1, Kind::LargeBlockWrite, 5));
    }
}
