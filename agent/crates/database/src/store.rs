//! The life cycle of the objects of a job on a server: checked before anything is written, loaded once, used again, removed on
//! request.

use measure::series::{Workload, WorkloadError};
use workloads::job::Stage;

pub use crate::marker::fingerprint;
pub use crate::server_address::{Address, Driver, ServerAddress};
use crate::stage::Settings;

/// Properties of a server that results depend on; unknown properties are left out.
pub type Facts = serde_json::Map<String, serde_json::Value>;

/// The objects on a server under the keys of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredObjects {
    /// None.
    Absent,
    /// All objects of the job.
    Complete,
    /// Objects of the job, whose load was interrupted.
    Incomplete,
    /// Objects of the job, and inserts of several agents behind them.
    Uneven,
    /// Objects of another job, which is described.
    OfOtherPlan(String),
}

/// The objects of one job on a server.
pub trait Store: Send + Sync {
    /// Returns the properties of the server.
    fn facts(&self) -> &Facts;

    /// Returns which objects exist under the keys. Nothing is written.
    ///
    /// # Errors
    /// When objects exist that Tailroom did not load.
    fn look(&self) -> Result<StoredObjects, WorkloadError>;

    /// Checks the memory for all missing objects, where the server has a limit. Nothing is written.
    ///
    /// # Errors
    /// With the limit and the memory in use.
    fn check_room(&self, stored: &StoredObjects) -> Result<(), WorkloadError>;

    /// Marks the objects as being loaded.
    ///
    /// # Errors
    /// When the server refuses.
    fn begin_loading(&self) -> Result<(), WorkloadError>;

    /// Marks the objects as uneven: several agents insert from now on.
    ///
    /// # Errors
    /// When the server refuses.
    fn begin_inserting(&self) -> Result<(), WorkloadError>;

    /// Counts the objects and reads a sample of them back.
    ///
    /// # Errors
    /// When objects are missing or changed.
    fn check(&self) -> Result<(), WorkloadError>;

    /// Marks the objects as complete.
    ///
    /// # Errors
    /// When the server refuses.
    fn finish_loading(&self) -> Result<(), WorkloadError>;

    /// Removes the objects that any job loaded under these keys, and nothing else. Returns their number.
    ///
    /// # Errors
    /// When the server refuses.
    fn remove(&self) -> Result<u64, WorkloadError>;

    /// Returns a workload of a stage over the objects.
    ///
    /// # Errors
    /// When it cannot be prepared.
    fn stage(&self, stage: &Stage, settings: &Settings) -> Result<Box<dyn Workload>, WorkloadError>;
}
