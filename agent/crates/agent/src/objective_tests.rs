use measure::histogram::{Encoder, layout};
use measure::series::Clock;

use super::*;

#[test]
fn an_objective_is_read_as_the_backend_reads_it() {
    for (text, operation, quantile, limit_ns) in [
        ("p99 get < 5ms", Some("get"), (99, 100), 5_000_000),
        ("p99.9 of read <= 250 us", Some("read"), (999, 1_000), 250_001),
        ("99.99% < 1.5ms", None, (9_999, 10_000), 1_500_000),
        ("P50 rmw read ≤ 1s", Some("rmw read"), (50, 100), 1_000_000_001),
    ] {
        let objective = Objective::parse(text).expect(text);
        let read = (objective.operation.as_deref(), objective.quantile, objective.limit_ns);
        assert_eq!(read, (operation, quantile, limit_ns), "{text}");
    }
    for text in ["p99 get", "p99 get < 5", "p0 < 1ms", "p100 < 1ms", "get < 1ms", "p99. < 1ms", "p99 < 0ms", "< 1ms"] {
        assert!(Objective::parse(text).expect_err(text).contains("write it as"), "{text}");
    }
    assert!((Objective::parse("p99.9 < 1ms").expect("read").allowed_share() - 0.001).abs() < 1e-12);
}

fn totals() -> ObjectiveTotals {
    let series = |series_no, operation: &str, kind| SeriesDefinition {
        series_no,
        operation: operation.into(),
        clock: Clock::Response,
        kind,
        phase: "run".into(),
        host: "here".into(),
        device: None,
        layout: (kind == SeriesKind::Histogram).then(layout),
        pin_thresholds_ns: vec![1_000_000, 5_000_000],
        target_rate_per_s: None,
    };
    let definitions = [
        series(0, "get", SeriesKind::Tick),
        series(1, "get", SeriesKind::Histogram),
        series(5, "set", SeriesKind::Histogram),
    ];
    ObjectiveTotals::new(&Objective::parse("p90 get < 5ms").expect("read"), &definitions).expect("gets")
}

/// Returns a slice of ten operations, of which `late` take 6 ms and the others 1 ms.
fn slice(second: u64, late: u64) -> Interval {
    let mut histogram = LatencyHistogram::new();
    (0..10).for_each(|number| histogram.record(if number < late { 6_000_000 } else { 1_000_000 }));
    let histogram = Some(Encoder::default().encode(&histogram));
    let (start_ns, duration_ns) = (second * 1_000_000_000, 1_000_000_000);
    Interval { series_no: 1, start_ns, duration_ns, count: 10, pins: vec![10, late], histogram, ..Interval::default() }
}

fn verdict_of(slices: &[Interval]) -> Option<Verdict> {
    let mut totals = totals();
    for slice in slices {
        totals.add(slice);
    }
    totals.answer().map(|answer| answer.verdict)
}

#[test]
fn the_answer_is_that_of_the_exact_counts_with_misses() {
    let mut totals = totals();
    assert_eq!(totals.answer(), None);
    totals.add(&slice(0, 1));
    totals.add(&Interval { series_no: 5, ..slice(0, 10) });
    let answer = totals.answer().expect("measured");
    assert_eq!((answer.verdict, &*answer.counts()), (Verdict::Pass, &[Counts { late: 1, all: 10 }][..]));
    assert!(answer.bounds_ns.is_some_and(|(lower_ns, upper_ns)| lower_ns <= 1_000_000 && upper_ns < 1_010_000));
    totals.add(&Interval { timeouts: 2, ..slice(1, 0) });
    let answer = totals.answer().expect("measured");
    assert_eq!((answer.verdict, answer.counts()[1]), (Verdict::Fail, Counts { late: 2, all: 12 }));
}

#[test]
fn slices_in_which_the_generator_was_late_or_busy_count_as_fast_for_a_fail_as_for_the_judge() {
    let late = |late_ns| Interval { lateness_p99_ns: Some(late_ns), ..slice(1, 9) };
    let busy = |busy_ns| Interval { busy_ns: Some(busy_ns), ..slice(1, 9) };
    assert_eq!(verdict_of(&[slice(0, 0), slice(1, 9)]), Some(Verdict::Fail));
    assert_eq!(verdict_of(&[slice(0, 0), late(400_000)]), Some(Verdict::Fail), "a twelfth of the limit is in time");
    assert_eq!(verdict_of(&[slice(0, 0), late(600_000)]), Some(Verdict::Limited));
    assert_eq!(verdict_of(&[slice(0, 0), busy(700_000_000)]), Some(Verdict::Fail));
    assert_eq!(verdict_of(&[slice(0, 0), busy(710_000_000)]), Some(Verdict::Limited));
    assert_eq!(
        verdict_of(&[slice(0, 3), late(600_000)]),
        Some(Verdict::Fail),
        "3 of 20, though the late slice is fast"
    );
    assert_eq!(
        verdict_of(&[slice(0, 2), late(600_000)]),
        Some(Verdict::Limited),
        "2 of 20 is the share that may be late"
    );
    let unfinished = Interval { unfinished: 3, ..late(600_000) };
    assert_eq!(verdict_of(&[slice(0, 2), unfinished]), Some(Verdict::Limited), "a late generator leaves some unsent");
    let timed_out = Interval { timeouts: 3, ..late(600_000) };
    assert_eq!(verdict_of(&[slice(0, 2), timed_out]), Some(Verdict::Fail));
}

#[test]
fn a_limit_that_nothing_counts_has_no_totals() {
    let objective = Objective::parse("p90 get < 4ms").expect("read");
    assert!(ObjectiveTotals::new(&objective, &[]).is_none());
}

#[test]
fn the_lateness_that_a_limit_tolerates_is_that_of_the_judge() {
    for (limit_ns, late_ns) in
        [(5_000_000, 500_000), (8_000_000, 500_000), (64_000_000, 5_000_000), (30_000, 2_000), (5, 1)]
    {
        assert_eq!(late_limit_ns(limit_ns), late_ns, "{limit_ns}");
    }
}
