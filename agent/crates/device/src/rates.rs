//! What one load multiple means in operations per second.

/// Resolution of a load multiple.
pub const MICRO_LOADS_PER_LOAD: u64 = 1_000_000;
