//! Qualifying a drive: how it is purged and filled, when its rate has settled, and where its write cache ends. `fill` and `purge`
//! write to drives, the rest is pure. `docs/qualification.md` says what each answer means.

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
