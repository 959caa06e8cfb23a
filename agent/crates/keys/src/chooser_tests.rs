//! Tests of key choosers.

use super::*;

#[test]
fn remainders_are_those_of_division() {
    for divisor in [1, 2, 3, 7, 1001, 100_001, 10_000_001, u64::from(u32::MAX), 1 << 40, u64::MAX] {
        let modulus = Modulus::new(divisor);
        for number in 0..2_000 {
            let dividend = random::bits(divisor, 1, number);
            assert_eq!(modulus.of(dividend), dividend % divisor, "{dividend} mod {divisor}");
        }
    }
}

#[test]
fn every_law_stays_inside_its_keys_even_when_there_is_one() {
    let distributions = [
        Distribution::Uniform,
        Distribution::Zipfian { theta: 0.99, new_keys: 0 },
        Distribution::Zipfian { theta: 0.5, new_keys: 7 },
        Distribution::Latest { theta: 0.99 },
        Distribution::Sequential,
        Distribution::Parallel { parts: 7 },
        Distribution::Exponential { percentile: 95.0, fraction: 0.857 },
        Distribution::Gauss { deviation: None, centre: None },
        Distribution::Zipf { theta: 0.8 },
        Distribution::ExactZipf { exponent: 1.0 },
        Distribution::ExactZipf { exponent: 2.5 },
    ];
    let far =
        |distribution: Distribution| if distribution.bits() == u64::BITS { u64::MAX } else { 1 << distribution.bits() };
    let cases = |distribution: Distribution| {
        [1, 2, 3, 1_000].map(|items| [0, 1, 70, far(distribution) - items].map(|start| (distribution, start, items)))
    };
    for (distribution, start, items) in distributions.into_iter().flat_map(cases).flatten() {
        let chooser = Chooser::new(distribution, start, items, 1).expect("defined");
        let mut seen = 0;
        for number in 0..1_000 {
            let key = chooser.key(number);
            assert!((start..=chooser.last).contains(&key), "{distribution:?} over {items} from {start}: {key}");
            assert_eq!(key, chooser.key(number));
            seen |= 1 << (key - start).min(2);
        }
        assert!(items == 1 || start < 2 || seen != 1, "{distribution:?} over {items} from {start} knows one key");
    }
}

#[test]
fn parallel_parts_are_walked_side_by_side_and_cover_every_key() {
    let chooser = Chooser::new(Distribution::Parallel { parts: 3 }, 100, 10, 1).expect("defined");
    let keys: Vec<u64> = (0..9).map(|number| chooser.key(number)).collect();
    assert_eq!(keys, [100, 103, 106, 101, 104, 107, 102, 105, 108]);
    let mut seen: Vec<u64> = (0..12).map(|number| chooser.key(number)).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, (100..110).collect::<Vec<_>>());
}

#[test]
fn what_no_law_is_defined_for_is_named() {
    let refused = |distribution, items| Chooser::new(distribution, 0, items, 1).expect_err("refused");
    assert!(refused(Distribution::Uniform, 0).contains("at least one key"));
    assert!(refused(Distribution::Zipfian { theta: 1.0, new_keys: 0 }, 10).contains("theta is 1"));
    assert!(refused(Distribution::Latest { theta: f64::NAN }, 10).contains("theta"));
    assert!(
        refused(Distribution::Hotspot { hot_data: 0.01, hot_operations: 0.8 }, 10).contains("0 of 10 keys are hot")
    );
    assert!(refused(Distribution::Hotspot { hot_data: 1.0, hot_operations: 0.8 }, 10).contains("10 of 10"));
    assert!(refused(Distribution::Hotspot { hot_data: 0.5, hot_operations: 1.1 }, 10).contains("between 0 and 1"));
    assert!(refused(Distribution::Exponential { percentile: 100.0, fraction: 0.5 }, 10).contains("percentile"));
    assert!(refused(Distribution::ExactZipf { exponent: 0.0 }, 10).contains("above 0"));
    assert!(Chooser::new(Distribution::Uniform, u64::MAX, 2, 1).is_err());
    let far = Chooser::new(Distribution::Latest { theta: 0.5 }, 1 << 53, 1, 1).expect_err("refused");
    assert!(far.contains("beyond 53 bits"), "{far}");
}

#[test]
fn keys_that_are_added_are_read_and_the_shares_of_the_newest_stay_in_step() {
    let mut chooser = Chooser::new(Distribution::Latest { theta: YCSB_THETA }, 0, 1_000, 1).expect("defined");
    chooser.grow(2_999);
    assert!((chooser.ranks().expect("by rank").eta - 0.084_830_175_344_038_64).abs() < 1e-12);
    let mut by_age = [0_u32; 7];
    for number in 0..1_000_000 {
        if let Some(count) = by_age.get_mut(usize::try_from(2_999 - chooser.key(number)).expect("small")) {
            *count += 1;
        }
    }
    let expected = [0.112_209_37, 0.056_494_93, 0.044_516_85, 0.031_694_85, 0.024_647_31, 0.020_179_18, 0.017_089_98];
    for (count, share) in by_age.into_iter().zip(expected) {
        let deviation = (1e6 * share * (1.0_f64 - share)).sqrt();
        assert!((f64::from(count) - 1e6 * share).abs() < 5.0 * deviation, "{by_age:?}");
    }
}
