//! Power in watts: from energy counters of the processors (`/sys/class/powercap`), as the mean of each second, and from power
//! sensors (hwmon), read once a second. Domains inside others (cores, memory of a package) are left out, so that nothing is
//! counted twice.

use std::fs;
use std::io;
use std::path::Path;

use super::gauge::{Gauge, OpenFile, Source, UnknownGroup};
use super::sensors::files_of;

#[derive(Debug)]
struct Energy {
    name: String,
    file: OpenFile,
    /// Value at which the counter wraps around, in microjoules.
    range_uj: f64,
    last_uj: Option<f64>,
}

#[derive(Debug)]
pub struct Power {
    energies: Vec<Energy>,
    sensors: Vec<(String, OpenFile)>,
}

impl Power {
    /// Opens all readable sources, and returns reasons for the others.
    pub fn open(sys: &Path) -> (Option<Self>, Vec<UnknownGroup>) {
        let mut missing = Vec::new();
        let energies = energies(sys, &mut missing);
        let mut sensors = Vec::new();
        for (name, path) in files_of(sys, "power", "_average").into_iter().chain(files_of(sys, "power", "_input")) {
            match OpenFile::open(&path) {
                Ok(file) if sensors.iter().all(|(known, _)| *known != name) => sensors.push((name, file)),
                Ok(_) => {}
                Err(error) => missing.push(UnknownGroup::new("power", format!("the sensor {name}: {error}"))),
            }
        }
        if energies.is_empty() && sensors.is_empty() {
            if missing.is_empty() {
                missing.push(UnknownGroup::new(
                    "power",
                    "the kernel has neither a counter of energy (powercap) nor a sensor of power (hwmon) here",
                ));
            }
            return (None, missing);
        }
        (Some(Self { energies, sensors }), missing)
    }
}

fn energies(sys: &Path, missing: &mut Vec<UnknownGroup>) -> Vec<Energy> {
    let zones = fs::read_dir(sys.join("class/powercap")).map(|entries| entries.flatten().map(|entry| entry.path()));
    let mut zones: Vec<_> = zones.map(Iterator::collect).unwrap_or_default();
    zones.sort();
    let mut energies = Vec::new();
    for zone in zones {
        // `intel-rapl:0` is a package, `intel-rapl:0:1` a part of it; `intel-rapl-mmio:0` is the same package again.
        let name = zone.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if !name.starts_with("intel-rapl:") || name.matches(':').count() != 1 {
            continue;
        }
        let text = |file: &str| fs::read_to_string(zone.join(file)).map(|text| text.trim().to_owned());
        let called = text("name").unwrap_or(name);
        let open = || -> io::Result<Energy> {
            let range_uj = text("max_energy_range_uj")?.parse().map_err(io::Error::other)?;
            Ok(Energy { name: called.clone(), file: OpenFile::open(&zone.join("energy_uj"))?, range_uj, last_uj: None })
        };
        match open() {
            // `psys` is the whole board, which includes its packages.
            Ok(energy) if !energy.name.starts_with("psys") => energies.push(energy),
            Ok(_) => {}
            Err(error) => {
                let why = if error.kind() == io::ErrorKind::PermissionDenied { "; root may read it" } else { "" };
                missing.push(UnknownGroup::new("power", format!("the counter of energy {called}: {error}{why}")));
            }
        }
    }
    energies
}

impl Source for Power {
    fn gauges(&self) -> Vec<Gauge> {
        let packages = self.energies.iter().map(|energy| Gauge::new("power", "processors", &energy.name, "watts"));
        packages.chain(self.sensors.iter().map(|(name, _)| Gauge::new("power", "sensor", name, "watts"))).collect()
    }

    fn read(&mut self, elapsed_s: f64, into: &mut Vec<Option<f64>>) {
        for energy in &mut self.energies {
            let now = energy.file.number();
            let risen = now.zip(energy.last_uj).map(|(now, last)| now - last);
            let risen = risen.map(|risen| if risen < 0.0 { risen + energy.range_uj } else { risen });
            energy.last_uj = now;
            into.push(risen.map(|risen_uj| risen_uj / 1e6 / elapsed_s));
        }
        into.extend(self.sensors.iter_mut().map(|(_, file)| file.number().map(|microwatts| microwatts / 1e6)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn watts_are_energy_over_time_also_where_the_counter_begins_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let zones = folder.path().join("class/powercap");
        let say = |zone: &str, file: &str, text: &str| {
            fs::create_dir_all(zones.join(zone)).expect("created");
            fs::write(zones.join(zone).join(file), text).expect("written");
        };
        for (zone, name) in [("intel-rapl:0", "package-0"), ("intel-rapl:0:0", "core"), ("intel-rapl:1", "psys")] {
            say(zone, "name", name);
            say(zone, "max_energy_range_uj", "1000000000");
            say(zone, "energy_uj", "990000000");
        }
        let supply = folder.path().join("class/hwmon/hwmon3");
        fs::create_dir_all(&supply).expect("created");
        fs::write(supply.join("name"), "pmbus").expect("written");
        fs::write(supply.join("power1_input"), "212500000").expect("written");
        let (power, missing) = Power::open(folder.path());
        let mut power = power.expect("something tells watts");
        assert_eq!(missing, []);
        power.read(1.0, &mut Vec::new());
        say("intel-rapl:0", "energy_uj", "70000000");
        let mut numbers = Vec::new();
        power.read(2.0, &mut numbers);
        let named: Vec<String> = power.gauges().iter().map(|gauge| format!("{}: {}", gauge.name, gauge.of)).collect();
        assert_eq!(named, ["processors: package-0", "sensor: pmbus power1"]);
        assert_eq!(numbers, [Some(40.0), Some(212.5)]);
    }

    #[test]
    fn without_a_counter_there_is_a_reason_and_no_number() {
        let folder = tempfile::tempdir().expect("a folder");
        let (power, missing) = Power::open(folder.path());
        assert!(power.is_none());
        assert!(missing[0].reason.contains("neither a counter of energy"), "{missing:?}");
    }
}
