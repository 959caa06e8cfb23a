//! The temperature of the measured drives. A thread of its own reads it once a second: the kernel asks the drive, and a drive
//! that does not answer must block neither measuring nor storing.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, Sender, bounded};
use device::smart;

use crate::lock::locked;

/// Time between two reads.
const EVERY: Duration = Duration::from_secs(1);
/// Age from which a reading counts as unknown.
const VALID: Duration = Duration::from_secs(3);

/// Thermometer of one run; dropping it ends its thread.
pub struct Thermometer {
    /// Names of the devices as in the series, with the disk of each if there is one.
    devices: Vec<(String, Option<String>)>,
    readings: Arc<Mutex<Option<Readings>>>,
    _end: Sender<()>,
}

/// The last readings, in thousandths of a degree Celsius by device.
struct Readings {
    at: Instant,
    millicelsius: Vec<Option<i64>>,
}

impl Thermometer {
    /// Starts to read the temperatures of the drives of `paths`. They are unknown if the kernel has no sensor.
    pub fn begin(paths: &[PathBuf]) -> Self {
        Self::over(paths, Path::new("/sys"), EVERY)
    }

    fn over(paths: &[PathBuf], sys: &Path, every: Duration) -> Self {
        let devices: Vec<(String, Option<String>)> =
            paths.iter().map(|path| (path.display().to_string(), smart::disk_of(sys, path))).collect();
        let readings = Arc::new(Mutex::new(None));
        let (end, ended) = bounded(0);
        if devices.iter().any(|(_, disk)| disk.is_some()) {
            let (disks, readings, block) = (devices.clone(), Arc::clone(&readings), sys.join("block"));
            let read = move || {
                loop {
                    let of = |disk: &Option<String>| smart::temperature_millicelsius(&block, disk.as_deref()?);
                    let millicelsius = disks.iter().map(|(_, disk)| of(disk)).collect();
                    let now = Readings { at: Instant::now(), millicelsius };
                    *locked(&readings) = Some(now);
                    if ended.recv_timeout(every) != Err(RecvTimeoutError::Timeout) {
                        return;
                    }
                }
            };
            // Without the thread the temperature is unknown, which must not prevent the run.
            let _ = thread::Builder::new().name("temperature".into()).spawn(read);
        }
        Self { devices, readings, _end: end }
    }

    /// Returns the temperature of a device, or of the hottest if none is named, in thousandths of a degree Celsius, if it is known.
    pub fn millicelsius(&self, device: Option<&str>) -> Option<i64> {
        let readings = locked(&self.readings);
        let readings = readings.as_ref().filter(|readings| readings.at.elapsed() < VALID)?;
        let readings = self.devices.iter().zip(&readings.millicelsius);
        readings
            .filter(|((name, _), _)| device.is_none_or(|device| device == name))
            .filter_map(|(_, readings)| *readings)
            .max()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, symlink};

    use super::*;

    /// Creates a `/sys` with a sensor for the disk of the temporary folder, under the device number of its file system.
    fn sys_with_sensor(folder: &Path, text: &str) -> PathBuf {
        let sys = folder.join("sys");
        let device = fs::metadata(folder).expect("a folder").dev();
        let numbers = format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device));
        let disk = sys.join("devices/nvme9n1");
        fs::create_dir_all(disk.join("nvme9n1p2")).expect("created");
        fs::write(disk.join("nvme9n1p2/partition"), "2\n").expect("written");
        fs::create_dir_all(disk.join("device/hwmon4")).expect("created");
        fs::write(disk.join("device/hwmon4/temp1_input"), text).expect("written");
        for (place, name, target) in [("dev/block", &*numbers, disk.join("nvme9n1p2")), ("block", "nvme9n1", disk)] {
            fs::create_dir_all(sys.join(place)).expect("created");
            symlink(target, sys.join(place).join(name)).expect("linked");
        }
        sys
    }

    fn wait_for(thermometer: &Thermometer, expected: i64) {
        let begun = Instant::now();
        while thermometer.millicelsius(None) != Some(expected) {
            assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", thermometer.millicelsius(None));
            thread::yield_now();
        }
    }

    #[test]
    fn a_series_has_its_own_drive_and_a_total_the_hottest() {
        let folder = tempfile::tempdir().expect("a folder");
        let sys = sys_with_sensor(folder.path(), "41850\n");
        let paths = [folder.path().join("act.dat"), PathBuf::from("/proc/nowhere")];
        let thermometer = Thermometer::over(&paths, &sys, Duration::from_millis(5));
        wait_for(&thermometer, 41_850);
        assert_eq!(thermometer.millicelsius(paths[0].to_str()), Some(41_850));
        assert_eq!(thermometer.millicelsius(paths[1].to_str()), None, "no disk behind it");
        assert_eq!(thermometer.millicelsius(Some("127.0.0.1:6379")), None, "not measured here");
        fs::write(sys.join("block/nvme9n1/device/hwmon4/temp1_input"), "-2500\n").expect("written");
        wait_for(&thermometer, -2_500);
    }

    #[test]
    fn what_was_seen_long_ago_is_unknown() {
        let folder = tempfile::tempdir().expect("a folder");
        let sys = sys_with_sensor(folder.path(), "41850\n");
        let thermometer = Thermometer::over(&[folder.path().to_owned()], &sys, Duration::from_secs(3_600));
        wait_for(&thermometer, 41_850);
        let long_ago = Instant::now().checked_sub(VALID);
        if let (Some(readings), Some(at)) = (thermometer.readings.lock().expect("not poisoned").as_mut(), long_ago) {
            readings.at = at;
        }
        assert_eq!(thermometer.millicelsius(None), None);
    }

    #[test]
    fn without_a_disk_nothing_is_known() {
        assert_eq!(Thermometer::begin(&[]).millicelsius(None), None);
        assert_eq!(Thermometer::begin(&[PathBuf::from("/proc/x")]).millicelsius(None), None);
    }
}
