//! Network traffic, from `/proc/net/dev` of this network namespace.

use std::path::Path;

use super::gauge::{CounterRates, Gauge, OpenFile, Source, UnknownGroup};

/// Positions after the name: bytes received, errors, dropped; bytes sent, errors, dropped.
const FIELDS: [usize; 6] = [0, 2, 3, 8, 10, 11];

/// Reader of `/proc/net/dev`.
#[derive(Debug)]
pub struct Interfaces {
    file: OpenFile,
    names: Vec<String>,
    rises: CounterRates,
}

impl Interfaces {
    /// Opens the file and lists the interfaces, with the loopback: a client may be on the same machine.
    pub fn open(proc: &Path) -> Result<Self, UnknownGroup> {
        let missing = |error: std::io::Error| UnknownGroup::new("network", format!("/proc/net/dev: {error}"));
        let mut file = OpenFile::open(&proc.join("net/dev")).map_err(missing)?;
        let text = file.text().map_err(missing)?;
        let names = text.lines().filter_map(|line| line.split_once(':')).map(|(name, _)| name.trim().to_owned());
        let names: Vec<String> = names.collect();
        Ok(Self { file, names, rises: CounterRates::default() })
    }
}

impl Source for Interfaces {
    fn gauges(&self) -> Vec<Gauge> {
        let names = [("received", "bytes/s"), ("sent", "bytes/s"), ("dropped or broken", "1/s")];
        let of = |of: &String| names.map(|(name, unit)| Gauge::new("network", name, of, unit));
        self.names.iter().flat_map(of).collect()
    }

    fn read(&mut self, elapsed_s: f64, into: &mut Vec<Option<f64>>) {
        let mut counters = vec![None; self.names.len() * FIELDS.len()];
        for (name, rest) in self.file.text().unwrap_or_default().lines().filter_map(|line| line.split_once(':')) {
            let Some(interface) = self.names.iter().position(|known| known == name.trim()) else { continue };
            let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
            for (index, field) in FIELDS.iter().enumerate() {
                counters[interface * FIELDS.len() + index] = fields.get(*field).and_then(|field| field.parse().ok());
            }
        }
        for risen in self.rises.since(counters).chunks(FIELDS.len()) {
            let per_s = |indices: &[usize]| {
                let sum: Option<f64> = indices.iter().map(|index| risen[*index]).sum();
                sum.map(|sum| sum / elapsed_s)
            };
            into.extend([per_s(&[0]), per_s(&[3]), per_s(&[1, 2, 4, 5])]);
        }
    }
}
