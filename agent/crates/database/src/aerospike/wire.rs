//! Encoding and decoding of Aerospike messages, without a socket: requests for one or several records, and info commands, which are
//! text.
//!
//! Only the buffer that requests are appended to allocates, and callers reuse it.
//! Source: `as/include/base/proto.h` of the server, 8.0.

use crate::protocol::NoMessage;

const PROTOCOL: u8 = 2;
const INFO: u8 = 1;
const ADMISSION: u8 = 2;
const MESSAGE: u8 = 3;
/// Length of the header of a message in bytes: version, kind and 48 bits of length.
pub const HEAD_BYTES: usize = 8;
/// Length of the header of a record in bytes.
const RECORD_BYTES: usize = 22;
/// Longest accepted message in bytes; the server's own limit for requests.
const LONGEST_BYTES: usize = 128 << 20;

/// Flags of a request (`info1`, `info2`, `info3`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordFlags(pub u8, pub u8, pub u8);

const READ: u8 = 1;
const ALL_BINS: u8 = 2;
const BATCH: u8 = 8;
const NO_BINS: u8 = 32;
const LAST: u8 = 1;

impl RecordFlags {
    pub const READ_ALL: Self = Self(READ | ALL_BINS, 0, 0);
    pub const READ_SOME: Self = Self(READ, 0, 0);
    pub const EXISTS: Self = Self(READ | NO_BINS, 0, 0);
    /// Writes a record that replaces any existing record.
    pub const REPLACE: Self = Self(0, 1, 16);
    /// Writes bins of a record, which is created if it is absent.
    pub const SET: Self = Self(0, 1, 0);
    /// Writes bins of an existing record.
    pub const UPDATE: Self = Self(0, 1, 8);
    pub const CREATE: Self = Self(0, 1 | 32, 0);
    pub const DELETE: Self = Self(0, 1 | 2, 0);
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetName {
    pub namespace: String,
    pub set: &'static str,
}

fn big(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes()
}

fn write_head(kind: u8, length: usize, at: &mut [u8]) {
    at[..HEAD_BYTES].copy_from_slice(&(length as u64).to_be_bytes());
    at[0] = PROTOCOL;
    at[1] = kind;
}

fn write_field(kind: u8, value: &[u8], into: &mut Vec<u8>) {
    into.extend_from_slice(&big(value.len() + 1));
    into.push(kind);
    into.extend_from_slice(value);
}

/// Appends a message with `fields` fields and `bins` operations, which `rest` appends.
fn write_message(flags: RecordFlags, (fields, bins): (u16, u16), into: &mut Vec<u8>, rest: impl FnOnce(&mut Vec<u8>)) {
    let first = into.len();
    into.extend_from_slice(&[0; HEAD_BYTES]);
    into.extend_from_slice(&[22, flags.0, flags.1, flags.2, 0, 0]);
    // Zero leaves generation, lifetime of the record and timeout to the server.
    into.extend_from_slice(&[0; 12]);
    into.extend_from_slice(&fields.to_be_bytes());
    into.extend_from_slice(&bins.to_be_bytes());
    rest(into);
    let length = into.len() - first - HEAD_BYTES;
    write_head(MESSAGE, length, &mut into[first..]);
}

/// Appends a request about one record with `bins` bins, which `rest` appends.
pub fn write_request(
    flags: RecordFlags,
    set_name: &SetName,
    digest: &[u8; 20],
    bins: u16,
    into: &mut Vec<u8>,
    rest: impl FnOnce(&mut Vec<u8>),
) {
    write_message(flags, (3, bins), into, |into| {
        write_field(0, set_name.namespace.as_bytes(), into);
        write_field(1, set_name.set.as_bytes(), into);
        write_field(4, digest, into);
        rest(into);
    });
}

/// Sets the lifetime of the record in a request, in seconds.
pub fn write_lifetime(lifetime_s: u32, request: &mut [u8]) {
    request[HEAD_BYTES + 10..HEAD_BYTES + 14].copy_from_slice(&lifetime_s.to_be_bytes());
}

/// Appends the name of a bin to read.
pub fn write_name(name: &[u8], into: &mut Vec<u8>) {
    write_operation(1, 0, name, &[], into);
}

/// Appends a bin to write. Its value is the concatenation of `value`.
pub fn write_bin(name: &[u8], value: &[&[u8]], into: &mut Vec<u8>) {
    write_operation(2, 4, name, value, into);
}

fn write_operation(operation: u8, kind: u8, name: &[u8], value: &[&[u8]], into: &mut Vec<u8>) {
    let bytes: usize = value.iter().map(|part| part.len()).sum();
    into.extend_from_slice(&big(4 + name.len() + bytes));
    into.extend_from_slice(&[operation, kind, 0, u8::try_from(name.len()).unwrap_or(u8::MAX)]);
    into.extend_from_slice(name);
    for part in value {
        into.extend_from_slice(part);
    }
}

/// Appends a request for all bins of `count` records. Each answer carries the index that comes with the digest.
pub fn write_batch(set_name: &SetName, count: u32, digests: impl Iterator<Item = (u32, [u8; 20])>, into: &mut Vec<u8>) {
    write_message(RecordFlags(BATCH, 0, 0), (1, 0), into, |into| {
        let first = into.len();
        into.extend_from_slice(&[0, 0, 0, 0, 41]);
        into.extend_from_slice(&count.to_be_bytes());
        // Lets the server read data in memory inline.
        into.push(1);
        let mut is_first = true;
        for (index, digest) in digests {
            into.extend_from_slice(&index.to_be_bytes());
            into.extend_from_slice(&digest);
            if !std::mem::take(&mut is_first) {
                // Repeats namespace and set of the previous record.
                into.push(1);
                continue;
            }
            into.extend_from_slice(&[0, READ | ALL_BINS, 0, 2, 0, 0]);
            write_field(0, set_name.namespace.as_bytes(), into);
            write_field(1, set_name.set.as_bytes(), into);
        }
        let length = into.len() - first - 4;
        into[first..first + 4].copy_from_slice(&big(length));
    });
}

/// Appends info commands, one per line of `lines`.
pub fn write_question(lines: &str, into: &mut Vec<u8>) {
    let first = into.len();
    into.extend_from_slice(&[0; HEAD_BYTES]);
    into.extend_from_slice(lines.as_bytes());
    into.push(b'\n');
    write_head(INFO, lines.len() + 1, &mut into[first..]);
}

/// Appends a security request with `fields`.
pub fn write_admission(request: u8, fields: &[(u8, &[u8])], into: &mut Vec<u8>) {
    let first = into.len();
    into.extend_from_slice(&[0; HEAD_BYTES]);
    into.extend_from_slice(&[0, 0, request, u8::try_from(fields.len()).unwrap_or(u8::MAX)]);
    into.extend_from_slice(&[0; 12]);
    for (kind, value) in fields {
        write_field(*kind, value, into);
    }
    let length = into.len() - first - HEAD_BYTES;
    write_head(ADMISSION, length, &mut into[first..]);
}

/// Returns the result code of the answer to a security request, and its length in bytes; `None` if it is incomplete.
pub fn admission(bytes: &[u8]) -> Result<Option<(u8, usize)>, NoMessage> {
    let Some((body, length)) = body(ADMISSION, bytes)? else { return Ok(None) };
    body.get(1).map(|result| Some((*result, length))).ok_or(NoMessage)
}

/// Returns the body of the first message, and its length in bytes with the header; `None` if it is incomplete.
fn body(kind: u8, bytes: &[u8]) -> Result<Option<(&[u8], usize)>, NoMessage> {
    let Some(head) = bytes.first_chunk::<HEAD_BYTES>() else {
        return if bytes.first().is_some_and(|first| *first != PROTOCOL) { Err(NoMessage) } else { Ok(None) };
    };
    let length = usize::try_from(u64::from_be_bytes(*head) & ((1 << 48) - 1)).map_err(|_| NoMessage)?;
    if head[0] != PROTOCOL || head[1] != kind || length > LONGEST_BYTES {
        return Err(NoMessage);
    }
    Ok(bytes.get(HEAD_BYTES..HEAD_BYTES + length).map(|body| (body, HEAD_BYTES + length)))
}

/// Returns the text of the answer to info commands, and its length in bytes; `None` if it is incomplete.
pub fn read_info(bytes: &[u8]) -> Result<Option<(&[u8], usize)>, NoMessage> {
    body(INFO, bytes)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record<'a> {
    /// Result code: 0 for success, 2 for no such record, others for refusals (see [`meaning`]).
    pub result: u8,
    pub index: u32,
    bins: u16,
    rest: &'a [u8],
}

impl<'a> Record<'a> {
    pub fn bins(&self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let (mut rest, mut left) = (self.rest, self.bins);
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let (&length, behind) = rest.split_first_chunk()?;
            let (operation, behind) = behind.split_at_checked(u32::from_be_bytes(length) as usize)?;
            rest = behind;
            let (&[_, _, _, name], behind) = operation.split_first_chunk()?;
            behind.split_at_checked(name.into())
        })
    }
}

/// Passes each record of the first answer in `bytes` to `each`, and returns the length of the answer in bytes; `None` if it is
/// incomplete. An answer to a batch request ends with a marked record, which is passed only if its result is not 0.
pub fn read_answer<'a>(
    is_batch: bool,
    bytes: &'a [u8],
    mut each: impl FnMut(Record<'a>),
) -> Result<Option<usize>, NoMessage> {
    let mut at = 0;
    loop {
        let Some((mut message, length)) = body(MESSAGE, &bytes[at..])? else { return Ok(None) };
        at += length;
        while !message.is_empty() {
            let head = message.first_chunk::<RECORD_BYTES>().ok_or(NoMessage)?;
            let short = |offset: usize| u16::from_be_bytes([head[offset], head[offset + 1]]);
            let (fields, bins) = (short(18), short(20));
            let behind = &message[RECORD_BYTES..];
            let skipped = skip(behind, fields.into())?;
            let length = skipped + skip(&behind[skipped..], bins.into())?;
            let index = u32::from_be_bytes([head[14], head[15], head[16], head[17]]);
            let record = Record { result: head[5], index, bins, rest: &behind[skipped..length] };
            message = &behind[length..];
            let is_last = head[3] & LAST != 0;
            if !is_batch || !is_last || record.result != 0 {
                each(record);
            }
            if !is_batch || is_last {
                return if message.is_empty() { Ok(Some(at)) } else { Err(NoMessage) };
            }
        }
    }
}

/// Returns the length in bytes of `count` fields or operations at the start of `bytes`.
fn skip(bytes: &[u8], count: usize) -> Result<usize, NoMessage> {
    (0..count).try_fold(0_usize, |at, _| {
        let length = bytes.get(at..).and_then(<[u8]>::first_chunk).ok_or(NoMessage)?;
        let end = at + 4 + u32::from_be_bytes(*length) as usize;
        if end <= bytes.len() { Ok(end) } else { Err(NoMessage) }
    })
}

/// Returns whether no later write can succeed after this result.
pub fn is_fatal(result: u8) -> bool {
    matches!(result, 8 | 11 | 13 | 20 | 22 | 80)
}

pub fn meaning(result: u8) -> &'static str {
    match result {
        1 => "it failed inside of the server",
        2 => "there is no such record",
        3 => "the record has another generation",
        4 => "the request is not understood",
        5 => "the record is there already",
        8 => "there is no room: memory or device are full, or writes are stopped",
        9 => "the server cancelled it after its own time-out",
        11 => "the node is not the master of the partition, and there is no cluster",
        13 => "the record is too big",
        14 => "too many requests for one key",
        18 => "the device cannot keep up (device overload)",
        20 => "there is no such namespace",
        22 => "it is forbidden, such as while the server stops writes",
        60 => "there is no such user",
        62 | 65 => "the password is wrong",
        63 => "the password has expired",
        80 => "a user and password are asked for",
        81 => "the user has no right to it",
        82 => "this address is not let in",
        _ => "see the server's list of result codes",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_name() -> SetName {
        SetName { namespace: "test".into(), set: "fraud" }
    }

    #[test]
    fn a_read_and_a_write_are_these_bytes() {
        let digest = [7; 20];
        let mut read = Vec::new();
        write_request(RecordFlags::READ_ALL, &set_name(), &digest, 0, &mut read, |_| {});
        // Computed by hand from the server's header file: 22 + (5 + 4) + (5 + 5) + (5 + 20) = 66 bytes after the header.
        let mut expected = vec![2, 3, 0, 0, 0, 0, 0, 66, 22, 3, 0, 0, 0, 0];
        expected.extend_from_slice(&[0; 12]);
        expected.extend_from_slice(b"\0\x03\0\0\0\0\0\x05\0test\0\0\0\x06\x01fraud\0\0\0\x15\x04");
        expected.extend_from_slice(&digest);
        assert_eq!(read, expected);
        let mut write = Vec::new();
        write_request(RecordFlags::UPDATE, &set_name(), &digest, 1, &mut write, |into| {
            write_bin(b"value", &[b"ab", b"c"], into);
        });
        assert_eq!(write[7], 66 + 8 + 5 + 3);
        assert_eq!(write[8..12], [22, 0, 1, 8]);
        assert!(write.ends_with(b"\0\0\0\x0c\x02\x04\0\x05valueabc"));
    }

    #[test]
    fn a_batch_names_its_home_once() {
        let mut batch = Vec::new();
        write_batch(&set_name(), 2, [(0, [1; 20]), (1, [2; 20])].into_iter(), &mut batch);
        let field = &batch[HEAD_BYTES + RECORD_BYTES..];
        assert_eq!(field[..10], [0, 0, 0, 80, 41, 0, 0, 0, 2, 1]);
        assert_eq!(field.len(), 4 + 80);
        assert_eq!(field[field.len() - 25..][..4], [0, 0, 0, 1]);
        assert_eq!(field.last(), Some(&1));
    }

    /// Returns a record as the server encodes it.
    fn record(result: u8, last: bool, index: u32, value: Option<&[u8]>) -> Vec<u8> {
        let mut bytes = vec![22, 0, 0, u8::from(last), 0, result];
        bytes.extend_from_slice(&[0; 8]);
        bytes.extend_from_slice(&index.to_be_bytes());
        bytes.extend_from_slice(&[0, 0, 0, u8::from(value.is_some())]);
        if let Some(value) = value {
            write_bin(b"value", &[value], &mut bytes);
        }
        bytes
    }

    fn message(records: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = vec![0; HEAD_BYTES];
        write_head(MESSAGE, records.concat().len(), &mut bytes);
        bytes.extend(records.concat());
        bytes
    }

    #[test]
    fn answers_are_found_only_whole_and_several_records_end_with_the_last() {
        let one = message(&[record(0, false, 0, Some(b"abc"))]);
        let several = [
            message(&[record(0, false, 1, Some(b"b")), record(2, false, 0, None)]),
            message(&[record(0, false, 2, Some(b"c")), record(0, true, 0, None)]),
        ]
        .concat();
        for (is_batch, bytes, wanted) in [(false, one, 1), (true, several, 3)] {
            let mut seen = Vec::new();
            let all = read_answer(is_batch, &bytes, |record| {
                seen.push((record.result, record.index, record.bins().map(|(_, value)| value.to_vec()).next()));
            });
            assert_eq!(all, Ok(Some(bytes.len())));
            assert_eq!(seen.len(), wanted);
            for cut in 0..bytes.len() {
                assert_eq!(read_answer(is_batch, &bytes[..cut], |_| {}), Ok(None), "{cut} bytes are no answer yet");
            }
        }
    }

    #[test]
    fn what_is_no_answer_is_refused_and_does_not_wait_for_more() {
        let mut short = message(&[record(0, false, 0, Some(b"abc"))]);
        short[HEAD_BYTES + 21] = 9;
        for bytes in [b"HTTP/1.1 400".as_slice(), b"-", &[2, 1, 0, 0, 0, 0, 0, 0], &[2, 3, 255, 0, 0, 0, 0, 0], &short]
        {
            assert_eq!(read_answer(false, bytes, |_| {}), Err(NoMessage), "{bytes:?}");
        }
    }
}
