//! The folders in which the agent stores state for this user, and the progress of a search there.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wire::messages::RunId;
use wire::spool::write_json;

use crate::cli::SpoolArgs;
use crate::failure::Failure;
use crate::inventory::sha256_hex;

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

#[derive(Serialize, Deserialize)]
struct Content<State> {
    /// Hash of everything that the search depends on.
    search: String,
    #[serde(flatten)]
    state: State,
}

/// The stored progress of a search or a ladder, so that a killed agent resumes it.
pub struct StateFile {
    path: PathBuf,
    search: String,
}

impl StateFile {
    /// Returns the file of a search: `file` if there is one, otherwise one in the state folder `folder`, named by `depends_on`.
    pub fn of(file: Option<&Path>, folder: &str, depends_on: &Value) -> Result<Self, Failure> {
        let search = sha256_hex(&depends_on.to_string())[..32].to_owned();
        let path = match file {
            Some(path) => path.to_owned(),
            None => folder_of(None, folder, "to remember the probes in: give --state")?.join(format!("{search}.json")),
        };
        Ok(Self { path, search })
    }

    /// Returns the state that an earlier call stored; `None` if there is none, or with `restart`.
    pub fn read<State: DeserializeOwned>(&self, restart: bool) -> Result<Option<State>, Failure> {
        let refused = |what: String| Failure::Usage(format!("{}: {what}", self.path.display()));
        if restart {
            self.remove();
            return Ok(None);
        }
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(refused(error.to_string())),
        };
        let content: Content<State> = serde_json::from_str(&text).map_err(|error| {
            refused(format!("these are no probes of a search: {error}; begin again with --restart"))
        })?;
        if content.search != self.search {
            return Err(refused(
                "these probes are of another plan, server, objective or setting; give another --state, or begin again with \
                 --restart"
                    .to_owned(),
            ));
        }
        Ok(Some(content.state))
    }

    /// Stores the state atomically.
    pub fn write<State: Serialize>(&self, state: &State) -> Result<(), Failure> {
        let content = Content { search: self.search.clone(), state };
        replace_json(&self.path, &content).map_err(|error| {
            Failure::Workload(format!("the probes cannot be remembered in {}: {error}", self.path.display()))
        })
    }

    /// Removes the file. If that fails, the next call finds the state again.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Removes the result file of the run that an earlier call was measuring when it was killed.
pub fn remove_unfinished(result: &Path, search_id: RunId) {
    let Ok(text) = fs::read_to_string(result) else { return };
    // The file is empty if the agent was killed before it wrote the first line.
    if text.lines().next().is_none_or(|announcement| announcement.contains(&search_id.to_string())) {
        let _ = fs::remove_file(result);
    }
}
