//! Redis and Valkey, with one GET at a time.
//!
//! The crate `redis` costs about two microseconds a read on top of the socket, little beside the twenty or more of the
//! fastest loopback round trip; its commands are packed here once per read and nothing is converted but the length.

use std::time::{Duration, Instant};

use measure::clock::TimeSource;
use measure::series::{StopFlag, WorkloadError};
use redis::{
    Client, Connection, ConnectionAddr, ConnectionInfo, ConnectionLike, RedisConnectionInfo, RedisError, Value,
};

use crate::driver::{Driver, ReadFailure, ReadTimes, Store};
use crate::keys::Keys;
use crate::plan::FraudPlan;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// What one batch of keys may take.
const LOAD_TIMEOUT: Duration = Duration::from_secs(30);
/// Between two attempts to connect again; doubled from the first to the last.
const FIRST_BACK_OFF: Duration = Duration::from_millis(50);
const LAST_BACK_OFF: Duration = Duration::from_secs(1);
/// Keys outlive a killed run by this long.
const KEYS_OUTLIVE_RUN_S: u64 = 3_600;
/// A person hears of the loading each time that this share of it is done.
const LOAD_STEPS: u64 = 4;

/// Loaded keys on a server.
pub struct RedisStore {
    client: Client,
    address: String,
    keys: Keys,
    read_timeout: Duration,
    loaded: bool,
}

impl RedisStore {
    /// Connects and loads the keys.
    ///
    /// # Errors
    /// A sentence with the address, the cause and what to do.
    pub fn prepare(
        plan: &FraudPlan,
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
        let mut store = Self {
            client,
            address: plan.address.clone(),
            keys: Keys::new(plan.keys, plan.value_bytes, plan.seed),
            read_timeout: Duration::from_nanos(plan.read_timeout_ns),
            loaded: true,
        };
        let loading = store.load(&mut connection, duration, notify, stop);
        if loading.is_err() {
            // The first cause is the one to tell; what is left expires by itself.
            let _ = store.clear();
        }
        loading.map(|()| store)
    }

    fn load(
        &self,
        connection: &mut Connection,
        duration: Duration,
        notify: &dyn Fn(&str),
        stop: &StopFlag,
    ) -> Result<(), WorkloadError> {
        let (started, mut told) = (Instant::now(), 1);
        let keys = &self.keys;
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
                let lifetime_s = duration.as_secs().saturating_add(KEYS_OUTLIVE_RUN_S);
                pipeline.cmd("SET").arg(keys.name(number)).arg(keys.value(number)).arg("EX").arg(lifetime_s).ignore();
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

    fn remove(&self) -> Result<(), RedisError> {
        let mut connection = self.client.get_connection_with_timeout(CONNECT_TIMEOUT)?;
        set_timeout(&connection, LOAD_TIMEOUT)?;
        for batch in self.keys.batches() {
            let names: Vec<String> = batch.map(|number| self.keys.name(number)).collect();
            redis::cmd("UNLINK").arg(names).exec(&mut connection)?;
        }
        Ok(())
    }
}

impl Store for RedisStore {
    fn connect(&self) -> Box<dyn Driver> {
        let mut driver = RedisDriver {
            client: self.client.clone(),
            keys: self.keys.clone(),
            read_timeout: self.read_timeout,
            connection: None,
            back_off: FIRST_BACK_OFF,
            not_before: None,
        };
        driver.reconnect();
        Box::new(driver)
    }

    fn clear(&mut self) -> Option<String> {
        if !std::mem::take(&mut self.loaded) {
            return None;
        }
        let error = self.remove().err()?;
        let prefix = self.keys.prefix();
        let (address, hours) = (&self.address, KEYS_OUTLIVE_RUN_S / 3_600);
        Some(format!("keys {prefix}* could not be removed from {address}: {error}; they expire within {hours} h"))
    }
}

impl Drop for RedisStore {
    fn drop(&mut self) {
        let _ = self.clear();
    }
}

/// One connection.
struct RedisDriver {
    client: Client,
    keys: Keys,
    read_timeout: Duration,
    connection: Option<Connection>,
    back_off: Duration,
    not_before: Option<Instant>,
}

impl RedisDriver {
    fn reconnect(&mut self) {
        if self.not_before.is_some_and(|not_before| Instant::now() < not_before) {
            return;
        }
        let connected = self.client.get_connection_with_timeout(CONNECT_TIMEOUT.min(self.read_timeout));
        self.connection = connected.ok().filter(|connection| set_timeout(connection, self.read_timeout).is_ok());
        if self.connection.is_some() {
            (self.back_off, self.not_before) = (FIRST_BACK_OFF, None);
        } else {
            self.not_before = Some(Instant::now() + self.back_off);
            self.back_off = (self.back_off * 2).min(LAST_BACK_OFF);
        }
    }
}

impl Driver for RedisDriver {
    fn read(&mut self, key: u64, _: u64, _: u64, time: &dyn TimeSource) -> Result<ReadTimes, ReadFailure> {
        if self.connection.is_none() {
            self.reconnect();
        }
        let connection = self.connection.as_mut().ok_or(ReadFailure::Failed)?;
        let command = redis::cmd("GET").arg(self.keys.name(key)).get_packed_command();
        let submitted_ns = time.now_ns();
        let answer = connection.req_packed_command(&command);
        let completed_ns = time.now_ns();
        match answer {
            Ok(Value::BulkString(value)) if value.len() == self.keys.value_bytes as usize => {
                Ok(ReadTimes { submitted_ns, completed_ns })
            }
            Ok(_) => Err(ReadFailure::Failed),
            Err(error) => {
                // An answer may still come on this connection, and would be taken for the next one's.
                self.connection = None;
                Err(if error.is_timeout() { ReadFailure::TimedOut } else { ReadFailure::Failed })
            }
        }
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
