//! Encoding and decoding of the `PostgreSQL` messages that are measured, without a socket: executions of prepared statements, and
//! rows, all in binary format. A library encodes the messages of the login (`greeting`).
//!
//! Only the buffer that requests are appended to allocates, and callers reuse it.
//! Source: `PostgreSQL` 18, "Message Formats".

use crate::protocol::NoMessage;

/// Longest accepted message in bytes; a row of `PostgreSQL` is at most 1 GB.
const LONGEST_BYTES: usize = 1 << 30;
/// Kinds of messages that a server sends in answer to a prepared statement, or at any time.
const KINDS: &[u8] = b"12CDEINASZT";

fn length(bytes: usize) -> [u8; 4] {
    u32::try_from(bytes).unwrap_or(u32::MAX).to_be_bytes()
}

/// Appends a request that runs the prepared statement `name` with `count` parameters, which `parameters` appends.
pub fn write_execution(name: &[u8], count: u16, into: &mut Vec<u8>, parameters: impl FnOnce(&mut Vec<u8>)) {
    into.push(b'B');
    let first = into.len();
    // Placeholder for the length, then the empty name of the portal.
    into.extend_from_slice(&[0; 5]);
    into.extend_from_slice(name);
    // All parameters are in binary format.
    into.extend_from_slice(&[0, 0, 1, 0, 1]);
    into.extend_from_slice(&count.to_be_bytes());
    parameters(into);
    // All columns are in binary format.
    into.extend_from_slice(&[0, 1, 0, 1]);
    let bytes = into.len() - first;
    into[first..first + 4].copy_from_slice(&length(bytes));
    // Execute without a limit of rows, then Sync, which commits.
    into.extend_from_slice(b"E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04");
}

/// Appends a parameter, the concatenation of `parts`.
pub fn write_parameter(parts: &[&[u8]], into: &mut Vec<u8>) {
    into.extend_from_slice(&length(parts.iter().map(|part| part.len()).sum()));
    for part in parts {
        into.extend_from_slice(part);
    }
}

/// Appends a parameter that is an array of `count` elements of the type `type_oid`, which `elements` appends as parameters.
pub fn write_list(type_oid: u32, count: u32, into: &mut Vec<u8>, elements: impl FnOnce(&mut Vec<u8>)) {
    let first = into.len();
    into.extend_from_slice(&[0; 4]);
    for number in [1, 0, type_oid, count, 1] {
        into.extend_from_slice(&number.to_be_bytes());
    }
    elements(into);
    let bytes = into.len() - first - 4;
    into[first..first + 4].copy_from_slice(&length(bytes));
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message<'a> {
    pub kind: u8,
    /// The message without kind and length.
    pub body: &'a [u8],
    /// Length of the whole message in bytes.
    pub bytes: usize,
}

/// Returns the first message in `bytes`, of any kind; `None` if it is incomplete.
pub fn read_message(bytes: &[u8]) -> Result<Option<Message<'_>>, NoMessage> {
    let Some((&[kind, a, b, c, d], rest)) = bytes.split_first_chunk() else { return Ok(None) };
    let length = u32::from_be_bytes([a, b, c, d]) as usize;
    if !(4..=LONGEST_BYTES).contains(&length) {
        return Err(NoMessage);
    }
    Ok(rest.get(..length - 4).map(|body| Message { kind, body, bytes: length + 1 }))
}

/// Returns the first message in `bytes`; `None` if it is incomplete. Fails if the message is no part of an answer, but for
/// example that of another kind of server.
pub fn read_part(bytes: &[u8]) -> Result<Option<Message<'_>>, NoMessage> {
    match bytes.first() {
        Some(kind) if !KINDS.contains(kind) => Err(NoMessage),
        _ => read_message(bytes),
    }
}

/// Returns the columns of a row; `None` for null.
pub fn columns(row: &[u8]) -> impl Iterator<Item = Option<&[u8]>> {
    let mut rest = row.get(2..).unwrap_or_default();
    std::iter::from_fn(move || {
        let (&length, behind) = rest.split_first_chunk()?;
        let Ok(length) = usize::try_from(i32::from_be_bytes(length)) else {
            rest = behind;
            return Some(None);
        };
        let (column, behind) = behind.split_at_checked(length)?;
        rest = behind;
        Some(Some(column))
    })
}

pub fn column_count(row: &[u8]) -> usize {
    row.first_chunk().map_or(0, |count| u16::from_be_bytes(*count).into())
}

/// Returns the number of rows that a statement wrote or read, from its command tag (`UPDATE 1`, `INSERT 0 1`).
pub fn affected(tag: &[u8]) -> Option<u64> {
    let text = tag.strip_suffix(b"\0")?;
    let number = text.rsplit(|byte| *byte == b' ').next()?;
    std::str::from_utf8(number).ok()?.parse().ok()
}

/// Parses an error of the server. It is displayed as `28P01: password authentication failed for user "bench"`.
pub fn refusal(body: &[u8]) -> ServerError {
    let field = |code: u8| {
        let part = body.split(|byte| *byte == 0).find(|field| field.first() == Some(&code));
        part.map(|field| String::from_utf8_lossy(&field[1..]).into_owned()).unwrap_or_default()
    };
    // The severity in English; the field `S` may be translated.
    ServerError { code: field(b'C'), message: field(b'M'), hangs_up: matches!(&*field(b'V'), "FATAL" | "PANIC") }
}

/// SQLSTATE codes after which no later write can succeed: full disk, read only, missing rights or table, wrong password, no such
/// database, too many connections.
const FATAL: [&str; 9] = ["53100", "25006", "42501", "42P01", "42703", "28P01", "28000", "3D000", "53300"];

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct ServerError {
    pub code: String,
    pub message: String,
    /// Whether the server closes the connection after the error.
    pub hangs_up: bool,
}

impl ServerError {
    /// Returns whether no later write can succeed.
    pub fn is_fatal(&self) -> bool {
        FATAL.contains(&&*self.code)
    }
}

#[cfg(test)]
mod tests {
    use bytes::BytesMut;
    use postgres_protocol::IsNull;
    use postgres_protocol::message::frontend;

    use super::*;

    #[test]
    fn requests_are_those_of_the_library() {
        let values: [&[u8]; 3] = [b"user1", b"", b"\0\xff"];
        let mut ours = Vec::new();
        write_execution(b"u3", 3, &mut ours, |into| {
            write_parameter(&[b"us", b"er1"], into);
            write_parameter(&[], into);
            write_parameter(&[b"\0\xff"], into);
        });
        let mut theirs = BytesMut::new();
        let write = |value: &[u8], into: &mut BytesMut| {
            into.extend_from_slice(value);
            Ok(IsNull::No)
        };
        assert!(frontend::bind("", "u3", [1], values, write, [1], &mut theirs).is_ok());
        frontend::execute("", 0, &mut theirs).expect("written");
        frontend::sync(&mut theirs);
        assert_eq!(ours, theirs);
    }

    #[test]
    fn a_list_is_that_of_the_library() {
        let numbers = [5_i64, -1];
        let mut ours = Vec::new();
        write_list(20, 2, &mut ours, |into| {
            for number in numbers {
                write_parameter(&[&number.to_be_bytes()], into);
            }
        });
        let mut theirs = BytesMut::new();
        let dimension = postgres_protocol::types::ArrayDimension { len: 2, lower_bound: 1 };
        let write = |number: &i64, into: &mut BytesMut| {
            into.extend_from_slice(&number.to_be_bytes());
            Ok(IsNull::No)
        };
        postgres_protocol::types::array_to_sql([dimension], 20, numbers.iter(), write, &mut theirs).expect("written");
        assert_eq!(&ours[4..], &theirs[..]);
        assert_eq!(ours[..4], length(theirs.len()));
    }

    #[test]
    fn messages_are_found_one_by_one_and_only_whole() {
        let stream = b"2\0\0\0\x04D\0\0\0\x12\0\x02\xff\xff\xff\xff\0\0\0\x04abcdC\0\0\0\x0dSELECT 1\0Z\0\0\0\x05I";
        let (mut kinds, mut at) = (Vec::new(), 0);
        while let Some(message) = read_part(&stream[at..]).expect("readable") {
            for cut in 0..message.bytes {
                assert_eq!(read_part(&stream[at..at + cut]), Ok(None), "{cut} bytes are no message yet");
            }
            if message.kind == b'D' {
                assert_eq!(column_count(message.body), 2);
                assert_eq!(columns(message.body).collect::<Vec<_>>(), [None, Some(b"abcd".as_slice())]);
            }
            kinds.push(message.kind);
            at += message.bytes;
        }
        assert_eq!((kinds.as_slice(), at), (b"2DCZ".as_slice(), stream.len()));
        for bytes in [b"HTTP/1.1 400 Bad Request".as_slice(), b"D\0\0\0\x03", b"D\xff\xff\xff\xff", b"+OK\r\n"] {
            assert_eq!(read_part(bytes), Err(NoMessage), "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn what_a_statement_did_and_what_was_refused() {
        assert_eq!(affected(b"UPDATE 0\0"), Some(0));
        assert_eq!(affected(b"INSERT 0 1\0"), Some(1));
        assert_eq!(affected(b"BEGIN\0"), None);
        let body = b"SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed\0\0";
        let error = refusal(body);
        assert_eq!(error.to_string(), "28P01: password authentication failed");
        assert!(error.is_fatal() && error.hangs_up);
        // Cut off in the middle of a column.
        assert_eq!(columns(b"\0\x01\0\0\0\x09abc").collect::<Vec<_>>(), Vec::<Option<&[u8]>>::new());
    }
}
