//! The objects of a job in a table of `PostgreSQL`. What is measured goes another way (`server_session`).
//!
//! A table beside them says whose they are (`tailroom_objects`): which job loaded them, how many, and whether it came to its
//! end. A table of the same name that it does not list belongs to somebody else, and nothing is written.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use measure::series::{Workload, WorkloadError};
use workloads::job::{Objects as Wanted, Shape, Stage};

#[cfg(test)]
use crate::command::Command;
use crate::connection::Server;
use crate::objects::Objects;
use crate::postgres::client::{Client, Failure};
use crate::postgres::greeting::Credentials;
use crate::postgres::protocol::{Postgres, Table};
#[cfg(test)]
use crate::server_session::ServerSession;
use crate::socket;
use crate::stage::Settings;
use crate::store::{Address, Facts, Found, Marker, MarkerState, Place, Store, fingerprint, sample};
use crate::store_stage::{self, Grown};
use crate::tls::Tls;

const MARKERS: &str = "tailroom_objects";
const MARKER_COLUMNS: [&str; 5] = ["fingerprint", "first", "count", "state", "what"];
/// Settings that results depend on.
const SETTINGS: [&str; 20] = [
    "server_version",
    "shared_buffers",
    "effective_cache_size",
    "work_mem",
    "huge_pages",
    "fsync",
    "synchronous_commit",
    "synchronous_standby_names",
    "full_page_writes",
    "wal_level",
    "wal_compression",
    "max_wal_size",
    "checkpoint_timeout",
    "autovacuum",
    "max_connections",
    "data_checksums",
    "jit",
    "plan_cache_mode",
    "server_encoding",
    "ssl",
];
const LOOK_AT: &str = "disk, rights, connections and tables";

/// See the module.
pub struct PostgresStore {
    place: Place,
    address: socket::Address,
    tls: Option<Tls>,
    credentials: Arc<Credentials>,
    table: Table,
    wanted: Wanted,
    seed: u64,
    fingerprint: String,
    facts: Facts,
    /// How many objects there are by now.
    grown: Grown,
    /// They were loaded just now.
    is_fresh: AtomicBool,
}

/// Bytes that are read back at once.
const READ_BACK_BYTES: u64 = 8 << 20;

/// The bytes that hexadecimal digits stand for.
fn bytes_of(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    hex.as_bytes().chunks(2).map(|pair| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?)).collect()
}

/// A text as a statement has it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

impl PostgresStore {
    /// Connects and asks what the server is.
    ///
    /// # Errors
    /// A sentence with the address, the cause and what to do.
    pub fn open(place: &Place, wanted: &Wanted, seed: u64) -> Result<Self, WorkloadError> {
        let user = place.username.clone().or_else(|| std::env::var("USER").ok()).unwrap_or_else(|| "postgres".into());
        let database = place.database.clone().unwrap_or_else(|| user.clone());
        let mut store = Self {
            address: socket_address(place)?,
            tls: place.security()?,
            credentials: Arc::new(Credentials { user, database, password: place.password.clone() }),
            table: Table::of(wanted.naming, &wanted.shape),
            place: place.clone(),
            wanted: wanted.clone(),
            seed,
            fingerprint: fingerprint(wanted, seed),
            facts: Facts::new(),
            grown: Grown::new(wanted.count),
            is_fresh: AtomicBool::new(false),
        };
        if wanted.expiry_s.is_some() {
            return Err(store.refuse(
                "rows do not expire in PostgreSQL (expiry_range); leave it out, or run this plan against Redis, Valkey or Aerospike",
            ));
        }
        store.ask()?;
        Ok(store)
    }

    fn refuse(&self, sentence: impl std::fmt::Display) -> WorkloadError {
        WorkloadError(format!("database server {}: {sentence}", self.place.address))
    }

    fn told(&self, what: &'static str) -> impl Fn(Failure) -> WorkloadError + '_ {
        move |failure| {
            let sentence = match failure {
                Failure::Away(sentence) => sentence,
                Failure::Refused(sentence) => format!(
                    "{sentence}; look at user, password (--password-file) and name of the database, and at the rights of \
                     the user"
                ),
            };
            WorkloadError(format!("database server {} {what}: {sentence}", self.place.address))
        }
    }

    fn connect(&self) -> Result<Client, WorkloadError> {
        Client::connect(&self.address, self.tls.as_ref(), &self.credentials)
            .map_err(self.told("cannot be connected to"))
    }

    /// Facts of the server; refuses one that cannot be written to.
    fn ask(&mut self) -> Result<(), WorkloadError> {
        let client = &mut self.connect()?;
        let unknown = self.told("does not report what it is");
        if client.value("SELECT pg_is_in_recovery()").map_err(&unknown)?.as_deref() == Some("t") {
            return Err(self.refuse("it is a standby and takes no writes; name its primary"));
        }
        let settings: Vec<String> = SETTINGS.iter().map(|name| quoted(name)).collect();
        let rows = client
            .query(&format!(
                "SELECT name, current_setting(name) FROM pg_settings WHERE name IN ({})",
                settings.join(", ")
            ))
            .map_err(&unknown)?;
        let mut facts: Facts = rows
            .into_iter()
            .filter_map(|row| match &row[..] {
                [Some(name), Some(value)] => Some((name.clone(), value.as_str().into())),
                _ => None,
            })
            .collect();
        // Only where this is allowed to be seen.
        for (name, statement) in [
            ("connected_standbys", "SELECT count(*) FROM pg_stat_replication"),
            ("collation", "SELECT datcollate FROM pg_database WHERE datname = current_database()"),
        ] {
            if let Ok(Some(value)) = client.value(statement) {
                facts.insert(name.into(), value.into());
            }
        }
        let version = facts.remove("server_version").unwrap_or_default();
        facts.insert("version".into(), version);
        facts.insert("software".into(), "PostgreSQL".into());
        if let Some(secured) = client.secured() {
            facts.insert("tls".into(), secured.into());
        }
        drop(unknown);
        self.facts = facts;
        Ok(())
    }

    fn exists(&self, client: &mut Client, table: &str) -> Result<bool, WorkloadError> {
        let value = client.value(&format!("SELECT to_regclass({}) IS NOT NULL", quoted(table)));
        Ok(value.map_err(self.told("does not report which tables it has"))?.as_deref() == Some("t"))
    }

    fn marker(&self, client: &mut Client) -> Result<Option<Marker>, WorkloadError> {
        if !self.exists(client, MARKERS)? {
            return Ok(None);
        }
        let statement =
            format!("SELECT {} FROM {MARKERS} WHERE name = {}", MARKER_COLUMNS.join(", "), quoted(self.table.name));
        let rows = client.query(&statement).map_err(self.told("does not report whose its tables are"))?;
        let Some(row) = rows.into_iter().next() else { return Ok(None) };
        let of_columns = |name: &str| {
            let place = MARKER_COLUMNS.iter().position(|column| *column == name)?;
            row.get(place).cloned().flatten()
        };
        Marker::of_fields(of_columns).map(Some).map_err(|damaged| self.refuse(damaged))
    }

    fn marking(&self, state: MarkerState) -> String {
        let what = format!("{} objects of {} B", self.wanted.count, self.wanted.shape.bytes());
        let (count, first) = (self.grown.count(), self.wanted.first);
        let [name, of, state, what] = [self.table.name, &self.fingerprint, state.word(), &what].map(quoted);
        format!(
            "CREATE TABLE IF NOT EXISTS {MARKERS} (name text PRIMARY KEY, fingerprint text, first bigint, count bigint, \
             state text, what text); DELETE FROM {MARKERS} WHERE name = {name}; \
             INSERT INTO {MARKERS} VALUES ({name}, {of}, {first}, {count}, {state}, {what})"
        )
    }

    fn objects(&self) -> Objects {
        Objects::of(&self.wanted, self.grown.count(), self.seed)
    }

    /// A key as a statement has it.
    fn literal(&self, objects: &Objects, key: u64) -> String {
        if self.table.has_numbers { key.to_string() } else { quoted(&objects.name(key)) }
    }

    /// See `Grown::find_end`.
    fn find_end(&self, client: &mut Client, marker: &Marker) -> Result<(), WorkloadError> {
        let objects = self.objects();
        self.grown.find_end((marker.first, marker.count), |keys| {
            let names: Vec<String> = keys.clone().map(|key| self.literal(&objects, key)).collect();
            let key = self.table.key();
            let rows = client
                .query(&format!("SELECT {key} FROM {} WHERE {key} IN ({})", self.table.name, names.join(", ")))
                .map_err(self.told("does not report which keys it has"))?;
            let is_there = |literal: &String| {
                rows.iter().flatten().flatten().any(|name| quoted(name) == *literal || name == literal)
            };
            Ok(keys.zip(&names).filter(|(_, literal)| is_there(literal)).map(|(key, _)| key).last())
        })
    }

    /// Whether there is a connection to spare for each that a stage wants.
    fn check_connections(&self, wanted: u64) -> Result<(), WorkloadError> {
        let statement = "SELECT current_setting('max_connections')::int \
                         - current_setting('superuser_reserved_connections')::int \
                         - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') + 1";
        let free = self.connect()?.value(statement).map_err(self.told("does not count its connections"))?;
        let Some(free) = free.and_then(|free| free.parse::<i64>().ok()) else { return Ok(()) };
        if i64::try_from(wanted).unwrap_or(i64::MAX) <= free {
            return Ok(());
        }
        Err(self.refuse(format!(
            "{wanted} connections are wanted and {free} are free (max_connections {}); raise max_connections, or choose \
             fewer connections in the plan",
            self.facts.get("max_connections").and_then(serde_json::Value::as_str).unwrap_or("unknown")
        )))
    }
}

impl Store for PostgresStore {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn look(&self) -> Result<Found, WorkloadError> {
        let client = &mut self.connect()?;
        if let Some(marker) = self.marker(client)? {
            let state = marker.found(&self.fingerprint, &self.grown);
            if matches!(state, Found::Whole | Found::Uneven) && !self.exists(client, self.table.name)? {
                return Ok(Found::Unfinished);
            }
            if state != Found::Whole {
                return Ok(state);
            }
            self.find_end(client, &marker)?;
            return Ok(Found::Whole);
        }
        if self.exists(client, self.table.name)? {
            return Err(self.refuse(format!(
                "the table {} is there already and was not made by Tailroom; nothing was written. Name another database \
                 (postgresql://host:port/NAME), or take this table away",
                self.table.name
            )));
        }
        Ok(Found::Nothing)
    }

    /// `PostgreSQL` does not tell how much room its disk has.
    fn check_room(&self, _: &Found) -> Result<(), WorkloadError> {
        Ok(())
    }

    fn begin_loading(&self) -> Result<(), WorkloadError> {
        self.grown.set(self.wanted.count);
        self.is_fresh.store(true, Ordering::Release);
        let name = self.table.name;
        let statements =
            format!("{}; DROP TABLE IF EXISTS {name}; {}", self.marking(MarkerState::Loading), self.table.creation());
        self.connect()?.query(&statements).map(drop).map_err(self.told("does not take the table of the objects"))
    }

    fn begin_inserting(&self) -> Result<(), WorkloadError> {
        self.connect()?.query(&self.marking(MarkerState::Uneven)).map(drop).map_err(self.told("does not take writes"))
    }

    fn check(&self) -> Result<(), WorkloadError> {
        let client = &mut self.connect()?;
        let (count, name) = (self.grown.count(), self.table.name);
        let rows = client.value(&format!("SELECT count(*) FROM {name}"));
        let rows = rows.map_err(self.told("does not count its rows"))?;
        let all: u64 = rows.and_then(|all| all.parse().ok()).unwrap_or(0);
        if all < count {
            return Err(self.refuse(format!(
                "{count} objects were loaded and the table {name} holds {all}: somebody deletes them; load them again with \
                 --reload"
            )));
        }
        let (objects, keys) = (self.objects(), sample(self.wanted.first, count).collect::<Vec<_>>());
        let contents: Vec<String> =
            self.table.columns().iter().map(|column| format!("encode({column}, 'hex')")).collect();
        let (key, mut wrong) = (self.table.key(), Vec::new());
        let at_once = usize::try_from(READ_BACK_BYTES / self.wanted.shape.bytes().max(1)).unwrap_or(0).max(1);
        for keys in keys.chunks(at_once) {
            let names: Vec<String> = keys.iter().map(|key| self.literal(&objects, *key)).collect();
            let columns = contents.join(", ");
            let statement = format!("SELECT {key}, {columns} FROM {name} WHERE {key} IN ({})", names.join(", "));
            let rows = client.query(&statement).map_err(self.told("does not let objects be read back"))?;
            let by_name: std::collections::HashMap<&str, &[Option<String>]> =
                rows.iter().filter_map(|row| Some((row.first()?.as_deref()?, &row[1..]))).collect();
            let is_right = |key: u64| {
                let name = if self.table.has_numbers { key.to_string() } else { objects.name(key) };
                let is_content = |(place, hex): (usize, &Option<String>)| {
                    hex.as_deref().and_then(bytes_of).is_some_and(|content| match self.wanted.shape {
                        Shape::Value { .. } => objects.is_value(Some(key), &content),
                        Shape::Record { .. } => objects.is_field(Some(key), place, &content),
                    })
                };
                by_name.get(name.as_str()).is_some_and(|row| row.iter().enumerate().all(is_content))
            };
            wrong.extend(keys.iter().copied().filter(|key| !is_right(*key)));
        }
        let Some(first) = wrong.first() else { return Ok(()) };
        Err(self.refuse(format!(
            "{} of {} objects that were read back are missing or not what was loaded, such as {}: somebody else writes to \
             the table {name}; load them again with --reload",
            wrong.len(),
            keys.len(),
            self.literal(&objects, *first)
        )))
    }

    fn finish_loading(&self) -> Result<(), WorkloadError> {
        let client = &mut self.connect()?;
        if self.is_fresh.swap(false, Ordering::AcqRel) {
            // As after `pgbench -i`: else the first reads pay for what the load left behind.
            let statement = format!("VACUUM (ANALYZE) {}", self.table.name);
            client.query(&statement).map_err(self.told("does not tidy up the table of the objects"))?;
        }
        client.query(&self.marking(MarkerState::Whole)).map(drop).map_err(self.told("does not take writes"))
    }

    fn remove(&self) -> Result<u64, WorkloadError> {
        let client = &mut self.connect()?;
        if self.marker(client)?.is_none() {
            return Ok(0);
        }
        let name = self.table.name;
        let denied = self.told("does not let objects be removed");
        let mut count = 0;
        if self.exists(client, name)? {
            let rows = client.value(&format!("SELECT count(*) FROM {name}")).map_err(&denied)?;
            count = rows.and_then(|count| count.parse().ok()).unwrap_or(0);
        }
        let statements = format!("DROP TABLE IF EXISTS {name}; DELETE FROM {MARKERS} WHERE name = {}", quoted(name));
        client.query(&statements).map_err(&denied)?;
        if client.value(&format!("SELECT count(*) FROM {MARKERS}")).map_err(&denied)?.as_deref() == Some("0") {
            client.query(&format!("DROP TABLE {MARKERS}")).map_err(&denied)?;
        }
        self.grown.set(self.wanted.count);
        Ok(count)
    }

    fn stage(&self, stage: &Stage, settings: &Settings) -> Result<Box<dyn Workload>, WorkloadError> {
        self.check_connections(stage.connections)?;
        let (objects, name) = (self.objects(), self.place.address.to_string());
        store_stage::prepared(stage, settings, objects, (name, &self.grown, LOOK_AT), |objects| {
            store_stage::to_server(self.server(objects, stage.pipeline as usize))
        })
    }
}

impl PostgresStore {
    fn server(&self, objects: Arc<Objects>, depth: usize) -> Server<Postgres> {
        let protocol = Postgres::new(Arc::clone(&self.credentials), &self.table, objects);
        Server { address: self.address.clone(), tls: self.tls.clone(), protocol, depth }
    }

    /// Connections to the objects, by themselves.
    #[cfg(test)]
    pub fn session(
        &self,
        connections: usize,
        depth: usize,
    ) -> Result<runner::conformance::Boxed<Command>, WorkloadError> {
        Ok(Box::new(ServerSession::new(&self.server(Arc::new(self.objects()), depth), connections)?))
    }
}

fn socket_address(place: &Place) -> Result<socket::Address, WorkloadError> {
    match &place.address {
        Address::Local(path) => Ok(socket::Address::local(Path::new(path))),
        Address::Internet(host, port) => socket::Address::of(host, *port).map_err(|error| {
            WorkloadError(format!(
                "database server {}: its address is not found: {error}; correct the address",
                place.address
            ))
        }),
    }
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
