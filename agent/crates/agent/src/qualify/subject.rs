//! The subject of a qualification: a device of this machine, or a simulated drive.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use device::closed_load::{self, ClosedLoad};
use device::engine::simulated::{SharedModel, locked};
use device::qualify::fill::{self, Fill};
use device::qualify::purge::{self, Purge, PurgeConsent};
use device::qualify::simulated_drive::{self, SimulatedDrive};
use device::safety::{Consent, DEFAULT_PATH, identity_of};
use device::{EngineChoice, device_size_bytes};
use measure::series::{StopFlag, Workload, WorkloadError};
use serde_json::{Value, json};
use workloads::error::PlanError;

use crate::cli::QualifyArgs;
use crate::plan::{Measurable, Plan};

const MODEL_NAME: &str = "simulated drive";

pub enum Subject {
    /// A device, whose content is lost.
    Device { path: PathBuf, consent: Consent, purge_consent: PurgeConsent },
    /// A simulated drive, with computed times and counters.
    Model(SharedModel),
}

pub fn model_in_file(path: &Path) -> Result<simulated_drive::Settings, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: cannot be read: {error}", path.display()))?;
    let settings: simulated_drive::Settings =
        toml::from_str(&text).map_err(|error| format!("{}: {}", path.display(), PlanError::toml(&text, &error)))?;
    match settings.problem() {
        Some(problem) => Err(format!("{}: {problem}", path.display())),
        None => Ok(settings),
    }
}

impl Subject {
    /// Returns the subject that the arguments name. A simulated drive continues in its `earlier` state, if there is one.
    pub fn new(
        args: &QualifyArgs,
        settings: Option<simulated_drive::Settings>,
        earlier: Option<SimulatedDrive>,
    ) -> Self {
        match settings {
            Some(settings) => {
                Self::Model(Arc::new(Mutex::new(earlier.unwrap_or_else(|| SimulatedDrive::new(settings)))))
            }
            None => Self::Device {
                path: args.device.clone().unwrap_or_default(),
                consent: Consent {
                    serials: args.confirm_serial.clone(),
                    allow_list: args.allow_list.clone().unwrap_or_else(|| DEFAULT_PATH.into()),
                },
                purge_consent: PurgeConsent {
                    format: args.consent_format.clone(),
                    sanitize: args.consent_sanitize.clone(),
                },
            },
        }
    }

    /// Returns the identity by which the state of the suite is found again.
    pub fn identity(args: &QualifyArgs) -> Result<String, WorkloadError> {
        match &args.device {
            Some(path) => Ok(identity_of(path)?.text()),
            None => Ok(MODEL_NAME.to_owned()),
        }
    }

    pub fn name(&self) -> String {
        self.path().map_or_else(|| MODEL_NAME.to_owned(), |path| path.display().to_string())
    }

    /// Returns the path of a device; `None` for a simulated drive.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Device { path, .. } => Some(path),
            Self::Model(_) => None,
        }
    }

    /// Returns the smallest size of a read, in bytes.
    pub fn unit_bytes(&self) -> Result<u32, WorkloadError> {
        match self {
            Self::Device { path, .. } => closed_load::unit_bytes(path),
            Self::Model(_) => Ok(simulated_drive::PAGE_BYTES),
        }
    }

    pub fn size_bytes(&self) -> Result<u64, WorkloadError> {
        match self {
            Self::Device { path, .. } => device_size_bytes(path),
            Self::Model(model) => Ok(locked(model).size_bytes()),
        }
    }

    pub fn purge(&self, how: Purge, stop: &StopFlag) -> Result<(), WorkloadError> {
        match self {
            Self::Device { path, consent, purge_consent } => purge::purge(path, consent, how, purge_consent, stop),
            Self::Model(model) => {
                locked(model).purge();
                Ok(())
            }
        }
    }

    /// Fills the drive from write number `from` on. `keep` is called with the number of writes done, and of all writes.
    pub fn fill(
        &self,
        order: Fill,
        from: u64,
        keep: &mut dyn FnMut(u64, u64) -> Result<(), WorkloadError>,
        stop: &StopFlag,
    ) -> Result<(), WorkloadError> {
        match self {
            Self::Device { path, consent, .. } => fill::fill(path, consent, order, from, keep, stop),
            Self::Model(model) => {
                let writes = fill::fill_simulated(&mut locked(model), order);
                keep(writes, writes)
            }
        }
    }

    /// Prepares a load; `length` is its duration and its random seed.
    pub fn prepare(
        &self,
        load: ClosedLoad,
        length: (Duration, u64),
        notify: &dyn Fn(&str),
        stop: &StopFlag,
    ) -> Result<Box<dyn Workload>, WorkloadError> {
        match self {
            Self::Device { path, consent, .. } => closed_load::prepare(load, path, consent, length, notify, stop),
            Self::Model(model) => Ok(closed_load::prepare_simulated(load, model, MODEL_NAME, length)),
        }
    }

    pub fn prepare_act(
        &self,
        plan: &Plan,
        notify: &dyn Fn(&str),
        stop: &StopFlag,
    ) -> Result<Box<dyn Workload>, WorkloadError> {
        let Self::Model(model) = self else { return plan.prepare(notify, stop) };
        let act = plan.act_storage.as_ref().ok_or_else(|| WorkloadError("a plan without ACT".into()))?;
        device::prepare_on_model(act, model, Duration::from_secs(plan.duration_s), plan.histogram_every_s)
    }

    /// Returns the consent to overwrite a device; a simulated drive needs none.
    pub fn consent(&self) -> Consent {
        match self {
            Self::Device { consent, .. } => consent.clone(),
            Self::Model(_) => Consent { serials: Vec::new(), allow_list: PathBuf::new() },
        }
    }

    pub fn engine(&self) -> EngineChoice {
        match self {
            Self::Device { .. } => EngineChoice::Auto,
            Self::Model(_) => EngineChoice::Null,
        }
    }

    /// Returns the current state of a simulated drive; `None` for a device.
    pub fn model(&self) -> Option<SimulatedDrive> {
        self.shared_model().map(|model| locked(model).clone())
    }

    /// Returns the settings of a simulated drive; `None` for a device.
    pub fn model_settings(&self) -> Option<simulated_drive::Settings> {
        self.shared_model().map(|model| locked(model).settings)
    }

    /// Returns the counters of a simulated drive, as a drive reports them; `None` for a device.
    pub fn counters_of_model(&self) -> Option<Value> {
        let counters = locked(self.shared_model()?).counters();
        Some(Value::Object(counters.into_iter().map(|(name, value)| (name.to_owned(), json!(value))).collect()))
    }

    /// Returns the exact values behind the rounded counters of a simulated drive; `None` for a device.
    pub fn model_facts(&self) -> Option<Value> {
        let model = locked(self.shared_model()?);
        let page_bytes = u64::from(simulated_drive::PAGE_BYTES);
        let (most_erases, mean_erases) = model.wear();
        Some(json!({
            "settings": model.settings,
            "host_written_bytes": model.host_pages * page_bytes,
            "media_written_bytes": model.media_pages * page_bytes,
            "throttled_s": model.throttled_s,
            "elapsed_s": model.elapsed_s,
            "most_erases": most_erases,
            "mean_erases": mean_erases,
        }))
    }

    fn shared_model(&self) -> Option<&SharedModel> {
        match self {
            Self::Device { .. } => None,
            Self::Model(model) => Some(model),
        }
    }
}
