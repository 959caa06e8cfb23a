//! Which driver speaks with which server.

use measure::series::WorkloadError;
use workloads::job::Objects;

use crate::aerospike::store::AerospikeStore;
use crate::postgres::store::PostgresStore;
use crate::redis::store::RedisStore;
use crate::store::{Driver, Place, Store};

/// Connects to a place for a job.
///
/// # Errors
/// A sentence that says what is in the way and what to do. Nothing was written.
pub fn open(place: &Place, wanted: &Objects, seed: u64) -> Result<Box<dyn Store>, WorkloadError> {
    match place.driver {
        Driver::Redis => Ok(Box::new(RedisStore::open(place, wanted, seed)?)),
        Driver::Aerospike => Ok(Box::new(AerospikeStore::open(place, wanted, seed)?)),
        Driver::Postgres => Ok(Box::new(PostgresStore::open(place, wanted, seed)?)),
    }
}
