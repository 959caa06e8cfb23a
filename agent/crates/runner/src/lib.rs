//! Execution of every workload: schedules on one side, sessions with drives or servers on the other.
//!
//! ```text
//! prepare (device, database)  files filled, keys loaded            -> Prepared
//! arm                         threads started, sessions opened, ramp -> Armed
//! start(at)                   offset 0 is that instant on every thread
//! drain                       what is under way at the end gets its time, the rest is unfinished
//! ```
//!
//! What to do is pure ([`Program`]: number → commands), when is pure (`measure::arrivals`), and doing it is a
//! [`Session`]: free slots, begin, wait, give up. A new driver is one file with a session, and passes `conformance`.
#![forbid(unsafe_code)]

mod armed;
mod carrying;
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
mod units;
mod worker;

pub use armed::Prepared;
pub use lane::{Lane, Pace};
pub use program::{Program, Single};
pub use session::{Completion, End, Request, Session};
pub use target::{Plan, Rules, Target, Warning};
