//! A blocking connection to `PostgreSQL`, for everything that is not measured: inspecting, creating, checking and removing objects.

use std::io;
use std::time::Duration;

use bytes::BytesMut;
use postgres_protocol::message::frontend;

use crate::postgres::greeting::{Credentials, Greeting, Refusal};
use crate::postgres::wire::{columns, read_message, refusal};
use crate::socket::Address;
use crate::stream::{self, Stream, UNREACHABLE_REMEDY};
use crate::tls::Tls;

/// Time limit for an answer. Statements on a whole table may take long.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Error of a connection or a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The connection failed or was lost; a sentence with a remedy.
    Away(String),
    /// The server refused the request; the reason in its own words.
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

/// A row with its columns as text; `None` for null.
pub type Row = Vec<Option<String>>;

/// A blocking connection to `PostgreSQL`.
pub struct Client {
    stream: Box<dyn Stream>,
    inbox: Vec<u8>,
}

impl Client {
    pub fn connect(address: &Address, tls: Option<&Tls>, credentials: &Credentials) -> Result<Self, Failure> {
        let stream = stream::connect(address, tls).map_err(Failure::Away)?;
        let mut client = Self { stream, inbox: Vec::new() };
        let mut request = Vec::new();
        let mut greeting = Greeting::begin(credentials, &mut request)?;
        client.stream.write_all(&request)?;
        while !greeting.is_done {
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

    /// Returns a description of the TLS connection; `None` for plain text.
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

    /// Runs statements and returns the rows of all of them.
    pub fn query(&mut self, text: &str) -> Result<Vec<Row>, Failure> {
        let mut request = BytesMut::new();
        frontend::query(text, &mut request)?;
        self.stream.write_all(&request)?;
        let (mut rows, mut refused) = (Vec::new(), None);
        loop {
            let parsed = read_message(&self.inbox)
                .map_err(|_| Failure::Away(format!("the answer cannot be read; {UNREACHABLE_REMEDY}")))?;
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

    /// Runs a statement and returns the first column of its first row; `None` if there is no row or the column is null.
    pub fn value(&mut self, text: &str) -> Result<Option<String>, Failure> {
        Ok(self.query(text)?.into_iter().next().and_then(|row| row.into_iter().next()).flatten())
    }
}
