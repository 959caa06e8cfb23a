//! Atomic writing of small files, the names of segments, and errors of a spool.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::ledger::Kind;
use crate::messages::EncodingError;

/// File name of the record of ticks that were left out.
pub const OMITTED_FILE: &str = "left-out.json";
/// File name of the marker of a run that is sent only on request.
pub const HELD_FILE: &str = "held";

#[derive(Debug, thiserror::Error)]
pub enum SpoolError {
    /// A file or folder could not be used; `action` is what was attempted, such as "cannot read".
    #[error("{action} {path}: {source}", path = path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error(
        "the spool in {path} has reached its limit of {limit_bytes} bytes; send what it holds (`tailroom-agent drain`), \
         or allow more with --spool-limit-mib",
        path = path.display()
    )]
    Full { path: PathBuf, limit_bytes: u64 },
    /// An earlier append failed; a later one would leave a gap.
    #[error("the spool in {path} takes nothing more since an earlier write failed", path = path.display())]
    Closed { path: PathBuf },
    #[error("{path} is in use by another agent, which is still measuring or sending this run", path = path.display())]
    InUse { path: PathBuf },
    #[error("{path} already exists; a run is measured once: choose another run id, or drain this run", path = path.display())]
    Exists { path: PathBuf },
    /// A file of the spool has invalid content, or is missing.
    #[error("{path} cannot be read: {reason}", path = path.display())]
    Unreadable { path: PathBuf, reason: String },
    #[error(transparent)]
    Encoding(#[from] EncodingError),
}

impl SpoolError {
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}

/// Writes a JSON file atomically and durably: readers, also after a power failure, see either the old or the new content.
pub fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), SpoolError> {
    write_file(path, &json_bytes(path, value)?)
}

/// Replaces a JSON file atomically, as [`write_json`]; until [`sync_folder_of`] a power failure can bring the old content back.
pub fn replace_json<T: Serialize>(path: &Path, value: &T) -> Result<(), SpoolError> {
    replace(path, &json_bytes(path, value)?)
}

fn json_bytes<T: Serialize>(path: &Path, value: &T) -> Result<Vec<u8>, SpoolError> {
    serde_json::to_vec_pretty(value)
        .map_err(|error| SpoolError::Unreadable { path: path.to_owned(), reason: error.to_string() })
}

/// Writes a file atomically and durably: under a temporary name first, then renamed.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), SpoolError> {
    replace(path, bytes)?;
    sync_folder_of(path)
}

fn replace(path: &Path, bytes: &[u8]) -> Result<(), SpoolError> {
    let beside = path.with_extension("new");
    let mut file = File::create(&beside).map_err(SpoolError::io("cannot create", &beside))?;
    file.write_all(bytes).map_err(SpoolError::io("cannot write", &beside))?;
    file.sync_data().map_err(SpoolError::io("cannot make durable", &beside))?;
    fs::rename(&beside, path).map_err(SpoolError::io("cannot replace", path))
}

/// Makes the entries of the folder of `path` durable.
pub fn sync_folder_of(path: &Path) -> Result<(), SpoolError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(SpoolError::io("cannot make durable", folder))
}

/// Reads a JSON file; returns `None` if it does not exist.
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

/// Reads a JSON file; a missing file is an error.
pub fn read_json_required<T: DeserializeOwned>(path: &Path) -> Result<T, SpoolError> {
    read_json(path)?.ok_or_else(|| SpoolError::Unreadable {
        path: path.to_owned(),
        reason: "it does not exist; the run was not fully begun, its folder can be deleted".to_owned(),
    })
}

const SUFFIXES: [(Kind, &str); 2] = [(Kind::Ticks, "-ticks.segment"), (Kind::Lasting, ".segment")];

pub fn segment_path(folder: &Path, no: u64, kind: Kind) -> PathBuf {
    let ending = SUFFIXES.into_iter().find_map(|(of, ending)| (of == kind).then_some(ending)).unwrap_or_default();
    folder.join(format!("{no:06}{ending}"))
}

/// Returns the segments in a folder in ascending order of their numbers; the result is empty if the folder does not exist.
pub fn segments_in(folder: &Path) -> Result<Vec<(u64, Kind)>, SpoolError> {
    let segment_of = |name: String| {
        SUFFIXES.into_iter().find_map(|(kind, ending)| Some((name.strip_suffix(ending)?.parse().ok()?, kind)))
    };
    let mut segments: Vec<_> = names_in(folder)?.into_iter().filter_map(segment_of).collect();
    segments.sort_unstable_by_key(|(no, _)| *no);
    Ok(segments)
}

/// Returns the names in a folder; the result is empty if the folder does not exist.
pub fn names_in(folder: &Path) -> Result<Vec<String>, SpoolError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.and_then(Iterator::collect::<io::Result<Vec<_>>>),
    };
    let entries = entries.map_err(SpoolError::io("cannot read", folder))?;
    Ok(entries.into_iter().filter_map(|entry| entry.file_name().into_string().ok()).collect())
}

/// Returns the highest number of a segment in a folder, 0 if there is none.
pub fn last_number(folder: &Path) -> Result<u64, SpoolError> {
    Ok(segments_in(folder)?.last().map_or(0, |(no, _)| *no))
}
