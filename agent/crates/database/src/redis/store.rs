//! The objects of a job on a Redis or Valkey server, accessed with the official client. Measured commands use `server_session`.
//!
//! The hash `tailroom:objects:…` is the marker of the objects. If keys of the job exist without a marker, they are foreign, and
//! nothing is written.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use measure::series::WorkloadError;
use redis::{ErrorKind, FromRedisValue, RedisError, Value};
use workloads::job::{ObjectSpec, Shape};

use crate::cluster::ClusterSession;
use crate::connection::Server;
use crate::life_cycle::refuse_existing_keys;
use crate::marker::Marker;
use crate::objects::Objects;
use crate::redis::cluster::RedisCluster;
use crate::redis::protocol::{Login, Redis};
use crate::redis::requests::INDEX;
use crate::redis::router::Router as Connection;
use crate::redis::slots::Slots;
use crate::server_address::{Address, ServerAddress};
use crate::store::Facts;
use crate::store_driver::{MemoryLimit, StoreDriver, StoreJob};
use crate::store_stage::{self, Connect};
use crate::stream::UNREACHABLE_REMEDY;

const BATCH: usize = 1_000;

/// Settings that affect results.
const SETTINGS: [&str; 6] = ["maxmemory", "maxmemory-policy", "save", "appendonly", "appendfsync", "io-threads"];
/// Names of properties in the answer to `INFO`.
const FACTS: [&str; 7] =
    ["redis_version", "valkey_version", "role", "connected_slaves", "used_memory", "maxmemory", "os"];

/// The objects of a job on a Redis or Valkey server.
pub struct RedisStore {
    job: StoreJob,
    marker_key: String,
    login: Arc<Login>,
    /// Slots of the cluster; `None` for a single server.
    slots: Option<Arc<Slots>>,
}

impl RedisStore {
    /// Connects to a server and reads its properties.
    pub fn open(server: &ServerAddress, spec: &ObjectSpec, seed: u64) -> Result<Self, WorkloadError> {
        if let Some(database) = server.database.as_ref().filter(|name| name.parse::<u32>().is_err()) {
            return Err(server.refuse(format!("`{database}` is no number of a database")));
        }
        let prefix = match spec.naming {
            keys::name::Naming::Ycsb { ordered: true, .. } => "user-ordered",
            keys::name::Naming::Ycsb { ordered: false, .. } => "user",
            keys::name::Naming::Memtier => "memtier",
            keys::name::Naming::Asbench => "asbench",
            keys::name::Naming::Fraud => "obj",
        };
        let mut store = Self {
            login: Arc::new(Login {
                username: server.username.clone(),
                password: server.password.clone(),
                database: server.database.clone(),
            }),
            marker_key: format!("tailroom:objects:{prefix}"),
            slots: None,
            job: StoreJob::new(server, spec, seed)?,
        };
        store.read_facts()?;
        Ok(store)
    }

    fn query<T: FromRedisValue>(
        &self,
        connection: &mut Connection,
        command: &redis::Cmd,
        context: &'static str,
    ) -> Result<T, WorkloadError> {
        command.query(connection).map_err(self.with_context(context))
    }

    /// Reads the properties of the server. Fails if it is a replica, still loads its own data, or its cluster cannot run the job.
    fn read_facts(&mut self) -> Result<(), WorkloadError> {
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
        let version = version.and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
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

impl StoreDriver for RedisStore {
    type Connection = Connection;
    type Error = RedisError;

    const CHECKLIST: &'static str = "memory limit, rights and keys";
    const OTHER_WRITERS: &'static str = "another client writes to these keys, or the server evicts them";

    fn job(&self) -> &StoreJob {
        &self.job
    }

    fn explain(error: RedisError) -> String {
        let cause = match error.code() {
            Some(code) => format!("{code} {}", error.detail().unwrap_or_default().trim_end_matches('.')),
            None if error.kind() == ErrorKind::Parse => "what answers there is no Redis or Valkey server".to_owned(),
            None => error.to_string(),
        };
        let what_to_do = match error.code() {
            Some("WRONGPASS" | "NOAUTH") => {
                "give the password with --password-file or TAILROOM_TARGET_PASSWORD, and the user, where there is one, in the \
                 address (redis://user@host:port)"
            }
            Some("NOPERM") => "give this user the right to it there (ACL SETUSER), or name another user",
            Some("OOM") => "raise its maxmemory, or choose fewer or smaller objects",
            _ if cause.contains("DB index") => {
                "name a database that it has (redis://host:port/N, `databases` in its settings)"
            }
            _ if error.kind() == ErrorKind::Parse => UNREACHABLE_REMEDY,
            _ if !error.is_io_error() => {
                "look at the password (--password-file), the rights and the memory limit of the server"
            }
            // Errors of TLS already end with a remedy.
            _ if cause.contains("; ") => return cause,
            _ => UNREACHABLE_REMEDY,
        };
        format!("{cause}; {what_to_do}")
    }

    fn try_connect(&self) -> Result<Connection, RedisError> {
        Connection::open(&self.job.address, self.job.tls.as_ref(), self.login.requests(), self.slots.clone())
    }

    fn read_marker(&self, connection: &mut Connection) -> Result<Option<Marker>, WorkloadError> {
        let request = redis::cmd("HGETALL").arg(&self.marker_key).take();
        let fields: HashMap<String, String> = self.query(connection, &request, "does not report whose its keys are")?;
        if fields.is_empty() {
            return Ok(None);
        }
        Marker::of_fields(|name| fields.get(name).cloned()).map(Some).map_err(|damaged| self.refuse(damaged))
    }

    fn write_marker(&self, connection: &mut Connection, marker: &Marker) -> Result<(), WorkloadError> {
        let is_indexed = i32::from(self.job.objects().is_indexed());
        let request =
            redis::cmd("HSET").arg(&self.marker_key).arg(&marker.fields()).arg("indexed").arg(is_indexed).take();
        self.query(connection, &request, "does not take writes")
    }

    fn delete_marker(&self, connection: &mut Connection) -> Result<(), WorkloadError> {
        let request = redis::cmd("UNLINK").arg(&self.marker_key).take();
        self.query(connection, &request, "does not let objects be removed")
    }

    fn refuse_foreign_objects(&self, connection: &mut Connection) -> Result<(), WorkloadError> {
        if self.job.objects().is_indexed() {
            let request = redis::cmd("EXISTS").arg(INDEX).take();
            if self.query(connection, &request, "does not report which keys it has")? {
                return Err(self.refuse(format!(
                    "the index {} is there already and was not made by Tailroom; nothing was written. Name another logical \
                     database (redis://host:port/N), or take it away",
                    String::from_utf8_lossy(INDEX)
                )));
            }
        }
        let remedy = "Name another logical database (redis://host:port/N), or take these keys away";
        refuse_existing_keys(self, connection, ("key", "", remedy))
    }

    fn existing(&self, connection: &mut Connection, keys: &[u64]) -> Result<Vec<u64>, WorkloadError> {
        let (objects, mut pipeline) = (self.job.objects(), redis::pipe());
        for key in keys {
            pipeline.cmd("EXISTS").arg(objects.name(*key));
        }
        let exist: Vec<bool> =
            pipeline.query(connection).map_err(self.with_context("does not report which keys it has"))?;
        Ok(keys.iter().zip(exist).filter(|(_, exists)| *exists).map(|(key, _)| *key).collect())
    }

    fn damaged(&self, connection: &mut Connection, keys: &[u64]) -> Result<Vec<u64>, WorkloadError> {
        let (objects, shape, mut pipeline) = (self.job.objects(), &self.job.spec.shape, redis::pipe());
        for key in keys {
            match shape {
                Shape::Value { .. } => pipeline.cmd("GET").arg(objects.name(*key)),
                Shape::Record { by_name: false, .. } => pipeline.cmd("HGETALL").arg(objects.name(*key)),
                Shape::Record { fields, .. } => {
                    let names: Vec<&[u8]> = (0..*fields as usize).map(|field| objects.field(field)).collect();
                    pipeline.cmd("HMGET").arg(objects.name(*key)).arg(names)
                }
            };
        }
        let values: Vec<Value> =
            pipeline.query(connection).map_err(self.with_context("does not let objects be read back"))?;
        let is_intact = |key: u64, value: &Value| match (shape, value) {
            (Shape::Value { .. }, Value::BulkString(value)) => objects.is_value(Some(key), value),
            (Shape::Record { by_name, .. }, list) => {
                let parts = Vec::<Vec<u8>>::from_redis_value_ref(list).unwrap_or_default();
                has_all_fields(&objects, key, &parts, *by_name)
            }
            _ => false,
        };
        Ok(keys.iter().zip(&values).filter(|(key, value)| !is_intact(**key, value)).map(|(key, _)| *key).collect())
    }

    fn stored_count(&self, connection: &mut Connection) -> Result<u64, WorkloadError> {
        connection.key_count().map_err(self.with_context("does not count its keys"))
    }

    fn explain_loss(&self, stored: u64) -> String {
        format!(
            "it holds {stored} keys: it evicts them (maxmemory-policy {}), another client deletes them, or it was started again \
             without its data; give it more memory, load fewer objects, or load them again with --reload",
            self.job.fact("maxmemory_policy").unwrap_or("unknown")
        )
    }

    fn delete(&self, connection: &mut Connection, keys: Range<u64>) -> Result<u64, WorkloadError> {
        let (objects, mut removed) = (self.job.objects(), 0);
        for from in keys.clone().step_by(BATCH) {
            let mut pipeline = redis::pipe();
            for key in from..keys.end.min(from + BATCH as u64) {
                pipeline.cmd("UNLINK").arg(objects.name(key));
            }
            let counts: Vec<u64> =
                pipeline.query(connection).map_err(self.with_context("does not let objects be removed"))?;
            removed += counts.iter().sum::<u64>();
        }
        let request = redis::cmd("HGET").arg(&self.marker_key).arg("indexed").take();
        if self.query::<Option<bool>>(connection, &request, "does not let objects be removed")? == Some(true) {
            let request = redis::cmd("UNLINK").arg(INDEX).take();
            self.query::<()>(connection, &request, "does not let objects be removed")?;
        }
        Ok(removed)
    }

    fn sessions(&self, objects: Arc<Objects>, depth: usize) -> Connect {
        let (address, tls) = (self.job.address.clone(), self.job.tls.clone());
        let server = Server { address, tls, protocol: Redis::new(Arc::clone(&self.login), objects), depth };
        let Some(slots) = self.slots.clone() else { return store_stage::to_server(server) };
        Box::new(move |connections| {
            let cluster = RedisCluster::new(server.clone(), Arc::clone(&slots));
            Ok(Box::new(ClusterSession::new(cluster, depth, connections)?))
        })
    }

    fn memory_limit(&self) -> Result<Option<MemoryLimit>, WorkloadError> {
        let bytes = self.job.fact("maxmemory").and_then(|most| most.parse().ok()).unwrap_or(0);
        let limit = MemoryLimit { bytes, text: format!("maxmemory {bytes} B"), remedy: "Raise maxmemory", copies: 1 };
        Ok((bytes > 0).then_some(limit))
    }

    fn used_bytes(&self, connection: &mut Connection) -> Result<u64, WorkloadError> {
        let request = redis::cmd("INFO").arg("memory").take();
        let info: String = self.query(connection, &request, "does not report how much memory it uses")?;
        Ok(info.lines().find_map(|line| line.strip_prefix("used_memory:")?.parse().ok()).unwrap_or(0))
    }
}

/// Returns whether `parts` are all fields of a record: the values in order if `by_order`, otherwise each after its name.
fn has_all_fields(objects: &Objects, key: u64, parts: &[Vec<u8>], by_order: bool) -> bool {
    let is_field = |field: usize, value: &[u8]| objects.is_field(Some(key), field, value);
    let count = usize::from(objects.field_count());
    if by_order {
        return parts.len() == count && parts.iter().enumerate().all(|(field, value)| is_field(field, value));
    }
    let is_pair = |pair: &[Vec<u8>]| objects.field_named(&pair[0]).is_some_and(|field| is_field(field, &pair[1]));
    parts.len() == 2 * count && parts.chunks_exact(2).all(is_pair)
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "store_record_tests.rs"]
mod record_tests;
