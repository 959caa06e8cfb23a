//! Choice, naming and placement of keys. Pure: results depend only on the seed and the number of the operation.
//!
//! [`chooser`] draws key numbers from the distributions of YCSB and `memtier_benchmark`, with their constants, so the same keys are
//! hot as in those tools. [`name`] turns a number into the key that each tool sends. [`placement`] computes where a server stores
//! that key: Aerospike's digest and partition, or the Redis slot. [`popularity`] lists keys by popularity without drawing.
#![forbid(unsafe_code)]

pub mod chooser;
pub mod name;
mod normal;
pub mod placement;
pub mod popularity;
pub mod tally;
pub mod zipf;

#[cfg(test)]
mod oracle_tests;
