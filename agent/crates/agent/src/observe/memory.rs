//! Memory in use and available, from `/proc/meminfo`.

use std::path::Path;

use super::gauge::{Gauge, OpenFile, Source, UnknownGroup};

/// Reader of `/proc/meminfo`.
#[derive(Debug)]
pub struct Memory(OpenFile);

impl Memory {
    pub fn open(proc: &Path) -> Result<Self, UnknownGroup> {
        let file = OpenFile::open(&proc.join("meminfo"));
        file.map(Self).map_err(|error| UnknownGroup::new("memory", format!("/proc/meminfo: {error}")))
    }
}

impl Source for Memory {
    fn gauges(&self) -> Vec<Gauge> {
        vec![
            Gauge::new("memory", "in use", "", "percent"),
            Gauge::new("memory", "available", "", "bytes"),
            Gauge::new("memory", "to be written", "", "bytes"),
            Gauge::new("memory", "swapped out", "", "bytes"),
        ]
    }

    fn read(&mut self, _: f64, into: &mut Vec<Option<f64>>) {
        let text = self.0.text().unwrap_or_default();
        let bytes = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
            line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok().map(|kib| kib * 1024.0)
        };
        let (total, available) = (bytes("MemTotal"), bytes("MemAvailable"));
        into.push(total.zip(available).map(|(total, available)| 100.0 * (1.0 - available / total)));
        into.push(available);
        into.push(bytes("Dirty").zip(bytes("Writeback")).map(|(dirty, writeback)| dirty + writeback));
        into.push(bytes("SwapTotal").zip(bytes("SwapFree")).map(|(total, free)| total - free));
    }
}
