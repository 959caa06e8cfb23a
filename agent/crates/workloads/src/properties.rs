//! Java property files with the line of each key. If a key is set several times, the last setting counts.

use std::collections::BTreeMap;

use java_properties::{LineContent, PropertiesIter};

use crate::error::PlanError;

/// A value with its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Value without surrounding blanks. YCSB refuses numbers with blanks; here the blanks are removed.
    pub value: String,
    /// Line number, counted from 1.
    pub line: usize,
    /// Whether blanks were removed.
    pub was_cut: bool,
}

/// Settings by key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Properties(BTreeMap<String, Setting>);

impl Properties {
    /// Parses a property file.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        let mut settings = BTreeMap::new();
        for line in PropertiesIter::new(text.as_bytes()) {
            let line =
                line.map_err(|error| PlanError::Unreadable { line: error.line_number(), sentence: error.to_string() })?;
            let number = line.line_number();
            if let LineContent::KVPair(key, value) = line.consume_content() {
                let (cut, was_cut) = (value.trim(), value.trim() != value);
                settings.insert(key, Setting { value: cut.to_owned(), line: number, was_cut });
            }
        }
        Ok(Self(settings))
    }

    /// Returns the properties with additional settings, which have the line of `key`.
    pub fn with(&self, settings: &[(&str, &str)], key: &str) -> Self {
        let line = self.0.get(key).map_or(0, |setting| setting.line);
        let setting = |(name, value): &(&str, &str)| {
            ((*name).to_owned(), Setting { value: (*value).to_owned(), line, was_cut: false })
        };
        let mut all = self.0.clone();
        all.extend(settings.iter().map(setting));
        Self(all)
    }

    /// Returns the value of a key, if it is set.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(|setting| setting.value.as_str())
    }

    /// Returns the value of a key as a number, or `default` if it is not set. Fails with the line if the value is no such number.
    pub fn number<T: std::str::FromStr>(&self, key: &str, default: T) -> Result<T, PlanError> {
        let Some(setting) = self.0.get(key) else { return Ok(default) };
        setting.value.parse().map_err(|_| PlanError::Unreadable {
            line: Some(setting.line),
            sentence: format!("{key}: `{}` is not a number of the kind that is needed here", setting.value),
        })
    }

    /// Returns the value of a key as a Boolean, or `default` if it is not set. By Java's rule, every value but `true` is false.
    pub fn flag(&self, key: &str, default: bool) -> bool {
        self.text(key).map_or(default, |value| value.eq_ignore_ascii_case("true"))
    }

    /// Returns an error about a key, with its line if it is set.
    pub fn refuse(&self, key: &str, sentence: impl std::fmt::Display) -> PlanError {
        match self.0.get(key) {
            Some(setting) => PlanError::Unreadable { line: Some(setting.line), sentence: format!("{key}: {sentence}") },
            None => PlanError::field(key, sentence.to_string()),
        }
    }

    /// Returns an error about a key unless its value holds.
    pub fn require(&self, holds: bool, key: &str, sentence: impl std::fmt::Display) -> Result<(), PlanError> {
        if holds { Ok(()) } else { Err(self.refuse(key, sentence)) }
    }

    /// Returns all settings with their keys.
    pub fn settings(&self) -> impl Iterator<Item = (&str, &Setting)> {
        self.0.iter().map(|(key, setting)| (key.as_str(), setting))
    }
}
