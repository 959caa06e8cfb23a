//! Tests of every qualification result on a simulated drive.

use measure::random;

use super::cache::{CacheEnd, Point};
use super::one_pass::{OnePass, USUAL_SPARE_RATIO};
use super::recovery::{IdleGain, Recovery, helpful_idle};
use super::simulated_drive::{Settings, SimulatedDrive};
use super::steady_state::{MOST_ROUNDS, Round, SteadyState, WINDOW_ROUNDS, Window};

const ROUND_S: f64 = 60.0;
const SEED: u64 = 1;

/// Loads that run directly on the simulated drive for a given time.
impl SimulatedDrive {
    /// Writes random pages for `seconds` and returns their number.
    fn write_at_random(&mut self, seconds: f64) -> u64 {
        let (end_s, before) = (self.elapsed_s + seconds, self.host_pages);
        while self.elapsed_s < end_s {
            self.write(random::below(u64::from(self.settings.pages), random::bits(SEED, 9, self.host_pages)));
        }
        self.host_pages - before
    }

    /// Writes consecutive pages from `first` on for `seconds` and returns their number.
    fn write_in_order(&mut self, first: u64, seconds: f64) -> u64 {
        let (end_s, before) = (self.elapsed_s + seconds, self.host_pages);
        while self.elapsed_s < end_s {
            self.write((first + self.host_pages - before) % u64::from(self.settings.pages));
        }
        self.host_pages - before
    }

    fn fill(&mut self) {
        (0..u64::from(self.settings.pages)).for_each(|page| self.write(page));
    }
}

/// Runs rounds of random writes until steady state is decided; returns the decision and the write amplification of each round.
fn settle(drive: &mut SimulatedDrive) -> (SteadyState, Vec<f64>) {
    let (mut rounds, mut amplifications) = (Vec::new(), Vec::new());
    loop {
        let (media, throttled_s) = (drive.media_pages, drive.throttled_s);
        let pages = drive.write_at_random(ROUND_S) as f64;
        amplifications.push((drive.media_pages - media) as f64 / pages);
        rounds.push(Round { per_s: pages / ROUND_S, throttled_s: drive.throttled_s - throttled_s });
        match SteadyState::of(&rounds) {
            SteadyState::Unsettled => {}
            answer => return (answer, amplifications),
        }
    }
}

/// Returns the write amplification after so many random writes that it no longer changes.
fn settled_amplification(settings: Settings) -> f64 {
    let mut drive = SimulatedDrive::new(settings);
    drive.fill();
    for _ in 0..100 {
        drive.write_at_random(ROUND_S);
    }
    let (media, host) = (drive.media_pages, drive.host_pages);
    for _ in 0..20 {
        drive.write_at_random(ROUND_S);
    }
    (drive.media_pages - media) as f64 / (drive.host_pages - host) as f64
}

fn prepared_in_one_pass(settings: Settings, spare_ratio: f64) -> SimulatedDrive {
    let mut drive = SimulatedDrive::new(settings);
    let order = OnePass::new(u64::from(settings.pages), spare_ratio, SEED);
    (0..order.writes()).for_each(|number| drive.write(order.page(number)));
    drive
}

#[test]
fn a_filled_drive_is_steady_after_some_rounds() {
    let mut drive = SimulatedDrive::new(Settings::default());
    drive.fill();
    drive.fill();
    let (answer, amplifications) = settle(&mut drive);
    let SteadyState::Steady { first_round, window } = answer else { panic!("{answer:?}") };
    assert!((2..=MOST_ROUNDS - WINDOW_ROUNDS).contains(&first_round), "{first_round}");
    assert!(window.range_ratio <= 0.2 && window.excursion_ratio <= 0.1, "{window:?}");
    // The first round still writes to the state that the sequential fill left.
    assert!(amplifications[0] < 0.8 * settled_amplification(Settings::default()), "{amplifications:?}");
}

#[test]
fn an_empty_drive_would_pass_the_rule_so_it_is_prepared_first() {
    let mut drive = SimulatedDrive::new(Settings { pages: 65_536, ..Settings::default() });
    let (answer, amplifications) = settle(&mut drive);
    assert!(matches!(answer, SteadyState::Steady { first_round: 1, .. }), "{answer:?}");
    assert!(amplifications.iter().all(|amplification| (amplification - 1.0).abs() < 1e-9));
}

#[test]
fn a_drive_that_works_for_itself_is_never_steady() {
    let settings = Settings { housekeeping_s: Some((4.0 * ROUND_S, ROUND_S)), ..Settings::default() };
    let (answer, amplifications) = settle(&mut prepared_in_one_pass(settings, USUAL_SPARE_RATIO));
    let SteadyState::NotSteady { window: Some(window) } = answer else { panic!("{answer:?}") };
    assert_eq!(amplifications.len(), MOST_ROUNDS);
    assert!(window.range_ratio > 0.2, "{window:?}");
}

#[test]
fn a_hot_drive_is_throttled_even_where_its_rate_is_even() {
    let settings = Settings { hot_c: Some(60.0), ..Settings::default() };
    let mut drive = prepared_in_one_pass(settings, USUAL_SPARE_RATIO);
    let (answer, _) = settle(&mut drive);
    let SteadyState::Throttled { throttled_s } = answer else { panic!("{answer:?}") };
    assert!(throttled_s > 0.0 && throttled_s <= WINDOW_ROUNDS as f64 * ROUND_S, "{throttled_s}");
    let even = [Round { per_s: 100.0, throttled_s: 1.0 }; MOST_ROUNDS];
    assert_eq!(SteadyState::of(&even), SteadyState::Throttled { throttled_s: 5.0 });
}

#[test]
fn the_end_of_a_cache_is_where_the_rate_falls_for_good() {
    let fill = |cache_pages: u32| {
        let settings = Settings { cache_pages, ..Settings::default() };
        let (mut drive, mut points) = (SimulatedDrive::new(settings), Vec::new());
        for section in 1..=32_u64 {
            let before_s = drive.elapsed_s;
            ((section - 1) * 512..section * 512).for_each(|page| drive.write(page));
            let bytes_per_s = 512.0 * 4096.0 / (drive.elapsed_s - before_s);
            points.push(Point { bytes: section * 512 * 4096, bytes_per_s });
        }
        CacheEnd::of(&points)
    };
    for pages in [2_000, 5_000, 9_000] {
        let end = fill(pages).expect("an end");
        let bytes = u64::from(pages) * 4096;
        assert!(end.lower_bytes <= bytes && bytes <= end.upper_bytes, "{pages} pages: {end:?}");
        assert!((4.0..6.0).contains(&(end.before_bytes_per_s / end.after_bytes_per_s)), "{end:?}");
    }
    assert_eq!(fill(0), None);
    assert_eq!(fill(16_384), None, "the cache holds all of it");
    // A short slowdown after which the rate recovers is not the end of the cache.
    let rates = [9.0, 9.0, 9.0, 9.0, 3.0, 3.0, 3.0, 9.0, 9.0, 9.0];
    let points: Vec<Point> = (1..).zip(rates).map(|(bytes, bytes_per_s)| Point { bytes, bytes_per_s }).collect();
    assert_eq!(CacheEnd::of(&points), None);
}

#[test]
fn one_pass_writes_every_page_and_at_most_a_fifth_twice() {
    for (pages, spare_ratio) in [(1, 0.15), (7, 0.15), (1_000, 0.07), (16_384, 0.15), (50_001, 0.2)] {
        let order = OnePass::new(pages, spare_ratio, 3);
        assert!(order.writes() as f64 <= 1.2 * pages as f64, "{pages}");
        let mut written = vec![0; usize::try_from(pages).expect("few")];
        for number in 0..order.writes() {
            written[usize::try_from(order.page(number)).expect("few")] += 1;
        }
        assert!(written.iter().all(|times| *times >= 1), "{pages} pages");
    }
}

#[test]
fn one_pass_prepares_in_at_most_one_and_a_fifth_full_writes() {
    for spare_ratio in [0.07, 0.15, 0.2] {
        let settings = Settings { spare_ratio, ..Settings::default() };
        let steady = settled_amplification(settings);
        let mut drive = prepared_in_one_pass(settings, spare_ratio);
        let full_writes = drive.host_pages as f64 / f64::from(settings.pages);
        assert!(full_writes <= 1.2, "{full_writes}");
        let (answer, amplifications) = settle(&mut drive);
        assert!(matches!(answer, SteadyState::Steady { first_round: 1, .. }), "{spare_ratio}: {answer:?}");
        let mean = amplifications.iter().sum::<f64>() / amplifications.len() as f64;
        assert!((mean / steady - 1.0).abs() < 0.05, "spare {spare_ratio}: {amplifications:?} instead of {steady}");
    }
}

#[test]
fn a_drive_whose_spare_is_not_known_settles_no_later_than_after_two_fills() {
    for spare_ratio in [0.1, 0.12, 0.18, 0.2] {
        let settings = Settings { spare_ratio, ..Settings::default() };
        let steady = settled_amplification(settings);
        let (answer, amplifications) = settle(&mut prepared_in_one_pass(settings, USUAL_SPARE_RATIO));
        let SteadyState::Steady { first_round, .. } = answer else { panic!("{answer:?}") };
        let mut filled = SimulatedDrive::new(settings);
        filled.fill();
        filled.fill();
        let (SteadyState::Steady { first_round: after_fills, .. }, _) = settle(&mut filled) else {
            panic!("not steady after two fills")
        };
        assert!(first_round <= after_fills, "spare {spare_ratio}: {first_round} instead of {after_fills}");
        let window = &amplifications[amplifications.len() - WINDOW_ROUNDS..];
        let mean = window.iter().sum::<f64>() / window.len() as f64;
        assert!((mean / steady - 1.0).abs() < 0.1, "spare {spare_ratio}: {mean} instead of {steady}");
    }
}

#[test]
fn a_drive_wears_evenly_with_what_it_writes() {
    let mut drive = SimulatedDrive::new(Settings::default());
    drive.fill();
    drive.write_at_random(100.0 * ROUND_S);
    let (most, mean) = drive.wear();
    let blocks = (16_384.0_f64 * 1.15 / 64.0).floor();
    assert!((mean - drive.media_pages as f64 / 64.0 / blocks).abs() < 1.5, "{mean}");
    assert!(f64::from(most) >= mean);
}

#[test]
fn the_window_has_the_figures_of_the_specification() {
    let rounds = |rates: [f64; 5]| rates.map(|per_s| Round { per_s, throttled_s: 0.0 });
    // Calculated by hand: mean 100, range 11, slope 2.8 per round, which is 11.2 over the window.
    let window = Window::of(&rounds([94.0, 95.0, 103.0, 105.0, 103.0])).expect("figures");
    assert!((window.mean_per_s - 100.0).abs() < 1e-9);
    assert!((window.range_ratio - 0.11).abs() < 1e-9);
    assert!((window.excursion_ratio - 4.0 * 2.8 / 100.0).abs() < 1e-9);
    // Exactly at both limits, and just beyond each.
    let steady = |rates| matches!(SteadyState::of(&rounds(rates)), SteadyState::Steady { .. });
    assert!(steady([90.0, 110.0, 100.0, 110.0, 90.0]));
    assert!(!steady([89.9, 110.0, 100.0, 110.0, 90.1]));
    assert!(steady([95.0, 97.5, 100.0, 102.5, 105.0]));
    assert!(!steady([94.9, 97.45, 100.0, 102.55, 105.1]));
    assert_eq!(SteadyState::of(&rounds([0.0; 5])), SteadyState::Unsettled);
}

/// Returns the rate of each round, where `round` returns the number of pages it writes.
fn rates(rounds: usize, mut round: impl FnMut() -> u64) -> Vec<f64> {
    (0..rounds).map(|_| round() as f64 / ROUND_S).collect()
}

#[test]
fn sequential_writes_recover_from_random_ones_within_some_rounds_or_not() {
    let recovery = |spare_ratio: f64| {
        let settings = Settings { pages: 8_192, spare_ratio, ..Settings::default() };
        let (mut drive, mut page) = (SimulatedDrive::new(settings), 0);
        let mut in_order = |drive: &mut SimulatedDrive| {
            let written = drive.write_in_order(page, ROUND_S);
            page = (page + written) % u64::from(settings.pages);
            written
        };
        drive.fill();
        let before = rates(5, || in_order(&mut drive));
        rates(20, || drive.write_at_random(ROUND_S));
        Recovery::of(&before, &rates(8, || in_order(&mut drive))).expect("rounds")
    };
    let much_spare = recovery(0.5);
    assert!(much_spare.first_ratio < 0.9, "{much_spare:?}");
    assert!(much_spare.back_from_round.is_some_and(|round| round > 1), "{much_spare:?}");
    let little_spare = recovery(0.15);
    assert!(little_spare.first_ratio < much_spare.first_ratio, "{little_spare:?}");
    assert_eq!(little_spare.back_from_round, None, "it moves what the random writes have mixed for long");
}

#[test]
fn a_drive_that_is_left_alone_is_faster_where_it_works_meanwhile() {
    let gains = |cache_pages: u32| -> Vec<IdleGain> {
        let mut drive = SimulatedDrive::new(Settings { cache_pages, ..Settings::default() });
        drive.fill();
        rates(20, || drive.write_at_random(ROUND_S));
        let gain = |idle_s: u64| {
            let without = drive.write_at_random(ROUND_S) as f64 / ROUND_S;
            drive.idle(idle_s as f64);
            IdleGain { idle_s, ratio: drive.write_at_random(5.0) as f64 / 5.0 / without }
        };
        [5, 30, 300].map(gain).into()
    };
    let cached = gains(2_000);
    assert!(helpful_idle(&cached).is_some_and(|gain| gain.ratio > 1.5), "{cached:?}");
    let same: Vec<IdleGain> = [5, 300].map(|idle_s| IdleGain { idle_s, ratio: 1.0 }).into();
    assert_eq!(helpful_idle(&same), None);
}

#[test]
fn a_rate_is_back_when_it_stays() {
    let back = |after: &[f64]| Recovery::of(&[100.0, 100.0], after).expect("rates").back_from_round;
    assert_eq!(back(&[90.0, 95.0]), Some(1));
    assert_eq!(back(&[50.0, 91.0, 80.0, 92.0]), Some(4));
    assert_eq!(back(&[50.0, 89.9]), None);
    assert_eq!(Recovery::of(&[], &[1.0]), None);
    assert_eq!(Recovery::of(&[0.0], &[1.0]), None);
    assert_eq!(Recovery::of(&[1.0], &[]), None);
}
