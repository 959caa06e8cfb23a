//! The drivers of all kinds of servers.

use measure::series::WorkloadError;
use workloads::job::ObjectSpec;

use crate::aerospike::store::AerospikeStore;
use crate::postgres::store::PostgresStore;
use crate::redis::store::RedisStore;
use crate::store::{Driver, ServerAddress, Store};

/// Connects to a server for a job, and writes nothing. Fails with cause and remedy if it cannot be reached or cannot run the job.
pub fn open(server: &ServerAddress, spec: &ObjectSpec, seed: u64) -> Result<Box<dyn Store>, WorkloadError> {
    match server.driver {
        Driver::Redis => Ok(Box::new(RedisStore::open(server, spec, seed)?)),
        Driver::Aerospike => Ok(Box::new(AerospikeStore::open(server, spec, seed)?)),
        Driver::Postgres => Ok(Box::new(PostgresStore::open(server, spec, seed)?)),
    }
}
