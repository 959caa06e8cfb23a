//! Tests of the summary of a run.

use measure::histogram::{Encoder, layout};

use super::*;

fn series(series_no: u16, clock: Clock, kind: SeriesKind, device: Option<&str>) -> SeriesDefinition {
    SeriesDefinition {
        series_no,
        operation: "read".into(),
        clock,
        kind,
        phase: "steady".into(),
        host: "here".into(),
        device: device.map(str::to_owned),
        layout: (kind == SeriesKind::Histogram).then(layout),
        pin_thresholds_ns: vec![],
        target_rate_per_s: (clock == Clock::Response).then_some(100.0),
    }
}

fn interval(series_no: u16, latencies_ns: impl IntoIterator<Item = u64>) -> Interval {
    let mut histogram = LatencyHistogram::new();
    let mut max_ns = None;
    for latency_ns in latencies_ns {
        histogram.record(latency_ns);
        max_ns = max_ns.max(Some(latency_ns));
    }
    let histogram = Some(Encoder::default().encode(&histogram));
    Interval { series_no, max_ns, histogram, ..Interval::default() }
}

fn finish(duration_ns: u64) -> Finish {
    Finish {
        outcome: RunOutcome::Completed,
        reason: None,
        duration_ns,
        last_seq: BTreeMap::new(),
        drive_counters: None,
        search_ended: None,
    }
}

#[test]
fn an_answer_has_rates_bounds_misses_and_the_state_of_the_generator() {
    let definitions = [
        series(0, Clock::Response, SeriesKind::Tick, None),
        series(1, Clock::Response, SeriesKind::Histogram, None),
        series(3, Clock::Service, SeriesKind::Histogram, None),
        series(5, Clock::Response, SeriesKind::Histogram, Some("/dev/a")),
    ];
    let mut totals = Totals::new(&definitions, None);
    // 1 µs to 995 µs in two intervals, and five misses.
    totals.add(&[interval(1, (1..=500).map(|us| us * 1_000)), interval(5, [9_000_000_000])]);
    totals.add(&[
        Interval { errors: 2, timeouts: 2, unfinished: 1, ..interval(1, (501..=995).map(|us| us * 1_000)) },
        interval(3, [77_500]),
    ]);
    let slice = |start_s: f64, doubts: &[&str]| Slice {
        operation: "read".into(),
        start_s,
        rate_ratio: None,
        lateness_p99_ns: None,
        busy_ratio: None,
        doubts: doubts.iter().map(|doubt| (*doubt).to_owned()).collect(),
    };
    totals.add_slice(slice(0.0, &[]));
    totals.add_slice(slice(10.0, &["load generator late: p99 9 µs"]));
    let run_id = RunId::new();
    let summary = totals.summary((run_id, "a test"), &finish(10_000_000_000));
    let of_response = &summary.operations[0].latencies[0].quantiles;
    assert_eq!((of_response[0].lower_ns, of_response[0].upper_ns), (Some(500_000), Some(500_999)));
    // 990 of 1,000; the 999th is a miss.
    assert_eq!((of_response[1].lower_ns, of_response[1].upper_ns), (Some(990_000), Some(990_999)));
    assert_eq!((of_response[2].lower_ns, of_response[2].upper_ns), (None, None));
    assert_eq!(
        summary.lines(),
        [
            "a test: completed after 10.0 s",
            "  read: asked 100/s, reached 99.5/s (995 done, 2 errors, 2 time-outs, 1 unfinished)",
            "    response  p50 500 to 510 µs  p99 990 to 1000 µs  p99.9 among the misses  max 995 µs",
            "    service   p50 77 to 78 µs  p99 77 to 78 µs  p99.9 77 to 78 µs  max 78 µs",
            "  load generator: unreliable in 1 of 2 slices: load generator late: p99 9 µs",
        ]
    );
}

#[test]
fn a_part_without_a_rate_of_its_own_is_no_closed_loop() {
    let part =
        SeriesDefinition { operation: "get-miss".into(), ..series(7, Clock::Service, SeriesKind::Histogram, None) };
    let lines = |definitions: &[SeriesDefinition]| {
        let mut totals = Totals::new(definitions, None);
        totals.add(&[interval(7, [77_500])]);
        totals.summary((RunId::new(), "a test"), &finish(10_000_000_000)).lines().join("\n")
    };
    assert!(lines(std::slice::from_ref(&part)).contains("get-miss: closed loop, reached"));
    let beside = lines(&[series(1, Clock::Response, SeriesKind::Histogram, None), part]);
    assert!(beside.contains("  get-miss: reached 0.1/s"), "{beside}");
}

#[test]
fn bounds_are_rounded_outward_to_two_figures() {
    for (lower_ns, upper_ns, text) in [
        (211_000, 211_999, "210 to 220 µs"),
        (1_250_000, 1_250_999, "1.2 to 1.3 ms"),
        (9_990_000, 10_000_000, "9.9 to 10 ms"),
        (0, 999, "0 to 1 µs"),
        (3_000, 3_999, "3 to 4 µs"),
        (1_000_000_000, 1_000_999_000, "1 to 1.1 s"),
    ] {
        assert_eq!(bounds(lower_ns, upper_ns), text);
    }
}
