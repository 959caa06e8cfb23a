//! The barrier before each phase of a campaign: lines on standard input from the serving process report when the objects may be
//! inspected and at which instant each phase starts.
//!
//! Instants are times of the machine's monotonic clock, which all processes share. Standard input ends when the serving process
//! has ended; the run ends then, too.

use std::io::BufRead as _;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};
use measure::clock::{MonotonicTime, Start, clock, whole_ns};
use measure::series::WorkloadError;
use rustix::time::ClockId;
use serde::{Deserialize, Serialize};
use wire::messages::RunId;

use crate::events::CampaignStep;
use crate::failure::Failure;
use crate::objective::SliceCounts;
use crate::stop::{Cause, Stop};

/// Time before a ramp at which connections begin to be opened.
const MARGIN: Duration = Duration::from_millis(2_500);
const CHECK_EVERY: Duration = Duration::from_millis(100);

/// One line on standard input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "go", rename_all = "kebab-case", deny_unknown_fields)]
pub enum BarrierMessage {
    /// Inspect the objects, and load missing ones.
    Objects,
    /// Start with offset 0 at this time of the machine's monotonic clock, and since the Unix epoch by the clock of the backend. The
    /// two differ by `error_ns` at most.
    Start { monotonic_ns: u64, unix_ns: u64, error_ns: u64 },
    /// Slices of the probe, summed over all agents.
    Probe { slices: Vec<SliceCounts> },
}

/// Returns an instant as nanoseconds of the machine's monotonic clock.
pub fn monotonic_ns(at: Instant) -> u64 {
    let (raw, now) = (clock(ClockId::Monotonic), Instant::now());
    let monotonic = if at >= now { raw + (at - now) } else { raw.saturating_sub(now - at) };
    whole_ns(monotonic)
}

/// Returns the instant of `ns` nanoseconds of the machine's monotonic clock.
fn instant_of(ns: u64) -> Instant {
    let now = Instant::now();
    let now_ns = monotonic_ns(now);
    if ns >= now_ns {
        return now + Duration::from_nanos(ns - now_ns);
    }
    now.checked_sub(Duration::from_nanos(now_ns - ns)).unwrap_or(now)
}

/// The waiting side of the barrier.
#[derive(Debug)]
pub struct Barrier {
    lines: Receiver<BarrierMessage>,
    stop: Arc<Stop>,
}

impl Barrier {
    /// Begins to read standard input in a thread of its own.
    pub fn on_standard_input(stop: Arc<Stop>) -> Result<Self, Failure> {
        let (sender, lines) = unbounded();
        let of_reader = Arc::clone(&stop);
        thread::Builder::new()
            .name("barrier".into())
            .spawn(move || {
                for line in std::io::stdin().lock().lines() {
                    let Ok(line) = line else { break };
                    match serde_json::from_str(&line) {
                        Ok(send) => {
                            let _ = sender.send(send);
                        }
                        Err(_) => break,
                    }
                }
                of_reader.because(Cause::Campaign);
            })
            .map_err(|error| Failure::no_thread(&error))?;
        Ok(Self { lines, stop })
    }

    /// Waits until the objects may be inspected.
    pub fn objects(&self) -> Result<(), WorkloadError> {
        loop {
            if self.next()? == BarrierMessage::Objects {
                return Ok(());
            }
        }
    }

    pub fn start(&self) -> Result<Start, WorkloadError> {
        loop {
            if let BarrierMessage::Start { monotonic_ns, unix_ns, error_ns } = self.next()? {
                let time = MonotonicTime::at(instant_of(monotonic_ns));
                return Ok(Start { time, unix_ns, uncertainty_ns: error_ns.max(1) });
            }
        }
    }

    /// Reports the counts of a probe on this agent, and returns the sums over all agents.
    pub fn slices_of_all(
        &self,
        report: &dyn Fn(CampaignStep),
        slices: Vec<SliceCounts>,
    ) -> Result<Vec<SliceCounts>, WorkloadError> {
        report(CampaignStep::Measured { slices });
        loop {
            if let BarrierMessage::Probe { slices } = self.next()? {
                return Ok(slices);
            }
        }
    }

    /// Reports that the run of a phase waits, and returns the agreed start when it is time to arm for it.
    pub fn agreed_start(
        &self,
        report: &dyn Fn(CampaignStep),
        (phase, run_id): (usize, RunId),
        ramp_s: f64,
    ) -> Result<Start, WorkloadError> {
        report(CampaignStep::Run { phase, run_id });
        report(CampaignStep::Armed { phase });
        let start = self.start()?;
        let (origin, ahead) = (start.time.origin(), Duration::from_secs_f64(ramp_s) + MARGIN);
        self.sleep_until(origin.checked_sub(ahead).unwrap_or(origin))?;
        Ok(start)
    }

    pub fn sleep_until(&self, instant: Instant) -> Result<(), WorkloadError> {
        loop {
            let left = instant.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            self.check()?;
            thread::sleep(left.min(CHECK_EVERY));
        }
    }

    fn next(&self) -> Result<BarrierMessage, WorkloadError> {
        loop {
            self.check()?;
            match self.lines.recv_timeout(CHECK_EVERY) {
                Ok(send) => return Ok(send),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.stop.because(Cause::Campaign),
            }
        }
    }

    fn check(&self) -> Result<(), WorkloadError> {
        if self.stop.flag.is_stopped() {
            return Err(WorkloadError("the campaign ended before this phase began".to_owned()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_process_means_the_same_instant() {
        let at = Instant::now() + Duration::from_millis(700);
        let instant = instant_of(monotonic_ns(at));
        let apart = if instant > at { instant - at } else { at - instant };
        assert!(apart < Duration::from_millis(5), "{apart:?}");
    }
}
