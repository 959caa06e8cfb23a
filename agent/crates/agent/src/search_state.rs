//! The stored progress of a search or a ladder, so that a killed agent resumes it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wire::messages::RunId;

use crate::failure::Failure;
use crate::inventory::sha256_hex;
use crate::state_folder::{folder_of, replace_json};

#[derive(Serialize, Deserialize)]
struct Content<State> {
    /// Hash of everything that the search depends on.
    search: String,
    #[serde(flatten)]
    state: State,
}

pub struct StateFile {
    path: PathBuf,
    search: String,
}

impl StateFile {
    /// Returns the file of a search: `file` if there is one, otherwise a file in the state folder `folder` whose name depends on
    /// `depends_on`.
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
