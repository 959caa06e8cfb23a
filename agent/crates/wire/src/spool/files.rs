//! Small files that are there whole or not at all, and the names of segments.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::SpoolError;

/// Writes a JSON file so that a reader, or a restart after a power cut, sees the old or the new content.
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), SpoolError> {
    let text = serde_json::to_vec_pretty(value)
        .map_err(|error| SpoolError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
    write_whole(path, &text)
}

/// Writes a file beside its place, makes it durable, and moves it there.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), SpoolError> {
    let beside = path.with_extension("new");
    let mut file = File::create(&beside).map_err(SpoolError::io("cannot create", &beside))?;
    file.write_all(bytes).map_err(SpoolError::io("cannot write", &beside))?;
    file.sync_data().map_err(SpoolError::io("cannot make durable", &beside))?;
    fs::rename(&beside, path).map_err(SpoolError::io("cannot replace", path))?;
    sync_folder_of(path)
}

/// Makes the names in the folder of `path` durable.
pub fn sync_folder_of(path: &Path) -> Result<(), SpoolError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(SpoolError::io("cannot make durable", folder))
}

/// Reads a JSON file; `None` when it does not exist.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, SpoolError> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(SpoolError::io("cannot read", path)(error)),
    };
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|error| SpoolError::Unreadable { path: path.to_owned(), reason: error.to_string() })
}

/// Reads a JSON file that must be there.
pub fn read_json_required<T: DeserializeOwned>(path: &Path) -> Result<T, SpoolError> {
    read_json(path)?.ok_or_else(|| SpoolError::Unreadable {
        path: path.to_owned(),
        reason: "it does not exist; the run was not fully begun, its folder can be deleted".to_owned(),
    })
}

/// Path of a segment.
pub fn segment_path(folder: &Path, no: u64) -> PathBuf {
    folder.join(format!("{no:06}.segment"))
}

/// Numbers of the segments in a folder, ascending; none when the folder does not exist.
pub fn segment_numbers(folder: &Path) -> Result<Vec<u64>, SpoolError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(SpoolError::io("cannot read", folder)(error)),
    };
    let mut numbers = Vec::new();
    for entry in entries {
        let entry = entry.map_err(SpoolError::io("cannot read", folder))?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(".segment")).map(str::parse::<u64>);
        numbers.extend(number.and_then(Result::ok));
    }
    numbers.sort_unstable();
    Ok(numbers)
}
