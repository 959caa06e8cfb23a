//! The `PostgreSQL` protocol of a measured session: prepared statements. Each is followed by a Sync message, so that an error in
//! one statement does not skip others.

use std::sync::Arc;

use keys::name::Naming;
use runner::End;
use workloads::job::Shape;

use crate::command::Command;
use crate::objects::Objects;
use crate::postgres::greeting::{Credentials, Greeting, Refusal, Statement};
use crate::postgres::wire::{self as wire, Message};
use crate::protocol::{Broken, Decoded, Protocol};

const TEXT: u32 = 25;
const BYTEA: u32 = 17;
const BIGINT: u32 = 20;
const TEXTS: u32 = 1009;
const BIGINTS: u32 = 1016;

/// The table of a job's objects, and the statements on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub name: &'static str,
    /// Whether keys are numbers; otherwise they are text.
    pub has_numbers: bool,
    /// Whether an update of an absent key inserts a row.
    upserts: bool,
    shape: Shape,
}

impl Table {
    pub fn of(naming: Naming, shape: &Shape) -> Self {
        let (name, has_numbers, upserts) = match naming {
            Naming::Ycsb { .. } => ("usertable", false, false),
            Naming::Memtier => ("memtier", false, true),
            Naming::Asbench => ("asbench", true, true),
            Naming::Fraud => ("fraud", true, false),
        };
        Self { name, has_numbers, upserts, shape: shape.clone() }
    }

    /// Returns the name of the key's column.
    pub fn key(&self) -> &'static str {
        if matches!(self.shape, Shape::Record { .. }) { "ycsb_key" } else { "key" }
    }

    /// Returns the names of the other columns, quoted for a statement where necessary.
    pub fn columns(&self) -> Vec<String> {
        match &self.shape {
            Shape::Value { .. } => vec!["value".to_owned()],
            Shape::Record { fields, prefix, .. } => {
                (0..*fields).map(|field| format!("\"{}\"", format!("{prefix}{field}").replace('"', "\"\""))).collect()
            }
        }
    }

    pub fn creation(&self) -> String {
        let columns: Vec<String> = self.columns().iter().map(|column| format!("{column} bytea")).collect();
        let kind = if self.has_numbers { "bigint" } else { "text" };
        format!("CREATE TABLE {} ({} {kind} PRIMARY KEY, {})", self.name, self.key(), columns.join(", "))
    }

    pub fn statements(&self) -> Vec<Statement> {
        let (table, key, columns) = (self.name, self.key(), self.columns());
        let (of_key, of_keys) = if self.has_numbers { (BIGINT, BIGINTS) } else { (TEXT, TEXTS) };
        let statement = |name: String, text: String, types: &[u32]| Statement { name, text, types: types.to_vec() };
        let placeholders: Vec<String> = (0..columns.len()).map(|index| format!("${}", index + 2)).collect();
        let mut of_row = vec![of_key];
        of_row.resize(columns.len() + 1, BYTEA);
        let insertion = format!("INSERT INTO {table} VALUES ($1, {})", placeholders.join(", "));
        let sets: Vec<String> = columns
            .iter()
            .zip(&placeholders)
            .map(|(column, placeholder)| format!("{column} = {placeholder}"))
            .collect();
        let mut all = vec![statement("i".into(), insertion.clone(), &of_row)];
        let update = if self.upserts {
            let sets: Vec<String> = columns.iter().map(|column| format!("{column} = excluded.{column}")).collect();
            format!("{insertion} ON CONFLICT ({key}) DO UPDATE SET {}", sets.join(", "))
        } else {
            format!("UPDATE {table} SET {} WHERE {key} = $1", sets.join(", "))
        };
        let read = |what: &str| format!("SELECT {what} FROM {table} WHERE {key} = $1");
        match &self.shape {
            Shape::Value { .. } => {
                all.push(statement("r".into(), read("value"), &[of_key]));
                all.push(statement("u".into(), update, &of_row));
                let many = format!("SELECT value FROM {table} WHERE {key} = ANY($1)");
                all.push(statement("m".into(), many, &[of_keys]));
            }
            Shape::Record { read_all, write_all, by_name, indexed, .. } => {
                let selection = if *by_name { columns.join(", ") } else { "*".to_owned() };
                let scan = |what: &str| format!("SELECT {what} FROM {table} WHERE {key} >= $1 ORDER BY {key} LIMIT $2");
                if *read_all {
                    all.push(statement("r".into(), read(&selection), &[of_key]));
                    if *indexed {
                        all.push(statement("s".into(), scan(&selection), &[of_key, BIGINT]));
                    }
                }
                if *write_all {
                    all.push(statement("u".into(), update, &of_row));
                }
                for (number, column) in columns.iter().enumerate() {
                    if !read_all {
                        all.push(statement(format!("r{number}"), read(column), &[of_key]));
                        if *indexed {
                            all.push(statement(format!("s{number}"), scan(column), &[of_key, BIGINT]));
                        }
                    }
                    if !write_all {
                        let update = format!("UPDATE {table} SET {column} = $2 WHERE {key} = $1");
                        all.push(statement(format!("u{number}"), update, &[of_key, BYTEA]));
                    }
                }
            }
        }
        all
    }
}

/// Encodes commands on the objects of a table, and decodes the answers.
#[derive(Clone)]
pub struct Postgres {
    credentials: Arc<Credentials>,
    statements: Arc<[Statement]>,
    has_numbers: bool,
    objects: Arc<Objects>,
    /// Buffer for the distinct keys of a request for several objects.
    keys: Vec<u64>,
}

impl Postgres {
    pub fn new(credentials: Arc<Credentials>, table: &Table, objects: Arc<Objects>) -> Self {
        let (statements, has_numbers) = (table.statements().into(), table.has_numbers);
        Self { credentials, statements, has_numbers, objects, keys: Vec::new() }
    }

    fn write_key(&self, key: u64, into: &mut Vec<u8>) {
        if self.has_numbers {
            wire::write_parameter(&[&key.to_be_bytes()], into);
        } else {
            self.objects.with_name(key, |parts| wire::write_parameter(parts, into));
        }
    }

    fn write_content(&self, key: u64, field: u64, version: u64, into: &mut Vec<u8>) {
        self.objects.with_content((key, field, version), |parts| wire::write_parameter(parts, into));
    }

    /// Appends an execution of the statement `name`, with the key and all columns.
    fn write_row(&self, name: &[u8], key: u64, version: u64, into: &mut Vec<u8>) {
        let columns = self.objects.field_count().max(1);
        wire::write_execution(name, 1 + columns, into, |into| {
            self.write_key(key, into);
            for field in 0..columns {
                self.write_content(key, field.into(), version, into);
            }
        });
    }

    /// Returns whether `row` is a correct answer to `read`, the key and index of a read; `None` for a read of several keys.
    fn is_row_right(&self, read: Option<(u64, u64)>, row: &[u8]) -> bool {
        let key = read.map(|(key, _)| key);
        let (mut columns, count) = (wire::columns(row), wire::column_count(row));
        match (&self.objects.shape, key) {
            (Shape::Value { .. }, key) => {
                count == 1 && columns.next().flatten().is_some_and(|value| self.objects.is_value(key, value))
            }
            (Shape::Record { fields, read_all: true, by_name, .. }, key) => {
                let is_its_own =
                    |name: &[u8]| key.is_none_or(|key| self.objects.with_name(key, |parts| is_concat(parts, name)));
                let is_whole = |(index, column): (usize, Option<&[u8]>)| {
                    column.is_some_and(|field| index < *fields as usize && self.objects.is_field(key, index, field))
                };
                count == usize::from(!by_name) + *fields as usize
                    && (*by_name || columns.next().flatten().is_some_and(is_its_own))
                    && columns.enumerate().filter(|column| is_whole(*column)).count() == *fields as usize
            }
            (Shape::Record { .. }, _) => {
                let field = read.map_or(0, |(_, number)| self.objects.field_of(number));
                count == 1 && columns.next().flatten().is_some_and(|value| self.objects.is_field(key, field, value))
            }
        }
    }

    /// Returns the number of distinct keys of a request for several objects: each is answered once, however often it occurs.
    fn count_keys(&mut self, number: u64, count: u32) -> usize {
        self.keys.clear();
        self.keys.extend((number..number + u64::from(count)).map(|number| self.objects.drawn(number)));
        self.keys.sort_unstable();
        self.keys.dedup();
        self.keys.len()
    }

    fn end_of(&mut self, command: Command, mut answer: &[u8]) -> End {
        let (mut rows, mut is_right, mut written, mut refused) = (0, true, None, false);
        let read = if let Command::Read { key, number } = command { Some((key, number)) } else { None };
        while let Ok(Some(Message { kind, body, bytes })) = wire::read_part(answer) {
            match kind {
                b'D' => {
                    rows += 1;
                    is_right &= self.is_row_right(read, body);
                }
                b'C' => written = wire::affected(body),
                b'E' => refused = true,
                _ => {}
            }
            answer = &answer[bytes..];
        }
        let is_done = match command {
            _ if refused => return End::Failed(libc::EREMOTEIO),
            Command::Read { .. } if rows == 0 && self.objects.may_be_absent => return End::Absent,
            Command::Read { .. } => is_right && rows == 1,
            Command::ReadMany { number, count } => is_right && rows == self.count_keys(number, count),
            Command::Scan { count, .. } => is_right && (1..=count as usize).contains(&rows),
            Command::ScanRest { .. } | Command::ReadOf { .. } => false,
            Command::Update { .. } | Command::Insert { .. } | Command::Load { .. } => written == Some(1),
        };
        if is_done { End::Done } else { End::Wrong }
    }
}

fn is_concat(parts: &[&[u8]], text: &[u8]) -> bool {
    let rest = parts.iter().try_fold(text, |rest, part| rest.strip_prefix(*part));
    rest.is_some_and(<[u8]>::is_empty)
}

/// Writes the name of the statement on one column into `into`, and returns it.
fn name_of(letter: u8, field: usize, into: &mut [u8; 22]) -> &[u8] {
    into[0] = letter;
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(field).as_bytes();
    into[1..=digits.len()].copy_from_slice(digits);
    &into[..=digits.len()]
}

impl Protocol for Postgres {
    type Greeting = Greeting;

    fn objects(&self) -> &Objects {
        &self.objects
    }

    fn greet(&self, into: &mut Vec<u8>) -> Result<Greeting, Broken> {
        Greeting::begin(&self.credentials, into).map_err(|refusal| self.broken(&refusal))
    }

    fn go_on(&self, greeting: &mut Greeting, bytes: &[u8], into: &mut Vec<u8>) -> Result<Option<usize>, Broken> {
        let identity = (&*self.credentials, &*self.statements);
        greeting.go_on(identity, bytes, into).map_err(|refusal| self.broken(&refusal))
    }

    fn is_greeted(&self, greeting: &Greeting) -> bool {
        greeting.is_done
    }

    fn write(&mut self, command: Command, into: &mut Vec<u8>) -> Option<u64> {
        let mut name = [0; 22];
        let is_record = self.objects.field_count() > 0;
        match command {
            Command::Read { key, number } => {
                let name = match &self.objects.shape {
                    Shape::Record { read_all: false, .. } => name_of(b'r', self.objects.field_of(number), &mut name),
                    _ => b"r",
                };
                wire::write_execution(name, 1, into, |into| self.write_key(key, into));
            }
            Command::ReadMany { number, count } => {
                let type_oid = if self.has_numbers { BIGINT } else { TEXT };
                wire::write_execution(b"m", 1, into, |into| {
                    wire::write_list(type_oid, count, into, |into| {
                        for number in number..number + u64::from(count) {
                            self.write_key(self.objects.drawn(number), into);
                        }
                    });
                });
            }
            Command::Scan { key, number, count } => {
                let name = match &self.objects.shape {
                    Shape::Record { read_all: false, .. } => name_of(b's', self.objects.field_of(number), &mut name),
                    _ => b"s",
                };
                wire::write_execution(name, 2, into, |into| {
                    self.write_key(key, into);
                    wire::write_parameter(&[&i64::from(count).to_be_bytes()], into);
                });
            }
            Command::ScanRest { .. } | Command::ReadOf { .. } => {}
            Command::Update { key, number } => match &self.objects.shape {
                Shape::Record { write_all: false, .. } if is_record => {
                    let field = self.objects.field_of(number);
                    wire::write_execution(name_of(b'u', field, &mut name), 2, into, |into| {
                        self.write_key(key, into);
                        self.write_content(key, field as u64, number + 1, into);
                    });
                }
                _ => self.write_row(b"u", key, number + 1, into),
            },
            Command::Load { key } => self.write_row(b"i", key, 0, into),
            Command::Insert { .. } => {
                let key = self.objects.take_key();
                self.write_row(b"i", key, 0, into);
                return Some(key);
            }
        }
        None
    }

    fn read(&mut self, command: Option<Command>, bytes: &[u8]) -> Result<Decoded, Broken> {
        let mut at = 0;
        loop {
            let part = wire::read_part(&bytes[at..])?;
            let Some(Message { kind, body, bytes: length }) = part else { return Ok(Decoded::Incomplete) };
            at += length;
            match (kind, command) {
                (b'E', _) => {
                    let error = wire::refusal(body);
                    self.objects.reports.refuse(error.to_string().as_bytes(), error.is_fatal());
                    if error.hangs_up || command.is_none() {
                        return Err(Broken(libc::ECONNRESET));
                    }
                }
                // Notices, changed settings and notifications may arrive at any time.
                (b'N' | b'S' | b'A', None) => return Ok(Decoded::Skipped(at)),
                (_, None) => return Err(Broken(libc::EPROTO)),
                (b'Z', Some(command)) => return Ok(Decoded::Ended(self.end_of(command, &bytes[..at]), at)),
                _ => {}
            }
        }
    }
}

impl Postgres {
    fn broken(&self, refusal: &Refusal) -> Broken {
        self.objects.reports.refuse(refusal.to_string().as_bytes(), refusal.is_fatal());
        Broken(libc::EACCES)
    }
}
