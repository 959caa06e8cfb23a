//! The reporting thread: it merges the results of the measuring threads, serializes histograms, writes to the sink and updates the
//! live view, so that the measuring threads do no slow work.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use crate::histogram::Encoder;
use crate::recorder::Cut;
use crate::series::{Interval, IntervalSink, WorkloadError};
use crate::series_table::{Merge, SeriesTable};
use crate::view::View;

/// Accepts finished intervals without blocking.
#[derive(Debug, Clone)]
pub struct Reporter(Sender<Vec<Cut>>);

impl Reporter {
    /// Hands over intervals, which must be in order of `seq` within each series.
    pub fn cuts(&self, cuts: Vec<Cut>) {
        if !cuts.is_empty() {
            // Sending fails only if the sink panicked, and that panic ends the scope.
            let _ = self.0.send(cuts);
        }
    }
}

/// Runs `measuring` beside a reporting thread and returns when everything has reached the sink.
///
/// The queue is unbounded: a few dozen intervals a second need little memory, and losing one would invalidate the run. Fails if
/// the reporting thread cannot be started; then nothing was measured.
pub fn with_reporter<R>(
    series_table: &SeriesTable,
    sink: &dyn IntervalSink,
    measuring: impl FnOnce(&Reporter) -> R,
) -> Result<R, WorkloadError> {
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        thread::Builder::new()
            .name("report".into())
            .spawn_scoped(scope, move || pass_on(&receiver, series_table, sink))
            .map_err(|error| {
                WorkloadError(format!(
                    "the thread that reports cannot be started: {error}; raise the limit of processes (ulimit -u)"
                ))
            })?;
        // Moved into this closure, so that it is dropped at the end, even after a panic, which ends the other thread.
        let reporter = Reporter(sender);
        Ok(measuring(&reporter))
    })
}

fn pass_on(receiver: &Receiver<Vec<Cut>>, series_table: &SeriesTable, sink: &dyn IntervalSink) {
    let (mut merge, mut view, mut encoder) = (Merge::new(series_table), View::new(series_table), Encoder::default());
    for cuts in receiver {
        let mut merged = Vec::with_capacity(cuts.len());
        for cut in cuts {
            merge.add(cut, &mut merged);
        }
        let (mut progress, mut slices) = (Vec::new(), Vec::new());
        for cut in &merged {
            progress.extend(view.add(cut));
            slices.extend(view.slice(cut));
        }
        if !merged.is_empty() {
            sink.intervals(merged.into_iter().map(|cut| finished(cut, &mut encoder)).collect());
        }
        for slice in slices {
            sink.slice(slice);
        }
        for progress in progress {
            sink.progress(progress);
        }
    }
}

fn finished(cut: Cut, encoder: &mut Encoder) -> Interval {
    let histogram = cut.histogram.map(|histogram| encoder.encode(&histogram));
    Interval { histogram, ..cut.interval }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    use crate::recorder::{OperationPlan, Recorder, Times};
    use crate::series::{Clock, Progress};

    #[derive(Default)]
    struct Memory(Mutex<Vec<Interval>>, Mutex<Vec<Progress>>);

    impl IntervalSink for Memory {
        fn intervals(&self, intervals: Vec<Interval>) {
            self.0.lock().expect("not poisoned").extend(intervals);
        }

        fn progress(&self, progress: Progress) {
            self.1.lock().expect("not poisoned").push(progress);
        }
    }

    #[test]
    fn everything_has_reached_the_sink_when_the_scope_ends() {
        let plan = OperationPlan {
            operation: "read".into(),
            device: None,
            schedule: None,
            clocks: vec![Clock::Service],
            pin_thresholds_ns: vec![],
        };
        let (memory, mut series_table) = (Memory::default(), SeriesTable::default());
        series_table.add(plan.clone(), 1, None);
        with_reporter(&series_table, &memory, |reporter| {
            let mut recorder = Recorder::new(plan, 0, 1, 2_000_000_000);
            let mut cuts = Vec::new();
            recorder.completed(Times { intended_ns: 0, submitted_ns: 0, completed_ns: 5_000 });
            recorder.finish(2_000_000_000, 0, &mut cuts);
            reporter.cuts(cuts);
        })
        .expect("reported");
        let shown = memory.1.into_inner().expect("not poisoned");
        assert_eq!(shown.iter().map(|progress| progress.elapsed_s).collect::<Vec<_>>(), [1.0, 2.0]);
        let intervals = memory.0.into_inner().expect("not poisoned");
        let with_bytes: Vec<_> = intervals.iter().filter(|interval| interval.histogram.is_some()).collect();
        assert_eq!(intervals.len(), 4, "two ticks, two histogram intervals");
        assert_eq!(with_bytes.len(), 1, "only the histogram interval that is not empty");
    }
}
