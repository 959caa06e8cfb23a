//! Plans of database workloads: phases, rates, mix and data, before any connection is opened.
//!
//! There are three workloads: [`fraud`] (the phases of the fraud report), [`ycsb`] (unchanged property files of YCSB) and
//! [`keyvalue`] (the test of `memtier_benchmark`). Each is described by an [`explanation::Explanation`], which lists all
//! differences from the original. Source: docs/workloads.md.
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
