//! The results of a suite as lines for people, under the headings of the specification.

use clap::ValueEnum;
use device::qualify::cache::CacheEnd;
use device::qualify::fill::Fill;
use device::qualify::purge::Purge;
use device::qualify::recovery::helpful_idle;
use device::qualify::steady_state::{SteadyState, Window};

use super::state::State;
use super::suite::{Step, description};

pub fn lines(state: &State) -> Vec<String> {
    let mut lines = vec!["Preparation".to_owned()];
    lines.extend(preparation(state).map(|line| format!("  {line}")));
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
    let tests = <Step as ValueEnum>::value_variants().iter().copied().filter(|step| *step != Step::Settle);
    for step in tests {
        let measured = state.of(step);
        if measured.is_empty() {
            continue;
        }
        lines.push(step.name());
        lines.extend(measured.iter().map(|cell| {
            if let Some(answer) = &cell.answer {
                return format!("  {answer}");
            }
            let mib_per_s = cell.per_s * cell.block_bytes() / f64::from(1 << 20);
            format!("  {}: {:.0}/s, {mib_per_s:.1} MiB/s", description(&cell.load), cell.per_s)
        }));
        lines.extend(finding(state, step));
    }
    lines
}

/// Returns how the drive was purged, and how it was filled.
pub fn preparation(state: &State) -> [String; 2] {
    let purged = match state.purged {
        Some(Purge::Trim) => "purged by TRIM".to_owned(),
        Some(Purge::Format) => "purged by a format that erased user data".to_owned(),
        Some(Purge::Sanitize) => "purged by a sanitize that erased all flash".to_owned(),
        None => "not purged".to_owned(),
    };
    let filled = match (state.is_filled(), state.settings.fill) {
        (false, _) => "not filled by this suite".to_owned(),
        (true, Fill::OnePass { spare_ratio }) => {
            format!("filled in one pass of 4 KiB, {:.2} full writes, for a spare of {spare_ratio}", 1.0 + spare_ratio)
        }
        (true, Fill::Sequential) => "filled sequentially, 2 full writes of 128 KiB".to_owned(),
    };
    [purged, filled]
}

/// Returns the combined result of the loads of a step.
fn finding(state: &State, step: Step) -> Option<String> {
    match step {
        Step::Saturation => Some(match CacheEnd::of(&state.saturation()) {
            Some(end) => format!(
                "  the rate fell for good after {:.3} to {:.3} GB, from {:.1} to {:.1} MB/s",
                end.lower_bytes as f64 / 1e9,
                end.upper_bytes as f64 / 1e9,
                end.before_bytes_per_s / 1e6,
                end.after_bytes_per_s / 1e6
            ),
            None => "  the rate did not fall for good".to_owned(),
        }),
        Step::CrossStimulus => state.recovery().map(|recovery| {
            let back = match recovery.back_from_round {
                Some(round) => format!("back from round {round} on"),
                None => "not back within the rounds".to_owned(),
            };
            let first_pct = 100.0 * recovery.first_ratio;
            format!("  after random writes sequential ones begin with {first_pct:.0} % of their rate; {back}")
        }),
        Step::HostIdle => Some(match helpful_idle(&state.idle_gains()) {
            Some(gain) => {
                format!("  from {} s of idle time on the drive is faster, {:.2} times", gain.idle_s, gain.ratio)
            }
            None => "  idle time makes the drive no faster".to_owned(),
        }),
        _ => None,
    }
}

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
