//! Choice of the key number of each operation.
//!
//! The key number is a function of the seed and the operation's number, so runs can be repeated and workers need no shared
//! state. A distribution that rejects a draw derives the next random bits from the rejected ones.

use measure::random::{self, Stream};
use serde::Serialize;

use crate::name::fnv_hash;
use crate::normal;
use crate::zipf::{ExactZipf, Gray, unit, whole};

/// Number of ranks that YCSB's `zipfian` draws from, independent of the number of keys.
const SCRAMBLED_RANKS: u64 = 10_000_000_001;
/// Zeta over one rank fewer than [`SCRAMBLED_RANKS`] for θ = 0.99, the constant in YCSB's source.
const SCRAMBLED_ZETA: f64 = 26.469_028_201_783_02;
/// The default θ of YCSB's distributions.
pub const YCSB_THETA: f64 = 0.99;
/// Random streams `STREAM` and `STREAM + 1` are reserved for choosers.
const STREAM: u64 = 400;

/// Distribution of key choice over a range of keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Distribution {
    /// Every key is equally likely.
    #[default]
    Uniform,
    /// YCSB's `zipfian`: a Zipf rank, hashed to a key.
    /// The skew `theta` lies between 0 and 1. Inserts are expected to add `new_keys` keys. As in YCSB, ranks are hashed to them
    /// too, and a draw is repeated if its key does not exist yet.
    Zipfian { theta: f64, new_keys: u64 },
    /// YCSB's `latest`: the newest key is the most popular, and key 0 is never read. YCSB can draw keys down to 1 even if the range
    /// starts higher; here such a draw is repeated.
    Latest { theta: f64 },
    /// The fraction `hot_operations` of the operations goes to the first fraction `hot_data` of the keys.
    Hotspot { hot_data: f64, hot_operations: f64 },
    /// Keys in ascending order, starting over after the last.
    Sequential,
    /// memtier's `P`: the range is cut into equal parts that are walked in parallel, each from its first key. There are at most as
    /// many parts as keys.
    Parallel { parts: u64 },
    /// YCSB's `exponential`: `percentile` percent of the operations go to the newest keys, which are this fraction of all.
    Exponential { percentile: f64, fraction: f64 },
    /// memtier's `G`: normal around a key number, truncated to the range. By default the centre is the middle of the range, and the
    /// standard deviation a sixth of it, in keys.
    Gauss { deviation: Option<f64>, centre: Option<f64> },
    /// A Zipf rank without hashing, as YCSB draws lengths: the first key is the most popular. The skew lies between 0 and 1.
    Zipf { theta: f64 },
    /// memtier's `Z`: P(k) ∝ k^−s over the key numbers themselves, with an exponent s above 0.
    ExactZipf { exponent: f64 },
}

impl Distribution {
    /// Returns how many bits a key number may have: 53 if the distribution computes in `f64`, else 64.
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

/// Draws key numbers from one distribution.
#[derive(Debug, Clone)]
pub struct Chooser {
    pub distribution: Distribution,
    pub start: u64,
    pub items: u64,
    /// Highest key that may be drawn.
    pub last: u64,
    stream: Stream,
    /// Second random stream, for draws that need more than 64 bits.
    further: Stream,
    prepared: Prepared,
}

/// Precomputed values of a distribution.
#[derive(Debug, Clone)]
enum Prepared {
    Uniform,
    Scrambled { ranks: Gray, modulus: Modulus },
    Latest { ranks: Gray },
    Hotspot { hot_share: f64, hot: u64 },
    Sequential,
    Parallel { parts: u64 },
    // `within` is the probability that the untruncated distribution yields an existing key.
    Exponential { per_key: f64, within: f64 },
    Gauss { centre: f64, deviation: f64 },
    Zipf { ranks: Gray },
    Exact(ExactZipf),
}

impl Chooser {
    /// Returns a chooser over the keys `start..start + items`. Fails if there are no keys, their numbers are too large, or a
    /// parameter of `distribution` is outside its domain.
    pub fn new(distribution: Distribution, start: u64, items: u64, seed: u64) -> Result<Self, String> {
        if items == 0 {
            return Err("there must be at least one key (--items)".to_owned());
        }
        let bits = distribution.bits();
        let end = start.checked_add(items).filter(|end| (end - 1).checked_shr(bits).is_none_or(|rest| rest == 0));
        let last = end.ok_or_else(|| too_many(start, items, bits))? - 1;
        let prepared = Prepared::new(distribution, start, items, last)?;
        let (stream, further) = (Stream::new(seed, STREAM), Stream::new(seed, STREAM + 1));
        Ok(Self { distribution, start, items, last, stream, further, prepared })
    }

    /// Returns the key of operation `number`.
    #[inline]
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

    /// Extends the keys up to `last`; does nothing if `last` is not above the current highest key.
    ///
    /// For `latest`, the shares are recomputed. YCSB keeps those of the start, so that the second to the sixth newest key are never
    /// read once the number of keys has tripled.
    pub fn grow(&mut self, last: u64) {
        if last <= self.last {
            return;
        }
        self.items += last - self.last;
        self.last = last;
        if let Distribution::Latest { theta } = self.distribution {
            self.prepared = Prepared::Latest { ranks: Gray::new(last.max(1), theta) };
        }
    }

    /// Returns the rank distribution, or `None` if keys are not drawn by rank.
    pub(crate) fn ranks(&self) -> Option<&Gray> {
        match &self.prepared {
            Prepared::Scrambled { ranks, .. } | Prepared::Latest { ranks } | Prepared::Zipf { ranks } => Some(ranks),
            _ => None,
        }
    }

    /// Returns the key that a scrambled `rank` is hashed to, or `None` if that key does not exist.
    pub(crate) fn scrambled(&self, rank: u64) -> Option<u64> {
        let Prepared::Scrambled { modulus, .. } = &self.prepared else { return None };
        let key = self.start.saturating_add(modulus.of(fnv_hash(rank)));
        (key <= self.last).then_some(key)
    }

    /// Returns the key for random `bits`, or `None` if the draw must be repeated.
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
                // Truncated at the oldest key: equivalent to drawing again if the age exceeds it.
                let age = -(1.0 - unit(bits) * within).ln() / per_key;
                Some(self.last - whole(age).min(self.items - 1))
            }
            Prepared::Gauss { centre, deviation } => {
                let normal = normal::inverse(unit(bits));
                let offset = centre + deviation * normal;
                (0.0..=self.items as f64).contains(&offset).then(|| self.start + whole(offset).min(self.items - 1))
            }
            Prepared::Zipf { ranks } => Some(self.start + ranks.rank(bits)),
            Prepared::Exact(distribution) => distribution.candidate(bits),
        }
    }
}

impl Prepared {
    fn new(distribution: Distribution, start: u64, items: u64, last: u64) -> Result<Self, String> {
        Ok(match distribution {
            Distribution::Uniform => Self::Uniform,
            Distribution::Sequential => Self::Sequential,
            Distribution::Parallel { parts } => Self::Parallel { parts: parts.clamp(1, items) },
            Distribution::Zipfian { theta, new_keys } => {
                let ranks = if (theta - YCSB_THETA).abs() < f64::EPSILON {
                    Gray::with_zeta(SCRAMBLED_RANKS, theta, SCRAMBLED_ZETA)
                } else {
                    Gray::new(SCRAMBLED_RANKS, skew(theta)?)
                };
                let modulus = items.checked_add(new_keys).and_then(|keys| keys.checked_add(1));
                let modulus = modulus.ok_or_else(|| too_many(start, items, distribution.bits()))?;
                Self::Scrambled { ranks, modulus: Modulus::new(modulus) }
            }
            // Like YCSB, ranks go up to the number of the newest key, so key 0 has no rank.
            Distribution::Latest { theta } => Self::Latest { ranks: Gray::new(last.max(1), skew(theta)?) },
            Distribution::Zipf { theta } => Self::Zipf { ranks: Gray::new(items, skew(theta)?) },
            Distribution::Hotspot { hot_data, hot_operations } => {
                let hot = whole(items as f64 * share("the share of hot keys (--hot-data)", hot_data)?);
                if hot == 0 || hot >= items {
                    return Err(format!(
                        "{hot} of {items} keys are hot; both the hot and the cold part need at least one key"
                    ));
                }
                Self::Hotspot {
                    hot_share: share("the share of hot operations (--hot-operations)", hot_operations)?,
                    hot,
                }
            }
            Distribution::Exponential { percentile, fraction } => {
                let percentile =
                    within("the percentile", percentile, "above 0 and below 100", |p| 0.0 < p && p < 100.0)?;
                let fraction = within("the share of keys", fraction, "above 0", |part| part > 0.0)?;
                let per_key = -(1.0 - percentile / 100.0).ln() / (items as f64 * fraction);
                Self::Exponential { per_key, within: -(-per_key * items as f64).exp_m1() }
            }
            Distribution::Gauss { deviation, centre } => {
                let range = (items - 1) as f64;
                let deviation = deviation.unwrap_or(range / 6.0);
                let deviation =
                    if items == 1 { 0.0 } else { within("the deviation", deviation, "above 0", |d| d > 0.0)? };
                let centre = centre.map_or(range / 2.0 + 0.5, |at| at - start as f64);
                let centre = within("the centre", centre, "inside the keys", |at| at >= 0.0 && at <= range + 1.0)?;
                Self::Gauss { centre, deviation }
            }
            Distribution::ExactZipf { exponent } => {
                let exponent = within("the exponent (--theta)", exponent, "above 0", |s| s > 0.0)?;
                // Key 0 has weight 0, so the general formula fails if it is the only key.
                if last == 0 {
                    return Ok(Self::Uniform);
                }
                Self::Exact(ExactZipf::new(start.max(1), last.max(1), exponent))
            }
        })
    }
}

/// Returns the refusal of keys whose numbers exceed 64 bits, or 53 bits for a distribution that computes in `f64`.
fn too_many(start: u64, items: u64, bits: u32) -> String {
    format!(
        "{items} keys from {start} on go beyond {bits} bits, which is how far this law counts; choose fewer keys, or a lower start"
    )
}

fn skew(theta: f64) -> Result<f64, String> {
    within("theta", theta, "above 0 and below 1", |theta| 0.0 < theta && theta < 1.0)
}

fn share(name: &str, value: f64) -> Result<f64, String> {
    within(name, value, "between 0 and 1", |share| (0.0..=1.0).contains(&share))
}

fn within(name: &str, value: f64, range: &str, holds: impl Fn(f64) -> bool) -> Result<f64, String> {
    if value.is_finite() && holds(value) { Ok(value) } else { Err(format!("{name} is {value}; it must be {range}")) }
}

/// Remainder by a fixed divisor, computed with two multiplications.
///
/// Source: D. Lemire, O. Kaser and N. Kurz, "Faster remainder by direct computation", 2019. A reciprocal of 128 bits is exact for
/// dividends and divisors of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Modulus {
    divisor: u64,
    reciprocal: u128,
}

impl Modulus {
    fn new(divisor: u64) -> Self {
        // For divisor 1 the reciprocal 2¹²⁸ wraps to 0, and every remainder is 0 as it should be.
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
