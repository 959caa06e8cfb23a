//! A set of sequence numbers, stored as ranges: numbers arrive nearly in order, so even days of them need only a few ranges.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Set of sequence numbers of one series. Serialized as `[[from, to], …]`, both ends included.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<(u64, u64)>", from = "Vec<(u64, u64)>")]
pub struct Ranges {
    /// Maps the first number of each range to its last; ranges neither overlap nor touch.
    ends: BTreeMap<u64, u64>,
}

impl Ranges {
    /// Adds `from..=to`; does nothing if `from > to`.
    pub fn insert(&mut self, from: u64, to: u64) {
        if from > to {
            return;
        }
        let (mut from, mut to) = (from, to);
        let reach = to.saturating_add(1);
        while let Some((&start, &end)) = self.ends.range(..=reach).next_back() {
            if end.saturating_add(1) < from {
                break;
            }
            from = from.min(start);
            to = to.max(end);
            self.ends.remove(&start);
        }
        self.ends.insert(from, to);
    }

    /// Removes `from..=to`.
    pub fn remove(&mut self, from: u64, to: u64) {
        while let Some((&start, &end)) = self.ends.range(..=to).next_back() {
            if end < from {
                break;
            }
            self.ends.remove(&start);
            if end > to {
                self.ends.insert(to + 1, end);
            }
            if start < from {
                self.ends.insert(start, from - 1);
                break;
            }
        }
    }

    /// Returns whether `seq` is in the set.
    pub fn contains(&self, seq: u64) -> bool {
        self.covers(seq, seq)
    }

    /// Returns whether all of `from..=to` is in the set.
    pub fn covers(&self, from: u64, to: u64) -> bool {
        self.ends.range(..=from).next_back().is_some_and(|(_, &end)| end >= to)
    }

    /// Returns whether every number of `other` is in the set.
    pub fn covers_all(&self, other: &Self) -> bool {
        other.iter().all(|(from, to)| self.covers(from, to))
    }

    /// Returns the largest number, or `None` if the set is empty.
    pub fn last(&self) -> Option<u64> {
        self.ends.last_key_value().map(|(_, &end)| end)
    }

    /// Returns how many numbers are in the set.
    pub fn len(&self) -> u64 {
        self.iter().map(|(from, to)| to - from + 1).sum()
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the ranges in ascending order, both ends included.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.ends.iter().map(|(&from, &to)| (from, to))
    }
}

impl From<Ranges> for Vec<(u64, u64)> {
    fn from(ranges: Ranges) -> Self {
        ranges.iter().collect()
    }
}

impl From<Vec<(u64, u64)>> for Ranges {
    fn from(pairs: Vec<(u64, u64)>) -> Self {
        let mut ranges = Self::default();
        for (from, to) in pairs {
            ranges.insert(from, to);
        }
        ranges
    }
}

/// Sets of sequence numbers by series number.
pub type BySeries = BTreeMap<u16, Ranges>;
