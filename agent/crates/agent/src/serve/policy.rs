//! The policy of this machine's owner on what a backend may start. The file is read from this machine's disk only, again for
//! every command, and only if no user except its owner can write it.
//!
//! Drives that the file lists are read, and never written. Synchronous writes go to a new file in a folder that it lists; no plan
//! names a device or file to write.

use std::fs;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use database::store::ServerAddress;
use device::safety::is_protected;
use serde::Deserialize;
use workloads::error::PlanError;
use workloads::job::{Job, Stage, Stream};

use crate::drives::DriveLadder;
use crate::sync_write::SyncWriteCampaign;

pub const DEFAULT_PATH: &str = "/etc/tailroom/campaigns.toml";
/// Prefix of the target of a drive ladder.
const DRIVES: &str = "drives:";
/// Prefix of the target of synchronous writes.
const FOLDERS: &str = "folders:";

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    #[serde(default)]
    pub targets: Vec<Allowed>,
    /// Paths of drives that drive ladders may read; none by default.
    #[serde(default)]
    pub devices: Vec<PathBuf>,
    /// Folders in which synchronous writes may create a file of 64 MiB during a test; none by default.
    #[serde(default)]
    pub folders: Vec<PathBuf>,
    /// Most operations a second of this agent.
    pub most_operations_per_s: Option<f64>,
    pub most_connections: Option<u64>,
    /// Longest total time of all phases with their ramps, in seconds. A phase that ends by a number of operations is refused.
    pub longest_s: Option<f64>,
    /// Hours of the day in UTC, such as `20:00-06:00`.
    pub hours_utc: Option<String>,
    /// Whether objects may be written; if not, no plan may load, insert, set or update any.
    #[serde(default = "yes")]
    pub load: bool,
}

/// A server that may be measured.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowed {
    /// Address, as for `--target` of `run`.
    pub address: String,
    /// File with its password, which never comes from the backend.
    pub password_file: Option<PathBuf>,
    /// File with the certificate authorities that are trusted for it.
    pub tls_ca: Option<PathBuf>,
    /// Name that its certificate must have.
    pub tls_server_name: Option<String>,
    /// File with this machine's own certificate.
    pub tls_cert: Option<PathBuf>,
    /// File with the key of that certificate.
    pub tls_key: Option<PathBuf>,
}

impl Allowed {
    /// Returns the arguments of `run` for the connection, without the address.
    pub fn arguments(&self) -> Vec<String> {
        let text = |path: &Option<PathBuf>| path.as_ref().map(|path| path.to_string_lossy().into_owned());
        let all = [
            ("--password-file", text(&self.password_file)),
            ("--tls-ca", text(&self.tls_ca)),
            ("--tls-server-name", self.tls_server_name.clone()),
            ("--tls-cert", text(&self.tls_cert)),
            ("--tls-key", text(&self.tls_key)),
        ];
        all.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value?))).collect()
    }
}

fn yes() -> bool {
    true
}

impl Policy {
    pub fn read(path: &Path) -> Result<Self, String> {
        let file = path.display();
        let metadata = fs::metadata(path).map_err(|error| {
            format!(
                "{file} cannot be read ({error}); it says what campaigns may do on this machine, see docs/campaigns.md"
            )
        })?;
        if !is_protected(&metadata) {
            return Err(format!(
                "{file} must be a file of root or of this user that nobody else may change (chmod 644)"
            ));
        }
        let text = fs::read_to_string(path).map_err(|error| format!("{file} cannot be read ({error})"))?;
        let policy: Self =
            toml::from_str(&text).map_err(|error| format!("{file}: {}", PlanError::toml(&text, &error)))?;
        if let Some(hours) = &policy.hours_utc {
            hours_of(hours).ok_or_else(|| format!("{file}: hours_utc: `{hours}` is not of the form 20:00-06:00"))?;
        }
        for allowed in &policy.targets {
            ServerAddress::parse(&allowed.address, None).map_err(|error| format!("{file}: targets: {error}"))?;
        }
        Ok(policy)
    }

    /// Returns the entry of a server that may be measured.
    pub fn target(&self, address: &str) -> Result<&Allowed, String> {
        let target = ServerAddress::parse(address, None)?;
        let is_same =
            |allowed: &&Allowed| ServerAddress::parse(&allowed.address, None).is_ok_and(|server| server == target);
        self.targets.iter().find(is_same).ok_or_else(|| {
            let names: Vec<&str> = self.targets.iter().map(|allowed| &*allowed.address).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            format!("The policy of this machine does not allow the server {address}. It allows: {names}.")
        })
    }

    /// Returns the drives that a ladder's target names: `drives:` for all listed drives, `drives:/dev/a,/dev/b` for these.
    pub fn drives(&self, target: &str) -> Result<Vec<PathBuf>, String> {
        let named = target.strip_prefix(DRIVES).ok_or_else(|| {
            format!("A drive ladder reads the drives that this machine's policy lists: name {DRIVES} as the server, not {target}.")
        })?;
        let listed: Vec<&str> = self.devices.iter().filter_map(|path| path.to_str()).collect();
        let lists = if listed.is_empty() { "none".to_owned() } else { listed.join(", ") };
        let chosen: Vec<PathBuf> = match named {
            "" => self.devices.clone(),
            named => named.split(',').map(|path| PathBuf::from(path.trim())).collect(),
        };
        if chosen.is_empty() {
            return Err("The policy of this machine lists no drive that may be read (devices).".to_owned());
        }
        for path in &chosen {
            let file = path.display();
            if !self.devices.contains(path) {
                return Err(format!("The policy of this machine does not let {file} be read. It lists: {lists}."));
            }
            let kind = fs::metadata(path).map_err(|error| format!("{file} cannot be read: {error}."))?.file_type();
            if !(kind.is_block_device() || kind.is_file()) {
                return Err(format!("{file} is neither a drive nor a file, so it is not read."));
            }
        }
        Ok(chosen)
    }

    /// Checks a ladder on this many drives against the limits of rate and time.
    pub fn allows_ladder(&self, ladder: &DriveLadder, drives: usize) -> Result<(), String> {
        let per_s = ladder.most_reads_per_s(drives)?;
        match self.most_operations_per_s.filter(|most| per_s > *most) {
            Some(most) => Err(format!(
                "The policy of this machine allows {most} operations a second; the highest load reads {per_s:.1} times."
            )),
            None => self.allows_time(ladder.all_s()),
        }
    }

    /// Returns the folder that a target of synchronous writes names: `folders:` for the only listed folder, `folders:/srv/log`
    /// for that folder.
    pub fn folder(&self, target: &str) -> Result<PathBuf, String> {
        let named = target.strip_prefix(FOLDERS).ok_or_else(|| {
            format!(
                "Synchronous writes go to a folder that this machine's policy lists: name {FOLDERS} as the server, not \
                 {target}."
            )
        })?;
        let lists = self.folders.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
        let folder = match (named.trim(), &*self.folders) {
            (_, []) => {
                return Err("The policy of this machine lists no folder for synchronous writes (folders).".to_owned());
            }
            ("", [folder]) => folder,
            ("", _) => {
                return Err(format!(
                    "The policy of this machine lists several folders: name {FOLDERS} and one of {lists}."
                ));
            }
            (named, folders) => folders.iter().find(|folder| **folder == Path::new(named)).ok_or_else(|| {
                format!("The policy of this machine does not let {named} be written to. It lists: {lists}.")
            })?,
        };
        if folder.is_dir() { Ok(folder.clone()) } else { Err(format!("{} is no folder.", folder.display())) }
    }

    /// Checks synchronous writes against the limits.
    pub fn allows_sync_write(&self, plan: &SyncWriteCampaign) -> Result<(), String> {
        match self.most_operations_per_s {
            _ if !self.load => {
                Err("The policy of this machine does not allow writing (load = false), and this plan writes a file."
                    .to_owned())
            }
            // Each write begins when the previous write is durable, so a limit on the rate cannot be kept.
            Some(most) => Err(format!(
                "The policy of this machine allows {most} operations a second; synchronous writes have no rate. Ask the owner of \
                 this machine."
            )),
            None => self.allows_time(plan.all_s()),
        }
    }

    fn allows_time(&self, all_s: f64) -> Result<(), String> {
        match self.longest_s.filter(|longest_s| all_s > *longest_s) {
            None => Ok(()),
            Some(longest_s) => {
                Err(format!("The policy of this machine allows {longest_s} s; the phases take {all_s:.0} s."))
            }
        }
    }

    /// Checks this agent's part of a plan against all limits.
    pub fn allows(&self, job: &Job) -> Result<(), String> {
        if !self.load {
            forbid_writing(job)?;
        }
        let mut all_s = 0.0;
        for stage in &job.stages {
            let (phase, connections) = (&stage.name, stage.connections);
            let setting = |name| if stage.loads() { "load_per_s, in YCSB tailroom.load_per_s" } else { name };
            if let Some(most) = self.most_connections.filter(|most| connections > *most) {
                return Err(format!(
                    "The policy of this machine allows {most} connections; phase {phase} needs {connections}."
                ));
            }
            if let Some(most) = self.most_operations_per_s {
                match rate_of(stage) {
                    None => {
                        return Err(format!(
                            "The policy of this machine allows {most} operations a second; phase {phase} has no rate. Give it \
                             one in the plan ({}), or ask the owner of this machine.",
                            setting("rate_per_s, in YCSB target")
                        ));
                    }
                    Some(per_s) if per_s > most => {
                        return Err(format!(
                            "The policy of this machine allows {most} operations a second; phase {phase} asks for {per_s:.1}."
                        ));
                    }
                    Some(_) => {}
                }
            }
            match (stage.duration_s, self.longest_s) {
                (Some(duration_s), _) => all_s += duration_s + stage.ramp_s,
                // The stage ends after a number of operations, at an unknown time.
                (None, Some(longest_s)) => {
                    return Err(format!(
                        "The policy of this machine allows {longest_s} s; phase {phase} has no end in time. Give it one in the \
                         plan ({}), or ask the owner of this machine.",
                        setting("maxexecutiontime")
                    ));
                }
                (None, None) => {}
            }
        }
        self.allows_time(all_s)
    }

    /// Checks whether the hours of the policy allow a start at `unix_s`.
    pub fn allows_now(&self, unix_s: u64) -> Result<(), String> {
        let minute = unix_s / 60 % (24 * 60);
        let Some((hours, (from, to))) = self.hours_utc.as_deref().and_then(|hours| Some((hours, hours_of(hours)?)))
        else {
            return Ok(());
        };
        let inside = if from <= to { (from..to).contains(&minute) } else { minute >= from || minute < to };
        if inside {
            return Ok(());
        }
        let (hour, minute) = (minute / 60, minute % 60);
        Err(format!("The policy of this machine allows {hours} UTC; it is {hour:02}:{minute:02}."))
    }
}

/// Returns the operations of a stage a second; `None` if the database sets the pace.
fn rate_of(stage: &Stage) -> Option<f64> {
    let per_s = |stream: &Stream| match stream {
        Stream::Operations { per_s, .. } => *per_s,
        Stream::Transactions { per_s, reads, .. } => Some(per_s * f64::from(*reads)),
    };
    stage.streams.iter().map(per_s).sum()
}

fn forbid_writing(job: &Job) -> Result<(), String> {
    let writes = |stage: &&Stage| stage.loads() || stage.inserts() || stage.updates();
    match job.stages.iter().find(writes) {
        None => Ok(()),
        Some(stage) if stage.loads() => {
            Err("The policy of this machine does not allow loading objects (load = false).".to_owned())
        }
        // The objects may not exist yet.
        Some(stage) => Err(format!(
            "The policy of this machine does not allow writing objects (load = false); phase {} writes, whether or not an object \
             is there. Leave reads alone, in key-value ratio = \"0:1\".",
            stage.name
        )),
    }
}

/// Parses hours such as `20:00-06:00` into minutes of the day.
fn hours_of(text: &str) -> Option<(u64, u64)> {
    let minute = |text: &str| {
        let (hour, minute) = text.trim().split_once(':')?;
        let (hour, minute): (u64, u64) = (hour.parse().ok()?, minute.parse().ok()?);
        (hour < 24 && minute < 60).then_some(hour * 60 + minute)
    };
    let (from, to) = text.split_once('-')?;
    Some((minute(from)?, minute(to)?))
}

#[cfg(test)]
#[path = "policy_tests.rs"]
mod tests;
