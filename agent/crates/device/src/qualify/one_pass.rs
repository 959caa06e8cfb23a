//! One pass of writes that leaves a drive as fragmented as endless random writes do.
//!
//! Random writes invalidate pages everywhere, so a section of flash holds fewer valid pages the longer ago it was written. If the
//! oldest section is always collected first, its share of valid pages `p` solves `p = exp(-(1 + spare) (1 - p))`, and the section
//! of age `x` (0 newest, 1 oldest) has the share `p^x`. This order writes every page once for good, and between these writes it
//! writes pages that a later section writes again, in just these proportions. The total is `1 + spare` times the capacity, instead
//! of two sequential fills followed by many times the capacity in random writes.
//!
//! The page of each write is a pure function of its number, so a pass can be resumed from the number alone.

use measure::random;

/// Assumed ratio of spare flash to capacity if the drive does not state it; drives are sold with 7 % to 28 %.
pub const USUAL_SPARE_RATIO: f64 = 0.15;
/// Largest number of sections; the share of valid pages is constant within a section.
const MOST_SECTIONS: u64 = 64;
const SECTION_WRITES: u64 = 64;
const SHUFFLES: u64 = 4;
/// Number of iterations for the fixed point of the oldest section's share.
const STEPS: usize = 200;

/// The order of the writes of one pass.
#[derive(Debug, Clone, PartialEq)]
pub struct OnePass {
    pages: u64,
    seed: u64,
    /// For each section: the number of writes, and of pages written for good, up to its end.
    ends: Vec<(u64, u64)>,
}

impl OnePass {
    /// Returns the order for a drive of `pages` pages with a ratio of `spare_ratio` spare flash.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts of pages, above 0")]
    pub fn new(pages: u64, spare_ratio: f64, seed: u64) -> Self {
        let mut oldest = 0.5;
        for _ in 0..STEPS {
            oldest = f64::exp(-(1.0 + spare_ratio) * (1.0 - oldest));
        }
        let writes = (pages as f64 * (1.0 + spare_ratio)) as u64;
        // The number of pages written for good in the first `part` of the writes: the integral of p^x from that age to 1.
        let finals = |part: f64| {
            let age = 1.0 - part;
            (oldest.powf(age) - oldest) / (1.0 - oldest) * pages as f64
        };
        let sections = (writes / SECTION_WRITES).clamp(1, MOST_SECTIONS);
        let end = |section: u64| {
            let part = (section + 1) as f64 / sections as f64;
            ((writes as f64 * part).round() as u64, (finals(part).round() as u64).min(pages))
        };
        let mut ends: Vec<(u64, u64)> = (0..sections).map(end).collect();
        if let Some(last) = ends.last_mut() {
            *last = (writes, pages);
        }
        // If rounding gives a section more pages for good than writes, the excess moves to the section before.
        for section in (1..ends.len()).rev() {
            let (writes, finals) = ends[section];
            ends[section - 1].1 = ends[section - 1].1.max(finals.saturating_sub(writes - ends[section - 1].0));
        }
        Self { pages, seed, ends }
    }

    /// Returns the number of writes.
    pub fn writes(&self) -> u64 {
        self.ends.last().map_or(0, |(writes, _)| *writes)
    }

    /// Returns the page of write `number`, which must be below [`Self::writes`].
    pub fn page(&self, number: u64) -> u64 {
        let section = self.ends.partition_point(|(writes, _)| *writes <= number).min(self.ends.len() - 1);
        let (first, first_final) = section.checked_sub(1).map_or((0, 0), |before| self.ends[before]);
        let (end, end_final) = self.ends[section];
        let (length, finals, offset) = (end - first, end_final - first_final, number - first);
        // Pages written for good are spread evenly over the section.
        let so_far =
            |offset: u64| u64::try_from(u128::from(offset) * u128::from(finals) / u128::from(length)).unwrap_or(0);
        let is_final = so_far(offset + 1) > so_far(offset);
        if is_final || end_final >= self.pages {
            return self.shuffled((first_final + so_far(offset)).min(self.pages - 1));
        }
        let later = random::below(self.pages - end_final, random::bits(self.seed, 1, number));
        self.shuffled(end_final + later)
    }

    /// Returns the page at `index` of a permutation of all pages: a Feistel network over the next power of four, repeated until the
    /// result is a page.
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
