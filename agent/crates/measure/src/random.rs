//! Random numbers that are a function of seed, stream and number, so that a run can be repeated exactly.
//!
//! `SplitMix64` (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), used as a hash: results do not
//! depend on which thread asks or in which order.

const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream of random bits, addressed by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream(u64);

impl Stream {
    /// Returns stream number `stream` of `seed`.
    #[inline]
    pub fn new(seed: u64, stream: u64) -> Self {
        Self(finish(seed.wrapping_add(stream.wrapping_mul(0xd1b5_4a32_d192_ed03)).wrapping_add(GOLDEN_GAMMA)))
    }

    /// Returns 64 random bits for operation `number`.
    #[inline]
    pub fn bits(self, number: u64) -> u64 {
        finish(self.0.wrapping_add(number.wrapping_mul(GOLDEN_GAMMA)))
    }
}

/// Returns 64 random bits for operation `number` of `stream`.
#[inline]
pub fn bits(seed: u64, stream: u64, number: u64) -> u64 {
    Stream::new(seed, stream).bits(number)
}

/// Returns a number in `0..bound`, uniform to within `bound / 2^64`; 0 when `bound` is 0.
#[inline]
pub fn below(bound: u64, bits: u64) -> u64 {
    u64::try_from((u128::from(bits) * u128::from(bound)) >> 64).unwrap_or(0)
}

/// Fills `bytes` with the numbers of `stream` from `first_number` on, in little-endian order, and returns the next unused number.
pub fn fill(bytes: &mut [u8], seed: u64, stream: u64, first_number: u64) -> u64 {
    let mut state = bits(seed, stream, first_number);
    let mut words = 0;
    for chunk in bytes.chunks_mut(8) {
        state = state.wrapping_add(GOLDEN_GAMMA);
        let word = finish(state).to_le_bytes();
        chunk.copy_from_slice(&word[..chunk.len()]);
        words += 1;
    }
    first_number + words
}

fn finish(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_question_has_the_same_answer_and_streams_differ() {
        assert_eq!(bits(1, 2, 3), bits(1, 2, 3));
        assert_ne!(bits(1, 2, 3), bits(1, 3, 3));
        assert_ne!(bits(1, 2, 3), bits(2, 2, 3));
    }

    #[test]
    fn numbers_below_a_bound_reach_every_tenth_about_equally() {
        let mut tenths = [0_u32; 10];
        for number in 0..100_000 {
            tenths[usize::try_from(below(10, bits(7, 0, number))).unwrap_or(usize::MAX)] += 1;
        }
        // Six times the binomial standard deviation of 95.
        assert!(tenths.iter().all(|&count| count.abs_diff(10_000) < 570), "{tenths:?}");
    }

    #[test]
    fn filling_uses_each_byte_and_ends_where_the_next_may_begin() {
        let mut bytes = [0_u8; 21];
        assert_eq!(fill(&mut bytes, 1, 2, 10), 13);
        assert!(bytes.iter().any(|&byte| byte != 0) && bytes[16..] != [0; 5]);
    }
}
