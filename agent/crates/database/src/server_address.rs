//! The address of a server: its protocol, its socket, and the login.

use std::fmt;

use measure::series::WorkloadError;
use percent_encoding::percent_decode_str;
use url::Url;

pub use crate::address::{Address, Driver};
use crate::socket;
use crate::tls::{Tls, TlsFiles};

const FORMS: &str = "give redis://user@host:port/database, unix:/path/of/socket (of Redis or Valkey), \
                     postgresql://user@host:port/database, or aerospike://user@host:port/namespace";

/// A server, as named on the command line.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerAddress {
    pub driver: Driver,
    pub address: Address,
    pub username: Option<String>,
    pub password: Option<String>,
    /// Number or name of the database, if given.
    pub database: Option<String>,
    /// Certificates and names for TLS; `None` for plain text.
    pub tls: Option<TlsFiles>,
}

impl ServerAddress {
    /// Parses `redis://[user@]host[:port][/database]`, `unix:/path/of/socket`, `postgresql://[user@]host[:port][/database]` or
    /// `postgresql://[user@]/database?host=/folder/of/socket`. TLS is chosen with `rediss://`, `postgresql://…?sslmode=verify-full`
    /// or `aerospikes://`. The password is never part of the address. Fails if the address is malformed or not supported, or
    /// contains a password.
    pub fn parse(target: &str, password: Option<String>) -> Result<Self, String> {
        if let Some(path) = target.strip_prefix("unix:").filter(|path| path.starts_with('/')) {
            let address = Address::Local(path.to_owned());
            return Ok(Self { driver: Driver::Redis, address, username: None, password, database: None, tls: None });
        }
        // Checked first, because no other message may show the password.
        if target.rsplit_once('@').is_some_and(|(user, _)| user.matches(':').count() > 1) {
            return Err("a password in the address can be seen in the list of processes; put it into a file and name that with \
                        --password-file, or into TAILROOM_TARGET_PASSWORD"
                .to_owned());
        }
        // libpq allows a socket without a host, but a URL with a user needs a host.
        let is_hostless = target.starts_with("postgres") && target.contains("@/");
        let with_host = if is_hostless { target.replacen("@/", "@localhost/", 1) } else { target.to_owned() };
        let no_address = || format!("{target}: this is no address of a server that can be measured; {FORMS}");
        let url = Url::parse(&with_host).map_err(|error| match error {
            url::ParseError::RelativeUrlWithoutBase => no_address(),
            error => format!("{target}: {error}; {FORMS}"),
        })?;
        let (driver, port, mut is_secured) = match url.scheme() {
            "redis" | "valkey" => (Driver::Redis, 6379, false),
            "rediss" | "valkeys" => (Driver::Redis, 6379, true),
            "postgresql" | "postgres" => (Driver::Postgres, 5432, false),
            "aerospike" => (Driver::Aerospike, 3000, false),
            "aerospikes" => (Driver::Aerospike, 4333, true),
            _ => return Err(no_address()),
        };
        let mut folder = None;
        for (name, value) in url.query_pairs() {
            // Parameters of libpq: the folder of the socket, and the TLS mode.
            match (driver, &*name, &*value) {
                (Driver::Postgres, "host", path) if path.starts_with('/') => folder = Some(path.to_owned()),
                (Driver::Postgres, "sslmode", "disable") => is_secured = false,
                (Driver::Postgres, "sslmode", "verify-full") => is_secured = true,
                (Driver::Postgres, "sslmode", mode) => {
                    return Err(format!(
                        "{target}: sslmode={mode} would trust any server; write sslmode=verify-full, and name the authority's \
                         certificate with --tls-ca where this machine does not know it"
                    ));
                }
                _ => return Err(format!("{target}: `{name}={value}` is not known; {FORMS}")),
            }
        }
        let port = url.port().unwrap_or(port);
        let address = match (folder, url.host_str()) {
            (Some(_), _) if is_secured => {
                return Err(format!("{target}: a socket in the file system has no TLS; leave one of both out"));
            }
            (Some(folder), _) => Address::Local(format!("{folder}/.s.PGSQL.{port}")),
            (None, Some(host)) if !is_hostless && !host.is_empty() => {
                Address::Internet(host.trim_matches(['[', ']']).to_owned(), port)
            }
            (None, _) => return Err(format!("{target}: names no host; {FORMS}")),
        };
        let decoded = |text: &str| {
            let text = percent_decode_str(text).decode_utf8_lossy().into_owned();
            (!text.is_empty()).then_some(text)
        };
        let database = decoded(url.path().trim_start_matches('/'));
        let tls = is_secured.then(TlsFiles::default);
        Ok(Self { driver, address, username: decoded(url.username()), password, database, tls })
    }

    /// Returns this address with `files` for TLS, if any are named. Fails if files are named and the address is in plain text.
    pub fn with_tls(self, files: TlsFiles) -> Result<Self, String> {
        match self.tls {
            _ if files == TlsFiles::default() => Ok(self),
            Some(_) => Ok(Self { tls: Some(files), ..self }),
            None => Err("files for TLS are named, and the address is in plain text; write rediss://…, \
                         postgresql://…?sslmode=verify-full, or aerospikes://…"
                .to_owned()),
        }
    }

    /// Returns the TLS settings of all connections; `None` for plain text. Fails with address and cause if a file cannot be used.
    pub fn security(&self) -> Result<Option<Tls>, WorkloadError> {
        let tls = self.tls.as_ref().map(|files| Tls::new(files, self.driver, &self.address)).transpose();
        tls.map_err(|sentence| self.refuse(sentence))
    }

    /// Resolves the host name to the address of the socket. Fails with the address, the cause and a remedy if the host has none.
    pub(crate) fn socket(&self) -> Result<socket::Address, WorkloadError> {
        match &self.address {
            Address::Local(path) => Ok(socket::Address::Local(path.into())),
            Address::Internet(host, port) => {
                let address = socket::Address::of(host, *port);
                address.map_err(|error| self.refuse(format!("its address is not found: {error}; correct the address")))
            }
        }
    }

    pub(crate) fn refuse(&self, sentence: impl fmt::Display) -> WorkloadError {
        WorkloadError(format!("database server {}: {sentence}", self.address))
    }
}

impl fmt::Debug for ServerAddress {
    /// Omits the password.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} {} {:?} {:?}", self.driver, self.address, self.username, self.database)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_and_mistakes_are_named() {
        let parsed = |target: &str| ServerAddress::parse(target, None).expect("an address");
        assert_eq!(parsed("redis://db").address, Address::Internet("db".into(), 6379));
        let full = parsed("valkey://bench@[::1]:7000/3");
        assert_eq!(full.address, Address::Internet("::1".into(), 7000));
        assert_eq!((full.username.as_deref(), full.database.as_deref()), (Some("bench"), Some("3")));
        assert_eq!(parsed("unix:/run/valkey.sock").address, Address::Local("/run/valkey.sock".into()));
        let postgres = parsed("postgresql://bench@db:5433/speed");
        assert_eq!((postgres.driver, postgres.address), (Driver::Postgres, Address::Internet("db".into(), 5433)));
        let aerospike = parsed("aerospike://db/fast");
        assert_eq!((aerospike.driver, aerospike.address), (Driver::Aerospike, Address::Internet("db".into(), 3000)));
        assert_eq!(aerospike.database.as_deref(), Some("fast"));
        let local = parsed("postgres:///speed?host=/run/postgresql");
        assert_eq!(local.address, Address::Local("/run/postgresql/.s.PGSQL.5432".into()));
        assert_eq!((local.username, local.database.as_deref()), (None, Some("speed")));
        let of_user = parsed("postgresql://bench@/speed?host=/run/postgresql");
        assert_eq!(of_user.address, Address::Local("/run/postgresql/.s.PGSQL.5432".into()));
        assert_eq!((of_user.username.as_deref(), of_user.database.as_deref()), (Some("bench"), Some("speed")));
        let refused = |target: &str| ServerAddress::parse(target, None).expect_err("refused");
        assert!(refused("postgresql://bench@/speed").contains("names no host"));
        assert!(refused("postgresql://db/speed?sslmode=require").contains("would trust any server"));
        assert!(refused("postgresql://db/speed?gssencmode=require").contains("`gssencmode=require` is not known"));
        assert!(refused("postgres:///speed?host=/run/postgresql&sslmode=verify-full").contains("has no TLS"));
        let files = TlsFiles { server_name: Some("db.example".into()), ..TlsFiles::default() };
        assert!(parsed("redis://db").with_tls(files.clone()).expect_err("plain").contains("rediss://"));
        assert_eq!(parsed("aerospikes://db/fast").address, Address::Internet("db".into(), 4333));
        for secured in
            ["rediss://db", "aerospikes://db", "valkeys://db:7000/3", "postgresql://bench@db/speed?sslmode=verify-full"]
        {
            assert_eq!(parsed(secured).with_tls(files.clone()).expect("by TLS").tls, Some(files.clone()), "{secured}");
        }
        assert_eq!(parsed("rediss://db").address, Address::Internet("db".into(), 6379));
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
        assert_eq!(parsed("redis://b%40nch@db").username.as_deref(), Some("b@nch"));
        let secret = ServerAddress::parse("redis://db", Some("hunter2".into())).expect("an address");
        assert!(!format!("{secret:?}").contains("hunter2"));
    }
}
