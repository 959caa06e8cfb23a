//! The interface to the kinds of servers. `life_cycle` makes a [`crate::store::Store`] of each driver.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use measure::series::WorkloadError;
use workloads::job::ObjectSpec;

use crate::marker::{Marker, MarkerState, fingerprint};
use crate::objects::Objects;
use crate::server_address::ServerAddress;
use crate::socket;
use crate::store::{Facts, StoredObjects};
use crate::store_stage::{Connect, ObjectCount};
use crate::tls::Tls;

/// The part of a store that all drivers share.
pub struct StoreJob {
    pub server: ServerAddress,
    pub address: socket::Address,
    /// TLS settings; `None` for plain text.
    pub tls: Option<Tls>,
    pub spec: ObjectSpec,
    pub facts: Facts,
    pub count: ObjectCount,
    seed: u64,
    fingerprint: String,
    /// Whether the objects were loaded and [`StoreDriver::settle`] has not run since.
    pub is_fresh: AtomicBool,
}

impl StoreJob {
    /// Creates the job for a server whose properties are not read yet, and resolves its address.
    pub fn new(server: &ServerAddress, spec: &ObjectSpec, seed: u64) -> Result<Self, WorkloadError> {
        Ok(Self {
            address: server.socket()?,
            tls: server.security()?,
            server: server.clone(),
            spec: spec.clone(),
            facts: Facts::new(),
            count: ObjectCount::new(spec.count),
            seed,
            fingerprint: fingerprint(spec, seed),
            is_fresh: AtomicBool::new(false),
        })
    }

    /// Sets the properties of the server; `secured` describes its TLS connection.
    pub fn set_facts(&mut self, mut facts: Facts, secured: Option<String>) {
        if let Some(secured) = secured {
            facts.insert("tls".into(), secured.into());
        }
        self.facts = facts;
    }

    pub fn objects(&self) -> Objects {
        Objects::of(&self.spec, self.count.count(), self.seed)
    }

    /// Returns a property as text; `None` if it is unknown or no text.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.get(name)?.as_str()
    }

    pub fn marker(&self, state: MarkerState) -> Marker {
        Marker {
            fingerprint: self.fingerprint.clone(),
            first: self.spec.first,
            count: self.count.count(),
            state,
            what: format!("{} objects of {} B", self.spec.count, self.spec.shape.bytes()),
        }
    }

    pub fn state_of(&self, marker: &Marker) -> StoredObjects {
        if self.fingerprint != marker.fingerprint {
            return StoredObjects::OfOtherPlan(marker.what.clone());
        }
        match marker.state {
            MarkerState::Complete => StoredObjects::Complete,
            MarkerState::Loading => StoredObjects::Incomplete,
            MarkerState::Uneven => {
                // Each agent inserts after these objects.
                self.count.set(marker.count);
                StoredObjects::Uneven
            }
        }
    }
}

pub struct MemoryLimit {
    pub bytes: u64,
    /// The limit as the server states it, such as `maxmemory 1024 B`.
    pub text: String,
    /// What to do, as the beginning of a sentence, such as `Raise maxmemory`.
    pub remedy: &'static str,
    /// Number of copies of each object within the limit.
    pub copies: u64,
}

/// The driver of one kind of server. Its connections are separate from those of measured commands. Every function fails if the
/// server refuses its request. The message names the server, the cause and a remedy.
pub trait StoreDriver: Send + Sync + Sized {
    /// A connection for everything except measured commands.
    type Connection;
    /// An error of such a connection.
    type Error;

    /// Settings of the server to check after a fatal refusal.
    const CHECKLIST: &'static str;
    /// Other programs that may have changed objects, for the message about changed objects.
    const OTHER_WRITERS: &'static str;

    /// Returns the part that all drivers share.
    fn job(&self) -> &StoreJob;

    /// Returns the cause of an error, and a remedy.
    fn explain(error: Self::Error) -> String;

    fn try_connect(&self) -> Result<Self::Connection, Self::Error>;

    /// Reads the marker; `None` if there is none.
    fn read_marker(&self, connection: &mut Self::Connection) -> Result<Option<Marker>, WorkloadError>;

    fn write_marker(&self, connection: &mut Self::Connection, marker: &Marker) -> Result<(), WorkloadError>;

    fn delete_marker(&self, connection: &mut Self::Connection) -> Result<(), WorkloadError>;

    /// Returns an error with the name of an object if objects without a marker exist under the keys of the job.
    fn refuse_foreign_objects(&self, connection: &mut Self::Connection) -> Result<(), WorkloadError>;

    /// Returns those of `keys` that exist, in order.
    fn existing(&self, connection: &mut Self::Connection, keys: &[u64]) -> Result<Vec<u64>, WorkloadError>;

    /// Returns those of `keys` whose objects are missing or changed.
    fn damaged(&self, connection: &mut Self::Connection, keys: &[u64]) -> Result<Vec<u64>, WorkloadError>;

    /// Returns the number of objects on the server, including the marker and foreign keys if the server counts only all keys.
    fn stored_count(&self, connection: &mut Self::Connection) -> Result<u64, WorkloadError>;

    /// Returns the number of objects on the server, why some may be missing, and a remedy, as a text.
    fn explain_loss(&self, stored: u64) -> String;

    /// Removes objects and everything that was created for them, except the marker. Returns the number of removed objects.
    fn delete(&self, connection: &mut Self::Connection, keys: Range<u64>) -> Result<u64, WorkloadError>;

    /// Returns a function that opens the connections of a measuring thread.
    fn sessions(&self, objects: Arc<Objects>, depth: usize) -> Connect;

    /// Returns the name of an object, for messages.
    fn name(&self, key: u64) -> String {
        self.job().objects().name(key)
    }

    /// Returns the memory limit of the server; `None` if it reports none.
    fn memory_limit(&self) -> Result<Option<MemoryLimit>, WorkloadError> {
        Ok(None)
    }

    /// Returns the used part of the limited memory in bytes.
    fn used_bytes(&self, _: &mut Self::Connection) -> Result<u64, WorkloadError> {
        Ok(0)
    }

    /// Returns whether the container of the objects, such as a table, exists; `true` if they need none.
    fn has_container(&self, _: &mut Self::Connection) -> Result<bool, WorkloadError> {
        Ok(true)
    }

    /// Creates an empty container for the objects, such as a table, if they need one.
    fn create_container(&self, _: &mut Self::Connection) -> Result<(), WorkloadError> {
        Ok(())
    }

    /// Lets the server finish work that it postponed during the load.
    fn settle(&self, _: &mut Self::Connection) -> Result<(), WorkloadError> {
        Ok(())
    }

    /// Checks that the server has this many free connections.
    fn check_connections(&self, _: u64) -> Result<(), WorkloadError> {
        Ok(())
    }

    fn connect(&self) -> Result<Self::Connection, WorkloadError> {
        self.try_connect().map_err(self.with_context("cannot be connected to"))
    }

    fn refuse(&self, sentence: impl std::fmt::Display) -> WorkloadError {
        self.job().server.refuse(sentence)
    }

    /// Returns a function that converts errors. The message names the server and `context`, a verb with its object.
    fn with_context(&self, context: &'static str) -> impl Fn(Self::Error) -> WorkloadError {
        let address = self.job().server.address.clone();
        move |error| WorkloadError(format!("database server {address} {context}: {}", Self::explain(error)))
    }
}
