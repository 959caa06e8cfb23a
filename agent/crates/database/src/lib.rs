//! Measuring a database: transactions of many sequential reads, begun at a constant rate whatever the server does.
//!
//! A transaction's response time counts from its intended start, so that waiting for a free connection is part of it; its
//! service time counts from its first read. A read inside a transaction begins when the read before it ended: no
//! schedule says when it was intended, so reads have a service time only.
#![forbid(unsafe_code)]

mod driver;
mod fraud;
mod keys;
mod null;
pub mod plan;
mod redis_driver;
mod worker;

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
    let store: Box<dyn driver::Store> = match plan.driver {
        DriverChoice::Null => Box::new(null::NullStore::new(plan.seed)),
        DriverChoice::Redis => Box::new(redis_driver::RedisStore::prepare(&plan, duration, notify, stop)?),
    };
    Ok(Box::new(fraud::Fraud::new(plan, store, duration, ticks_per_histogram)?))
}
