//! Checks whether completions of a drive can be polled: its driver must have reserved queues for that, as shown in sysfs.

use std::fs::{self, File};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use measure::series::WorkloadError;

/// Checks that completions can be polled on a file or device. Fails if its drive has no polled queues or cannot be determined.
pub fn check(file: &File) -> Result<(), WorkloadError> {
    let metadata = file.metadata();
    let metadata = metadata.map_err(|error| WorkloadError(format!("io_poll: the device is not known: {error}")))?;
    let device = if metadata.file_type().is_block_device() { metadata.rdev() } else { metadata.dev() };
    of_device((rustix::fs::major(device), rustix::fs::minor(device)), Path::new("/sys")).map_err(WorkloadError)
}

fn of_device((major, minor): (u32, u32), sys: &Path) -> Result<(), String> {
    let link = sys.join(format!("dev/block/{major}:{minor}"));
    let Ok(folder) = link.canonicalize() else {
        return Err(format!(
            "io_poll: the file's drive is not known (the kernel shows no {}); name the block device itself, or leave out \
             io_poll",
            link.display()
        ));
    };
    let drive = if folder.join("partition").exists() { folder.parent().unwrap_or(&folder) } else { &folder };
    let name = drive.file_name().unwrap_or_default().to_string_lossy();
    let shown = format!("/sys/block/{name}/queue/io_poll");
    match fs::read_to_string(drive.join("queue/io_poll")).map(|text| text.trim() == "1") {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!(
            "io_poll: {name} has no polled queues ({shown} is 0), so nothing would be polled; have its driver set some \
             aside (kernel command line nvme.poll_queues=4 or virtio_blk.poll_queues=4, for example), or leave out io_poll"
        )),
        Err(error) => Err(format!("io_poll: {name}: {shown} cannot be read ({error}); leave out io_poll")),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn the_drive_of_a_partition_is_asked_and_named() {
        let sys = tempfile::tempdir().expect("a folder");
        let partition = sys.path().join("block/nvme9n1/nvme9n1p1");
        fs::create_dir_all(&partition).expect("created");
        fs::create_dir_all(sys.path().join("block/nvme9n1/queue")).expect("created");
        fs::create_dir_all(sys.path().join("dev/block")).expect("created");
        fs::write(partition.join("partition"), "1\n").expect("written");
        symlink("../../block/nvme9n1", sys.path().join("dev/block/259:7")).expect("linked");
        symlink("../../block/nvme9n1/nvme9n1p1", sys.path().join("dev/block/259:8")).expect("linked");
        for minor in [7, 8] {
            assert!(of_device((259, minor), sys.path()).expect_err("no such file").contains("cannot be read"));
        }
        let shows = |text| fs::write(sys.path().join("block/nvme9n1/queue/io_poll"), text).expect("written");
        shows("0\n");
        for minor in [7, 8] {
            let sentence = of_device((259, minor), sys.path()).expect_err("refused");
            assert!(sentence.contains("nvme9n1 has no polled queues"), "{sentence}");
            assert!(sentence.contains("/sys/block/nvme9n1/queue/io_poll is 0"), "{sentence}");
            assert!(sentence.contains("nvme.poll_queues=4") && sentence.contains("leave out io_poll"), "{sentence}");
        }
        shows("1\n");
        for minor in [7, 8] {
            assert_eq!(of_device((259, minor), sys.path()), Ok(()));
        }
        assert!(of_device((0, 42), sys.path()).expect_err("refused").contains("dev/block/0:42"));
    }
}
