//! Reading small files of the kernel, and remembering why one could not be read.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Reasons by field, collected while reading.
#[derive(Debug, Default)]
pub struct Probe {
    unknown: BTreeMap<String, String>,
}

impl Probe {
    /// Returns the trimmed content; none and a reason when it cannot be read or is empty.
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

    /// The content of the first of several files that can be read; else the reason of each.
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

    /// Returns the content as an integer.
    pub fn number(&mut self, field: &str, path: impl AsRef<Path>) -> Option<i64> {
        let path = path.as_ref();
        let text = self.text(field, path)?;
        if let Ok(number) = text.parse() {
            return Some(number);
        }
        self.unknown(field, &format!("{} holds `{text}`, which is no number", path.display()));
        None
    }

    /// Returns the content, where 1 is yes and 0 is no.
    pub fn flag(&mut self, field: &str, path: impl AsRef<Path>) -> Option<bool> {
        self.number(field, path).map(|number| number != 0)
    }

    /// Notes why a field is null.
    pub fn unknown(&mut self, field: &str, reason: &str) {
        self.unknown.insert(field.to_owned(), reason.to_owned());
    }

    /// Returns all reasons.
    pub fn into_unknown(self) -> BTreeMap<String, String> {
        self.unknown
    }
}

/// Names in a folder, sorted; none when it cannot be read.
pub fn names(folder: impl AsRef<Path>) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}
