//! Tests of the recorder.

use super::*;
use crate::schedule::{Rate, Schedule};
use proptest::prelude::*;
use std::collections::BTreeMap;

const SECOND: u64 = 1_000_000_000;

fn plan() -> OperationPlan {
    OperationPlan {
        operation: "read".into(),
        device: Some("/dev/null".into()),
        schedule: Some(Schedule::new(Rate::new(10, u128::from(SECOND)).expect("usable"), 0, 1).into()),
        clocks: vec![Clock::Response, Clock::Service],
        pin_thresholds_ns: vec![1_000_000, 8_000_000],
    }
}

fn times(intended_ns: u64, wait_ns: u64, service_ns: u64) -> Times {
    Times { intended_ns, submitted_ns: intended_ns + wait_ns, completed_ns: intended_ns + wait_ns + service_ns }
}

fn of_series(cuts: &[Cut], series_no: u16) -> Vec<&Cut> {
    cuts.iter().filter(|cut| cut.interval.series_no == series_no).collect()
}

#[test]
fn definitions_are_numbered_as_the_intervals_are() {
    let definitions = plan().definitions(4, "host");
    let seen: Vec<_> = definitions.iter().map(|series| (series.series_no, series.clock, series.kind)).collect();
    assert_eq!(
        seen,
        [
            (4, Clock::Response, SeriesKind::Tick),
            (5, Clock::Response, SeriesKind::Histogram),
            (6, Clock::Service, SeriesKind::Tick),
            (7, Clock::Service, SeriesKind::Histogram),
        ]
    );
    assert!(definitions.iter().all(|series| series.layout.is_some() == (series.kind == SeriesKind::Histogram)));
    let mut cuts = Vec::new();
    Recorder::new(plan(), 4, 1, SECOND).finish(SECOND, 0, &mut cuts);
    let mut numbers: Vec<_> = cuts.iter().map(|cut| cut.interval.series_no).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [4, 5, 6, 7]);
}

#[test]
fn a_limit_itself_counts_as_over_and_the_clocks_differ() {
    let mut recorder = Recorder::new(plan(), 0, 1, SECOND);
    recorder.completed(times(0, 500_000, 499_999));
    recorder.completed(times(0, 500_000, 500_000));
    recorder.completed(times(0, 7_500_000, 500_000));
    let mut cuts = Vec::new();
    recorder.finish(SECOND, 0, &mut cuts);
    let response = &of_series(&cuts, 0)[0].interval;
    assert_eq!(response.pins, [2, 1]);
    assert_eq!((response.min_ns, response.max_ns), (Some(999_999), Some(8_000_000)));
    assert_eq!(response.sum_ns, 999_999 + 1_000_000 + 8_000_000);
    let service = &of_series(&cuts, 2)[0].interval;
    assert_eq!(service.pins, [0, 0]);
}

#[test]
fn the_last_interval_waits_for_late_completions_and_names_the_unfinished() {
    let mut recorder = Recorder::new(plan(), 0, 2, 3 * SECOND);
    let mut cuts = Vec::new();
    recorder.advance(10 * SECOND, &mut cuts);
    assert_eq!(of_series(&cuts, 0).len(), 2, "the third tick is still open");
    recorder.completed(times(0, 0, 9 * SECOND));
    recorder.failed();
    recorder.timed_out();
    recorder.dispatched(77, 77);
    recorder.finish(3 * SECOND, 0, &mut cuts);
    let last = &of_series(&cuts, 0)[2].interval;
    assert_eq!((last.start_ns, last.duration_ns, last.target_count), (2 * SECOND, SECOND, Some(10)));
    assert_eq!((last.count, last.errors, last.timeouts, last.unfinished), (1, 1, 1, 27));
    assert_eq!(last.lateness_max_ns, 77);
    let wide = of_series(&cuts, 1);
    assert_eq!(wide.len(), 2);
    assert_eq!((wide[1].interval.start_ns, wide[1].interval.duration_ns), (2 * SECOND, SECOND));
    assert_eq!(wide[1].interval.unfinished, 27);
    assert!(wide[0].histogram.is_none(), "nothing completed there");
}

#[test]
fn stopping_early_shortens_the_last_interval() {
    let mut recorder = Recorder::new(plan(), 0, 10, 60 * SECOND);
    let mut cuts = Vec::new();
    recorder.advance(SECOND + 5, &mut cuts);
    recorder.finish(SECOND + SECOND / 2, 0, &mut cuts);
    let ticks = of_series(&cuts, 0);
    assert_eq!(ticks.len(), 2);
    assert_eq!((ticks[1].interval.duration_ns, ticks[1].interval.target_count), (SECOND / 2, Some(5)));
}

#[test]
fn stopping_on_a_boundary_still_leaves_room_for_what_completes() {
    let mut recorder = Recorder::new(plan(), 0, 10, 60 * SECOND);
    let mut cuts = Vec::new();
    recorder.advance(SECOND, &mut cuts);
    recorder.finish(SECOND, 0, &mut cuts);
    assert!(cuts.iter().all(|cut| cut.interval.duration_ns > 0));
}

#[test]
fn the_live_view_counts_misses_as_over_and_shows_both_clocks() {
    let mut series_table = crate::series_table::SeriesTable::default();
    series_table.add(plan(), 1, None);
    let mut recorder = Recorder::new(plan(), 0, 10, 60 * SECOND);
    for _ in 0..9 {
        recorder.completed(times(0, 1_500_000, 500_000));
    }
    recorder.failed();
    recorder.dispatched(900_000, 40_000);
    recorder.under_way(3, 700);
    let mut cuts = Vec::new();
    assert!(recorder.advance(SECOND, &mut cuts));
    let mut view = crate::view::View::new(&series_table);
    let shown: Vec<_> = cuts.iter().filter_map(|cut| view.add(cut)).collect();
    let [progress] = &shown[..] else { panic!("one operation: {shown:?}") };
    assert!((progress.rate_per_s - 9.0).abs() < 1e-9);
    assert_eq!(progress.over, [(1_000_000, 1.0), (8_000_000, 0.1)]);
    assert!((1_990_000..=2_030_000).contains(&progress.p99_ns), "{}", progress.p99_ns);
    let service = &progress.clocks[1];
    assert!((495_000..=510_000).contains(&service.p50_ns) && service.max_ns == 500_000, "{service:?}");
    assert_eq!((progress.errors, progress.in_flight, progress.oldest_in_flight_ns), (1, Some(3), Some(700)));
    assert_eq!(progress.lateness_max_ns, 900_000);
    assert!((39_000..=41_000).contains(&progress.lateness_p99_ns));
}

/// Returns the slice of ten operations intended at 10 per second, after `change`.
fn slice(change: impl FnOnce(&mut Recorder)) -> crate::series::Slice {
    let mut series_table = crate::series_table::SeriesTable::default();
    series_table.add(plan(), 1, None);
    let mut recorder = Recorder::new(plan(), 0, 1, 9 * SECOND);
    for number in 0..7 {
        recorder.completed(times(number * 100_000_000, 0, 2_000_000));
    }
    change(&mut recorder);
    let mut cuts = Vec::new();
    recorder.advance(SECOND, &mut cuts);
    cuts.iter_mut().for_each(Cut::settle);
    let view = crate::view::View::new(&series_table);
    let slices: Vec<_> = cuts.iter().filter_map(|cut| view.slice(cut)).collect();
    assert_eq!(slices.len(), 1, "one for an operation, not for a clock");
    slices[0].clone()
}

#[test]
fn a_slice_is_doubtful_where_the_generator_was_late_or_busy() {
    let good = slice(|recorder| {
        recorder.dispatched(90_000_000, 90_000);
        recorder.busy(0, 690_000_000);
    });
    assert!(good.doubts.is_empty(), "{good:?}");
    assert_eq!((good.lateness_p99_ns, good.busy_ratio), (Some(90_999), Some(0.69)));
    let late = slice(|recorder| recorder.dispatched(110_000, 110_000));
    assert!(late.doubts[0].contains("late") && late.lateness_p99_ns == Some(110_000), "{late:?}");
    let busy = slice(|recorder| recorder.busy(0, 710_000_000));
    assert!(busy.doubts[0].contains("busy for 71 %"), "{busy:?}");
    let unknown = slice(|_| {});
    assert!(unknown.doubts.is_empty() && unknown.lateness_p99_ns.is_none() && unknown.busy_ratio.is_none());
}

#[test]
fn a_rate_that_fell_is_told_beside_a_doubt_and_is_none_by_itself() {
    let slow = slice(|_| {});
    assert!(slow.doubts.is_empty() && slow.rate_ratio == Some(0.7), "{slow:?}");
    let busy = slice(|recorder| recorder.busy(0, 710_000_000));
    assert!(busy.doubts[1].contains("the rate was 70.00 %"), "{busy:?}");
    let at_the_edge = slice(|recorder| {
        recorder.failed();
        recorder.busy(0, 710_000_000);
    });
    assert_eq!(at_the_edge.doubts.len(), 1, "two operations are the edge of a second");
}

#[test]
fn a_thread_that_looked_late_tells_of_the_latest_tick_only() {
    let mut recorder = Recorder::new(plan(), 0, 10, 60 * SECOND);
    let mut cuts = Vec::new();
    assert!(!recorder.is_due(SECOND - 1) && recorder.is_due(SECOND));
    recorder.under_way(5, 900);
    recorder.busy(0, 3 * SECOND);
    recorder.advance(3 * SECOND + 7, &mut cuts);
    let told: Vec<_> = of_series(&cuts, 0).iter().map(|cut| (cut.interval.in_flight, cut.interval.busy_ns)).collect();
    assert_eq!(told, [(None, Some(SECOND)), (None, Some(SECOND)), (Some(5), Some(SECOND))]);
}

/// An event of a recorder.
#[derive(Debug, Clone)]
enum Event {
    Completed { wait_ns: u64, service_ns: u64 },
    Failed,
    TimedOut,
    Dispatched { late_ns: u64, by_itself_ns: u64 },
    Busy(u64),
    Later(u64),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        8 => (0_u64..20_000_000, 0_u64..20_000_000)
            .prop_map(|(wait_ns, service_ns)| Event::Completed { wait_ns, service_ns }),
        1 => Just(Event::Failed),
        1 => Just(Event::TimedOut),
        4 => (0_u64..2_000_000, 0_u64..2_000_000).prop_map(|(first, second)| Event::Dispatched {
            late_ns: first.max(second), by_itself_ns: first.min(second),
        }),
        2 => (0..SECOND).prop_map(Event::Busy),
        3 => (0_u64..3 * SECOND).prop_map(Event::Later),
    ]
}

proptest! {
    #[test]
    fn every_interval_keeps_the_rules_of_the_wire(
        events in proptest::collection::vec(event(), 0..200), per_histogram in 1_u64..5, end_ns in 1_u64..40 * SECOND,
    ) {
        let mut recorder = Recorder::new(plan(), 0, per_histogram, end_ns);
        let (mut cuts, mut now, mut completed, mut failed) = (Vec::new(), 0, 0_u64, 0_u64);
        for event in events {
            match event {
                Event::Completed { wait_ns, service_ns } => {
                    completed += 1;
                    recorder.completed(times(now, wait_ns, service_ns));
                }
                Event::Failed => { failed += 1; recorder.failed(); }
                Event::TimedOut => { failed += 1; recorder.timed_out(); }
                Event::Dispatched { late_ns, by_itself_ns } => recorder.dispatched(late_ns, by_itself_ns),
                Event::Busy(busy_ns) => recorder.busy(0, busy_ns),
                Event::Later(step) => { now += step; recorder.advance(now, &mut cuts); }
            }
        }
        recorder.finish(end_ns, 0, &mut cuts);
        cuts.iter_mut().for_each(Cut::settle);
        let mut series: BTreeMap<u16, Vec<Cut>> = BTreeMap::new();
        for cut in cuts {
            series.entry(cut.interval.series_no).or_default().push(cut);
        }
        prop_assert_eq!(series.len(), 4);
        for (&number, cuts) in &series {
            let mut expected_start = 0;
            for (seq, cut) in cuts.iter().enumerate() {
                let interval = &cut.interval;
                prop_assert_eq!(interval.seq, seq as u64);
                prop_assert_eq!(interval.start_ns, expected_start);
                prop_assert!(interval.duration_ns > 0);
                expected_start += interval.duration_ns;
                prop_assert!(interval.unfinished == 0 || seq + 1 == cuts.len());
                prop_assert!(interval.pins.is_sorted_by(|a, b| a >= b));
                prop_assert!(interval.pins.iter().all(|&pin| pin <= interval.count));
                prop_assert_eq!(interval.min_ns.is_none(), interval.count == 0);
                if let (Some(min), Some(max)) = (interval.min_ns, interval.max_ns) {
                    prop_assert!(min * interval.count <= interval.sum_ns && interval.sum_ns <= max * interval.count);
                }
                prop_assert!(interval.lateness_p99_ns.unwrap_or(0) <= interval.lateness_max_ns);
                prop_assert!(interval.busy_ns.unwrap_or(0) <= interval.duration_ns);
                let histogram_count = cut.histogram.as_ref().map_or(0, LatencyHistogram::count);
                prop_assert_eq!(histogram_count, if number % 2 == 1 { interval.count } else { 0 });
            }
            prop_assert_eq!(expected_start, end_ns);
            let sum = |of: fn(&Interval) -> u64| cuts.iter().map(|cut| of(&cut.interval)).sum::<u64>();
            prop_assert_eq!(sum(|interval| interval.count), completed);
            prop_assert_eq!(sum(|interval| interval.errors + interval.timeouts), failed);
            let intended = plan().schedule.expect("given").cursor().count_before(end_ns);
            prop_assert_eq!(sum(|interval| interval.target_count.unwrap_or(0)), intended);
            prop_assert_eq!(sum(|interval| interval.unfinished), intended.saturating_sub(completed + failed));
        }
        for clock in [0, 2] {
            let (ticks, wide) = (&series[&clock], &series[&(clock + 1)]);
            for stretch in wide {
                let (start, end) = (stretch.interval.start_ns, stretch.interval.start_ns + stretch.interval.duration_ns);
                let inside = || ticks.iter().map(|cut| &cut.interval).filter(|tick| (start..end).contains(&tick.start_ns));
                prop_assert_eq!(inside().map(|tick| tick.count).sum::<u64>(), stretch.interval.count);
                prop_assert_eq!(inside().map(|tick| tick.sum_ns).sum::<u64>(), stretch.interval.sum_ns);
                prop_assert_eq!(inside().map(|tick| tick.pins[0]).sum::<u64>(), stretch.interval.pins[0]);
                prop_assert_eq!(inside().filter_map(|tick| tick.max_ns).max(), stretch.interval.max_ns);
                let busy_ns = inside().filter_map(|tick| tick.busy_ns).sum::<u64>();
                prop_assert_eq!(busy_ns, stretch.interval.busy_ns.unwrap_or(0), "one thread");
                prop_assert_eq!(inside().map(|tick| tick.lateness_max_ns).max(), Some(stretch.interval.lateness_max_ns));
            }
        }
    }
}
