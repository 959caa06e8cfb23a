//! The fraud workload: which series it has, what a transaction is made of, and which thread carries out which.

use measure::arrivals::Arrivals;
use measure::book::Book;
use measure::random;
use measure::recorder::{OperationPlan, Recorder};
use measure::schedule::{Rate, Schedule};
use measure::series::{Clock, WorkloadError};
use runner::{Lane, Pace, Plan, Prepared, Program, Rules, Target};

use crate::command::Command;
use crate::plan::FraudPlan;
use crate::redis_target::share;

/// Limits of single reads that are counted exactly, beside the window divided by the reads.
pub(crate) const READ_LIMITS_NS: [u64; 3] = [1_000_000, 8_000_000, 64_000_000];
/// Parts of the window that are counted exactly for transactions: a twentieth, a tenth, a quarter, a half, all, double.
pub(crate) const WINDOW_PARTS: [(u64, u64); 6] = [(1, 20), (1, 10), (1, 4), (1, 2), (1, 1), (2, 1)];
/// Number of the first series of transactions, and of reads.
const FIRST_SERIES: [u16; 2] = [0, 4];
/// One thread is given this many reads per second before there is a second one.
const READS_PER_S_AND_THREAD: f64 = 100_000.0;

/// Reads one after the other, of keys drawn uniformly.
#[derive(Debug, Clone, Copy)]
struct Transaction {
    reads: u32,
    keys: u64,
    seed: u64,
}

impl Program for Transaction {
    type Command = Command;

    fn command(&self, transaction: u64, step: u32) -> Command {
        let number = transaction * u64::from(self.reads) + u64::from(step);
        Command::Read { key: random::below(self.keys, random::bits(self.seed, 1, number)), number }
    }

    fn steps(&self, _: u64) -> u32 {
        self.reads
    }
}

/// Transactions dealt out to threads.
pub struct Fraud {
    program: Transaction,
    transaction: OperationPlan,
    read: OperationPlan,
    arrivals: Arrivals,
    connections: usize,
    threads: usize,
    ticks_per_histogram: u64,
    duration_ns: u64,
}

/// As few threads as the load needs, and one processor left to everything else.
pub fn threads_for(plan: &FraudPlan) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let reads_per_s = plan.transactions_per_s * f64::from(plan.reads_per_transaction);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, then is clamped")]
    let wanted = (reads_per_s / READS_PER_S_AND_THREAD).ceil() as usize;
    wanted.clamp(1, processors.saturating_sub(1).max(1)).min(plan.connections as usize)
}

impl Fraud {
    /// A run of a checked plan over loaded keys.
    pub fn prepared<T: Target<Command = Command>>(
        plan: &FraudPlan,
        target: T,
        threads: usize,
        duration_ns: u64,
        ticks_per_histogram: u64,
    ) -> Result<Prepared<Self, T>, WorkloadError> {
        let rate = Rate::per_second(plan.transactions_per_s)
            .map_err(|error| WorkloadError(format!("fraud plan: transactions_per_s: {error}")))?;
        let arrivals = Arrivals::from(Schedule::new(rate, 0, 1));
        let operation = |name: &str, schedule: Option<Arrivals>, clocks, pin_thresholds_ns| OperationPlan {
            operation: name.into(),
            device: Some(plan.address.clone()),
            schedule,
            clocks,
            pin_thresholds_ns,
        };
        let of_window = WINDOW_PARTS.map(|(part, of)| plan.window_ns * part / of);
        let share_ns = plan.window_ns / u64::from(plan.reads_per_transaction);
        let of_read = READ_LIMITS_NS.into_iter().chain([share_ns]);
        let both = vec![Clock::Response, Clock::Service];
        let transaction = operation("transaction", Some(arrivals), both, ascending(of_window));
        let read = operation("read", None, vec![Clock::Service], ascending(of_read));
        let mut book = Book::default();
        for one in [&transaction, &read] {
            book.add(one.clone(), threads, None);
        }
        let program = Transaction { reads: plan.reads_per_transaction, keys: plan.keys, seed: plan.seed };
        let connections = plan.connections as usize;
        let fraud =
            Self { program, transaction, read, arrivals, connections, threads, ticks_per_histogram, duration_ns };
        Ok(Prepared {
            plan: fraud,
            target,
            book,
            rules: Rules { largest_lateness_ns: None, timeout_ns: plan.read_timeout_ns, measured: "server" },
            threads,
            duration_ns,
            ramp_ns: 0,
            without_waiting: false,
            stack_bytes: None,
        })
    }
}

impl Plan for Fraud {
    type Command = Command;

    fn lanes(&self, thread: usize, ramp_ns: Option<u64>) -> Vec<Lane<Command>> {
        let part = (thread as u64, self.threads as u64);
        let arrivals = self.arrivals.part(part.0, part.1);
        let arrivals = ramp_ns.map_or(arrivals, |ramp_ns| arrivals.ramp(ramp_ns));
        let recorder = |operation: OperationPlan, first_series_no| {
            Recorder::new(operation, first_series_no, self.ticks_per_histogram, self.duration_ns)
        };
        let transaction = OperationPlan { schedule: Some(arrivals), ..self.transaction.clone() };
        let [transactions, reads] = FIRST_SERIES;
        let (transactions, reads) = (recorder(transaction, transactions), recorder(self.read.clone(), reads));
        // A transaction holds a connection from its first read to its last.
        let at_once = u32::try_from(share(self.connections, self.threads, thread)).unwrap_or(u32::MAX);
        let lane = Lane::new(Box::new(self.program), Pace::Open(arrivals.cursor()), transactions, part);
        vec![lane.of_several([reads], at_once)]
    }
}

pub(crate) fn ascending(thresholds_ns: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut thresholds_ns: Vec<u64> = thresholds_ns.into_iter().filter(|&threshold_ns| threshold_ns > 0).collect();
    thresholds_ns.sort_unstable();
    thresholds_ns.dedup();
    thresholds_ns
}

#[cfg(test)]
#[path = "fraud_tests.rs"]
pub(crate) mod tests;
