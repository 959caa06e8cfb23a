//! The state of load generator and device while one operation was measured: lateness caused by the generator, processor time of its
//! threads, and operations under way. They decide whether a slice is reliable (docs/method.md section 4.4).

use std::sync::Arc;

use crate::histogram::LatencyHistogram;

/// Precision of lateness: enough to compare it with a tenth of a limit.
const DIGITS: u8 = 2;

/// Collects conditions for the current tick and the current histogram interval.
#[derive(Debug)]
pub(crate) struct Conditions {
    /// Lateness that the generator itself caused.
    pub lateness: LatencyHistogram,
    lateness_in_wide: LatencyHistogram,
    /// Number of operations under way and age of the oldest in nanoseconds, as reported since the last tick.
    pub under_way: Option<(u64, u64)>,
    /// Processor time of each thread that has reported.
    busy: Vec<Busy>,
}

/// Processor time of one thread.
#[derive(Debug, Clone, Copy, Default)]
struct Busy {
    /// Reported time that is not yet in a tick.
    reported_ns: u64,
    /// Time in the ticks of the current histogram interval.
    in_wide_ns: u64,
}

/// Conditions of a finished interval, shared by all clocks.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConditionsCut {
    /// `None` if no operation began.
    pub lateness: Option<Arc<LatencyHistogram>>,
    pub busy_ns: Option<u64>,
    /// Number of operations under way and age of the oldest in nanoseconds.
    pub under_way: Option<(u64, u64)>,
}

impl Conditions {
    pub(crate) fn new() -> Self {
        let empty = || LatencyHistogram::with_digits(DIGITS);
        Self { lateness: empty(), lateness_in_wide: empty(), under_way: None, busy: Vec::new() }
    }

    /// Adds processor time that `thread` used since its last report.
    pub(crate) fn busy(&mut self, thread: usize, busy_ns: u64) {
        if self.busy.len() <= thread {
            self.busy.resize(thread + 1, Busy::default());
        }
        self.busy[thread].reported_ns += busy_ns;
    }

    /// Ends a tick. `seen_now` states that the reported operations under way belong to this tick, not to a later one.
    pub(crate) fn cut_tick(&mut self, duration_ns: u64, seen_now: bool) -> ConditionsCut {
        let lateness = std::mem::replace(&mut self.lateness, LatencyHistogram::with_digits(DIGITS));
        self.lateness_in_wide.add(&lateness);
        let parts = self.busy.iter_mut().map(|busy| {
            // A thread reports shortly after the end of a tick: time beyond the tick's duration belongs to the next.
            let part_ns = busy.reported_ns.min(duration_ns);
            busy.reported_ns -= part_ns;
            busy.in_wide_ns += part_ns;
            part_ns
        });
        let busy_ns = parts.max();
        let under_way = if seen_now { self.under_way.take() } else { None };
        ConditionsCut { lateness: non_empty(lateness), busy_ns, under_way }
    }

    /// Ends a histogram interval, after its last tick. The processor time is that of the thread with the largest sum over the
    /// ticks. Adding up the busiest thread of each tick would overstate it if threads alternate.
    pub(crate) fn cut_wide(&mut self) -> ConditionsCut {
        let lateness = std::mem::replace(&mut self.lateness_in_wide, LatencyHistogram::with_digits(DIGITS));
        let busy_ns = self.busy.iter_mut().map(|busy| std::mem::take(&mut busy.in_wide_ns)).max();
        ConditionsCut { lateness: non_empty(lateness), busy_ns, under_way: None }
    }
}

fn non_empty(lateness: LatencyHistogram) -> Option<Arc<LatencyHistogram>> {
    (lateness.count() > 0).then(|| Arc::new(lateness))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn the_busiest_thread_of_an_interval_is_one_thread() {
        let mut conditions = Conditions::new();
        assert_eq!(conditions.cut_tick(SECOND, true).busy_ns, None, "no report");
        conditions.cut_wide();
        for (first_ns, second_ns) in [(600, 100), (0, 700)] {
            conditions.busy(0, first_ns);
            conditions.busy(1, second_ns);
            assert_eq!(conditions.cut_tick(SECOND, true).busy_ns, Some(first_ns.max(second_ns)));
        }
        assert_eq!(conditions.cut_wide().busy_ns, Some(800), "not 600 + 700");
        assert_eq!(conditions.cut_tick(SECOND, true).busy_ns, Some(0), "told before, so nothing new is nothing");
    }

    #[test]
    fn no_thread_is_busy_for_longer_than_a_tick_lasts() {
        let mut conditions = Conditions::new();
        conditions.busy(0, SECOND + 5);
        assert_eq!(conditions.cut_tick(SECOND, true).busy_ns, Some(SECOND));
        assert_eq!(conditions.cut_tick(SECOND, true).busy_ns, Some(5));
        assert_eq!(conditions.cut_wide().busy_ns, Some(SECOND + 5));
    }

    #[test]
    fn what_is_under_way_is_true_of_one_moment() {
        let mut conditions = Conditions::new();
        conditions.under_way = Some((3, 700));
        assert_eq!(conditions.cut_tick(SECOND, false).under_way, None);
        assert_eq!(conditions.cut_tick(SECOND, true).under_way, Some((3, 700)));
        assert_eq!(conditions.cut_tick(SECOND, true).under_way, None, "nobody looked again");
    }

    #[test]
    fn a_histogram_interval_has_the_lateness_of_its_ticks() {
        let mut conditions = Conditions::new();
        for _ in 0..3 {
            conditions.lateness.record(5_000);
            assert_eq!(conditions.cut_tick(SECOND, true).lateness.map(|lateness| lateness.count()), Some(1));
        }
        assert!(conditions.cut_tick(SECOND, true).lateness.is_none(), "nothing began");
        assert_eq!(conditions.cut_wide().lateness.map(|lateness| lateness.count()), Some(3));
        assert!(conditions.cut_wide().lateness.is_none());
    }
}
