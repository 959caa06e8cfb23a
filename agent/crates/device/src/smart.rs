//! Temperature, wear and bytes written of a drive, from the kernel's sensors, the health log page (NVM Express base specification,
//! log page 02h) and the log page of data centre drives (Open Compute Project, Datacenter `NVMe` SSD specification, log page C0h).
//! If a value is not available, the reason is returned.
#![expect(unsafe_code, reason = "TRIM is a system call on an address")]

use std::fs::{self, File};
use std::io;
use std::ops::RangeInclusive;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use crate::counters::Values;
use crate::counters::pages::{self, PAGE_BYTES};
use crate::nvme;

const HEALTH_PAGE: u32 = 0x02;
const DATA_CENTRE_PAGE: u32 = 0xc0;
const DISCARD: libc::Ioctl = 0x1277;
/// Range of plausible temperatures in thousandths of a degree Celsius, as in the backend: drives without a sensor report 0 K.
const POSSIBLE_MILLICELSIUS: RangeInclusive<i64> = -100_000..=200_000;

/// Returns the counters of the health page, see [`pages::health`]. Fails if the path is no `NVMe` drive or may not be accessed.
pub fn nvme_health(path: &Path) -> io::Result<Values> {
    pages::health(&nvme::log_page::<PAGE_BYTES>(path, HEALTH_PAGE)?).map_err(io::Error::other)
}

/// Returns the number of bytes that an `NVMe` drive wrote to its flash, including data that it moved by itself.
pub fn nvme_media_written_bytes(path: &Path) -> io::Result<u128> {
    media_written_bytes(&nvme::log_page(path, DATA_CENTRE_PAGE)?)
}

fn media_written_bytes(page: &[u8; PAGE_BYTES]) -> io::Result<u128> {
    let unsupported = |reason: String| io::Error::new(io::ErrorKind::Unsupported, reason);
    let values = pages::extended_health(page).map_err(unsupported)?;
    let bytes = values.get("extended.media_written_bytes").copied();
    bytes.map(u128::from).ok_or_else(|| unsupported("the count of page C0h cannot be".to_owned()))
}

/// Returns the temperature of a block device in degrees Celsius from a sensor of the kernel (drivers `nvme` and `drivetemp`).
pub fn temperature_c(sys_block: &Path, name: &str) -> Option<f64> {
    temperature_millicelsius(sys_block, name).map(|milli| milli as f64 / 1_000.0)
}

/// Returns the temperature in thousandths of a degree Celsius, as the kernel reports it; see [`temperature_c`].
pub fn temperature_millicelsius(sys_block: &Path, name: &str) -> Option<i64> {
    let device = sys_block.join(name).join("device");
    let folders = [device.clone(), device.join("hwmon")];
    let sensors = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut inputs = sensors
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("hwmon"))
        .filter_map(|entry| fs::read_to_string(entry.path().join("temp1_input")).ok());
    inputs.find_map(|text| text.trim().parse().ok()).filter(|milli| POSSIBLE_MILLICELSIUS.contains(milli))
}

/// Returns the name of the whole disk of a block device, partition or file; for a file that does not exist, that of its folder.
/// Returns `None` if the path is not on a single disk (memory, network, several disks).
pub fn disk_of(sys: &Path, path: &Path) -> Option<String> {
    let existing = path.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
    let data = fs::metadata(existing).ok()?;
    let number = if data.file_type().is_block_device() { data.rdev() } else { data.dev() };
    let numbers = format!("{}:{}", rustix::fs::major(number), rustix::fs::minor(number));
    let path = fs::canonicalize(sys.join("dev/block").join(numbers)).ok()?;
    let disk = if path.join("partition").exists() { path.parent()? } else { &path };
    Some(disk.file_name()?.to_str()?.to_owned())
}

/// Discards the contents of a block device (TRIM).
pub(crate) fn discard(file: &File, size_bytes: u64) -> io::Result<()> {
    let range = [0_u64, size_bytes / 4096 * 4096];
    // SAFETY: the kernel reads two numbers from `range`, which outlives the call.
    let status = unsafe { libc::ioctl(file.as_raw_fd(), DISCARD, range.as_ptr()) };
    if status == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_marked_page_tells_what_was_written_to_the_flash() {
        let mut page = [0; PAGE_BYTES];
        page[..4].copy_from_slice(&[0, 0, 0, 2]);
        assert_eq!(media_written_bytes(&page).expect_err("a vendor's page").kind(), io::ErrorKind::Unsupported);
        page[496..].copy_from_slice(&[
            0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4, 0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf,
        ]);
        assert_eq!(media_written_bytes(&page).expect("marked"), 2 << 24);
    }

    #[test]
    fn what_is_no_nvme_drive_says_so() {
        let file = tempfile::NamedTempFile::new().expect("temporary file");
        assert!(nvme_health(file.path()).is_err());
        assert!(nvme_health(Path::new("/no/drive")).is_err());
    }

    #[test]
    fn sensors_are_found_where_both_drivers_put_them() {
        let folder = tempfile::tempdir().expect("temporary folder");
        for (name, path, text) in [
            ("nvme0n1", "device/hwmon3", "38850\n"),
            ("sda", "device/hwmon/hwmon1", "31000\n"),
            ("sdc", "device/hwmon2", "-273150\n"),
        ] {
            let path = folder.path().join(name).join(path);
            fs::create_dir_all(&path).expect("created");
            fs::write(path.join("temp1_input"), text).expect("written");
        }
        let of = |name| temperature_c(folder.path(), name).map(|celsius| format!("{celsius:.2}"));
        assert_eq!((of("nvme0n1"), of("sda"), of("sdb")), (Some("38.85".into()), Some("31.00".into()), None));
        assert_eq!(of("sdc"), None, "colder than anything is");
    }
}
