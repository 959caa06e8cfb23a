//! Servers and proxies that tests start on loopback; no product crate depends on them.
#![forbid(unsafe_code)]
#![expect(missing_docs, reason = "names say what a test needs to know")]

pub mod aerospike;
pub mod postgres;
pub mod stalling_proxy;
pub mod tls_proxy;
pub mod valkey;
