//! Serde functions for histogram bytes: base64 text in human-readable formats, raw bytes in others.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;

#[expect(clippy::ref_option, reason = "the signature that serde calls")]
pub fn serialize<S: Serializer>(bytes: &Option<Vec<u8>>, serializer: S) -> Result<S::Ok, S::Error> {
    match bytes {
        None => serializer.serialize_none(),
        Some(bytes) if serializer.is_human_readable() => serializer.serialize_some(&STANDARD.encode(bytes)),
        Some(bytes) => serializer.serialize_some(&Raw(bytes)),
    }
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u8>>, D::Error> {
    deserializer.deserialize_option(Histogram)
}

struct Raw<'a>(&'a [u8]);

impl serde::Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

struct Histogram;

impl<'de> Visitor<'de> for Histogram {
    type Value = Option<Vec<u8>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the bytes of a histogram (base64 text in JSON) or null")
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(self)
        } else {
            deserializer.deserialize_byte_buf(self)
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        STANDARD.decode(text).map(Some).map_err(|error| E::custom(format!("histogram is not base64: {error}")))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(Some(bytes.to_vec()))
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Self::Value, E> {
        Ok(Some(bytes))
    }
}
