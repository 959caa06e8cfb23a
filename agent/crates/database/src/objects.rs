//! The objects of a run: their names, contents and number.
//!
//! Content derives from key and version alone. If values are at least 16 bytes long, they begin with key and version, so that a
//! reader can check them. The rest is random bytes that no server can compress.

use std::cell::RefCell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use keys::chooser::Chooser;
use keys::name::{Naming, fnv_hash};
use measure::random;
use workloads::job::{ObjectSpec, Part, Shape};

use crate::insert_frontier::InsertFrontier;
use crate::integrity;
use crate::lengths::Lengths;

/// Number of offsets in the random bytes that values are cut from; a power of two.
const POOL_BYTES: usize = 1 << 16;
/// Length in bytes of key and version at the start of a value.
const HEADER_BYTES: usize = 16;
const ZEROS: [u8; 64] = [b'0'; 64];
/// Rotation of the random bits for lengths, so that a length does not depend on the bits of the offset in the pool.
const LENGTH_BITS: u32 = 32;

thread_local! {
    /// Buffer for content that derives from key and field name.
    static INTACT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[derive(Debug)]
pub struct Objects {
    naming: Naming,
    pub first: u64,
    pub shape: Shape,
    pub lengths: Lengths,
    expiry_s: Option<(u32, u32)>,
    pub may_be_absent: bool,
    /// Names of the fields of records: `field0`, `field1`, …
    fields: Vec<Vec<u8>>,
    pool: Vec<u8>,
    seed: u64,
    /// Whether values begin with key and version.
    has_headers: bool,
    /// Draws the keys of requests for several objects.
    chooser: Option<Chooser>,
    /// First key of the inserts. Each agent numbers the keys of its inserts without gaps, see [`Objects::number_of`].
    loaded_end: u64,
    part: Part,
    frontier: InsertFrontier,
    pub reports: ServerReports,
}

impl Objects {
    /// Creates `count` objects from key `first` on.
    pub fn new(naming: Naming, (first, count): (u64, u64), shape: Shape, seed: u64) -> Self {
        let lengths = Lengths::new(shape.size(), (first, count));
        let (has_headers, fields) = match &shape {
            Shape::Value { .. } => (lengths.least >= HEADER_BYTES, Vec::new()),
            Shape::Record { fields, prefix, .. } => {
                (false, (0..*fields).map(|field| format!("{prefix}{field}").into_bytes()).collect())
            }
        };
        let mut pool = vec![0; POOL_BYTES + lengths.most];
        random::fill(&mut pool, seed, 300, 0);
        Self {
            naming,
            first,
            shape,
            lengths,
            expiry_s: None,
            may_be_absent: false,
            fields,
            pool,
            seed,
            has_headers,
            chooser: None,
            loaded_end: first + count,
            part: Part::default(),
            frontier: InsertFrontier::new(first + count),
            reports: ServerReports::default(),
        }
    }

    /// Returns the objects of a job, of which `count` exist.
    pub fn of(spec: &ObjectSpec, count: u64, seed: u64) -> Self {
        let objects = Self::new(spec.naming, (spec.first, count), spec.shape.clone(), seed);
        let lengths = Lengths::new(spec.shape.size(), (spec.first, spec.count));
        Self { lengths, expiry_s: spec.expiry_s, may_be_absent: spec.may_be_absent, ..objects }
    }

    /// Returns these objects for one of several agents, which has already inserted `inserted` objects.
    pub fn of_part(self, part: Part, inserted: u64) -> Self {
        let end = self.loaded_end + inserted;
        Self { part, frontier: InsertFrontier::new(end), ..self }
    }

    /// Returns the number in the name of a key. Inserts are interleaved: each of `n` agents has every `n`-th number.
    fn number_of(&self, key: u64) -> u64 {
        match key.checked_sub(self.loaded_end) {
            Some(inserted) if !self.part.is_alone() => self.loaded_end + self.part.agent + inserted * self.part.agents,
            _ => key,
        }
    }

    /// Returns these objects with the chooser for the keys of requests for several objects.
    pub fn with_chooser(mut self, chooser: Chooser) -> Self {
        self.chooser = Some(chooser);
        self
    }

    /// Returns the first key that may not exist yet.
    pub fn end(&self) -> u64 {
        self.frontier.readable()
    }

    /// Returns the number of keys that exist or are reserved; for one of several agents, the number of its inserts.
    pub fn taken_since(&self, part: Part) -> u64 {
        self.frontier.next() - if part.is_alone() { self.first } else { self.loaded_end }
    }

    /// Returns the name of a key as text, for messages and for the official client.
    pub fn name(&self, key: u64) -> String {
        let mut word = Vec::new();
        self.with_name(key, |parts| word = parts.concat());
        String::from_utf8_lossy(&word).into_owned()
    }

    pub fn is_indexed(&self) -> bool {
        matches!(self.shape, Shape::Record { indexed: true, .. })
    }

    /// Returns whether the content of a field derives from the names of key and field.
    pub fn has_integrity(&self) -> bool {
        matches!(self.shape, Shape::Record { integrity: true, .. })
    }

    /// Passes the parts of the name of a key to `to`, and returns the result of `to`.
    pub fn with_name<R>(&self, key: u64, to: impl FnOnce(&[&[u8]]) -> R) -> R {
        match &self.naming {
            Naming::Memtier => to(&[b"memtier-", itoa::Buffer::new().format(key).as_bytes()]),
            Naming::Fraud => to(&[b"obj", itoa::Buffer::new().format(key).as_bytes()]),
            Naming::Asbench => to(&[itoa::Buffer::new().format(key).as_bytes()]),
            Naming::Ycsb { ordered, zero_padding } => {
                let number = self.number_of(key);
                let mut buffer = itoa::Buffer::new();
                let digits = buffer.format(if *ordered { number } else { fnv_hash(number) }).as_bytes();
                let padding = zero_padding.saturating_sub(digits.len()).min(ZEROS.len());
                to(&[b"user", &ZEROS[..padding], digits])
            }
        }
    }

    /// Passes the parts of the content of a value or field to `to`, and returns the result of `to`.
    pub fn with_content<R>(&self, (key, field, version): (u64, u64, u64), to: impl FnOnce(&[&[u8]]) -> R) -> R {
        if self.has_integrity() {
            let (field, length) = (usize::try_from(field).unwrap_or(0), self.lengths.most);
            return INTACT.with_borrow_mut(|text| {
                text.clear();
                self.with_name(key, |name| {
                    integrity::each_part(name, &self.fields[field], length, |part| {
                        text.extend_from_slice(part);
                        true
                    })
                });
                to(&[text])
            });
        }
        let bits = random::bits(self.seed, 301 + field, key ^ version.rotate_left(32));
        let (from, length) = (usize::try_from(bits % POOL_BYTES as u64).unwrap_or(0), self.length(key, bits));
        if self.has_headers {
            let rest = &self.pool[from..from + length - HEADER_BYTES];
            to(&[&key.to_le_bytes(), &version.to_le_bytes(), rest])
        } else {
            to(&[&self.pool[from..from + length]])
        }
    }

    /// Returns the length of the content of `key` in bytes. The low end of `bits` is the offset in the pool.
    fn length(&self, key: u64, bits: u64) -> usize {
        self.lengths.of(key, bits.rotate_right(LENGTH_BITS))
    }

    /// Returns whether `value` may be the content of a field of `key`, or of any object if `key` is `None`.
    pub fn is_field(&self, key: Option<u64>, field: usize, value: &[u8]) -> bool {
        match key.filter(|_| self.has_integrity()) {
            Some(key) => {
                let holds = |name: &[&[u8]]| integrity::holds(name, &self.fields[field], self.lengths.most, value);
                self.with_name(key, holds)
            }
            None => self.lengths.may_be(value.len()),
        }
    }

    /// Returns the total length of the names of all fields in bytes.
    pub fn bytes_of_names(&self) -> usize {
        self.fields.iter().map(Vec::len).sum()
    }

    pub fn field_named(&self, name: &[u8]) -> Option<usize> {
        self.fields.iter().position(|field| field == name)
    }

    /// Returns the number of fields of a record; 0 for values.
    pub fn field_count(&self) -> u16 {
        u16::try_from(self.fields.len()).unwrap_or(u16::MAX)
    }

    pub fn field(&self, number: usize) -> &[u8] {
        &self.fields[number]
    }

    /// Returns the key for read `number` of a request for several objects.
    pub fn drawn(&self, number: u64) -> u64 {
        self.chooser.as_ref().map_or(self.first, |chooser| chooser.key(number))
    }

    /// Reserves the next key for an insert.
    pub fn take_key(&self) -> u64 {
        self.frontier.take()
    }

    /// Returns whether `value` may be a stored value: that of `key`, or of any object if `key` is `None`.
    pub fn is_value(&self, key: Option<u64>, value: &[u8]) -> bool {
        if !self.has_headers {
            return self.lengths.may_be(value.len());
        }
        let Some((own, rest)) = value.split_first_chunk() else { return false };
        let Some(version) = rest.first_chunk() else { return false };
        let (own, version) = (u64::from_le_bytes(*own), u64::from_le_bytes(*version));
        let length = match self.lengths.of_all() {
            Some(length) => length,
            None => self.length(own, random::bits(self.seed, 301, own ^ version.rotate_left(32))),
        };
        value.len() == length && key.is_none_or(|key| key == own)
    }

    /// Returns the lifetime of a value in seconds; `None` if it does not expire.
    pub fn lifetime_s(&self, key: u64, version: u64) -> Option<u32> {
        let (least, most) = self.expiry_s?;
        let bits = random::bits(self.seed, 303, key ^ version.rotate_left(32));
        Some(least + u32::try_from(random::below(u64::from(most - least) + 1, bits)).unwrap_or(0))
    }

    /// Returns the index of the field that operation `number` reads or writes.
    pub fn field_of(&self, number: u64) -> usize {
        let count = self.fields.len() as u64;
        usize::try_from(random::below(count, random::bits(self.seed, 302, number))).unwrap_or(0)
    }

    /// Records that an insert has ended, successfully or not.
    pub fn inserted(&self, key: u64) {
        self.frontier.ended(key);
    }
}

/// Refusals and redirections that a server reports during a stage.
#[derive(Debug, Default)]
pub struct ServerReports {
    /// First refusal, in the words of the server.
    refusal: OnceLock<String>,
    /// First refusal after which no later write can succeed.
    fatal_refusal: OnceLock<String>,
    redirections: AtomicU64,
}

impl ServerReports {
    /// Stores a refusal if it is the first. After a fatal refusal no write can succeed, so the first of them ends the run.
    #[cold]
    pub fn refuse(&self, text: &[u8], is_fatal: bool) {
        let shortened = || String::from_utf8_lossy(text).chars().take(200).collect();
        self.refusal.get_or_init(shortened);
        if is_fatal {
            self.fatal_refusal.get_or_init(shortened);
        }
    }

    pub fn refusal(&self) -> Option<&str> {
        self.refusal.get().map(String::as_str)
    }

    /// Returns the first refusal after which no later write can succeed.
    pub fn fatal_refusal(&self) -> Option<&str> {
        self.fatal_refusal.get().map(String::as_str)
    }

    /// Counts a command that was sent again to another node.
    #[cold]
    pub fn redirect(&self) {
        self.redirections.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of commands that were sent again to another node.
    pub fn redirections(&self) -> u64 {
        self.redirections.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
#[path = "objects_tests.rs"]
pub(crate) mod tests;
