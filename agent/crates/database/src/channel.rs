//! A connection that never waits, in plain text or by TLS.

use std::io::{self, BufRead as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd};

use rustls::ClientConnection;

use crate::socket::{Address, Socket};
use crate::tls::{Tls, failure};

/// Readings of a socket by TLS before others have their turn; each brings 4 kB.
const READINGS: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Not connected yet.
    Connecting,
    /// The server was asked whether it has TLS.
    Asking,
    /// Keys are agreed on.
    Securing,
    Open,
}

/// See the module.
#[derive(Debug)]
pub struct Channel {
    socket: Socket,
    step: Step,
    tls: Option<Box<(ClientConnection, Tls)>>,
}

impl Channel {
    /// Begins to connect. Call [`Channel::begin`] when it is writable.
    ///
    /// # Errors
    /// What is refused at once.
    pub fn connect(address: &Address, tls: Option<&Tls>) -> io::Result<Self> {
        let tls = tls.map(|tls| Ok::<_, io::Error>(Box::new((tls.begin()?, tls.clone())))).transpose()?;
        Ok(Self { socket: Socket::begin(address)?, step: Step::Connecting, tls })
    }

    /// Returns whether it was connected at all.
    pub fn has_begun(&self) -> bool {
        self.step != Step::Connecting
    }

    /// Returns whether the protocol of the server may be spoken.
    pub fn is_open(&self) -> bool {
        self.step == Step::Open
    }

    /// It is connected: says what comes before the protocol.
    ///
    /// # Errors
    /// Why it is not connected.
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

    /// Appends what has arrived; 0: the other side has closed. None: nothing of the protocol has arrived.
    ///
    /// # Errors
    /// When the connection is broken.
    pub fn read(&mut self, into: &mut Vec<u8>) -> io::Result<Option<usize>> {
        let Some(tls) = &mut self.tls else { return self.socket.read(into) };
        if self.step == Step::Asking {
            // This byte and no more: whatever else was slipped in before the keys are agreed on is no TLS, and fails.
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
                    // Sends the reason, if the other side still listens.
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

    /// Writes what goes without waiting, and takes that out of the buffer; whether all of it went.
    ///
    /// # Errors
    /// When the connection is broken.
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

    /// Writes what TLS has to say; whether all of it went.
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
