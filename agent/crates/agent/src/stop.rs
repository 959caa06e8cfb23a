//! The request to end a workload early, with its cause. The first cause counts.

use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, bounded};
use measure::series::StopFlag;
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::failure::Failure;
use crate::lock::locked;

/// Why the workload is ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// A signal from a person or the system; holds its name.
    Signal(&'static str),
    Backend,
    /// The campaign has ended, or the serving process is gone.
    Campaign,
    /// The spool cannot store the results; holds the reason.
    Spool(String),
}

/// The stop flag of the workload, with its cause.
#[derive(Debug, Default)]
pub struct Stop {
    pub flag: StopFlag,
    cause: Mutex<Option<Cause>>,
    /// Number of the last signal, stored by the signal handler itself: a call that the signal interrupts can return before the
    /// signal thread has stored the cause.
    signal: Arc<AtomicUsize>,
}

impl Stop {
    /// Asks the workload to end.
    pub fn because(&self, cause: Cause) {
        locked(&self.cause).get_or_insert(cause);
        self.flag.stop();
    }

    /// Returns the cause, if the workload was asked to end.
    pub fn cause(&self) -> Option<Cause> {
        let heard = locked(&self.cause).clone();
        heard.or_else(|| {
            i32::try_from(self.signal.load(Ordering::SeqCst)).ok().filter(|signal| *signal > 0).map(signalled)
        })
    }
}

fn signalled(signal: i32) -> Cause {
    Cause::Signal(match signal {
        SIGINT => "SIGINT",
        SIGTERM => "SIGTERM",
        _ => "SIGHUP",
    })
}

/// Asks a process to end.
pub fn terminate(process: &Child) {
    let _ = kill_process(Pid::from_child(process), Signal::TERM);
}

/// Makes signals end the workload instead of the process. Returns the stop that they set, and a channel for the time of each.
pub fn on_signals() -> Result<(Arc<Stop>, Receiver<Instant>), Failure> {
    let stop = Arc::new(Stop::default());
    let refuse = |error: std::io::Error| Failure::Workload(format!("signals cannot be handled: {error}"));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        let number = usize::try_from(signal).unwrap_or(0);
        signal_hook::flag::register_usize(signal, Arc::clone(&stop.signal), number).map_err(refuse)?;
    }
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(refuse)?;
    let (sender, receiver) = bounded(8);
    let stopped = Arc::clone(&stop);
    thread::Builder::new()
        .name("signals".into())
        .spawn(move || {
            for signal in signals.forever() {
                stopped.because(signalled(signal));
                // Eight unread signals are enough; another adds nothing.
                let _ = sender.try_send(Instant::now());
            }
        })
        .map_err(refuse)?;
    Ok((stop, receiver))
}
