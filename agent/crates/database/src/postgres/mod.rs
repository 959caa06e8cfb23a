//! The driver of `PostgreSQL`: its messages, a connection that waits, and the store.

pub mod client;
pub mod greeting;
pub mod protocol;
pub mod store;
pub mod wire;
