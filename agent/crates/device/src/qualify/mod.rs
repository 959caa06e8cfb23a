//! Qualifying a drive: in which order it is filled, when its rate has settled, and where its write cache ends. Pure: nothing here
//! touches a drive. `docs/qualification.md` says what each answer means.

pub mod cache;
pub mod one_pass;
#[cfg(test)]
mod simulated_drive;
pub mod steady_state;
#[cfg(test)]
mod tests;
