//! Size of a drive's write cache: the number of bytes of sequential writes after which the rate drops for good.

use serde::{Deserialize, Serialize};

/// Largest ratio of the rate after the end of the cache to the rate before.
const LARGEST_RATIO: f64 = 0.8;
/// Smallest number of points on each side, so that a short slowdown does not count as the end of the cache.
const FEWEST_POINTS: usize = 3;

/// Rate of a section of sequential writes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Total bytes written at the end of the section.
    pub bytes: u64,
    /// Rate within the section, in bytes per second.
    pub bytes_per_s: f64,
}

/// End of a write cache.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CacheEnd {
    /// Lower bound of the bytes written before the end of the cache.
    pub lower_bytes: u64,
    /// Upper bound of the bytes written before the end of the cache.
    pub upper_bytes: u64,
    /// Mean rate before the end of the cache, in bytes per second.
    pub before_bytes_per_s: f64,
    /// Mean rate after the end of the cache, in bytes per second.
    pub after_bytes_per_s: f64,
}

impl CacheEnd {
    /// Returns where the rate drops for good, or `None` if it does not or if there are too few points.
    ///
    /// The points are split into two levels by least squares. After the split, no point may exceed the middle between both levels.
    pub fn of(points: &[Point]) -> Option<Self> {
        let last = points.len().checked_sub(FEWEST_POINTS)?;
        let error = |split: &usize| squares(&points[..*split]) + squares(&points[*split..]);
        let split = (FEWEST_POINTS..=last).min_by(|left, right| error(left).total_cmp(&error(right)))?;
        let (before, after) = (mean(&points[..split]), mean(&points[split..]));
        let comes_back = points[split + 1..].iter().any(|point| point.bytes_per_s > f64::midpoint(before, after));
        if after > LARGEST_RATIO * before || comes_back {
            return None;
        }
        Some(Self {
            // The section in which the cache ends may have been assigned to either level.
            lower_bytes: points[split - 2].bytes,
            upper_bytes: points[split].bytes,
            before_bytes_per_s: before,
            after_bytes_per_s: after,
        })
    }
}

fn mean(points: &[Point]) -> f64 {
    points.iter().map(|point| point.bytes_per_s).sum::<f64>() / points.len().max(1) as f64
}

fn squares(points: &[Point]) -> f64 {
    let mean = mean(points);
    points.iter().map(|point| (point.bytes_per_s - mean).powi(2)).sum()
}
