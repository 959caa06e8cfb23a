//! Measuring a database: transactions of many sequential reads, begun at a constant rate whatever the server does.
//!
//! A transaction's response time counts from its intended start, so that waiting for a free connection is part of it; its
//! service time counts from its first read. A read inside a transaction begins when the read before it ended: no
//! schedule says when it was intended, so reads have a service time only.
#![forbid(unsafe_code)]

mod address;
mod aerospike_client;
mod aerospike_cluster;
mod aerospike_login;
mod aerospike_partitions;
mod aerospike_protocol;
#[cfg(test)]
mod aerospike_server;
mod aerospike_store;
mod aerospike_wire;
mod channel;
mod cluster;
#[cfg(test)]
mod cluster_tests;
mod command;
mod connection;
pub mod drivers;
mod fraud;
mod insert_frontier;
mod integrity;
mod keys;
mod lengths;
mod null;
mod objects;
pub mod plan;
mod postgres_client;
mod postgres_greeting;
mod postgres_protocol;
#[cfg(test)]
mod postgres_server;
mod postgres_store;
mod postgres_wire;
mod programs;
mod protocol;
mod redis_client;
mod redis_cluster;
mod redis_protocol;
mod redis_requests;
mod redis_router;
mod redis_store;
mod redis_target;
mod resp;
mod server_session;
mod slots;
mod socket;
pub mod stage;
#[cfg(test)]
mod stalling_proxy;
pub mod store;
mod store_stage;
mod stream;
pub mod tls;
#[cfg(test)]
mod tls_proxy;
#[cfg(test)]
mod tls_tests;
#[cfg(test)]
mod trial;
#[cfg(test)]
mod valkey;

use std::time::Duration;

use measure::series::{StopFlag, Workload, WorkloadError};

pub use plan::{DriverChoice, FraudPlan};

/// The plan as it will be executed, checked.
///
/// # Errors
/// A sentence that names the field and what is allowed.
pub fn resolve(plan: &FraudPlan) -> Result<FraudPlan, WorkloadError> {
    plan.validate()?;
    let mut resolved = plan.clone();
    if resolved.driver == DriverChoice::Null {
        // Made-up transactions take no time, and one worker keeps them in order.
        resolved.connections = 1;
    }
    Ok(resolved)
}

/// Connects and loads the keys, so that `run` begins at once. `notify` gets sentences for a person about what takes long.
/// `histogram_every` is a whole number of seconds, because a histogram interval is a sum of ticks.
///
/// # Errors
/// A sentence that says what happened, where and what to do; also when `stop` was set. Keys that were loaded are removed.
pub fn prepare(
    plan: &FraudPlan,
    duration: Duration,
    histogram_every: Duration,
    notify: &dyn Fn(&str),
    stop: &StopFlag,
) -> Result<Box<dyn Workload>, WorkloadError> {
    let plan = resolve(plan)?;
    if duration.is_zero() {
        return Err(WorkloadError("the duration is 0; give at least one second".into()));
    }
    let ticks_per_histogram = measure::recorder::ticks_per_histogram(histogram_every)?;
    let duration_ns = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
    Ok(match plan.driver {
        DriverChoice::Null => {
            let target = null::NullTarget { seed: plan.seed };
            Box::new(fraud::Fraud::prepared(&plan, target, 1, duration_ns, ticks_per_histogram)?)
        }
        DriverChoice::Redis => {
            let threads = fraud::threads_for(&plan);
            let target = redis_target::RedisTarget::prepare(&plan, threads, duration, notify, stop)?;
            Box::new(fraud::Fraud::prepared(&plan, target, threads, duration_ns, ticks_per_histogram)?)
        }
    })
}
