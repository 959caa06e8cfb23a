//! A set of ranges behaves like a plain set of numbers.

use std::collections::BTreeSet;

use proptest::prelude::*;
use wire::ranges::Ranges;

#[derive(Debug, Clone)]
enum Change {
    Insert(u64, u64),
    Remove(u64, u64),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (0..60_u64, 0..8_u64).prop_map(|(from, more)| Change::Insert(from, from + more)),
        (0..60_u64, 0..8_u64).prop_map(|(from, more)| Change::Remove(from, from + more)),
    ]
}

proptest! {
    #[test]
    fn ranges_are_a_set(changes in prop::collection::vec(change(), 0..40)) {
        let mut ranges = Ranges::default();
        let mut set = BTreeSet::new();
        for change in changes {
            match change {
                Change::Insert(from, to) => {
                    ranges.insert(from, to);
                    set.extend(from..=to);
                }
                Change::Remove(from, to) => {
                    ranges.remove(from, to);
                    set.retain(|seq| !(from..=to).contains(seq));
                }
            }
        }
        let listed: Vec<u64> = ranges.iter().flat_map(|(from, to)| from..=to).collect();
        prop_assert_eq!(&listed, &set.iter().copied().collect::<Vec<_>>());
        prop_assert_eq!(ranges.len(), set.len() as u64);
        prop_assert_eq!(ranges.last(), set.last().copied());
        for seq in 0..70 {
            prop_assert_eq!(ranges.contains(seq), set.contains(&seq));
        }
        let pairs: Vec<(u64, u64)> = ranges.iter().collect();
        prop_assert!(pairs.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0), "adjacent ranges are one");
    }
}
