//! What an agent says to a backend (`docs/contracts/wire.md`), when it says it, and where it keeps what is not yet said.
//!
//! Three parts, none of which opens a socket: [`messages`] are the bodies and their two encodings, [`session`] decides
//! what to send next, and [`spool`] keeps intervals on disk until the backend acknowledges them.

#![forbid(unsafe_code)]

pub mod interval;
pub mod messages;
mod series_keys;
