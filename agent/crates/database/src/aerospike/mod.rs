//! The driver of Aerospike: messages, a blocking connection, partitions of a cluster, and the store.

pub mod client;
pub mod cluster;
pub mod login;
pub mod partitions;
pub mod protocol;
pub mod store;
pub mod wire;
