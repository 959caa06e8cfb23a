//! Execution of every workload: schedules decide when operations begin, sessions with drives or servers execute them.
//!
//! ```text
//! prepare (device, database)  files filled, keys loaded            -> Prepared
//! arm                         threads started, sessions opened, ramp -> Armed
//! start(at)                   offset 0 is that instant on every thread
//! drain                       wait for operations under way at the end; the others are unfinished
//! ```
//!
//! Commands are a pure function of an operation's number ([`Program`]), and so are intended times (`measure::arrivals`). A
//! [`Session`] executes commands. A new engine is one file with a session; drivers of databases share theirs. All must pass the tests of `conformance`.
#![forbid(unsafe_code)]

mod armed;
#[cfg(feature = "conformance")]
pub mod conformance;
mod free_slots;
#[cfg(any(test, feature = "conformance"))]
pub mod injected;
mod lane;
mod program;
mod reporting;
mod session;
mod shared;
mod target;
mod unit_execution;
mod units;
mod worker;

pub use armed::Prepared;
pub use lane::{Lane, Pace};
pub use program::{Program, Single};
pub use session::{Completion, End, Request, Session};
pub use target::{Plan, Rules, Target, Warning};
