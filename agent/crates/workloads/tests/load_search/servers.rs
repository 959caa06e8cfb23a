//! Servers with queues, simulated operation by operation, with known knees.
//!
//! Each has several workers with exponential service times and Poisson arrivals (M/M/c), whose knee follows from Erlang's formula.
//! Four kinds add effects that make measurements difficult. The knee of servers with pauses, for which there is no formula, is
//! determined by long simulations. The times of each kind can be scaled, which scales the knee.

use workloads::load_search::Counts;

use super::random::Random;

pub const QUANTILE: f64 = 0.99;
pub const OBJECTIVE_S: f64 = 0.02;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A queue only.
    Queue,
    /// All workers pause now and then.
    Pauses,
    /// Slow until the cache is full; the knee is that at the end of the search.
    Cache,
    /// Fast until the credits are used up; the knee is that without credits.
    Throttle,
    /// Becomes slower or faster during the search; the knee is that at its end.
    Drift,
}

pub const KINDS: [Kind; 5] = [Kind::Queue, Kind::Pauses, Kind::Cache, Kind::Throttle, Kind::Drift];

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Queue => "queue (M/M/c)",
            Self::Pauses => "pauses of collection",
            Self::Cache => "cache that fills",
            Self::Throttle => "throttle after a time",
            Self::Drift => "drift",
        }
    }
}

pub struct Server {
    kind: Kind,
    random: Random,
    workers: usize,
    /// Mean service time of an operation, in seconds.
    service_s: f64,
    /// Time between two pauses and length of a pause, in seconds.
    pauses_s: (f64, f64),
    /// Factor of the service time with an empty cache or without credits.
    slower: f64,
    /// Number of operations after which the cache is full except for a share of 1/e.
    cache_operations: f64,
    /// Time until the credits are used up, in seconds.
    throttle_after_s: f64,
    /// Relative change of the service time per hour.
    drift_per_hour: f64,
    now_s: f64,
    operations: f64,
    start_share: f64,
    /// Knee of a server with pauses, once it was simulated.
    long_run_knee_per_s: Option<f64>,
}

impl Server {
    pub fn new(kind: Kind, seed: u64) -> Self {
        let mut random = Random(seed.wrapping_mul(0x5851_f42d_4c95_7f2d) ^ kind as u64);
        let workers = 1 << (seed % 3);
        // The slowest mean service time is a seventh of the objective: above a fifth, no load passes.
        let slowest_s = OBJECTIVE_S / random.between(7.0, 14.0);
        let slower = random.between(1.2, 2.0);
        let has_slower = matches!(kind, Kind::Cache | Kind::Throttle);
        let period_s = random.between(0.7, 2.5);
        Self {
            kind,
            workers,
            service_s: if has_slower { slowest_s / slower } else { slowest_s },
            slower,
            pauses_s: (period_s, period_s * random.between(0.001, 0.004)),
            cache_operations: random.evenly_on_logarithm(1_000.0, 100_000.0),
            throttle_after_s: random.between(10.0, 120.0),
            drift_per_hour: random.between(-1.0, 1.0),
            now_s: 0.0,
            operations: 0.0,
            long_run_knee_per_s: None,
            start_share: random.evenly_on_logarithm(1.0 / 64.0, 1.0),
            random,
        }
    }

    pub fn now_s(&self) -> f64 {
        self.now_s
    }

    /// Returns a first load below the knee, by a factor of up to 64.
    pub fn start_load(&mut self) -> f64 {
        self.start_share * self.knee_per_s()
    }

    /// Returns the highest load at which the objective holds indefinitely.
    pub fn knee_per_s(&mut self) -> f64 {
        match self.kind {
            Kind::Queue => erlang_knee_per_s(self.workers, self.service_s),
            Kind::Throttle => erlang_knee_per_s(self.workers, self.service_s * self.slower),
            Kind::Cache | Kind::Drift => erlang_knee_per_s(self.workers, self.mean_service_s(self.now_s)),
            Kind::Pauses => {
                let knee_per_s = self.long_run_knee_per_s.unwrap_or_else(|| self.simulated_knee_per_s());
                *self.long_run_knee_per_s.insert(knee_per_s)
            }
        }
    }

    fn drift_at(&self, now_s: f64) -> f64 {
        1.0 + self.drift_per_hour * now_s / 3_600.0
    }

    /// Runs a probe of one load until `is_over` is true for its slices, and returns the counts of each slice.
    pub fn probe(
        &mut self,
        per_s: f64,
        warm_up_s: f64,
        (slices, each_s): (usize, f64),
        is_over: &dyn Fn(&[Counts]) -> bool,
    ) -> Vec<Counts> {
        let (mut counts, begin_s) = (vec![Counts { late: 0, all: 0 }; slices], self.now_s);
        let mut free_at_s = vec![begin_s; self.workers];
        let mut pause_s = (begin_s + self.random.exponential(self.pauses_s.0), self.pauses_s.1);
        let mut end_s = begin_s + warm_up_s + slices as f64 * each_s;
        let mut whole_slices = 0;
        let mut arrival_s = begin_s + self.random.exponential(1.0 / per_s);
        while arrival_s < end_s {
            let mean_s = self.mean_service_s(arrival_s);
            let service_s = self.random.exponential(mean_s);
            self.operations += 1.0;
            let first = (0..self.workers).min_by(|a, b| free_at_s[*a].total_cmp(&free_at_s[*b])).expect("a worker");
            let mut done_s = free_at_s[first].max(arrival_s) + service_s;
            if self.kind == Kind::Pauses {
                while pause_s.0 + pause_s.1 < arrival_s {
                    pause_s.0 += pause_s.1 + self.random.exponential(self.pauses_s.0);
                }
                // Work under way when the pause begins is delayed by its length.
                let under_way_s = done_s - service_s;
                if under_way_s < pause_s.0 + pause_s.1 && done_s > pause_s.0 {
                    done_s = done_s.max(pause_s.0 + pause_s.1) + (done_s - pause_s.0.max(under_way_s)).min(service_s);
                }
            }
            free_at_s[first] = done_s;
            let slice = (arrival_s - begin_s - warm_up_s) / each_s;
            if slice >= 0.0 {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative, and small")]
                let number = (slice as usize).min(slices - 1);
                if number > whole_slices {
                    whole_slices = number;
                    if is_over(&counts[..number]) {
                        counts.truncate(number);
                        end_s = begin_s + warm_up_s + number as f64 * each_s;
                        break;
                    }
                }
                let count = &mut counts[number];
                count.late += u64::from(done_s - arrival_s >= OBJECTIVE_S);
                count.all += 1;
            }
            arrival_s += self.random.exponential(1.0 / per_s);
        }
        // One second between two probes.
        self.now_s = end_s + 1.0;
        counts
    }

    fn mean_service_s(&self, now_s: f64) -> f64 {
        let times = match self.kind {
            Kind::Queue | Kind::Pauses => 1.0,
            Kind::Cache => 1.0 + (self.slower - 1.0) * (-self.operations / self.cache_operations).exp(),
            Kind::Throttle if now_s < self.throttle_after_s => 1.0,
            Kind::Throttle => self.slower,
            Kind::Drift => self.drift_at(now_s),
        };
        times * self.service_s
    }

    /// Returns the knee by bisection on simulations of 150,000 operations each.
    fn simulated_knee_per_s(&self) -> f64 {
        let most = self.workers as f64 / self.service_s;
        let (mut lower, mut upper) = (0.0, most);
        for _ in 0..9 {
            let middle = f64::midpoint(lower, upper);
            let mut copy = Self { random: Random(7), now_s: 0.0, operations: 0.0, ..*self };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of seconds")]
            let counts = copy.probe(middle, 5.0, ((150_000.0 / middle) as usize, 1.0), &|_| false);
            let (late, all) = counts.iter().fold((0, 0), |sum, slice| (sum.0 + slice.late, sum.1 + slice.all));
            if late as f64 <= (1.0 - QUANTILE) * all as f64 { lower = middle } else { upper = middle }
        }
        f64::midpoint(lower, upper)
    }
}

/// Returns the load at which `1 - QUANTILE` of the operations of an M/M/c queue exceed the objective.
fn erlang_knee_per_s(workers: usize, service_s: f64) -> f64 {
    let (mut lower, mut upper) = (0.0, workers as f64 / service_s);
    for _ in 0..60 {
        let middle = f64::midpoint(lower, upper);
        if late_share(workers, service_s, middle) <= 1.0 - QUANTILE { lower = middle } else { upper = middle }
    }
    lower
}

/// Returns the share of operations of an M/M/c queue whose waiting and service time exceeds the objective.
fn late_share(workers: usize, service_s: f64, per_s: f64) -> f64 {
    let (offered, count, rate) = (per_s * service_s, workers as f64, 1.0 / service_s);
    let mut blocked = 1.0;
    for number in 1..=workers {
        blocked = offered * blocked / (number as f64 + offered * blocked);
    }
    let waits = count * blocked / (count - offered * (1.0 - blocked));
    // Waiting time is exponential with rate `drain`, with probability `waits`; service is exponential with `rate`.
    let drain = count * rate - per_s;
    let (service_late, drain_late) = ((-rate * OBJECTIVE_S).exp(), (-drain * OBJECTIVE_S).exp());
    let both_late = if (drain - rate).abs() < 1e-9 * rate {
        service_late * (1.0 + rate * OBJECTIVE_S)
    } else {
        (drain * service_late - rate * drain_late) / (drain - rate)
    };
    (1.0 - waits) * service_late + waits * both_late
}
