//! The objects of a job on a Redis or Valkey server, by the official client. What is measured goes another way
//! (`server_session`).
//!
//! A hash beside the objects says whose they are (`tailroom:objects:…`): which job loaded them, how many, and whether it came
//! to its end. Keys that exist without it belong to somebody else, and nothing is written.

mod facts;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use measure::series::{Workload, WorkloadError};
use redis::{ErrorKind, FromRedisValue, RedisError};
use serde_json::Value;
use workloads::job::{Objects as Wanted, Shape, Stage};

use crate::cluster::ClusterSession;
#[cfg(test)]
use crate::command::Command;
use crate::connection::Server;
use crate::objects::Objects;
use crate::redis::cluster::RedisCluster;
use crate::redis::protocol::{Login, Redis};
use crate::redis::requests::INDEX;
use crate::redis::router::Router as Connection;
use crate::redis::slots::Slots;
use crate::socket;
use crate::stage::Settings;
use crate::store::{self, Address, Facts, Found, Marker, MarkerState, Place, Store, fingerprint, sample};
use crate::store_stage::{self, Connect, Grown};
use crate::stream::AWAY;
use crate::tls::Tls;

const LOOK_AT: &str = "memory limit, rights and keys";
const BATCH: u64 = 1_000;
/// How often, and how far apart, a server is asked whether it has given back memory.
const MOST_LOOKS: u32 = 20;
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);
/// What a key costs beside its name and value, at least: entry, object and allocation.
const OVERHEAD_BYTES: u64 = 64;
/// See the module.
pub struct RedisStore {
    place: Place,
    wanted: Wanted,
    seed: u64,
    fingerprint: String,
    /// Where it is written down whose the objects are.
    marker: String,
    facts: Facts,
    address: socket::Address,
    tls: Option<Tls>,
    login: Arc<Login>,
    /// None: one server.
    slots: Option<Arc<Slots>>,
    /// How many objects there are by now.
    grown: Grown,
}

impl RedisStore {
    /// Connects and asks what the server is.
    ///
    /// # Errors
    /// A sentence with the address, the cause and what to do.
    pub fn open(place: &Place, wanted: &Wanted, seed: u64) -> Result<Self, WorkloadError> {
        if let Some(database) = place.database.as_ref().filter(|name| name.parse::<u32>().is_err()) {
            return Err(WorkloadError(format!(
                "database server {}: `{database}` is no number of a database",
                place.address
            )));
        }
        let prefix = match wanted.naming {
            keys::name::Naming::Ycsb { ordered, .. } => {
                if ordered {
                    "user-ordered"
                } else {
                    "user"
                }
            }
            keys::name::Naming::Memtier => "memtier",
            keys::name::Naming::Asbench => "asbench",
            keys::name::Naming::Fraud => "obj",
        };
        let mut store = Self {
            address: socket_address(place)?,
            tls: place.security()?,
            login: Arc::new(Login {
                username: place.username.clone(),
                password: place.password.clone(),
                database: place.database.clone(),
            }),
            place: place.clone(),
            wanted: wanted.clone(),
            seed,
            fingerprint: fingerprint(wanted, seed),
            marker: format!("tailroom:objects:{prefix}"),
            facts: Facts::new(),
            slots: None,
            grown: Grown::new(wanted.count),
        };
        store.ask()?;
        Ok(store)
    }

    fn refuse(&self, sentence: impl std::fmt::Display) -> WorkloadError {
        WorkloadError(format!("database server {}: {sentence}", self.place.address))
    }

    fn told(&self, what: &'static str) -> impl Fn(RedisError) -> WorkloadError + '_ {
        move |error| explain(&self.place, what, &error)
    }

    fn connect(&self) -> Result<Connection, WorkloadError> {
        let connection = Connection::open(&self.address, self.tls.as_ref(), self.login.requests(), self.slots.clone());
        connection.map_err(self.told("cannot be connected to"))
    }

    /// How a thread connects to the objects.
    fn connecting(&self, objects: Arc<Objects>, depth: usize) -> Connect {
        let server = self.server(objects, depth);
        let Some(slots) = self.slots.clone() else { return store_stage::to_server(server) };
        Box::new(move |connections| {
            let cluster = RedisCluster::new(server.clone(), Arc::clone(&slots));
            Ok(Box::new(ClusterSession::new(cluster, depth, connections)?))
        })
    }

    fn marker(&self, connection: &mut Connection) -> Result<Option<Marker>, WorkloadError> {
        type Fields = std::collections::HashMap<String, String>;
        let fields: Fields = redis::cmd("HGETALL")
            .arg(&self.marker)
            .query(connection)
            .map_err(self.told("does not report whose its keys are"))?;
        if fields.is_empty() {
            return Ok(None);
        }
        Marker::of_fields(|name| fields.get(name).cloned()).map(Some).map_err(|damaged| self.refuse(damaged))
    }

    fn mark(&self, state: MarkerState) -> Result<(), WorkloadError> {
        let what = format!("{} objects of {} B", self.wanted.count, self.wanted.shape.bytes());
        redis::cmd("HSET")
            .arg(&self.marker)
            .arg(&[("fingerprint", self.fingerprint.as_str()), ("state", state.word()), ("what", &what)])
            .arg("first")
            .arg(self.wanted.first)
            .arg("count")
            .arg(self.grown.count())
            .arg("indexed")
            .arg(i32::from(self.objects().is_indexed()))
            .exec(&mut self.connect()?)
            .map_err(self.told("does not take writes"))
    }

    fn objects(&self) -> Objects {
        Objects::of(&self.wanted, self.grown.count(), self.seed)
    }

    fn server(&self, objects: Arc<Objects>, depth: usize) -> Server<Redis> {
        let protocol = Redis::new(Arc::clone(&self.login), objects);
        Server { address: self.address.clone(), tls: self.tls.clone(), protocol, depth }
    }

    /// Connections to the objects, by themselves.
    #[cfg(test)]
    pub fn session(
        &self,
        connections: usize,
        depth: usize,
    ) -> Result<runner::conformance::Boxed<Command>, WorkloadError> {
        (self.connecting(Arc::new(self.objects()), depth))(connections)
    }

    /// Which of these keys are there.
    fn exist(&self, connection: &mut Connection, keys: &[u64]) -> Result<Vec<bool>, WorkloadError> {
        let objects = self.objects();
        let mut pipeline = redis::pipe();
        for key in keys {
            pipeline.cmd("EXISTS").arg(objects.name(*key));
        }
        pipeline.query(connection).map_err(self.told("does not report which keys it has"))
    }

    fn used_memory(&self, connection: &mut Connection) -> Result<u64, WorkloadError> {
        let info = redis::cmd("INFO").arg("memory").query::<String>(connection);
        let info = info.map_err(self.told("does not report how much memory it uses"))?;
        let used = info.lines().find_map(|line| line.strip_prefix("used_memory:")?.parse().ok());
        Ok(used.unwrap_or(0))
    }

    /// Objects that still have to be written: those that a load left behind which was cut off take their room already.
    fn missing(&self, connection: &mut Connection, found: &Found) -> Result<u64, WorkloadError> {
        if *found != Found::Unfinished {
            return Ok(self.wanted.count);
        }
        let keys: Vec<u64> = sample(self.wanted.first, self.wanted.count).collect();
        let there = self.exist(connection, &keys)?.into_iter().filter(|there| *there).count();
        Ok(store::missing(self.wanted.count, keys.len(), there))
    }

    /// See `Grown::find_end`.
    fn find_end(&self, connection: &mut Connection, marker: &Marker) -> Result<(), WorkloadError> {
        self.grown.find_end((marker.first, marker.count), |keys| {
            let keys: Vec<u64> = keys.collect();
            Ok(self.exist(connection, &keys)?.iter().rposition(|there| *there).map(|last| keys[last]))
        })
    }

    fn remove_marked(&self, connection: &mut Connection, marker: &Marker) -> Result<u64, RedisError> {
        let objects = self.objects();
        let (mut removed, end) = (0, marker.first + marker.count);
        let mut from = marker.first;
        while from < end {
            let to = (from + BATCH).min(end);
            let mut pipeline = redis::pipe();
            for key in from..to {
                pipeline.cmd("UNLINK").arg(objects.name(key));
            }
            removed += pipeline.query::<Vec<u64>>(connection)?.iter().sum::<u64>();
            from = to;
        }
        let has_index: Option<bool> = redis::cmd("HGET").arg(&self.marker).arg("indexed").query(connection)?;
        if has_index == Some(true) {
            redis::cmd("UNLINK").arg(INDEX).exec(connection)?;
        }
        redis::cmd("UNLINK").arg(&self.marker).exec(connection)?;
        Ok(removed)
    }
}

impl Store for RedisStore {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn look(&self) -> Result<Found, WorkloadError> {
        let connection = &mut self.connect()?;
        if let Some(marker) = self.marker(connection)? {
            let state = marker.found(&self.fingerprint, &self.grown);
            if state != Found::Whole {
                return Ok(state);
            }
            self.find_end(connection, &marker)?;
            return Ok(Found::Whole);
        }
        let objects = self.objects();
        let has_index = |connection: &mut Connection| redis::cmd("EXISTS").arg(INDEX).query::<bool>(connection);
        if objects.is_indexed() && has_index(connection).map_err(self.told("does not tell which keys it has"))? {
            return Err(self.refuse(format!(
                "the index {} is there already and was not made by Tailroom; nothing was written. Name another logical \
                 database (redis://host:port/N), or take it away",
                String::from_utf8_lossy(INDEX)
            )));
        }
        let is_empty = connection.key_count().map_err(self.told("does not count its keys"))? == 0;
        let mut looked_at = 0;
        for keys in store::looked_at(self.wanted.first, self.wanted.count, is_empty) {
            let there = self.exist(connection, &keys)?;
            looked_at += keys.len();
            if let Some(place) = there.iter().position(|there| *there) {
                return Err(self.refuse(format!(
                    "the key {} is there already and was not loaded by Tailroom ({} of the first {looked_at} that were looked at \
                     are); nothing was written. Name another logical database (redis://host:port/N), or take these keys away",
                    objects.name(keys[place]),
                    there.iter().filter(|there| **there).count(),
                )));
            }
        }
        Ok(Found::Nothing)
    }

    fn check_room(&self, found: &Found) -> Result<(), WorkloadError> {
        let Some(most) = self.facts.get("maxmemory").and_then(|most| most.as_str()?.parse::<u64>().ok()) else {
            return Ok(());
        };
        if most == 0 {
            return Ok(());
        }
        let connection = &mut self.connect()?;
        let missing = self.missing(connection, found)?;
        let needed = missing.saturating_mul(self.wanted.shape.bytes() + OVERHEAD_BYTES);
        let (mut used, mut looks) = (self.used_memory(connection)?, 1);
        // What an earlier run has left may just have been taken away, which the server does by and by.
        while used.saturating_add(needed) > most && needed <= most && looks < MOST_LOOKS {
            std::thread::sleep(BETWEEN_LOOKS);
            (used, looks) = (self.used_memory(connection)?, looks + 1);
        }
        if used.saturating_add(needed) <= most {
            return Ok(());
        }
        Err(self.refuse(format!(
            "{missing} objects of {} B need at least {needed} B, and of maxmemory {most} B {used} B are used already; nothing was \
             written. Raise maxmemory, or choose fewer or smaller objects",
            self.wanted.shape.bytes()
        )))
    }

    fn begin_loading(&self) -> Result<(), WorkloadError> {
        self.grown.set(self.wanted.count);
        self.mark(MarkerState::Loading)
    }

    fn begin_inserting(&self) -> Result<(), WorkloadError> {
        self.mark(MarkerState::Uneven)
    }

    fn check(&self) -> Result<(), WorkloadError> {
        let connection = &mut self.connect()?;
        let count = self.grown.count();
        let all = connection.key_count().map_err(self.told("does not count its keys"))?;
        if all < count {
            return Err(self.refuse(format!(
                "{count} objects were loaded and it holds {all} keys: it evicts them, or somebody deletes them \
                 (maxmemory-policy {}); give it more memory, or load fewer objects",
                self.facts.get("maxmemory_policy").and_then(Value::as_str).unwrap_or("unknown")
            )));
        }
        let objects = self.objects();
        let mut pipeline = redis::pipe();
        let keys: Vec<u64> = sample(self.wanted.first, count).collect();
        for key in &keys {
            match &self.wanted.shape {
                Shape::Value { .. } => pipeline.cmd("GET").arg(objects.name(*key)),
                Shape::Record { by_name: false, .. } => pipeline.cmd("HGETALL").arg(objects.name(*key)),
                Shape::Record { fields, .. } => {
                    let names: Vec<&[u8]> = (0..*fields as usize).map(|field| objects.field(field)).collect();
                    pipeline.cmd("HMGET").arg(objects.name(*key)).arg(names)
                }
            };
        }
        let values: Vec<redis::Value> =
            pipeline.query(connection).map_err(self.told("does not let objects be read back"))?;
        let is_right = |(key, value): (&u64, &redis::Value)| match (&self.wanted.shape, value) {
            (Shape::Value { .. }, redis::Value::BulkString(value)) => objects.is_value(Some(*key), value),
            (Shape::Record { by_name, .. }, list) => {
                let parts = Vec::<Vec<u8>>::from_redis_value_ref(list).unwrap_or_default();
                is_whole(&objects, *key, &parts, *by_name)
            }
            _ => false,
        };
        let wrong: Vec<u64> = keys.iter().zip(&values).filter(|one| !is_right(*one)).map(|(key, _)| *key).collect();
        let Some(first) = wrong.first() else { return Ok(()) };
        Err(self.refuse(format!(
            "{} of {} objects that were read back are missing or not what was loaded, such as {}: somebody else writes to \
             these keys, or the server evicts them; load them again with --reload",
            wrong.len(),
            keys.len(),
            objects.name(*first)
        )))
    }

    fn finish_loading(&self) -> Result<(), WorkloadError> {
        self.mark(MarkerState::Whole)
    }

    fn remove(&self) -> Result<u64, WorkloadError> {
        let connection = &mut self.connect()?;
        let Some(marker) = self.marker(connection)? else { return Ok(0) };
        self.find_end(connection, &marker)?;
        let marker = Marker { count: self.grown.count(), ..marker };
        let removed = self.remove_marked(connection, &marker).map_err(self.told("does not let objects be removed"));
        self.grown.set(self.wanted.count);
        removed
    }

    fn stage(&self, stage: &Stage, settings: &Settings) -> Result<Box<dyn Workload>, WorkloadError> {
        let (objects, name) = (self.objects(), self.place.address.to_string());
        store_stage::prepared(stage, settings, objects, (name, &self.grown, LOOK_AT), |objects| {
            self.connecting(objects, stage.pipeline as usize)
        })
    }
}

/// Whether these are all fields of a record: by their order, or each behind its name.
fn is_whole(objects: &Objects, key: u64, parts: &[Vec<u8>], by_order: bool) -> bool {
    let is_field = |field: usize, value: &[u8]| objects.is_field(Some(key), field, value);
    let count = usize::from(objects.field_count());
    if by_order {
        return parts.len() == count && parts.iter().enumerate().all(|(field, value)| is_field(field, value));
    }
    let is_pair = |pair: &[Vec<u8>]| objects.field_named(&pair[0]).is_some_and(|field| is_field(field, &pair[1]));
    parts.len() == 2 * count && parts.chunks_exact(2).all(is_pair)
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

fn explain(place: &Place, what: &str, error: &RedisError) -> WorkloadError {
    let reason = match error.code() {
        Some(code) => format!("{code} {}", error.detail().unwrap_or_default().trim_end_matches('.')),
        None if error.kind() == ErrorKind::Parse => "what answers there is no Redis or Valkey server".to_owned(),
        None => error.to_string(),
    };
    let what_to_do = match error.code() {
        Some("WRONGPASS" | "NOAUTH") => {
            "give the password with --password-file or TAILROOM_TARGET_PASSWORD, and the user, where there is one, in the address \
             (redis://user@host:port)"
        }
        Some("NOPERM") => "give this user the right to it there (ACL SETUSER), or name another user",
        Some("OOM") => "raise its maxmemory, or choose fewer or smaller objects",
        _ if reason.contains("DB index") => {
            "name a database that it has (redis://host:port/N, `databases` in its settings)"
        }
        _ if error.kind() == ErrorKind::Parse => AWAY,
        _ if !error.is_io_error() => {
            "look at the password (--password-file), the rights and the memory limit of the server"
        }
        // Of TLS, with what to do.
        _ if reason.contains("; ") => "",
        _ => AWAY,
    };
    let reason = if what_to_do.is_empty() { reason } else { format!("{reason}; {what_to_do}") };
    WorkloadError(format!("database server {} {what}: {reason}", place.address))
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
