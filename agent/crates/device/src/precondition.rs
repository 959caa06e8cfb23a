//! Preparation of a device before its first test, as by ACT's `act_prep`: zeros over all of it, so that the drive's mapping covers
//! every block, then random data, which cannot be compressed or deduplicated.
//!
//! The caller stores the progress, so that an interrupted preparation can continue.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use measure::series::{StopFlag, WorkloadError};
use serde::{Deserialize, Serialize};

use crate::aligned::AlignedBytes;
use crate::content::Content;
use crate::drive::device_size_bytes;
use crate::safety::{self, Consent};

const STEP_BYTES: usize = 4 << 20;
/// Number of progress reports per phase.
const STEPS: u64 = 100;
/// Seed of the random data. It is a constant because one seed in 30,000 begins with the two bytes of a partition table or of ext4;
/// later checks would then refuse the device.
const SALT_SEED: u64 = 30;

/// Phases of a preparation, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Discards the content of the drive (TRIM).
    Trim,
    Zero,
    /// Writes random data.
    Salt,
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    pub phase: Phase,
    /// Bytes of the current phase that are complete.
    pub position_bytes: u64,
    pub size_bytes: u64,
}

/// Prepares `path`, continuing at `from` if it is given for a device of this size. Calls `keep` with the progress after each per
/// cent, once that part is durable on the device. Fails if the device may not be written to, writing fails, `keep` fails, or
/// `stop` was set.
pub fn prepare(
    path: &Path,
    consent: &Consent,
    trim: bool,
    from: Option<Progress>,
    keep: &mut dyn FnMut(Progress) -> Result<(), WorkloadError>,
    stop: &StopFlag,
) -> Result<(), WorkloadError> {
    let file = safety::open_for_writing(path, consent, true)?;
    let size_bytes = device_size_bytes(path)?;
    let first = if trim { Phase::Trim } else { Phase::Zero };
    let start = Progress { phase: first, position_bytes: 0, size_bytes };
    let mut at = from.filter(|from| from.size_bytes == size_bytes).unwrap_or(start);
    let failed = |what: &str, error: std::io::Error| WorkloadError(format!("{}: {what}: {error}", path.display()));
    if at.phase == Phase::Trim {
        crate::smart::discard(&file, size_bytes).map_err(|error| failed("cannot be trimmed", error))?;
        at = Progress { phase: Phase::Zero, position_bytes: 0, size_bytes };
        keep(at)?;
    }
    for (phase, next) in [(Phase::Zero, Phase::Salt), (Phase::Salt, Phase::Done)] {
        if at.phase == phase {
            write_over(&file, &mut at, keep, stop).map_err(|error| failed("cannot be written to", error))??;
            file.sync_all().map_err(|error| failed("cannot be written to", error))?;
            at = Progress { phase: next, position_bytes: 0, size_bytes };
            keep(at)?;
        }
    }
    Ok(())
}

fn write_over(
    file: &File,
    at: &mut Progress,
    keep: &mut dyn FnMut(Progress) -> Result<(), WorkloadError>,
    stop: &StopFlag,
) -> std::io::Result<Result<(), WorkloadError>> {
    let mut memory = AlignedBytes::new(STEP_BYTES);
    // Only whole pages: the rest at the end is smaller than any read.
    let end_bytes = at.size_bytes / 4096 * 4096;
    let share = (end_bytes / STEPS).max(1);
    let mut reported = at.position_bytes / share;
    while at.position_bytes < end_bytes {
        let length = usize::try_from(end_bytes - at.position_bytes).unwrap_or(STEP_BYTES).min(STEP_BYTES);
        let bytes = &mut memory.as_mut_slice()[..length];
        if at.phase == Phase::Salt {
            Content::incompressible(SALT_SEED).fill(bytes, 30, at.position_bytes);
        }
        file.write_all_at(bytes, at.position_bytes)?;
        at.position_bytes += length as u64;
        if at.position_bytes / share > reported || stop.is_stopped() {
            reported = at.position_bytes / share;
            file.sync_data()?;
            if let Err(error) = keep(*at) {
                return Ok(Err(error));
            }
        }
        if stop.is_stopped() {
            return Ok(Err(WorkloadError("stopped; the next call goes on from here".into())));
        }
    }
    Ok(Ok(()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;
    use std::process::Command;

    use super::*;
    use crate::safety::loop_device::Loop;

    #[test]
    fn a_device_that_was_cut_off_goes_on_where_it_was() {
        let file = tempfile::tempfile().expect("temporary file");
        let size_bytes = 40 << 20;
        file.write_all_at(&vec![9; 40 << 20], 0).expect("written");
        let (stop, mut kept) = (StopFlag::default(), Vec::new());
        let mut at = Progress { phase: Phase::Zero, position_bytes: 0, size_bytes };
        let stopping = stop.clone();
        let mut keep = |progress: Progress| {
            kept.push(progress);
            if progress.position_bytes >= 16 << 20 {
                stopping.stop();
            }
            Ok(())
        };
        let cut = write_over(&file, &mut at, &mut keep, &stop).expect("written").expect_err("stopped");
        assert!(cut.0.contains("goes on from here"));
        let last = *kept.last().expect("kept");
        assert_eq!(last, at);
        let mut content = vec![0; 40 << 20];
        file.read_exact_at(&mut content, 0).expect("readable");
        let done = usize::try_from(last.position_bytes).expect("small");
        assert!(content[..done].iter().all(|byte| *byte == 0) && content[done..].iter().all(|byte| *byte == 9));
        let mut quiet = |_: Progress| Ok(());
        write_over(&file, &mut at, &mut quiet, &StopFlag::default()).expect("written").expect("done");
        let mut salt = Progress { phase: Phase::Salt, position_bytes: 0, size_bytes };
        file.read_exact_at(&mut content, 0).expect("readable");
        assert!(content.iter().all(|byte| *byte == 0));
        write_over(&file, &mut salt, &mut quiet, &StopFlag::default()).expect("written").expect("done");
        file.read_exact_at(&mut content, 0).expect("readable");
        let mut pages: Vec<&[u8]> = content.chunks(4096).collect();
        pages.sort_unstable();
        pages.dedup();
        assert_eq!(pages.len(), 40 * 256, "no page is zeros, none occurs twice");
    }

    const MIB: u64 = 1 << 20;

    #[test]
    fn a_trimmed_device_gives_its_blocks_back_and_is_then_written_over_twice() {
        let folder = tempfile::tempdir().expect("a folder");
        let (image, list) = (folder.path().join("image"), folder.path().join("allowed"));
        std::fs::write(&image, vec![9; 32 << 20]).expect("written");
        File::open(&image).expect("there").sync_all().expect("written");
        let Some(device) = Loop::over(&image) else { return };
        let path = Path::new(&device.0);
        let allocated = || std::fs::metadata(&image).expect("there").blocks() * 512;
        let held = || std::fs::read(&image).expect("readable");
        let consent = Consent { serials: vec![device.serial(32 * MIB)], allow_list: list.clone() };
        let mut nothing = |_: Progress| panic!("nothing was done");
        let refused = prepare(path, &consent, true, None, &mut nothing, &StopFlag::default()).expect_err("refused");
        assert!(refused.0.contains("the list of allowed devices"), "{}", refused.0);
        std::fs::write(&list, device.serial(32 * MIB)).expect("written");
        let stranger = Consent { serials: vec!["S1".into()], ..consent.clone() };
        let refused = prepare(path, &stranger, true, None, &mut nothing, &StopFlag::default()).expect_err("refused");
        assert!(refused.0.contains("--confirm-serial"), "{}", refused.0);
        assert!(allocated() >= 32 * MIB && held().iter().all(|byte| *byte == 9));
        let (mut steps, mut salted) = (Vec::new(), false);
        let mut keep = |progress: Progress| {
            match (progress.phase, progress.position_bytes) {
                (Phase::Zero, 0) => {
                    assert!(allocated() < 2 * MIB, "{} bytes are still allocated", allocated());
                    assert!(held().iter().all(|byte| *byte == 0));
                }
                (Phase::Salt, 0) => {
                    assert!(allocated() >= 32 * MIB, "zeros were written, not left out");
                    assert!(held().iter().all(|byte| *byte == 0));
                    salted = true;
                }
                _ => {}
            }
            steps.push(progress.phase);
            Ok(())
        };
        prepare(path, &consent, true, None, &mut keep, &StopFlag::default()).expect("prepared");
        assert!(salted && steps.first() == Some(&Phase::Zero) && steps.last() == Some(&Phase::Done));
        let bytes = held();
        let mut pages: Vec<&[u8]> = bytes.chunks(4096).collect();
        pages.sort_unstable();
        pages.dedup();
        assert_eq!(pages.len(), 32 * 256, "no page is zeros, none occurs twice");
        safety::open_for_writing(path, &consent, true).expect("the random data resembles no file system");
    }

    #[test]
    fn what_is_mounted_is_not_trimmed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (image, mount, list) =
            (folder.path().join("image"), folder.path().join("mount"), folder.path().join("allowed"));
        File::create(&image).expect("created").set_len(32 * MIB).expect("sized");
        let Some(device) = Loop::over(&image) else { return };
        std::fs::create_dir(&mount).expect("created");
        std::fs::write(&list, device.serial(32 * MIB)).expect("written");
        let run = |program: &str, arguments: &[&str]| {
            Command::new(program).args(arguments).status().is_ok_and(|status| status.success())
        };
        let place = mount.to_string_lossy();
        if !run("mkfs.ext4", &["-q", "-F", &device.0]) || !run("mount", &[&device.0, &place]) {
            eprintln!("nothing can be mounted here: not tried");
            return;
        }
        std::fs::write(mount.join("mine"), "precious").expect("written");
        let consent = Consent { serials: vec![device.serial(32 * MIB)], allow_list: list };
        let mut nothing = |_: Progress| panic!("nothing was done");
        let result = prepare(Path::new(&device.0), &consent, true, None, &mut nothing, &StopFlag::default());
        run("umount", &[&place]);
        let mounted_again = run("mount", &[&device.0, &place]);
        let own_file = std::fs::read_to_string(mount.join("mine"));
        run("umount", &[&place]);
        assert!(result.as_ref().is_err_and(|error| error.0.contains("is mounted at")), "{result:?}");
        assert!(mounted_again && own_file.is_ok_and(|text| text == "precious"));
    }
}
