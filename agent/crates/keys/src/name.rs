//! What a key number is called, by the tool whose requests are repeated.

use serde::Serialize;

use crate::hash::fnv_hash;

/// How key numbers become keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// `user` and the hash of the number (or the number itself), with zeros in front up to `zero_padding` digits.
    Ycsb {
        /// Keys in the order of their numbers instead of hashed ones.
        ordered: bool,
        /// Fewest digits.
        zero_padding: usize,
    },
    /// `memtier-` and the number.
    Memtier,
    /// The number itself, as an integer key.
    Asbench,
    /// `obj` and the number where keys are text; the number itself in Aerospike, as the original has it.
    Fraud,
}

/// A key as a request carries it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Key {
    /// For databases with integer keys.
    Integer(u64),
    /// For all others.
    Text(String),
}

impl Naming {
    /// Returns the key of `number`.
    #[must_use]
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

    /// Returns the key of a number below 0, which only YCSB has.
    #[must_use]
    pub fn signed_key(self, number: i64) -> Option<Key> {
        let Self::Ycsb { ordered, zero_padding } = self else { return None };
        let digits = if ordered { number.to_string() } else { fnv_hash(number.cast_unsigned()).to_string() };
        Some(Key::Text(format!("user{digits:0>zero_padding$}")))
    }

    /// Returns the key of `number` in Aerospike.
    #[must_use]
    pub fn aerospike_key(self, number: u64) -> Key {
        if self == Self::Fraud { Key::Integer(number) } else { self.key(number) }
    }

    /// Returns the hash inside the key; none where names hold the number itself.
    #[must_use]
    pub fn hash(self, number: u64) -> Option<u64> {
        matches!(self, Self::Ycsb { ordered: false, .. }).then(|| fnv_hash(number))
    }
}
