//! The drives of a run as the runner sees them: a session over all of them for each thread, and whether one is gone.

use std::fs::File;
use std::path::PathBuf;

use measure::series::WorkloadError;
use runner::{Session, Target};

use crate::command::Command;
use crate::drive::Drive;
use crate::engine;
use crate::engine::settings::{EngineChoice, Sizes};

/// See the module.
pub struct Drives {
    /// None where latencies are made up.
    pub opened: Vec<Drive>,
    /// What people call them.
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

    fn lost(&self, command: &Command, code: i32, look: bool) -> Option<String> {
        let place = usize::from(command.device);
        let path = self.paths.get(place)?;
        let says_so = matches!(code, libc::ENODEV | libc::ENXIO | libc::ENOMEDIUM | libc::ESHUTDOWN);
        let presence = self.opened.get(place).and_then(|drive| drive.presence.as_ref());
        let is_missing = look && presence.is_some_and(|place| !place.exists());
        if !(says_so || is_missing) {
            return None;
        }
        let (operation, error) = (command.kind.operation(), std::io::Error::from_raw_os_error(code));
        Some(format!("{} is gone: a {operation} failed ({error})", path.display()))
    }
}
