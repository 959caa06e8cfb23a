//! The drives of a run as the runner's target: a session over all of them for each thread, and detection of lost drives.

use std::fs::File;
use std::path::PathBuf;

use measure::series::WorkloadError;
use runner::{Session, Target};

use crate::command::Command;
use crate::drive::{self, Drive};
use crate::engine;
use crate::engine::settings::{EngineChoice, Sizes};

pub struct Drives {
    /// Opened drives; empty for the null engine.
    pub opened: Vec<Drive>,
    pub paths: Vec<PathBuf>,
    pub engine: EngineChoice,
    pub sizes: Sizes,
}

impl Target for Drives {
    type Command = Command;

    fn open(&self, _: usize) -> Result<Box<dyn Session<Command = Command>>, WorkloadError> {
        let files: Vec<&File> = self.opened.iter().map(|drive| &drive.file).collect();
        engine::open(self.engine, &files, self.sizes)
    }

    fn lost(&self, command: &Command, code: i32, is_check_due: bool) -> Option<String> {
        let index = usize::from(command.device);
        let presence = self.opened.get(index).and_then(|drive| drive.presence.as_deref()).filter(|_| is_check_due);
        drive::lost(self.paths.get(index)?, presence, command.kind.operation(), code)
    }
}
