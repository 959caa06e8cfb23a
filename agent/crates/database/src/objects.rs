//! The objects of a run as requests carry them: what keys are called, what stands under them, and how many there are.
//!
//! Content follows from key and version alone. A value begins with both (16 bytes, where it is that long), so that whoever
//! reads one knows whose it is; the rest is random bytes that no server can keep shorter.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use keys::chooser::Chooser;
use keys::hash::fnv_hash;
use keys::name::Naming;
use measure::random;
use workloads::job::{Part, Shape};

use crate::command::Command;
use crate::resp::{self, Answer, Digits};

/// Random bytes that values are cut from; a power of two.
const POOL_BYTES: usize = 1 << 16;
/// Key and version at the begin of a value.
const HEADER_BYTES: usize = 16;
/// Inserts under way at once, at most: what is readable ends before the oldest of them.
const MOST_INSERTS: usize = 1 << 16;
/// Where YCSB's binding for Redis keeps all keys in the order of their hashes.
pub const INDEX: &[u8] = b"_indices";
const ZEROS: [u8; 64] = [b'0'; 64];

/// What keys are called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Names {
    /// As the tool has it whose requests are repeated.
    Of(Naming),
    /// This and the number.
    Prefixed(String),
}

/// See the module.
#[derive(Debug)]
pub struct Objects {
    names: Names,
    /// The first key.
    pub first: u64,
    shape: Shape,
    /// `field0`, `field1`, … of records.
    fields: Vec<Vec<u8>>,
    pool: Vec<u8>,
    seed: u64,
    /// Values begin with their key.
    has_headers: bool,
    /// Draws the keys of requests for several objects.
    chooser: Option<Chooser>,
    /// Where inserts begin. Keys from here on are counted by this agent for itself: its k-th one is every so many-th key.
    loaded_end: u64,
    part: Part,
    /// The next key to insert.
    next: AtomicU64,
    /// Keys below this one are there.
    readable: AtomicU64,
    /// Inserts that ended out of order, by key.
    ended: Box<[AtomicU8]>,
    /// The first refusal, in the words of the server.
    refusal: OnceLock<String>,
    /// Commands that were sent again to another node.
    redirected: AtomicU64,
}

impl Objects {
    /// `count` objects from key `first` on.
    #[must_use]
    pub fn new(names: Names, (first, count): (u64, u64), shape: Shape, seed: u64) -> Self {
        let (longest, has_headers, fields) = match &shape {
            Shape::Value { bytes } => (*bytes as usize, *bytes as usize >= HEADER_BYTES, Vec::new()),
            Shape::Record { fields, field_bytes, prefix, .. } => {
                let names = (0..*fields).map(|field| format!("{prefix}{field}").into_bytes()).collect();
                (*field_bytes as usize, false, names)
            }
        };
        let mut pool = vec![0; POOL_BYTES + longest];
        random::fill(&mut pool, seed, 300, 0);
        Self {
            names,
            first,
            shape,
            fields,
            pool,
            seed,
            has_headers,
            chooser: None,
            loaded_end: first + count,
            part: Part::ALONE,
            next: AtomicU64::new(first + count),
            readable: AtomicU64::new(first + count),
            ended: (0..MOST_INSERTS).map(|_| AtomicU8::new(0)).collect(),
            refusal: OnceLock::new(),
            redirected: AtomicU64::new(0),
        }
    }

    /// The same where values were written by somebody who puts no key into them.
    #[must_use]
    pub fn without_headers(mut self) -> Self {
        self.has_headers = false;
        self
    }

    /// The same for one of several agents, which has inserted so many already.
    #[must_use]
    pub fn of_part(self, part: Part, inserted: u64) -> Self {
        let end = self.loaded_end + inserted;
        Self { part, next: AtomicU64::new(end), readable: AtomicU64::new(end), ..self }
    }

    /// The number that a key has on the server.
    fn number_of(&self, key: u64) -> u64 {
        match key.checked_sub(self.loaded_end) {
            Some(inserted) if !self.part.is_alone() => self.loaded_end + self.part.agent + inserted * self.part.agents,
            _ => key,
        }
    }

    /// The same with keys for requests that read several objects.
    #[must_use]
    pub fn with_chooser(mut self, chooser: Chooser) -> Self {
        self.chooser = Some(chooser);
        self
    }

    /// What one looks like.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Keys below this one are there.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.readable.load(Ordering::Acquire)
    }

    /// How many objects there may be: all of them, or of one of several agents those that it inserted.
    #[must_use]
    pub fn taken_since(&self, part: Part) -> u64 {
        self.next.load(Ordering::Acquire) - if part.is_alone() { self.first } else { self.loaded_end }
    }

    /// The first thing that the server refused, if it did.
    #[must_use]
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.get().map(String::as_str)
    }

    /// What a key is called, for people and for the official client.
    #[must_use]
    pub fn name(&self, key: u64) -> String {
        let mut word = Vec::new();
        self.with_name(key, |parts| word = parts.concat());
        String::from_utf8_lossy(&word).into_owned()
    }

    /// Whether Redis keeps an index of the keys.
    pub fn is_indexed(&self) -> bool {
        matches!(self.shape, Shape::Record { indexed: true, .. })
    }

    /// Whether fields hold what follows from their names.
    fn has_integrity(&self) -> bool {
        matches!(self.shape, Shape::Record { integrity: true, .. })
    }

    /// Hands over what a key is called, in parts.
    pub fn with_name<R>(&self, key: u64, to: impl FnOnce(&[&[u8]]) -> R) -> R {
        match &self.names {
            Names::Prefixed(prefix) => to(&[prefix.as_bytes(), Digits::of(key).as_bytes()]),
            Names::Of(Naming::Memtier) => to(&[b"memtier-", Digits::of(key).as_bytes()]),
            Names::Of(Naming::Fraud) => to(&[b"obj", Digits::of(key).as_bytes()]),
            Names::Of(Naming::Asbench) => to(&[Digits::of(key).as_bytes()]),
            Names::Of(Naming::Ycsb { ordered, zero_padding }) => {
                let number = self.number_of(key);
                let digits = Digits::of(if *ordered { number } else { fnv_hash(number) });
                let padding = zero_padding.saturating_sub(digits.as_bytes().len()).min(ZEROS.len());
                to(&[b"user", &ZEROS[..padding], digits.as_bytes()])
            }
        }
    }

    /// The content of a value or of one field, in its parts.
    pub fn with_content<R>(&self, (key, field, version): (u64, u64, u64), to: impl FnOnce(&[&[u8]]) -> R) -> R {
        let length = match self.shape {
            Shape::Value { bytes } => bytes as usize,
            Shape::Record { field_bytes, .. } => field_bytes as usize,
        };
        if self.has_integrity() {
            return to(&[&self.intact(key, usize::try_from(field).unwrap_or(0))]);
        }
        let bits = random::bits(self.seed, 301 + field, key ^ version.rotate_left(32));
        let from = usize::try_from(bits % POOL_BYTES as u64).unwrap_or(0);
        if self.has_headers {
            let rest = &self.pool[from..from + length - HEADER_BYTES];
            to(&[&key.to_le_bytes(), &version.to_le_bytes(), rest])
        } else {
            to(&[&self.pool[from..from + length]])
        }
    }

    /// What a field holds by YCSB's `dataintegrity`.
    pub fn intact(&self, key: u64, field: usize) -> Vec<u8> {
        let length = if let Shape::Record { field_bytes, .. } = self.shape { field_bytes as usize } else { 0 };
        self.with_name(key, |parts| intact(&parts.concat(), &self.fields[field], length))
    }

    /// Whether a read got what its key and fields stand for; `answer` is the answer of Redis.
    pub fn is_intact(&self, command: Command, answer: &[u8]) -> bool {
        let (Command::Read { key, number }, true) = (command, self.has_integrity()) else { return true };
        let Shape::Record { read_all, by_name, .. } = self.shape else { return true };
        let (mut place, mut is_right) = (0, true);
        resp::each_value(answer, |value| {
            let (field, is_name) = match (read_all, by_name) {
                (false, _) => (self.field_of(number), false),
                (true, true) => (place, false),
                (true, false) => (place / 2, place % 2 == 0),
            };
            place += 1;
            let Some(name) = self.fields.get(field) else { return is_right = false };
            is_right &= if is_name { value == &**name } else { value == self.intact(key, field) };
        });
        is_right
    }

    /// Fields of a record; none of a value.
    pub fn field_count(&self) -> u16 {
        u16::try_from(self.fields.len()).unwrap_or(u16::MAX)
    }

    /// What a field of a record is called.
    pub fn field(&self, number: usize) -> &[u8] {
        &self.fields[number]
    }

    /// The key of read `number` of a request for several objects.
    pub fn drawn(&self, number: u64) -> u64 {
        self.chooser.as_ref().map_or(self.first, |chooser| chooser.key(number))
    }

    /// The next key, for an insert.
    pub fn take_key(&self) -> u64 {
        self.next.fetch_add(1, Ordering::AcqRel)
    }

    /// Whether values begin with their key.
    pub fn has_headers(&self) -> bool {
        self.has_headers
    }

    /// Whether this is a value, and of this key where one is named.
    pub fn is_value(&self, key: Option<u64>, value: &[u8]) -> bool {
        let is_its_own = |key: u64| !self.has_headers || value[..8] == key.to_le_bytes();
        value.len() as u64 == self.shape.bytes() && key.is_none_or(is_its_own)
    }

    /// Which field an operation on one field takes.
    pub fn field_of(&self, number: u64) -> usize {
        let count = self.fields.len() as u64;
        usize::try_from(random::below(count, random::bits(self.seed, 302, number))).unwrap_or(0)
    }

    /// Appends the request of a command. An insert takes the next key, which is told.
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
                resp::write_word(Digits::of(count.into()).as_bytes(), into);
            }
            // Written by whoever read the index.
            Command::ScanRest { .. } => {}
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
                    word(&[&self.fields[field]], into);
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

    /// The read of a record by its name.
    pub fn write_read_of(&self, name: &[u8], number: u64, into: &mut Vec<u8>) {
        self.write_record_read(&[name], number, into);
    }

    fn write_record_read(&self, name: &[&[u8]], number: u64, into: &mut Vec<u8>) {
        match self.shape {
            Shape::Record { read_all: true, by_name: true, .. } => {
                resp::write_begin(2 + self.fields.len(), into);
                into.extend_from_slice(b"$5\r\nHMGET\r\n");
                resp::write_parts(name, into);
                self.fields.iter().for_each(|field| resp::write_word(field, into));
            }
            Shape::Record { read_all: true, .. } => {
                into.extend_from_slice(b"*2\r\n$7\r\nHGETALL\r\n");
                resp::write_parts(name, into);
            }
            _ => {
                into.extend_from_slice(b"*3\r\n$4\r\nHGET\r\n");
                resp::write_parts(name, into);
                resp::write_word(&self.fields[self.field_of(number)], into);
            }
        }
    }

    /// By what YCSB's binding for Redis orders keys in its index.
    fn write_score(&self, key: u64, into: &mut Vec<u8>) {
        let score = self.with_name(key, |parts| parts.iter().fold(0, |hash, part| java_hash(hash, part)));
        let sign: &[u8] = if score < 0 { b"-" } else { b"" };
        resp::write_parts(&[sign, Digits::of(score.unsigned_abs().into()).as_bytes()], into);
    }

    fn write_whole(&self, key: u64, into: &mut Vec<u8>) {
        match self.shape {
            Shape::Value { .. } => self.write_set(key, 0, into),
            Shape::Record { indexed, .. } => {
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
        into.extend_from_slice(b"*3\r\n$3\r\nSET\r\n");
        self.with_name(key, |parts| resp::write_parts(parts, into));
        self.with_content((key, 0, version), |parts| resp::write_parts(parts, into));
    }

    fn write_record(&self, key: u64, version: u64, into: &mut Vec<u8>) {
        resp::write_begin(2 + 2 * self.fields.len(), into);
        into.extend_from_slice(b"$4\r\nHSET\r\n");
        self.with_name(key, |parts| resp::write_parts(parts, into));
        for (place, field) in self.fields.iter().enumerate() {
            resp::write_word(field, into);
            self.with_content((key, place as u64, version), |parts| resp::write_parts(parts, into));
        }
    }

    /// Whether an answer is what the command should have got.
    #[must_use]
    pub fn is_right(&self, command: Command, answer: &Answer<'_>) -> bool {
        match (command, answer) {
            (Command::Read { key, .. }, Answer::Value(value)) => match self.shape {
                Shape::Value { .. } => self.is_value(Some(key), value),
                Shape::Record { field_bytes, .. } => value.len() == field_bytes as usize,
            },
            (Command::Read { .. } | Command::ScanRest { .. }, Answer::List { items, missing: 0, bytes }) => {
                let Shape::Record { field_bytes, by_name, .. } = self.shape else { return false };
                let values = self.fields.len() * field_bytes as usize;
                if by_name {
                    return *items == self.fields.len() && *bytes == values;
                }
                let names: usize = self.fields.iter().map(Vec::len).sum();
                *items == 2 * self.fields.len() && *bytes == names + values
            }
            (Command::ScanRest { .. }, Answer::Value(value)) => {
                matches!(self.shape, Shape::Record { field_bytes, .. } if value.len() == field_bytes as usize)
            }
            (Command::Scan { count, .. }, Answer::List { items, missing: 0, .. }) => {
                (1..=count as usize).contains(items)
            }
            (Command::ReadMany { count, .. }, Answer::List { items, missing: 0, bytes }) => {
                *items == count as usize && *bytes as u64 == u64::from(count) * self.shape.bytes()
            }
            (Command::Update { .. }, Answer::Fine)
            | (Command::Insert { .. } | Command::Load { .. }, Answer::Fine | Answer::Number(_)) => true,
            // HSET tells how many fields are new: none in an update, all when a record is written for the first time.
            (Command::Update { .. }, Answer::Number(fields)) => *fields == 0,
            _ => false,
        }
    }

    /// A command was sent again to another node.
    #[cold]
    pub fn redirected(&self) {
        self.redirected.fetch_add(1, Ordering::Relaxed);
    }

    /// How many were.
    pub fn redirections(&self) -> u64 {
        self.redirected.load(Ordering::Relaxed)
    }

    /// Keeps the first refusal.
    #[cold]
    pub fn refused(&self, text: &[u8]) {
        self.refusal.get_or_init(|| String::from_utf8_lossy(text).chars().take(200).collect());
    }

    /// An insert ended, whatever its end: what lies behind it need not wait for it.
    pub fn inserted(&self, key: u64) {
        let place = |key: u64| usize::try_from(key).unwrap_or(0) % MOST_INSERTS;
        self.ended[place(key)].store(1, Ordering::SeqCst);
        loop {
            let first = self.readable.load(Ordering::SeqCst);
            if self.ended[place(first)].swap(0, Ordering::SeqCst) == 0 {
                return;
            }
            // Whoever took the mark moves on; nobody else can.
            self.readable.store(first + 1, Ordering::SeqCst);
        }
    }
}

/// The hash of a text as Java has it, `hash` being that of what stands before it.
fn java_hash(hash: i32, text: &[u8]) -> i32 {
    text.iter().fold(hash, |hash, byte| hash.wrapping_mul(31).wrapping_add(i32::from(*byte)))
}

/// Key and field, then again and again the hash of all that stands so far, cut to a length.
///
/// Source: YCSB, `CoreWorkload.buildDeterministicValue`.
fn intact(key: &[u8], field: &[u8], length: usize) -> Vec<u8> {
    let mut text = [key, b":", field].concat();
    let mut hash = java_hash(0, &text);
    while text.len() < length {
        text.push(b':');
        hash = java_hash(hash, b":");
        let digits = hash.to_string();
        text.extend_from_slice(digits.as_bytes());
        hash = java_hash(hash, digits.as_bytes());
    }
    text.truncate(length);
    text
}

#[cfg(test)]
#[path = "objects_tests.rs"]
mod tests;
