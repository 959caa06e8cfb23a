//! Measuring a database: transactions of many sequential reads, begun at a constant rate whatever the server does.
//!
//! A transaction's response time counts from its intended start, so that waiting for a free connection is part of it; its
//! service time counts from its first read. A read inside a transaction begins when the read before it ended: no
//! schedule says when it was intended, so reads have a service time only.
#![forbid(unsafe_code)]

mod address;
mod aerospike_client;
mod aerospike_cluster;
mod aerospike_login;
mod aerospike_partitions;
mod aerospike_protocol;
#[cfg(test)]
mod aerospike_server;
mod aerospike_store;
mod aerospike_wire;
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
mod objects;
mod postgres_client;
mod postgres_greeting;
mod postgres_protocol;
#[cfg(test)]
mod postgres_server;
mod postgres_store;
mod postgres_wire;
mod programs;
mod protocol;
mod redis_client;
mod redis_cluster;
mod redis_protocol;
mod redis_requests;
mod redis_router;
mod redis_store;
#[cfg(test)]
mod redis_tests;
mod resp;
mod server_session;
mod slots;
mod socket;
pub mod stage;
#[cfg(test)]
mod stalling_proxy;
pub mod store;
mod store_stage;
mod stream;
pub mod tls;
#[cfg(test)]
mod tls_proxy;
#[cfg(test)]
mod tls_tests;
#[cfg(test)]
mod trial;
#[cfg(test)]
mod valkey;
