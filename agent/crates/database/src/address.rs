//! Addresses of sockets, and the protocols of servers.

use std::fmt;

use serde::Serialize;

/// The address of a listening socket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    Internet(String, u16),
    /// A socket in the file system.
    Local(String),
}

/// The protocol of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Driver {
    /// Redis or Valkey.
    Redis,
    Postgres,
    Aerospike,
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Internet(host, port) if host.contains(':') => write!(formatter, "[{host}]:{port}"),
            Self::Internet(host, port) => write!(formatter, "{host}:{port}"),
            Self::Local(path) => write!(formatter, "unix:{path}"),
        }
    }
}
