//! Time in which tasks waited for processor, memory or disks, from `/proc/pressure`.

use std::path::Path;

use super::gauge::{CounterRates, Gauge, OpenFile, Source, UnknownGroup};

const RESOURCES: [&str; 3] = ["cpu", "memory", "io"];
/// `some`: at least one task waited; `full`: all tasks waited, so no work was done.
const KINDS: [&str; 2] = ["some", "full"];

#[derive(Debug)]
pub struct Pressure {
    files: Vec<(&'static str, OpenFile)>,
    rises: CounterRates,
}

impl Pressure {
    pub fn open(proc: &Path) -> Result<Self, UnknownGroup> {
        let open = |name: &&'static str| Ok((*name, OpenFile::open(&proc.join("pressure").join(name))?));
        let files: std::io::Result<Vec<_>> = RESOURCES.iter().map(open).collect();
        let files = files.map_err(|error| {
            UnknownGroup::new(
                "pressure",
                format!("/proc/pressure: {error}; the kernel may have been started without psi=1"),
            )
        })?;
        Ok(Self { files, rises: CounterRates::default() })
    }
}

impl Source for Pressure {
    fn gauges(&self) -> Vec<Gauge> {
        let of = |(name, _): &(&str, OpenFile)| KINDS.map(|kind| Gauge::new("pressure", kind, name, "percent"));
        self.files.iter().flat_map(of).collect()
    }

    fn read(&mut self, elapsed_s: f64, into: &mut Vec<Option<f64>>) {
        let mut counters = Vec::new();
        for (_, file) in &mut self.files {
            let text = file.text().unwrap_or_default();
            counters.extend(KINDS.map(|kind| {
                let line = text.lines().find(|line| line.starts_with(kind))?;
                line.rsplit_once("total=")?.1.trim().parse().ok()
            }));
        }
        // Microseconds of waiting a second, as a percentage.
        let percent = |risen: f64| (risen / elapsed_s / 1e4).min(100.0);
        into.extend(self.rises.since(counters).into_iter().map(|risen| risen.map(percent)));
    }
}
