//! Latency histograms and their bucket layout: `HdrHistogram` with a unit of 1 µs and three significant digits, up to an hour.
//!
//! With this unit every limit of ACT (powers of two in ms and µs) is a bucket boundary; a nanosecond unit would not align
//! (docs/method.md section 5). Latencies are rounded down to whole microseconds. Limits that are no bucket boundary are counted
//! exactly by the recorder.

use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};

use crate::series::{Layout, LayoutKind};

/// Width of one unit, in nanoseconds.
pub const UNIT_NS: u64 = 1_000;
/// Largest value with a bucket of its own, in units: one hour. Longer latencies are counted in that bucket.
pub const HIGHEST_UNITS: u64 = 3_600_000_000;
pub const SIGNIFICANT_DIGITS: u8 = 3;

/// Returns the layout in the form of the wire format.
pub fn layout() -> Layout {
    Layout { t: LayoutKind::Hdr, unit_ns: UNIT_NS, significant_digits: SIGNIFICANT_DIGITS }
}

/// Histogram of the latencies of one operation on one clock.
#[derive(Debug, Clone)]
pub struct LatencyHistogram(Histogram<u64>);

impl LatencyHistogram {
    /// Returns an empty histogram with the layout of all series.
    pub fn new() -> Self {
        Self::with_digits(SIGNIFICANT_DIGITS)
    }

    /// Returns an empty histogram with `digits` significant digits; fewer are enough for display.
    pub fn with_digits(digits: u8) -> Self {
        Self(Histogram::new_with_bounds(1, HIGHEST_UNITS, digits).expect("bounds are constant, digits 1 to 5"))
    }

    /// Records a latency in nanoseconds.
    pub fn record(&mut self, latency_ns: u64) {
        self.0.saturating_record((latency_ns / UNIT_NS).min(HIGHEST_UNITS));
    }

    /// Adds the latencies of a histogram with the same number of digits.
    pub fn add(&mut self, other: &Self) {
        self.0.add(&other.0).expect("the same range");
    }

    /// Returns the number of recorded latencies.
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// Returns the highest whole unit of the bucket that holds the quantile (0 to 1), in nanoseconds; 0 if the histogram is empty.
    pub fn value_at_quantile_ns(&self, quantile: f64) -> u64 {
        if self.0.is_empty() { 0 } else { self.0.value_at_quantile(quantile).saturating_mul(UNIT_NS) }
    }

    /// Returns the upper bound in nanoseconds of the bucket that holds the quantile (0 to 1), including the last unit, so that no
    /// latency of the bucket was longer; 0 if the histogram is empty.
    pub fn upper_end_at_quantile_ns(&self, quantile: f64) -> u64 {
        if self.0.is_empty() { 0 } else { self.value_at_quantile_ns(quantile).saturating_add(UNIT_NS - 1) }
    }

    /// Adds the latencies of a histogram that an [`Encoder`] wrote.
    pub fn add_encoded(&mut self, bytes: &[u8]) -> Result<(), DecodeError> {
        let decoded: Histogram<u64> = Deserializer::new().deserialize(&mut &*bytes).map_err(|_| DecodeError)?;
        self.0.add(&decoded).map_err(|_| DecodeError)
    }

    /// Returns the bounds in nanoseconds of the latency at `rank`, counted from 1, or `None` if there are fewer latencies.
    pub fn bounds_at_rank_ns(&self, rank: u64) -> Option<(u64, u64)> {
        let mut seen = 0;
        let bucket = self.0.iter_recorded().find(|bucket| {
            seen += bucket.count_at_value();
            seen >= rank
        })?;
        let value = bucket.value_iterated_to();
        let (lowest, highest) = (self.0.lowest_equivalent(value), self.0.highest_equivalent(value));
        Some((lowest.saturating_mul(UNIT_NS), highest.saturating_mul(UNIT_NS).saturating_add(UNIT_NS - 1)))
    }
}

/// Error for bytes that are no histogram of the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a histogram of this agent's layout")]
pub struct DecodeError;

impl Default for LatencyHistogram {
    fn default() -> Self {
        Self::new()
    }
}

/// Serializes histograms; reuses its buffers.
#[derive(Default)]
pub struct Encoder {
    serializer: V2DeflateSerializer,
}

impl Encoder {
    /// Returns the histogram as `HdrHistogram` V2, deflated (cookie `0x1c849314`).
    pub fn encode(&mut self, histogram: &LatencyHistogram) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(2048);
        self.serializer.serialize(&histogram.0, &mut bytes).expect("memory takes every write");
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use hdrhistogram::serialization::{Deserializer, V2Serializer};
    use proptest::prelude::*;

    /// Test vector `hdr-v2`: 100, 1000, 1000 and 70000 with bounds 1 and 60,000,000 and three digits, as written by an independent
    /// implementation of the format.
    const ORACLE_PLAIN_HEX: &str =
        "1c849313000000090000000000000003000000000000000100000000039387003ff0000000000000c70102850e04b76102";
    const ORACLE_DEFLATED_BASE64: &str = "HISTFAAAACh4nJNpmSzMwMDAyQABzFCaEcyZ3M5g/wEicJyRqZWPZXsiEwB1DwYb";

    #[test]
    fn bytes_are_those_of_an_independent_implementation() {
        let mut histogram = Histogram::<u64>::new_with_bounds(1, 60_000_000, 3).expect("bounds");
        for value in [100, 1000, 1000, 70_000] {
            histogram.record(value).expect("within bounds");
        }
        let mut plain = Vec::new();
        V2Serializer::new().serialize(&histogram, &mut plain).expect("written");
        let hex = plain.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        assert_eq!(hex, ORACLE_PLAIN_HEX);

        let deflated = base64::engine::general_purpose::STANDARD.decode(ORACLE_DEFLATED_BASE64).expect("base64");
        let read: Histogram<u64> = Deserializer::new().deserialize(&mut deflated.as_slice()).expect("readable");
        assert_eq!(read, histogram);
        let ours = Encoder::default().encode(&LatencyHistogram(histogram.clone()));
        assert_eq!(ours[..4], [0x1c, 0x84, 0x93, 0x14]);
        let back: Histogram<u64> = Deserializer::new().deserialize(&mut ours.as_slice()).expect("readable");
        assert_eq!(back, histogram);
    }

    #[test]
    fn limits_of_act_are_edges() {
        for limit_us in [1_000_u64, 8_000, 64_000] {
            let mut histogram = LatencyHistogram::new();
            histogram.record(limit_us * 1_000 - 1);
            histogram.record(limit_us * 1_000);
            assert_eq!(histogram.0.count_between(0, limit_us - 1), 1, "{limit_us} µs");
        }
    }

    #[test]
    fn what_lasts_longer_than_an_hour_falls_into_the_top() {
        let mut histogram = LatencyHistogram::new();
        histogram.record(u64::MAX);
        assert_eq!(histogram.count(), 1);
        assert!(histogram.value_at_quantile_ns(1.0) >= HIGHEST_UNITS * UNIT_NS);
    }

    impl LatencyHistogram {
        /// Returns the number of latencies in buckets that end below `limit_ns`. Latencies in later buckets may still be below it.
        pub fn count_below_ns(&self, limit_ns: u64) -> u64 {
            let end_ns = |value| self.0.highest_equivalent(value).saturating_mul(UNIT_NS).saturating_add(UNIT_NS - 1);
            let below = self.0.iter_recorded().take_while(|bucket| end_ns(bucket.value_iterated_to()) < limit_ns);
            below.map(|bucket| bucket.count_at_value()).sum()
        }
    }

    proptest! {
        #[test]
        fn nothing_lies_behind_the_upper_end(latencies in proptest::collection::vec(0_u64..30_000_000, 1..300)) {
            let mut histogram = LatencyHistogram::with_digits(2);
            for &latency in &latencies {
                histogram.record(latency);
            }
            let mut sorted = latencies;
            sorted.sort_unstable();
            let rank = (sorted.len() * 99).div_ceil(100);
            let (exact, upper) = (sorted[rank - 1], histogram.upper_end_at_quantile_ns(0.99));
            prop_assert!(exact <= upper && upper <= exact + exact / 100 + 1_000, "{} {}", exact, upper);
        }

        #[test]
        fn a_latency_lies_between_the_bounds_of_its_rank(
            latencies in proptest::collection::vec(0_u64..30_000_000_000, 1..300),
            rank in 1_u64..=300,
        ) {
            let (mut original, mut histogram) = (LatencyHistogram::new(), LatencyHistogram::new());
            for &latency in &latencies {
                original.record(latency);
            }
            histogram.add_encoded(&Encoder::default().encode(&original)).expect("ours");
            let mut sorted = latencies;
            sorted.sort_unstable();
            let bounds = histogram.bounds_at_rank_ns(rank);
            if let Some((lower, upper)) = bounds {
                prop_assert!(histogram.count_below_ns(upper + 1) >= rank && histogram.count_below_ns(lower) < rank);
            }
            match usize::try_from(rank - 1).ok().and_then(|place| sorted.get(place)) {
                None => prop_assert_eq!(bounds, None),
                Some(exact) => {
                    let (lower, upper) = bounds.expect("so many");
                    prop_assert!(lower <= *exact && *exact <= upper, "{} {} {}", lower, exact, upper);
                    prop_assert!(upper - lower <= exact / 1_000 + 2 * UNIT_NS, "{} {} {}", lower, exact, upper);
                }
            }
        }

        #[test]
        fn nothing_is_lost_on_the_way_through_bytes(latencies in proptest::collection::vec(0_u64..4_000_000_000_000, 1..300)) {
            let mut histogram = LatencyHistogram::new();
            for &latency in &latencies {
                histogram.record(latency);
            }
            let bytes = Encoder::default().encode(&histogram);
            let back: Histogram<u64> = Deserializer::new().deserialize(&mut bytes.as_slice()).expect("readable");
            prop_assert_eq!(&back, &histogram.0);
            prop_assert_eq!(back.len(), latencies.len() as u64);
        }
    }
}
