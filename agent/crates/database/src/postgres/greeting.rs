//! The start of a connection to `PostgreSQL`, without a socket: start-up message, password, and preparation of statements.

use std::io;

use bytes::BytesMut;
use postgres_protocol::authentication::md5_hash;
use postgres_protocol::authentication::sasl::{self, ChannelBinding, ScramSha256};
use postgres_protocol::message::frontend;

use crate::postgres::wire::{ServerError, read_message, refusal};

/// User, database and password of a connection.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    pub user: String,
    pub database: String,
    pub password: Option<String>,
}

/// A statement that is prepared under a name, with the OIDs of its parameters' types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    pub name: String,
    pub text: String,
    pub types: Vec<u32>,
}

/// Reason why a connection cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("what answers there is no PostgreSQL server")]
    NoServer,
    #[error(transparent)]
    Server(#[from] ServerError),
    /// A text that cannot be sent, or an unsupported method of authentication; a sentence.
    #[error("{0}")]
    Login(String),
}

impl Refusal {
    /// Returns whether no later write can succeed.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Self::Server(error) if error.is_fatal())
    }
}

/// Progress of the start of a connection.
pub struct Greeting {
    scram: Option<ScramSha256>,
    is_prepared: bool,
    pub is_done: bool,
}

/// Appends the message that `write` encodes.
fn written(into: &mut Vec<u8>, write: impl FnOnce(&mut BytesMut) -> io::Result<()>) -> Result<(), Refusal> {
    let mut buffer = BytesMut::new();
    write(&mut buffer).map_err(|error| Refusal::Login(error.to_string()))?;
    into.extend_from_slice(&buffer);
    Ok(())
}

impl Greeting {
    /// Starts a connection: appends the start-up message.
    pub fn begin(credentials: &Credentials, into: &mut Vec<u8>) -> Result<Self, Refusal> {
        let parameters = [
            ("user", credentials.user.as_str()),
            ("database", credentials.database.as_str()),
            ("client_encoding", "UTF8"),
            ("application_name", "tailroom-agent"),
        ];
        written(into, |buffer| frontend::startup_message(parameters, buffer))?;
        Ok(Self { scram: None, is_prepared: false, is_done: false })
    }

    /// Reads a message, appends the answer to it, and returns the length of the message in bytes; `None` if it is incomplete.
    pub fn go_on(
        &mut self,
        (credentials, statements): (&Credentials, &[Statement]),
        bytes: &[u8],
        into: &mut Vec<u8>,
    ) -> Result<Option<usize>, Refusal> {
        let no_server = |_| Refusal::NoServer;
        let Some(message) = read_message(bytes).map_err(no_server)? else {
            // Text from another kind of server would be read as a length of up to 1 GB, and waited for.
            return match bytes.first() {
                Some(b'R' | b'K' | b'S' | b'N' | b'Z' | b'1' | b'E' | b'v') | None => Ok(None),
                Some(_) => Err(Refusal::NoServer),
            };
        };
        match message.kind {
            b'R' => self.authenticate(credentials, message.body, into)?,
            b'E' => return Err(refusal(message.body).into()),
            b'Z' if self.is_prepared || statements.is_empty() => self.is_done = true,
            b'Z' => {
                self.is_prepared = true;
                for Statement { name, text, types } in statements {
                    written(into, |buffer| frontend::parse(name, text, types.iter().copied(), buffer))?;
                }
                written(into, |buffer| {
                    frontend::sync(buffer);
                    Ok(())
                })?;
            }
            b'K' | b'S' | b'N' | b'1' | b'v' => {}
            _ => return Err(Refusal::NoServer),
        }
        Ok(Some(message.bytes))
    }

    fn authenticate(&mut self, credentials: &Credentials, body: &[u8], into: &mut Vec<u8>) -> Result<(), Refusal> {
        let failed = |error: io::Error| Refusal::Login(error.to_string());
        let password = || {
            let password = credentials.password.as_ref().map(String::as_bytes);
            password.ok_or_else(|| Refusal::Login(format!("the server asks for the password of {}", credentials.user)))
        };
        let (kind, rest) = body.split_first_chunk().ok_or(Refusal::Login("an empty answer".into()))?;
        match (u32::from_be_bytes(*kind), &mut self.scram) {
            (0, _) => Ok(()),
            (3, _) => written(into, |buffer| frontend::password_message(password().map_err(io::Error::from)?, buffer)),
            (5, _) => {
                let salt = rest.first_chunk().ok_or(Refusal::Login("a salt of less than 4 bytes".into()))?;
                let hash = md5_hash(credentials.user.as_bytes(), password()?, *salt);
                written(into, |buffer| frontend::password_message(hash.as_bytes(), buffer))
            }
            (10, scram) if rest.split(|byte| *byte == 0).any(|name| name == sasl::SCRAM_SHA_256.as_bytes()) => {
                let begun = scram.insert(ScramSha256::new(password()?, ChannelBinding::unsupported()));
                written(into, |buffer| frontend::sasl_initial_response(sasl::SCRAM_SHA_256, begun.message(), buffer))
            }
            (11, Some(scram)) => {
                scram.update(rest).map_err(failed)?;
                written(into, |buffer| frontend::sasl_response(scram.message(), buffer))
            }
            (12, Some(scram)) => scram.finish(rest).map_err(failed),
            (other, _) => Err(Refusal::Login(format!(
                "the server asks for a way of logging in that is not supported (number {other}); passwords by SCRAM, MD5 or \
                 in plain text are"
            ))),
        }
    }
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> Self {
        Self::other(refusal)
    }
}
