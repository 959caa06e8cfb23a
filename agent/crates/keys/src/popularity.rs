//! Keys ordered by popularity, computed from the distribution without drawing.
//!
//! The share of "the top 10 % of keys" counts draws of these keys, not of the keys that were drawn most often: among equally
//! popular keys the latter would favour those drawn often by chance and overstate the share.

use crate::chooser::{Chooser, Distribution};

/// Highest number of keys whose popularity is computed key by key.
pub const MOST_KEYS: u64 = 50_000_000;
/// Number of ranks of a scrambled distribution that are mapped to keys individually. The others are treated as spread evenly,
/// which changes a key's share by less than 10⁻⁷.
const PLACED_RANKS: u64 = 10_000_000;

/// Returns up to `most` keys by descending popularity, equally popular keys in ascending order. Returns `None` if that would take
/// too much memory (more than [`MOST_KEYS`] keys).
pub fn most_popular(chooser: &Chooser, most: u64) -> Option<Vec<u64>> {
    let (start, last) = (chooser.start, chooser.last);
    let most = most.min(chooser.items);
    if most > MOST_KEYS {
        return None;
    }
    Some(match chooser.distribution {
        Distribution::Zipfian { .. } => return most_popular_scrambled(chooser, most),
        // Keys too old to be drawn come last, which ordering by age already does.
        Distribution::Latest { .. } | Distribution::Exponential { .. } => (0..most).map(|age| last - age).collect(),
        Distribution::Gauss { centre, .. } => from_the_middle(chooser, centre, most),
        Distribution::ExactZipf { .. } => {
            (start.max(1)..=last).chain((start == 0).then_some(0)).take(usize_of(most)).collect()
        }
        Distribution::Uniform
        | Distribution::Sequential
        | Distribution::Parallel { .. }
        | Distribution::Hotspot { .. }
        | Distribution::Zipf { .. } => (start..start + most).collect(),
    })
}

fn most_popular_scrambled(chooser: &Chooser, most: u64) -> Option<Vec<u64>> {
    if chooser.items > MOST_KEYS {
        return None;
    }
    let ranks = chooser.ranks()?;
    let mut shares = vec![0.0_f64; usize_of(chooser.items)];
    let mut below = 0.0;
    for rank in 0..PLACED_RANKS {
        let through = ranks.share_below(rank + 1);
        if let Some(key) = chooser.scrambled(rank) {
            shares[usize_of(key - chooser.start)] += through - below;
        }
        below = through;
    }
    let mut places: Vec<u32> = (0..u32::try_from(shares.len()).ok()?).collect();
    let by_share = |a: &u32, b: &u32| shares[*b as usize].total_cmp(&shares[*a as usize]).then(a.cmp(b));
    let most = usize_of(most);
    if most > 0 && most < places.len() {
        places.select_nth_unstable_by(most - 1, by_share);
        places.truncate(most);
    }
    places.sort_unstable_by(by_share);
    Some(places.into_iter().map(|index| chooser.start + u64::from(index)).collect())
}

fn from_the_middle(chooser: &Chooser, centre: Option<f64>, most: u64) -> Vec<u64> {
    let (start, last) = (chooser.start, chooser.last);
    let middle = centre.unwrap_or(start as f64 + (chooser.items - 1) as f64 / 2.0 + 0.5);
    // Key k is drawn for values in k..k + 1, so its centre is k + 0.5.
    let distance = |key: u64| (key as f64 + 0.5 - middle).abs();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cut to the keys")]
    let nearest = (middle.floor() as u64).clamp(start, last);
    let (mut below, mut above) = (nearest.checked_sub(1).filter(|&key| key >= start), Some(nearest));
    let mut keys = Vec::with_capacity(usize_of(most));
    while keys.len() < usize_of(most) {
        let takes_below = match (below, above) {
            (Some(low), Some(high)) => distance(low) <= distance(high),
            (low, _) => low.is_some(),
        };
        if takes_below {
            keys.extend(below);
            below = below.and_then(|key| key.checked_sub(1)).filter(|&key| key >= start);
        } else {
            keys.extend(above);
            above = above.map(|key| key + 1).filter(|&key| key <= last);
        }
    }
    keys
}

fn usize_of(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(distribution: Distribution, start: u64, items: u64, most: u64) -> Vec<u64> {
        most_popular(&Chooser::new(distribution, start, items, 1).expect("defined"), most).expect("few keys")
    }

    #[test]
    fn each_law_has_its_order() {
        assert_eq!(keys(Distribution::Uniform, 5, 10, 3), [5, 6, 7]);
        assert_eq!(keys(Distribution::Latest { theta: 0.99 }, 0, 10, 3), [9, 8, 7]);
        assert_eq!(keys(Distribution::ExactZipf { exponent: 1.0 }, 0, 3, 9), [1, 2, 0]);
        let gauss = Distribution::Gauss { deviation: None, centre: None };
        assert_eq!(keys(gauss, 0, 5, 9), [2, 1, 3, 0, 4]);
        assert_eq!(keys(gauss, 10, 1, 9), [10]);
    }

    #[test]
    fn more_keys_than_memory_allows_have_no_order() {
        let many =
            Chooser::new(Distribution::Zipfian { theta: 0.99, new_keys: 0 }, 0, MOST_KEYS + 1, 1).expect("defined");
        assert_eq!(most_popular(&many, 10), None);
    }
}
