//! What is written: random bytes that no drive can leave out, or as many zeros among them as a compressing drive is to
//! find (`compress-pct` of ACT: of each 512 bytes the first part is zeros, the rest random).

use measure::random;

/// Zeros and random bytes alternate in stretches of this length, as in ACT.
const STRETCH_BYTES: usize = 512;
/// Each stretch ends with a mark of its own: no drive finds it a second time, however small the blocks are that it
/// compares.
const MARK_BYTES: usize = 8;
/// No operation has more stretches than this.
const MOST_STRETCHES: u64 = 1 << 14;

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Content {
    /// Source of the random bytes.
    pub seed: u64,
    /// Share that is random.
    pub random_pct: u8,
}

impl Content {
    /// Random bytes only.
    #[must_use]
    pub fn incompressible(seed: u64) -> Self {
        Self { seed, random_pct: 100 }
    }

    /// Fills `bytes` from the numbers of `stream`.
    pub fn fill(self, bytes: &mut [u8], stream: u64, first_number: u64) {
        random::fill(bytes, self.seed, stream, first_number);
        let zeros = self.zero_bytes();
        for stretch in bytes.chunks_exact_mut(STRETCH_BYTES) {
            stretch[..zeros].fill(0);
        }
    }

    /// Marks every stretch of what write `number` of its kind writes to `device`; `bytes` hold random bytes already, of an
    /// earlier write or another number. Marks of one device and kind differ from each other by construction: they are a
    /// permutation of number and stretch. Content of zeros is not marked.
    pub fn mark(self, bytes: &mut [u8], device: u16, kind: u64, number: u64) {
        if self.random_pct == 0 {
            return;
        }
        let stream = 1_000 + u64::from(device) * 8 + kind;
        for (first, stretch) in (number.wrapping_mul(MOST_STRETCHES)..).zip(bytes.chunks_mut(STRETCH_BYTES)) {
            if let Some(place) = stretch.last_chunk_mut::<MARK_BYTES>() {
                *place = random::bits(self.seed, stream, first).to_ne_bytes();
            }
        }
    }

    /// Random bytes and marks: what write `number` of its kind writes to `device`.
    pub fn fill_marked(self, bytes: &mut [u8], device: u16, kind: u64, number: u64) {
        self.fill(bytes, 10 + u64::from(device), number << 12);
        self.mark(bytes, device, kind, number);
    }

    fn zero_bytes(self) -> usize {
        let words = STRETCH_BYTES / 8;
        words * usize::from(100 - self.random_pct) / 100 * 8
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_share_of_zeros_is_that_of_act() {
        for (random_pct, zeros) in [(100, 0), (60, 200), (50, 256), (1, 504), (0, 512)] {
            let content = Content { seed: 1, random_pct };
            let mut bytes = vec![7; 1024];
            content.fill(&mut bytes, 1, 0);
            for stretch in bytes.chunks(512) {
                assert!(stretch[..zeros].iter().all(|byte| *byte == 0), "{random_pct} %");
                assert!(stretch[zeros..].chunks(8).all(|word| word != [0; 8]), "{random_pct} %");
            }
        }
    }

    proptest! {
        /// As a ring does it: a few buffers are filled once and then only marked, records are filled each time.
        #[test]
        fn nothing_of_512_bytes_is_written_twice(
            seed in any::<u64>(), random_pct in 1_u8..=100, buffers in 1_usize..4, writes in 2_u64..40, first in 0_u64..1 << 40,
        ) {
            let content = Content { seed, random_pct };
            let mut large = vec![vec![0; 8 << 10]; buffers];
            let (mut seen, mut written) = (HashSet::new(), 0);
            for number in first..first + writes {
                for device in 0..2 {
                    let place = usize::try_from(number).expect("small") % buffers;
                    if number < first + buffers as u64 && device == 0 {
                        content.fill(&mut large[place], 10, number << 12);
                    }
                    content.mark(&mut large[place], device, 2, number);
                    let mut record = vec![0; 1536];
                    content.fill_marked(&mut record, device, 3, number);
                    for stretch in large[place].chunks(512).chain(record.chunks(512)) {
                        seen.insert(stretch.to_vec());
                        written += 1;
                    }
                }
            }
            prop_assert_eq!(seen.len(), written);
        }
    }
}
