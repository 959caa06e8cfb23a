//! Tests of the wire contract. They share one program, so that the crate is linked once.

mod every_interleaving;
mod golden;
mod golden_content;
mod old_records;
mod ranges;
mod session;
mod spool;
mod thinned_spool;
mod thinning;
mod thinning_steps;
