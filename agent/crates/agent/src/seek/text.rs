//! The text of a search for people: a row for each probe, and the result.

use workloads::load_search::{Change, EndedBy, SearchResult, Verdict};

use crate::objective::Objective;
use crate::probe::MeasuredProbe;
use crate::summary::{bounds, rate};

pub fn header(objective: &Objective) -> String {
    let quantile = objective.text.split(['<', '≤']).next().unwrap_or_default().trim();
    format!("{:>5}  {:>12}  {:<22}  {:>9}  answer", "probe", "load", quantile, "late")
}

pub fn row(number: usize, measured: &MeasuredProbe) -> String {
    let quantile = match (measured.lower_ns, measured.upper_ns) {
        (Some(lower_ns), Some(upper_ns)) => bounds(lower_ns, upper_ns),
        _ => "among the misses".to_owned(),
    };
    let late = format!("{:.3} %", 100.0 * measured.probe.counts.share());
    let generator = match measured.unreliable_slices {
        0 => String::new(),
        unreliable => format!("  (load generator late or busy in {unreliable} of {} slices)", measured.slices),
    };
    let (load, verdict) = (rate(measured.probe.load), verdict(measured.probe.verdict));
    format!("{number:>5}  {load:>12}  {quantile:<22}  {late:>9}  {verdict}{generator}")
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "PASS",
        Verdict::Fail => "FAIL",
        Verdict::Limited => "limited by the load generator",
    }
}

pub fn result(objective: &Objective, result: &SearchResult) -> Vec<String> {
    let text = &objective.text;
    let mut lines = vec![match (result.passed, result.failed, result.limited) {
        (Some(passed), Some(failed), _) => format!(
            "{text}: holds at {}, fails at {} ({:.1} % apart{})",
            rate(passed),
            rate(failed),
            100.0 * (failed / passed - 1.0),
            if result.is_repeated { ", both measured again" } else { "" },
        ),
        (Some(passed), None, Some(limited)) => format!(
            "{text}: holds at {} at least; {} is more than the load generator makes, which says nothing about the server",
            rate(passed),
            rate(limited)
        ),
        (Some(passed), None, None) => {
            format!("{text}: holds at {} at least, the highest load that was tried", rate(passed))
        }
        (None, Some(failed), _) => format!("{text}: no load holds; {} fails", rate(failed)),
        (None, None, _) => format!("{text}: the load generator limits every load that was tried"),
    }];
    if result.passed.is_some() && result.failed.is_some() {
        let end = |load: Option<f64>| load.map_or_else(|| "open".to_owned(), rate);
        lines.push(format!(
            "  beyond the scatter of its probes: {} to {}{}",
            end(result.surely_passed),
            end(result.surely_failed),
            if result.surely_passed.is_some() && result.surely_failed.is_some() {
                ""
            } else {
                "; longer probes (--probe-s) close an open end"
            }
        ));
    }
    lines.extend(result.changes.iter().filter(|change| change.is_beyond_scatter).map(change_line));
    for load in &result.passes_above_failure {
        lines.push(format!("  {} held as well, above a load that failed", rate(*load)));
    }
    lines.extend(match result.ended_by {
        EndedBy::Probes => Some("  ended because all probes are used up (--probes)".to_owned()),
        EndedBy::Time => Some("  ended because the time is used up (--most-s)".to_owned()),
        EndedBy::Precision | EndedBy::Top | EndedBy::NoPass => None,
    });
    lines
}

fn change_line(change: &Change) -> String {
    let (load, before, after) = (rate(change.load), verdict(change.before), verdict(change.after));
    if change.is_hysteresis() {
        return format!("  hysteresis: {load} was {before}, and {after} after {}", followed(change.after_followed));
    }
    format!(
        "  the server changed: {load} was {before} after {}, later {after} after {}",
        followed(change.before_followed),
        followed(change.after_followed)
    )
}

fn followed(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        None => "nothing",
        Some(Verdict::Pass) => "a pass",
        Some(Verdict::Fail) => "a failure",
        Some(Verdict::Limited) => "more than the load generator makes",
    }
}

#[cfg(test)]
mod tests {
    use workloads::load_search::{Next, Probe, Settings, next};

    use super::*;

    fn lines(text: &[(f64, Verdict)]) -> Vec<String> {
        let counts = |verdict| workloads::load_search::Counts {
            late: if verdict == Verdict::Pass { 1 } else { 900 },
            all: 1_000,
        };
        let probes: Vec<Probe> =
            text.iter().map(|(load, verdict)| Probe::of_slices(*load, *verdict, &[counts(*verdict); 10])).collect();
        let settings = Settings { most_s: 1.0, ..Settings::from_start(100.0, 0.01) };
        let Next::Done(found) = next(&settings, &probes, 2.0) else { panic!("time is over") };
        result(&Objective::parse("p99 get < 5ms").expect("read"), &found)
    }

    #[test]
    fn a_bracket_a_limit_and_a_change_are_said_in_words() {
        let bracket = lines(&[
            (1000.0, Verdict::Pass),
            (1050.0, Verdict::Fail),
            (1000.0, Verdict::Pass),
            (1050.0, Verdict::Fail),
        ]);
        assert_eq!(bracket[0], "p99 get < 5ms: holds at 1000/s, fails at 1050/s (5.0 % apart, both measured again)");
        assert_eq!(bracket[1], "  beyond the scatter of its probes: 1000/s to 1050/s");
        let limited = lines(&[(1000.0, Verdict::Pass), (2000.0, Verdict::Limited)]);
        assert!(limited[0].contains("1000/s at least; 2000/s is more than the load generator makes"), "{limited:?}");
        let changed = lines(&[(1000.0, Verdict::Pass), (2000.0, Verdict::Fail), (1000.0, Verdict::Fail)]);
        assert!(
            changed.iter().any(|line| line.contains("hysteresis: 1000/s was PASS, and FAIL after a failure")),
            "{changed:?}"
        );
        assert!(changed[0].contains("no load holds"), "{changed:?}");
    }
}
