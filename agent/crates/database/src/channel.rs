//! A non-blocking connection, in plain text or over TLS.

use std::io::{self, BufRead as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};

use rustls::ClientConnection;

use crate::socket::{Address, Socket};
use crate::tls::{Tls, failure};

/// Maximum number of TLS reads, of up to 4 kB each, before other connections are served.
const READINGS: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Connecting,
    /// The server was asked whether it supports TLS.
    Asking,
    /// The TLS handshake is in progress.
    Securing,
    Open,
}

/// A non-blocking connection, in plain text or over TLS.
#[derive(Debug)]
pub struct Channel {
    socket: Socket,
    step: Step,
    tls: Option<Box<(ClientConnection, Tls)>>,
}

impl Channel {
    /// Begins to connect. Call [`Channel::begin`] when the socket is writable.
    pub fn connect(address: &Address, tls: Option<&Tls>) -> io::Result<Self> {
        let tls = tls.map(|tls| Ok::<_, io::Error>(Box::new((tls.begin()?, tls.clone())))).transpose()?;
        Ok(Self { socket: Socket::begin(address)?, step: Step::Connecting, tls })
    }

    pub fn has_begun(&self) -> bool {
        self.step != Step::Connecting
    }

    /// Returns whether messages of the server's protocol may be sent.
    pub fn is_open(&self) -> bool {
        self.step == Step::Open
    }

    /// Starts TLS, if any, on the connected socket.
    pub fn begin(&mut self) -> io::Result<()> {
        if let Some(error) = self.socket.error() {
            return Err(error);
        }
        let Some(tls) = &mut self.tls else {
            self.step = Step::Open;
            return Ok(());
        };
        if let Some(question) = tls.1.question {
            self.step = Step::Asking;
            return (&self.socket).write_all(question);
        }
        self.step = Step::Securing;
        self.flush().map(drop)
    }

    /// Appends received data to `into` and returns its length in bytes: 0 if the connection is closed, `None` without data.
    pub fn read(&mut self, into: &mut Vec<u8>) -> io::Result<Option<usize>> {
        let Some(tls) = &mut self.tls else { return self.socket.read(into) };
        if self.step == Step::Asking {
            // Reads one byte only: bytes that an attacker inserts before the handshake must fail as invalid TLS.
            let mut answer = [0];
            match io::Read::read(&mut &self.socket, &mut answer) {
                Ok(0) => return Ok(Some(0)),
                Ok(_) if answer[0] == tls.1.agreement => self.step = Step::Securing,
                Ok(_) => return Err(io::Error::from_raw_os_error(libc::EPROTONOSUPPORT)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        let (before, mut is_closed) = (into.len(), false);
        for _ in 0..READINGS {
            let (tls, _) = &mut **tls;
            match tls.read_tls(&mut &self.socket) {
                Ok(0) => is_closed = true,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) => return Err(error),
            }
            let state = match tls.process_new_packets() {
                Ok(state) => state,
                Err(error) => {
                    // Sends the reason to the server, if it still listens.
                    let _ = tls.write_tls(&mut &self.socket);
                    return Err(failure(error));
                }
            };
            if state.plaintext_bytes_to_read() > 0 {
                let mut reader = tls.reader();
                while let Ok(bytes @ [_, ..]) = reader.fill_buf() {
                    into.extend_from_slice(bytes);
                    let length = bytes.len();
                    reader.consume(length);
                }
            }
            if is_closed || state.peer_has_closed() {
                is_closed = true;
                break;
            }
        }
        if self.step == Step::Securing {
            self.flush()?;
        }
        Ok(match into.len() - before {
            0 if is_closed => Some(0),
            0 => None,
            length => Some(length),
        })
    }

    /// Writes as much of `outbox` as possible without blocking, and removes it there. Returns whether everything was written.
    pub fn write(&mut self, outbox: &mut Vec<u8>) -> io::Result<bool> {
        let Some(tls) = &mut self.tls else {
            let written = self.socket.write(outbox)?;
            if written == outbox.len() {
                outbox.clear();
                return Ok(true);
            }
            outbox.drain(..written);
            return Ok(false);
        };
        tls.0.writer().write_all(outbox)?;
        outbox.clear();
        self.flush()
    }

    /// Writes pending TLS records. Returns whether all were written.
    fn flush(&mut self) -> io::Result<bool> {
        let Some(tls) = &mut self.tls else { return Ok(true) };
        let tls = &mut tls.0;
        while tls.wants_write() {
            match tls.write_tls(&mut &self.socket) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        if self.step == Step::Securing && !tls.is_handshaking() {
            self.step = Step::Open;
        }
        Ok(true)
    }
}

impl AsFd for Channel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
