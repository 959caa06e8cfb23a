//! Properties of a `PostgreSQL` server, and a check that it accepts writes.

use measure::series::WorkloadError;

use super::{PostgresStore, quoted};
use crate::store::Facts;
use crate::store_driver::StoreDriver as _;

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

impl PostgresStore {
    /// Reads the properties of the server. Fails if the server is a standby, or if a query fails.
    pub(super) fn read_facts(&mut self) -> Result<(), WorkloadError> {
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
