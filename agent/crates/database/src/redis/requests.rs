//! Requests to Redis about objects, and checks of the answers.

use workloads::job::Shape;

use crate::command::Command;
use crate::integrity::java_hash;
use crate::objects::Objects;
use crate::redis::resp::{self, Answer};

/// Name of the sorted set in which YCSB's binding for Redis indexes all keys by their hashes.
pub const INDEX: &[u8] = b"_indices";

impl Objects {
    /// Appends the request of a command, and returns the key that an insert has reserved.
    pub fn write_request(&self, command: Command, into: &mut Vec<u8>) -> Option<u64> {
        let word = |parts: &[&[u8]], into: &mut Vec<u8>| resp::write_parts(parts, into);
        match command {
            Command::Read { key, number } => match &self.shape {
                Shape::Value { .. } => {
                    into.extend_from_slice(b"*2\r\n$3\r\nGET\r\n");
                    self.with_name(key, |parts| word(parts, into));
                }
                Shape::Record { .. } => self.with_name(key, |parts| self.write_record_read(parts, number, into)),
            },
            Command::Scan { key, count, .. } => {
                into.extend_from_slice(b"*7\r\n$13\r\nZRANGEBYSCORE\r\n");
                resp::write_word(INDEX, into);
                self.write_score(key, into);
                into.extend_from_slice(b"$4\r\n+inf\r\n$5\r\nLIMIT\r\n$1\r\n0\r\n");
                resp::write_word(itoa::Buffer::new().format(count).as_bytes(), into);
            }
            // The reads of a scan are sent after its index was read, and only Aerospike clusters use `ReadOf`.
            Command::ScanRest { .. } | Command::ReadOf { .. } => {}
            Command::ReadMany { number, count } => {
                resp::write_begin(count as usize + 1, into);
                into.extend_from_slice(b"$4\r\nMGET\r\n");
                for number in number..number + u64::from(count) {
                    self.with_name(self.drawn(number), |parts| word(parts, into));
                }
            }
            Command::Update { key, number } => match &self.shape {
                Shape::Value { .. } => self.write_set(key, number + 1, into),
                Shape::Record { write_all: true, .. } => self.write_record(key, number + 1, into),
                Shape::Record { .. } => {
                    let field = self.field_of(number);
                    into.extend_from_slice(b"*4\r\n$4\r\nHSET\r\n");
                    self.with_name(key, |parts| word(parts, into));
                    word(&[self.field(field)], into);
                    self.with_content((key, field as u64, number + 1), |parts| word(parts, into));
                }
            },
            Command::Load { key } => self.write_whole(key, into),
            Command::Insert { .. } => {
                let key = self.take_key();
                self.write_whole(key, into);
                return Some(key);
            }
        }
        None
    }

    /// Appends a read of the record whose name is the concatenation of `name`.
    pub fn write_record_read(&self, name: &[&[u8]], number: u64, into: &mut Vec<u8>) {
        match &self.shape {
            Shape::Record { read_all: true, by_name: true, .. } => {
                resp::write_begin(2 + usize::from(self.field_count()), into);
                into.extend_from_slice(b"$5\r\nHMGET\r\n");
                resp::write_parts(name, into);
                (0..self.field_count()).for_each(|field| resp::write_word(self.field(field.into()), into));
            }
            Shape::Record { read_all: true, .. } => {
                into.extend_from_slice(b"*2\r\n$7\r\nHGETALL\r\n");
                resp::write_parts(name, into);
            }
            _ => {
                into.extend_from_slice(b"*3\r\n$4\r\nHGET\r\n");
                resp::write_parts(name, into);
                resp::write_word(self.field(self.field_of(number)), into);
            }
        }
    }

    /// Appends the score of a key in the index of YCSB's binding for Redis.
    fn write_score(&self, key: u64, into: &mut Vec<u8>) {
        let score = self.with_name(key, |parts| parts.iter().fold(0, |hash, part| java_hash(hash, part)));
        resp::write_word(itoa::Buffer::new().format(score).as_bytes(), into);
    }

    fn write_whole(&self, key: u64, into: &mut Vec<u8>) {
        match &self.shape {
            Shape::Value { .. } => self.write_set(key, 0, into),
            Shape::Record { indexed, .. } => {
                let indexed = *indexed;
                self.write_record(key, 0, into);
                if indexed {
                    into.extend_from_slice(b"*4\r\n$4\r\nZADD\r\n");
                    resp::write_word(INDEX, into);
                    self.write_score(key, into);
                    self.with_name(key, |parts| resp::write_parts(parts, into));
                }
            }
        }
    }

    fn write_set(&self, key: u64, version: u64, into: &mut Vec<u8>) {
        // Loaded values do not expire, so that they exist when the measurement begins.
        match self.lifetime_s(key, version).filter(|_| version > 0) {
            None => {
                into.extend_from_slice(b"*3\r\n$3\r\nSET\r\n");
                self.with_name(key, |parts| resp::write_parts(parts, into));
            }
            Some(lifetime_s) => {
                into.extend_from_slice(b"*4\r\n$5\r\nSETEX\r\n");
                self.with_name(key, |parts| resp::write_parts(parts, into));
                resp::write_word(itoa::Buffer::new().format(lifetime_s).as_bytes(), into);
            }
        }
        self.with_content((key, 0, version), |parts| resp::write_parts(parts, into));
    }

    fn write_record(&self, key: u64, version: u64, into: &mut Vec<u8>) {
        resp::write_begin(2 + 2 * usize::from(self.field_count()), into);
        into.extend_from_slice(b"$4\r\nHSET\r\n");
        self.with_name(key, |parts| resp::write_parts(parts, into));
        for field in 0..self.field_count() {
            resp::write_word(self.field(field.into()), into);
            self.with_content((key, field.into(), version), |parts| resp::write_parts(parts, into));
        }
    }

    /// Returns whether an answer is correct for the command, as far as its form and lengths show.
    pub fn is_right(&self, command: Command, answer: &Answer<'_>) -> bool {
        let (fields, lengths) = (usize::from(self.field_count()), &self.lengths);
        match (command, answer) {
            (Command::Read { key, .. }, Answer::Value(value)) => match &self.shape {
                Shape::Value { .. } => self.is_value(Some(key), value),
                Shape::Record { .. } => lengths.may_be(value.len()),
            },
            (Command::Read { .. } | Command::ScanRest { .. }, Answer::List { items, missing: 0, bytes }) => {
                let Shape::Record { by_name, .. } = self.shape else { return false };
                let (parts, names) = if by_name { (fields, 0) } else { (2 * fields, self.bytes_of_names()) };
                *items == parts && bytes.checked_sub(names).is_some_and(|bytes| lengths.may_be_together(fields, bytes))
            }
            (Command::ScanRest { .. }, Answer::Value(value)) => fields > 0 && lengths.may_be(value.len()),
            (Command::Scan { count, .. }, Answer::List { items, missing: 0, .. }) => {
                (1..=count as usize).contains(items)
            }
            (Command::ReadMany { count, .. }, Answer::List { items, missing: 0, bytes }) => {
                *items == count as usize && lengths.may_be_together(count as usize, *bytes)
            }
            (Command::Update { .. }, Answer::Status)
            | (Command::Insert { .. } | Command::Load { .. }, Answer::Status | Answer::Number(_)) => true,
            // HSET returns the number of new fields: none in an update, all for a new record.
            (Command::Update { .. }, Answer::Number(fields)) => *fields == 0,
            _ => false,
        }
    }

    /// Returns whether the answer to a read holds the content that derives from its key and fields, if the plan has such content.
    pub fn is_intact(&self, command: Command, answer: &[u8]) -> bool {
        let Shape::Record { read_all, by_name, integrity: true, .. } = self.shape else { return true };
        let Command::Read { key, number } = command else { return true };
        let (mut index, mut named, mut is_right) = (0, None, true);
        resp::each_value(answer, |value| {
            let field = match (read_all, by_name) {
                (false, _) => Some(self.field_of(number)),
                (true, true) => Some(index),
                // Names and values alternate, in any order of the fields.
                (true, false) if index % 2 == 0 => {
                    named = self.field_named(value);
                    is_right &= named.is_some();
                    index += 1;
                    return;
                }
                (true, false) => named,
            };
            index += 1;
            is_right &=
                field.is_some_and(|field| field < self.field_count().into() && self.is_field(Some(key), field, value));
        });
        is_right
    }
}

#[cfg(test)]
#[path = "requests_tests.rs"]
mod tests;
