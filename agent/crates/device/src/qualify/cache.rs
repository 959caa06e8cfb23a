//! Where the write cache of a drive ends: after how many bytes of sequential writes the rate falls for good.

use serde::{Deserialize, Serialize};

/// The rate after the cache is at most this part of the rate within it.
const LARGEST_RATIO: f64 = 0.8;
/// Points on each side, so that a slow moment is no end of a cache.
const FEWEST_POINTS: usize = 3;

/// The rate over a stretch of sequential writes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Bytes that were written at the end of the stretch.
    pub bytes: u64,
    /// Bytes a second within it.
    pub bytes_per_s: f64,
}

/// The end of a cache.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CacheEnd {
    /// At least so many bytes come before it,
    pub lower_bytes: u64,
    /// and at most so many.
    pub upper_bytes: u64,
    /// Mean rate before.
    pub before_bytes_per_s: f64,
    /// Mean rate after.
    pub after_bytes_per_s: f64,
}

impl CacheEnd {
    /// Returns where the rate falls for good; none where it does not, or where the points are too few.
    ///
    /// The place divides the points into two levels with the least squares; behind it no point may come back
    /// to the middle between both levels.
    #[must_use]
    pub fn of(points: &[Point]) -> Option<Self> {
        let last = points.len().checked_sub(FEWEST_POINTS)?;
        let error = |place: &usize| squares(&points[..*place]) + squares(&points[*place..]);
        let place = (FEWEST_POINTS..=last).min_by(|left, right| error(left).total_cmp(&error(right)))?;
        let (before, after) = (mean(&points[..place]), mean(&points[place..]));
        let comes_back = points[place + 1..].iter().any(|point| point.bytes_per_s > f64::midpoint(before, after));
        if after > LARGEST_RATIO * before || comes_back {
            return None;
        }
        Some(Self {
            // The stretch in which the cache ends may have been counted to either level.
            lower_bytes: points[place - 2].bytes,
            upper_bytes: points[place].bytes,
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
