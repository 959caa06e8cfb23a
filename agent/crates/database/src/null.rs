//! No server: the latency of each read is a function of seed and number alone.

use measure::clock::TimeSource;
use measure::random;

use crate::driver::{Driver, ReadFailure, ReadTimes, Store};

/// Shortest read, and how much longer an ordinary and a rare one may take.
const SHORTEST_NS: u64 = 40_000;
const ORDINARY_NS: u64 = 80_000;
const RARE_NS: u64 = 4_000_000;
/// One read in this many is rare.
const RARE_ONE_IN: u64 = 500;

/// See the module.
#[derive(Debug, Clone, Copy)]
pub struct NullStore {
    seed: u64,
}

impl NullStore {
    /// Latencies come from `seed`.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }
}

impl Store for NullStore {
    fn connect(&self) -> Box<dyn Driver> {
        Box::new(*self)
    }

    fn is_simulated(&self) -> bool {
        true
    }

    fn clear(&mut self) -> Option<String> {
        None
    }
}

impl Driver for NullStore {
    fn read(&mut self, _: u64, number: u64, earliest_ns: u64, _: &dyn TimeSource) -> Result<ReadTimes, ReadFailure> {
        let draw = |stream, bound| random::below(bound, random::bits(self.seed, stream, number));
        let longest_ns = if draw(200, RARE_ONE_IN) == 0 { RARE_NS } else { ORDINARY_NS };
        let completed_ns = earliest_ns + SHORTEST_NS + draw(201, longest_ns);
        Ok(ReadTimes { submitted_ns: earliest_ns, completed_ns })
    }
}
