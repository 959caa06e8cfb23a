//! The keys of a run: under a prefix of its own, loaded and removed in batches.

use std::time::{SystemTime, UNIX_EPOCH};

use measure::random;

/// Keys of one batch, and most bytes of values in it.
const BATCH_KEYS: u64 = 1_000;
const BATCH_BYTES: u64 = 1 << 20;

/// Names and values of the keys of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    prefix: String,
    /// How many.
    pub count: u64,
    /// Bytes of each value.
    pub value_bytes: u32,
    seed: u64,
}

impl Keys {
    /// Keys under a prefix that no other run has.
    pub fn new(count: u64, value_bytes: u32, seed: u64) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let prefix = format!("tailroom:{since:x}-{:x}:", std::process::id());
        Self { prefix, count, value_bytes, seed }
    }

    /// What every name begins with.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Name of key `number`.
    pub fn name(&self, number: u64) -> String {
        format!("{}{number}", self.prefix)
    }

    /// Value of key `number`: random, so that no server can keep it shorter.
    pub fn value(&self, number: u64) -> Vec<u8> {
        let mut value = vec![0; self.value_bytes as usize];
        random::fill(&mut value, self.seed, 300, number.wrapping_mul(u64::from(self.value_bytes) / 8 + 1));
        value
    }

    /// Key numbers in batches that fit into a buffer.
    pub fn batches(&self) -> impl Iterator<Item = std::ops::Range<u64>> + use<> {
        let (step, count) = ((BATCH_BYTES / u64::from(self.value_bytes)).clamp(1, BATCH_KEYS), self.count);
        (0..count.div_ceil(step)).map(move |batch| batch * step..((batch + 1) * step).min(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_hold_each_key_once() {
        for (count, value_bytes) in [(1, 1), (999, 64), (1_000, 1024), (100_001, 1024), (3, 64 << 20)] {
            let keys = Keys::new(count, value_bytes, 1);
            let numbers: Vec<u64> = keys.batches().flatten().collect();
            assert_eq!(numbers, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn values_have_their_length_and_differ() {
        let keys = Keys::new(10, 100, 1);
        assert_eq!(keys.value(3).len(), 100);
        assert_eq!(keys.value(3), keys.value(3));
        assert_ne!(keys.value(3), keys.value(4));
        assert!(keys.name(3).starts_with(keys.prefix()));
    }
}
