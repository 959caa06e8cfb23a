//! Tests of arrivals.

use super::*;
use crate::schedule::Rate;
use proptest::prelude::*;

const SECOND: u64 = 1_000_000_000;

fn even(operations: u128, per_ns: u128) -> Schedule {
    Schedule::new(Rate::new(operations, per_ns).expect("usable"), 1, 3)
}

proptest! {
    #[test]
    fn a_cursor_walks_over_the_times_of_the_formula(
        operations in 1_u128..3_000_000, per_s in 1_u128..100, part in 0_u64..4, of in 4_u64..9,
    ) {
        let schedule = even(operations, per_s * 1_000_000_000);
        let mut cursor = Arrivals::from(schedule).part(part, of).cursor();
        for number in 0..200 {
            prop_assert_eq!(cursor.next_ns(), schedule.intended_ns(part + number * of));
            cursor.advance();
        }
    }

    #[test]
    fn parts_together_are_the_whole(operations in 1_u128..100_000, of in 1_u64..9, until in 1_u64..3_000_000_000) {
        let schedule = even(operations, 1_000_000_000);
        let parts: u64 =
            (0..of).map(|part| Arrivals::from(schedule).part(part, of).cursor().count_before(until)).sum();
        prop_assert_eq!(parts, schedule.count_before(until));
    }
}

#[test]
fn kinds_together_are_the_whole_and_each_has_its_share() {
    let all = Arrivals::from(even(5_000, 1_000_000_000));
    for picks in [Pick::drawn(7, 1, &[0.05, 0.15, 0.8]), Pick::cycle(&[1, 3, 16])] {
        let shares: Vec<f64> = picks.iter().map(Pick::share).collect();
        for (share, expected) in shares.iter().zip([0.05, 0.15, 0.8]) {
            assert!((share - expected).abs() < 1e-12, "{shares:?}");
        }
        for part in 0..3 {
            let all = all.part(part, 3);
            let count = |pick| all.picked(pick).cursor().count_before(2 * SECOND);
            let counts: Vec<u64> = picks.iter().copied().map(count).collect();
            assert_eq!(counts.iter().sum::<u64>(), all.cursor().count_before(2 * SECOND));
            assert!(counts[2].abs_diff(2_667) < 150, "{counts:?}");
        }
        for number in 0..1_000 {
            assert_eq!(picks.iter().filter(|pick| pick.holds(number)).count(), 1, "{number}");
        }
    }
    assert!((Pick::drawn(1, 1, &[1.0])[0].share() - 1.0).abs() < f64::EPSILON);
    let reads = all.part(1, 2).picked(Pick::cycle(&[1, 4])[1]);
    assert!((reads.rate_per_s() - 2_000.0).abs() < 1e-9);
    let mut cursor = reads.cursor();
    // Numbers 1, 3, 7 and 9 of the schedule; 5 is of the other kind.
    let times: Vec<u64> = std::iter::repeat_with(|| {
        let at_ns = cursor.next_ns();
        cursor.advance();
        at_ns
    })
    .take(4)
    .collect();
    let schedule = even(5_000, 1_000_000_000);
    assert_eq!(times, [1, 3, 7, 9].map(|number| schedule.intended_ns(number)));
}

#[test]
fn random_arrivals_have_the_mean_and_the_spread_of_a_poisson_process() {
    let arrivals = Arrivals::Poisson { rate_per_s: 1_000.0, seed: 3, stream: 0 };
    let mut cursor = arrivals.cursor();
    let counts: Vec<f64> = (1..=400)
        .scan(0, |before, tenth| {
            let through = cursor.count_before(tenth * SECOND / 10);
            let count = through - std::mem::replace(before, through);
            Some(count as f64)
        })
        .collect();
    let mean = counts.iter().sum::<f64>() / 400.0;
    let variance = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / 399.0;
    // Five standard errors: 0.5 for the mean, 7.1 for the variance.
    assert!((mean - 100.0).abs() < 2.5, "{mean}");
    assert!((variance - 100.0).abs() < 36.0, "{variance}");
    let (mut all, mut half) = (arrivals.cursor(), arrivals.part(1, 2).cursor());
    assert_eq!(arrivals.cursor().count_before(SECOND), all.count_before(SECOND), "repeatable");
    assert_ne!(half.next_ns(), arrivals.part(0, 2).cursor().next_ns());
    assert!((400..600).contains(&half.count_before(SECOND)));
}

#[test]
fn a_ramp_has_half_the_operations_and_ends_at_the_rate() {
    let ramp = Arrivals::from(even(2_000, 1_000_000_000)).ramp(10 * SECOND);
    assert_eq!(ramp.cursor().count_before(10 * SECOND), 10_000);
    let mut cursor = ramp.cursor();
    let (before, all) = (cursor.count_before(9_900_000_000), cursor.count_before(10 * SECOND));
    assert!((198..=200).contains(&(all - before)));
    let halves: u64 = (0..2).map(|part| ramp.part(part, 2).cursor().count_before(10 * SECOND)).sum();
    assert_eq!(halves, 10_000);
}
