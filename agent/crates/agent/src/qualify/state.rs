//! What a suite remembers of a drive, so that the same command goes on where it was cut off, also by a kill: the file is
//! replaced as a whole after each part.

use std::fs;
use std::path::{Path, PathBuf};

use device::closed_load::ClosedLoad;
use device::qualify::fill::Fill;
use device::qualify::purge::Purge;
use device::qualify::steady_state::{Round, SteadyState};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::suite::Step;

/// What was asked; another question is another suite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub steps: Vec<Step>,
    pub purge: Purge,
    pub fill: Fill,
    pub round_s: u64,
}

/// One measured load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    pub step: Step,
    #[serde(flatten)]
    pub load: MeasuredLoad,
}

/// The load, its run and its figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeasuredLoad {
    pub load: ClosedLoad,
    pub run_id: String,
    pub per_s: f64,
    pub throttled_s: f64,
    /// Each operation with its count and latencies.
    pub operations: Value,
}

/// How far the suite is, and what it has shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub id: String,
    pub settings: Settings,
    /// Smallest block of the drive.
    pub unit_bytes: u32,
    /// Whether it was purged; none: not yet, or not asked.
    pub purged: Option<Purge>,
    /// Writes of the fill that are on the drive, of how many.
    pub filled: Option<(u64, u64)>,
    pub measured: Vec<Measured>,
}

impl State {
    /// Returns the state in a file; none where it does not exist yet.
    ///
    /// # Errors
    /// When the file is something else.
    pub fn read(path: &Path) -> Result<Option<Self>, String> {
        match fs::read(path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map(Some)
                .map_err(|error| format!("{}: is no state of a suite: {error}", path.display())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(format!("{}: cannot be read: {error}", path.display())),
        }
    }

    /// Replaces the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{}: cannot be written: {error}", path.display());
        let text = serde_json::to_vec_pretty(self).map_err(|error| failed(error.into()))?;
        let (folder, new) = (path.parent().unwrap_or(Path::new(".")), PathBuf::from(format!("{}.new", path.display())));
        fs::create_dir_all(folder).map_err(failed)?;
        let durable = || {
            let mut file = fs::File::create(&new)?;
            std::io::Write::write_all(&mut file, &text)?;
            file.sync_all()
        };
        durable().and_then(|()| fs::rename(&new, path)).map_err(failed)
    }

    /// Returns whether the drive is filled.
    pub fn is_filled(&self) -> bool {
        self.filled.is_some_and(|(done, all)| done >= all)
    }

    /// Returns what was measured of a step.
    pub fn of(&self, step: Step) -> Vec<&MeasuredLoad> {
        self.measured.iter().filter(|measured| measured.step == step).map(|measured| &measured.load).collect()
    }

    /// Returns what the rounds say about the rate.
    pub fn steady_state(&self) -> SteadyState {
        let rounds: Vec<Round> = self
            .of(Step::Settle)
            .into_iter()
            .map(|round| Round { per_s: round.per_s, throttled_s: round.throttled_s })
            .collect();
        SteadyState::of(&rounds)
    }

    /// Returns the load that is measured next; none when everything asked is done, or the drive does not settle.
    pub fn next(&self) -> Option<(Step, ClosedLoad)> {
        for step in &self.settings.steps {
            if *step == Step::Settle {
                match self.steady_state() {
                    SteadyState::Unsettled => return step.loads(self.unit_bytes).first().map(|load| (*step, *load)),
                    SteadyState::Steady { .. } => continue,
                    SteadyState::Throttled { .. } | SteadyState::NotSteady { .. } => return None,
                }
            }
            if let Some(load) = step.loads(self.unit_bytes).into_iter().nth(self.of(*step).len()) {
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
            },
            unit_bytes: 512,
            purged: None,
            filled: None,
            measured: Vec::new(),
        }
    }

    /// Measures what is next, at this rate.
    fn measure(state: &mut State, per_s: f64) -> bool {
        let Some((step, load)) = state.next() else { return false };
        let load = MeasuredLoad { load, run_id: "run".into(), per_s, throttled_s: 0.0, operations: json!([]) };
        state.measured.push(Measured { step, load });
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
        // Three rounds that fall, five that are even, four loads of throughput.
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
