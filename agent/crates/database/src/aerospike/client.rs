//! A blocking connection to an Aerospike server, for everything that is not measured.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use crate::aerospike::login::{Login, WITHOUT_USERS};
use crate::aerospike::wire::{self as wire, Record};
use crate::protocol::NoMessage;
use crate::socket::Address;
use crate::stream::{self, Stream};
use crate::tls::Tls;

const TIMEOUT: Duration = Duration::from_secs(30);

/// A blocking connection to an Aerospike server.
pub struct Client {
    stream: Box<dyn Stream>,
    inbox: Vec<u8>,
    /// Whether the server has answered as an Aerospike server does. From then on it has [`TIMEOUT`] for each answer.
    is_known: bool,
}

impl Client {
    pub fn connect(address: &Address, tls: Option<&Tls>, login: Option<&Login>) -> Result<Self, String> {
        let mut client = Self { stream: stream::connect(address, tls)?, inbox: Vec::new(), is_known: false };
        let Some(login) = login else { return Ok(client) };
        let mut request = Vec::new();
        login.write(&mut request);
        client.send(&request)?;
        let result = client.until(wire::admission)?;
        if matches!(result, 0 | WITHOUT_USERS) {
            return Ok(client);
        }
        let meaning = wire::meaning(result);
        Err(format!("{result}: {meaning}; look at the user in the address and the password (--password-file)"))
    }

    /// Returns a description of the TLS connection; `None` for plain text.
    pub fn secured(&self) -> Option<String> {
        self.stream.secured()
    }

    fn receive(&mut self) -> Result<(), String> {
        let mut part = [0; 16 << 10];
        let read = self.stream.read(&mut part).map_err(|error| stream::explained(&error))?;
        self.inbox.extend_from_slice(&part[..read]);
        if read == 0 { Err(format!("it hung up; {}", stream::UNREACHABLE_REMEDY)) } else { Ok(()) }
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), String> {
        self.stream.write_all(bytes).map_err(|error| stream::explained(&error))
    }

    /// Receives until `read` finds an answer, and removes the answer from the inbox.
    fn until<T>(&mut self, mut read: impl FnMut(&[u8]) -> Result<Option<(T, usize)>, NoMessage>) -> Result<T, String> {
        loop {
            let message = read(&self.inbox);
            let message = message
                .map_err(|_| format!("what answers there is no Aerospike server; {}", stream::UNREACHABLE_REMEDY))?;
            if let Some((answer, length)) = message {
                self.inbox.drain(..length);
                if !std::mem::replace(&mut self.is_known, true) {
                    self.stream.wait_at_most(TIMEOUT).map_err(|error| error.to_string())?;
                }
                return Ok(answer);
            }
            self.receive()?;
        }
    }

    /// Sends the info commands in `lines`, one per line, and returns the answers by command. Fails with the cause if the server
    /// asks for a login, or if no answer arrives.
    pub fn ask(&mut self, lines: &str) -> Result<Vec<(String, String)>, String> {
        let mut request = Vec::new();
        wire::write_question(lines, &mut request);
        self.send(&request)?;
        let read = |inbox: &[u8]| {
            let answer = wire::read_info(inbox)?;
            Ok(answer.map(|(text, length)| (String::from_utf8_lossy(text).into_owned(), length)))
        };
        let text = self.until(read)?;
        if text.starts_with("ERROR:80") {
            return Err("it asks for a user and a password; name the user in the address (aerospike://user@host:port/namespace), \
                        and give the password with --password-file"
                .to_owned());
        }
        let pair = |line: &str| line.split_once('\t').map(|(name, value)| (name.to_owned(), value.to_owned()));
        Ok(text.lines().filter_map(pair).collect())
    }

    /// Sends `count` requests for one record each, and passes the answers to `to` in order.
    pub fn each(&mut self, requests: &[u8], count: u64, mut to: impl FnMut(Record<'_>)) -> Result<(), String> {
        self.send(requests)?;
        for _ in 0..count {
            self.until(|inbox| Ok(wire::read_answer(false, inbox, &mut to)?.map(|length| ((), length))))?;
        }
        Ok(())
    }
}
