//! Commands, the same for every driver.

/// One command of a session; the protocol turns it into bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// One object, or one of its fields.
    Read {
        /// Number of the key.
        key: u64,
        /// Number among all operations of its kind; fields and made-up latencies follow from it.
        number: u64,
    },
    /// Several objects in one request; their keys are drawn from numbers `number`, `number + 1`, …
    ReadMany {
        /// Number of the first read.
        number: u64,
        /// How many objects.
        count: u32,
    },
    /// Those of several objects that lie on one node of a cluster. Made by the cluster session alone.
    ReadOf {
        /// Number of the first read of all.
        number: u64,
        /// Objects of all.
        count: u32,
        /// How many of them lie there.
        sent: u32,
        /// Which node.
        node: u16,
        /// By which of the maps that say who has what.
        map: u16,
    },
    /// Writes an object that is there, or one of its fields, anew.
    Update {
        /// Number of the key.
        key: u64,
        /// As of a read; the new content follows from it.
        number: u64,
    },
    /// The next object behind all that are there.
    Insert {
        /// As of a read.
        number: u64,
    },
    /// So many objects in the order of their keys, from one on.
    Scan {
        /// Number of the first key.
        key: u64,
        /// As of a read.
        number: u64,
        /// How many, where there are so many.
        count: u32,
    },
    /// What is left of a scan once its index was read. Made by the session alone.
    ScanRest {
        /// As of the scan.
        number: u64,
    },
    /// An object with its first content.
    Load {
        /// Number of the key.
        key: u64,
    },
}

impl Command {
    /// Returns the number among all operations of its kind.
    #[must_use]
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

/// One command, and whose it is.
pub type Request = runner::Request<Command>;
/// One command that ended.
pub type Completion = runner::Completion<Command>;
