//! The driver of Redis and Valkey: messages, a blocking connection, slots of a cluster, and the store.

pub mod client;
pub mod cluster;
pub mod protocol;
pub mod requests;
pub mod resp;
pub mod router;
#[cfg(test)]
mod session_tests;
pub mod slots;
pub mod store;
