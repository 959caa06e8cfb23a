//! Reading of small kernel files, with a reason for each that could not be read.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Reader of kernel files that collects the reasons for unknown fields.
#[derive(Debug, Default)]
pub struct Probe {
    unknown: BTreeMap<String, String>,
}

impl Probe {
    /// Returns the trimmed content of a file; `None`, with a reason noted, if it cannot be read or is empty.
    pub fn text(&mut self, field: &str, path: impl AsRef<Path>) -> Option<String> {
        let path = path.as_ref();
        match fs::read(path) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes).trim_matches(['\0', '\n', ' ']).to_owned();
                if text.is_empty() {
                    self.unknown(field, &format!("{} is empty", path.display()));
                    return None;
                }
                Some(text)
            }
            Err(error) => {
                self.unknown(field, &format!("{}: {error}", path.display()));
                None
            }
        }
    }

    /// Returns the content of the first readable file; `None`, with the reasons of all files noted, if there is none.
    pub fn text_of_any(&mut self, field: &str, paths: &[impl AsRef<Path>]) -> Option<String> {
        let mut reasons = Vec::new();
        for path in paths {
            if let Some(text) = self.text(field, path) {
                self.unknown.remove(field);
                return Some(text);
            }
            reasons.extend(self.unknown.remove(field));
        }
        self.unknown(field, &reasons.join("; "));
        None
    }

    /// Returns the content of a file as an integer.
    pub fn number(&mut self, field: &str, path: impl AsRef<Path>) -> Option<i64> {
        let path = path.as_ref();
        let text = self.text(field, path)?;
        if let Ok(number) = text.parse() {
            return Some(number);
        }
        self.unknown(field, &format!("{} holds `{text}`, which is no number", path.display()));
        None
    }

    /// Returns the content of a file as a flag: 0 is `false`, other numbers are `true`.
    pub fn flag(&mut self, field: &str, path: impl AsRef<Path>) -> Option<bool> {
        self.number(field, path).map(|number| number != 0)
    }

    /// Notes why a field is null.
    pub fn unknown(&mut self, field: &str, reason: &str) {
        self.unknown.insert(field.to_owned(), reason.to_owned());
    }

    /// Returns all noted reasons by field.
    pub fn into_unknown(self) -> BTreeMap<String, String> {
        self.unknown
    }
}

/// Returns the names in a folder, sorted; empty if the folder cannot be read.
pub fn names(folder: impl AsRef<Path>) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}
