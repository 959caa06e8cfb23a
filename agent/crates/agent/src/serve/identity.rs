//! The identity of this agent at a backend, as enrolment returned it, stored in a folder that only its owner can read.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::state_folder::folder_of;

/// The identity of an agent, without its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    pub backend: String,
    /// File with the trusted certificate authorities; `None` for those of the system.
    pub ca_file: Option<PathBuf>,
    /// Whether tokens may cross the network unencrypted.
    pub allow_plain_http: bool,
    pub agent_id: String,
    pub name: String,
    /// Public key that verifies commands: Ed25519 in base64.
    pub public_key: String,
    pub last_command: u64,
}

#[derive(Debug, Clone)]
pub struct Folder(PathBuf);

impl Folder {
    /// Returns the folder `named`, otherwise the default in the user's state folder.
    pub fn of(named: Option<&Path>) -> Result<Self, Failure> {
        folder_of(named, "agent", "for what enrolling gives: give --state").map(Self)
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Returns the path of the agent's key.
    pub fn credential_file(&self) -> PathBuf {
        self.join("key.json")
    }

    /// Stores identity and key after enrolment.
    pub fn enrolled(&self, identity: &Identity, key: &str) -> Result<(), Failure> {
        self.write("key.json", key)?;
        self.keep(identity)
    }

    /// Creates the folder, accessible to its owner only.
    pub fn make(&self) -> Result<(), Failure> {
        fs::create_dir_all(&self.0)
            .and_then(|()| fs::set_permissions(&self.0, fs::Permissions::from_mode(0o700)))
            .map_err(|error| Failure::Usage(format!("--state {}: {error}", self.0.display())))
    }

    /// Locks the folder until the file is closed: a second `serve` of this agent would carry every command out once more.
    pub fn lock(&self) -> Result<fs::File, Failure> {
        let path = self.join("lock");
        let file = fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
        flock(&file, FlockOperation::NonBlockingLockExclusive).map_err(|_| {
            Failure::Usage(format!(
                "this agent serves already: another process uses {}; a second agent on this machine needs another --state",
                self.0.display()
            ))
        })?;
        Ok(file)
    }

    pub fn is_enrolled(&self) -> bool {
        self.join("agent.json").exists()
    }

    pub fn identity(&self) -> Result<Identity, Failure> {
        let path = self.join("agent.json");
        let text = fs::read_to_string(&path).map_err(|error| {
            Failure::Usage(format!(
                "cannot read {} ({error}); enrol first: `tailroom-agent enrol --backend URL --code CODE`",
                path.display()
            ))
        })?;
        serde_json::from_str(&text).map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))
    }

    /// Stores the identity atomically.
    pub fn keep(&self, identity: &Identity) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(identity)
            .map_err(|error| Failure::Workload(format!("the identity has no JSON form: {error}")))?;
        self.write("agent.json", &text)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let (path, new) = (self.join(name), self.join(&format!("{name}.new")));
        let write = || {
            let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&new, &path)
        };
        write().map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_serves_once() {
        let state = tempfile::TempDir::new().expect("a folder");
        let folder = Folder::of(Some(state.path())).expect("a folder");
        let lock = folder.lock().expect("free");
        assert!(folder.lock().expect_err("in use").to_string().contains("serves already"));
        drop(lock);
        folder.lock().expect("free again");
    }
}
