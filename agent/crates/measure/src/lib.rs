//! Measuring without input or output: schedules, recorders, and the intervals they yield.
pub mod series;
