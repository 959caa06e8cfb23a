//! The folders in which the agent stores state for this user.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use wire::spool::write_json;

use crate::cli::SpoolArgs;
use crate::failure::Failure;

/// Returns `tailroom/NAME` in the state folder of the user; `None` if the user has no home folder.
fn state_folder(name: &str) -> Option<PathBuf> {
    let state_home = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let state = state_home.or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".local/state")));
    Some(state?.join("tailroom").join(name))
}

/// Replaces a JSON file atomically, also on disk, and creates its folder.
pub fn replace_json<T: Serialize>(path: &Path, value: &T) -> Result<(), String> {
    fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(|error| error.to_string())?;
    write_json(path, value).map_err(|error| error.to_string())
}

/// Returns the folder of the spool: as given, otherwise in the user's state folder.
pub fn spool_folder(args: &SpoolArgs) -> Result<PathBuf, Failure> {
    folder_of(args.spool.as_deref(), "spool", "for the spool: give --spool")
}

/// Returns `folder`, otherwise `name` in the user's state folder; `purpose` explains a failure.
pub fn folder_of(folder: Option<&Path>, name: &str, purpose: &str) -> Result<PathBuf, Failure> {
    let folder = folder.map(Path::to_owned).or_else(|| state_folder(name));
    folder.ok_or_else(|| Failure::Usage(format!("no folder {purpose}")))
}
