//! What a drive tells about itself: temperature, wear and bytes written, from the kernel's sensors, from the log page of
//! health (NVM Express base specification, log page 02h) and from that of data centre drives (Open Compute Project,
//! Datacenter `NVMe` SSD specification, log page C0h). What it does not tell comes back with the reason.
#![expect(unsafe_code, reason = "TRIM is a system call on an address")]

use std::fs::{self, File};
use std::io;
use std::ops::RangeInclusive;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::Path;

use crate::counters::pages::{self, PAGE_BYTES};
use crate::nvme;

const HEALTH_PAGE: u32 = 0x02;
const DATA_CENTRE_PAGE: u32 = 0xc0;
const DISCARD: libc::Ioctl = 0x1277;
/// Plausible temperatures: drives without a sensor report 0 K. The backend refuses others too.
const POSSIBLE_MILLICELSIUS: RangeInclusive<i64> = -100_000..=200_000;
/// Unit of the page's counters of data.
const DATA_UNIT_BYTES: u128 = 512_000;

/// What an `NVMe` drive tells about its health.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Health {
    /// Of the drive as a whole; none where it has no sensor.
    pub temperature_c: Option<i32>,
    /// Share of its life that is used up, by its own estimate; may exceed 100.
    pub percentage_used: u8,
    /// Share of spare blocks that is left.
    pub available_spare_pct: u8,
    /// Bit field of warnings; 0: none.
    pub critical_warning: u8,
    /// What the host has written.
    pub host_written_bytes: u128,
    /// What the host has read.
    pub host_read_bytes: u128,
    /// Time that it was on.
    pub power_on_hours: u128,
    /// Errors that it could not correct.
    pub media_errors: u128,
}

/// Asks an `NVMe` drive.
///
/// # Errors
/// When it is no `NVMe` drive, or may not be asked.
pub fn nvme_health(path: &Path) -> io::Result<Health> {
    nvme::log_page(path, HEALTH_PAGE).map(|page| health_of(&page))
}

/// Asks an `NVMe` drive what was written to its flash, what it rewrote by itself included.
///
/// # Errors
/// When it may not be asked, or has no such page.
pub fn nvme_media_written_bytes(path: &Path) -> io::Result<u128> {
    media_written_bytes(&nvme::log_page(path, DATA_CENTRE_PAGE)?)
}

/// Sixteen bytes of a page, the least first.
fn wide(page: &[u8; PAGE_BYTES], at: usize) -> u128 {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&page[at..at + 16]);
    u128::from_le_bytes(bytes)
}

fn media_written_bytes(page: &[u8; PAGE_BYTES]) -> io::Result<u128> {
    let unsupported = |reason: String| io::Error::new(io::ErrorKind::Unsupported, reason);
    let values = pages::extended_health(page).map_err(unsupported)?;
    let bytes = values.get("extended.media_written_bytes").copied();
    bytes.map(u128::from).ok_or_else(|| unsupported("the count of page C0h cannot be".to_owned()))
}

fn health_of(page: &[u8; PAGE_BYTES]) -> Health {
    Health {
        critical_warning: page[0],
        temperature_c: Some(i32::from(u16::from_le_bytes([page[1], page[2]])) - 273)
            .filter(|celsius| POSSIBLE_MILLICELSIUS.contains(&(i64::from(*celsius) * 1_000))),
        available_spare_pct: page[3],
        percentage_used: page[5],
        host_read_bytes: wide(page, 32).saturating_mul(DATA_UNIT_BYTES),
        host_written_bytes: wide(page, 48).saturating_mul(DATA_UNIT_BYTES),
        power_on_hours: wide(page, 128),
        media_errors: wide(page, 160),
    }
}

/// Temperature of a block device from the kernel's sensors (`nvme` and `drivetemp` drivers).
#[must_use]
pub fn temperature_c(sys_block: &Path, name: &str) -> Option<f64> {
    temperature_millicelsius(sys_block, name).map(|milli| milli as f64 / 1_000.0)
}

/// Returns the same in thousandths of a degree, as the kernel reports it.
#[must_use]
pub fn temperature_millicelsius(sys_block: &Path, name: &str) -> Option<i64> {
    let device = sys_block.join(name).join("device");
    let folders = [device.clone(), device.join("hwmon")];
    let sensors = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut inputs = sensors
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("hwmon"))
        .filter_map(|entry| fs::read_to_string(entry.path().join("temp1_input")).ok());
    inputs.find_map(|text| text.trim().parse().ok()).filter(|milli| POSSIBLE_MILLICELSIUS.contains(milli))
}

/// Name of the whole disk that a block device, a partition or a file lies on, for a file that does not exist that of its
/// folder. None where that is no disk of its own (memory, network, several disks).
#[must_use]
pub fn disk_of(sys: &Path, path: &Path) -> Option<String> {
    let existing = path.ancestors().find(|place| place.exists()).unwrap_or(Path::new("."));
    let data = fs::metadata(existing).ok()?;
    let number = if data.file_type().is_block_device() { data.rdev() } else { data.dev() };
    let numbers = format!("{}:{}", rustix::fs::major(number), rustix::fs::minor(number));
    let place = fs::canonicalize(sys.join("dev/block").join(numbers)).ok()?;
    let disk = if place.join("partition").exists() { place.parent()? } else { &place };
    Some(disk.file_name()?.to_str()?.to_owned())
}

/// Discards the content of a block device (TRIM).
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
    fn the_page_is_read_as_the_specification_lays_it_out() {
        let mut page = [0; PAGE_BYTES];
        (page[1], page[2]) = (0x39, 0x01);
        (page[0], page[3], page[5]) = (4, 100, 3);
        page[48..52].copy_from_slice(&2_000_000_u32.to_le_bytes());
        page[32] = 2;
        page[128] = 77;
        page[160] = 1;
        let health = health_of(&page);
        assert_eq!((health.temperature_c, health.percentage_used, health.available_spare_pct), (Some(40), 3, 100));
        assert_eq!((health.host_written_bytes, health.host_read_bytes), (1_024_000_000_000, 1_024_000));
        assert_eq!((health.power_on_hours, health.media_errors, health.critical_warning), (77, 1, 4));
        assert_eq!(health_of(&[0; PAGE_BYTES]).temperature_c, None, "0 K is no temperature");
    }

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
        for (name, place, text) in [
            ("nvme0n1", "device/hwmon3", "38850\n"),
            ("sda", "device/hwmon/hwmon1", "31000\n"),
            ("sdc", "device/hwmon2", "-273150\n"),
        ] {
            let place = folder.path().join(name).join(place);
            fs::create_dir_all(&place).expect("created");
            fs::write(place.join("temp1_input"), text).expect("written");
        }
        let of = |name| temperature_c(folder.path(), name).map(|celsius| format!("{celsius:.2}"));
        assert_eq!((of("nvme0n1"), of("sda"), of("sdb")), (Some("38.85".into()), Some("31.00".into()), None));
        assert_eq!(of("sdc"), None, "colder than anything is");
    }
}
