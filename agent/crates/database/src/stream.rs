//! A blocking connection, in plain text or over TLS, for everything that is not measured.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustls::{ClientConnection, StreamOwned};

use crate::socket::Address;
use crate::tls::{self, Tls};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Time limit for the first answer. A server that exceeds it is probably of another kind.
const GREETING_TIMEOUT: Duration = Duration::from_secs(10);

/// A blocking connection, in plain text or over TLS.
pub trait Stream: Read + Write + Send {
    fn wait_at_most(&self, time: Duration) -> io::Result<()>;

    /// Returns a description of the TLS connection; `None` for plain text.
    fn secured(&self) -> Option<String> {
        None
    }
}

impl Stream for TcpStream {
    fn wait_at_most(&self, time: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(time)).and(self.set_write_timeout(Some(time)))
    }
}

impl Stream for UnixStream {
    fn wait_at_most(&self, time: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(time)).and(self.set_write_timeout(Some(time)))
    }
}

impl Stream for StreamOwned<ClientConnection, TcpStream> {
    fn wait_at_most(&self, time: Duration) -> io::Result<()> {
        self.sock.wait_at_most(time)
    }

    fn secured(&self) -> Option<String> {
        Some(tls::secured(&self.conn))
    }
}

/// Remedy if a server cannot be reached.
pub const UNREACHABLE_REMEDY: &str = "start the server or correct the address";

/// Returns the cause of a failed connection, and a remedy.
pub fn explained(error: &io::Error) -> String {
    match error.get_ref() {
        Some(cause) if cause.is::<rustls::Error>() => tls::sentence(error),
        // Errors of sockets after a timeout.
        _ if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
            "it does not answer: it is stopped, overloaded, or another kind of server; look at it, or correct the address".to_owned()
        }
        _ => format!("{error}; {UNREACHABLE_REMEDY}"),
    }
}

/// Connects. Reads and writes have the time limit of a greeting.
pub fn connect(address: &Address, tls: Option<&Tls>) -> Result<Box<dyn Stream>, String> {
    let address = match address {
        Address::Internet(address) => address,
        Address::Local(path) => {
            let stream = UnixStream::connect(path)
                .map_err(|error| format!("{}: {error}; {UNREACHABLE_REMEDY}", path.display()))?;
            stream.wait_at_most(GREETING_TIMEOUT).map_err(|error: io::Error| explained(&error))?;
            return Ok(Box::new(stream));
        }
    };
    let open = || {
        let stream = TcpStream::connect_timeout(address, CONNECT_TIMEOUT)?;
        stream.set_nodelay(true)?;
        stream.wait_at_most(GREETING_TIMEOUT)?;
        Ok(stream)
    };
    let mut stream = open().map_err(|error: io::Error| explained(&error))?;
    let Some(tls) = tls else { return Ok(Box::new(stream)) };
    if let Some(question) = tls.question {
        let mut answer = [0];
        let result = stream.write_all(question).and_then(|()| stream.read_exact(&mut answer));
        result.map_err(|error| format!("it does not say whether it has TLS: {error}"))?;
        if answer[0] != tls.agreement {
            return Err("it has no TLS; turn it on there, or name the server without TLS".to_owned());
        }
    }
    let mut connection = tls.begin().map_err(|error| tls::sentence(&error))?;
    while connection.is_handshaking() {
        connection.complete_io(&mut stream).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof | io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                "it does not answer when TLS begins; name it without TLS, or turn TLS on there".to_owned()
            }
            _ => tls::sentence(&error),
        })?;
    }
    Ok(Box::new(StreamOwned::new(connection, stream)))
}
