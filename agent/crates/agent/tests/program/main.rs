//! Tests of the built program. They share one test program, so that the crate is linked once.

mod act;
mod clock;
mod database;
mod delivery;
mod devices;
mod imports;
mod qualify;
mod result_file;
mod seek;
mod support;
mod sync_write;
mod thinned;
mod workloads;
