//! Statistics of the keys that a chooser draws.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::chooser::Chooser;
use crate::popularity::{MOST_KEYS, most_popular};

/// Length of the lists of most drawn and of newest keys.
const LISTED: usize = 20;

/// Shares of draws, each between 0 and 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tally {
    pub draws: u64,
    /// The most drawn keys with their shares, in descending order.
    pub top: Vec<KeyShare>,
    /// Share of draws that go to the most popular keys, where the map's key is a number or percentage of keys. `None` if there are
    /// too many keys to order.
    pub share_of_top: BTreeMap<&'static str, Option<f64>>,
    /// Share of each key by age, newest first.
    pub by_age: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeyShare {
    pub key: u64,
    pub share: f64,
}

/// Number of draws per key: an array if the range is small enough, else a map of the drawn keys.
enum Counts {
    Dense(Vec<u32>),
    Sparse(HashMap<u64, u32>),
}

impl Counts {
    fn of(chooser: &Chooser, draws: u64) -> Self {
        let keys = chooser.items;
        if keys > MOST_KEYS {
            let mut counts = HashMap::new();
            for number in 0..draws {
                *counts.entry(chooser.key(number)).or_insert(0) += 1;
            }
            return Self::Sparse(counts);
        }
        let mut counts = vec![0_u32; usize::try_from(keys).unwrap_or(0)];
        for number in 0..draws {
            if let Some(count) = counts.get_mut(index(chooser, chooser.key(number))) {
                *count += 1;
            }
        }
        Self::Dense(counts)
    }

    fn of_key(&self, chooser: &Chooser, key: u64) -> u32 {
        match self {
            Self::Dense(counts) => counts.get(index(chooser, key)).copied().unwrap_or(0),
            Self::Sparse(counts) => counts.get(&key).copied().unwrap_or(0),
        }
    }

    fn most_drawn(&self, chooser: &Chooser) -> Vec<(u64, u32)> {
        let mut drawn: Vec<(u64, u32)> = match self {
            Self::Dense(counts) => {
                (chooser.start..).zip(counts.iter().copied()).filter(|&(_, count)| count > 0).collect()
            }
            Self::Sparse(counts) => counts.iter().map(|(&key, &count)| (key, count)).collect(),
        };
        let by_count = |a: &(u64, u32), b: &(u64, u32)| b.1.cmp(&a.1).then(a.0.cmp(&b.0));
        if drawn.len() > LISTED {
            drawn.select_nth_unstable_by(LISTED, by_count);
            drawn.truncate(LISTED);
        }
        drawn.sort_unstable_by(by_count);
        drawn
    }
}

fn index(chooser: &Chooser, key: u64) -> usize {
    key.checked_sub(chooser.start).and_then(|index| usize::try_from(index).ok()).unwrap_or(usize::MAX)
}

/// Draws `draws` keys and returns their statistics.
pub fn tally(chooser: &Chooser, draws: u64) -> Tally {
    let counts = Counts::of(chooser, draws);
    let share = |count: u64| if draws == 0 { 0.0 } else { count as f64 / draws as f64 };
    let items = chooser.items;
    let sizes = [("1", 1), ("10", 10), ("100", 100), ("1%", items / 100), ("10%", items / 10)];
    let most = sizes.iter().map(|&(_, size)| size).max().unwrap_or(0);
    let popular = most_popular(chooser, most);
    let of_top = |size: u64| {
        let keys = popular.as_ref()?.iter().take(usize::try_from(size).ok()?);
        Some(share(keys.map(|&key| u64::from(counts.of_key(chooser, key))).sum()))
    };
    let ages = chooser.items.min(LISTED as u64);
    Tally {
        draws,
        top: counts
            .most_drawn(chooser)
            .into_iter()
            .map(|(key, count)| KeyShare { key, share: share(count.into()) })
            .collect(),
        share_of_top: sizes.into_iter().map(|(name, size)| (name, of_top(size))).collect(),
        by_age: (0..ages).map(|age| share(counts.of_key(chooser, chooser.last - age).into())).collect(),
    }
}
