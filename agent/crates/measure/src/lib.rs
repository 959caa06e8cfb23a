//! Measuring without input or output: schedules, clocks, recorders, and the intervals they yield.
//!
//! The times of one operation are *intended* (by the schedule), *dispatched* (a thread took it), *submitted* (the request
//! left) and *completed*. Response time counts from intended, service time from submitted, lateness is dispatched −
//! intended. The schedule never waits for the system under test; that is what keeps a stall visible.
#![forbid(unsafe_code)]

pub mod arrivals;
pub mod clock;
mod conditions;
pub mod histogram;
mod histogram_bytes;
mod open_interval;
pub mod random;
pub mod recorder;
pub mod report;
pub mod schedule;
pub mod series;
pub mod series_table;
mod view;

pub use view::BUSY_RATIO;
