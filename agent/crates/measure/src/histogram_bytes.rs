//! Serde functions for histogram bytes: base64 text in human-readable formats, raw bytes in others.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
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
    if !deserializer.is_human_readable() {
        return Ok(Option::<RawBuffer>::deserialize(deserializer)?.map(|RawBuffer(bytes)| bytes));
    }
    let decode = |text: String| {
        STANDARD.decode(text).map_err(|error| D::Error::custom(format!("histogram is not base64: {error}")))
    };
    Option::<String>::deserialize(deserializer)?.map(decode).transpose()
}

struct Raw<'a>(&'a [u8]);

impl serde::Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

struct RawBuffer(Vec<u8>);

impl<'de> Deserialize<'de> for RawBuffer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_byte_buf(BytesVisitor).map(Self)
    }
}

struct BytesVisitor;

impl Visitor<'_> for BytesVisitor {
    type Value = Vec<u8>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the bytes of a histogram or null")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(bytes.to_vec())
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Self::Value, E> {
        Ok(bytes)
    }
}
