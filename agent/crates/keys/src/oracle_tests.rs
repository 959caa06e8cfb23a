//! Choosers compared with independently calculated values, which match runs of the original tools.
//!
//! Expected shares are those of YCSB 0.18.0-SNAPSHOT and `memtier_benchmark` after 2.3.0.

use crate::chooser::{Chooser, Distribution, YCSB_THETA};
use crate::name::{Key, Naming};
use crate::placement::{aerospike_digest, aerospike_partition, redis_slot};
use crate::tally::{Tally, tally};
use crate::zipf::{Gray, zeta};

const HASHED: Naming = Naming::Ycsb { ordered: false, zero_padding: 1 };

fn drawn(distribution: Distribution, items: u64, draws: u64) -> Tally {
    tally(&Chooser::new(distribution, 0, items, 42).expect("defined"), draws)
}

/// Returns whether `share` is within five binomial standard deviations of `expected`.
fn is_close(share: f64, expected: f64, draws: u64) -> bool {
    (share - expected).abs() <= 5.0 * (expected * (1.0 - expected) / draws as f64).sqrt() + 1e-12
}

fn check_top(found: &Tally, keys: &[u64], shares: &[f64]) {
    for (&key, &expected) in keys.iter().zip(shares) {
        let one = found.top.iter().find(|one| one.key == key).unwrap_or_else(|| panic!("{key} in {:?}", found.top));
        assert!(is_close(one.share, expected, found.draws), "{key}: {} instead of {expected}", one.share);
    }
}

fn check_shares(found: &Tally, expected: &[(&str, f64)]) {
    for (name, share) in expected {
        let one = found.share_of_top[name].expect("few keys");
        let scatter = 5.0 * (share * (1.0 - share) / found.draws as f64).sqrt();
        assert!((one - share).abs() < 1e-4 + scatter, "top {name}: {one} instead of {share}");
    }
}

#[test]
fn ycsb_names_and_hashes() {
    for (number, hash) in [
        (0, 6_284_781_860_667_377_211),
        (1, 8_517_097_267_634_966_620),
        (2, 1_820_151_046_732_198_393),
        (7, 5_465_015_992_139_406_178),
        (42, 55_488_592_825_689_361),
        (99, 6_405_349_725_575_133_178),
        (255, 8_064_062_821_143_829_734),
        (256, 2_056_600_594_528_442_646),
        (1_000, 5_952_875_239_596_136_740),
        (65_536, 3_733_039_891_711_757_428),
        (999_999, 2_744_965_632_448_235_251),
        (299_999_999, 5_833_227_667_109_998_538),
        (2_147_483_647, 627_943_977_067_101_855),
        (2_147_483_648, 5_860_980_763_039_959_109),
        (3_000_000_000, 4_396_946_494_927_717_697),
        (9_999_999_999, 3_605_131_173_811_637_474),
        (9_223_372_036_854_775_807, 8_289_549_613_075_766_851_u64),
    ] {
        assert_eq!(HASHED.hash(number), Some(hash));
        assert_eq!(HASHED.key(number), Key::Text(format!("user{hash}")));
    }
    let padded = |ordered, zero_padding, number| Naming::Ycsb { ordered, zero_padding }.key(number);
    assert_eq!(padded(true, 12, 42), Key::Text("user000000000042".into()));
    assert_eq!(padded(false, 24, 42), Key::Text("user000000055488592825689361".into()));
    assert_eq!(padded(true, 1, 42), Key::Text("user42".into()));
}

#[test]
fn places_of_keys() {
    let digest = |set, key: &Key| {
        let digest = aerospike_digest(set, key);
        (digest.map(|byte| format!("{byte:02x}")).concat(), aerospike_partition(&digest))
    };
    assert_eq!(digest("testset", &Key::Integer(0)), ("1e2636002fd468ac9139049eec4656a90e05e22c".into(), 1566));
    assert_eq!(digest("fraud", &Naming::Fraud.aerospike_key(7)).1, 351);
    assert_eq!(digest("usertable", &HASHED.key(0)), ("59f6a99e074d9951b5a620a79cf6696f3b318641".into(), 1625));
    for (key, slot) in [
        ("memtier-0", 7563),
        ("{user1}.a", 8106),
        ("foo{}{bar}", 8363),
        ("foo{{bar}}zap", 4015),
        ("123456789", 12739),
        ("user6284781860667377211", 10488),
    ] {
        assert_eq!(redis_slot(key.as_bytes()), slot, "{key}");
    }
}

#[test]
fn zeta_is_right_on_both_sides_of_the_change_of_method() {
    for (items, theta, expected) in [
        (1_000, 0.99, 7.728_953_217_284_738),
        (1_000_000, 0.99, 15.391_849_746_036_804),
        (10_000_000_000, 0.99, 26.469_028_201_751_49),
        (10_000_000_001, 0.99, 26.469_028_201_877_386),
        (10_000_000, 0.8, 121.156_784_415_526_6),
        (1_000, 0.5, 61.801_008_765_243_23),
    ] {
        let found = zeta(items, theta);
        assert!((found / expected - 1.0).abs() < 1e-10, "zeta({items}, {theta}) = {found}");
    }
}

#[test]
fn the_inverse_of_gray_has_its_own_shares() {
    let distribution = Gray::new(1_000, 0.99);
    assert!((distribution.eta - 0.074_806_086_706_898_03).abs() < 1e-12);
    for (below, share) in
        [(1, 0.129_383_626_978_571_67), (10, 0.398_345_563_043_416_34), (500, 0.907_661_196_206_817_3)]
    {
        assert!((distribution.share_below(below) - share).abs() < 1e-9);
    }
}

#[test]
fn the_same_keys_are_hot_as_in_ycsb() {
    let zipfian = |new_keys| Distribution::Zipfian { theta: YCSB_THETA, new_keys };
    let found = drawn(zipfian(0), 1_000, 5_000_000);
    check_top(
        &found,
        &[144, 610, 213, 679, 10, 545, 942],
        &[0.038_608_417, 0.019_954_918, 0.016_034_375, 0.011_663_399, 0.009_336_938, 0.007_784_501, 0.006_593_574],
    );
    check_shares(&found, &[("1", 0.038_608_417), ("10", 0.126_089_498), ("100", 0.290_032_028)]);

    let found = drawn(zipfian(0), 100_000, 5_000_000);
    check_top(&found, &[42439, 91481, 44356], &[0.037_785_149, 0.019_029_397, 0.015_320_258]);
    check_shares(&found, &[("100", 0.207_742_910), ("1%", 0.304_119_871), ("10%", 0.448_770_365)]);

    let found = drawn(zipfian(100), 1_000, 5_000_000);
    check_top(&found, &[903, 403, 802], &[0.042_384_318, 0.021_894_355, 0.017_783_586]);
    check_shares(&found, &[("10", 0.139_504_214), ("100", 0.303_558_006)]);
}

#[test]
fn newer_keys_are_read_more_by_latest_and_exponential() {
    let latest = drawn(Distribution::Latest { theta: YCSB_THETA }, 1_000, 5_000_000);
    let expected = [0.129_401_567, 0.065_150_813, 0.051_046_407, 0.036_343_730, 0.028_262_477, 0.023_138_986];
    for (share, expected) in latest.by_age.iter().zip(expected) {
        assert!(is_close(*share, expected, latest.draws), "{share} instead of {expected}");
    }
    check_shares(&latest, &[("10", 0.398_399_558), ("100", 0.695_802_953)]);

    let exponential =
        drawn(Distribution::Exponential { percentile: 95.0, fraction: 0.857_142_857_1 }, 1_000, 5_000_000);
    assert!(is_close(exponential.by_age[0], 0.003_598_117, exponential.draws));
    assert!(is_close(exponential.by_age[19], 0.003_366_943, exponential.draws));
    check_shares(&exponential, &[("100", 0.304_192_630)]);
}

#[test]
fn hotspot_uniform_and_sequential() {
    let hotspot = drawn(Distribution::Hotspot { hot_data: 0.2, hot_operations: 0.8 }, 1_000, 2_000_000);
    check_shares(&hotspot, &[("1", 0.004), ("10", 0.04), ("100", 0.4)]);
    check_shares(&drawn(Distribution::Uniform, 1_000, 2_000_000), &[("1", 0.001), ("100", 0.1)]);
    let sequential = drawn(Distribution::Sequential, 100, 1_000);
    assert!(sequential.top.iter().all(|one| (one.share - 0.01).abs() < 1e-12));
}

#[test]
fn gauss_and_power_law_of_memtier() {
    let gauss = drawn(Distribution::Gauss { deviation: None, centre: None }, 10_001, 5_000_000);
    check_shares(&gauss, &[("10%", 0.236_483_564), ("1", 0.000_240_013)]);

    let distribution =
        |exponent, start, items| Chooser::new(Distribution::ExactZipf { exponent }, start, items, 42).expect("defined");
    let found = tally(&distribution(1.0, 1, 1_000), 5_000_000);
    check_top(&found, &[1, 2, 3, 4, 5], &[0.133_592_130, 0.066_796_065, 0.044_530_710, 0.033_398_033, 0.026_718_426]);
    check_shares(&found, &[("100", 0.692_992_814)]);
    let found = tally(&distribution(1.2, 1, 100_000), 5_000_000);
    check_top(&found, &[1, 2, 3], &[0.196_402_575, 0.085_489_186, 0.052_553_503]);
    check_shares(&found, &[("1%", 0.851_555_370), ("10%", 0.942_564_194)]);
    check_shares(&tally(&distribution(1.0, 1_000, 1_001), 5_000_000), &[("100", 0.137_420_417), ("1", 0.001_441_136)]);
}

#[test]
fn lengths_follow_the_law_without_hashing() {
    let found = drawn(Distribution::Zipf { theta: 0.99 }, 100, 5_000_000);
    check_top(&found, &[0, 1, 2, 3, 9], &[0.188_872_792, 0.095_093_253, 0.072_919_539, 0.051_916_837, 0.019_206_512]);
}

#[test]
fn the_exact_law_holds_wherever_keys_begin_and_however_steep_it_is() {
    for (start, items, exponent) in [(3, 90, 1.0), (1_000_000_000, 500, 4.5), (1, 1_000, 0.2), (2, 100, 60.0)] {
        let chooser = Chooser::new(Distribution::ExactZipf { exponent }, start, items, 42).expect("defined");
        let mut counts = vec![0_u32; usize::try_from(items).expect("few")];
        for number in 0..1_000_000 {
            counts[usize::try_from(chooser.key(number) - start).expect("inside")] += 1;
        }
        let weight = |place: usize| ((start as f64 + place as f64) / start as f64).powf(-exponent);
        let all: f64 = (0..counts.len()).map(weight).sum();
        for (place, &count) in counts.iter().enumerate() {
            let share = f64::from(count) / 1e6;
            let expected = weight(place) / all;
            // With very small expectations, a single extra draw is no error.
            let is_near = (share - expected).abs() < 5e-6;
            assert!(
                is_near || is_close(share, expected, 1_000_000),
                "{start} {exponent} {place}: {share} for {expected}"
            );
        }
    }
}

#[test]
fn latest_draws_no_key_below_the_first() {
    let chooser = Chooser::new(Distribution::Latest { theta: 0.7 }, 700, 2_500, 42).expect("defined");
    let found = tally(&chooser, 1_000_000);
    // YCSB's shares among 3,199 keys, without the oldest 699.
    let distribution = Gray::new(3_199, 0.7);
    for (age, share) in (0..).zip(&found.by_age) {
        let expected =
            (distribution.share_below(age + 1) - distribution.share_below(age)) / distribution.share_below(2_500);
        assert!(is_close(*share, expected, found.draws), "{age}: {share} for {expected}");
    }
}
