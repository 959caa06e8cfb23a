//! Commands of engines: the kinds of operations, and single operations.

use runner::Session;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Read,
    LargeBlockRead,
    LargeBlockWrite,
    Write,
    /// Reads large blocks in sequence, as ACT's tomb raider does.
    Sweep,
}

impl Kind {
    /// All kinds, in the order of their series.
    pub const ALL: [Self; 5] = [Self::Read, Self::LargeBlockRead, Self::LargeBlockWrite, Self::Write, Self::Sweep];

    /// Returns the name on the wire.
    pub fn operation(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::LargeBlockRead => "large-block-read",
            Self::LargeBlockWrite => "large-block-write",
            Self::Write => "write",
            Self::Sweep => "tomb-raider-read",
        }
    }

    /// Returns whether the operation writes to the device.
    pub fn writes(self) -> bool {
        matches!(self, Self::LargeBlockWrite | Self::Write)
    }

    /// Returns whether the operation transfers a large block.
    pub fn is_large(self) -> bool {
        matches!(self, Self::LargeBlockRead | Self::LargeBlockWrite | Self::Sweep)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    pub kind: Kind,
    /// Index of the device among the opened files.
    pub device: u16,
    pub bytes: u32,
    /// Number among the operations of its kind and device: 0, 1, …
    pub number: u64,
    pub offset_bytes: u64,
}

/// A command with the lane that it belongs to.
pub type Request = runner::Request<Command>;
pub type Completion = runner::Completion<Command>;
/// An engine: created before the run, started with it, used by one thread.
pub type Engine = dyn Session<Command = Command>;
