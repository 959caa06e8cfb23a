//! Commands of a session, the same for every driver.

/// A command of a session, which the protocol of the server encodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Reads an object or one of its fields.
    Read {
        key: u64,
        /// Index of the operation in its flow. Fields and simulated latencies derive from it.
        number: u64,
    },
    /// Reads several objects in one request. Their keys are drawn for the reads `number`, `number + 1`, …
    ReadMany {
        /// Index of the first read in its flow.
        number: u64,
        count: u32,
    },
    /// Reads those objects of a [`Command::ReadMany`] that belong to a single node of a cluster. Only the cluster session creates
    /// it.
    ReadOf {
        /// Index of the first read of the whole request in its flow.
        number: u64,
        /// Number of objects of the whole request.
        count: u32,
        /// Number of objects that the node owns.
        sent: u32,
        node: u16,
        /// Number of the partition map that the request was split by.
        map: u16,
    },
    /// Overwrites an existing object or one of its fields.
    Update {
        key: u64,
        /// Index of the operation in its flow. The new content derives from it.
        number: u64,
    },
    /// Inserts the object with the next free key.
    Insert {
        /// Index of the operation in its flow.
        number: u64,
    },
    /// Reads up to `count` objects in the order of their keys, from `key` on.
    Scan {
        key: u64,
        /// Index of the operation in its flow.
        number: u64,
        /// Maximum number of objects.
        count: u32,
    },
    /// Reads the records of a scan after its index was read. Only the session creates it.
    ScanRest {
        /// Index of the scan in its flow.
        number: u64,
    },
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
