//! Measuring without input or output: schedules, clocks, recorders, and the intervals that they produce.
//!
//! An operation has four times: *intended* (by the schedule), *dispatched* (a thread took it), *submitted* (the request was sent)
//! and *completed*. Response time is completed − intended, service time is completed − submitted, lateness is dispatched −
//! intended. The schedule never waits for the system under test, so that a stall shows in the response times.
#![forbid(unsafe_code)]

pub mod arrivals;
pub mod clock;
mod conditions;
pub mod histogram;
mod histogram_bytes;
pub mod random;
pub mod recorder;
pub mod report;
pub mod schedule;
pub mod series;
pub mod series_table;
mod view;

pub use view::BUSY_RATIO;
