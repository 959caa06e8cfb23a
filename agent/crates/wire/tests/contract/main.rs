//! What an agent keeps, sends and understands. One program for all of these tests: each of its own would be linked for itself.

mod every_interleaving;
mod golden;
mod golden_content;
mod old_records;
mod ranges;
mod session;
mod spool;
mod thinning;
