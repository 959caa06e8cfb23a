//! Erasure of a drive: by TRIM, or by an `NVMe` format or sanitize, which each need a consent of their own.

use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use measure::series::{StopFlag, WorkloadError};
use serde::{Deserialize, Serialize};

use super::sanitize;
use crate::drive::device_size_bytes;
use crate::safety::{self, Consent};
use crate::{nvme, smart};

/// Method of erasing a drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purge {
    Trim,
    /// Erasure of user data by an `NVMe` format, in the format that the drive has.
    Format,
    /// Erasure of all flash including spare flash, by an `NVMe` sanitize.
    Sanitize,
}

/// Serial numbers as consent to erasures of the whole drive that cannot be interrupted. Consent to a measurement is not enough.
#[derive(Debug, Clone, Default)]
pub struct PurgeConsent {
    /// Drives that may be formatted.
    pub format: Vec<String>,
    /// Drives that may be sanitized.
    pub sanitize: Vec<String>,
}

/// Erases the drive `path`. Fails, and changes nothing, if a consent is missing or the device may not be written to.
pub fn purge(
    path: &Path,
    consent: &Consent,
    purge: Purge,
    purge_consent: &PurgeConsent,
    stop: &StopFlag,
) -> Result<(), WorkloadError> {
    let failed =
        |what: &str, error: &io::Error| WorkloadError(format!("{}: cannot be {what}: {error}", path.display()));
    match purge {
        Purge::Trim => {}
        Purge::Format => check_consent(path, &purge_consent.format, ("formatted", "format"))?,
        Purge::Sanitize => check_consent(path, &purge_consent.sanitize, ("sanitized", "sanitize"))?,
    }
    let file = safety::open_for_writing(path, consent, true)?;
    match purge {
        Purge::Trim => smart::discard(&file, device_size_bytes(path)?).map_err(|error| failed("trimmed", &error)),
        Purge::Format => check_whole(&file)
            .and_then(|()| sanitize::check_format(&file))
            .and_then(|()| nvme::format(&file))
            .map_err(|error| failed("formatted", &error)),
        Purge::Sanitize => check_whole(&file)
            .and_then(|()| sanitize::sanitize(&file, stop))
            .map_err(|error| failed("sanitized", &error)),
    }
}

fn check_consent(path: &Path, serials: &[String], (done, purge): (&str, &str)) -> Result<(), WorkloadError> {
    let identity = safety::identity_of(path)?;
    if serials.iter().any(|serial| identity.is_named_by(serial)) {
        return Ok(());
    }
    Err(WorkloadError(format!(
        "{}: is not {done}: a {purge} needs a consent of its own; if it is meant, repeat the serial number of the drive with \
         --consent-{purge}",
        path.display()
    )))
}

/// Returns an error for a partition, because the command would affect the whole drive.
fn check_whole(file: &File) -> io::Result<()> {
    let device = file.metadata()?.rdev();
    let numbers = format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device));
    if Path::new("/sys/dev/block").join(numbers).join("partition").exists() {
        return Err(io::Error::other("it is a partition, and the whole drive would be erased"));
    }
    Ok(())
}
