//! The protocol of Aerospike as a session speaks it: one node, requests for one record or several by digest.

use std::sync::Arc;

use keys::name::Naming;
use keys::placement::{aerospike_integer_digest, aerospike_text_digest};
use runner::End;
use workloads::job::Shape;

use crate::aerospike_wire::{self as wire, Does, Home, Record};
use crate::command::Command;
use crate::objects::Objects;
use crate::protocol::{Answered, Broken, Protocol};

/// The only bin of objects that are one value.
pub const BIN: &[u8] = b"value";
/// What no server is refused for: whoever answers is one.
const QUESTION: &str = "status";
const NOT_THERE: u8 = 2;
const TIMED_OUT: u8 = 9;
const OVERLOADED: u8 = 18;

/// The set of objects that are named so.
pub fn set_of(naming: Naming) -> &'static str {
    match naming {
        Naming::Ycsb { .. } => "usertable",
        Naming::Memtier => "memtier",
        Naming::Asbench => "testset",
        Naming::Fraud => "fraud",
    }
}

/// See the module.
#[derive(Debug, Clone)]
pub struct Aerospike {
    home: Arc<Home>,
    naming: Naming,
    objects: Arc<Objects>,
}

impl Aerospike {
    /// Objects of a set.
    pub fn new(home: Arc<Home>, naming: Naming, objects: Arc<Objects>) -> Self {
        Self { home, naming, objects }
    }

    /// By what the server knows an object.
    pub fn digest(&self, key: u64) -> [u8; 20] {
        let set = self.home.set;
        match self.naming {
            Naming::Fraud | Naming::Asbench => aerospike_integer_digest(set, key),
            _ => self.objects.with_name(key, |parts| aerospike_text_digest(set, parts)),
        }
    }

    fn write_about(&self, does: Does, key: u64, bins: u16, into: &mut Vec<u8>, rest: impl FnOnce(&mut Vec<u8>)) {
        wire::write_request(does, &self.home, &self.digest(key), bins, into, rest);
    }

    /// A request about a whole object.
    pub fn write_plain(&self, does: Does, key: u64, into: &mut Vec<u8>) {
        self.write_about(does, key, 0, into, |_| {});
    }

    fn write_object(&self, does: Does, key: u64, version: u64, into: &mut Vec<u8>) {
        let fields = self.objects.field_count();
        self.write_about(does, key, fields.max(1), into, |into| {
            for field in 0..fields.max(1) {
                let name = if fields == 0 { BIN } else { self.objects.field(field.into()) };
                let of = (key, u64::from(field), version);
                self.objects.with_content(of, |parts| wire::write_bin(name, parts, into));
            }
        });
    }

    /// Whether a record is what a read of `key` should have got.
    pub fn is_right(&self, key: u64, record: &Record<'_>) -> bool {
        let (mut count, mut wrong) = (0_u16, false);
        for (name, value) in record.bins() {
            count += 1;
            wrong |= match self.objects.shape() {
                Shape::Value { .. } => name != BIN || !self.objects.is_value(Some(key), value),
                Shape::Record { field_bytes, .. } => value.len() != *field_bytes as usize,
            };
        }
        let is_whole = matches!(self.objects.shape(), Shape::Record { read_all: true, .. });
        record.result == 0 && !wrong && count == if is_whole { self.objects.field_count().max(1) } else { 1 }
    }

    /// Whether a record is all of an object, whatever its workload reads of it.
    pub fn is_whole(&self, key: u64, record: &Record<'_>) -> bool {
        match self.objects.shape() {
            Shape::Value { .. } => self.is_right(key, record),
            Shape::Record { fields, field_bytes, .. } => {
                let is_right = |(_, value): &(&[u8], &[u8])| value.len() == *field_bytes as usize;
                record.result == 0 && record.bins().filter(is_right).count() == *fields as usize
            }
        }
    }
}

impl Protocol for Aerospike {
    /// Whether it answered.
    type Greeting = bool;

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn greet(&self, into: &mut Vec<u8>) -> Result<bool, Broken> {
        wire::write_question(QUESTION, into);
        Ok(false)
    }

    fn go_on(&self, greeting: &mut bool, bytes: &[u8], _: &mut Vec<u8>) -> Result<Option<usize>, Broken> {
        let told = wire::read_told(bytes).map_err(|_| Broken(libc::EPROTO))?;
        *greeting = told.is_some();
        Ok(told.map(|(_, length)| length))
    }

    fn is_greeted(&self, greeting: &bool) -> bool {
        *greeting
    }

    fn write(&mut self, command: Command, into: &mut Vec<u8>) -> Option<u64> {
        let writes_one = matches!(self.objects.shape(), Shape::Record { write_all: false, .. });
        let reads_one = matches!(self.objects.shape(), Shape::Record { read_all: false, .. });
        match command {
            Command::Read { key, number } if reads_one => {
                let field = self.objects.field_of(number);
                self.write_about(Does::READ_SOME, key, 1, into, |into| {
                    wire::write_name(self.objects.field(field), into);
                });
            }
            Command::Read { key, .. } => self.write_plain(Does::READ_ALL, key, into),
            Command::ReadMany { number, count } => {
                let digests = (0..count).map(|place| self.digest(self.objects.drawn(number + u64::from(place))));
                wire::write_batch(&self.home, digests, into);
            }
            Command::Update { key, number } if writes_one => {
                let field = self.objects.field_of(number);
                self.write_about(Does::UPDATE, key, 1, into, |into| {
                    let name = self.objects.field(field);
                    let of = (key, field as u64, number + 1);
                    self.objects.with_content(of, |parts| wire::write_bin(name, parts, into));
                });
            }
            Command::Update { key, number } => {
                // A set of memtier also writes what is not there.
                let does = if self.naming == Naming::Memtier { Does::SET } else { Does::UPDATE };
                self.write_object(does, key, number + 1, into);
            }
            // Refused before anything is prepared.
            Command::Scan { .. } | Command::ScanRest { .. } => {}
            Command::Load { key } => self.write_object(Does::REPLACE, key, 0, into),
            Command::Insert { .. } => {
                let key = self.objects.take_key();
                self.write_object(Does::CREATE, key, 0, into);
                return Some(key);
            }
        }
        None
    }

    fn read(&mut self, command: Option<Command>, bytes: &[u8]) -> Result<Answered, Broken> {
        if bytes.is_empty() {
            return Ok(Answered::Incomplete);
        }
        // An answer that nobody asked for.
        let command = command.ok_or(Broken(libc::EPROTO))?;
        let (mut right, mut refused) = (0, None);
        let mut each = |record: Record<'_>| {
            let is_right = match command {
                Command::Read { key, .. } => self.is_right(key, &record),
                Command::ReadMany { number, count } => {
                    record.index < count && self.is_right(self.objects.drawn(number + u64::from(record.index)), &record)
                }
                _ => record.result == 0,
            };
            right += u32::from(is_right);
            if !matches!(record.result, 0 | NOT_THERE) {
                refused = Some(record.result);
            }
        };
        let (is_batch, wanted) = match command {
            Command::ReadMany { count, .. } => (true, count),
            _ => (false, 1),
        };
        let length = wire::read_answer(is_batch, bytes, &mut each).map_err(|_| Broken(libc::EPROTO))?;
        let Some(length) = length else { return Ok(Answered::Incomplete) };
        let end = match refused {
            Some(result) => {
                self.objects.refused(format!("{result}: {}", wire::meaning(result)).as_bytes());
                End::Failed(match result {
                    TIMED_OUT => libc::ETIMEDOUT,
                    OVERLOADED => libc::EBUSY,
                    _ => libc::EREMOTEIO,
                })
            }
            None if right == wanted => End::Done,
            None => End::Wrong,
        };
        Ok(Answered::Ended(end, length))
    }
}
