//! The ACT workloads: their operations, and the threads that run them.
//!
//! Each device gets an equal share of every rate, and each lane starts at a different part of a period, so that operations do not
//! coincide. A device belongs to one thread; with more threads than devices, records are split among all threads.

use std::thread;

use measure::arrivals::Arrivals;
use measure::recorder::{OperationPlan, Recorder};
use measure::schedule::Schedule;
use measure::series::{Clock, WorkloadError};
use measure::series_table::SeriesTable;
use runner::{Lane, Pace, Plan, Prepared, Rules};

use crate::command::{Command, Kind};
use crate::content::Content;
use crate::drive::{Drive, Drives};
use crate::engine::settings::Sizes;
use crate::extents::{Extents, Operations};
use crate::plan::{ActStoragePlan, ArrivalProcess};
use crate::rates;

/// Number of operations per second for one thread; a higher rate is split over more threads.
const OPERATIONS_PER_S_AND_THREAD: f64 = 150_000.0;
/// Unit in bytes if no device is opened.
const USUAL_UNIT_BYTES: u32 = 512;

/// One kind of operation on one device, before it is split among threads.
#[derive(Debug, Clone)]
struct Stream {
    kind: Kind,
    device: u16,
    operation: OperationPlan,
    first_series_no: u16,
    parts: u64,
}

/// An ACT workload: streams of operations over devices, split among threads.
pub struct Act {
    plan: ActStoragePlan,
    streams: Vec<Stream>,
    extents: Vec<[Extents; Kind::ALL.len()]>,
    threads: usize,
    ticks_per_histogram: u64,
    duration_ns: u64,
}

impl Act {
    /// Returns a run of `plan` on prepared drives; the null engine needs none.
    pub fn prepared(
        plan: ActStoragePlan,
        drives: Vec<Drive>,
        duration_ns: u64,
        ticks_per_histogram: u64,
    ) -> Result<Prepared<Self, Drives>, WorkloadError> {
        let (act, series_table) = Self::new(plan, &drives, duration_ns, ticks_per_histogram)?;
        let paths = act.plan.paths().into_iter().map(std::path::Path::to_owned).collect();
        let target = Drives { opened: drives, paths, engine: act.plan.engine, sizes: act.sizes() };
        Ok(act.on(target, series_table))
    }

    /// Returns the workload of `plan` with its series.
    pub fn new(
        plan: ActStoragePlan,
        drives: &[Drive],
        duration_ns: u64,
        ticks_per_histogram: u64,
    ) -> Result<(Self, SeriesTable), WorkloadError> {
        let devices = plan.device_count();
        let rates = rates::rates(&plan, devices)?;
        let all_per_s: f64 = [rates.read, rates.large_block_read, rates.large_block_write, rates.write]
            .iter()
            .flatten()
            .map(|rate| rate.as_per_second() * devices as f64)
            .sum();
        let threads = plan.threads.map_or_else(|| threads_for(all_per_s, plan.sq_poll), usize::from);
        let (mut streams, mut series_table) = (Vec::new(), SeriesTable::default());
        for kind in Kind::ALL {
            let rate = match kind {
                Kind::Read => rates.read,
                Kind::LargeBlockRead => rates.large_block_read,
                Kind::LargeBlockWrite => rates.large_block_write,
                Kind::Write => rates.write,
                Kind::Sweep => None,
            };
            if rate.is_none() && !(kind == Kind::Sweep && plan.tomb_raider) {
                continue;
            }
            let operation = |device: Option<usize>| {
                // Lanes of one kind are spread evenly over a period, and kinds are offset from each other.
                let phase = |index: usize| u8::try_from(index % 255).unwrap_or(0);
                let of = phase(3 * devices).max(1);
                let schedule = rate.map(|rate| match (plan.arrivals, device) {
                    (ArrivalProcess::Constant, Some(device)) => {
                        Schedule::new(rate, phase((3 * device + kind as usize % 3) % usize::from(of)), of).into()
                    }
                    (ArrivalProcess::Poisson, Some(device)) => Arrivals::Poisson {
                        rate_per_s: rate.as_per_second(),
                        seed: plan.seed,
                        stream: (device as u64 * 8 + kind as u64) << 10,
                    },
                    // The sum over all devices, of which only the rate is used.
                    (_, None) => Arrivals::Poisson {
                        rate_per_s: rate.as_per_second() * devices as f64,
                        seed: plan.seed,
                        stream: 0,
                    },
                });
                OperationPlan {
                    operation: kind.operation().into(),
                    device: device.map(|device| plan.paths()[device].display().to_string()),
                    schedule,
                    clocks: if kind == Kind::Sweep {
                        vec![Clock::Service]
                    } else {
                        vec![Clock::Response, Clock::Service]
                    },
                    pin_thresholds_ns: plan.limits_ns.clone(),
                }
            };
            let total = (devices > 1).then(|| series_table.add(operation(None), 0, None));
            for device in 0..devices {
                let operation = operation(Some(device));
                let split = threads > devices && matches!(kind, Kind::Read | Kind::Write);
                let parts = if split { threads } else { 1 };
                let first_series_no = series_table.add(operation.clone(), parts, total);
                let device = u16::try_from(device).unwrap_or(u16::MAX);
                streams.push(Stream { kind, device, operation, first_series_no, parts: parts as u64 });
            }
        }
        let extents = (0..devices).map(|device| {
            let drive = drives.get(device);
            let span_bytes = drive.map_or(plan.size_bytes(), |drive| drive.span_bytes);
            let unit_bytes = drive.map_or(USUAL_UNIT_BYTES, |drive| drive.unit_bytes);
            Kind::ALL.map(|kind| Extents::of(kind, &plan, span_bytes, unit_bytes))
        });
        let extents: Vec<_> = extents.collect();
        let act = Self { plan, streams, extents, threads, ticks_per_histogram, duration_ns };
        Ok((act, series_table))
    }

    /// Returns the run of this workload on a target.
    pub fn on<T>(self, target: T, series_table: SeriesTable) -> Prepared<Self, T> {
        Prepared {
            target,
            series_table,
            rules: rules(&self.plan),
            threads: self.threads,
            duration_ns: self.duration_ns,
            ramp_ns: u64::from(self.plan.ramp_s) * 1_000_000_000,
            without_waiting: false,
            plan: self,
        }
    }

    pub(crate) fn sizes(&self) -> Sizes {
        let per_s = |kind: Kind| {
            let rates = self.streams.iter().filter(|stream| stream.kind == kind);
            rates.filter_map(|stream| stream.operation.schedule).map(|schedule| schedule.rate_per_s()).sum::<f64>()
                / self.threads as f64
        };
        // Slots for what is due in 32 ms; further operations wait, with their intended times. The kernel pins the memory of every
        // slot, so more slots would cost every run.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, then is clamped")]
        let at_once = |per_s: f64, least: u32, most: u32| ((per_s * 0.032) as u32).clamp(least, most);
        let records = per_s(Kind::Read) + per_s(Kind::Write);
        let large = per_s(Kind::LargeBlockRead).max(per_s(Kind::LargeBlockWrite));
        let largest = self.extents.iter().map(|extents| extents[Kind::Read as usize].largest_bytes());
        Sizes {
            record_bytes: largest.max().unwrap_or(self.plan.record_bytes),
            large_block_bytes: self.plan.large_block_bytes,
            records_at_once: at_once(records, 128, 8192),
            large_blocks_at_once: at_once(large, 8, 256),
            sync_writes: self.plan.sync_writes,
            polling: self.plan.polling().unwrap_or_default(),
            content: Content { seed: self.plan.seed, random_pct: self.plan.compress_pct },
            seed: self.plan.seed,
        }
    }
}

impl Plan for Act {
    type Command = Command;

    fn lanes(&self, worker: usize, ramp_ns: Option<u64>) -> Vec<Lane<Command>> {
        let mut lanes = Vec::new();
        for stream in &self.streams {
            let own = usize::from(stream.device) % self.threads == worker;
            let part = match (stream.parts, own) {
                (1, true) => 0,
                (1, false) => continue,
                _ => worker as u64,
            };
            let arrivals = stream.operation.schedule.map(|arrivals| arrivals.part(part, stream.parts));
            let arrivals = arrivals.map(|arrivals| ramp_ns.map_or(arrivals, |ramp_ns| arrivals.ramp(ramp_ns)));
            let operation = OperationPlan { schedule: arrivals, ..stream.operation.clone() };
            let recorder = Recorder::new(operation, stream.first_series_no, self.ticks_per_histogram, self.duration_ns);
            let pace = match arrivals {
                Some(arrivals) => Pace::Open(arrivals.cursor()),
                None => Pace::Closed { at_once: 1, pause_ns: u64::from(self.plan.tomb_raider_sleep_us) * 1_000 },
            };
            let extents = self.extents[usize::from(stream.device)][stream.kind as usize];
            let operations = Operations { kind: stream.kind, device: stream.device, extents, seed: self.plan.seed };
            lanes.push(Lane::new(Box::new(operations), pace, [recorder], (part, stream.parts)));
        }
        lanes
    }
}

fn rules(plan: &ActStoragePlan) -> Rules {
    Rules {
        largest_lateness_ns: (plan.max_lag_s > 0).then(|| u64::from(plan.max_lag_s) * 1_000_000_000),
        timeout_ns: u64::from(plan.io_timeout_s) * 1_000_000_000,
        measured: "drive",
    }
}

/// Returns the number of threads that the load needs, leaving one processor for everything else. With `sq_poll`, each thread also
/// needs a processor for the kernel's polling thread.
fn threads_for(operations_per_s: f64, sq_poll: bool) -> usize {
    let processors = thread::available_parallelism().map_or(1, usize::from) / if sq_poll { 2 } else { 1 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, then is clamped")]
    let threads = (operations_per_s / OPERATIONS_PER_S_AND_THREAD).ceil() as usize;
    threads.clamp(1, processors.saturating_sub(1).max(1))
}

#[cfg(test)]
#[path = "act_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "agreement_tests.rs"]
mod agreement_tests;
