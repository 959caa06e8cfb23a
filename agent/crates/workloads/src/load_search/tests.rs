use super::*;

fn probe(load: f64, verdict: Verdict) -> Probe {
    let late = if verdict == Verdict::Pass { 50 } else { 5_000 };
    Probe::of_slices(load, verdict, &[Counts { late, all: 10_000 }; 10])
}

/// Runs a search on a server whose answer depends on the load and the probes so far.
fn search(settings: &Settings, answer: impl Fn(f64, &[Probe]) -> Verdict) -> (Vec<Probe>, SearchResult) {
    let mut probes = Vec::new();
    loop {
        match next(settings, &probes, 0.0) {
            Next::Measure(load) => probes.push(probe(load, answer(load, &probes))),
            Next::Done(result) => return (probes, result),
        }
        assert!(probes.len() < 60, "{probes:?}");
    }
}

fn settings() -> Settings {
    Settings::from_start(1_000.0, 0.01)
}

fn knee_at(knee: f64) -> impl Fn(f64, &[Probe]) -> Verdict {
    move |load, _| if load <= knee { Verdict::Pass } else { Verdict::Fail }
}

#[test]
fn a_knee_is_bracketed_to_5_per_cent_and_both_ends_are_measured_in_the_other_order() {
    let (probes, result) = search(&settings(), knee_at(5_300.0));
    let loads: Vec<f64> = probes.iter().map(|probe| probe.load).collect();
    assert_eq!(loads, [1000.0, 2000.0, 4000.0, 8000.0, 5657.0, 4757.0, 5188.0, 5417.0, 5188.0, 5417.0]);
    assert_eq!((result.passed, result.failed), (Some(5_188.0), Some(5_417.0)));
    assert_eq!((result.surely_passed, result.surely_failed), (Some(5_188.0), Some(5_417.0)));
    assert_eq!((result.ended_by, result.is_repeated), (EndedBy::Precision, true));
    assert!(result.changes.is_empty() && result.passes_above_failure.is_empty());
}

#[test]
fn a_start_above_the_knee_is_halved() {
    let (_, result) = search(&Settings { start: 100_000.0, ..settings() }, knee_at(5_300.0));
    let (passed, failed) = (result.passed.expect("a load"), result.failed.expect("a load"));
    assert!(passed <= 5_300.0 && 5_300.0 < failed && failed <= 1.05 * passed, "{result:?}");
    let (_, result) = search(&settings(), |_, _| Verdict::Fail);
    assert_eq!((result.ended_by, result.passed), (EndedBy::NoPass, None));
}

#[test]
fn a_generator_that_cannot_make_the_load_never_fails_the_server() {
    let answer = |load: f64, _: &[Probe]| if load > 6_000.0 { Verdict::Limited } else { Verdict::Pass };
    let (_, result) = search(&settings(), answer);
    assert_eq!((result.failed, result.surely_failed), (None, None));
    let (passed, limited) = (result.passed.expect("a load"), result.limited.expect("a limit"));
    assert!(passed <= 6_000.0 && 6_000.0 < limited && limited <= 1.05 * passed, "{result:?}");
}

#[test]
fn the_highest_load_that_may_be_tried_is_the_last() {
    let settings = Settings { top: Some(3_000.0), ..settings() };
    let (probes, result) = search(&settings, knee_at(1e9));
    assert_eq!((probes.len(), result.ended_by), (3, EndedBy::Top));
    assert_eq!((result.passed, result.failed), (Some(3_000.0), None));
}

#[test]
fn a_load_that_holds_after_a_pass_alone_is_named_with_both_words() {
    // After an overload, the server only recovers at a lower load.
    let answer = |load: f64, probes: &[Probe]| {
        let knee = if probes.last().is_some_and(|probe| probe.verdict == Verdict::Fail) { 4_300.0 } else { 5_300.0 };
        if load <= knee { Verdict::Pass } else { Verdict::Fail }
    };
    let (_, result) = search(&settings(), answer);
    assert!(result.changes.iter().any(Change::is_hysteresis), "{result:?}");
    assert!(!result.is_repeated || result.passed.is_some_and(|passed| passed <= 4_300.0), "{result:?}");
}

#[test]
fn a_server_that_slows_down_is_measured_again_below() {
    // The credits are used up with the ninth probe, so earlier results above 2,500 are no longer valid.
    let answer = |load: f64, probes: &[Probe]| {
        let knee = if probes.len() < 8 { 5_300.0 } else { 2_500.0 };
        if load <= knee { Verdict::Pass } else { Verdict::Fail }
    };
    let (_, result) = search(&settings(), answer);
    assert!(result.surely_passed.is_none_or(|load| load <= 2_500.0), "{result:?}");
    assert!(result.changes.iter().any(|change| change.before == Verdict::Pass && change.after == Verdict::Fail));
}

#[test]
fn a_pass_above_a_failure_is_named_and_the_bracket_is_the_lowest() {
    let words = [(1_000.0, Verdict::Pass), (8_000.0, Verdict::Pass), (4_000.0, Verdict::Fail)];
    let probes: Vec<Probe> = words.map(|(load, verdict)| probe(load, verdict)).to_vec();
    let Next::Done(result) = next(&settings(), &probes, 1e9) else { panic!("time is over") };
    assert_eq!((result.passed, result.failed, result.ended_by), (Some(1_000.0), Some(4_000.0), EndedBy::Time));
    assert_eq!(result.passes_above_failure, [8_000.0]);
}

#[test]
fn late_operations_that_come_together_scatter_more() {
    let probe = |late: &[u64]| {
        let slices: Vec<Counts> = late.iter().map(|&late| Counts { late, all: 1_000 }).collect();
        Probe::of_slices(1.0, Verdict::Pass, &slices)
    };
    let evenly = probe(&[5; 10]);
    assert_eq!((evenly.counts, evenly.dispersion), (Counts { late: 50, all: 10_000 }, 1.0));
    // 50 late in one slice: the squared distances from 5 add up to 2,250; times 10 / 9, over 50 times 0.995.
    let together = probe(&[50, 0, 0, 0, 0, 0, 0, 0, 0, 0]).dispersion;
    assert!((together - 50.25).abs() < 0.01, "{together}");
    assert!((probe(&[0; 10]).dispersion - 1.0).abs() < f64::EPSILON);
}

#[test]
fn words_that_differ_by_chance_count_together() {
    let near = |late| {
        Probe::of_slices(
            1_000.0,
            if late <= 100 { Verdict::Pass } else { Verdict::Fail },
            &[Counts { late, all: 1_000 * 10 }],
        )
    };
    let probes = [near(90), near(104)];
    let analysis = Analysis::new(0.01, &probes).result(EndedBy::Time);
    assert_eq!((analysis.passed, analysis.surely_passed, analysis.failed), (Some(1_000.0), None, None));
    assert!(!analysis.changes[0].is_beyond_scatter);
}

#[test]
fn a_limit_that_the_generator_overcomes_uses_up_no_probes() {
    let answer = |load: f64, probes: &[Probe]| match probes.len() {
        1 => Verdict::Limited,
        _ if load <= 9_500.0 => Verdict::Pass,
        _ => Verdict::Fail,
    };
    let (_, result) = search(&settings(), answer);
    assert_eq!(result.ended_by, EndedBy::Precision, "{result:?}");
    assert!(result.passed.is_some_and(|passed| passed > 9_000.0), "{result:?}");
}

#[test]
fn a_ladder_rises_in_steps_that_do_not_drift_and_ends_at_the_first_failure() {
    let (probes, result) = search(&Settings::ladder(0.05, 0.05, 2.0), knee_at(5.0));
    assert_eq!((probes.len(), probes[36].load.to_string().as_str(), result.ended_by), (40, "1.85", EndedBy::Top));
    assert_eq!((result.passed, result.failed), (Some(2.0), None));
    let (probes, result) = search(&Settings::ladder(1.0, 2.0, 60.0), knee_at(6.0));
    let loads: Vec<f64> = probes.iter().map(|probe| probe.load).collect();
    assert_eq!((&loads[..], result.ended_by), (&[1.0, 3.0, 5.0, 7.0][..], EndedBy::Precision));
    assert_eq!((result.passed, result.failed), (Some(5.0), Some(7.0)));
    // The last step ends at the highest allowed load.
    let (probes, _) = search(&Settings::ladder(1.0, 2.0, 4.0), knee_at(6.0));
    assert_eq!(probes.last().map(|probe| probe.load), Some(4.0));
    let (probes, result) = search(&Settings::ladder(1.0, 1.0, 60.0), knee_at(0.5));
    assert_eq!((probes.len(), result.ended_by, result.failed), (1, EndedBy::NoPass, Some(1.0)));
    let doubtful = |_: f64, _: &[Probe]| Verdict::Limited;
    let (_, result) = search(&Settings::ladder(1.0, 1.0, 60.0), doubtful);
    assert_eq!((result.passed, result.failed, result.limited), (None, None, Some(1.0)));
}
