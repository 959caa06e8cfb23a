//! A blocking connection to Redis or Valkey, for everything that is not measured. The official client encodes commands and parses
//! answers. The connection is our own, so that TLS is the same as for measured commands.

use std::io::{self, Write as _};
use std::time::Duration;

use redis::{Parser, RedisError, RedisResult, Value};

use crate::socket::Address;
use crate::stream::{self, Stream};
use crate::tls::Tls;

const TIMEOUT: Duration = Duration::from_secs(30);

/// A blocking connection to Redis or Valkey.
pub struct Connection {
    stream: Box<dyn Stream>,
    parser: Parser,
    /// Whether the server has answered. From then on it has [`TIMEOUT`] for each answer.
    is_known: bool,
}

impl Connection {
    /// Connects and sends the `greetings` requests in `greeting`, which must succeed.
    pub fn open(address: &Address, tls: Option<&Tls>, (greeting, greetings): (&[u8], usize)) -> RedisResult<Self> {
        let stream = stream::connect(address, tls).map_err(io::Error::other)?;
        let mut connection = Self { stream, parser: Parser::new(), is_known: false };
        for answer in connection.ask(greeting, greetings)? {
            answer.extract_error()?;
        }
        Ok(connection)
    }

    /// Returns a description of the TLS connection; `None` for plain text.
    pub fn secured(&self) -> Option<String> {
        self.stream.secured()
    }

    /// Sends `count` requests, and returns their answers.
    pub fn ask(&mut self, requests: &[u8], count: usize) -> RedisResult<Vec<Value>> {
        let sent = self.stream.write_all(requests).and_then(|()| self.stream.flush());
        sent.map_err(|error| RedisError::from(io::Error::other(stream::explained(&error))))?;
        let answers = (0..count).map(|_| self.parser.parse_value(&mut self.stream)).collect::<RedisResult<Vec<_>>>()?;
        if count > 0 && !std::mem::replace(&mut self.is_known, true) {
            self.stream.wait_at_most(TIMEOUT)?;
        }
        Ok(answers)
    }
}
