//! Making a drive forget what it holds: by TRIM, or by an `NVMe` format, which needs a consent of its own.

use std::path::Path;

use measure::series::WorkloadError;
use serde::{Deserialize, Serialize};

use crate::drive::device_size_bytes;
use crate::safety::{self, Consent};
use crate::smart;

/// How.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purge {
    /// TRIM of the whole drive.
    Trim,
    /// Erasure of user data by an `NVMe` format, in the format that the drive has.
    Format,
}

/// Purges a drive. `format_serials` are the serial numbers that were repeated as consent to a format: that to measuring is
/// not enough, because a format cannot be stopped and concerns the drive as a whole.
///
/// # Errors
/// A sentence that says what spoke against it. A refusal changes nothing.
pub fn purge(path: &Path, consent: &Consent, purge: Purge, format_serials: &[String]) -> Result<(), WorkloadError> {
    let failed = |what: &str, error: &dyn std::fmt::Display| {
        WorkloadError(format!("{}: cannot be {what}: {error}", path.display()))
    };
    if purge == Purge::Format {
        let identity = safety::identity_of(path)?;
        if !format_serials.iter().any(|serial| identity.is_named_by(serial)) {
            return Err(WorkloadError(format!(
                "{}: is not formatted: a format needs a consent of its own; if it is meant, repeat the serial number of \
                 the drive with --consent-format",
                path.display()
            )));
        }
    }
    let file = safety::open_for_writing(path, consent, true)?;
    match purge {
        Purge::Trim => smart::discard(&file, device_size_bytes(path)?).map_err(|error| failed("trimmed", &error)),
        Purge::Format => smart::nvme_format(&file).map_err(|error| failed("formatted", &error)),
    }
}
