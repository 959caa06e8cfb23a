//! The objects of a job in a table of `PostgreSQL`. Measured commands use `server_session`.
//!
//! The table `tailroom_objects` holds the markers. If the table of the job exists without a marker, it is foreign, and nothing is
//! written.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use measure::series::WorkloadError;
use workloads::job::{ObjectSpec, Shape};

use crate::connection::Server;
use crate::marker::Marker;
use crate::objects::Objects;
use crate::postgres::client::{Client, Failure, Row};
use crate::postgres::greeting::Credentials;
use crate::postgres::protocol::{Postgres, Table};
use crate::server_address::ServerAddress;
use crate::store::Facts;
use crate::store_driver::{StoreDriver, StoreJob};
use crate::store_stage::{self, Connect};

const MARKERS: &str = "tailroom_objects";
const MARKER_COLUMNS: [&str; 5] = ["fingerprint", "first", "count", "state", "what"];
const READ_BACK_BYTES: u64 = 8 << 20;

/// Settings that affect results.
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

/// The objects of a job in a table of `PostgreSQL`.
pub struct PostgresStore {
    job: StoreJob,
    credentials: Arc<Credentials>,
    table: Table,
}

/// Decodes hexadecimal digits; `None` if they are invalid.
fn bytes_of(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    hex.as_bytes().chunks(2).map(|pair| Some(digit(pair[0])? << 4 | digit(*pair.get(1)?)?)).collect()
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

impl PostgresStore {
    /// Connects to a server and reads its properties.
    pub fn open(server: &ServerAddress, spec: &ObjectSpec, seed: u64) -> Result<Self, WorkloadError> {
        let user = server.username.clone().or_else(|| std::env::var("USER").ok()).unwrap_or_else(|| "postgres".into());
        let database = server.database.clone().unwrap_or_else(|| user.clone());
        let mut store = Self {
            credentials: Arc::new(Credentials { user, database, password: server.password.clone() }),
            table: Table::of(spec.naming, &spec.shape),
            job: StoreJob::new(server, spec, seed)?,
        };
        if spec.expiry_s.is_some() {
            return Err(store.refuse(
                "rows do not expire in PostgreSQL (expiry_range); leave it out, or run this plan against Redis, Valkey or Aerospike",
            ));
        }
        store.read_facts()?;
        Ok(store)
    }

    fn query(&self, client: &mut Client, statement: &str, context: &'static str) -> Result<Vec<Row>, WorkloadError> {
        client.query(statement).map_err(self.with_context(context))
    }

    fn exists(&self, client: &mut Client, table: &str) -> Result<bool, WorkloadError> {
        let value = client.value(&format!("SELECT to_regclass({}) IS NOT NULL", quoted(table)));
        Ok(value.map_err(self.with_context("does not report which tables it has"))?.as_deref() == Some("t"))
    }

    fn key_text(&self, objects: &Objects, key: u64) -> String {
        if self.table.has_numbers { key.to_string() } else { objects.name(key) }
    }

    fn rows_of(
        &self,
        client: &mut Client,
        columns: &[String],
        keys: &[u64],
        context: &'static str,
    ) -> Result<HashMap<String, Row>, WorkloadError> {
        let (objects, key_column) = (self.job.objects(), self.table.key());
        let literal = |key: &u64| {
            let text = self.key_text(&objects, *key);
            if self.table.has_numbers { text } else { quoted(&text) }
        };
        let literals: Vec<String> = keys.iter().map(literal).collect();
        let columns = std::iter::once(key_column).chain(columns.iter().map(String::as_str)).collect::<Vec<_>>();
        let statement = format!(
            "SELECT {} FROM {} WHERE {key_column} IN ({})",
            columns.join(", "),
            self.table.name,
            literals.join(", ")
        );
        let rows = self.query(client, &statement, context)?.into_iter();
        Ok(rows.filter_map(|mut row| Some((row.first_mut()?.take()?, row.split_off(1)))).collect())
    }

    /// Reads the properties of the server. Fails if the server is a standby, or if a query fails.
    fn read_facts(&mut self) -> Result<(), WorkloadError> {
        let client = &mut self.connect()?;
        let unknown = self.with_context("does not report what it is");
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
        // Omitted if the user may not read it.
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
        drop(unknown);
        self.job.set_facts(facts, client.secured());
        Ok(())
    }
}

impl StoreDriver for PostgresStore {
    type Connection = Client;
    type Error = Failure;

    const CHECKLIST: &'static str = "disk, rights, connections and tables";
    const OTHER_WRITERS: &'static str = "another client writes to this table";

    fn job(&self) -> &StoreJob {
        &self.job
    }

    fn explain(error: Failure) -> String {
        match error {
            Failure::Away(sentence) => sentence,
            Failure::Refused(sentence) => format!(
                "{sentence}; look at user, password (--password-file) and name of the database, and at the rights of the user"
            ),
        }
    }

    fn try_connect(&self) -> Result<Client, Failure> {
        Client::connect(&self.job.address, self.job.tls.as_ref(), &self.credentials)
    }

    fn read_marker(&self, client: &mut Client) -> Result<Option<Marker>, WorkloadError> {
        if !self.exists(client, MARKERS)? {
            return Ok(None);
        }
        let (columns, name) = (MARKER_COLUMNS.join(", "), quoted(self.table.name));
        let statement = format!("SELECT {columns} FROM {MARKERS} WHERE name = {name}");
        let rows = self.query(client, &statement, "does not report whose its tables are")?;
        let Some(row) = rows.into_iter().next() else { return Ok(None) };
        let of_columns = |name: &str| {
            let index = MARKER_COLUMNS.iter().position(|column| *column == name)?;
            row.get(index).cloned().flatten()
        };
        Marker::of_fields(of_columns).map(Some).map_err(|damaged| self.refuse(damaged))
    }

    fn write_marker(&self, client: &mut Client, marker: &Marker) -> Result<(), WorkloadError> {
        let name = quoted(self.table.name);
        let fields = marker.fields();
        let columns: Vec<&str> = fields.iter().map(|(column, _)| *column).collect();
        let values: Vec<String> = fields.iter().map(|(_, value)| quoted(value)).collect();
        let statements = format!(
            "CREATE TABLE IF NOT EXISTS {MARKERS} (name text PRIMARY KEY, fingerprint text, first bigint, count bigint, \
             state text, what text); DELETE FROM {MARKERS} WHERE name = {name}; \
             INSERT INTO {MARKERS} (name, {}) VALUES ({name}, {})",
            columns.join(", "),
            values.join(", ")
        );
        self.query(client, &statements, "does not take writes").map(drop)
    }

    fn delete_marker(&self, client: &mut Client) -> Result<(), WorkloadError> {
        let denied = "does not let objects be removed";
        let statement = format!("DELETE FROM {MARKERS} WHERE name = {}", quoted(self.table.name));
        self.query(client, &statement, denied)?;
        let left = client.value(&format!("SELECT count(*) FROM {MARKERS}")).map_err(self.with_context(denied))?;
        if left.as_deref() == Some("0") {
            self.query(client, &format!("DROP TABLE {MARKERS}"), denied)?;
        }
        Ok(())
    }

    fn refuse_foreign_objects(&self, client: &mut Client) -> Result<(), WorkloadError> {
        if !self.exists(client, self.table.name)? {
            return Ok(());
        }
        Err(self.refuse(format!(
            "the table {} is there already and was not made by Tailroom; nothing was written. Name another database \
             (postgresql://host:port/NAME), or take this table away",
            self.table.name
        )))
    }

    fn existing(&self, client: &mut Client, keys: &[u64]) -> Result<Vec<u64>, WorkloadError> {
        let (objects, rows) =
            (self.job.objects(), self.rows_of(client, &[], keys, "does not report which keys it has")?);
        Ok(keys.iter().copied().filter(|key| rows.contains_key(&self.key_text(&objects, *key))).collect())
    }

    fn damaged(&self, client: &mut Client, keys: &[u64]) -> Result<Vec<u64>, WorkloadError> {
        let objects = self.job.objects();
        let contents: Vec<String> =
            self.table.columns().iter().map(|column| format!("encode({column}, 'hex')")).collect();
        let shape = &self.job.spec.shape;
        let at_once = usize::try_from(READ_BACK_BYTES / shape.bytes().max(1)).unwrap_or(0).max(1);
        let mut damaged = Vec::new();
        for keys in keys.chunks(at_once) {
            let rows = self.rows_of(client, &contents, keys, "does not let objects be read back")?;
            let is_intact = |key: u64| {
                let is_content = |(index, hex): (usize, &Option<String>)| {
                    hex.as_deref().and_then(bytes_of).is_some_and(|content| match shape {
                        Shape::Value { .. } => objects.is_value(Some(key), &content),
                        Shape::Record { .. } => objects.is_field(Some(key), index, &content),
                    })
                };
                let row = rows.get(&self.key_text(&objects, key));
                row.is_some_and(|row| row.iter().enumerate().all(is_content))
            };
            damaged.extend(keys.iter().copied().filter(|key| !is_intact(*key)));
        }
        Ok(damaged)
    }

    fn stored_count(&self, client: &mut Client) -> Result<u64, WorkloadError> {
        let rows = client.value(&format!("SELECT count(*) FROM {}", self.table.name));
        let rows = rows.map_err(self.with_context("does not count its rows"))?;
        Ok(rows.and_then(|count| count.parse().ok()).unwrap_or(0))
    }

    fn explain_loss(&self, stored: u64) -> String {
        format!(
            "the table {} holds {stored}: another client deletes them; load them again with `tailroom-agent run --reload`",
            self.table.name
        )
    }

    fn delete(&self, client: &mut Client, _: Range<u64>) -> Result<u64, WorkloadError> {
        let count = self.stored_count(client)?;
        let statement = format!("DROP TABLE {}", self.table.name);
        self.query(client, &statement, "does not let objects be removed")?;
        Ok(count)
    }

    fn sessions(&self, objects: Arc<Objects>, depth: usize) -> Connect {
        let protocol = Postgres::new(Arc::clone(&self.credentials), &self.table, objects);
        store_stage::to_server(Server { address: self.job.address.clone(), tls: self.job.tls.clone(), protocol, depth })
    }

    fn name(&self, key: u64) -> String {
        self.key_text(&self.job.objects(), key)
    }

    fn has_container(&self, client: &mut Client) -> Result<bool, WorkloadError> {
        self.exists(client, self.table.name)
    }

    fn create_container(&self, client: &mut Client) -> Result<(), WorkloadError> {
        let statements = format!("DROP TABLE IF EXISTS {}; {}", self.table.name, self.table.creation());
        self.query(client, &statements, "does not take the table of the objects").map(drop)
    }

    fn settle(&self, client: &mut Client) -> Result<(), WorkloadError> {
        // Without this, which `pgbench -i` does too, the first reads would pay for work that the load left.
        let statement = format!("VACUUM (ANALYZE) {}", self.table.name);
        self.query(client, &statement, "does not tidy up the table of the objects").map(drop)
    }

    fn check_connections(&self, needed: u64) -> Result<(), WorkloadError> {
        let statement = "SELECT current_setting('max_connections')::int \
                         - current_setting('superuser_reserved_connections')::int \
                         - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') + 1";
        let free = self.connect()?.value(statement).map_err(self.with_context("does not count its connections"))?;
        let Some(free) = free.and_then(|free| free.parse::<i64>().ok()) else { return Ok(()) };
        if i64::try_from(needed).unwrap_or(i64::MAX) <= free {
            return Ok(());
        }
        Err(self.refuse(format!(
            "{needed} connections are wanted and {free} are free (max_connections {}); raise max_connections, or choose \
             fewer connections in the plan",
            self.job.fact("max_connections").unwrap_or("unknown")
        )))
    }
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
