//! The life cycle of the objects of a job on a server: checked before anything is written, loaded once, used again, removed on
//! request.

use measure::series::{Workload, WorkloadError};
use workloads::job::Stage;

pub use crate::marker::fingerprint;
pub use crate::server_address::{Address, Driver, ServerAddress};
use crate::stage::Settings;

/// Properties of a server that affect results: `software`, `version`, and what else is known.
pub type Facts = serde_json::Map<String, serde_json::Value>;

/// State of the objects on a server under the keys of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredObjects {
    /// There are no objects.
    Absent,
    /// All objects of the job.
    Complete,
    /// Objects of the job whose load was interrupted: some may be missing.
    Incomplete,
    /// All objects of the job, and inserts of several agents after them.
    Uneven,
    /// Objects of another job, with their description.
    OfOtherPlan(String),
}

/// The objects of one job on a server.
pub trait Store: Send + Sync {
    /// Returns the properties of the server.
    fn facts(&self) -> &Facts;

    /// Returns the state of the objects under the keys. Nothing is written. Fails if objects exist that Tailroom did not load.
    fn inspect(&self) -> Result<StoredObjects, WorkloadError>;

    /// Checks that all missing objects fit into the memory, if the server has a limit. Nothing is written.
    fn check_capacity(&self, stored: &StoredObjects) -> Result<(), WorkloadError>;

    /// Marks the objects as being loaded.
    fn begin_loading(&self) -> Result<(), WorkloadError>;

    /// Marks the objects as uneven: several agents insert from now on.
    fn begin_inserting(&self) -> Result<(), WorkloadError>;

    /// Counts the objects and reads back a sample of them.
    fn check(&self) -> Result<(), WorkloadError>;

    /// Marks the objects as complete.
    fn finish_loading(&self) -> Result<(), WorkloadError>;

    /// Removes the objects that any job loaded under these keys, and nothing else. Returns their number.
    fn remove(&self) -> Result<u64, WorkloadError>;

    /// Creates the workload of a stage over the objects.
    fn stage(&self, stage: &Stage, settings: &Settings) -> Result<Box<dyn Workload>, WorkloadError>;
}
