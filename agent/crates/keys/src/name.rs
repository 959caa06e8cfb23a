//! Names of keys, as the tools whose requests are reproduced form them.

use serde::Serialize;

/// How a key number becomes a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// `user` followed by the hash of the number (if `ordered` by the number itself), left-padded with zeros to `zero_padding` digits.
    Ycsb { ordered: bool, zero_padding: usize },
    /// `memtier-` followed by the number.
    Memtier,
    /// The number itself, as an integer key.
    Asbench,
    /// `obj` followed by the number; in Aerospike the number itself, as in the original workload.
    Fraud,
}

/// A key as sent in a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Key {
    /// For databases with integer keys.
    Integer(u64),
    /// For all other databases.
    Text(String),
}

impl Naming {
    /// Returns the key for `number`.
    pub fn key(self, number: u64) -> Key {
        match self {
            Self::Ycsb { zero_padding, .. } => {
                let digits = self.hash(number).unwrap_or(number);
                Key::Text(format!("user{digits:0>zero_padding$}"))
            }
            Self::Memtier => Key::Text(format!("memtier-{number}")),
            Self::Asbench => Key::Integer(number),
            Self::Fraud => Key::Text(format!("obj{number}")),
        }
    }

    /// Returns the key for a number that may be negative, or `None` for any naming but YCSB's.
    pub fn signed_key(self, number: i64) -> Option<Key> {
        let Self::Ycsb { ordered, zero_padding } = self else { return None };
        let digits = if ordered { number.to_string() } else { fnv_hash(number.cast_unsigned()).to_string() };
        Some(Key::Text(format!("user{digits:0>zero_padding$}")))
    }

    /// Returns the key for `number` in Aerospike.
    pub fn aerospike_key(self, number: u64) -> Key {
        if self == Self::Fraud { Key::Integer(number) } else { self.key(number) }
    }

    /// Returns the hash that the key contains, or `None` if the key contains the number itself.
    pub fn hash(self, number: u64) -> Option<u64> {
        matches!(self, Self::Ycsb { ordered: false, .. }).then(|| fnv_hash(number))
    }
}

const FNV_OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

/// Returns the hash that YCSB scatters keys with: FNV-1a of the 8 little-endian bytes of `number`, as the absolute value of a
/// signed integer.
///
/// YCSB truncates numbers to 32 bits before hashing; this function does not, so the two agree only below 2³¹.
/// Source: YCSB, `Utils.fnvhash64`.
pub fn fnv_hash(number: u64) -> u64 {
    let mut hash = FNV_OFFSET_BASIS;
    for byte in number.to_le_bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
    }
    hash.cast_signed().unsigned_abs()
}
