//! Servers and proxies that tests start on loopback; no product crate depends on them.
#![forbid(unsafe_code)]

use std::net::TcpListener;

pub mod aerospike;
pub mod postgres;
pub mod stalling_proxy;
pub mod tls_proxy;
pub mod valkey;

/// Returns different free ports on loopback.
fn free_ports<const N: usize>() -> [u16; N] {
    let listeners = [(); N].map(|()| TcpListener::bind("127.0.0.1:0").expect("a free port"));
    listeners.map(|listener| listener.local_addr().expect("bound").port())
}
