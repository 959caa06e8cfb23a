//! Parsers of `NVMe` log pages: health (NVM Express base specification, 02h), extended health and latency monitor of data centre
//! drives (Open Compute Project, Datacenter `NVMe` SSD specification, C0h and C3h), and the page of Amazon's volumes (D0h). A page
//! that is too short, empty or without the mark of its specification yields an error and no numbers.

use std::collections::BTreeMap;

/// Numbers by name, such as `smart.host_written_bytes`.
pub type Values = BTreeMap<String, u64>;

/// Length of the pages 02h, C0h and C3h, in bytes.
pub const PAGE_BYTES: usize = 512;
/// Length of page D0h, in bytes.
pub const VOLUME_PAGE_BYTES: usize = 4_096;
/// Unit in bytes of the data counts of page 02h, which are rounded up.
const DATA_UNIT_BYTES: u128 = 512_000;
/// Last sixteen bytes of page C0h.
const EXTENDED_MARK: u128 = 0xafd5_14c9_7c6f_4f9c_a4f2_bfea_2810_afc5;
/// Last sixteen bytes of page C3h.
const LATENCY_MARK: u128 = 0x85d4_5e58_d4e6_4370_9c6c_84d0_8cc0_7a92;
/// First four bytes of page D0h, for a network volume and for a local drive of the machine.
const VOLUME_MARKS: [u128; 2] = [0x3c23_b510, 0xec2c_0d7e];
/// Maximum number of bins of a histogram in page D0h.
const VOLUME_BINS: usize = 64;
/// Step of the thresholds of page C3h, in milliseconds.
const LATENCY_STEP_MS: u64 = 5;
/// Value of a time stamp of page C3h that was never set.
const UNSET_TIMESTAMP: u128 = u64::MAX as u128;
const UNSET_LATENCY: u128 = u16::MAX as u128;

/// A histogram bin: lower bound and upper bound in microseconds, and the number of operations.
pub type Bin = (u64, u64, u64);

/// Contents of page D0h.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VolumePage {
    pub values: Values,
    /// Latencies of reads, as measured by the drive.
    pub read_bins: Vec<Bin>,
    /// Latencies of writes, as measured by the drive.
    pub write_bins: Vec<Bin>,
}

/// Collects little-endian numbers of a page.
struct Fields<'a> {
    page: &'a [u8],
    values: Values,
}

impl<'a> Fields<'a> {
    fn of(page: &'a [u8], length: usize) -> Result<Self, String> {
        if page.len() != length {
            return Err(format!("the page has {} bytes instead of {length}", page.len()));
        }
        if page.iter().all(|byte| *byte == page[0]) {
            return Err("the page is empty".to_owned());
        }
        Ok(Self { page, values: Values::new() })
    }

    fn at(&self, start: usize, length: usize) -> u128 {
        self.page[start..start + length].iter().rev().fold(0, |sum, byte| (sum << 8) | u128::from(*byte))
    }

    /// Stores a number. A number of more than 63 bits is left out: no drive reaches it, and JSON would round it.
    fn insert(&mut self, name: &str, value: u128) {
        if let Some(value) = i64::try_from(value).ok().and_then(|value| u64::try_from(value).ok()) {
            self.values.insert(name.to_owned(), value);
        }
    }

    fn insert_all(&mut self, fields: &[(&str, usize, usize)]) {
        for (name, start, length) in fields {
            self.insert(name, self.at(*start, *length));
        }
    }
}

/// Parses page 02h.
pub fn health(page: &[u8]) -> Result<Values, String> {
    let mut fields = Fields::of(page, PAGE_BYTES)?;
    if page[3] > 100 || page[4] > 100 {
        return Err("the page states more than 100 % of spare blocks".to_owned());
    }
    fields.insert_all(&[
        ("smart.critical_warning", 0, 1),
        ("smart.available_spare_pct", 3, 1),
        ("smart.spare_threshold_pct", 4, 1),
        ("smart.percentage_used", 5, 1),
        ("smart.host_reads", 64, 16),
        ("smart.host_writes", 80, 16),
        ("smart.controller_busy_minutes", 96, 16),
        ("smart.power_cycles", 112, 16),
        ("smart.power_on_hours", 128, 16),
        ("smart.unsafe_shutdowns", 144, 16),
        ("smart.media_errors", 160, 16),
        ("smart.error_log_entries", 176, 16),
        ("smart.warning_temperature_minutes", 192, 4),
        ("smart.critical_temperature_minutes", 196, 4),
        ("smart.thermal_management_1_count", 216, 4),
        ("smart.thermal_management_2_count", 220, 4),
        ("smart.thermal_management_1_s", 224, 4),
        ("smart.thermal_management_2_s", 228, 4),
    ]);
    for (name, start) in [("smart.host_read_bytes", 32), ("smart.host_written_bytes", 48)] {
        fields.insert(name, fields.at(start, 16).saturating_mul(DATA_UNIT_BYTES));
    }
    // A temperature of 0 K means that there is no such sensor.
    for (name, start) in (0..9).map(|sensor| match sensor {
        0 => ("smart.temperature_k".to_owned(), 1),
        sensor => (format!("smart.sensor_{sensor}_k"), 198 + 2 * sensor),
    }) {
        let kelvin = fields.at(start, 2);
        if kelvin > 0 {
            fields.insert(&name, kelvin);
        }
    }
    Ok(fields.values)
}

/// Parses page C0h.
pub fn extended_health(page: &[u8]) -> Result<Values, String> {
    let mut fields = Fields::of(page, PAGE_BYTES)?;
    if fields.at(496, 16) != EXTENDED_MARK {
        return Err("page C0h is one of the drive's vendor".to_owned());
    }
    fields.insert_all(&[
        ("extended.media_written_bytes", 0, 16),
        ("extended.media_read_bytes", 16, 16),
        ("extended.bad_user_blocks", 32, 6),
        ("extended.bad_system_blocks", 40, 6),
        ("extended.xor_recoveries", 48, 8),
        ("extended.uncorrectable_reads", 56, 8),
        ("extended.soft_ecc_errors", 64, 8),
        ("extended.system_data_used_pct", 80, 1),
        ("extended.refresh_count", 81, 7),
        ("extended.most_erased_count", 88, 4),
        ("extended.least_erased_count", 92, 4),
        ("extended.throttling_events", 96, 1),
        ("extended.throttling_status", 97, 1),
        ("extended.pcie_correctable_errors", 104, 8),
        ("extended.incomplete_shutdowns", 112, 4),
        ("extended.free_blocks_pct", 120, 1),
        ("extended.capacitor_health_pct", 128, 2),
        ("extended.unaligned_operations", 136, 8),
        ("extended.endurance_estimate_bytes", 176, 16),
    ]);
    Ok(fields.values)
}

/// Parses page C3h: the number of commands that took longer than each threshold, by kind. Fails if `page` is not a valid page
/// or the drive's latency monitor is switched off, with the reason.
pub fn latency_monitor(page: &[u8]) -> Result<Values, String> {
    let mut fields = Fields::of(page, PAGE_BYTES)?;
    if fields.at(496, 16) != LATENCY_MARK {
        return Err("page C3h is one of the drive's vendor".to_owned());
    }
    if page[0] & 1 == 0 {
        return Err("the drive's latency monitor is switched off".to_owned());
    }
    for (bucket, letter) in ["a", "b", "c", "d"].into_iter().enumerate() {
        let threshold_ms = (u64::from(page[6 + bucket]) + 1) * LATENCY_STEP_MS;
        fields.insert(&format!("latency_monitor.threshold_{letter}_ms"), threshold_ms.into());
        for (name, counters, stamps, latencies) in [("current", 0x20, 0x60, 0xc0), ("total", 0xf0, 0x130, 0x190)] {
            // The first word of each bucket of counters is reserved, which shifts them by one against stamps and latencies.
            for (kind, index) in [("trims", 0), ("writes", 1), ("reads", 2)] {
                let base = format!("latency_monitor.{name}_{letter}_{kind}");
                fields.insert(&base, fields.at(counters + 16 * bucket + 4 * (index + 1), 4));
                let stamp = fields.at(stamps + 24 * bucket + 8 * index, 8);
                if stamp != UNSET_TIMESTAMP {
                    fields.insert(&format!("{base}_at_unix_ms"), stamp);
                }
                let latency = fields.at(latencies + 6 * bucket + 2 * index, 2);
                if latency != UNSET_LATENCY {
                    fields.insert(&format!("{base}_ms"), latency);
                }
            }
        }
    }
    Ok(fields.values)
}

/// Parses page D0h.
pub fn volume(page: &[u8]) -> Result<VolumePage, String> {
    let mut fields = Fields::of(page, VOLUME_PAGE_BYTES)?;
    if !VOLUME_MARKS.contains(&fields.at(0, 4)) {
        return Err("page D0h is one of the drive's vendor".to_owned());
    }
    fields.insert_all(&[
        ("volume.reads", 8, 8),
        ("volume.writes", 16, 8),
        ("volume.read_bytes", 24, 8),
        ("volume.written_bytes", 32, 8),
        ("volume.read_us", 40, 8),
        ("volume.write_us", 48, 8),
        ("volume.over_volume_operations_us", 56, 8),
        ("volume.over_volume_throughput_us", 64, 8),
        ("volume.over_instance_operations_us", 72, 8),
        ("volume.over_instance_throughput_us", 80, 8),
        ("volume.queue_length", 88, 8),
    ]);
    let read_bins = bins(&fields, 512)?;
    let write_bins = bins(&fields, 512 + 8 + VOLUME_BINS * 24)?;
    Ok(VolumePage { values: fields.values, read_bins, write_bins })
}

fn bins(fields: &Fields<'_>, start: usize) -> Result<Vec<Bin>, String> {
    let count = usize::try_from(fields.at(start, 8)).unwrap_or(usize::MAX);
    if count > VOLUME_BINS {
        return Err(format!("a histogram of page D0h states {count} ranges, and {VOLUME_BINS} have room"));
    }
    let number = |at, length| u64::try_from(fields.at(at, length)).unwrap_or(u64::MAX).min(i64::MAX as u64);
    let bins: Vec<Bin> = (0..count)
        .map(|bin| start + 8 + 24 * bin)
        .map(|at| (number(at, 8), number(at + 8, 8), number(at + 16, 4)))
        .collect();
    if bins.iter().any(|(lower, upper, _)| lower > upper) {
        return Err("a histogram of page D0h has a range that ends before it begins".to_owned());
    }
    Ok(bins)
}

#[cfg(test)]
#[path = "pages_tests.rs"]
mod tests;
