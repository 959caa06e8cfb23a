//! A connection to `PostgreSQL` that waits, for what is not measured: looking, creating, checking, taking away.

use std::io;
use std::time::Duration;

use bytes::BytesMut;
use postgres_protocol::message::frontend;

use crate::postgres::greeting::{Credentials, Greeting, Refusal};
use crate::postgres::wire::{columns, read_message, refusal};
use crate::socket::Address;
use crate::stream::{self, AWAY, Stream};
use crate::tls::Tls;

/// Statements over the whole table may take long.
const TIMEOUT: Duration = Duration::from_secs(600);

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// There is no connection, or no longer one; with what to do.
    Away(String),
    /// The server does not do it, in its own words.
    Refused(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Away(stream::explained(&error))
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.to_string())
    }
}

/// A row as text.
pub type Row = Vec<Option<String>>;

/// See the module.
pub struct Client {
    stream: Box<dyn Stream>,
    inbox: Vec<u8>,
}

impl Client {
    /// Connects and logs in.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn connect(address: &Address, tls: Option<&Tls>, credentials: &Credentials) -> Result<Self, Failure> {
        let stream = stream::connect(address, tls).map_err(Failure::Away)?;
        let mut client = Self { stream, inbox: Vec::new() };
        let mut request = Vec::new();
        let mut greeting = Greeting::begin(credentials, &mut request)?;
        client.stream.write_all(&request)?;
        while !greeting.is_done() {
            request.clear();
            match greeting.go_on((credentials, &[]), &client.inbox, &mut request)? {
                Some(length) => drop(client.inbox.drain(..length)),
                None => client.receive()?,
            }
            client.stream.write_all(&request)?;
        }
        client.stream.wait_at_most(TIMEOUT)?;
        Ok(client)
    }

    /// How it is secured; none: in plain text.
    pub fn secured(&self) -> Option<String> {
        self.stream.secured()
    }

    fn receive(&mut self) -> io::Result<()> {
        let mut part = [0; 8192];
        let read = self.stream.read(&mut part)?;
        if read == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server closed the connection"));
        }
        self.inbox.extend_from_slice(&part[..read]);
        Ok(())
    }

    /// Runs statements; the rows of all of them.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn query(&mut self, text: &str) -> Result<Vec<Row>, Failure> {
        let mut request = BytesMut::new();
        frontend::query(text, &mut request)?;
        self.stream.write_all(&request)?;
        let (mut rows, mut refused) = (Vec::new(), None);
        loop {
            let parsed =
                read_message(&self.inbox).map_err(|_| Failure::Away(format!("the answer cannot be read; {AWAY}")))?;
            let Some(message) = parsed else {
                self.receive()?;
                continue;
            };
            let text = |column: Option<&[u8]>| column.map(|text| String::from_utf8_lossy(text).into_owned());
            match message.kind {
                b'D' => rows.push(columns(message.body).map(text).collect()),
                b'E' => refused = Some(refusal(message.body)),
                b'Z' => {
                    let length = message.bytes;
                    self.inbox.drain(..length);
                    return refused.map_or(Ok(rows), |error| Err(Failure::Refused(error.to_string())));
                }
                _ => {}
            }
            let length = message.bytes;
            self.inbox.drain(..length);
        }
    }

    /// Returns the only column of the only row.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn value(&mut self, text: &str) -> Result<Option<String>, Failure> {
        Ok(self.query(text)?.into_iter().next().and_then(|row| row.into_iter().next()).flatten())
    }
}
