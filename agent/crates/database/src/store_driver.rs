//! The operations in which servers differ. `life_cycle` makes a store of each driver.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use measure::series::WorkloadError;
use workloads::job::ObjectSpec;

use crate::marker::{Marker, MarkerState, fingerprint};
use crate::objects::Objects;
use crate::server_address::ServerAddress;
use crate::store::{Facts, StoredObjects};
use crate::store_stage::{Connect, ObjectCount};

/// The part of a store that is the same for all drivers.
pub struct StoreJob {
    /// The server.
    pub server: ServerAddress,
    /// The objects of the job.
    pub spec: ObjectSpec,
    /// Properties of the server.
    pub facts: Facts,
    /// Number of objects by now.
    pub count: ObjectCount,
    seed: u64,
    fingerprint: String,
    /// The objects were loaded and nothing else was done since.
    pub is_fresh: AtomicBool,
}

impl StoreJob {
    /// Returns the job for a server whose properties are not known yet.
    pub fn new(server: &ServerAddress, spec: &ObjectSpec, seed: u64) -> Self {
        Self {
            server: server.clone(),
            spec: spec.clone(),
            facts: Facts::new(),
            count: ObjectCount::new(spec.count),
            seed,
            fingerprint: fingerprint(spec, seed),
            is_fresh: AtomicBool::new(false),
        }
    }

    /// Returns the names and contents of the objects.
    pub fn objects(&self) -> Objects {
        Objects::of(&self.spec, self.count.count(), self.seed)
    }

    /// Returns a fact that is text.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.get(name)?.as_str()
    }

    /// Returns a marker of the objects.
    pub fn marker(&self, state: MarkerState) -> Marker {
        Marker {
            fingerprint: self.fingerprint.clone(),
            first: self.spec.first,
            count: self.count.count(),
            state,
            what: format!("{} objects of {} B", self.spec.count, self.spec.shape.bytes()),
        }
    }

    /// Returns the state of the objects with a marker.
    pub fn state_of(&self, marker: &Marker) -> StoredObjects {
        if self.fingerprint != marker.fingerprint {
            return StoredObjects::OfOtherPlan(marker.what.clone());
        }
        match marker.state {
            MarkerState::Complete => StoredObjects::Complete,
            MarkerState::Loading => StoredObjects::Incomplete,
            MarkerState::Uneven => {
                // Each agent begins to insert there.
                self.count.set(marker.count);
                StoredObjects::Uneven
            }
        }
    }
}

/// The memory limit of a server.
pub struct MemoryLimit {
    /// Bytes for all objects.
    pub bytes: u64,
    /// The limit in words.
    pub text: String,
    /// How to raise it.
    pub remedy: &'static str,
    /// Copies of each object.
    pub copies: u64,
}

/// A driver. Its connection is another than those of measured commands.
///
/// # Errors
/// Every operation fails when the server refuses it, with a sentence that names the server, the cause and what to do.
pub trait StoreDriver: Send + Sync + Sized {
    /// A connection for all but measured commands.
    type Connection;
    /// An error of this connection.
    type Error;

    /// Settings of the server to check after a fatal refusal.
    const CHECKLIST: &'static str;
    /// Another program that may have changed objects, for the message about changed objects.
    const OTHER_WRITERS: &'static str;

    /// Returns the common part.
    fn job(&self) -> &StoreJob;

    /// Returns the cause of an error, and what to do.
    fn explain(error: Self::Error) -> String;

    /// Connects to the server.
    fn try_connect(&self) -> Result<Self::Connection, Self::Error>;

    /// Reads the marker; none where there is none.
    fn read_marker(&self, connection: &mut Self::Connection) -> Result<Option<Marker>, WorkloadError>;

    /// Writes the marker.
    fn write_marker(&self, connection: &mut Self::Connection, marker: &Marker) -> Result<(), WorkloadError>;

    /// Deletes the marker.
    fn delete_marker(&self, connection: &mut Self::Connection) -> Result<(), WorkloadError>;

    /// Returns an error with the name of an object where objects without a marker exist under the keys of the job.
    fn refuse_foreign_objects(&self, connection: &mut Self::Connection) -> Result<(), WorkloadError>;

    /// Returns those of the keys that exist, in order.
    fn existing(&self, connection: &mut Self::Connection, keys: &[u64]) -> Result<Vec<u64>, WorkloadError>;

    /// Returns those of the keys whose objects are missing or changed.
    fn damaged(&self, connection: &mut Self::Connection, keys: &[u64]) -> Result<Vec<u64>, WorkloadError>;

    /// Returns the number of objects on the server.
    fn stored_count(&self, connection: &mut Self::Connection) -> Result<u64, WorkloadError>;

    /// Returns how many objects the server holds, why some may be missing, and what to do.
    fn explain_loss(&self, stored: u64) -> String;

    /// Removes objects and all that was made for them but the marker. Returns their number.
    fn delete(&self, connection: &mut Self::Connection, keys: Range<u64>) -> Result<u64, WorkloadError>;

    /// Returns connections of a measuring thread to the objects.
    fn sessions(&self, objects: Arc<Objects>, depth: usize) -> Connect;

    /// Returns the name of an object in messages.
    fn name(&self, key: u64) -> String {
        self.job().objects().name(key)
    }

    /// Returns the memory limit of the server; none where it reports none.
    fn memory_limit(&self) -> Result<Option<MemoryLimit>, WorkloadError> {
        Ok(None)
    }

    /// Returns the bytes in use, of those that are limited.
    fn used_bytes(&self, _: &mut Self::Connection) -> Result<u64, WorkloadError> {
        Ok(0)
    }

    /// Returns whether the container of the objects exists, where they need one.
    fn has_container(&self, _: &mut Self::Connection) -> Result<bool, WorkloadError> {
        Ok(true)
    }

    /// Creates an empty container for the objects, where they need one.
    fn create_container(&self, _: &mut Self::Connection) -> Result<(), WorkloadError> {
        Ok(())
    }

    /// Finishes work that the server postponed while the objects were loaded.
    fn settle(&self, _: &mut Self::Connection) -> Result<(), WorkloadError> {
        Ok(())
    }

    /// Checks that the server has enough free connections.
    fn check_connections(&self, _: u64) -> Result<(), WorkloadError> {
        Ok(())
    }

    /// Connects to the server.
    fn connect(&self) -> Result<Self::Connection, WorkloadError> {
        self.try_connect().map_err(self.with_context("cannot be connected to"))
    }

    /// Returns an error about the server.
    fn refuse(&self, sentence: impl std::fmt::Display) -> WorkloadError {
        self.job().server.refuse(sentence)
    }

    /// Returns a conversion of errors, which names the server and `context`, a verb with its object.
    fn with_context(&self, context: &'static str) -> impl Fn(Self::Error) -> WorkloadError {
        let address = self.job().server.address.clone();
        move |error| WorkloadError(format!("database server {address} {context}: {}", Self::explain(error)))
    }
}
