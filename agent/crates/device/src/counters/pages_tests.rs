//! Tests of the log page parsers. Pages are built from the offsets of the specifications, independently of the parser.

use std::collections::BTreeMap;

use super::*;

/// A page that is built field by field.
struct Page(Vec<u8>);

impl Page {
    fn of(length: usize) -> Self {
        Self(vec![0; length])
    }

    fn put(mut self, at: usize, bytes: &[u8]) -> Self {
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
        self
    }
}

fn health_page() -> Page {
    Page::of(512)
        .put(0, &[0b0000_0110, 0x4e, 0x01, 97, 10, 12])
        .put(0x20, &7_u128.to_le_bytes())
        .put(0x30, &2_000_001_u128.to_le_bytes())
        .put(0x40, &41_u128.to_le_bytes())
        .put(0x50, &42_u128.to_le_bytes())
        .put(0x60, &43_u128.to_le_bytes())
        .put(0x70, &44_u128.to_le_bytes())
        .put(0x80, &45_u128.to_le_bytes())
        .put(0x90, &46_u128.to_le_bytes())
        .put(0xa0, &47_u128.to_le_bytes())
        .put(0xb0, &48_u128.to_le_bytes())
        .put(0xc0, &[49, 0, 0, 0, 50, 0, 0, 0, 0x2a, 0x01, 0, 0, 0x40, 0x01])
        .put(0xd8, &[51, 0, 0, 0, 52, 0, 0, 0, 53, 0, 0, 0, 54, 0, 0, 1])
}

fn extended_page() -> Page {
    let mut page = Page::of(512);
    for (place, byte) in page.0.iter_mut().enumerate().take(200) {
        *byte = u8::try_from(place).expect("below 256");
    }
    page.put(0, &[1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        .put(16, &[9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        .put(0x1f0, &[0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4, 0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf])
}

fn latency_page() -> Page {
    let mut page = Page::of(512).put(0, &[0b111]).put(6, &[0, 1, 19, 255]);
    for (start, first) in [(0x20, 1_000_u32), (0xf0, 2_000)] {
        for word in 0..16 {
            page = page.put(start + 4 * word, &(first + u32::try_from(word).expect("small")).to_le_bytes());
        }
    }
    for start in [0x60, 0x130] {
        for word in 0..12 {
            page = page.put(start + 8 * word, &u64::MAX.to_le_bytes());
        }
    }
    for start in [0xc0, 0x190] {
        page = page.put(start, &[0xff; 24]);
    }
    page.put(0x130 + 16, &1_700_000_000_000_u64.to_le_bytes())
        .put(0x190 + 4, &31_u16.to_le_bytes())
        .put(0x1f0, &[0x92, 0x7a, 0xc0, 0x8c, 0xd0, 0x84, 0x6c, 0x9c, 0x70, 0x43, 0xe6, 0xd4, 0x58, 0x5e, 0xd4, 0x85])
}

fn volume_page(mark: [u8; 4]) -> Page {
    let mut page = Page::of(4_096).put(0, &mark);
    for field in 0..11_u64 {
        page = page.put(8 + 8 * usize::try_from(field).expect("small"), &(100 + field).to_le_bytes());
    }
    let bin = |lower: u64, upper: u64, count: u32| {
        [&lower.to_le_bytes()[..], &upper.to_le_bytes(), &count.to_le_bytes(), &[0; 4]].concat()
    };
    page.put(512, &2_u64.to_le_bytes())
        .put(520, &bin(0, 64, 5))
        .put(544, &bin(64, 128, 6))
        .put(2_056, &1_u64.to_le_bytes())
        .put(2_064, &bin(0, 1_024, 7))
}

fn expect(values: &Values, expected: &[(&str, u64)]) {
    for (name, value) in expected {
        assert_eq!(values.get(*name), Some(value), "{name}");
    }
}

#[test]
fn every_byte_of_the_page_of_health_is_read_where_it_stands() {
    let values = health(&health_page().0).expect("a page");
    expect(
        &values,
        &[
            ("smart.critical_warning", 6),
            ("smart.temperature_k", 334),
            ("smart.available_spare_pct", 97),
            ("smart.spare_threshold_pct", 10),
            ("smart.percentage_used", 12),
            ("smart.host_read_bytes", 3_584_000),
            ("smart.host_written_bytes", 1_024_000_512_000),
            ("smart.host_reads", 41),
            ("smart.host_writes", 42),
            ("smart.controller_busy_minutes", 43),
            ("smart.power_cycles", 44),
            ("smart.power_on_hours", 45),
            ("smart.unsafe_shutdowns", 46),
            ("smart.media_errors", 47),
            ("smart.error_log_entries", 48),
            ("smart.warning_temperature_minutes", 49),
            ("smart.critical_temperature_minutes", 50),
            ("smart.sensor_1_k", 298),
            ("smart.sensor_3_k", 320),
            ("smart.thermal_management_1_count", 51),
            ("smart.thermal_management_2_count", 52),
            ("smart.thermal_management_1_s", 53),
            ("smart.thermal_management_2_s", 16_777_270),
        ],
    );
    assert_eq!(values.len(), 23, "no sensor that is not there: {values:?}");
}

#[test]
fn every_byte_of_the_extended_page_is_read_where_it_stands() {
    let values = extended_health(&extended_page().0).expect("a page");
    expect(
        &values,
        &[
            ("extended.media_written_bytes", 0x05_0403_0201),
            ("extended.media_read_bytes", 9),
            ("extended.bad_user_blocks", 0x2524_2322_2120),
            ("extended.bad_system_blocks", 0x2d2c_2b2a_2928),
            ("extended.xor_recoveries", 0x3736_3534_3332_3130),
            ("extended.uncorrectable_reads", 0x3f3e_3d3c_3b3a_3938),
            ("extended.soft_ecc_errors", 0x4746_4544_4342_4140),
            ("extended.system_data_used_pct", 0x50),
            ("extended.refresh_count", 0x57_5655_5453_5251),
            ("extended.most_erased_count", 0x5b5a_5958),
            ("extended.least_erased_count", 0x5f5e_5d5c),
            ("extended.throttling_events", 0x60),
            ("extended.throttling_status", 0x61),
            ("extended.pcie_correctable_errors", 0x6f6e_6d6c_6b6a_6968),
            ("extended.incomplete_shutdowns", 0x7372_7170),
            ("extended.free_blocks_pct", 0x78),
            ("extended.capacitor_health_pct", 0x8180),
        ],
    );
    // In this page, these fields exceed 63 bits and must be left out.
    for name in ["extended.unaligned_operations", "extended.endurance_estimate_bytes"] {
        assert_eq!(values.get(name), None, "{name}");
    }
    let plausible = extended_page().put(136, &5_u64.to_le_bytes()).put(176, &6_u128.to_le_bytes());
    let values = extended_health(&plausible.0).expect("a page");
    expect(&values, &[("extended.unaligned_operations", 5), ("extended.endurance_estimate_bytes", 6)]);
}

#[test]
fn every_bucket_of_the_latency_monitor_is_read_where_it_stands() {
    let values = latency_monitor(&latency_page().0).expect("a page");
    expect(
        &values,
        &[
            ("latency_monitor.threshold_a_ms", 5),
            ("latency_monitor.threshold_b_ms", 10),
            ("latency_monitor.threshold_c_ms", 100),
            ("latency_monitor.threshold_d_ms", 1_280),
            ("latency_monitor.current_a_trims", 1_001),
            ("latency_monitor.current_a_writes", 1_002),
            ("latency_monitor.current_a_reads", 1_003),
            ("latency_monitor.current_d_reads", 1_015),
            ("latency_monitor.total_b_trims", 2_005),
            ("latency_monitor.total_d_writes", 2_014),
            ("latency_monitor.total_a_reads_at_unix_ms", 1_700_000_000_000),
            ("latency_monitor.total_a_reads_ms", 31),
        ],
    );
    assert_eq!(values.len(), 4 + 24 + 2, "a stamp that was never set is none");
    let off = latency_page().put(0, &[0b110]);
    assert_eq!(latency_monitor(&off.0), Err("the drive's latency monitor is switched off".to_owned()));
}

#[test]
fn both_marks_of_the_volume_page_are_known_with_both_histograms() {
    for mark in [[0x10, 0xb5, 0x23, 0x3c], [0x7e, 0x0d, 0x2c, 0xec]] {
        let page = volume(&volume_page(mark).0).expect("a page");
        expect(
            &page.values,
            &[
                ("volume.reads", 100),
                ("volume.writes", 101),
                ("volume.read_bytes", 102),
                ("volume.written_bytes", 103),
                ("volume.read_us", 104),
                ("volume.write_us", 105),
                ("volume.over_volume_operations_us", 106),
                ("volume.over_volume_throughput_us", 107),
                ("volume.over_instance_operations_us", 108),
                ("volume.over_instance_throughput_us", 109),
                ("volume.queue_length", 110),
            ],
        );
        assert_eq!(page.read_bins, [(0, 64, 5), (64, 128, 6)]);
        assert_eq!(page.write_bins, [(0, 1_024, 7)]);
    }
}

#[test]
fn a_page_that_is_short_empty_or_not_marked_says_nothing() {
    let short = vec![1; 511];
    assert!(health(&short).is_err() && extended_health(&short).is_err() && latency_monitor(&short).is_err());
    assert!(volume(&short).is_err());
    for byte in [0, 0xff] {
        let page = vec![byte; 512];
        assert!(health(&page).is_err() && extended_health(&page).is_err() && latency_monitor(&page).is_err());
        assert!(volume(&vec![byte; 4_096]).is_err());
    }
    for place in 0x1f0..0x200 {
        let (mut extended, mut latency) = (extended_page().0, latency_page().0);
        extended[place] ^= 1;
        latency[place] ^= 1;
        assert!(extended_health(&extended).is_err() && latency_monitor(&latency).is_err(), "byte {place}");
    }
    assert!(volume(&volume_page([0x11, 0xb5, 0x23, 0x3c]).0).is_err());
    let endless = volume_page([0x10, 0xb5, 0x23, 0x3c]).put(512, &65_u64.to_le_bytes());
    assert!(volume(&endless.0).is_err(), "more ranges than have room");
    let reversed = volume_page([0x10, 0xb5, 0x23, 0x3c]).put(520, &65_u64.to_le_bytes());
    assert!(volume(&reversed.0).is_err(), "a range that ends before it begins");
    assert!(health(&health_page().put(3, &[101]).0).is_err(), "more spare blocks than there can be");
}

/// Result of a parser as numbers by name, without those that were never set.
type Said = Result<BTreeMap<String, u64>, String>;
type Read = fn(&[u8]) -> Said;

fn said_of_volume(page: &[u8]) -> Said {
    let page = volume(page)?;
    let mut said: BTreeMap<String, u64> = page.values.into_iter().collect();
    for (kind, bins) in [("read_bins", page.read_bins), ("write_bins", page.write_bins)] {
        said.insert(kind.to_owned(), bins.len() as u64);
        for (number, (lower, upper, count)) in bins.into_iter().enumerate() {
            let fields = [("lower_us", lower), ("upper_us", upper), ("count", count)];
            said.extend(fields.map(|(field, value)| (format!("{kind}.{number}.{field}"), value)));
        }
    }
    Ok(said)
}

/// Returns the lines of a golden page: bytes and their meaning.
fn golden_lines(text: &str) -> Vec<(Vec<u8>, &str)> {
    let byte = |text: &str| u8::from_str_radix(text, 16).expect("a byte");
    let mut end = 0;
    let mut lines = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [offset, bytes, meaning] = parts[..] else { panic!("three parts: {line}") };
        assert_eq!(usize::from_str_radix(offset.trim_start_matches("0x"), 16), Ok(end), "no byte is left out: {line}");
        let bytes = match bytes.split_once(" * ") {
            Some((value, count)) => vec![byte(value); count.parse().expect("a number")],
            None => bytes.split(' ').map(byte).collect(),
        };
        end += bytes.len();
        lines.push((bytes, meaning));
    }
    lines
}

#[test]
fn every_byte_of_the_golden_pages_means_what_its_line_says() {
    let pages: [(&str, Read); 3] = [
        (include_str!("../../../../../docs/contracts/golden/drive-pages/c0h.txt"), |page| {
            extended_health(page).map(|values| values.into_iter().collect())
        }),
        (include_str!("../../../../../docs/contracts/golden/drive-pages/c3h.txt"), |page| {
            latency_monitor(page).map(|values| values.into_iter().collect())
        }),
        (include_str!("../../../../../docs/contracts/golden/drive-pages/d0h.txt"), said_of_volume),
    ];
    for (text, read) in pages {
        let lines = golden_lines(text);
        let page: Vec<u8> = lines.iter().flat_map(|(bytes, _)| bytes.clone()).collect();
        let meanings = lines.iter().filter_map(|(_, meaning)| meaning.split_once(" = "));
        let expected: BTreeMap<String, u64> = meanings
            .filter(|(_, value)| *value != "never")
            .map(|(name, value)| (name.to_owned(), value.parse().expect("a number")))
            .collect();
        assert_eq!(read(&page), Ok(expected.clone()));
        let bytes = lines.iter().flat_map(|(bytes, meaning)| vec![*meaning; bytes.len()]);
        for (place, meaning) in bytes.enumerate() {
            let mut changed = page.clone();
            // A number that was never set has all bits set; clearing the highest bit makes it a valid number.
            changed[place] ^= if meaning.ends_with("never") { 0x80 } else { 1 };
            if meaning.ends_with("at_unix_ms = never") && place % 8 != 7 {
                continue;
            }
            let said = read(&changed);
            match (meaning.split_once(" = "), said) {
                (None, said) if meaning == "-" => assert_eq!(said, Ok(expected.clone()), "byte {place} is not read"),
                (None, said) => assert!(said.is_err(), "byte {place} belongs to the mark"),
                (Some((name, _)), Ok(said)) => {
                    let differing = said.iter().filter(|(name, value)| expected.get(*name) != Some(*value));
                    let missing = expected.iter().filter(|(name, _)| !said.contains_key(*name));
                    let names: Vec<&String> = differing.chain(missing).map(|(name, _)| name).collect();
                    assert!(!names.is_empty(), "byte {place} of {name} is read");
                    assert!(names.iter().all(|changed| changed.starts_with(name)), "byte {place} of {name}: {names:?}");
                }
                // A bin whose lower bound exceeds its upper bound, or too many bins.
                (Some((name, _)), Err(_)) => assert!(name.contains("_bins"), "byte {place} of {name}"),
            }
        }
    }
}
