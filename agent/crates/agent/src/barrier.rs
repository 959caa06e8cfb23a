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
use serde_json::{Value, json};
use wire::messages::RunId;

use crate::cli::CampaignArgs;
use crate::display::Display;
use crate::events::{CampaignStep, Event};
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
pub struct Barrier<'a> {
    campaign: &'a CampaignArgs,
    lines: Receiver<BarrierMessage>,
    stop: Arc<Stop>,
    display: Display,
}

impl<'a> Barrier<'a> {
    /// Begins to read standard input in a thread of its own.
    pub fn on_standard_input(campaign: &'a CampaignArgs, stop: Arc<Stop>, display: Display) -> Result<Self, Failure> {
        let (sender, lines) = unbounded();
        let of_reader = Arc::clone(&stop);
        thread::Builder::new()
            .name("barrier".into())
            .spawn(move || {
                for line in std::io::stdin().lock().lines() {
                    let Ok(line) = line else { break };
                    let Ok(message) = serde_json::from_str(&line) else { break };
                    let _ = sender.send(message);
                }
                of_reader.because(Cause::Campaign);
            })
            .map_err(|error| Failure::no_thread(&error))?;
        Ok(Self { campaign, lines, stop, display })
    }

    /// Returns the place of this agent in the campaign, for the plan of a run.
    pub fn disclosed(&self) -> Value {
        let CampaignArgs { campaign, agent, agents, .. } = self.campaign;
        json!({"id": campaign, "agent": agent + 1, "agents": agents})
    }

    /// Reports a step to the serving process.
    pub fn report(&self, step: CampaignStep) {
        self.display.event(Event::Campaign(step));
    }

    /// Reports the phases as `explain` prints them, and waits until the objects may be inspected.
    pub fn ready(&self, phases: Value) -> Result<(), WorkloadError> {
        self.report(CampaignStep::Ready { phases });
        self.wait_for(|message| (message == BarrierMessage::Objects).then_some(()))
    }

    /// Reports the counts of a probe on this agent, and returns the sums over all agents.
    pub fn slices_of_all(&self, slices: Vec<SliceCounts>) -> Result<Vec<SliceCounts>, WorkloadError> {
        self.report(CampaignStep::Measured { slices });
        self.wait_for(|message| match message {
            BarrierMessage::Probe { slices } => Some(slices),
            _ => None,
        })
    }

    /// Reports that the run of a phase waits, and returns the agreed start when it is time to arm for it.
    pub fn agreed_start(&self, phase: usize, run_id: RunId, ramp_s: f64) -> Result<Start, WorkloadError> {
        self.report(CampaignStep::Run { phase, run_id });
        self.report(CampaignStep::Armed { phase });
        let start = self.wait_for(|message| match message {
            BarrierMessage::Start { monotonic_ns, unix_ns, error_ns } => {
                let time = MonotonicTime::at(instant_of(monotonic_ns));
                Some(Start { time, unix_ns, uncertainty_ns: error_ns.max(1) })
            }
            _ => None,
        })?;
        let (origin, ahead) = (start.time.origin(), Duration::from_secs_f64(ramp_s) + MARGIN);
        self.sleep_until(origin.checked_sub(ahead).unwrap_or(origin))?;
        Ok(start)
    }

    fn sleep_until(&self, instant: Instant) -> Result<(), WorkloadError> {
        loop {
            let left = instant.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            self.check()?;
            thread::sleep(left.min(CHECK_EVERY));
        }
    }

    /// Waits for the next message for which `content` returns a value, and ignores others.
    fn wait_for<T>(&self, content: impl Fn(BarrierMessage) -> Option<T>) -> Result<T, WorkloadError> {
        loop {
            self.check()?;
            match self.lines.recv_timeout(CHECK_EVERY).map(&content) {
                Ok(Some(value)) => return Ok(value),
                Ok(None) | Err(RecvTimeoutError::Timeout) => {}
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
