//! The Aerospike server of tests as a process: prints its address, and ends with its standard input.

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
