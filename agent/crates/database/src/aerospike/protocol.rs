//! The Aerospike protocol of a measured session with one node: requests for one or several records by digest.

use std::sync::Arc;

use keys::name::Naming;
use keys::placement::{aerospike_integer_digest, aerospike_partition, aerospike_text_digest};
use runner::End;
use workloads::job::Shape;

use crate::aerospike::login::{Login, WITHOUT_USERS};
use crate::aerospike::partitions::Partitions;
use crate::aerospike::wire::{self as wire, Record, RecordFlags, SetName};
use crate::command::Command;
use crate::objects::Objects;
use crate::protocol::{Broken, Decoded, Protocol};

/// Name of the only bin of objects that are a single value.
pub const BIN: &[u8] = b"value";
/// Info command that every server answers.
const QUESTION: &str = "status";
const NOT_THERE: u8 = 2;
const TIMED_OUT: u8 = 9;
const OVERLOADED: u8 = 18;

pub fn set_of(naming: Naming) -> &'static str {
    match naming {
        Naming::Ycsb { .. } => "usertable",
        Naming::Memtier => "memtier",
        Naming::Asbench => "testset",
        Naming::Fraud => "fraud",
    }
}

#[derive(PartialEq, Eq)]
pub enum Greeting {
    Login,
    /// The info command was sent.
    Question,
    Done,
}

/// Encodes commands on the objects of a set, and decodes the answers.
#[derive(Clone)]
pub struct Aerospike {
    /// `None` if the server has no users.
    login: Option<Arc<Login>>,
    set_name: Arc<SetName>,
    naming: Naming,
    objects: Arc<Objects>,
    /// Owners of the partitions; `None` for a single node.
    partitions: Option<Arc<Partitions>>,
}

impl Aerospike {
    pub fn new(login: Option<Arc<Login>>, set_name: Arc<SetName>, naming: Naming, objects: Arc<Objects>) -> Self {
        Self { login, set_name, naming, objects, partitions: None }
    }

    pub fn of_cluster(self, partitions: Arc<Partitions>) -> Self {
        Self { partitions: Some(partitions), ..self }
    }

    /// Returns the digest that identifies an object on the server.
    pub fn digest(&self, key: u64) -> [u8; 20] {
        let set = self.set_name.set;
        match self.naming {
            Naming::Fraud | Naming::Asbench => aerospike_integer_digest(set, key),
            _ => self.objects.with_name(key, |parts| aerospike_text_digest(set, parts)),
        }
    }

    /// Returns the index and digest of each of `count` objects, whose keys are drawn from read `number` on.
    fn digests(&self, number: u64, count: u32) -> impl Iterator<Item = (u32, [u8; 20])> + '_ {
        (0..count).map(move |index| (index, self.digest(self.objects.drawn(number + u64::from(index)))))
    }

    fn write_about(
        &self,
        flags: RecordFlags,
        key: u64,
        bins: u16,
        into: &mut Vec<u8>,
        rest: impl FnOnce(&mut Vec<u8>),
    ) {
        wire::write_request(flags, &self.set_name, &self.digest(key), bins, into, rest);
    }

    /// Appends a request about an object that names no bins.
    pub fn write_plain(&self, flags: RecordFlags, key: u64, into: &mut Vec<u8>) {
        self.write_about(flags, key, 0, into, |_| {});
    }

    fn write_object(&self, flags: RecordFlags, key: u64, version: u64, into: &mut Vec<u8>) {
        let (fields, first) = (self.objects.field_count(), into.len());
        self.write_about(flags, key, fields.max(1), into, |into| {
            for field in 0..fields.max(1) {
                let name = if fields == 0 { BIN } else { self.objects.field(field.into()) };
                let of = (key, u64::from(field), version);
                self.objects.with_content(of, |parts| wire::write_bin(name, parts, into));
            }
        });
        // Loaded records have the default lifetime of the namespace, so that they exist when the measurement begins.
        if let Some(lifetime_s) = self.objects.lifetime_s(key, version).filter(|_| version > 0) {
            wire::write_lifetime(lifetime_s, &mut into[first..]);
        }
    }

    /// Returns whether `record` is a correct answer to a read of `key`.
    pub fn is_right(&self, key: u64, record: &Record<'_>) -> bool {
        let (mut count, mut wrong) = (0_u16, false);
        for (name, value) in record.bins() {
            count += 1;
            wrong |= match &self.objects.shape {
                Shape::Value { .. } => name != BIN || !self.objects.is_value(Some(key), value),
                Shape::Record { .. } => !self.is_bin(key, name, value),
            };
        }
        let is_whole = matches!(self.objects.shape, Shape::Record { read_all: true, .. });
        record.result == 0 && !wrong && count == if is_whole { self.objects.field_count().max(1) } else { 1 }
    }

    fn is_bin(&self, key: u64, name: &[u8], value: &[u8]) -> bool {
        if !self.objects.has_integrity() {
            return self.objects.lengths.may_be(value.len());
        }
        self.objects.field_named(name).is_some_and(|field| self.objects.is_field(Some(key), field, value))
    }

    /// Returns whether `record` holds the complete content of `key`.
    pub fn is_complete(&self, key: u64, record: &Record<'_>) -> bool {
        match &self.objects.shape {
            Shape::Value { .. } => self.is_right(key, record),
            Shape::Record { fields, .. } => {
                let is_right = |(name, value): &(&[u8], &[u8])| self.is_bin(key, name, value);
                record.result == 0 && record.bins().filter(is_right).count() == *fields as usize
            }
        }
    }
}

impl Protocol for Aerospike {
    type Greeting = Greeting;

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn greet(&self, into: &mut Vec<u8>) -> Result<Greeting, Broken> {
        if let Some(login) = &self.login {
            login.write(into);
            return Ok(Greeting::Login);
        }
        wire::write_question(QUESTION, into);
        Ok(Greeting::Question)
    }

    fn go_on(&self, greeting: &mut Greeting, bytes: &[u8], _: &mut Vec<u8>) -> Result<Option<usize>, Broken> {
        let length = match greeting {
            Greeting::Login => {
                let Some((result, length)) = wire::admission(bytes)? else { return Ok(None) };
                if !matches!(result, 0 | WITHOUT_USERS) {
                    self.objects
                        .reports
                        .refuse(format!("{result}: {}", wire::meaning(result)).as_bytes(), wire::is_fatal(result));
                    return Err(Broken(libc::EACCES));
                }
                Some(length)
            }
            _ => wire::read_info(bytes)?.map(|(_, length)| length),
        };
        if length.is_some() {
            *greeting = Greeting::Done;
        }
        Ok(length)
    }

    fn is_greeted(&self, greeting: &Greeting) -> bool {
        *greeting == Greeting::Done
    }

    fn write(&mut self, command: Command, into: &mut Vec<u8>) -> Option<u64> {
        let writes_one = matches!(self.objects.shape, Shape::Record { write_all: false, .. });
        let reads_one = matches!(self.objects.shape, Shape::Record { read_all: false, .. });
        let reads_by_name = matches!(self.objects.shape, Shape::Record { by_name: true, .. });
        match command {
            Command::Read { key, number } if reads_one => {
                let field = self.objects.field_of(number);
                self.write_about(RecordFlags::READ_SOME, key, 1, into, |into| {
                    wire::write_name(self.objects.field(field), into);
                });
            }
            Command::Read { key, .. } if reads_by_name => {
                let fields = self.objects.field_count();
                self.write_about(RecordFlags::READ_SOME, key, fields, into, |into| {
                    (0..fields).for_each(|field| wire::write_name(self.objects.field(field.into()), into));
                });
            }
            Command::Read { key, .. } => self.write_plain(RecordFlags::READ_ALL, key, into),
            Command::ReadMany { number, count } => {
                wire::write_batch(&self.set_name, count, self.digests(number, count), into);
            }
            Command::ReadOf { number, count, sent, node, map } => {
                let is_there = |(_, digest): &(u32, [u8; 20])| {
                    let partitions = self.partitions.as_ref();
                    partitions.is_none_or(|all| all.node_of(aerospike_partition(digest), map) == node)
                };
                wire::write_batch(&self.set_name, sent, self.digests(number, count).filter(is_there), into);
            }
            Command::Update { key, number } if writes_one => {
                let field = self.objects.field_of(number);
                self.write_about(RecordFlags::UPDATE, key, 1, into, |into| {
                    let name = self.objects.field(field);
                    let of = (key, field as u64, number + 1);
                    self.objects.with_content(of, |parts| wire::write_bin(name, parts, into));
                });
            }
            Command::Update { key, number } => {
                // A SET of memtier also writes keys that do not exist.
                let flags = if self.naming == Naming::Memtier { RecordFlags::SET } else { RecordFlags::UPDATE };
                self.write_object(flags, key, number + 1, into);
            }
            // The store refuses plans with scans when it is opened.
            Command::Scan { .. } | Command::ScanRest { .. } => {}
            Command::Load { key } => self.write_object(RecordFlags::REPLACE, key, 0, into),
            Command::Insert { .. } => {
                let key = self.objects.take_key();
                self.write_object(RecordFlags::CREATE, key, 0, into);
                return Some(key);
            }
        }
        None
    }

    fn read(&mut self, command: Option<Command>, bytes: &[u8]) -> Result<Decoded, Broken> {
        if bytes.is_empty() {
            return Ok(Decoded::Incomplete);
        }
        // The server answered without a request.
        let command = command.ok_or(Broken(libc::EPROTO))?;
        let (mut right, mut refused, mut is_absent) = (0, None, false);
        let mut each = |record: Record<'_>| {
            let is_right = match command {
                Command::Read { key, .. } => self.is_right(key, &record),
                Command::ReadMany { number, count } | Command::ReadOf { number, count, .. } => {
                    record.index < count && self.is_right(self.objects.drawn(number + u64::from(record.index)), &record)
                }
                _ => record.result == 0,
            };
            right += u32::from(is_right);
            match record.result {
                0 => {}
                NOT_THERE => is_absent = true,
                result => refused = Some(result),
            }
        };
        let (is_batch, expected) = match command {
            Command::ReadMany { count, .. } => (true, count),
            Command::ReadOf { sent, .. } => (true, sent),
            _ => (false, 1),
        };
        let length = wire::read_answer(is_batch, bytes, &mut each)?;
        let Some(length) = length else { return Ok(Decoded::Incomplete) };
        let end = match refused {
            Some(result) => {
                self.objects
                    .reports
                    .refuse(format!("{result}: {}", wire::meaning(result)).as_bytes(), wire::is_fatal(result));
                End::Failed(match result {
                    TIMED_OUT => libc::ETIMEDOUT,
                    OVERLOADED => libc::EBUSY,
                    _ => libc::EREMOTEIO,
                })
            }
            None if right == expected => End::Done,
            None if is_absent && !is_batch && self.objects.may_be_absent => End::Absent,
            None => End::Wrong,
        };
        Ok(Decoded::Ended(end, length))
    }
}
