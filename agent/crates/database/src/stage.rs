//! A stage of a job: its series, the operation of each number, and the share of each thread.
//!
//! Every flow (see [`Stream`]) has one lane on each thread. Drawn kinds share a schedule, and each kind knows which of its
//! operations are its own: the rates of the kinds are exact, and their sum is evenly spaced. In a closed loop no operation has an
//! intended start, so such a stage has service times only.

use std::sync::Arc;

use keys::chooser::{Chooser, Distribution, YCSB_THETA};
use measure::arrivals::{Arrivals, Pick};
use measure::recorder::{OperationPlan, Recorder};
use measure::schedule::{Rate, Schedule};
use measure::series::{Clock, WorkloadError};
use measure::series_table::SeriesTable;
use runner::{Lane, Pace, Plan, Prepared, Program, Rules, Target};
use workloads::job::{Operation, ScanLength, Stage, Stream};

use crate::command::Command;
use crate::objects::Objects;
use crate::programs::{KeySource, Mix, Transactions};

/// Latency limits at which single reads are counted exactly, besides the window divided by the number of reads.
const READ_LIMITS_NS: [u64; 3] = [1_000_000, 8_000_000, 64_000_000];
/// Fractions of the window at which transactions are counted exactly: a twentieth, a tenth, a quarter, a half, all, double.
const WINDOW_PARTS: [(u64, u64); 6] = [(1, 20), (1, 10), (1, 4), (1, 2), (1, 1), (2, 1)];
/// Operations per second for which a single thread is used.
const OPERATIONS_PER_S_AND_THREAD: f64 = 100_000.0;
/// Maximum duration in seconds of a stage that ends after a number of operations.
pub const LONGEST_STAGE_S: u64 = 7 * 24 * 3600;
/// Offset of the seed for lengths of scans from the seed for their keys.
const SCAN_SEED: u64 = 500;

/// Settings of a stage beyond the plan.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Seed for the order of keys; each stage of a job has its own.
    pub seed: u64,
    /// Time limit of an operation in nanoseconds. Operations that take longer are given up.
    pub timeout_ns: u64,
    pub ticks_per_histogram: u64,
    /// Name of the server in results.
    pub address: String,
    /// Further latency limits at which operations are counted exactly, in nanoseconds, because a question is about them.
    pub limits_ns: Vec<u64>,
}

enum FlowKind {
    Operations { kinds: Arc<[(Operation, Pick)]>, chooser: Chooser, of_updates: Option<Box<Chooser>> },
    Transactions(Transactions),
}

/// A recorded kind of operation with the number of its first series.
type Recorded = (OperationPlan, u16);

struct Flow {
    kind: FlowKind,
    /// `None` for a closed loop.
    arrivals: Option<Arrivals>,
    units: Vec<Recorded>,
    /// Commands inside a unit; empty if units have a single command.
    commands: Vec<Recorded>,
    /// Reads that find nothing, if that is no error.
    absent: Option<Recorded>,
}

pub struct StagePlan {
    flows: Vec<Flow>,
    objects: Arc<Objects>,
    stage: Stage,
    scans: Option<Chooser>,
    threads: usize,
    ticks_per_histogram: u64,
    duration_ns: u64,
}

/// Returns the number of threads: as few as the load needs. If possible, one processor is left to everything else.
pub fn threads_for(stage: &Stage) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let most = processors.saturating_sub(1).max(1);
    let per_s = |stream: &Stream| match stream {
        Stream::Operations { per_s, .. } => *per_s,
        Stream::Transactions { per_s, reads, batch, .. } => Some(per_s * f64::from(reads.div_ceil(*batch))),
    };
    let threads = match stage.streams.iter().map(per_s).sum::<Option<f64>>() {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, then is clamped")]
        Some(per_s) => (per_s / OPERATIONS_PER_S_AND_THREAD).ceil() as usize,
        None => most,
    };
    threads.clamp(1, most).min(usize::try_from(stage.connections).unwrap_or(usize::MAX))
}

/// Returns the maximum duration of a stage in nanoseconds.
pub fn duration_ns(stage: &Stage) -> u64 {
    let longest_s = LONGEST_STAGE_S as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from a nanosecond to a week")]
    let duration_ns = (stage.duration_s.unwrap_or(longest_s).min(longest_s) * 1e9).round().max(1.0) as u64;
    duration_ns
}

/// Creates a chooser that draws keys of the existing objects, in an order that depends on `seed`.
fn chooser(distribution: Distribution, objects: &Objects, seed: u64) -> Result<Chooser, WorkloadError> {
    Chooser::new(distribution, objects.first, objects.end() - objects.first, seed)
        .map_err(|error| WorkloadError(format!("keys cannot be drawn: {error}")))
}

fn scans(ScanLength { least, most, zipfian }: ScanLength, seed: u64) -> Result<Chooser, WorkloadError> {
    let distribution = if zipfian { Distribution::Zipf { theta: YCSB_THETA } } else { Distribution::Uniform };
    Chooser::new(distribution, least, most - least + 1, seed.wrapping_add(SCAN_SEED))
        .map_err(|error| WorkloadError(format!("lengths of scans cannot be drawn: {error}")))
}

/// Prepares a stage over `objects`. `open` creates its target for a number of threads.
pub fn prepared<T: Target<Command = Command>>(
    stage: &Stage,
    settings: &Settings,
    objects: Objects,
    open: impl FnOnce(Arc<Objects>, usize) -> T,
) -> Result<Prepared<StagePlan, T>, WorkloadError> {
    let threads = threads_for(stage);
    let mut objects = objects;
    let mut series_table = SeriesTable::default();
    let mut flows = Vec::new();
    let (mut read_limits_ns, mut seed) = (READ_LIMITS_NS.to_vec(), settings.seed);
    for stream in &stage.streams {
        if let Stream::Transactions { reads, window_ns, .. } = stream {
            read_limits_ns.push(window_ns / u64::from(*reads));
        }
    }
    let mut record = |name: &str, arrivals: Option<Arrivals>, clocks: &[Clock], limits_ns: Vec<u64>| {
        let operation = OperationPlan {
            operation: name.to_owned(),
            device: Some(settings.address.clone()),
            schedule: arrivals,
            clocks: clocks.to_vec(),
            pin_thresholds_ns: limits_ns,
        };
        let first_series_no = series_table.add(operation.clone(), threads, None);
        (operation, first_series_no)
    };
    read_limits_ns.extend(&settings.limits_ns);
    let limits_ns = ascending(read_limits_ns);
    for stream in &stage.streams {
        seed = seed.wrapping_add(1);
        let chooser = chooser(stage.distribution, &objects, seed)?;
        flows.push(match stream {
            Stream::Operations { per_s, kinds, cycle } => {
                let arrivals = per_s.map(arrivals).transpose()?;
                let clocks: &[Clock] =
                    if arrivals.is_some() { &[Clock::Response, Clock::Service] } else { &[Clock::Service] };
                let shares: Vec<f64> = kinds.iter().map(|(_, share)| *share).collect();
                let picks = cycle.as_ref().map_or_else(|| Pick::drawn(seed, 350, &shares), |turns| Pick::cycle(turns));
                let several = kinds.len() > 1;
                let unit = |((operation, _), pick): (&(Operation, f64), &Pick)| {
                    let of_kind = arrivals.map(|all| if several { all.picked(*pick) } else { all });
                    record(operation.name(), of_kind, clocks, limits_ns.clone())
                };
                let units = kinds.iter().zip(&picks).map(unit).collect();
                let composed = kinds.iter().any(|(operation, _)| matches!(operation, Operation::ReadModifyWrite(_)));
                let parts: &[&str] = if composed { &["rmw-read", "rmw-update"] } else { &[] };
                let mut part = |name: &str| record(name, None, &[Clock::Service], limits_ns.clone());
                let commands = parts.iter().map(|name| part(name)).collect();
                let read = kinds.iter().find(|(operation, _)| matches!(operation, Operation::Read(_)));
                let absent = read
                    .filter(|_| objects.may_be_absent && !stage.loads())
                    .map(|(operation, _)| part(&format!("{}-miss", operation.name())));
                let of_updates = stage
                    .update_distribution
                    .map(|distribution| self::chooser(distribution, &objects, seed).map(Box::new))
                    .transpose()?;
                let kinds = kinds.iter().map(|(operation, _)| *operation).zip(picks).collect();
                Flow { kind: FlowKind::Operations { kinds, chooser, of_updates }, arrivals, units, commands, absent }
            }
            Stream::Transactions { per_s, reads, batch, scheduling, fan_out, window_ns } => {
                let arrivals = Some(arrivals(*per_s)?);
                let of_window = WINDOW_PARTS.map(|(part, of)| window_ns * part / of);
                let of_window = ascending(of_window.into_iter().chain(settings.limits_ns.iter().copied()));
                let units = vec![record("transaction", arrivals, &[Clock::Response, Clock::Service], of_window)];
                let name = if *batch > 1 { "batch-read" } else { "read" };
                let commands = vec![record(name, None, &[Clock::Service], limits_ns.clone())];
                objects = objects.with_chooser(chooser.clone());
                let program =
                    Transactions { reads: *reads, batch: *batch, scheduling: *scheduling, fan_out: *fan_out, chooser };
                Flow { kind: FlowKind::Transactions(program), arrivals, units, commands, absent: None }
            }
        });
    }
    let objects = Arc::new(objects);
    let plan = StagePlan {
        flows,
        objects: Arc::clone(&objects),
        scans: stage.scans.map(|lengths| scans(lengths, seed)).transpose()?,
        stage: stage.clone(),
        threads,
        ticks_per_histogram: settings.ticks_per_histogram,
        duration_ns: duration_ns(stage),
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked when the plan was read")]
    let ramp_ns = (stage.ramp_s * 1e9) as u64;
    Ok(Prepared {
        rules: Rules { largest_lateness_ns: None, timeout_ns: settings.timeout_ns, measured: "server" },
        target: open(objects, threads),
        series_table,
        threads,
        duration_ns: plan.duration_ns,
        ramp_ns: if stage.streams.iter().all(is_open) { ramp_ns } else { 0 },
        without_waiting: false,
        plan,
    })
}

/// Returns the share of thread `thread` of `threads` in `all`.
pub fn share(all: usize, threads: usize, thread: usize) -> usize {
    all / threads + usize::from(thread < all % threads)
}

fn ascending(thresholds_ns: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut thresholds_ns: Vec<u64> = thresholds_ns.into_iter().filter(|&threshold_ns| threshold_ns > 0).collect();
    thresholds_ns.sort_unstable();
    thresholds_ns.dedup();
    thresholds_ns
}

fn is_open(stream: &Stream) -> bool {
    !matches!(stream, Stream::Operations { per_s: None, .. })
}

fn arrivals(per_s: impl std::borrow::Borrow<f64>) -> Result<Arrivals, WorkloadError> {
    let rate = Rate::per_second(*per_s.borrow()).map_err(|error| WorkloadError(format!("rate: {error}")))?;
    Ok(Arrivals::from(Schedule::new(rate, 0, 1)))
}

impl StagePlan {
    fn recorder(&self, (operation, first_series_no): &Recorded, part: (u64, u64)) -> Recorder {
        let schedule = operation.schedule.map(|arrivals| arrivals.part(part.0, part.1));
        let operation = OperationPlan { schedule, ..operation.clone() };
        Recorder::new(operation, *first_series_no, self.ticks_per_histogram, self.duration_ns)
    }
}

impl Plan for StagePlan {
    type Command = Command;

    fn lanes(&self, thread: usize, ramp_ns: Option<u64>) -> Vec<Lane<Command>> {
        let (stage, part) = (&self.stage, (thread as u64, self.threads as u64));
        let slots = usize::try_from(stage.connections).unwrap_or(usize::MAX).saturating_mul(stage.pipeline as usize);
        let at_once = u32::try_from(share(slots, self.threads, thread)).unwrap_or(u32::MAX);
        let lane = |flow: &Flow| {
            let pace = match flow.arrivals.map(|arrivals| arrivals.part(part.0, part.1)) {
                Some(arrivals) => Pace::Open(ramp_ns.map_or(arrivals, |ramp_ns| arrivals.ramp(ramp_ns)).cursor()),
                None => Pace::Closed { at_once, pause_ns: 0 },
            };
            let program: Box<dyn Program<Command = Command>> = match &flow.kind {
                FlowKind::Transactions(program) => Box::new(program.clone()),
                FlowKind::Operations { kinds, chooser, of_updates } => Box::new(Mix {
                    kinds: Arc::clone(kinds),
                    objects: Arc::clone(&self.objects),
                    keys: KeySource::new(chooser.clone()),
                    update_keys: of_updates.as_deref().cloned().map(KeySource::new),
                    grows: stage.inserts()
                        && matches!(stage.distribution, Distribution::Latest { .. } | Distribution::Zipfian { .. }),
                    loads: stage.loads(),
                    load_from: stage.load_from,
                    scans: self.scans.clone(),
                }),
            };
            let units = flow.units.iter().map(|kind| self.recorder(kind, part));
            let mut lane = Lane::new(program, pace, units, part);
            if !flow.commands.is_empty() {
                let commands = flow.commands.iter().map(|kind| self.recorder(kind, part));
                lane = lane.of_several(commands, at_once);
            }
            lane = lane.with_absent(flow.absent.as_ref().map(|kind| self.recorder(kind, part)));
            match stage.operations {
                Some(most) => lane.at_most(most),
                None => lane,
            }
        };
        self.flows.iter().map(lane).collect()
    }
}

#[cfg(test)]
#[path = "stage_tests.rs"]
mod tests;
