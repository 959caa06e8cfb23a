//! One pass of writes that leaves a drive as fragmented as endless random writes do.
//!
//! Random writes invalidate pages everywhere, so a stretch of the flash holds the fewer valid pages the longer ago it was
//! written. Where the oldest stretch is collected first, its valid share `p` solves `p = exp(-(1 + spare) (1 - p))`, and of the
//! stretch at age `x` (0 newest, 1 oldest) the share `p^x` is valid. This order writes every page once, and between them
//! pages that a later stretch writes again, in just these shares: the whole is written `1 + spare` times instead of the twice of a
//! sequential fill and the many times of the random writes that follow it.
//!
//! The page of each write is a pure function of its number, so a pass can be resumed without stored progress.

use measure::random;

/// Spare flash of a drive, as a part of what it offers, where it does not say: between 7 % and 28 % are sold.
pub const USUAL_SPARE_RATIO: f64 = 0.15;
/// Stretches in which the share is the same, at most,
const STRETCHES: u64 = 64;
/// and writes of each, at least.
const STRETCH_WRITES: u64 = 64;
/// Rounds of the shuffle.
const SHUFFLES: u64 = 4;
/// Where the fixed point of the oldest share is taken as reached.
const STEPS: usize = 200;

/// The order of one pass.
#[derive(Debug, Clone, PartialEq)]
pub struct OnePass {
    pages: u64,
    seed: u64,
    /// By stretch: writes before its end, and pages that are written for good before its end.
    ends: Vec<(u64, u64)>,
}

impl OnePass {
    /// Returns the order over so many pages of a drive with so much spare flash.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts of pages, above 0")]
    pub fn new(pages: u64, spare_ratio: f64, seed: u64) -> Self {
        let mut oldest = 0.5;
        for _ in 0..STEPS {
            oldest = f64::exp(-(1.0 + spare_ratio) * (1.0 - oldest));
        }
        let writes = (pages as f64 * (1.0 + spare_ratio)) as u64;
        // The share up to an age, added up: the integral of p^x from that age to 1.
        let finals = |part: f64| {
            let age = 1.0 - part;
            (oldest.powf(age) - oldest) / (1.0 - oldest) * pages as f64
        };
        let stretches = (writes / STRETCH_WRITES).clamp(1, STRETCHES);
        let end = |stretch: u64| {
            let part = (stretch + 1) as f64 / stretches as f64;
            ((writes as f64 * part).round() as u64, (finals(part).round() as u64).min(pages))
        };
        let mut ends: Vec<(u64, u64)> = (0..stretches).map(end).collect();
        if let Some(last) = ends.last_mut() {
            *last = (writes, pages);
        }
        // What rounding adds to a stretch beyond its writes belongs to the stretch before.
        for stretch in (1..ends.len()).rev() {
            let (writes, finals) = ends[stretch];
            ends[stretch - 1].1 = ends[stretch - 1].1.max(finals.saturating_sub(writes - ends[stretch - 1].0));
        }
        Self { pages, seed, ends }
    }

    /// Returns how many writes there are.
    #[must_use]
    pub fn writes(&self) -> u64 {
        self.ends.last().map_or(0, |(writes, _)| *writes)
    }

    /// Returns the page of write `number`, which is below [`Self::writes`].
    #[must_use]
    pub fn page(&self, number: u64) -> u64 {
        let stretch = self.ends.partition_point(|(writes, _)| *writes <= number).min(self.ends.len() - 1);
        let (first, first_final) = stretch.checked_sub(1).map_or((0, 0), |before| self.ends[before]);
        let (end, end_final) = self.ends[stretch];
        let (length, finals, place) = (end - first, end_final - first_final, number - first);
        // Pages for good are spread evenly over the stretch.
        let so_far =
            |place: u64| u64::try_from(u128::from(place) * u128::from(finals) / u128::from(length)).unwrap_or(0);
        let is_final = so_far(place + 1) > so_far(place);
        if is_final || end_final >= self.pages {
            return self.shuffled((first_final + so_far(place)).min(self.pages - 1));
        }
        let later = random::below(self.pages - end_final, random::bits(self.seed, 1, number));
        self.shuffled(end_final + later)
    }

    /// Returns a place of a permutation of all pages: a Feistel network over the next power of four, walked until it is a page.
    fn shuffled(&self, index: u64) -> u64 {
        let half_bits = (u64::BITS - self.pages.saturating_sub(1).leading_zeros()).div_ceil(2).max(1);
        let mask = (1 << half_bits) - 1;
        let mut value = index;
        loop {
            let (mut left, mut right) = (value >> half_bits, value & mask);
            for shuffle in 0..SHUFFLES {
                (left, right) = (right, left ^ (random::bits(self.seed, 2 + shuffle, right) & mask));
            }
            value = left << half_bits | right;
            if value < self.pages {
                return value;
            }
        }
    }
}
