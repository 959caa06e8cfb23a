//! Serialization of maps by series number with text as keys: JSON allows no other keys, and both encodings of a message must
//! decode to equal values.

use std::collections::BTreeMap;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

pub fn serialize<S: Serializer, V: Serialize>(map: &BTreeMap<u16, V>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(map.iter().map(|(series_no, value)| (series_no.to_string(), value)))
}

pub fn deserialize<'de, D, V>(deserializer: D) -> Result<BTreeMap<u16, V>, D::Error>
where
    D: Deserializer<'de>,
    V: Deserialize<'de>,
{
    BTreeMap::<String, V>::deserialize(deserializer)?
        .into_iter()
        .map(|(key, value)| match key.parse() {
            Ok(series_no) => Ok((series_no, value)),
            Err(_) => Err(D::Error::custom(format!("`{key}` is not a series number (0–65535)"))),
        })
        .collect()
}
