//! Commands of a session, the same for every driver.

/// A command of a session, which the protocol of the server encodes. `number` is the index of the operation in its flow, from which
/// fields, new contents and simulated latencies derive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Reads an object or one of its fields.
    Read { key: u64, number: u64 },
    /// Reads several objects in one request. Their keys are drawn for the reads `number`, `number + 1`, …
    ReadMany { number: u64, count: u32 },
    /// Reads those `sent` objects of a [`Command::ReadMany`] that belong to a single node of a cluster by the partition map number
    /// `map`. Only the cluster session creates it.
    ReadOf { number: u64, count: u32, sent: u32, node: u16, map: u16 },
    /// Overwrites an existing object or one of its fields.
    Update { key: u64, number: u64 },
    /// Inserts the object with the next free key.
    Insert { number: u64 },
    /// Reads up to `count` objects in the order of their keys, from `key` on.
    Scan { key: u64, number: u64, count: u32 },
    /// Reads the records of a scan after its index was read. Only the session creates it.
    ScanRest { number: u64 },
    /// Writes an object with its initial content.
    Load { key: u64 },
}

impl Command {
    /// Returns the index of the operation in its flow; for a load, the key.
    pub fn number(&self) -> u64 {
        match *self {
            Self::Read { number, .. }
            | Self::ReadMany { number, .. }
            | Self::ReadOf { number, .. }
            | Self::Update { number, .. }
            | Self::Scan { number, .. }
            | Self::ScanRest { number }
            | Self::Insert { number } => number,
            Self::Load { key } => key,
        }
    }
}

/// A command with its lane, unit and times.
pub type Request = runner::Request<Command>;
pub type Completion = runner::Completion<Command>;
