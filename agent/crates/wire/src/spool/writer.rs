//! State of the writing side of a spool: the newest segment of each kind.

use std::fs::File;
use std::io::{Seek as _, SeekFrom};

use super::ledger::Kind;

/// The newest segment of one kind.
#[derive(Debug)]
pub struct Tail {
    pub kind: Kind,
    /// `None` before the first append.
    pub file: Option<File>,
    pub no: u64,
    /// Length of the file up to the last complete append, in bytes.
    pub length: u64,
    /// Encoded records that are written next.
    pub buffer: Vec<u8>,
}

impl Tail {
    pub fn new(kind: Kind) -> Self {
        Self { kind, file: None, no: 0, length: 0, buffer: Vec::new() }
    }

    pub fn added(&self) -> u64 {
        self.buffer.len() as u64
    }

    /// Cuts off a partial write, so that no later record follows it.
    pub fn cut_back(&mut self) {
        if let Some(file) = &mut self.file {
            drop(file.set_len(self.length).and_then(|()| file.seek(SeekFrom::Start(self.length))));
        }
    }
}

/// State of the writing side.
#[derive(Debug)]
pub struct Writer {
    pub ticks: Tail,
    pub lasting: Tail,
    pub closed: bool,
}

impl Default for Writer {
    fn default() -> Self {
        Self { ticks: Tail::new(Kind::Ticks), lasting: Tail::new(Kind::Lasting), closed: false }
    }
}
