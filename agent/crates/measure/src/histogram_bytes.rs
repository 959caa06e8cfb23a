//! Serde functions for histogram bytes: base64 text in human-readable formats, raw bytes in others.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::Serializer;

#[expect(clippy::ref_option, reason = "the signature that serde calls")]
pub fn serialize<S: Serializer>(bytes: &Option<Vec<u8>>, serializer: S) -> Result<S::Ok, S::Error> {
    match bytes {
        None => serializer.serialize_none(),
        Some(bytes) if serializer.is_human_readable() => serializer.serialize_some(&STANDARD.encode(bytes)),
        // `MessagePack` has no mark of its own for a value that may be missing.
        Some(bytes) => serializer.serialize_bytes(bytes),
    }
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u8>>, D::Error> {
    if !deserializer.is_human_readable() {
        return Ok(Option::<&[u8]>::deserialize(deserializer)?.map(<[u8]>::to_vec));
    }
    let decode = |text: String| {
        STANDARD.decode(text).map_err(|error| D::Error::custom(format!("histogram is not base64: {error}")))
    };
    Option::<String>::deserialize(deserializer)?.map(decode).transpose()
}
