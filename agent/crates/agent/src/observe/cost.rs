//! Processor time of the observer itself.

use measure::clock::clock;
use rustix::time::ClockId;

use super::gauge::{CounterRates, Gauge, Source};

/// Reader of the processor time of this process.
#[derive(Debug, Default)]
pub struct Cost(CounterRates);

/// Returns the processor time of this process so far, in seconds.
pub fn spent_s() -> f64 {
    clock(ClockId::ProcessCPUTime).as_secs_f64()
}

impl Source for Cost {
    fn gauges(&self) -> Vec<Gauge> {
        vec![Gauge::new("observer", "of a core", "", "percent")]
    }

    fn read(&mut self, elapsed_s: f64, into: &mut Vec<Option<f64>>) {
        let risen = self.0.since(vec![Some(spent_s())]);
        into.extend(risen.into_iter().map(|risen| risen.map(|risen_s| 100.0 * risen_s / elapsed_s)));
    }
}
