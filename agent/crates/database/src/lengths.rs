//! Lengths of contents: a pure function of key and random bits, so that a read can be checked.

use keys::chooser::YCSB_THETA;
use keys::zipf::Gray;
use measure::random;
use workloads::size::{Size, Varied};

/// The distribution of the lengths of contents, in bytes.
#[derive(Debug)]
pub struct Lengths {
    pub least: usize,
    pub most: usize,
    distribution: LengthDistribution,
}

#[derive(Debug)]
enum LengthDistribution {
    Constant,
    Uniform,
    Zipfian(Gray),
    // The sum of the weights up to each length, and the length in bytes.
    Listed(Vec<(u64, usize)>),
    // Grows linearly from key `first` on, over `over` keys.
    Linear { first: u64, over: u64 },
}

impl Lengths {
    /// Creates the lengths of `count` objects from key `first` on.
    pub fn new(size: &Size, (first, count): (u64, u64)) -> Self {
        let (least, most) = size.bounds();
        let distribution = match size {
            Size::Constant(_) => LengthDistribution::Constant,
            Size::Varied(Varied::Uniform { .. }) => LengthDistribution::Uniform,
            Size::Varied(Varied::Zipfian { .. }) => {
                LengthDistribution::Zipfian(Gray::new(u64::from(most - least) + 1, YCSB_THETA))
            }
            Size::Varied(Varied::Listed { lengths }) => {
                let behind = |sum: &mut u64, (bytes, weight): &(u32, u32)| {
                    *sum += u64::from(*weight);
                    Some((*sum, *bytes as usize))
                };
                LengthDistribution::Listed(lengths.iter().scan(0, behind).collect())
            }
            Size::Varied(Varied::Linear { .. }) => {
                LengthDistribution::Linear { first, over: count.saturating_sub(1).max(1) }
            }
        };
        Self { least: least as usize, most: most as usize, distribution }
    }

    /// Returns the length of every content in bytes; `None` if lengths differ.
    pub fn of_all(&self) -> Option<usize> {
        matches!(self.distribution, LengthDistribution::Constant).then_some(self.most)
    }

    /// Returns whether a content may be `length` bytes long.
    pub fn may_be(&self, length: usize) -> bool {
        match &self.distribution {
            LengthDistribution::Listed(lengths) => lengths.iter().any(|(_, bytes)| *bytes == length),
            _ => (self.least..=self.most).contains(&length),
        }
    }

    /// Returns whether `contents` contents may be `bytes` bytes long in total.
    pub fn may_be_together(&self, contents: usize, bytes: usize) -> bool {
        (contents * self.least..=contents * self.most).contains(&bytes)
    }

    /// Returns the length in bytes of the content of `key`, drawn with the random `bits`.
    pub fn of(&self, key: u64, bits: u64) -> usize {
        let span = (self.most - self.least) as u64;
        let more = match &self.distribution {
            LengthDistribution::Constant => 0,
            LengthDistribution::Uniform => random::below(span + 1, bits),
            LengthDistribution::Zipfian(ranks) => ranks.rank(bits),
            LengthDistribution::Listed(lengths) => {
                let draw = random::below(lengths.last().map_or(1, |(behind, _)| *behind), bits);
                let entry = lengths.iter().find(|(behind, _)| draw < *behind);
                return entry.map_or(self.most, |(_, bytes)| *bytes);
            }
            LengthDistribution::Linear { first, over } => {
                let offset = key.saturating_sub(*first).min(*over);
                u64::try_from(u128::from(offset) * u128::from(span) / u128::from(*over)).unwrap_or(span)
            }
        };
        self.least + usize::try_from(more.min(span)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_follow_their_laws() {
        let mean = |size: Size, count: u64| {
            let lengths = Lengths::new(&size, (5, count));
            let all: Vec<usize> = (0..count).map(|key| lengths.of(5 + key, random::bits(1, 2, key))).collect();
            assert!(all.iter().all(|length| lengths.may_be(*length)), "{size:?}");
            let mean = all.iter().sum::<usize>() as f64 / count as f64;
            assert!((mean / size.mean() - 1.0).abs() < 0.02, "{size:?}: {mean} of {}", size.mean());
            all
        };
        mean(Size::Constant(100), 10);
        mean(Size::Varied(Varied::Uniform { least: 10, most: 1000 }), 100_000);
        mean(Size::Varied(Varied::Zipfian { least: 1, most: 100 }), 100_000);
        mean(Size::Varied(Varied::Listed { lengths: vec![(100, 3), (1000, 1)] }), 100_000);
        let linear = mean(Size::Varied(Varied::Linear { least: 100, most: 200 }), 101);
        assert_eq!((linear[0], linear[50], linear[100]), (100, 150, 200));
    }
}
