//! What an agent says to a backend (`docs/contracts/wire.md`), when it says it, and where it keeps what is not yet said.
//!
//! Three parts, none of which opens a socket: [`messages`] are the bodies and their two encodings, [`session`] decides
//! what to send next, and [`spool`] keeps intervals on disk until the backend has them.

#![forbid(unsafe_code)]

pub mod backoff;
pub mod interval;
pub mod messages;
pub mod ranges;
mod series_keys;
pub mod session;
pub mod spool;
