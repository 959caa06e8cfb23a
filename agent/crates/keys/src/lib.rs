//! Which key an operation is for, and what that key is called. Pure: the seed and the number of an operation decide.
//!
//! *Choosers* ([`chooser`]) draw key numbers by the laws of YCSB and `memtier_benchmark`, with their constants, so that the
//! same keys are hot as there. *Names* ([`name`]) turn a number into what each tool sends. *Placement* ([`placement`]) says
//! where a server puts that name: Aerospike's digest and partition, the Redis slot. [`popularity`] lists keys from the most
//! to the least popular, without drawing any.
#![forbid(unsafe_code)]

pub mod chooser;
pub mod hash;
pub mod name;
mod normal;
pub mod placement;
pub mod popularity;
pub mod tally;
pub mod zipf;

#[cfg(test)]
mod oracle_tests;
