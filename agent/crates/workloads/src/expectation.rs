//! Expected values that follow from a plan by arithmetic alone.

/// Returns the share of uniform gets that hit, after `sets` uniform sets on `keys` keys of which `loaded` existed before.
pub fn hit_share(keys: u64, sets: u64, loaded: u64) -> f64 {
    let missed = (sets as f64 * (-1.0 / keys as f64).ln_1p()).exp();
    (keys as f64 - keys.saturating_sub(loaded) as f64 * missed) / keys as f64
}

/// Returns the expected number of different keys among `reads` uniform draws from `keys` keys, and the probability that all differ.
pub fn distinct(keys: u64, reads: u32) -> (f64, f64) {
    let expected = -(keys as f64) * (f64::from(reads) * (-1.0 / keys as f64).ln_1p()).exp_m1();
    let all: f64 = (0..reads).map(|before| (-f64::from(before) / keys as f64).ln_1p()).sum();
    (expected, all.exp())
}

/// Returns the smallest pipeline depth with which `connections` connections can have `under_way` requests under way.
pub fn least_pipeline(under_way: f64, connections: u64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    let pipeline = (under_way / connections.max(1) as f64).ceil() as u64;
    pipeline.max(1)
}

/// The rate of a connection of `memtier_benchmark` with `--rate-limiting`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MemtierRate {
    /// Number of requests that are sent at once.
    pub requests_per_tick: u64,
    /// Interval between two such bursts, in microseconds.
    pub tick_us: u64,
    pub real_per_s: f64,
}

impl MemtierRate {
    /// Returns the rate that results from a requested rate of `per_s`, at least 1.
    ///
    /// Source: `memtier_benchmark`, `config_init_defaults` and `shard_connection`: at most 50 bursts a second.
    pub fn of(per_s: u64) -> Self {
        const TICKS_PER_S: u64 = 50;
        let requests_per_tick = per_s.div_ceil(TICKS_PER_S).max(1);
        let tick_us = 1_000_000 / (per_s / requests_per_tick).max(1);
        Self { requests_per_tick, tick_us, real_per_s: requests_per_tick as f64 * 1e6 / tick_us as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_close(actual: f64, expected: f64) -> bool {
        (actual - expected).abs() <= 1e-9 * expected.abs()
    }

    #[test]
    fn hits_and_repeats_are_those_of_independent_values() {
        for (keys, sets, loaded, share) in [
            (10_000_001, 2_000_000, 0, 0.181_269_238_661_608_6),
            (1_000_000, 3_000_000, 0, 0.950_213_006_317_027_2),
            (100_000, 50_000, 40_000, 0.636_082_513_972_509_5),
        ] {
            assert!(is_close(hit_share(keys, sets, loaded), share), "{keys} {sets} {loaded}");
        }
        for (keys, expected, none) in [
            (2_000_000_000, 249.999_984_437_500_64, 0.999_984_437_620_448),
            (10_000, 246.913_071_895_772_28, 0.043_338_518_664_859_035),
        ] {
            let actual = distinct(keys, 250);
            assert!(is_close(actual.0, expected) && is_close(actual.1, none), "{keys}: {actual:?}");
        }
    }

    #[test]
    fn rates_of_memtier_come_in_bursts() {
        for (per_s, requests_per_tick, tick_us, real_per_s) in [
            (10, 1, 100_000, 10.0),
            (50, 1, 20_000, 50.0),
            (51, 2, 40_000, 50.0),
            (99, 2, 20_408, 98.000_784_006_272_06),
            (1_000, 20, 20_000, 1_000.0),
            (1_234, 25, 20_408, 1_225.009_800_078_400_5),
            (30_000, 600, 20_000, 30_000.0),
        ] {
            let actual = MemtierRate::of(per_s);
            assert_eq!((actual.requests_per_tick, actual.tick_us), (requests_per_tick, tick_us), "{per_s}");
            assert!((actual.real_per_s - real_per_s).abs() < 1e-6);
        }
    }

    #[test]
    fn what_is_under_way_follows_from_rate_and_latency() {
        for (per_s, latency_s, expected, pipeline) in
            [(1_240_000.0, 0.000_82, 1_016.8, 6), (2_040_000.0, 0.000_91, 1_856.4, 10), (88_000.0, 0.002_27, 199.76, 1)]
        {
            let actual = per_s * latency_s;
            assert!(is_close(actual, expected));
            assert_eq!(least_pipeline(actual, 200), pipeline);
        }
    }
}
