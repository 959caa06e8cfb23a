//! Processor time by state, of all cores together and of each core, from `/proc/stat`.

use std::path::Path;

use super::gauge::{CounterRates, Gauge, OpenFile, Source, UnknownGroup};

/// Fields of a line after its name; time of guests is already part of `user` and `nice`.
const STATES: [&str; 8] = ["user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"];
const IDLE: usize = 3;
const IOWAIT: usize = 4;

/// Reader of `/proc/stat`.
#[derive(Debug)]
pub struct Processors {
    file: OpenFile,
    /// All cores together first, then each core.
    names: Vec<String>,
    rises: CounterRates,
}

impl Processors {
    /// Opens the file and lists the cores.
    pub fn open(proc: &Path) -> Result<Self, UnknownGroup> {
        let missing = |why: &dyn std::fmt::Display| UnknownGroup::new("cpu", format!("/proc/stat: {why}"));
        let mut file = OpenFile::open(&proc.join("stat")).map_err(|error| missing(&error))?;
        let text = file.text().map_err(|error| missing(&error))?;
        let names = text.lines().take_while(|line| line.starts_with("cpu"));
        let names: Vec<String> = names.filter_map(|line| line.split(' ').next().map(str::to_owned)).collect();
        if names.is_empty() {
            return Err(missing(&"it names no processor"));
        }
        Ok(Self { file, names, rises: CounterRates::default() })
    }

    fn counters(&mut self) -> Vec<Option<f64>> {
        let mut counters = vec![None; self.names.len() * STATES.len()];
        let Ok(text) = self.file.text() else { return counters };
        let mut number = 0;
        for line in text.lines().take_while(|line| line.starts_with("cpu")) {
            let mut fields = line.split_ascii_whitespace();
            let name = fields.next().unwrap_or_default();
            // A core that is switched off has no line; a core that is added later has no gauge.
            while self.names.get(number).is_some_and(|known| known != name) {
                number += 1;
            }
            let Some(own) = counters.get_mut(number * STATES.len()..(number + 1) * STATES.len()) else { break };
            for (counter, field) in own.iter_mut().zip(fields) {
                *counter = field.parse().ok();
            }
            number += 1;
        }
        counters
    }
}

impl Source for Processors {
    fn gauges(&self) -> Vec<Gauge> {
        let states = STATES.iter().enumerate().filter(|(state, _)| *state != IDLE).map(|(_, name)| *name);
        let states: Vec<&str> = std::iter::once("busy").chain(states).collect();
        let of = |name: &String| name.trim_start_matches("cpu").to_owned();
        let group = |of: &str| if of.is_empty() { "cpu" } else { "core" };
        self.names
            .iter()
            .map(of)
            .flat_map(|of| states.iter().map(move |state| Gauge::new(group(&of), state, &of, "percent")))
            .collect()
    }

    fn read(&mut self, _: f64, into: &mut Vec<Option<f64>>) {
        let counters = self.counters();
        let risen = self.rises.since(counters);
        for of_one in risen.chunks(STATES.len()) {
            // Shares of all counted time are right even if a read is late.
            let all: Option<f64> = of_one.iter().copied().sum::<Option<f64>>().filter(|all| *all > 0.0);
            let percent = |ticks: f64| all.map(|all| 100.0 * ticks / all);
            let waits = of_one[IDLE].unwrap_or_default() + of_one[IOWAIT].unwrap_or_default();
            into.push(all.and_then(|all| percent(all - waits)));
            let states = of_one.iter().enumerate().filter(|(state, _)| *state != IDLE);
            into.extend(states.map(|(_, ticks)| ticks.and_then(percent)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn shares_are_of_all_ticks_and_a_core_that_was_switched_off_is_not_known() {
        let folder = tempfile::tempdir().expect("a folder");
        let say = |text: &str| fs::write(folder.path().join("stat"), text).expect("written");
        say("cpu  10 0 10 100 0 0 0 0 0 0\ncpu0 5 0 5 50 0 0 0 0 0 0\ncpu1 5 0 5 50 0 0 0 0 0 0\nintr 1\n");
        let mut processors = Processors::open(folder.path()).expect("found");
        let mut numbers = Vec::new();
        processors.read(1.0, &mut numbers);
        assert!(numbers.iter().all(Option::is_none), "nothing to count from yet");
        say("cpu  80 0 20 110 10 0 0 0 0 0\ncpu1 75 0 15 60 0 0 0 0 0 0\nintr 2\n");
        numbers.clear();
        processors.read(1.0, &mut numbers);
        let gauges = processors.gauges();
        let of = |name: &str, of: &str| {
            numbers[gauges.iter().position(|gauge| gauge.name == name && gauge.of == of).expect("a gauge")]
        };
        assert_eq!((of("busy", ""), of("user", ""), of("iowait", "")), (Some(80.0), Some(70.0), Some(10.0)));
        assert_eq!((of("busy", "0"), of("user", "0")), (None, None));
        assert!((of("busy", "1").expect("known") - 800.0 / 9.0).abs() < 1e-9);
    }
}
