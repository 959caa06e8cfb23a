//! A non-blocking socket. Its address is resolved in advance, so that no name server is queried during a measurement.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;

use rustix::io::{Errno, retry_on_intr};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, ipproto, sockopt};

#[derive(Debug, Clone)]
pub enum Address {
    /// First address that was found for a host and port.
    Internet(SocketAddr),
    /// A socket in the file system.
    Local(PathBuf),
}

impl Address {
    pub fn of(host: &str, port: u16) -> io::Result<Self> {
        let address = (host, port).to_socket_addrs()?.next();
        address.map(Self::Internet).ok_or_else(|| io::Error::from(io::ErrorKind::AddrNotAvailable))
    }
}

#[derive(Debug)]
pub struct Socket(OwnedFd);

impl Socket {
    /// Begins to connect. When the socket is writable, it is connected, or [`Socket::error`] returns the cause.
    pub fn begin(address: &Address) -> io::Result<Self> {
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let (fd, begun) = match address {
            Address::Internet(address) => {
                let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
                let fd = rustix::net::socket_with(family, SocketType::STREAM, flags, Some(ipproto::TCP))?;
                // Requests are already combined, so delaying them would only add latency.
                sockopt::set_tcp_nodelay(&fd, true)?;
                let begun = rustix::net::connect(&fd, address);
                (fd, begun)
            }
            Address::Local(path) => {
                let fd = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
                let begun = rustix::net::connect(&fd, &SocketAddrUnix::new(path)?);
                (fd, begun)
            }
        };
        match begun {
            Ok(()) | Err(Errno::INPROGRESS) => Ok(Self(fd)),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the error of a failed attempt to connect, if any.
    pub fn error(&self) -> Option<io::Error> {
        match sockopt::socket_error(&self.0) {
            Ok(Ok(())) => None,
            Ok(Err(error)) | Err(error) => Some(error.into()),
        }
    }

    /// Appends received data to `into`, at most its spare capacity, and returns the length in bytes: 0 if the other side has closed
    /// the connection, `None` if no data has arrived.
    pub fn read(&self, into: &mut Vec<u8>) -> io::Result<Option<usize>> {
        match retry_on_intr(|| rustix::io::read(&self.0, rustix::buffer::spare_capacity(into))) {
            Ok(read) => Ok(Some(read)),
            Err(Errno::AGAIN) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes as much as possible without blocking, and returns the number of bytes.
    pub fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        match retry_on_intr(|| rustix::net::send(&self.0, bytes, rustix::net::SendFlags::NOSIGNAL)) {
            Ok(written) => Ok(written),
            Err(Errno::AGAIN) => Ok(0),
            Err(error) => Err(error.into()),
        }
    }
}

impl Read for &Socket {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        retry_on_intr(|| rustix::io::read(&self.0, &mut *into)).map_err(io::Error::from)
    }
}

impl Write for &Socket {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match Socket::write(self, bytes) {
            Ok(0) if !bytes.is_empty() => Err(io::ErrorKind::WouldBlock.into()),
            written => written,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
