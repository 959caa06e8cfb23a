//! The program as people and backends meet it. One program for all of its tests: each of its own would be linked for itself.

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
