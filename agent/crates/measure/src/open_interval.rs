//! Counts of an interval that has not ended: exact sums for each clock, and operations without a latency.

/// Exact sums over the latencies of one clock.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    pub count: u64,
    pub sum_ns: u64,
    pub min_ns: Option<u64>,
    pub max_ns: Option<u64>,
    pub pins: Vec<u64>,
}

impl Tally {
    pub fn new(pins: usize) -> Self {
        Self { pins: vec![0; pins], ..Self::default() }
    }

    pub fn record(&mut self, latency_ns: u64, thresholds_ns: &[u64]) {
        self.count += 1;
        self.sum_ns = self.sum_ns.saturating_add(latency_ns);
        self.min_ns = Some(self.min_ns.map_or(latency_ns, |least| least.min(latency_ns)));
        self.max_ns = Some(self.max_ns.map_or(latency_ns, |most| most.max(latency_ns)));
        for (pin, &threshold_ns) in self.pins.iter_mut().zip(thresholds_ns) {
            if latency_ns < threshold_ns {
                break;
            }
            *pin += 1;
        }
    }

    pub fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.sum_ns = self.sum_ns.saturating_add(other.sum_ns);
        self.min_ns = [self.min_ns, other.min_ns].into_iter().flatten().min();
        self.max_ns = [self.max_ns, other.max_ns].into_iter().flatten().max();
        for (sum, part) in self.pins.iter_mut().zip(&other.pins) {
            *sum += part;
        }
    }
}

/// Operations without a latency, and the largest lateness of dispatched operations.
#[derive(Debug, Clone, Copy, Default)]
pub struct Misses {
    pub errors: u64,
    pub timeouts: u64,
    pub unfinished: u64,
    pub lateness_max_ns: u64,
}

impl Misses {
    pub fn add(&mut self, other: Self) {
        self.errors += other.errors;
        self.timeouts += other.timeouts;
        self.unfinished += other.unfinished;
        self.lateness_max_ns = self.lateness_max_ns.max(other.lateness_max_ns);
    }
}

/// Counts of the current tick, histogram interval or run.
#[derive(Debug)]
pub struct OpenInterval {
    pub seq: u64,
    pub start_ns: u64,
    pub misses: Misses,
    pub tallies: Vec<Tally>,
}

impl OpenInterval {
    pub fn new(seq: u64, start_ns: u64, clocks: usize, pins: usize) -> Self {
        Self { seq, start_ns, misses: Misses::default(), tallies: vec![Tally::new(pins); clocks] }
    }

    pub fn add(&mut self, other: &Self) {
        self.misses.add(other.misses);
        for (sum, part) in self.tallies.iter_mut().zip(&other.tallies) {
            sum.add(part);
        }
    }
}
