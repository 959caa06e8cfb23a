//! Content of writes: random bytes that no drive can compress, or random bytes mixed with zeros so that they compress to a given
//! share (`compress-pct` of ACT: the first part of each 512 bytes is zeros, the rest random).

use measure::random;

/// Length in bytes of a block of zeros and random bytes, as in ACT.
const BLOCK_BYTES: usize = 512;
/// Length in bytes of the unique mark at the end of each block, which defeats deduplication at any block size of the drive.
const MARK_BYTES: usize = 8;
/// Upper bound of the number of blocks of an operation.
const MOST_BLOCKS: u64 = 1 << 14;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Content {
    pub seed: u64,
    /// Percentage of random bytes; the others are zeros.
    pub random_pct: u8,
}

impl Content {
    /// Returns content of random bytes only.
    pub fn incompressible(seed: u64) -> Self {
        Self { seed, random_pct: 100 }
    }

    /// Fills `bytes` with the numbers of `stream` from `first_number` on, and zeros.
    pub fn fill(self, bytes: &mut [u8], stream: u64, first_number: u64) {
        random::fill(bytes, self.seed, stream, first_number);
        let zeros = self.zero_bytes();
        for block in bytes.chunks_exact_mut(BLOCK_BYTES) {
            block[..zeros].fill(0);
        }
    }

    /// Marks every block of write `number` of kind `kind` to `device`. `bytes` must already contain random bytes, possibly of
    /// another write. The marks of one device and kind are all different, since they are a permutation of the pair of number and
    /// block. Content of zeros only is not marked.
    pub fn mark(self, bytes: &mut [u8], device: u16, kind: u64, number: u64) {
        if self.random_pct == 0 {
            return;
        }
        let stream = 1_000 + u64::from(device) * 8 + kind;
        for (first, block) in (number.wrapping_mul(MOST_BLOCKS)..).zip(bytes.chunks_mut(BLOCK_BYTES)) {
            if let Some(mark) = block.last_chunk_mut::<MARK_BYTES>() {
                *mark = random::bits(self.seed, stream, first).to_ne_bytes();
            }
        }
    }

    /// Fills `bytes` with the complete content of write `number` of kind `kind` to `device`: random bytes, zeros and marks.
    pub fn fill_marked(self, bytes: &mut [u8], device: u16, kind: u64, number: u64) {
        self.fill(bytes, 10 + u64::from(device), number << 12);
        self.mark(bytes, device, kind, number);
    }

    fn zero_bytes(self) -> usize {
        let numbers = BLOCK_BYTES / 8;
        numbers * usize::from(100 - self.random_pct) / 100 * 8
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
            for block in bytes.chunks(512) {
                assert!(block[..zeros].iter().all(|byte| *byte == 0), "{random_pct} %");
                assert!(block[zeros..].chunks(8).all(|word| word != [0; 8]), "{random_pct} %");
            }
        }
    }

    proptest! {
        /// As the `io_uring` engine does: a few large buffers are filled once and then only marked, records are filled each time.
        #[test]
        fn nothing_of_512_bytes_is_written_twice(
            seed in any::<u64>(), random_pct in 1_u8..=100, buffers in 1_usize..4, writes in 2_u64..40, first in 0_u64..1 << 40,
        ) {
            let content = Content { seed, random_pct };
            let mut large = vec![vec![0; 8 << 10]; buffers];
            let (mut seen, mut written) = (HashSet::new(), 0);
            for number in first..first + writes {
                for device in 0..2 {
                    let mark = usize::try_from(number).expect("small") % buffers;
                    if number < first + buffers as u64 && device == 0 {
                        content.fill(&mut large[mark], 10, number << 12);
                    }
                    content.mark(&mut large[mark], device, 2, number);
                    let mut record = vec![0; 1536];
                    content.fill_marked(&mut record, device, 3, number);
                    for block in large[mark].chunks(512).chain(record.chunks(512)) {
                        seen.insert(block.to_vec());
                        written += 1;
                    }
                }
            }
            prop_assert_eq!(seen.len(), written);
        }
    }
}
