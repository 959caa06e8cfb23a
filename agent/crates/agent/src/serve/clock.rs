//! The backend's clock as known on this machine, with an error bound.
//!
//! If a request for the time took d, the backend answered at some instant in between, so the middle is at most d/2 off. The best
//! sample counts; its bound grows with its age, since the clocks drift apart.

use std::time::{Duration, Instant};

use measure::clock::whole_ns;

use crate::transport::Transport;

/// Largest drift between two clocks, in seconds a second.
const DRIFT: f64 = 50e-6;
/// Samples of a thorough comparison; the best sample counts.
pub const SAMPLES: usize = 16;

#[derive(Debug, Clone, Copy)]
struct Sample {
    at: Instant,
    unix_ns: u64,
    error: Duration,
}

/// The backend's clock, as compared so far.
#[derive(Debug, Default)]
pub struct ServerClock {
    best: Option<Sample>,
}

impl ServerClock {
    /// Compares the clocks up to `times` times; stops if the backend does not answer.
    pub fn compare(&mut self, transport: &Transport, times: usize) {
        for _ in 0..times {
            let sent = Instant::now();
            match transport.time(Duration::from_secs(2)) {
                Ok(unix_ns) => self.observe(sent, Instant::now(), unix_ns),
                Err(_) => return,
            }
        }
    }

    /// Adds a sample: the backend's clock was at `unix_ns` at some instant between `sent` and `received`.
    pub fn observe(&mut self, sent: Instant, received: Instant, unix_ns: u64) {
        let error = received.saturating_duration_since(sent) / 2;
        let sample = Sample { at: sent + error, unix_ns, error };
        if self.best.is_none_or(|best| error_at(best, received) >= error) {
            self.best = Some(sample);
        }
    }

    /// Returns the largest error of the clock at an instant; `None` if the clock is unknown.
    pub fn error_at(&self, at: Instant) -> Option<Duration> {
        self.best.map(|best| error_at(best, at))
    }

    /// Returns the instant at which the backend's clock is at `unix_ns`; `None` if the clock is unknown.
    pub fn instant_of(&self, unix_ns: u64) -> Option<Instant> {
        let best = self.best?;
        if unix_ns >= best.unix_ns {
            return Some(best.at + Duration::from_nanos(unix_ns - best.unix_ns));
        }
        best.at.checked_sub(Duration::from_nanos(best.unix_ns - unix_ns))
    }

    /// Returns the time of the backend's clock at an instant, in nanoseconds since the Unix epoch; `None` if it is unknown.
    pub fn unix_ns_at(&self, at: Instant) -> Option<u64> {
        let best = self.best?;
        Some(if at >= best.at {
            best.unix_ns.saturating_add(whole_ns(at - best.at))
        } else {
            best.unix_ns.saturating_sub(whole_ns(best.at - at))
        })
    }
}

fn error_at(sample: Sample, at: Instant) -> Duration {
    let age = if at > sample.at { at - sample.at } else { sample.at - at };
    sample.error + age.mul_f64(DRIFT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_holds_however_lopsided_the_way_is() {
        let origin = Instant::now();
        let ms = Duration::from_millis;
        for there_ms in 0..=10 {
            // The backend is 5 s ahead, and answers `there_ms` into a round trip of 10 ms.
            let mut clock = ServerClock::default();
            let unix_ns = 5_000_000_000 + there_ms * 1_000_000;
            clock.observe(origin, origin + ms(10), unix_ns);
            let instant = clock.instant_of(5_000_000_000).expect("known");
            let apart = if instant > origin { instant - origin } else { origin - instant };
            assert!(apart <= clock.error_at(origin + ms(5)).expect("known"), "{there_ms}: {apart:?}");
        }
    }

    #[test]
    fn the_best_answer_counts_until_it_is_too_old() {
        let (mut clock, origin) = (ServerClock::default(), Instant::now());
        let ms = Duration::from_millis;
        clock.observe(origin, origin + ms(2), 1_000_000);
        clock.observe(origin + ms(10), origin + ms(50), 30_000_000);
        assert_eq!(clock.error_at(origin + ms(1)), Some(ms(1)));
        // After 400 s the first sample may be 20 ms off.
        let later = origin + Duration::from_secs(400);
        clock.observe(later, later + ms(4), 400_002_000_000);
        assert_eq!(clock.error_at(later + ms(2)), Some(ms(2)));
        assert_eq!(clock.unix_ns_at(later + ms(2)), Some(400_002_000_000));
    }

    /// Values computed independently: the sample with the shortest round trip counts, and 30 s later it may be 1.775 ms off.
    #[test]
    fn offset_and_bound_are_those_of_independent_values() {
        let (mut clock, origin) = (ServerClock::default(), Instant::now());
        let at = |ms: f64| origin + Duration::from_secs_f64(ms / 1e3);
        for [sent, received_there, sent_there, received] in
            [[100.0, 1100.4, 1100.5, 101.0], [200.0, 1200.9, 1201.0, 202.5], [300.0, 1300.25, 1300.3, 300.6]]
        {
            // The backend reports one instant; half of its processing time is part of the bound.
            let unix_ms: f64 = f64::midpoint(received_there, sent_there);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive time")]
            clock.observe(at(sent), at(received), (unix_ms * 1e6).round() as u64);
        }
        let shown = clock.unix_ns_at(at(1_000.0)).expect("known");
        assert!(shown.abs_diff(1_999_975_000) <= 2, "{shown}");
        let bound = clock.error_at(at(300.3) + Duration::from_secs(30)).expect("known").as_secs_f64() * 1e3;
        assert!((1.775..=1.775 + 0.025 + 1e-6).contains(&bound), "{bound}");
    }
}
