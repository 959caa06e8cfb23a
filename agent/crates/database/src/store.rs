//! Where the objects of a job lie: looked at before anything is written, loaded once, used again, removed on request.

use measure::series::{Workload, WorkloadError};
use percent_encoding::percent_decode_str;
use sha2::{Digest as _, Sha256};
use url::Url;
use workloads::job::{Objects as Wanted, Stage};

pub use crate::address::{Address, Driver};
use crate::stage::Settings;
use crate::store_stage::Grown;
use crate::tls::{Tls, TlsFiles};

/// Objects that are read back after a load and before a measurement.
pub const SAMPLE: u64 = 1_000;

/// An address that is none of a server that can be measured.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// It is no URL.
    #[error("{0}: {1}; {FORMS}")]
    Unreadable(String, url::ParseError),
    /// No driver speaks this.
    #[error("{0}: this is no address of a server that can be measured; {FORMS}")]
    Scheme(String),
    /// It shows the password.
    #[error(
        "a password in the address can be seen in the list of processes; put it into a file and name that with \
         --password-file, or into TAILROOM_TARGET_PASSWORD"
    )]
    Password,
    /// TLS without looking at the certificate.
    #[error(
        "{0}: sslmode={1} would trust anybody; write sslmode=verify-full, and name the authority's certificate with \
         --tls-ca where this machine does not know it"
    )]
    SslMode(String, String),
    /// A setting behind `?` that is not known.
    #[error("{0}: `{1}` is not known; {FORMS}")]
    Setting(String, String),
    /// TLS to a socket in the file system.
    #[error("{0}: a socket in the file system has no TLS; leave one of both out")]
    SecuredSocket(String),
    /// Nothing to connect to.
    #[error("{0}: names no host; {FORMS}")]
    NoHost(String),
    /// Files for TLS, and no TLS.
    #[error(
        "files for TLS are named, and the address is in plain text; write rediss://…, postgresql://…?sslmode=verify-full, or \
         aerospikes://…"
    )]
    PlainText,
}

const FORMS: &str = "give redis://user@host:port/database, unix:/path/of/socket (of Redis or Valkey), \
                     postgresql://user@host:port/database, or aerospike://user@host:port/namespace";

/// A server, as the command line names it.
#[derive(Clone, PartialEq, Eq)]
pub struct Place {
    /// Which protocol it speaks.
    pub driver: Driver,
    /// `host:port`, or the path of a socket.
    pub address: Address,
    /// Name of the user, where one was given.
    pub username: Option<String>,
    /// Password; never leaves this machine.
    pub password: Option<String>,
    /// Number or name of the database, where one was given.
    pub database: Option<String>,
    /// By TLS, and whom it is trusted to be; none: in plain text.
    pub tls: Option<TlsFiles>,
}

impl Place {
    /// Reads `redis://[user@]host[:port][/database]`, `unix:/path/of/socket`, `postgresql://[user@]host[:port][/database]` or
    /// `postgresql://[user@]/database?host=/folder/of/socket`; `password` comes from elsewhere. By TLS: `rediss://` and
    /// `postgresql://…?sslmode=verify-full`, and `aerospikes://`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(target: &str, password: Option<String>) -> Result<Self, TargetError> {
        if let Some(path) = target.strip_prefix("unix:").filter(|path| path.starts_with('/')) {
            let address = Address::Local(path.to_owned());
            return Ok(Self { driver: Driver::Redis, address, username: None, password, database: None, tls: None });
        }
        // First, as no other message may show it.
        if target.rsplit_once('@').is_some_and(|(user, _)| user.matches(':').count() > 1) {
            return Err(TargetError::Password);
        }
        let url = Url::parse(target).map_err(|error| match error {
            url::ParseError::RelativeUrlWithoutBase => TargetError::Scheme(target.to_owned()),
            error => TargetError::Unreadable(target.to_owned(), error),
        })?;
        let (driver, port, mut is_secured) = match url.scheme() {
            "redis" | "valkey" => (Driver::Redis, 6379, false),
            "rediss" | "valkeys" => (Driver::Redis, 6379, true),
            "postgresql" | "postgres" => (Driver::Postgres, 5432, false),
            "aerospike" => (Driver::Aerospike, 3000, false),
            "aerospikes" => (Driver::Aerospike, 4333, true),
            _ => return Err(TargetError::Scheme(target.to_owned())),
        };
        let mut folder = None;
        for (name, value) in url.query_pairs() {
            // As libpq has them: the folder of the socket, and whether it is TLS.
            match (driver, &*name, &*value) {
                (Driver::Postgres, "host", path) if path.starts_with('/') => folder = Some(path.to_owned()),
                (Driver::Postgres, "sslmode", "disable") => is_secured = false,
                (Driver::Postgres, "sslmode", "verify-full") => is_secured = true,
                (Driver::Postgres, "sslmode", mode) => {
                    return Err(TargetError::SslMode(target.to_owned(), mode.to_owned()));
                }
                _ => {
                    return Err(TargetError::Setting(target.to_owned(), format!("{name}={value}")));
                }
            }
        }
        let port = url.port().unwrap_or(port);
        let address = match (folder, url.host_str()) {
            (Some(_), _) if is_secured => return Err(TargetError::SecuredSocket(target.to_owned())),
            (Some(folder), _) => Address::Local(format!("{folder}/.s.PGSQL.{port}")),
            (None, None | Some("")) => return Err(TargetError::NoHost(target.to_owned())),
            (None, Some(host)) => Address::Internet(host.trim_matches(['[', ']']).to_owned(), port),
        };
        let decoded = |text: &str| {
            let text = percent_decode_str(text).decode_utf8_lossy().into_owned();
            (!text.is_empty()).then_some(text)
        };
        let database = decoded(url.path().trim_start_matches('/'));
        let tls = is_secured.then(TlsFiles::default);
        Ok(Self { driver, address, username: decoded(url.username()), password, database, tls })
    }

    /// The same with files for TLS, where any were named.
    ///
    /// # Errors
    /// Where the address is not one of TLS.
    pub fn with_tls(self, files: TlsFiles) -> Result<Self, TargetError> {
        match self.tls {
            _ if files == TlsFiles::default() => Ok(self),
            Some(_) => Ok(Self { tls: Some(files), ..self }),
            None => Err(TargetError::PlainText),
        }
    }

    /// What its connections share, where they go by TLS.
    ///
    /// # Errors
    /// A sentence with the address, and what is wrong.
    pub fn security(&self) -> Result<Option<Tls>, WorkloadError> {
        let made = self.tls.as_ref().map(|files| Tls::new(files, self.driver, &self.address)).transpose();
        made.map_err(|sentence| WorkloadError(format!("database server {}: {sentence}", self.address)))
    }
}

impl std::fmt::Debug for Place {
    /// Everything but the password.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:?} {} {:?} {:?}", self.driver, self.address, self.username, self.database)
    }
}

/// What a server says of itself, as far as results depend on it; what it does not tell is left out.
pub type Facts = serde_json::Map<String, serde_json::Value>;

/// What is written down beside objects: whose they are, and how far their loading came.
#[derive(Debug, Clone)]
pub struct Marker {
    /// See [`fingerprint`].
    pub fingerprint: String,
    /// The first key.
    pub first: u64,
    /// How many.
    pub count: u64,
    /// How far.
    pub state: MarkerState,
    /// In words.
    pub what: String,
}

/// How far the loading of objects came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkerState {
    /// All objects are there.
    Whole,
    /// They are being loaded, or that was cut off.
    Loading,
    /// Several agents inserted, none of them as many as another.
    Uneven,
}

impl MarkerState {
    /// Return the word that stands for it on the server.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Loading => "loading",
            Self::Uneven => "uneven",
        }
    }
}

/// A marker that this version cannot have written, or that was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the marker of Tailroom's objects is damaged: {field} is {}; take away the marker and the objects, or name another \
     database", value.as_ref().map_or_else(|| "missing".to_owned(), |value| format!("`{value}`"))
)]
pub struct MarkerDamaged {
    field: &'static str,
    value: Option<String>,
}

impl Marker {
    /// Read a marker from its fields, as the server stores them.
    ///
    /// # Errors
    /// When one is missing or cannot be meant.
    pub fn of_fields(field: impl Fn(&str) -> Option<String>) -> Result<Self, MarkerDamaged> {
        let text = |name: &'static str| field(name).ok_or(MarkerDamaged { field: name, value: None });
        let number = |name: &'static str| {
            let value = text(name)?;
            value.parse().map_err(|_| MarkerDamaged { field: name, value: Some(value) })
        };
        let state = text("state")?;
        let states = [MarkerState::Whole, MarkerState::Loading, MarkerState::Uneven];
        Ok(Self {
            fingerprint: text("fingerprint")?,
            first: number("first")?,
            count: number("count")?,
            state: match states.into_iter().find(|one| one.word() == state) {
                Some(state) => state,
                None => return Err(MarkerDamaged { field: "state", value: Some(state) }),
            },
            what: text("what")?,
        })
    }

    /// What that means for a job with this fingerprint.
    pub(crate) fn found(&self, fingerprint: &str, grown: &Grown) -> Found {
        if self.fingerprint != fingerprint {
            return Found::Other(self.what.clone());
        }
        match self.state {
            MarkerState::Whole => Found::Whole,
            MarkerState::Loading => Found::Unfinished,
            MarkerState::Uneven => {
                // Where each of them begins to insert.
                grown.set(self.count);
                Found::Uneven
            }
        }
    }
}

/// What lies under the keys of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// The same objects, whole.
    Whole,
    /// The same objects, whose loading was cut off.
    Unfinished,
    /// The same objects, and behind them what several agents inserted.
    Uneven,
    /// Objects that another job loaded, in words.
    Other(String),
}

/// See the module. A store belongs to one job.
pub trait Store: Send + Sync {
    /// What the server says of itself.
    fn facts(&self) -> &Facts;

    /// What lies under the keys. Nothing is written.
    ///
    /// # Errors
    /// When what is there belongs to somebody else.
    fn look(&self) -> Result<Found, WorkloadError>;

    /// Whether there is room for all objects that are not there yet, as far as the server tells. Nothing is written.
    ///
    /// # Errors
    /// With both figures.
    fn check_room(&self, found: &Found) -> Result<(), WorkloadError>;

    /// Writes down that loading begins.
    ///
    /// # Errors
    /// When the server does not take it.
    fn begin_loading(&self) -> Result<(), WorkloadError>;

    /// Writes down that several agents insert from now on.
    ///
    /// # Errors
    /// When the server does not take it.
    fn begin_inserting(&self) -> Result<(), WorkloadError>;

    /// Counts the objects and reads a sample of them back.
    ///
    /// # Errors
    /// What is missing or wrong.
    fn check(&self) -> Result<(), WorkloadError>;

    /// Writes down that all objects are there.
    ///
    /// # Errors
    /// When the server does not take it.
    fn finish_loading(&self) -> Result<(), WorkloadError>;

    /// Takes away what any job loaded under these keys, and nothing else.
    ///
    /// # Errors
    /// When the server does not let it.
    fn remove(&self) -> Result<u64, WorkloadError>;

    /// A stage over the objects.
    ///
    /// # Errors
    /// When it cannot be prepared.
    fn stage(&self, stage: &Stage, settings: &Settings) -> Result<Box<dyn Workload>, WorkloadError>;
}

/// What makes two loads the same: keys, number, shape and seed.
#[must_use]
pub fn fingerprint(wanted: &Wanted, seed: u64) -> String {
    const VERSION: u32 = 1;
    let text = format!("{VERSION} {:?} {} {} {:?} {seed}", wanted.naming, wanted.first, wanted.count, wanted.shape);
    let digest = Sha256::digest(text.as_bytes());
    let first = digest.iter().take(8).fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
    format!("{first:016x}")
}

/// Keys of a sample, spread evenly, the first and the last among them.
pub fn sample(first: u64, count: u64) -> impl Iterator<Item = u64> {
    let size = SAMPLE.min(count);
    let place = move |number: u64| u128::from(number) * u128::from(count - 1) / u128::from(size.max(2) - 1);
    (0..size).map(move |number| first + u64::try_from(place(number)).unwrap_or(0))
}

/// Objects that a load which was cut off did not come to, by the keys of a sample that are there; else all.
#[must_use]
pub fn missing(count: u64, sampled: usize, there: usize) -> u64 {
    let share = u128::from(count) * (sampled - there) as u128 / sampled.max(1) as u128;
    u64::try_from(share).unwrap_or(count)
}

/// Beyond so many a sample is looked at, as looking at all would take longer than a minute.
const MOST_LOOKED_AT: u64 = 10_000_000;
const LOOKED_AT_TOGETHER: u64 = 1_000;

/// Keys to look at before anything is written, in batches: each of them, or a sample where there is nothing else, or too many.
#[must_use]
pub fn looked_at(first: u64, count: u64, is_empty: bool) -> Box<dyn Iterator<Item = Vec<u64>>> {
    if is_empty || count > MOST_LOOKED_AT {
        return Box::new(std::iter::once(sample(first, count).collect()));
    }
    let edge = move |batch: u64| first + (batch * LOOKED_AT_TOGETHER).min(count);
    Box::new((0..count.div_ceil(LOOKED_AT_TOGETHER)).map(move |batch| (edge(batch)..edge(batch + 1)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_marker_is_named_by_field_and_is_no_marker_of_no_objects() {
        let whole = [("fingerprint", "f"), ("first", "5"), ("count", "10"), ("state", "whole"), ("what", "objects")];
        let read = |change: (&str, Option<&str>)| {
            Marker::of_fields(|name| {
                let kept = whole.iter().find(|(field, _)| *field == name).map(|(_, value)| *value);
                let value = if change.0 == name { change.1 } else { kept };
                value.map(str::to_owned)
            })
        };
        let marker = read(("", None)).expect("whole");
        assert_eq!((marker.first, marker.count, marker.state), (5, 10, MarkerState::Whole));
        for (change, named) in [
            (("count", Some("ten")), "count is `ten`"),
            (("first", Some("-1")), "first is `-1`"),
            (("state", Some("odd")), "state is `odd`"),
            (("count", None), "count is missing"),
        ] {
            assert!(read(change).expect_err("damaged").to_string().contains(named), "{named}");
        }
    }

    #[test]
    fn every_key_is_looked_at_where_something_is_there_and_they_are_few_enough() {
        let numbers = |count, is_empty| looked_at(7, count, is_empty).flatten().collect::<Vec<u64>>();
        assert_eq!(numbers(2_500, false), (7..2_507).collect::<Vec<_>>());
        assert_eq!(numbers(2_500, true).len() as u64, SAMPLE);
        assert_eq!(numbers(MOST_LOOKED_AT + 1, false).len() as u64, SAMPLE);
    }

    #[test]
    fn places_are_read_and_what_is_wrong_is_named() {
        let place = |target: &str| Place::parse(target, None).expect("an address");
        assert_eq!(place("redis://db").address, Address::Internet("db".into(), 6379));
        let whole = place("valkey://bench@[::1]:7000/3");
        assert_eq!(whole.address, Address::Internet("::1".into(), 7000));
        assert_eq!((whole.username.as_deref(), whole.database.as_deref()), (Some("bench"), Some("3")));
        assert_eq!(place("unix:/run/valkey.sock").address, Address::Local("/run/valkey.sock".into()));
        let postgres = place("postgresql://bench@db:5433/speed");
        assert_eq!((postgres.driver, postgres.address), (Driver::Postgres, Address::Internet("db".into(), 5433)));
        let aerospike = place("aerospike://db/fast");
        assert_eq!((aerospike.driver, aerospike.address), (Driver::Aerospike, Address::Internet("db".into(), 3000)));
        assert_eq!(aerospike.database.as_deref(), Some("fast"));
        let local = place("postgres:///speed?host=/run/postgresql");
        assert_eq!(local.address, Address::Local("/run/postgresql/.s.PGSQL.5432".into()));
        assert_eq!((local.username, local.database.as_deref()), (None, Some("speed")));
        let refused = |target: &str| Place::parse(target, None).expect_err("refused").to_string();
        assert!(refused("postgresql://db/speed?sslmode=require").contains("would trust anybody"));
        assert!(refused("postgresql://db/speed?gssencmode=require").contains("`gssencmode=require` is not known"));
        assert!(refused("postgres:///speed?host=/run/postgresql&sslmode=verify-full").contains("has no TLS"));
        let files = TlsFiles { server_name: Some("db.example".into()), ..TlsFiles::default() };
        assert!(place("redis://db").with_tls(files.clone()).expect_err("plain").to_string().contains("rediss://"));
        assert_eq!(place("aerospikes://db/fast").address, Address::Internet("db".into(), 4333));
        for secured in
            ["rediss://db", "aerospikes://db", "valkeys://db:7000/3", "postgresql://bench@db/speed?sslmode=verify-full"]
        {
            assert_eq!(place(secured).with_tls(files.clone()).expect("by TLS").tls, Some(files.clone()), "{secured}");
        }
        assert_eq!(place("rediss://db").address, Address::Internet("db".into(), 6379));
        for target in ["mongodb://db", "", "db:6379", "/run/valkey.sock"] {
            assert!(refused(target).contains("no address of a server"), "{target}");
        }
        assert!(refused("redis://db:many").contains("invalid port number"));
        assert!(refused("redis://").contains("names no host"));
        for target in [
            "redis://bench:hunter2@db",
            "redis://bench:hunter2@db:many",
            "postgres://:hunter2@",
            "redis:bench:hunter2@db",
        ] {
            let error = refused(target);
            assert!(error.contains("--password-file") && !error.contains("hunter2"), "{error}");
        }
        assert_eq!(place("redis://b%40nch@db").username.as_deref(), Some("b@nch"));
        let secret = Place::parse("redis://db", Some("hunter2".into())).expect("an address");
        assert!(!format!("{secret:?}").contains("hunter2"));
    }

    #[test]
    fn a_sample_has_both_ends_and_no_key_twice() {
        for count in [1, 2, 3, 999, 1_000, 1_001, 2_000_000_000] {
            let keys: Vec<u64> = sample(5, count).collect();
            assert_eq!(keys.len() as u64, SAMPLE.min(count));
            assert_eq!((keys[0], keys[keys.len() - 1]), (5, 5 + count - 1));
            assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}
