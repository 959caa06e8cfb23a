//! Engines for drive operations: three implementations of the runner's session, and their common conformance tests.

#[cfg(test)]
mod conformance;
mod io_uring;
mod null;
pub(crate) mod polled;
pub mod settings;
pub mod simulated;
mod sync;

use std::fs::File;

use measure::series::WorkloadError;

use crate::command::Engine;
use settings::{EngineChoice, Polling, Sizes};

/// Returns the engine that `choice` selects on this machine.
pub fn resolve(choice: EngineChoice) -> EngineChoice {
    match choice {
        EngineChoice::Auto if io_uring::is_usable() => EngineChoice::IoUring,
        EngineChoice::Auto => EngineChoice::Sync,
        chosen => chosen,
    }
}

/// Returns an engine over open files; the null engine needs none. Fails with a replacement if this machine does not support it.
pub fn open(choice: EngineChoice, files: &[&File], sizes: Sizes) -> Result<Box<Engine>, WorkloadError> {
    if files.is_empty() && choice != EngineChoice::Null {
        return Err(WorkloadError("a drive engine needs an open file".into()));
    }
    let resolved = resolve(choice);
    if let (EngineChoice::Sync, Some(key)) = (resolved, sizes.polling.key()) {
        return Err(WorkloadError(format!("{key} needs io_uring, which is not used here; leave out {key}")));
    }
    if (resolved, sizes.polling) == (EngineChoice::IoUring, Polling::Completions) {
        files.iter().try_for_each(|file| polled::check(file))?;
    }
    Ok(match resolved {
        EngineChoice::Null => Box::new(null::NullEngine::new(sizes.seed)),
        EngineChoice::Sync => Box::new(sync::SyncEngine::new(files, sizes)?),
        EngineChoice::Auto | EngineChoice::IoUring => {
            let mut engine = io_uring::IoUringEngine::new(files, sizes)?;
            if sizes.polling == Polling::Completions {
                engine.try_polling()?;
            }
            Box::new(engine)
        }
    })
}
