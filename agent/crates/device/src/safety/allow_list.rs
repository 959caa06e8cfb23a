//! The allow-list: devices that the owner of this machine permits to overwrite, as a file with one serial number per line.
//!
//! Only a local file is read, and only if no user but its owner can change it.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use measure::series::WorkloadError;

use super::system::refusal;
use super::usage::Identity;

pub const DEFAULT_PATH: &str = "/etc/tailroom/allowed-devices";

/// Returns an error if the list does not name the device or cannot be trusted.
pub fn check(path: &Path, identity: &Identity, list: &Path) -> Result<(), WorkloadError> {
    let list_path = list.display();
    let how = format!("to allow it, its owner adds a line with its serial number to {list_path}");
    let refused = |why: String| refusal(path, &format!("may not be written to: {why}"));
    let metadata = fs::metadata(list).map_err(|error| {
        refused(format!("the list of allowed devices, {list_path}, cannot be read ({error}); {how}"))
    })?;
    if !is_protected(&metadata) {
        return Err(refused(format!(
            "{list_path} must be a file of root or of this user that nobody else may change (chmod 644)"
        )));
    }
    let text = fs::read_to_string(list).map_err(|error| refused(format!("{list_path} cannot be read ({error})")))?;
    if named(&text).any(|serial| identity.is_named_by(serial)) {
        return Ok(());
    }
    Err(refused(format!("{list_path} does not name it; {how}")))
}

/// Returns whether these are the metadata of a file of root or of this user that only its owner may change.
pub fn is_protected(metadata: &fs::Metadata) -> bool {
    let owners = [0, rustix::process::geteuid().as_raw()];
    metadata.is_file() && owners.contains(&metadata.uid()) && metadata.mode() & 0o022 == 0
}

/// Returns the lines without comments, surrounding blanks and empty lines.
fn named(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).filter(|line| !line.is_empty())
}
