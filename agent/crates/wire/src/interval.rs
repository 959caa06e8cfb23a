//! How one measured interval is written: field names of the contract, and a histogram that is base64 text in JSON and
//! `bin` in `MessagePack`.

use measure::series::Interval;
use serde::{Deserialize, Serialize};

/// An [`Interval`] under the names of the contract.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WireInterval(#[serde(with = "IntervalFields")] pub Interval);

/// Field for field the same as [`Interval`], so that a new field there does not compile until it is decided on here.
///
/// Facts that came to the contract later are left out where they are unknown, and may be missing: what an older agent
/// wrote (its spool, its result file) stays readable.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Interval", deny_unknown_fields)]
struct IntervalFields {
    #[serde(rename = "series")]
    series_no: u16,
    seq: u64,
    start_ns: u64,
    duration_ns: u64,
    count: u64,
    errors: u64,
    timeouts: u64,
    unfinished: u64,
    sum_ns: u64,
    min_ns: Option<u64>,
    max_ns: Option<u64>,
    pins: Vec<u64>,
    target_count: Option<u64>,
    lateness_max_ns: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lateness_p99_ns: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    busy_ns: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    in_flight: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    oldest_in_flight_ns: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    temperature_millicelsius: Option<i64>,
    #[serde(with = "histogram_bytes")]
    histogram: Option<Vec<u8>>,
}

mod histogram_bytes {
    //! Bytes that are text where the format is made for people, and raw where it is not.

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
}
