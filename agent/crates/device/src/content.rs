//! What is written: random bytes that no drive can leave out, or as many zeros among them as a compressing drive is to
//! find (`compress-pct` of ACT: of each 512 bytes the first part is zeros, the rest random).

use measure::random;

/// Zeros and random bytes alternate in stretches of this length, as in ACT.
const STRETCH_BYTES: usize = 512;
/// Each page gets a mark of its own, so that no block equals one that was written before.
const PAGE_BYTES: usize = 4096;
const MARK_BYTES: usize = 8;

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

    /// Where in `length` bytes marks belong: at the end of each page, which is random unless everything is zeros.
    pub fn marks(self, length: usize) -> impl Iterator<Item = usize> {
        let pages = if self.random_pct == 0 { 0 } else { length.div_ceil(PAGE_BYTES) };
        (0..pages).map(move |page| ((page + 1) * PAGE_BYTES).min(length) - MARK_BYTES)
    }

    /// The mark of page `page` of write `number` to `device`.
    #[must_use]
    pub fn mark(self, device: u16, number: u64, page: usize) -> [u8; MARK_BYTES] {
        let stream = 1_000 + u64::from(device);
        random::bits(self.seed, stream, number.wrapping_mul(1 << 12) + page as u64).to_ne_bytes()
    }

    fn zero_bytes(self) -> usize {
        let words = STRETCH_BYTES / 8;
        words * usize::from(100 - self.random_pct) / 100 * 8
    }
}

#[cfg(test)]
mod tests {
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
            let marks: Vec<usize> = content.marks(9_000).collect();
            assert_eq!(marks, if random_pct == 0 { vec![] } else { vec![4088, 8184, 8992] });
        }
    }
}
