//! Quantiles from the histograms of intervals, with misses.

use measure::histogram::LatencyHistogram;
use measure::series::Interval;

/// Returns the bounds of a quantile in nanoseconds, among the latencies and `misses` operations that count as longer than any
/// latency. The quantile is `part / whole`. Returns `None` if it lies among the misses.
pub fn quantile_bounds_ns(histogram: &LatencyHistogram, misses: u64, (part, whole): (u64, u64)) -> Option<(u64, u64)> {
    let all = u128::from(histogram.count() + misses);
    let rank = (all * u128::from(part)).div_ceil(u128::from(whole)).max(1);
    u64::try_from(rank).ok().and_then(|rank| histogram.bounds_at_rank_ns(rank))
}

pub fn add_histogram(histogram: &mut LatencyHistogram, interval: &Interval) {
    if let Some(bytes) = &interval.histogram
        && let Err(error) = histogram.add_encoded(bytes)
    {
        unreachable!("an interval of this process holds {error}");
    }
}
