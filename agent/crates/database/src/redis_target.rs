//! The keys of a run on a Redis or Valkey server: loaded, looked for, and taken away by the official client. What is
//! measured goes another way (`server_session`).

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use measure::series::{StopFlag, WorkloadError};
use redis::{Client, Connection, ConnectionAddr, ConnectionInfo, RedisConnectionInfo, RedisError};
use runner::{Session, Target};
use workloads::job::Shape;
use workloads::size::Size;

use crate::command::Command;
use crate::connection::Server;
use crate::keys::Keys;
use crate::objects::{Names, Objects};
use crate::plan::FraudPlan;
use crate::redis_protocol::{Login, Redis};
use crate::server_session::ServerSession;
use crate::socket::Address;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// What one batch of keys may take.
const LOAD_TIMEOUT: Duration = Duration::from_secs(30);
/// Keys outlive a killed run by this long; counted from the end of the loading, however long that takes.
const KEYS_OUTLIVE_RUN_S: u64 = 3_600;
/// Keys outlive a killed loading by no more than this.
const KEYS_OUTLIVE_LOADING_S: u64 = 7 * 24 * 3_600;
/// Keys that are gone are named up to this number.
const MOST_NAMED: usize = 3;
/// A person hears of the loading each time that this share of it is done.
const LOAD_STEPS: u64 = 4;

/// Loaded keys on a server.
pub struct RedisTarget {
    client: Client,
    address: String,
    server: Server<Redis>,
    keys: Keys,
    connections: usize,
    threads: usize,
    loaded: AtomicBool,
}

impl RedisTarget {
    /// Connects and loads the keys, for so many measuring threads.
    ///
    /// # Errors
    /// A sentence with the address, the cause and what to do.
    pub fn prepare(
        plan: &FraudPlan,
        threads: usize,
        duration: Duration,
        notify: &dyn Fn(&str),
        stop: &StopFlag,
    ) -> Result<Self, WorkloadError> {
        let about = |what: &str, error: &RedisError| explain(&plan.address, what, error);
        let client = Client::open(connection_info(plan)?).map_err(|error| about("is no usable address", &error))?;
        let mut connection = client
            .get_connection_with_timeout(CONNECT_TIMEOUT)
            .map_err(|error| about("cannot be connected to", &error))?;
        set_timeout(&connection, LOAD_TIMEOUT).map_err(|error| about("cannot be given a time-out", &error))?;
        let keys = Keys::new(plan.keys, plan.value_bytes, plan.seed);
        let target = Self {
            server: server(plan, &keys, client.get_connection_info())?,
            keys,
            client,
            address: plan.address.clone(),
            connections: plan.connections as usize,
            threads,
            loaded: AtomicBool::new(true),
        };
        let loading =
            target.load(&mut connection, notify, stop).and_then(|()| target.look_for_all(&mut connection, duration));
        if loading.is_err() {
            // The first cause is the one to tell; what is left expires by itself.
            let _ = target.clear();
        }
        loading.map(|()| target)
    }

    fn keys(&self) -> &Keys {
        &self.keys
    }

    fn load(&self, connection: &mut Connection, notify: &dyn Fn(&str), stop: &StopFlag) -> Result<(), WorkloadError> {
        let (started, mut told) = (Instant::now(), 1);
        let keys = self.keys();
        notify(&format!(
            "loading {} keys of {} bytes as {}* into {}",
            keys.count,
            keys.value_bytes,
            keys.prefix(),
            self.address
        ));
        for batch in keys.batches() {
            if stop.is_stopped() {
                return Err(WorkloadError(format!("stopped while keys were loaded into {}", self.address)));
            }
            let done = batch.end;
            let mut pipeline = redis::pipe();
            for number in batch {
                let value = keys.value(number);
                pipeline.cmd("SET").arg(keys.name(number)).arg(value).arg("EX").arg(KEYS_OUTLIVE_LOADING_S).ignore();
            }
            pipeline.exec(connection).map_err(|error| explain(&self.address, "does not take the keys", &error))?;
            if done * LOAD_STEPS >= keys.count * told && done < keys.count {
                notify(&format!("loaded {done} of {} keys", keys.count));
                told += 1;
            }
        }
        notify(&format!("loaded {} keys in {:.1} s", keys.count, started.elapsed().as_secs_f64()));
        Ok(())
    }

    /// Every key is still there, and from now on lives as long as the run and a while more.
    fn look_for_all(&self, connection: &mut Connection, duration: Duration) -> Result<(), WorkloadError> {
        let (keys, lifetime_s) = (self.keys(), duration.as_secs().saturating_add(KEYS_OUTLIVE_RUN_S));
        let (mut gone, mut named) = (0_u64, Vec::new());
        for batch in keys.batches() {
            let mut pipeline = redis::pipe();
            for number in batch.clone() {
                pipeline.cmd("EXPIRE").arg(keys.name(number)).arg(lifetime_s);
            }
            let there: Vec<bool> = pipeline
                .query(connection)
                .map_err(|error| explain(&self.address, "does not report which keys it has", &error))?;
            for number in batch.zip(there).filter_map(|(number, there)| (!there).then_some(number)) {
                gone += 1;
                if named.len() < MOST_NAMED {
                    named.push(keys.name(number));
                }
            }
        }
        if gone == 0 {
            return Ok(());
        }
        // Where it is not told, the sentence says so.
        let setting = |name: &str| {
            let found: Result<(String, String), _> = redis::cmd("CONFIG").arg("GET").arg(name).query(connection);
            found.map_or_else(|_| format!("{name} unknown"), |(_, value)| format!("{name} {value}"))
        };
        let settings = ["maxmemory", "maxmemory-policy"].map(setting).join(", ");
        Err(WorkloadError(format!(
            "database server {}: {gone} of {} keys were gone right after they were loaded, such as {}: the server evicts \
             them ({settings}), or somebody deletes them; give it more memory, or choose fewer keys or smaller values",
            self.address,
            keys.count,
            named.join(", ")
        )))
    }

    /// How many keys there were.
    fn remove(&self) -> Result<u64, RedisError> {
        let mut connection = self.client.get_connection_with_timeout(CONNECT_TIMEOUT)?;
        set_timeout(&connection, LOAD_TIMEOUT)?;
        let mut removed = 0;
        for batch in self.keys().batches() {
            let names: Vec<String> = batch.map(|number| self.keys().name(number)).collect();
            removed += redis::cmd("UNLINK").arg(names).query::<u64>(&mut connection)?;
        }
        Ok(removed)
    }
}

impl Target for RedisTarget {
    type Command = Command;

    fn open(&self, thread: usize) -> Result<Box<dyn Session<Command = Command>>, WorkloadError> {
        Ok(Box::new(ServerSession::new(&self.server, share(self.connections, self.threads, thread))?))
    }

    fn clear(&self) -> Option<String> {
        if !self.loaded.swap(false, Ordering::AcqRel) {
            return None;
        }
        let (address, prefix, count) = (&self.address, self.keys().prefix(), self.keys().count);
        match self.remove() {
            Ok(removed) if removed == count => None,
            Ok(removed) => Some(format!(
                "{} of {count} keys {prefix}* were gone from {address} at the end: the server evicted them, or somebody \
                 deleted them; reads of them count as errors",
                count - removed
            )),
            Err(error) => Some(format!(
                "keys {prefix}* could not be removed from {address}: {error}; they expire within {} h",
                KEYS_OUTLIVE_RUN_S / 3_600
            )),
        }
    }
}

/// What thread `thread` of `threads` has of `all`.
pub fn share(all: usize, threads: usize, thread: usize) -> usize {
    all / threads + usize::from(thread < all % threads)
}

impl Drop for RedisTarget {
    fn drop(&mut self) {
        let _ = self.clear();
    }
}

fn set_timeout(connection: &Connection, timeout: Duration) -> Result<(), RedisError> {
    connection.set_read_timeout(Some(timeout))?;
    connection.set_write_timeout(Some(timeout))
}

fn connection_info(plan: &FraudPlan) -> Result<ConnectionInfo, WorkloadError> {
    let address = if let Some(path) = plan.address.strip_prefix("unix:") {
        ConnectionAddr::Unix(path.into())
    } else {
        let (host, port) = plan.address.rsplit_once(':').unwrap_or((&plan.address, "6379"));
        let port = port.parse().map_err(|_| {
            WorkloadError(format!("fraud plan: address is {:?}; give host:port or unix:/path/of/socket", plan.address))
        })?;
        ConnectionAddr::Tcp(host.trim_matches(['[', ']']).to_owned(), port)
    };
    let mut settings = RedisConnectionInfo::default().set_db(plan.logical_database);
    if let Some(username) = &plan.username {
        settings = settings.set_username(username);
    }
    if let Some(password) = &plan.password {
        settings = settings.set_password(password);
    }
    let unusable = |error: RedisError| explain(&plan.address, "is no usable address", &error);
    Ok(redis::IntoConnectionInfo::into_connection_info(address).map_err(unusable)?.set_redis_settings(settings))
}

/// What the sessions need to know of the server.
fn server(plan: &FraudPlan, keys: &Keys, info: &ConnectionInfo) -> Result<Server<Redis>, WorkloadError> {
    let unknown = |error: std::io::Error| {
        WorkloadError(format!(
            "database server {}: its address is not found: {error}; correct the address",
            plan.address
        ))
    };
    let address = match info.addr() {
        ConnectionAddr::Unix(path) => Address::local(Path::new(path)),
        ConnectionAddr::Tcp(host, port) => Address::of(host, *port).map_err(unknown)?,
        _ => return Err(unknown(std::io::Error::from(std::io::ErrorKind::Unsupported))),
    };
    let login = Login {
        username: plan.username.clone(),
        password: plan.password.clone(),
        database: (plan.logical_database != 0).then(|| plan.logical_database.to_string()),
    };
    let shape = Shape::Value { bytes: Size::Constant(keys.value_bytes) };
    let objects = Objects::new(Names::Prefixed(keys.prefix().to_owned()), (0, keys.count), shape, plan.seed);
    let protocol = Redis::new(Arc::new(login), Arc::new(objects.without_headers()));
    Ok(Server { address, tls: None, protocol, depth: 1 })
}

fn explain(address: &str, what: &str, error: &RedisError) -> WorkloadError {
    let hint = if error.is_io_error() {
        "start the server or correct the address"
    } else {
        "look at password, memory limit and rights of the server"
    };
    WorkloadError(format!("database server {address} {what}: {error}; {hint}"))
}

#[cfg(test)]
#[path = "redis_tests.rs"]
mod tests;
