//! The format of a segment file: a magic number, then records of length, CRC-32 and `MessagePack`.
//!
//! A write that was cut short (kill, power failure) leaves an incomplete record, which length or checksum reveal.

use measure::series::Interval;

use crate::messages::{EncodingError, from_msgpack, to_msgpack};

/// First bytes of every segment; the last digit is the version of the format.
pub const MAGIC: &[u8; 8] = b"TLRSPL01";
/// Size of the length and the checksum before each record.
const HEADER_BYTES: usize = 8;
/// Largest plausible payload; no interval comes near this, so a larger length means damage.
const MAX_RECORD_BYTES: usize = 4 << 20;

/// Appends one record to `buffer`.
pub fn append(buffer: &mut Vec<u8>, interval: &Interval) -> Result<(), EncodingError> {
    let payload = to_msgpack(interval)?;
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    buffer.extend_from_slice(&length.to_le_bytes());
    buffer.extend_from_slice(&checksum(length, &payload).to_le_bytes());
    buffer.extend_from_slice(&payload);
    Ok(())
}

/// Returns the checksum of length and payload. It covers the length so that a run of zeros is no valid record.
fn checksum(length: u32, payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&length.to_le_bytes());
    hasher.update(payload);
    hasher.finalize() ^ 0xa5a5_a5a5
}

/// Content at the start of a slice of a segment.
#[derive(Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "matched where it is made, never stored")]
pub enum Content {
    /// A complete record, and its size in bytes.
    Record(Interval, usize),
    End,
    /// An incomplete record at the end.
    Torn,
    /// Damaged bytes, and the offset at which the next record may begin, if the length is plausible.
    Damaged(Option<usize>),
}

/// Reads the record at the start of `bytes`.
pub fn next(bytes: &[u8]) -> Content {
    if bytes.is_empty() {
        return Content::End;
    }
    let Some((header, rest)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
        return Content::Torn;
    };
    let (length_bytes, sum_bytes) = header.split_at(4);
    let length = u32::from_le_bytes(length_bytes.try_into().unwrap_or_default());
    let sum = u32::from_le_bytes(sum_bytes.try_into().unwrap_or_default());
    let size = length as usize;
    if size > MAX_RECORD_BYTES {
        return Content::Damaged(None);
    }
    let Some(payload) = rest.get(..size) else {
        return Content::Torn;
    };
    let size_with_header = HEADER_BYTES + size;
    if checksum(length, payload) != sum {
        return Content::Damaged(Some(size_with_header));
    }
    match from_msgpack::<Interval>(payload) {
        Ok(interval) => Content::Record(interval, size_with_header),
        Err(_) => Content::Damaged(Some(size_with_header)),
    }
}

/// Result of scanning a whole segment.
#[derive(Debug, Default)]
pub struct Scan {
    /// The segment without damage: the magic number and every complete record, in order.
    pub clean: Vec<u8>,
    /// Size of an incomplete record at the end, in bytes.
    pub torn_bytes: u64,
    pub damaged_bytes: u64,
}

/// Scans a segment, passes every complete record to `each`, and continues after damage if possible.
pub fn scan(bytes: &[u8], mut each: impl FnMut(Interval)) -> Scan {
    let mut scan = Scan { clean: MAGIC.to_vec(), ..Scan::default() };
    let Some(mut rest) = bytes.strip_prefix(MAGIC) else {
        if MAGIC.starts_with(bytes) {
            scan.torn_bytes = bytes.len() as u64;
        } else {
            scan.damaged_bytes = bytes.len() as u64;
        }
        return scan;
    };
    loop {
        match next(rest) {
            Content::End => return scan,
            Content::Record(interval, size) => {
                each(interval);
                scan.clean.extend_from_slice(&rest[..size]);
                rest = &rest[size..];
            }
            Content::Torn => {
                scan.torn_bytes = rest.len() as u64;
                return scan;
            }
            Content::Damaged(Some(size)) => {
                scan.damaged_bytes += size as u64;
                rest = &rest[size..];
            }
            Content::Damaged(None) => {
                scan.damaged_bytes += rest.len() as u64;
                return scan;
            }
        }
    }
}
