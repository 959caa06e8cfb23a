//! Which key number an operation gets.
//!
//! The number of an operation and the seed decide, so that a run can be repeated and workers need no shared state. A law
//! that draws again does so from bits of its own.

use measure::random::{self, Stream};
use serde::Serialize;

use crate::hash::fnv_hash;
use crate::normal;
use crate::zipf::{ExactZipf, Gray, unit, whole};

/// Ranks from which YCSB's `zipfian` draws, whatever the number of keys.
const SCRAMBLED_RANKS: u64 = 10_000_000_001;
/// Zeta of one rank fewer, as YCSB stores it for θ = 0.99.
const SCRAMBLED_ZETA: f64 = 26.469_028_201_783_02;
/// The θ of YCSB's laws.
pub const YCSB_THETA: f64 = 0.99;
/// Streams of random bits that only choosers use.
const STREAM: u64 = 400;

/// A law of key choice over `items` keys from `start` on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Law {
    /// Every key alike.
    Uniform,
    /// YCSB's `zipfian`: a Zipf rank, hashed onto the keys.
    Zipfian {
        /// Skew, between 0 and 1.
        theta: f64,
        /// Keys that inserts are expected to add: YCSB hashes onto them too and draws again while they do not exist.
        new_keys: u64,
    },
    /// YCSB's `latest`: the newest key is the most popular one; key 0 is never read. YCSB reaches down to key 1 wherever the keys
    /// begin; here it draws again where a key does not exist.
    Latest {
        /// Skew, between 0 and 1.
        theta: f64,
    },
    /// A share of operations goes to the first share of keys.
    Hotspot {
        /// Share of keys that are hot.
        hot_data: f64,
        /// Share of operations that go to them.
        hot_operations: f64,
    },
    /// One key after the other, round and round.
    Sequential,
    /// memtier's `P`: so many equal parts of the keys, each walked from its begin, side by side.
    Parallel {
        /// How many; as many as there are keys, where these are fewer.
        parts: u64,
    },
    /// YCSB's `exponential`: newer keys are more popular.
    Exponential {
        /// Per cent of operations …
        percentile: f64,
        /// … that go to the newest share of keys.
        fraction: f64,
    },
    /// memtier's `G`: normal around the middle of the range, cut at its ends.
    Gauss {
        /// Standard deviation in keys; none: a sixth of the range.
        deviation: Option<f64>,
        /// Centre as a key number; none: the middle.
        centre: Option<f64>,
    },
    /// A Zipf rank without hashing, as YCSB draws lengths: `start` is the most popular.
    Zipf {
        /// Skew, between 0 and 1.
        theta: f64,
    },
    /// memtier's `Z`: P(k) ∝ k^−s on the key numbers themselves.
    ExactZipf {
        /// Exponent s, above 0.
        exponent: f64,
    },
}

impl Law {
    /// Returns how many bits its key numbers may have: floating point knows whole numbers up to 2⁵³.
    fn bits(self) -> u32 {
        match self {
            Self::Uniform | Self::Zipfian { .. } | Self::Hotspot { .. } | Self::Sequential | Self::Parallel { .. } => {
                u64::BITS
            }
            Self::Latest { .. }
            | Self::Exponential { .. }
            | Self::Gauss { .. }
            | Self::Zipf { .. }
            | Self::ExactZipf { .. } => f64::MANTISSA_DIGITS,
        }
    }
}

/// Why a law cannot be drawn from.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LawError {
    /// No keys.
    #[error("there must be at least one key (--items)")]
    NoItems,
    /// Numbers end at 2⁶⁴; laws that go by floating point, at 2⁵³.
    #[error(
        "{items} keys from {start} on go beyond {bits} bits, which is how far this law counts; choose fewer keys, or a lower start"
    )]
    TooManyItems {
        /// First key.
        start: u64,
        /// How many.
        items: u64,
        /// Where numbers of this law end.
        bits: u32,
    },
    /// Outside of what the law is defined for.
    #[error("{name} is {value}; it must be {range}")]
    OutOfRange {
        /// Parameter.
        name: &'static str,
        /// As given.
        value: f64,
        /// What is allowed.
        range: &'static str,
    },
    /// The law would never reach a part of what it names.
    #[error("{hot} of {items} keys are hot; both the hot and the cold part need at least one key")]
    EmptyPart {
        /// Hot keys.
        hot: u64,
        /// All keys.
        items: u64,
    },
}

/// Draws key numbers by one law.
#[derive(Debug, Clone)]
pub struct Chooser {
    law: Law,
    start: u64,
    items: u64,
    /// The highest key that may be drawn.
    last: u64,
    stream: Stream,
    /// For draws that take more than 64 bits.
    further: Stream,
    prepared: Prepared,
}

/// What a law has calculated ahead.
#[derive(Debug, Clone)]
enum Prepared {
    Uniform,
    Scrambled {
        ranks: Gray,
        modulus: Modulus,
    },
    Latest {
        ranks: Gray,
    },
    Hotspot {
        hot_share: f64,
        hot: u64,
    },
    Sequential,
    Parallel {
        parts: u64,
    },
    /// `within`: the share of the uncut law that meets a key.
    Exponential {
        per_key: f64,
        within: f64,
    },
    Gauss {
        centre: f64,
        deviation: f64,
    },
    Zipf {
        ranks: Gray,
    },
    Exact(ExactZipf),
}

impl Chooser {
    /// Returns a chooser over the keys `start … start + items − 1`.
    ///
    /// # Errors
    /// Where the law is not defined for these numbers.
    pub fn new(law: Law, start: u64, items: u64, seed: u64) -> Result<Self, LawError> {
        if items == 0 {
            return Err(LawError::NoItems);
        }
        let bits = law.bits();
        let end = start.checked_add(items).filter(|end| (end - 1).checked_shr(bits).is_none_or(|rest| rest == 0));
        let last = end.ok_or(LawError::TooManyItems { start, items, bits })? - 1;
        let prepared = Prepared::new(law, start, items, last)?;
        let (stream, further) = (Stream::new(seed, STREAM), Stream::new(seed, STREAM + 1));
        Ok(Self { law, start, items, last, stream, further, prepared })
    }

    /// Returns the key of operation `number`.
    #[inline]
    #[must_use]
    pub fn key(&self, number: u64) -> u64 {
        match self.prepared {
            Prepared::Sequential => return self.start + number % self.items,
            Prepared::Parallel { parts } => {
                let edge = |part: u64| u128::from(self.items) * u128::from(part) / u128::from(parts);
                let (part, step) = (number % parts, u128::from(number / parts));
                let offset = edge(part) + step % (edge(part + 1) - edge(part));
                return self.start + u64::try_from(offset).unwrap_or(0);
            }
            _ => {}
        }
        let mut bits = self.stream.bits(number);
        loop {
            if let Some(key) = self.candidate(bits) {
                return key;
            }
            bits = self.stream.bits(bits);
        }
    }

    /// Returns the law.
    #[must_use]
    pub fn law(&self) -> Law {
        self.law
    }

    /// Returns the lowest key.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Returns how many keys there are.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.items
    }

    /// Returns the highest key.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.last
    }

    /// Further keys exist from now on, up to `last`. For `latest`, the shares follow; YCSB leaves them as they were at the
    /// start, so that the second to the sixth newest key are never read once the keys have tripled.
    ///
    /// Nothing happens where `last` is below the highest key so far.
    pub fn grow(&mut self, last: u64) {
        if last <= self.last {
            return;
        }
        self.items += last - self.last;
        self.last = last;
        if let Law::Latest { theta } = self.law {
            self.prepared = Prepared::Latest { ranks: Gray::new(last.max(1), theta) };
        }
    }

    /// Returns the shares of ranks, where the law goes by rank.
    pub(crate) fn ranks(&self) -> Option<&Gray> {
        match &self.prepared {
            Prepared::Scrambled { ranks, .. } | Prepared::Latest { ranks } | Prepared::Zipf { ranks } => Some(ranks),
            _ => None,
        }
    }

    /// Returns the key onto which a scrambled rank falls; none where it does not exist.
    pub(crate) fn scrambled(&self, rank: u64) -> Option<u64> {
        let Prepared::Scrambled { modulus, .. } = &self.prepared else { return None };
        let key = self.start.saturating_add(modulus.of(fnv_hash(rank)));
        (key <= self.last).then_some(key)
    }

    /// Returns the key for random `bits`; none where the law draws again.
    #[inline]
    fn candidate(&self, bits: u64) -> Option<u64> {
        match &self.prepared {
            Prepared::Uniform | Prepared::Sequential | Prepared::Parallel { .. } => {
                Some(self.start + random::below(self.items, bits))
            }
            Prepared::Scrambled { ranks, modulus } => {
                let key = self.start.saturating_add(modulus.of(fnv_hash(ranks.rank(bits))));
                (key <= self.last).then_some(key)
            }
            Prepared::Latest { ranks } => Some(self.last - ranks.rank(bits)).filter(|key| *key >= self.start),
            Prepared::Hotspot { hot_share, hot } => {
                let within = self.further.bits(bits);
                Some(if unit(bits) < *hot_share {
                    self.start + random::below(*hot, within)
                } else {
                    self.start + hot + random::below(self.items - hot, within)
                })
            }
            Prepared::Exponential { per_key, within } => {
                // Cut at the oldest key, as if drawn again beyond it.
                let age = -(1.0 - unit(bits) * within).ln() / per_key;
                Some(self.last - whole(age).min(self.items - 1))
            }
            Prepared::Gauss { centre, deviation } => {
                let normal = normal::inverse(unit(bits));
                let offset = centre + deviation * normal;
                (0.0..=self.items as f64).contains(&offset).then(|| self.start + whole(offset).min(self.items - 1))
            }
            Prepared::Zipf { ranks } => Some(self.start + ranks.rank(bits)),
            Prepared::Exact(law) => law.candidate(bits),
        }
    }
}

impl Prepared {
    fn new(law: Law, start: u64, items: u64, last: u64) -> Result<Self, LawError> {
        Ok(match law {
            Law::Uniform => Self::Uniform,
            Law::Sequential => Self::Sequential,
            Law::Parallel { parts } => Self::Parallel { parts: parts.clamp(1, items) },
            Law::Zipfian { theta, new_keys } => {
                let ranks = if (theta - YCSB_THETA).abs() < f64::EPSILON {
                    Gray::with_zeta(SCRAMBLED_RANKS, theta, SCRAMBLED_ZETA)
                } else {
                    Gray::new(SCRAMBLED_RANKS, skew(theta)?)
                };
                let modulus = items.checked_add(new_keys).and_then(|keys| keys.checked_add(1));
                let modulus = modulus.ok_or(LawError::TooManyItems { start, items, bits: law.bits() })?;
                Self::Scrambled { ranks, modulus: Modulus::new(modulus) }
            }
            // YCSB counts ranks by the number of the newest key, so key 0 is none of them.
            Law::Latest { theta } => Self::Latest { ranks: Gray::new(last.max(1), skew(theta)?) },
            Law::Zipf { theta } => Self::Zipf { ranks: Gray::new(items, skew(theta)?) },
            Law::Hotspot { hot_data, hot_operations } => {
                let hot = whole(items as f64 * share("the share of hot keys (--hot-data)", hot_data)?);
                if hot == 0 || hot >= items {
                    return Err(LawError::EmptyPart { hot, items });
                }
                Self::Hotspot {
                    hot_share: share("the share of hot operations (--hot-operations)", hot_operations)?,
                    hot,
                }
            }
            Law::Exponential { percentile, fraction } => {
                let percentile =
                    within("the percentile", percentile, "above 0 and below 100", |p| 0.0 < p && p < 100.0)?;
                let fraction = within("the share of keys", fraction, "above 0", |part| part > 0.0)?;
                let per_key = -(1.0 - percentile / 100.0).ln() / (items as f64 * fraction);
                Self::Exponential { per_key, within: -(-per_key * items as f64).exp_m1() }
            }
            Law::Gauss { deviation, centre } => {
                let range = (items - 1) as f64;
                let deviation = deviation.unwrap_or(range / 6.0);
                let deviation =
                    if items == 1 { 0.0 } else { within("the deviation", deviation, "above 0", |d| d > 0.0)? };
                let centre = centre.map_or(range / 2.0 + 0.5, |at| at - start as f64);
                let centre = within("the centre", centre, "inside the keys", |at| at >= 0.0 && at <= range + 1.0)?;
                Self::Gauss { centre, deviation }
            }
            Law::ExactZipf { exponent } => {
                let exponent = within("the exponent (--theta)", exponent, "above 0", |s| s > 0.0)?;
                // It has no weight for key 0, which is then the only one.
                if last == 0 {
                    return Ok(Self::Uniform);
                }
                Self::Exact(ExactZipf::new(start.max(1), last.max(1), exponent))
            }
        })
    }
}

fn skew(theta: f64) -> Result<f64, LawError> {
    within("theta", theta, "above 0 and below 1", |theta| 0.0 < theta && theta < 1.0)
}

fn share(name: &'static str, value: f64) -> Result<f64, LawError> {
    within(name, value, "between 0 and 1", |share| (0.0..=1.0).contains(&share))
}

fn within(name: &'static str, value: f64, range: &'static str, holds: impl Fn(f64) -> bool) -> Result<f64, LawError> {
    if value.is_finite() && holds(value) { Ok(value) } else { Err(LawError::OutOfRange { name, value, range }) }
}

/// Division by a number that stays the same, by two multiplications.
///
/// Source: D. Lemire, O. Kaser and N. Kurz, "Faster remainder by direct computation", 2019; 128 bits of the reciprocal are
/// exact for dividends and divisors of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Modulus {
    divisor: u64,
    reciprocal: u128,
}

impl Modulus {
    fn new(divisor: u64) -> Self {
        // For a divisor of 1 the reciprocal is 2¹²⁸, that is 0 here: every remainder comes out as 0, as it should.
        Self { divisor, reciprocal: (u128::MAX / u128::from(divisor)).wrapping_add(1) }
    }

    #[inline]
    fn of(self, dividend: u64) -> u64 {
        let fraction = self.reciprocal.wrapping_mul(u128::from(dividend));
        let (low, high) = (fraction & u128::from(u64::MAX), fraction >> 64);
        let divisor = u128::from(self.divisor);
        u64::try_from((((low * divisor) >> 64) + high * divisor) >> 64).unwrap_or(0)
    }
}

#[cfg(test)]
#[path = "chooser_tests.rs"]
mod tests;
