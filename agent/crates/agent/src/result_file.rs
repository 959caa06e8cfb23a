//! The result file of one run, readable without a backend: one JSON object a line, in the terms of the wire contract
//! (`docs/contracts/wire.md`).
//!
//! The announcement comes first, then the series, then the intervals as they are written to the spool, last the finish. If the
//! file can no longer be written, it ends there; the run and its spool continue.

use std::fs::{File, OpenOptions, remove_file};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use measure::series::{Interval, SeriesDefinition};
use serde::Serialize;
use wire::messages::{Announcement, Finish};

use crate::lock::locked;

/// Version of the format; readers interpret the lines by it.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct First<'a> {
    tailroom_agent_result: u32,
    announce: &'a Announcement,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Line<'a> {
    Series(&'a [SeriesDefinition]),
    Intervals(Vec<Interval>),
    Finish(&'a Finish),
}

/// Returns the path for one of several result files: `run.ndjson` becomes `run-P1.ndjson`.
pub fn named(path: &Path, phase: &str) -> PathBuf {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let kind = path.extension().map(|kind| format!(".{}", kind.to_string_lossy())).unwrap_or_default();
    let phase: String = phase.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
    path.with_file_name(format!("{name}-{phase}{kind}"))
}

#[derive(Debug)]
pub struct ResultFile {
    pub path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// `None` after the first failure, so that the written part has no gaps.
    file: Option<BufWriter<File>>,
    begun: bool,
    finished: bool,
}

impl ResultFile {
    /// Creates the file; an existing file is never overwritten. Unless [`Self::begin`] is called, dropping this removes the file.
    pub fn create(path: &Path) -> Result<Self, String> {
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| {
            if error.kind() == io::ErrorKind::AlreadyExists {
                format!("result file: {} exists already and is not written over; give another name", path.display())
            } else {
                format!("result file: cannot create {}: {error}", path.display())
            }
        })?;
        let state = State { file: Some(BufWriter::new(file)), begun: false, finished: false };
        Ok(Self { path: path.to_owned(), state: Mutex::new(state) })
    }

    /// Writes the announcement and the series. Fails if the file cannot be written; later calls then write and report nothing.
    pub fn begin(&self, announcement: &Announcement, series: &[SeriesDefinition]) -> Result<(), String> {
        let mut state = locked(&self.state);
        state.begun = true;
        self.write(&mut state, &First { tailroom_agent_result: VERSION, announce: announcement })?;
        self.write(&mut state, &Line::Series(series))
    }

    /// Writes intervals; the operating system has them when this returns.
    pub fn append(&self, intervals: Vec<Interval>) -> Result<(), String> {
        self.write(&mut locked(&self.state), &Line::Intervals(intervals))
    }

    /// Writes the finish; the whole file is durable when this returns.
    pub fn finish(&self, finish: &Finish) -> Result<(), String> {
        let mut state = locked(&self.state);
        self.write(&mut state, &Line::Finish(finish))?;
        let Some(file) = state.file.take() else { return Ok(()) };
        file.get_ref().sync_all().map_err(|error| self.failed(&error))?;
        state.finished = true;
        Ok(())
    }

    /// Returns whether the file holds everything from the announcement to the finish.
    pub fn is_whole(&self) -> bool {
        locked(&self.state).finished
    }

    fn write(&self, state: &mut State, line: &impl Serialize) -> Result<(), String> {
        let Some(file) = state.file.as_mut() else { return Ok(()) };
        let written = serde_json::to_writer(&mut *file, line)
            .map_err(io::Error::from)
            .and_then(|()| file.write_all(b"\n"))
            .and_then(|()| file.flush());
        written.map_err(|error| {
            // Dropping the buffer would try to write it again.
            if let Some(file) = state.file.take() {
                let _ = file.into_parts();
            }
            self.failed(&error)
        })
    }

    fn failed(&self, error: &io::Error) -> String {
        format!("result file: cannot write {}: {error}; it ends here, the run goes on", self.path.display())
    }
}

impl Drop for ResultFile {
    fn drop(&mut self) {
        if !locked(&self.state).begun {
            let _ = remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;
    use wire::messages::RunOutcome;

    use super::*;

    fn finish() -> Finish {
        let last_seq = [(0, 0)].into();
        Finish {
            outcome: RunOutcome::Completed,
            reason: None,
            duration_ns: 1,
            last_seq,
            drive_counters: None,
            search_ended: None,
        }
    }

    fn announcement() -> Announcement {
        let golden = include_str!("../../../../docs/contracts/golden/announce.json");
        serde_json::from_str(golden).expect("golden")
    }

    #[test]
    fn lines_are_those_of_the_contract_in_their_order() {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("run.ndjson");
        let file = ResultFile::create(&path).expect("a new file");
        file.begin(&announcement(), &[]).expect("writable");
        file.append(Vec::new()).expect("writable");
        assert!(!file.is_whole());
        file.finish(&finish()).expect("writable");
        assert!(file.is_whole());
        let text = fs::read_to_string(&path).expect("a file");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("{\"tailroom_agent_result\":1,\"announce\":{\"run_id\":"), "{}", lines[0]);
        assert_eq!(lines[1..3], ["{\"series\":[]}", "{\"intervals\":[]}"]);
        assert_eq!(
            lines[3],
            "{\"finish\":{\"outcome\":\"completed\",\"reason\":null,\"duration_ns\":1,\"last_seq\":{\"0\":0}}}"
        );
        assert_eq!(lines.len(), 4);
    }

    #[test]
    fn an_existing_file_is_left_alone_and_one_that_never_began_is_removed() {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("run.ndjson");
        drop(ResultFile::create(&path).expect("a new file"));
        assert!(!path.exists());
        fs::write(&path, "mine").expect("writable");
        let refusal = ResultFile::create(&path).expect_err("an existing file");
        assert!(refusal.contains("exists already"), "{refusal}");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "mine");
        let refusal = ResultFile::create(&folder.path().join("no/run.ndjson")).expect_err("no folder");
        assert!(refusal.contains("cannot create"), "{refusal}");
    }

    #[test]
    fn a_full_disk_is_told_once_and_ends_the_file() {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("a device that is always full");
        let state = State { file: Some(BufWriter::new(full)), begun: true, finished: false };
        let file = ResultFile { path: "/dev/full".into(), state: Mutex::new(state) };
        let error = file.begin(&announcement(), &[]).expect_err("no room");
        assert!(error.contains("cannot write /dev/full") && error.contains("the run goes on"), "{error}");
        file.append(Vec::new()).expect("told already");
        file.finish(&finish()).expect("told already");
        assert!(!file.is_whole());
    }
}
