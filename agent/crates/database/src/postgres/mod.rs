//! The driver of `PostgreSQL`: messages, a blocking connection, and the store.

pub mod client;
pub mod greeting;
pub mod protocol;
pub mod store;
pub mod wire;
