//! Sensors of the kernel below `/sys/class/hwmon`, and their temperatures.

use std::fs;
use std::path::{Path, PathBuf};

use super::gauge::{Gauge, OpenFile, Source, UnknownGroup};

/// Plausible temperatures; others are reported as unknown.
pub const POSSIBLE_CELSIUS: std::ops::RangeInclusive<f64> = -100.0..=200.0;

pub fn files_of(sys: &Path, prefix: &str, suffix: &str) -> Vec<(String, PathBuf)> {
    let folders = fs::read_dir(sys.join("class/hwmon")).map(|entries| entries.flatten().map(|entry| entry.path()));
    let mut folders: Vec<PathBuf> = folders.map(Iterator::collect).unwrap_or_default();
    folders.sort();
    let mut inputs: Vec<(String, PathBuf)> = Vec::new();
    for folder in folders {
        let text = |name: &str| fs::read_to_string(folder.join(name)).ok().map(|text| text.trim().to_owned());
        let chip = text("name").unwrap_or_else(|| "sensor".into());
        let files = fs::read_dir(&folder).map(|entries| entries.flatten().map(|entry| entry.path()));
        let mut files: Vec<PathBuf> = files.map(Iterator::collect).unwrap_or_default();
        files.sort();
        for path in files {
            let Some(stem) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(suffix)) else { continue };
            if stem.strip_prefix(prefix).is_some_and(|number| number.parse::<u32>().is_ok()) {
                let label = text(&format!("{stem}_label")).unwrap_or_else(|| stem.to_owned());
                inputs.push((format!("{chip} {label}"), path));
            }
        }
    }
    // Sensors of the same name, as on two chips of one kind, are numbered.
    let names: Vec<String> = inputs.iter().map(|(name, _)| name.clone()).collect();
    for (index, (name, _)) in inputs.iter_mut().enumerate() {
        let before = names[..index].iter().filter(|other| *other == name).count();
        if before > 0 {
            *name = format!("{name} ({})", before + 1);
        }
    }
    inputs
}

#[derive(Debug)]
pub struct Sensors(Vec<(String, OpenFile)>);

impl Sensors {
    pub fn open(sys: &Path) -> Result<Self, UnknownGroup> {
        let sensors = files_of(sys, "temp", "_input").into_iter();
        let sensors: Vec<_> = sensors.filter_map(|(name, path)| Some((name, OpenFile::open(&path).ok()?))).collect();
        if sensors.is_empty() {
            return Err(UnknownGroup::new(
                "temperature",
                "the kernel has no sensor of temperature here that can be read",
            ));
        }
        Ok(Self(sensors))
    }
}

impl Source for Sensors {
    fn gauges(&self) -> Vec<Gauge> {
        self.0.iter().map(|(name, _)| Gauge::new("temperature", "", name, "celsius")).collect()
    }

    fn read(&mut self, _: f64, into: &mut Vec<Option<f64>>) {
        let celsius = |file: &mut OpenFile| {
            file.number().map(|milli| milli / 1e3).filter(|celsius| POSSIBLE_CELSIUS.contains(celsius))
        };
        into.extend(self.0.iter_mut().map(|(_, file)| celsius(file)));
    }
}
