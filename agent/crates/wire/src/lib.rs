//! The protocol between agent and backend (`docs/contracts/wire.md`), and the spool for intervals that are not yet delivered.
//!
//! Three parts, none of which opens a socket: [`messages`] holds the bodies and their two encodings, [`session`] decides what to
//! send next, and [`spool`] stores intervals on disk until the backend has acknowledged them.

#![forbid(unsafe_code)]

pub mod backoff;
pub mod messages;
pub mod ranges;
mod series_keys;
pub mod session;
pub mod spool;
