//! What a database workload asks for: phases, rates, mix and data set, before anything is connected.
//!
//! Three workloads: [`fraud`] (the ladder of the fraud report), [`ycsb`] (its property files as they are) and [`keyvalue`] (the
//! test of `memtier_benchmark`). Each becomes one [`explanation::Explanation`], with every difference from the original named.
//! Source: docs/workloads.md.
#![forbid(unsafe_code)]

pub mod error;
pub mod expectation;
pub mod explanation;
pub mod fraud;
pub mod job;
pub mod keyvalue;
pub mod load_search;
mod part;
pub mod plan;
pub mod properties;
pub mod rate;
pub mod size;
pub mod ycsb;
mod ycsb_notices;
mod ycsb_record;
pub mod ycsb_requests;
