//! Measures a database: transactions of many sequential reads, begun at a constant rate whatever the server does.
//!
//! The response time of a transaction counts from its intended start, so it includes waiting for a free connection. Its service
//! time counts from its first read. A read inside a transaction begins when the previous read ends: it has no intended start, so
//! reads have a service time only.
#![forbid(unsafe_code)]

mod address;
mod aerospike;
mod channel;
mod cluster;
#[cfg(test)]
mod cluster_tests;
mod command;
mod connection;
pub mod drivers;
mod insert_frontier;
mod integrity;
mod lengths;
mod life_cycle;
mod marker;
mod objects;
mod postgres;
mod programs;
mod protocol;
mod redis;
mod server_address;
mod server_session;
mod socket;
pub mod stage;
pub mod store;
mod store_driver;
mod store_stage;
mod stream;
pub mod tls;
#[cfg(test)]
mod tls_tests;
#[cfg(test)]
mod trial;
