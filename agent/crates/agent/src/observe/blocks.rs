//! Activity of whole disks, from `/proc/diskstats`.

use std::fs;
use std::path::Path;

use super::gauge::{CounterRates, Gauge, OpenFile, Source, UnknownGroup};

/// Size of the sectors in which the kernel counts, whatever the disk's own sector size.
const SECTOR_BYTES: f64 = 512.0;
/// Prefixes of block devices without a disk.
const NOT_DISKS: [&str; 5] = ["loop", "ram", "zram", "sr", "fd"];
/// Positions after the name: reads, sectors read, writes, sectors written, ms busy, ms of all operations together.
const FIELDS: [usize; 6] = [0, 2, 4, 6, 9, 10];

/// Reader of `/proc/diskstats`.
#[derive(Debug)]
pub struct Blocks {
    file: OpenFile,
    names: Vec<String>,
    rises: CounterRates,
}

impl Blocks {
    /// Opens the file and lists the disks.
    pub fn open(proc: &Path, sys: &Path) -> Result<Self, UnknownGroup> {
        let missing = |why: String| UnknownGroup::new("disk", why);
        let file =
            OpenFile::open(&proc.join("diskstats")).map_err(|error| missing(format!("/proc/diskstats: {error}")))?;
        let entries = fs::read_dir(sys.join("block")).map_err(|error| missing(format!("/sys/block: {error}")))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let is_disk = |name: &String| {
            let kind = name.trim_end_matches(|character: char| character.is_ascii_digit());
            !NOT_DISKS.contains(&kind)
        };
        let mut names: Vec<String> = names.filter(is_disk).collect();
        names.sort();
        if names.is_empty() {
            return Err(missing("the kernel names no disk here".into()));
        }
        Ok(Self { file, names, rises: CounterRates::default() })
    }
}

impl Source for Blocks {
    fn gauges(&self) -> Vec<Gauge> {
        let names = [
            ("reads", "1/s"),
            ("read", "bytes/s"),
            ("writes", "1/s"),
            ("written", "bytes/s"),
            ("busy", "percent"),
            ("under way", "count"),
        ];
        let of = |of: &String| names.map(|(name, unit)| Gauge::new("disk", name, of, unit));
        self.names.iter().flat_map(of).collect()
    }

    fn read(&mut self, elapsed_s: f64, into: &mut Vec<Option<f64>>) {
        let mut counters = vec![None; self.names.len() * FIELDS.len()];
        for line in self.file.text().unwrap_or_default().lines() {
            let fields: Vec<&str> = line.split_ascii_whitespace().skip(2).collect();
            let Some(disk) = fields.first().and_then(|name| self.names.iter().position(|known| known == name)) else {
                continue;
            };
            for (index, field) in FIELDS.iter().enumerate() {
                counters[disk * FIELDS.len() + index] = fields.get(field + 1).and_then(|field| field.parse().ok());
            }
        }
        for risen in self.rises.since(counters).chunks(FIELDS.len()) {
            let per_s = |index: usize| risen[index].map(|risen| risen / elapsed_s);
            into.push(per_s(0));
            into.push(per_s(1).map(|sectors| sectors * SECTOR_BYTES));
            into.push(per_s(2));
            into.push(per_s(3).map(|sectors| sectors * SECTOR_BYTES));
            // Milliseconds a second as a percentage; the kernel's clock can run slightly ahead of ours.
            into.push(per_s(4).map(|ms| (ms / 10.0).min(100.0)));
            into.push(per_s(5).map(|ms| ms / 1e3));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_disks_are_read_and_sectors_are_bytes() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["vda", "loop0"] {
            fs::create_dir_all(folder.path().join("block").join(name)).expect("created");
        }
        let say = |text: &str| fs::write(folder.path().join("diskstats"), text).expect("written");
        say(" 7 0 loop0 9 0 9 0 0 0 0 0 0 0 0\n 254 0 vda 10 0 100 5 20 0 200 9 0 1000 1500 0 0\n");
        let mut blocks = Blocks::open(folder.path(), folder.path()).expect("found");
        blocks.read(1.0, &mut Vec::new());
        say(" 254 0 vda 30 0 140 5 21 0 208 9 0 1500 5500 0 0\n");
        let mut numbers = Vec::new();
        blocks.read(2.0, &mut numbers);
        let expected = [10.0, 20.0 * 512.0, 0.5, 4.0 * 512.0, 25.0, 2.0].map(Some);
        assert_eq!(numbers, expected);
    }
}
