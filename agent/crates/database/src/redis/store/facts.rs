//! Properties of a Redis or Valkey server, and checks that it accepts writes.

use std::sync::Arc;

use measure::series::WorkloadError;
use serde_json::Value;

use super::{Connection, RedisStore};
use crate::redis::slots::Slots;
use crate::server_address::Address;
use crate::store::Facts;
use crate::store_driver::StoreDriver as _;

/// Settings that affect results.
const SETTINGS: [&str; 6] = ["maxmemory", "maxmemory-policy", "save", "appendonly", "appendfsync", "io-threads"];
/// Names of properties in the answer to `INFO`.
const FACTS: [&str; 7] =
    ["redis_version", "valkey_version", "role", "connected_slaves", "used_memory", "maxmemory", "os"];

impl RedisStore {
    /// Reads the properties of the server. Fails if the server is a replica or still loads its own data, or if its cluster
    /// cannot run the job.
    pub(super) fn read_facts(&mut self) -> Result<(), WorkloadError> {
        let mut connection = self.connect()?;
        let info: String = redis::cmd("INFO")
            .query(&mut connection)
            .map_err(self.with_context("does not report what it is (INFO)"))?;
        let line = |name: &str| info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        if line("role") == Some("slave") {
            return Err(self.refuse("it is a replica and takes no writes; name its primary"));
        }
        if line("loading") == Some("1") {
            return Err(self.refuse("it is still loading its own data; wait until it is done (INFO persistence)"));
        }
        let mut facts: Facts = FACTS.iter().filter_map(|name| Some(((*name).to_owned(), line(name)?.into()))).collect();
        for name in SETTINGS {
            // Omitted if the user may not read it.
            let setting: Result<(String, String), _> = redis::cmd("CONFIG").arg("GET").arg(name).query(&mut connection);
            if let Ok((_, value)) = setting {
                facts.insert(name.replace('-', "_"), value.into());
            }
        }
        if line("cluster_enabled") == Some("1") {
            let slots = self.read_slots(&mut connection)?;
            facts.insert("cluster_nodes".into(), slots.count().into());
            self.slots = Some(slots);
        }
        let software = if facts.contains_key("valkey_version") { "Valkey" } else { "Redis" };
        let version = facts.get("valkey_version").or_else(|| facts.get("redis_version"));
        let version = version.and_then(Value::as_str).unwrap_or_default().to_owned();
        facts.insert("software".into(), software.into());
        facts.insert("version".into(), version.into());
        self.job.set_facts(facts, connection.secured());
        Ok(())
    }

    /// Reads the owner of each slot of a cluster.
    fn read_slots(&self, connection: &mut Connection) -> Result<Arc<Slots>, WorkloadError> {
        if self.job.objects().is_indexed() {
            return Err(self.refuse(
                "scans (scanproportion) go by one index, and in a cluster its records lie elsewhere; name a server outside of one",
            ));
        }
        let answer: redis::Value = redis::cmd("CLUSTER")
            .arg("SLOTS")
            .query(connection)
            .map_err(self.with_context("keeps to itself which node has which slot (CLUSTER SLOTS)"))?;
        let host = match &self.job.server.address {
            Address::Internet(host, _) => host,
            Address::Local(_) => "127.0.0.1",
        };
        Slots::of_answer(&answer, host).map(Arc::new).map_err(|sentence| self.refuse(sentence))
    }
}
