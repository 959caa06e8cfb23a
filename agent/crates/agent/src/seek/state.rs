//! What is remembered of a search until it has ended, so that a killed agent goes on where it was.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use wire::messages::RunId;
use workloads::load_search::Settings;

use crate::cli::SeekArgs;
use crate::failure::Failure;
use crate::probe::MeasuredProbe;
use crate::state_folder::state_folder;

/// A search so far.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct SearchState {
    /// That of its first run.
    pub id: Option<RunId>,
    /// Seconds of measuring.
    pub elapsed_s: f64,
    pub probes: Vec<MeasuredProbe>,
}

#[derive(Serialize, Deserialize)]
struct Content {
    /// Hash of everything that the search depends on.
    search: String,
    #[serde(flatten)]
    state: SearchState,
}

/// The file of a search.
pub struct StateFile {
    path: PathBuf,
    search: String,
}

impl StateFile {
    /// Returns the file of a search: as it was typed, else one for each plan, server, objective and settings.
    ///
    /// # Errors
    /// Without a folder for it.
    pub fn of(args: &SeekArgs, plan: &[u8], address: &str, settings: &Settings) -> Result<Self, Failure> {
        let target = &args.run.target;
        let of = json!({
            "plan": String::from_utf8_lossy(plan), "address": address, "objective": args.objective, "settings": settings,
            "phases": target.phases, "seed": target.seed, "probe_s": args.probe_s, "warm_up_s": args.warm_up_s,
        });
        let digest = Sha256::digest(of.to_string());
        let search = digest[..16].iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        let path = match &args.state {
            Some(path) => path.clone(),
            None => state_folder("seek")
                .ok_or_else(|| Failure::Usage("no folder to remember the probes in: give --state".to_owned()))?
                .join(format!("{search}.json")),
        };
        Ok(Self { path, search })
    }

    /// Returns what an earlier call measured; none where there is nothing, or `restart` is asked for.
    ///
    /// # Errors
    /// Where the file is of another search, or cannot be read.
    pub fn read(&self, restart: bool) -> Result<Option<SearchState>, Failure> {
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
        let content: Content = serde_json::from_str(&text).map_err(|error| {
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

    /// Stores the probes so far, whole or not at all.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn write(&self, state: &SearchState) -> Result<(), Failure> {
        let content =
            json!({"search": self.search, "id": state.id, "elapsed_s": state.elapsed_s, "probes": state.probes});
        let write = || {
            if let Some(folder) = self.path.parent() {
                fs::create_dir_all(folder)?;
            }
            let beside = self.path.with_extension("new");
            let mut file = fs::File::create(&beside)?;
            file.write_all(content.to_string().as_bytes())?;
            file.sync_all()?;
            fs::rename(&beside, &self.path)
        };
        write().map_err(|error| {
            Failure::Workload(format!("the probes cannot be remembered in {}: {error}", self.path.display()))
        })
    }

    /// Removes the file; a file that stays is offered to the next call.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}
