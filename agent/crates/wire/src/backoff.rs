//! Waiting times between attempts: they double up to a ceiling, with jitter so that many agents do not return at once.

use std::time::Duration;

use measure::random;

/// Full length of the first wait; jitter shortens it by at most half.
const FIRST: Duration = Duration::from_millis(500);
/// Longest wait unless the backend asks for more.
const CEILING: Duration = Duration::from_secs(30);
/// Longest wait that a backend can ask for; longer requests are shortened to this.
const RETRY_AFTER_CEILING: Duration = Duration::from_secs(300);

/// A sequence of waits that grow with every failure. The same seed gives the same waits.
#[derive(Debug, Clone)]
pub struct Backoff {
    failures: u32,
    seed: u64,
    waits: u64,
}

impl Backoff {
    /// Returns a `Backoff` without failures; `seed` seeds the jitter.
    pub fn new(seed: u64) -> Self {
        Self { failures: 0, seed, waits: 0 }
    }

    /// Counts a failure and returns the wait before the next attempt: between half of and all of `500 ms × 2^failures`, at most
    /// 30 s, but at least `retry_after` (of which at most 5 minutes count).
    pub fn next(&mut self, retry_after: Option<Duration>) -> Duration {
        let full = FIRST.saturating_mul(1 << self.failures.min(10)).min(CEILING);
        self.failures = self.failures.saturating_add(1);
        let half = full / 2;
        let wait = half + half.mul_f64(self.share());
        wait.max(retry_after.unwrap_or_default().min(RETRY_AFTER_CEILING))
    }

    /// Resets the count of failures, after a success.
    pub fn reset(&mut self) {
        self.failures = 0;
    }

    /// Returns a pseudo-random number in [0, 1).
    fn share(&mut self) -> f64 {
        self.waits += 1;
        (random::bits(self.seed, 0, self.waits) >> 11) as f64 / (1_u64 << 53) as f64
    }
}
