//! Encoding and decoding of the Redis and Valkey protocol, versions 2 and 3, without a socket.
//!
//! Only the buffer that requests are appended to allocates, and callers reuse it.

use crate::protocol::NoMessage;

/// Length of the longest accepted line with a length or a number, in bytes.
const LONGEST_NUMBER: usize = 24;

fn write_header(kind: u8, number: usize, into: &mut Vec<u8>) {
    into.push(kind);
    into.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
    into.extend_from_slice(b"\r\n");
}

/// Appends the start of a request of `words` words.
pub fn write_begin(words: usize, into: &mut Vec<u8>) {
    write_header(b'*', words, into);
}

pub fn write_word(word: &[u8], into: &mut Vec<u8>) {
    write_parts(&[word], into);
}

/// Appends a word that is the concatenation of `parts`.
pub fn write_parts(parts: &[&[u8]], into: &mut Vec<u8>) {
    write_header(b'$', parts.iter().map(|part| part.len()).sum(), into);
    for part in parts {
        into.extend_from_slice(part);
    }
    into.extend_from_slice(b"\r\n");
}

pub fn write_request(words: &[&[u8]], into: &mut Vec<u8>) {
    write_begin(words.len(), into);
    for word in words {
        write_word(word, into);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer<'a> {
    /// A status such as `+OK`.
    Status,
    /// A string.
    Value(&'a [u8]),
    /// Null: there is no such key.
    Missing,
    /// A whole number.
    Number(i64),
    /// A list, counted together with the lists inside it: `missing` nulls are keys that do not exist, and all values have `bytes`
    /// bytes in total.
    List { items: usize, missing: usize, bytes: usize },
    /// A refusal, in the words of the server.
    Refused(&'a [u8]),
    /// A push message or an attribute of the next answer, which answers no request.
    OutOfBand,
}

enum Element<'a> {
    Line(u8, &'a [u8]),
    Bulk(&'a [u8]),
    Null,
    List(usize),
    /// A push message or an attribute of this many values.
    OutOfBand(usize),
}

/// Returns the element at offset `at`, and the offset of the next; `None` if the element is incomplete.
#[inline]
fn element(bytes: &[u8], at: usize) -> Result<Option<(Element<'_>, usize)>, NoMessage> {
    let Some((&kind, rest)) = bytes.get(at..).and_then(<[u8]>::split_first) else { return Ok(None) };
    let is_line = matches!(kind, b'+' | b'-' | b':' | b'_' | b',' | b'#' | b'(');
    if !is_line && !b"$*%~>!=|".contains(&kind) {
        return Err(NoMessage);
    }
    let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
        return if !is_line && rest.len() > LONGEST_NUMBER { Err(NoMessage) } else { Ok(None) };
    };
    let Some(line) = rest[..end].strip_suffix(b"\r") else { return Err(NoMessage) };
    let next = at + 1 + end + 1;
    match kind {
        b'_' => return Ok(Some((Element::Null, next))),
        _ if is_line => return Ok(Some((Element::Line(kind, line), next))),
        _ => {}
    }
    let length = number(line).ok_or(NoMessage)?;
    let Ok(length) = usize::try_from(length) else { return Ok(Some((Element::Null, next))) };
    let pairs = || length.checked_mul(2).ok_or(NoMessage);
    match kind {
        b'*' | b'~' => return Ok(Some((Element::List(length), next))),
        b'%' => return Ok(Some((Element::List(pairs()?), next))),
        b'>' => return Ok(Some((Element::OutOfBand(length), next))),
        b'|' => return Ok(Some((Element::OutOfBand(pairs()?), next))),
        _ => {}
    }
    let end = next.checked_add(length).and_then(|end| end.checked_add(2)).ok_or(NoMessage)?;
    let Some(value) = bytes.get(next..end) else { return Ok(None) };
    let value = value.strip_suffix(b"\r\n").ok_or(NoMessage)?;
    Ok(Some((if kind == b'!' { Element::Line(b'-', value) } else { Element::Bulk(value) }, end)))
}

fn number(text: &[u8]) -> Option<i64> {
    let (is_negative, digits) = match text.split_first()? {
        (b'-', rest) => (true, rest),
        _ => (false, text),
    };
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let mut number = 0;
    for byte in digits {
        number = number * 10 + i64::from(byte.checked_sub(b'0').filter(|digit| *digit < 10)?);
    }
    Some(if is_negative { -number } else { number })
}

/// Returns the first answer in `bytes` and its length in bytes; `None` if it is incomplete.
pub fn read_answer(bytes: &[u8]) -> Result<Option<(Answer<'_>, usize)>, NoMessage> {
    let Some((first, mut at)) = element(bytes, 0)? else { return Ok(None) };
    let mut left = match first {
        Element::Line(b'+', _) => return Ok(Some((Answer::Status, at))),
        Element::Line(b'-', text) => return Ok(Some((Answer::Refused(text), at))),
        Element::Line(b':', text) => return Ok(Some((Answer::Number(number(text).ok_or(NoMessage)?), at))),
        Element::Line(_, text) => return Ok(Some((Answer::Value(text), at))),
        Element::Bulk(value) => return Ok(Some((Answer::Value(value), at))),
        Element::Null => return Ok(Some((Answer::Missing, at))),
        Element::List(length) | Element::OutOfBand(length) => length,
    };
    let is_out_of_band = matches!(first, Element::OutOfBand(_));
    let (mut items, mut missing, mut in_all) = (0, 0, 0);
    while left > 0 {
        let Some((item, next)) = element(bytes, at)? else { return Ok(None) };
        (left, at) = (left - 1, next);
        match item {
            Element::Line(_, text) => (items, in_all) = (items + 1, in_all + text.len()),
            Element::Bulk(value) => (items, in_all) = (items + 1, in_all + value.len()),
            Element::Null => missing += 1,
            Element::List(length) | Element::OutOfBand(length) => left = left.checked_add(length).ok_or(NoMessage)?,
        }
    }
    if is_out_of_band {
        return Ok(Some((Answer::OutOfBand, at)));
    }
    Ok(Some((Answer::List { items, missing, bytes: in_all }, at)))
}

/// Passes the values of a complete answer to `to`, in order.
pub fn each_value(answer: &[u8], mut to: impl FnMut(&[u8])) {
    let mut at = 0;
    while let Ok(Some((item, next))) = element(answer, at) {
        match item {
            Element::Bulk(value) => to(value),
            Element::Line(kind, value) if kind != b'-' => to(value),
            _ => {}
        }
        at = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_those_of_the_official_client() {
        for number in [0, 7, 10, 99_999, u64::MAX] {
            let key = format!("tailroom:a-1:{number}");
            let (mut parts, mut words) = (Vec::new(), Vec::new());
            write_begin(2, &mut parts);
            write_word(b"GET", &mut parts);
            write_parts(&[b"tailroom:a-1:", itoa::Buffer::new().format(number).as_bytes()], &mut parts);
            assert_eq!(parts, redis::cmd("GET").arg(&key).get_packed_command());
            write_request(&[b"GET", key.as_bytes()], &mut words);
            assert_eq!(parts, words);
        }
    }

    /// Returns all answers in `stream` and their total length. Checks that an incomplete answer is never returned.
    fn answers_of(stream: &[u8]) -> (Vec<Answer<'_>>, usize) {
        let (mut answers, mut at) = (Vec::new(), 0);
        while let Some((answer, length)) = read_answer(&stream[at..]).expect("readable") {
            for cut in 0..length {
                assert_eq!(read_answer(&stream[at..at + cut]), Ok(None), "{cut} bytes are no answer yet");
            }
            answers.push(answer);
            at += length;
        }
        (answers, at)
    }

    #[test]
    fn answers_are_found_one_by_one_and_only_whole() {
        let stream = b"$3\r\na\r\n\r\n+OK\r\n$-1\r\n-NOAUTH Authentication required.\r\n:-5\r\n\
                       *3\r\n$1\r\na\r\n$-1\r\n*2\r\n:7\r\n$2\r\nbc\r\n*0\r\n*-1\r\n$0\r\n\r\n";
        let (answers, length) = answers_of(stream);
        assert_eq!(length, stream.len());
        let nothing = Answer::List { items: 0, missing: 0, bytes: 0 };
        let all = [
            Answer::Value(b"a\r\n"),
            Answer::Status,
            Answer::Missing,
            Answer::Refused(b"NOAUTH Authentication required."),
            Answer::Number(-5),
            Answer::List { items: 3, missing: 1, bytes: 4 },
            nothing,
            Answer::Missing,
            Answer::Value(b""),
        ];
        assert_eq!(answers, all);
    }

    #[test]
    fn answers_of_the_third_version_are_found_too() {
        let stream = b">3\r\n+message\r\n$1\r\na\r\n:1\r\n%2\r\n$1\r\na\r\n$2\r\nbc\r\n+d\r\n_\r\n_\r\n\
                       |1\r\n+ttl\r\n:3600\r\n#t\r\n,1.5\r\n(12345678901234567890123\r\n!5\r\nERR x\r\n=7\r\ntxt:abc\r\n\
                       ~1\r\n:7\r\n";
        let (answers, length) = answers_of(stream);
        let all = [
            Answer::OutOfBand,
            Answer::List { items: 3, missing: 1, bytes: 4 },
            Answer::Missing,
            Answer::OutOfBand,
            Answer::Value(b"t"),
            Answer::Value(b"1.5"),
            Answer::Value(b"12345678901234567890123"),
            Answer::Refused(b"ERR x"),
            Answer::Value(b"txt:abc"),
            Answer::List { items: 1, missing: 0, bytes: 1 },
        ];
        assert_eq!((answers.as_slice(), length), (all.as_slice(), stream.len()));
    }

    #[test]
    fn what_is_no_answer_is_refused_and_does_not_wait_for_more() {
        for bytes in [
            b"HTTP/1.1 400 Bad Request\r\n".as_slice(),
            b"$x\r\n",
            b"$3\r\nabcde",
            b"*1\r\n?\r\n",
            b"$123456789012345678901234567890",
            b":\r\n",
            b"+OK\n",
        ] {
            assert_eq!(read_answer(bytes), Err(NoMessage), "{}", String::from_utf8_lossy(bytes));
        }
    }
}
