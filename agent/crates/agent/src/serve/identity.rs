//! The identity of this agent at a backend, as enrolling returned it, stored in a folder of its owner.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::agent_key::AgentKey;
use crate::failure::Failure;
use crate::state_folder::state_folder;

/// What is kept besides the key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Address of the backend.
    pub backend: String,
    /// Trusted certificates, where they are not the well-known ones.
    pub ca_file: Option<PathBuf>,
    /// Tokens may cross the network unencrypted.
    pub allow_plain_http: bool,
    /// As the backend knows it.
    pub agent_id: String,
    /// As pages call it.
    pub name: String,
    /// With which commands are signed: Ed25519, base64.
    pub public_key: String,
    /// The number of the last command that was followed.
    pub last_command: u64,
}

/// The folder.
#[derive(Debug, Clone)]
pub struct Folder(PathBuf);

impl Folder {
    /// Returns the named folder, else that in the user's state folder.
    ///
    /// # Errors
    /// When neither is known.
    pub fn of(named: Option<&Path>) -> Result<Self, Failure> {
        named
            .map(Path::to_owned)
            .or_else(|| state_folder("agent"))
            .map(Self)
            .ok_or_else(|| Failure::Usage("no folder for what enrolling gives: give --state".to_owned()))
    }

    /// Returns the path of a file in it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Returns the file that lets this agent in: its key, or the token of an agent that enrolled before there were keys.
    pub fn credential_file(&self) -> PathBuf {
        let key = self.join("key.json");
        if key.exists() { key } else { self.join("token") }
    }

    /// Keeps what enrolling gave, and the key that was made for it.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn enrolled(&self, identity: &Identity, key: &AgentKey) -> Result<(), Failure> {
        self.make()?;
        self.write("key.json", &key.text()?)?;
        let _ = fs::remove_file(self.join("token"));
        self.keep(identity)
    }

    /// Makes the folder, for its owner alone.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn make(&self) -> Result<(), Failure> {
        fs::create_dir_all(&self.0)
            .and_then(|()| fs::set_permissions(&self.0, fs::Permissions::from_mode(0o700)))
            .map_err(|error| Failure::Usage(format!("--state {}: {error}", self.0.display())))
    }

    /// Returns whether an agent enrolled here before.
    pub fn is_enrolled(&self) -> bool {
        self.join("agent.json").exists()
    }

    /// Reads it.
    ///
    /// # Errors
    /// When there is none.
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

    /// Keeps it, all of it or what was there before.
    ///
    /// # Errors
    /// When the folder cannot be written.
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
