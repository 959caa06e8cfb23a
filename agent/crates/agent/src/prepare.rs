//! `tailroom-agent prepare`: writes zeros, then random data, over whole devices, and records the progress.

use std::fs;
use std::path::{Path, PathBuf};

use device::precondition::{Phase, Progress, prepare as prepare_device};
use device::safety::{Consent, DEFAULT_PATH, identity_of};
use measure::clock::unix_time;
use measure::series::WorkloadError;
use serde::{Deserialize, Serialize};

use crate::cli::PrepareArgs;
use crate::failure::Failure;
use crate::inventory::sha256_hex;
use crate::state_folder::{folder_of, replace_json};
use crate::stop::on_signals;

/// Stored record of a device; its file is named by the hash of the device's identity.
#[derive(Debug, Serialize, Deserialize)]
struct DeviceRecord {
    progress: Progress,
    trimmed: bool,
    updated_at_unix_s: u64,
}

/// Prepares devices, one after another.
pub fn prepare(args: &PrepareArgs) -> Result<(), Failure> {
    let folder = folder(args.state.as_deref())?;
    let (stop, _signals) = on_signals()?;
    let consent = Consent {
        serials: args.confirm_serial.clone(),
        allow_list: args.allow_list.clone().unwrap_or_else(|| DEFAULT_PATH.into()),
    };
    for device in &args.devices {
        let failed = |WorkloadError(sentence)| Failure::Workload(format!("not prepared: {sentence}"));
        let (path, before) = record_of(&folder, device).map_err(failed)?;
        let unfinished = before.filter(|before| !args.restart && before.progress.phase != Phase::Done);
        let trimmed = unfinished.as_ref().map_or(args.trim, |before| before.trimmed);
        if args.trim && !trimmed {
            return Err(Failure::Usage(format!(
                "{}: an earlier call began without --trim; add --restart to start again, or leave out --trim to continue",
                device.display()
            )));
        }
        if let Some(before) = &unfinished {
            println!("{}: goes on: {}", device.display(), description(&before.progress));
        }
        let mut keep = |progress: Progress| {
            // Later runs disclose only recorded progress.
            replace_json(&path, &DeviceRecord { progress, trimmed, updated_at_unix_s: unix_time().as_secs() })
                .map_err(|error| WorkloadError(format!("{}: cannot be written: {error}", path.display())))?;
            println!("{}: {}", device.display(), description(&progress));
            Ok(())
        };
        prepare_device(device, &consent, args.trim, unfinished.map(|before| before.progress), &mut keep, &stop.flag)
            .map_err(failed)?;
    }
    Ok(())
}

/// Returns how the devices were prepared; `None` unless all of them have a record of a finished preparation.
pub fn preconditioning_of(folder_given: Option<&Path>, devices: &[&Path]) -> Option<String> {
    let folder = folder(folder_given).ok()?;
    let mut trimmed = Vec::new();
    for device in devices {
        let record = record_of(&folder, device).ok()?.1?;
        if record.progress.phase != Phase::Done {
            return None;
        }
        trimmed.push(record.trimmed);
    }
    let first = if trimmed.iter().all(|trimmed| *trimmed) { "TRIM, " } else { "" };
    Some(format!("{first}zeros, then random data, each once over the whole device"))
}

fn description(progress: &Progress) -> String {
    let per_cent = progress.position_bytes as f64 / progress.size_bytes.max(1) as f64 * 100.0;
    match progress.phase {
        Phase::Trim => "being trimmed".to_owned(),
        Phase::Zero => format!("zeros on {per_cent:.0} %"),
        Phase::Salt => format!("zeros on all of it, random data on {per_cent:.0} %"),
        Phase::Done => "prepared".to_owned(),
    }
}

fn folder(named: Option<&Path>) -> Result<PathBuf, Failure> {
    folder_of(named, "prepared", "to remember the devices in: give --state")
}

/// Returns the path of a device's record, and the record. One with another size does not count: the device was formatted since.
fn record_of(folder: &Path, device: &Path) -> Result<(PathBuf, Option<DeviceRecord>), WorkloadError> {
    let identity = identity_of(device)?;
    let path = folder.join(format!("{}.json", sha256_hex(&identity.text())));
    let record: Option<DeviceRecord> = fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    Ok((path, record.filter(|record| record.progress.size_bytes == identity.size_bytes)))
}
