//! What a suite has shown, in lines for a person, under the headings of the specification.

use device::qualify::fill::Fill;
use device::qualify::purge::Purge;
use device::qualify::steady_state::{SteadyState, Window};

use super::state::State;
use super::suite::{Step, in_words};

/// Returns the report.
pub fn lines(state: &State) -> Vec<String> {
    let mut lines = vec!["Preparation".to_owned()];
    lines.push(match state.purged {
        Some(Purge::Trim) => "  purged by TRIM".to_owned(),
        Some(Purge::Format) => "  purged by a format that erased user data".to_owned(),
        None => "  not purged".to_owned(),
    });
    lines.push(match (state.is_filled(), state.settings.fill) {
        (false, _) => "  not filled by this suite".to_owned(),
        (true, Fill::OnePass { spare_ratio }) => {
            format!("  filled in one pass of 4 KiB, {:.2} full writes, for a spare of {spare_ratio}", 1.0 + spare_ratio)
        }
        (true, Fill::Sequential) => "  filled sequentially, 2 full writes of 128 KiB".to_owned(),
    });
    if state.settings.steps.contains(&Step::Settle) {
        lines.push("Steady state".to_owned());
        lines.extend((1..).zip(state.of(Step::Settle)).map(|(number, round)| {
            let throttled = match round.throttled_s {
                seconds if seconds > 0.0 => format!(", slowed down by heat for {seconds:.0} s"),
                _ => String::new(),
            };
            format!("  round {number:>2}: {:.0}/s{throttled}", round.per_s)
        }));
        lines.push(format!("  {}", answer(&state.steady_state())));
    }
    for step in [Step::Iops, Step::Throughput, Step::Latency, Step::Outstanding] {
        let measured = state.of(step);
        if measured.is_empty() {
            continue;
        }
        lines.push(step.name().to_owned());
        lines.extend(measured.iter().map(|cell| {
            let mib_per_s = cell.per_s * f64::from(cell.load.block_bytes) / f64::from(1 << 20);
            format!("  {}: {:.0}/s, {mib_per_s:.1} MiB/s", in_words(&cell.load), cell.per_s)
        }));
    }
    lines
}

/// Returns the answer about the steady state in a sentence.
pub fn answer(state: &SteadyState) -> String {
    let figures = |window: &Window| {
        format!(
            "mean {:.0}/s, range {:.1} % of it (at most 20), rise of the line {:.1} % (at most 10)",
            window.mean_per_s,
            window.range_ratio * 100.0,
            window.excursion_ratio * 100.0
        )
    };
    match state {
        SteadyState::Unsettled => "not settled yet".to_owned(),
        SteadyState::Steady { first_round, window } => {
            format!("steady from round {first_round} on: {}", figures(window))
        }
        SteadyState::Throttled { throttled_s } => {
            format!("throttled: in the last five rounds the drive slowed itself down by heat for {throttled_s:.0} s")
        }
        SteadyState::NotSteady { window } => {
            let window = window.as_ref().map(|window| format!(": {}", figures(window))).unwrap_or_default();
            format!("not steady after 25 rounds{window}")
        }
    }
}
