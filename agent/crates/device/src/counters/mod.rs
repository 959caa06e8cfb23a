//! Counters of a drive at one moment, from the drive itself and from the kernel. Names contain the units.

mod kernel;
pub mod pages;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

pub use self::kernel::Texts;
pub use self::pages::Values;
use crate::nvme;

/// Counters read at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    pub values: Values,
    pub texts: Texts,
    /// Histograms kept by the drive itself (`volume.read`, `volume.write`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub histograms: BTreeMap<String, Vec<pages::Bin>>,
}

/// Reads the counters of a disk repeatedly. A source that once returned nothing is not read again, because a refused command would
/// be added to the drive's error log, which is one of the counters.
#[derive(Debug)]
pub struct Reader {
    sys: PathBuf,
    pub disk: String,
    /// Unavailable sources, each with the reason.
    pub absent: BTreeMap<String, String>,
}

impl Reader {
    /// Returns a reader of `disk` (`nvme0n1`, `sda`) below the folder `sys`, usually `/sys`.
    pub fn new(sys: &Path, disk: &str) -> Self {
        let mut absent = BTreeMap::new();
        if !disk.starts_with("nvme") {
            for source in ["smart", "extended", "latency_monitor", "volume"] {
                absent.insert(source.to_owned(), "not an NVMe drive".to_owned());
            }
        }
        Self { sys: sys.to_owned(), disk: disk.to_owned(), absent }
    }

    /// Marks a source as unavailable.
    pub fn note_absent(&mut self, source: &str, reason: String) {
        self.absent.insert(source.to_owned(), reason);
    }

    /// Returns the current counters. May block for as long as the drive takes to answer.
    pub fn read(&mut self) -> Counters {
        let (values, texts) = kernel::read(&self.sys, &self.disk);
        let mut counters = Counters { values, texts, ..Counters::default() };
        if counters.values.is_empty() {
            self.note_absent("kernel", format!("the kernel has no counts of {}", self.disk));
        }
        counters.values.extend(self.page::<{ pages::PAGE_BYTES }, _>("smart", 0x02, pages::health));
        counters.values.extend(self.page::<{ pages::PAGE_BYTES }, _>("extended", 0xc0, pages::extended_health));
        let monitor = self.page::<{ pages::PAGE_BYTES }, _>("latency_monitor", 0xc3, pages::latency_monitor);
        counters.values.extend(monitor);
        let volume = self.page::<{ pages::VOLUME_PAGE_BYTES }, _>("volume", 0xd0, pages::volume);
        if !volume.values.is_empty() {
            counters.values.extend(volume.values);
            counters.histograms.insert("volume.read".to_owned(), volume.read_bins);
            counters.histograms.insert("volume.write".to_owned(), volume.write_bins);
        }
        counters
    }

    fn page<const LENGTH: usize, Content: Default>(
        &mut self,
        source: &str,
        number: u32,
        parse: impl FnOnce(&[u8]) -> Result<Content, String>,
    ) -> Content {
        if self.absent.contains_key(source) {
            return Content::default();
        }
        let page = nvme::log_page::<LENGTH>(&Path::new("/dev").join(&self.disk), number);
        match page.map_err(|error| error.to_string()).and_then(|page| parse(&page)) {
            Ok(content) => content,
            Err(reason) => {
                self.note_absent(source, reason);
                Content::default()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_that_offers_nothing_says_why() {
        let mut reader = Reader::new(Path::new("/nowhere"), "nvme99n1");
        assert!(reader.absent.is_empty());
        assert_eq!(reader.read(), Counters::default());
        let sources: Vec<&str> = reader.absent.keys().map(String::as_str).collect();
        assert_eq!(sources, ["extended", "kernel", "latency_monitor", "smart", "volume"]);
        assert!(reader.absent.values().all(|reason| !reason.is_empty()));
        assert_eq!(Reader::new(Path::new("/nowhere"), "sda").absent["smart"], "not an NVMe drive");
    }
}
