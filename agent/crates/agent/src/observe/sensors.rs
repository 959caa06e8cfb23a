//! Temperatures and power, from sensors of the kernel (`/sys/class/hwmon`) and counters of energy (`/sys/class/powercap`).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::gauges::{Gauge, OpenFile, Source, UnknownGroup};
use crate::inventory::probe::names;

/// Plausible temperatures; others are reported as unknown.
pub const POSSIBLE_CELSIUS: std::ops::RangeInclusive<f64> = -100.0..=200.0;

fn files_of(sys: &Path, prefix: &str, suffix: &str) -> Vec<(String, PathBuf)> {
    let chips = sys.join("class/hwmon");
    let mut inputs: Vec<(String, PathBuf)> = Vec::new();
    for folder in names(&chips).iter().map(|name| chips.join(name)) {
        let text = |name: &str| fs::read_to_string(folder.join(name)).ok().map(|text| text.trim().to_owned());
        let chip = text("name").unwrap_or_else(|| "sensor".into());
        for file in names(&folder) {
            let Some(stem) = file.strip_suffix(suffix) else { continue };
            if stem.strip_prefix(prefix).is_some_and(|number| number.parse::<u32>().is_ok()) {
                let label = text(&format!("{stem}_label")).unwrap_or_else(|| stem.to_owned());
                inputs.push((format!("{chip} {label}"), folder.join(&file)));
            }
        }
    }
    // Sensors of the same name, as on two chips of one kind, are numbered.
    let all: Vec<String> = inputs.iter().map(|(name, _)| name.clone()).collect();
    for (index, (name, _)) in inputs.iter_mut().enumerate() {
        let before = all[..index].iter().filter(|other| *other == name).count();
        if before > 0 {
            *name = format!("{name} ({})", before + 1);
        }
    }
    inputs
}

/// Opens all temperatures.
pub fn temperatures(sys: &Path) -> Result<Source, UnknownGroup> {
    let sensors = files_of(sys, "temp", "_input").into_iter();
    let mut sensors: Vec<_> = sensors.filter_map(|(name, path)| Some((name, OpenFile::open(&path).ok()?))).collect();
    if sensors.is_empty() {
        return Err(UnknownGroup::new("temperature", "the kernel has no sensor of temperature here that can be read"));
    }
    let gauges = sensors.iter().map(|(name, _)| Gauge::new("temperature", "", name, "celsius")).collect();
    let read = move |_: f64| {
        let celsius = |file: &mut OpenFile| {
            file.number().map(|milli| milli / 1e3).filter(|celsius| POSSIBLE_CELSIUS.contains(celsius))
        };
        sensors.iter_mut().map(|(_, file)| celsius(file)).collect()
    };
    Ok(Source { gauges, read: Box::new(read) })
}

/// Opens all readable sources of power, and returns reasons for the others.
///
/// Counters of energy give the mean of each second, sensors are read once a second. Domains inside others (cores, memory of a
/// package) are left out, so that nothing is counted twice.
pub fn power(sys: &Path) -> (Option<Source>, Vec<UnknownGroup>) {
    let mut missing = Vec::new();
    let mut energies = energies(sys, &mut missing);
    let mut sensors: Vec<(String, OpenFile)> = Vec::new();
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
    let packages = energies.iter().map(|energy| Gauge::new("power", "processors", &energy.name, "watts"));
    let gauges = packages.chain(sensors.iter().map(|(name, _)| Gauge::new("power", "sensor", name, "watts"))).collect();
    let read = move |elapsed_s: f64| {
        let of_energies = energies.iter_mut().map(|energy| {
            let now = energy.file.number();
            let risen = now.zip(energy.last_uj).map(|(now, last)| now - last);
            let risen = risen.map(|risen| if risen < 0.0 { risen + energy.range_uj } else { risen });
            energy.last_uj = now;
            risen.map(|risen_uj| risen_uj / 1e6 / elapsed_s)
        });
        let of_sensors = sensors.iter_mut().map(|(_, file)| file.number().map(|microwatts| microwatts / 1e6));
        of_energies.chain(of_sensors).collect()
    };
    (Some(Source { gauges, read: Box::new(read) }), missing)
}

struct Energy {
    name: String,
    file: OpenFile,
    /// Value at which the counter wraps around, in microjoules.
    range_uj: f64,
    last_uj: Option<f64>,
}

fn energies(sys: &Path, missing: &mut Vec<UnknownGroup>) -> Vec<Energy> {
    let zones = sys.join("class/powercap");
    let mut energies = Vec::new();
    for name in names(&zones) {
        // `intel-rapl:0` is a package, `intel-rapl:0:1` a part of it; `intel-rapl-mmio:0` is the same package again.
        if !name.starts_with("intel-rapl:") || name.matches(':').count() != 1 {
            continue;
        }
        let zone = zones.join(&name);
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
        let (power, missing) = super::power(folder.path());
        let mut power = power.expect("something tells watts");
        assert_eq!(missing, []);
        (power.read)(1.0);
        say("intel-rapl:0", "energy_uj", "70000000");
        let named: Vec<String> = power.gauges.iter().map(|gauge| format!("{}: {}", gauge.name, gauge.of)).collect();
        assert_eq!(named, ["processors: package-0", "sensor: pmbus power1"]);
        assert_eq!((power.read)(2.0), [Some(40.0), Some(212.5)]);
    }

    #[test]
    fn without_a_counter_there_is_a_reason_and_no_number() {
        let folder = tempfile::tempdir().expect("a folder");
        let (power, missing) = super::power(folder.path());
        assert!(power.is_none());
        assert!(missing[0].reason.contains("neither a counter of energy"), "{missing:?}");
    }
}
