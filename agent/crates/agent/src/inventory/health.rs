//! Health of drives: from the log pages of `NVMe` drives, and from the device statistics of SATA drives (ATA Command Set), which
//! `smartctl` of smartmontools reads. Vendor-specific attributes are not interpreted.

use std::io;
use std::path::Path;
use std::process::Command;

use device::counters::{Counters, Reader, Values};
use serde_json::{Value, json};

use super::probe::Probe;
use crate::observe::sensors::POSSIBLE_CELSIUS;

/// Adds the health fields to the description of a drive, and a reason for each that is null.
pub fn describe(probe: &mut Probe, name: &str, description: &mut Value) {
    let path = Path::new("/dev").join(name);
    let (mut health, reason, media_reason) = if name.starts_with("nvme") {
        nvme(&path)
    } else if name.starts_with("sd") {
        let (counters, reason) = match smartctl(&path) {
            Ok(report) => (ata_counters(&report), "the drive's statistics do not state it".to_owned()),
            Err(reason) => (Values::new(), reason),
        };
        (health_of("ata", &counters), reason, "SATA drives report only what the host wrote".to_owned())
    } else {
        let reason = "neither an NVMe nor a SATA drive, so it is not asked".to_owned();
        (health_of("", &Values::new()), reason.clone(), reason)
    };
    if let Some(celsius) = device::smart::temperature_c(Path::new("/sys/block"), name) {
        health["temperature_c"] = json!(celsius);
    }
    let sensor_reason = format!("the kernel has no sensor for it; {reason}");
    for (field, value) in health.as_object().into_iter().flatten() {
        if value.is_null() {
            let reason = match &**field {
                "temperature_c" => &sensor_reason,
                "media_written_bytes" => &media_reason,
                _ => &reason,
            };
            probe.unknown(&format!("block_devices.{name}.{field}"), reason);
        }
        description[field] = value.clone();
    }
}

/// Adds the counters of the device statistics of a SATA drive.
pub fn add_ata_counters(reader: &mut Reader, counters: &mut Counters) {
    if !reader.disk.starts_with("sd") || reader.absent.contains_key("ata") {
        return;
    }
    match smartctl(&Path::new("/dev").join(&reader.disk)) {
        Ok(report) => counters.values.extend(ata_counters(&report)),
        Err(reason) => reader.note_absent("ata", reason),
    }
}

/// Reads the device statistics by name; the standard fixes names and units.
fn ata_counters(report: &Value) -> Values {
    let pages = report["ata_device_statistics"]["pages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let rows = || pages.iter().filter_map(|page| page["table"].as_array()).flatten();
    let of = |name: &str| rows().find(|row| row["name"] == name).and_then(|row| row["value"].as_u64());
    let written = of("Logical Sectors Written").zip(report["logical_block_size"].as_u64());
    let celsius = report["temperature"]["current"].as_i64();
    let fields = [
        ("ata.percentage_used", of("Percentage Used Endurance Indicator")),
        ("ata.host_written_bytes", written.and_then(|(sectors, bytes)| sectors.checked_mul(bytes))),
        ("ata.power_on_hours", of("Power-on Hours").or(report["power_on_time"]["hours"].as_u64())),
        ("ata.media_errors", of("Number of Reported Uncorrectable Errors")),
        ("ata.temperature_k", celsius.and_then(|celsius| u64::try_from(celsius + 273).ok())),
    ];
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// Returns the health by the log pages, the reason if it is missing, and the reason if the bytes written to flash are.
fn nvme(path: &Path) -> (Value, String, String) {
    let explain = |page: &str, error: &io::Error| format!("log page {page}: {error}");
    let (mut counters, reason) = match device::smart::nvme_health(path) {
        Err(error) => (Values::new(), explain("02h", &error)),
        Ok(counters) => (counters, String::new()),
    };
    let media = device::smart::nvme_media_written_bytes(path);
    counters.extend(media.as_ref().ok().map(|bytes| ("smart.media_written_bytes".to_owned(), whole(*bytes))));
    (health_of("smart", &counters), reason, media.err().map(|error| explain("C0h", &error)).unwrap_or_default())
}

/// Returns the health of a drive by its counters: log pages are in the group `smart`, device statistics in `ata`. An
/// absent counter is null.
fn health_of(group: &str, counters: &Values) -> Value {
    let counter = |name: &str| counters.get(&format!("{group}.{name}")).copied();
    let celsius = counter("temperature_k").map(|kelvin| kelvin as f64 - 273.0);
    json!({
        "temperature_c": celsius.filter(|celsius| POSSIBLE_CELSIUS.contains(celsius)),
        "wear_used_pct": counter("percentage_used"),
        "available_spare_pct": counter("available_spare_pct"),
        "host_written_bytes": counter("host_written_bytes"),
        "media_written_bytes": counter("media_written_bytes"),
        "power_on_hours": counter("power_on_hours"),
        "media_errors": counter("media_errors"),
    })
}

/// Returns a number as JSON can hold it, up to 64 bits; no drive comes near the limit.
fn whole(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// Returns the report of smartmontools about a drive, or a sentence that says why there is none.
fn smartctl(path: &Path) -> Result<Value, String> {
    let output =
        Command::new("smartctl").args(["--json=c", "--info", "--attributes", "--log=devstat"]).arg(path).output();
    let output = output.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => "smartctl (package smartmontools) is not installed".to_owned(),
        _ => format!("smartctl: {error}"),
    })?;
    let report: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| format!("smartctl printed no JSON: {error}"))?;
    // The lowest two bits of the status mean a wrong command line or a device that cannot be opened; the others are about the
    // drive's health.
    if output.status.code().is_none_or(|code| code & 0b11 != 0) {
        let reason = report["smartctl"]["messages"][0]["string"].as_str().unwrap_or("it gave no reason");
        return Err(format!("smartctl: {reason}"));
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_health_page_is_read_by_the_names_of_its_counters() {
        let page = |kelvin: u64| {
            let fields = [
                ("smart.temperature_k", kelvin),
                ("smart.percentage_used", 3),
                ("smart.available_spare_pct", 100),
                ("smart.host_written_bytes", 1_024_000_000_000),
                ("smart.power_on_hours", 77),
                ("smart.media_errors", 1),
            ];
            health_of("smart", &fields.map(|(name, value)| (name.to_owned(), value)).into())
        };
        let health = json!({
            "temperature_c": 40.0, "wear_used_pct": 3, "available_spare_pct": 100, "power_on_hours": 77,
            "host_written_bytes": 1_024_000_000_000_u64, "media_written_bytes": null, "media_errors": 1,
        });
        assert_eq!(page(313), health);
        assert!(page(1)["temperature_c"].is_null(), "colder than anything is");
    }

    #[test]
    fn device_statistics_are_read_by_their_names() {
        let row = |name: &str, value: u64| json!({"offset": 8, "name": name, "size": 4, "value": value});
        let report = json!({
            "logical_block_size": 512,
            "temperature": {"current": 31},
            "power_on_time": {"hours": 7},
            "ata_device_statistics": {"pages": [
                {"number": 1, "table": [row("Logical Sectors Written", 2_000), row("Power-on Hours", 1_234)]},
                {"number": 4, "table": [row("Number of Reported Uncorrectable Errors", 0)]},
                {"number": 7, "table": [row("Percentage Used Endurance Indicator", 3)]},
            ]},
            "ata_smart_attributes": {"table": [{"id": 241, "name": "Total_LBAs_Written", "raw": {"value": 99}}]},
        });
        let health = json!({
            "temperature_c": 31.0, "wear_used_pct": 3, "available_spare_pct": null, "power_on_hours": 1_234,
            "host_written_bytes": 1_024_000, "media_written_bytes": null, "media_errors": 0,
        });
        let counters = ata_counters(&report);
        assert_eq!(health_of("ata", &counters), health);
        assert_eq!((counters["ata.host_written_bytes"], counters["ata.temperature_k"]), (1_024_000, 304));
        assert_eq!((counters.len(), ata_counters(&json!({})).len()), (5, 0));
    }

    #[test]
    fn every_null_has_a_reason() {
        for name in ["nvme99n1", "sdzz", "vdz"] {
            let (mut probe, mut description) = (Probe::default(), json!({}));
            describe(&mut probe, name, &mut description);
            let unknown = probe.into_unknown();
            let fields = description.as_object().expect("an object");
            assert_eq!(fields.len(), 7);
            for (field, value) in fields {
                let reason = unknown.get(&format!("block_devices.{name}.{field}"));
                assert!(value.is_null() && reason.is_some_and(|reason| !reason.is_empty()), "{name}.{field}");
            }
        }
    }
}
