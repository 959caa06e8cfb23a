//! Qualification of a drive: purging, filling, steady state, and size of the write cache. `fill` and `purge` write to drives, the
//! rest is pure. `docs/qualification.md` explains the results.

pub mod cache;
pub mod fill;
pub mod one_pass;
pub mod purge;
pub mod recovery;
mod sanitize;
pub mod simulated_drive;
pub mod steady_state;
#[cfg(test)]
mod tests;
