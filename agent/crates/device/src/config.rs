//! ACT's own configuration files, unchanged: `act_storage` and `act_index` of releases 2 to 6.6.
//!
//! Translates each key into a plan. Parsing is stricter than ACT's, which reads every word but `y…` as no, text as the number 0 and
//! `128k` as 128; here each of these is an error with its line. Keys that ACT has removed are refused with a replacement, because a
//! test that silently differs from its configuration would still be compared with others.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::plan::{ActStoragePlan, Model, PlanError};

/// A configuration translated into a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct ActConfig {
    pub plan: ActStoragePlan,
    pub duration_s: u64,
    /// Notes about settings of the file that have no effect here, for display.
    pub notes: Vec<String>,
}

/// Error in a configuration file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{sentence}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct ConfigError {
    /// Line number, counted from 1; `None` if a key is missing.
    pub line: Option<usize>,
    pub sentence: String,
}

/// Tests that use a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    Both,
    Storage,
    Index,
}

/// Every key of release 6.6, with the tests that use it.
const KEYS: [(&str, Scope); 22] = [
    ("device-names", Scope::Both),
    ("file-size-mbytes", Scope::Both),
    ("service-threads", Scope::Both),
    ("cache-threads", Scope::Index),
    ("test-duration-sec", Scope::Both),
    ("report-interval-sec", Scope::Both),
    ("microsecond-histograms", Scope::Both),
    ("read-reqs-per-sec", Scope::Both),
    ("write-reqs-per-sec", Scope::Both),
    ("record-bytes", Scope::Storage),
    ("record-bytes-range-max", Scope::Storage),
    ("large-block-op-kbytes", Scope::Storage),
    ("replication-factor", Scope::Both),
    ("update-pct", Scope::Storage),
    ("defrag-lwm-pct", Scope::Both),
    ("no-defrag-reads", Scope::Storage),
    ("compress-pct", Scope::Storage),
    ("disable-odsync", Scope::Both),
    ("commit-to-device", Scope::Storage),
    ("tomb-raider", Scope::Storage),
    ("tomb-raider-sleep-usec", Scope::Storage),
    ("max-lag-sec", Scope::Both),
];

/// Keys of earlier releases, each with the advice for its replacement.
const REMOVED_KEYS: [(&str, &str); 10] = [
    ("num-queues", "ACT gave it up in 6.0; remove the line, threads need no setting here"),
    ("threads-per-queue", "ACT gave it up in 6.0; remove the line, threads need no setting here"),
    ("max-reqs-queued", "ACT gave it up in 6.0; remove the line and set max-lag-sec, which ends a test that lags"),
    ("commit-min-bytes", "ACT gave it up in 6.4; remove the line, the device's minimum is found out"),
    ("scheduler-mode", "ACT gave it up in 6.5; remove the line and set /sys/block/<device>/queue/scheduler yourself"),
    ("queue-per-device", "ACT gave it up before 5.0; remove the line"),
    ("large-block-ops-per-sec", "this is the form of 2013; set write-reqs-per-sec, the rate is derived from it"),
    ("read-req-num-512-blocks", "this is the form of 2013; set record-bytes"),
    ("use-valloc", "this is the form of 2013; remove the line"),
    ("num-write-buffers", "this is the form of 2013; remove the line"),
];

/// Parses a configuration. If `model` is `None`, the file is one of `act_index` if it has a key that only `act_index` has.
/// Fails if a key or value is invalid, missing, removed from ACT or not of this test, with the line and a remedy.
pub fn parse(text: &str, model: Option<Model>) -> Result<ActConfig, ConfigError> {
    let entries = entries(text)?;
    let has_index_key = entries.keys().any(|key| scope_of(key) == Some(Scope::Index));
    let model = model.unwrap_or(if has_index_key { Model::Index } else { Model::Storage });
    let (foreign, tool, other) = match model {
        Model::Storage => (Scope::Index, "act_storage", "act_index"),
        Model::Index => (Scope::Storage, "act_index", "act_storage"),
    };
    if let Some((key, entry)) = entries.iter().find(|(key, _)| scope_of(key) == Some(foreign)) {
        let sentence = format!("{key} belongs to {other}, but this is a configuration of {tool}");
        return Err(ConfigError { line: Some(entry.line), sentence });
    }
    Config { entries }.translate(model)
}

fn scope_of(key: &str) -> Option<Scope> {
    KEYS.iter().find(|(name, _)| *name == key).map(|(_, scope_of)| *scope_of)
}

#[derive(Debug)]
struct Entry {
    line: usize,
    value: String,
}

fn entries(text: &str) -> Result<BTreeMap<String, Entry>, ConfigError> {
    let mut entries = BTreeMap::<String, Entry>::new();
    for (line, content) in (1..).zip(text.lines()) {
        let wrong = |sentence: String| Err(ConfigError { line: Some(line), sentence });
        let content = content.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let Some((key, value)) = content.split_once([':', ' ', '\t']) else {
            return wrong(format!("`{content}` has no value; write `key: value`"));
        };
        let (key, value) = (key.trim(), value.trim().trim_start_matches(':').trim());
        if let Some((_, advice)) = REMOVED_KEYS.iter().find(|(removed, _)| *removed == key) {
            return wrong(format!("{key}: {advice}"));
        }
        if scope_of(key).is_none() {
            let close = KEYS.iter().max_by(|(a, _), (b, _)| similarity(a, key).total_cmp(&similarity(b, key)));
            let hint = close.filter(|(name, _)| similarity(name, key) > 0.6);
            let hint = hint.map(|(name, _)| format!("; did you mean {name}?")).unwrap_or_default();
            return wrong(format!("{key} is no key of ACT{hint}"));
        }
        if value.is_empty() {
            return wrong(format!("{key} has no value"));
        }
        if let Some(before) = entries.insert(key.to_owned(), Entry { line, value: value.to_owned() }) {
            return wrong(format!("{key} is set a second time (first on line {})", before.line));
        }
    }
    Ok(entries)
}

/// Returns the similarity of two words: the share of adjacent letter pairs that they have in common, 0 to 1.
fn similarity(left: &str, right: &str) -> f64 {
    let pairs = |word: &str| word.as_bytes().windows(2).map(|pair| [pair[0], pair[1]]).collect::<Vec<_>>();
    let (left, mut right) = (pairs(left), pairs(right));
    let total = left.len() + right.len();
    let common = left.iter().filter(|pair| right.iter().position(|p| p == *pair).map(|at| right.remove(at)).is_some());
    2.0 * common.count() as f64 / total.max(1) as f64
}

struct Config {
    entries: BTreeMap<String, Entry>,
}

impl Config {
    fn translate(&self, model: Model) -> Result<ActConfig, ConfigError> {
        let missing = |key: &str| ConfigError { line: None, sentence: format!("{key} is mandatory and not there") };
        let names = self.entries.get("device-names").ok_or_else(|| missing("device-names"))?;
        let mut paths = names.value.split([',', ';', ' ', '\t']).filter(|name| !name.is_empty()).map(PathBuf::from);
        let path = paths.next().ok_or_else(|| missing("device-names"))?;
        if names.value.contains('?') {
            return Err(self.wrong("device-names", "still has the `?` of the template; name the devices"));
        }
        let duration_s = u64::from(self.number("test-duration-sec")?.ok_or_else(|| missing("test-duration-sec"))?);
        if duration_s == 0 {
            return Err(self.wrong("test-duration-sec", "is 0; at least one second is needed"));
        }
        let defaults = ActStoragePlan::new(path);
        let kbytes = self.number("large-block-op-kbytes")?.unwrap_or(defaults.large_block_bytes >> 10);
        let large_block_bytes = kbytes
            .checked_mul(1 << 10)
            .filter(|bytes| bytes.is_power_of_two())
            .ok_or_else(|| self.wrong("large-block-op-kbytes", "must be a power of two, up to 8192"))?;
        let lag = self.number("max-lag-sec")?.unwrap_or(defaults.max_lag_s);
        let mut plan = ActStoragePlan {
            further_paths: paths.collect(),
            file_size_bytes: self.number("file-size-mbytes")?.filter(|&mb| mb > 0).map(|mb| u64::from(mb) << 20),
            model,
            read_requests_per_s: Some(self.number("read-reqs-per-sec")?.unwrap_or(0)),
            write_requests_per_s: Some(self.number("write-reqs-per-sec")?.unwrap_or(0)),
            record_bytes: self.number("record-bytes")?.unwrap_or(defaults.record_bytes),
            record_bytes_range_max: self.number("record-bytes-range-max")?.unwrap_or(0),
            large_block_bytes,
            replication_factor: self.number("replication-factor")?.unwrap_or(1),
            update_pct: self.per_cent("update-pct", defaults.update_pct)?,
            defrag_lwm_pct: self.per_cent("defrag-lwm-pct", defaults.defrag_lwm_pct)?,
            no_defrag_reads: self.yes("no-defrag-reads")?,
            compress_pct: self.per_cent("compress-pct", defaults.compress_pct)?,
            commit_to_device: self.yes("commit-to-device")?,
            tomb_raider: self.yes("tomb-raider")?,
            tomb_raider_sleep_us: self.number("tomb-raider-sleep-usec")?.unwrap_or(0),
            max_lag_s: lag,
            sync_writes: !self.yes("disable-odsync")?,
            ..defaults
        };
        plan.load_multiple = plan.effective_load();
        plan.validate().map_err(|error| self.locate(&error))?;
        let notes = self.notes()?;
        Ok(ActConfig { plan, duration_s, notes })
    }

    fn notes(&self) -> Result<Vec<String>, ConfigError> {
        let mut notes = Vec::new();
        let of_threads = "operations are submitted without a thread for each, so the number has no meaning here";
        for (key, note) in [
            ("service-threads", of_threads),
            ("cache-threads", of_threads),
            ("report-interval-sec", "ticks come each second; slices of any length are cut from the record"),
        ] {
            if self.number(key)?.is_some() {
                notes.push(format!("{key}: {note}"));
            }
        }
        if self.entries.contains_key("microsecond-histograms") {
            self.yes("microsecond-histograms")?;
            notes.push("microsecond-histograms: latencies are always kept to 1 µs and 0.1 %".to_owned());
        }
        Ok(notes)
    }

    fn wrong(&self, key: &str, what: &str) -> ConfigError {
        ConfigError { line: self.entries.get(key).map(|entry| entry.line), sentence: format!("{key} {what}") }
    }

    fn number(&self, key: &str) -> Result<Option<u32>, ConfigError> {
        let Some(entry) = self.entries.get(key) else { return Ok(None) };
        let number = entry.value.parse().map_err(|_| {
            self.wrong(key, &format!("is `{}`; a whole number up to {} is needed", entry.value, u32::MAX))
        })?;
        Ok(Some(number))
    }

    fn per_cent(&self, key: &str, default: u8) -> Result<u8, ConfigError> {
        let Some(number) = self.number(key)? else { return Ok(default) };
        u8::try_from(number)
            .ok()
            .filter(|per_cent| *per_cent <= 100)
            .ok_or_else(|| self.wrong(key, "must lie between 0 and 100"))
    }

    fn yes(&self, key: &str) -> Result<bool, ConfigError> {
        let Some(entry) = self.entries.get(key) else { return Ok(false) };
        match entry.value.as_str() {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(self.wrong(key, &format!("is `{other}`; write yes or no"))),
        }
    }

    /// Returns the error of a plan with the line of the key that caused it.
    fn locate(&self, PlanError { field, sentence }: &PlanError) -> ConfigError {
        let key = match *field {
            "path" | "further_paths" => "device-names",
            "file_size_bytes" => "file-size-mbytes",
            "large_block_bytes" => "large-block-op-kbytes",
            "sync_writes" => "disable-odsync",
            "read_requests_per_s" => "read-reqs-per-sec",
            other => &other.replace('_', "-"),
        };
        ConfigError {
            line: self.entries.get(key).map(|entry| entry.line),
            sentence: format!("{key}: {field} {sentence}"),
        }
    }
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
