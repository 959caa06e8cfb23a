//! A TCP proxy in front of a test's server that can hold back the requests of one connection.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

#[derive(Default)]
struct Gate {
    is_held: Mutex<bool>,
    changed: Condvar,
}

/// A TCP proxy that can hold back the requests of one connection. It ends with the process of the test.
pub struct StallingProxy {
    gate: Arc<Gate>,
    is_gate_next: Arc<AtomicBool>,
    gated: Arc<AtomicUsize>,
    /// Port on loopback.
    pub port: u16,
}

impl StallingProxy {
    /// Starts a proxy in front of the port `behind` on loopback.
    pub fn start(behind: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let proxy = Self { gate: Arc::default(), is_gate_next: Arc::default(), gated: Arc::default(), port };
        let (gate, is_gate_next, gated) =
            (Arc::clone(&proxy.gate), Arc::clone(&proxy.is_gate_next), Arc::clone(&proxy.gated));
        thread::spawn(move || {
            for outside in listener.incoming().flatten() {
                let is_gated = is_gate_next.swap(false, Ordering::SeqCst);
                let gate = is_gated.then(|| Arc::clone(&gate));
                gated.fetch_add(usize::from(is_gated), Ordering::SeqCst);
                pass_on(outside, behind, gate).expect("a server behind the proxy");
            }
        });
        proxy
    }

    /// Marks the next connection, whose requests can be held back.
    pub fn gate_next(&self) {
        self.is_gate_next.store(true, Ordering::SeqCst);
    }

    /// Holds back the requests of the marked connection, or lets them pass again.
    pub fn hold(&self, is_held: bool) {
        assert_eq!(self.gated.load(Ordering::SeqCst), 1, "one connection came through the gate");
        *self.gate.is_held.lock().unwrap_or_else(PoisonError::into_inner) = is_held;
        self.gate.changed.notify_all();
    }
}

fn pass_on(outside: TcpStream, behind: u16, gate: Option<Arc<Gate>>) -> io::Result<()> {
    let inside = TcpStream::connect(("127.0.0.1", behind))?;
    inside.set_nodelay(true)?;
    outside.set_nodelay(true)?;
    let (requests, answers) = ((outside.try_clone()?, inside.try_clone()?), (inside, outside));
    thread::spawn(move || copy(requests, gate.as_deref()));
    thread::spawn(move || copy(answers, None));
    Ok(())
}

fn copy((mut from, mut to): (TcpStream, TcpStream), gate: Option<&Gate>) {
    let mut bytes = vec![0; 64 << 10];
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        if let Some(gate) = gate {
            let is_held = gate.is_held.lock().unwrap_or_else(PoisonError::into_inner);
            drop(gate.changed.wait_while(is_held, |is_held| *is_held));
        }
        if to.write_all(&bytes[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}
