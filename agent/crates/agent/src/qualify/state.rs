//! The progress of a suite on a drive, stored so that the same command resumes it, even after a kill: the file is replaced
//! atomically after each part.

use std::fs;
use std::path::Path;

use device::qualify::cache::Point;
use device::qualify::fill::Fill;
use device::qualify::purge::Purge;
use device::qualify::recovery::{IdleGain, Recovery};
use device::qualify::simulated_drive::{self, SimulatedDrive};
use device::qualify::steady_state::{Round, SteadyState};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::suite::{CROSS_STIMULUS_ROUNDS, Load, SATURATION_FILLS, SATURATION_S, Scale, Step};
use crate::state_folder::replace_json;

/// Settings of a suite; other settings make another suite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub steps: Vec<Step>,
    pub purge: Purge,
    pub fill: Fill,
    pub round_s: u64,
    /// Load of ACT, as a multiple of its standard load.
    pub act_load: f64,
    /// Settings of the simulated drive that replaces a device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated_drive: Option<simulated_drive::Settings>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredLoad {
    pub step: Step,
    pub load: Load,
    pub run_id: String,
    pub per_s: f64,
    pub throttled_s: f64,
    /// Answer to the question of the load, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Each operation with its count and latencies.
    pub operations: Value,
}

impl MeasuredLoad {
    /// Returns the size of the operations in bytes; 0 if sizes differ.
    pub fn block_bytes(&self) -> f64 {
        self.load.closed().map_or(0.0, |load| f64::from(load.block_bytes))
    }

    fn idle_before_s(&self) -> u64 {
        self.load.closed().map_or(0, |load| load.idle_before_s)
    }
}

/// Progress and results of a suite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub id: String,
    pub settings: Settings,
    /// Smallest block of the drive, in bytes.
    pub unit_bytes: u32,
    pub size_bytes: u64,
    /// How the drive was purged; `None` if not yet, or if that is no step of the suite.
    pub purged: Option<Purge>,
    /// Writes of the fill that are on the drive, and all writes of the fill.
    pub filled: Option<(u64, u64)>,
    pub measured: Vec<MeasuredLoad>,
    /// State of the simulated drive after the last part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<SimulatedDrive>,
}

impl State {
    /// Reads the state file; returns `None` if it does not exist.
    pub fn read(path: &Path) -> Result<Option<Self>, String> {
        match fs::read(path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map(Some)
                .map_err(|error| format!("{}: is no state of a suite: {error}", path.display())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("{}: cannot be read: {error}", path.display())),
        }
    }

    /// Replaces the state file atomically.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        replace_json(path, self).map_err(|error| format!("{}: cannot be written: {error}", path.display()))
    }

    /// Returns the sizes and times that determine the loads.
    pub fn scale(&self) -> Scale {
        let Settings { round_s, act_load, .. } = self.settings;
        Scale { unit_bytes: self.unit_bytes, round_s, act_load }
    }

    pub fn is_filled(&self) -> bool {
        self.filled.is_some_and(|(done, all)| done >= all)
    }

    pub fn of(&self, step: Step) -> Vec<&MeasuredLoad> {
        self.measured.iter().filter(|measured| measured.step == step).collect()
    }

    /// Returns the steady state by the rounds measured so far.
    pub fn steady_state(&self) -> SteadyState {
        let rounds: Vec<Round> = self
            .of(Step::Settle)
            .into_iter()
            .map(|round| Round { per_s: round.per_s, throttled_s: round.throttled_s })
            .collect();
        SteadyState::of(&rounds)
    }

    /// Returns the rate of each round of write saturation, with the total of bytes written at its end.
    pub fn saturation(&self) -> Vec<Point> {
        let mut bytes = 0.0;
        let point = |round: &MeasuredLoad| {
            let bytes_per_s = round.per_s * round.block_bytes();
            bytes += bytes_per_s * self.settings.round_s as f64;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rates are not below 0")]
            let bytes = bytes as u64;
            Point { bytes, bytes_per_s }
        };
        self.of(Step::Saturation).into_iter().map(point).collect()
    }

    fn is_saturated(&self) -> bool {
        let rounds = self.saturation();
        rounds.len() as u64 * self.settings.round_s >= SATURATION_S
            || rounds.last().is_some_and(|last| last.bytes >= SATURATION_FILLS * self.size_bytes)
    }

    /// Returns how sequential writes recover after random ones; `None` until all rounds are measured.
    pub fn recovery(&self) -> Option<Recovery> {
        let rates: Vec<f64> = self.of(Step::CrossStimulus).iter().map(|round| round.per_s).collect();
        let after = rates.get(2 * CROSS_STIMULUS_ROUNDS..3 * CROSS_STIMULUS_ROUNDS)?;
        Recovery::of(&rates[..CROSS_STIMULUS_ROUNDS], after)
    }

    /// Returns the gains by idle time, each relative to the round before it.
    pub fn idle_gains(&self) -> Vec<IdleGain> {
        let loads = self.of(Step::HostIdle);
        let gain = |pair: &[&MeasuredLoad]| match pair {
            [without, after] if after.idle_before_s() > 0 && without.per_s > 0.0 => {
                Some(IdleGain { idle_s: after.idle_before_s(), ratio: after.per_s / without.per_s })
            }
            _ => None,
        };
        loads.chunks(2).filter_map(gain).collect()
    }

    /// Returns the next load to measure; `None` if all steps are done, or if the drive does not settle.
    pub fn next(&self) -> Option<(Step, Load)> {
        for step in &self.settings.steps {
            let loads = step.loads(self.scale());
            if step.is_in_rounds() {
                let is_over = match (step, self.steady_state()) {
                    (Step::Saturation, _) => self.is_saturated(),
                    (_, SteadyState::Unsettled) => false,
                    (_, SteadyState::Steady { .. }) => true,
                    (_, SteadyState::Throttled { .. } | SteadyState::NotSteady { .. }) => return None,
                };
                match loads.first().filter(|_| !is_over) {
                    Some(load) => return Some((*step, *load)),
                    None => continue,
                }
            }
            if let Some(load) = loads.into_iter().nth(self.of(*step).len()) {
                return Some((*step, load));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn state() -> State {
        State {
            id: "019b76da-a800-7000-8000-000000000000".into(),
            settings: Settings {
                steps: vec![Step::Settle, Step::Throughput],
                purge: Purge::Trim,
                fill: Fill::OnePass { spare_ratio: 0.15 },
                round_s: 60,
                act_load: 1.0,
                simulated_drive: None,
            },
            unit_bytes: 512,
            size_bytes: 64 << 20,
            purged: None,
            filled: None,
            measured: Vec::new(),
            model: None,
        }
    }

    /// Measures the next load at this rate; returns `false` if there is none.
    fn measure(state: &mut State, per_s: f64) -> bool {
        let Some((step, load)) = state.next() else { return false };
        let (run_id, operations) = ("run".into(), json!([]));
        state.measured.push(MeasuredLoad { step, load, run_id, per_s, throttled_s: 0.0, answer: None, operations });
        true
    }

    #[test]
    fn a_suite_that_is_cut_off_after_any_part_ends_as_one_that_is_not() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let path = folder.path().join("deeper/state.json");
        let rate = |number: usize| if number < 3 { 1_000.0 / (number + 1) as f64 } else { 200.0 };
        let mut whole = state();
        let mut parts = 0;
        while measure(&mut whole, rate(parts)) {
            parts += 1;
        }
        // Three rounds of falling rate, five of even rate, four loads of throughput.
        assert_eq!(parts, 12);
        assert!(matches!(whole.steady_state(), SteadyState::Steady { first_round: 4, .. }));
        for cut in 0..=parts {
            let mut state = state();
            (0..cut).for_each(|number| assert!(measure(&mut state, rate(number))));
            state.write(&path).expect("written");
            let mut again = State::read(&path).expect("readable").expect("there");
            assert_eq!(again, state);
            for number in cut..parts {
                assert!(measure(&mut again, rate(number)));
            }
            assert!(!measure(&mut again, 1.0));
            assert_eq!(again, whole, "cut off after {cut}");
        }
    }

    #[test]
    fn write_saturation_ends_with_the_bytes_or_the_hours() {
        let rounds = |per_s: f64, round_s: u64| {
            let mut state = state();
            (state.settings.steps, state.settings.round_s) = (vec![Step::Saturation], round_s);
            while measure(&mut state, per_s) {}
            state.of(Step::Saturation).len()
        };
        // Four times 64 MiB in 4 KiB are 65,536 writes.
        assert_eq!(rounds(1_000.0, 10), 7);
        assert_eq!(rounds(0.0, 3_600), 6);
    }

    #[test]
    fn recovery_and_idle_time_are_judged_by_their_rounds() {
        let mut state = state();
        (state.settings.steps, state.settings.round_s) = (vec![Step::CrossStimulus, Step::HostIdle], 60);
        let rates = [100.0; 5].into_iter().chain([10.0; 5]).chain([50.0, 80.0, 95.0, 96.0, 97.0]);
        for per_s in rates {
            assert_eq!(state.recovery(), None);
            assert!(measure(&mut state, per_s));
        }
        let recovery = state.recovery().expect("measured");
        assert_eq!((recovery.first_ratio, recovery.back_from_round), (0.5, Some(3)));
        for per_s in [100.0, 100.0, 100.0, 130.0, 100.0] {
            assert!(measure(&mut state, per_s));
        }
        assert_eq!(state.idle_gains(), [IdleGain { idle_s: 5, ratio: 1.0 }, IdleGain { idle_s: 10, ratio: 1.3 }]);
    }

    #[test]
    fn a_drive_that_does_not_settle_is_not_tested_further() {
        let mut state = state();
        let mut rounds = 0;
        while measure(&mut state, if rounds % 2 == 0 { 100.0 } else { 900.0 }) {
            rounds += 1;
        }
        assert_eq!(rounds, 25);
        assert!(matches!(state.steady_state(), SteadyState::NotSteady { .. }));
        assert!(state.of(Step::Throughput).is_empty());
    }
}
