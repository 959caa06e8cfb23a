//! The words of every engine: which operations there are, and one of them.

use runner::Session;

/// Kind of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One record.
    Read,
    /// One large block.
    LargeBlockRead,
    /// One large block.
    LargeBlockWrite,
    /// One record.
    Write,
    /// One large block, one after the other.
    Sweep,
}

impl Kind {
    /// All, in the order of their series.
    pub const ALL: [Self; 5] = [Self::Read, Self::LargeBlockRead, Self::LargeBlockWrite, Self::Write, Self::Sweep];

    /// Returns name on the wire.
    #[must_use]
    pub fn operation(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::LargeBlockRead => "large-block-read",
            Self::LargeBlockWrite => "large-block-write",
            Self::Write => "write",
            Self::Sweep => "tomb-raider-read",
        }
    }

    /// Returns whether it changes the device.
    #[must_use]
    pub fn writes(self) -> bool {
        matches!(self, Self::LargeBlockWrite | Self::Write)
    }

    /// Returns whether it moves a large block.
    #[must_use]
    pub fn is_large(self) -> bool {
        matches!(self, Self::LargeBlockRead | Self::LargeBlockWrite | Self::Sweep)
    }
}

/// A command for an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// What.
    pub kind: Kind,
    /// Which of the open files.
    pub device: u16,
    /// How many bytes.
    pub bytes: u32,
    /// Number among its kind and device: 0, 1, …
    pub number: u64,
    /// Where in the file.
    pub offset_bytes: u64,
}

/// One command, and whose it is.
pub type Request = runner::Request<Command>;
/// One command that ended.
pub type Completion = runner::Completion<Command>;
/// An engine: made before the run, started with it, used by one thread.
pub type Engine = dyn Session<Command = Command>;
