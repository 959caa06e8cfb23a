//! The stand-in for Aerospike as a process: prints its address, and ends when its standard input is closed.

use std::io::{self, Write as _};

use test_servers::aerospike::AerospikeServer;

fn main() -> io::Result<()> {
    let server = AerospikeServer::start();
    let mut out = io::stdout();
    writeln!(out, "{}", server.url())?;
    out.flush()?;
    io::copy(&mut io::stdin(), &mut io::sink())?;
    Ok(())
}
