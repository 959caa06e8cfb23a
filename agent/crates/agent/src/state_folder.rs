//! The folder for state of this user.

use std::path::{Path, PathBuf};

/// Returns `tailroom/NAME` in the state folder of the user; none without a home.
pub fn state_folder(name: &str) -> Option<PathBuf> {
    let state_home = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let state = state_home.or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".local/state")));
    Some(state?.join("tailroom").join(name))
}
