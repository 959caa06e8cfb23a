//! `tailroom-agent observe`: reads gauges of this machine each second and sends them, to be shown beside runs measured meanwhile.
//!
//! Seconds begin on whole seconds of the backend's clock, which is compared again each minute. So numbers of several machines and
//! of a campaign share a time axis, with a known error.

mod gauges;
mod kernel_files;
mod observation;
mod sender;
pub mod sensors;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use measure::clock::{unix_time, whole_ns};
use serde_json::json;
use wire::messages::RunId;

use crate::cli::ObserveArgs;
use crate::failure::{Failure, NOT_DELIVERED};
use crate::inventory;
use crate::selftest::process_cpu;
use crate::serve::clock::{SAMPLES, ServerClock};
use crate::state_folder::spool_folder;
use crate::stop::on_signals;
use crate::transport::Transport;

use gauges::{CounterRates, Gauge, Source, UnknownGroup};
use observation::{Announcement, ObservationReader, ObservationWriter, Sample};
use sender::{deliver, deliver_left};

const SECOND: Duration = Duration::from_secs(1);
const SECOND_NS: u64 = 1_000_000_000;
const CLOCK_EVERY_S: u64 = 60;
/// Most samples of one observation; the next observation begins after them.
const MOST_SAMPLES: u64 = 86_400;

/// Observes until it is stopped or `--duration-s` has passed.
pub fn observe(args: &ObserveArgs) -> Result<ExitCode, Failure> {
    let transport = Transport::from_args(&args.backend)?.map(Arc::new);
    if transport.is_none() && !args.print {
        return Err(Failure::Usage("name the backend: --backend URL; --print shows numbers without one".to_owned()));
    }
    let root = root_of(&spool_folder(&args.spool)?);
    let (stop, signals) = on_signals()?;
    let mut clock = ServerClock::default();
    if let Some(transport) = &transport {
        clock.compare(transport, SAMPLES);
    }
    let mut gauges = Gauges::find(Path::new("/proc"), Path::new("/sys"));
    for UnknownGroup { group, reason } in &gauges.unknown {
        eprintln!("tailroom-agent: {group} is unknown: {reason}");
    }
    let (begun, cost_s) = (Instant::now(), process_cpu().as_secs_f64());
    let mut left_s = args.duration_s;
    let is_delivered = loop {
        let length_s = left_s.unwrap_or(MOST_SAMPLES).min(MOST_SAMPLES);
        let mut observation = Observation { args, transport: transport.as_ref(), root: &root, clock: &mut clock };
        let (seconds, delivered) = observation.run(&mut gauges, length_s, &signals)?;
        left_s = left_s.map(|left_s| left_s - seconds.min(left_s));
        if stop.flag.is_stopped() || left_s == Some(0) {
            break delivered;
        }
    };
    let share = (process_cpu().as_secs_f64() - cost_s) / begun.elapsed().as_secs_f64().max(0.001);
    eprintln!("tailroom-agent: observing took {:.2} % of a core", share * 100.0);
    Ok(if is_delivered { ExitCode::SUCCESS } else { ExitCode::from(NOT_DELIVERED) })
}

/// Returns the folder of observations, beside the spool of runs.
fn root_of(spool: &Path) -> PathBuf {
    spool.with_file_name(format!(
        "{}-observations",
        spool.file_name().map_or_else(|| "spool".into(), |name| name.to_string_lossy().into_owned())
    ))
}

struct Observation<'a> {
    args: &'a ObserveArgs,
    transport: Option<&'a Arc<Transport>>,
    root: &'a Path,
    clock: &'a mut ServerClock,
}

impl Observation<'_> {
    fn failure(&self, error: &std::io::Error) -> Failure {
        Failure::Workload(format!("{}: {error}", self.root.display()))
    }

    /// Runs one observation. Returns its length in seconds, and whether all of it was delivered.
    fn run(&mut self, gauges: &mut Gauges, length_s: u64, signals: &Receiver<Instant>) -> Result<(u64, bool), Failure> {
        fs::create_dir_all(self.root).map_err(|error| self.failure(&error))?;
        let mut grid = Grid::begin(self.clock);
        let announcement = Announcement {
            host_name: self.args.name.clone().unwrap_or_else(inventory::hostname),
            servers: self.args.server.clone(),
            started_at_unix_ns: grid.start_unix_ns,
            clock_error_ns: grid.error_ns,
            gauges: gauges.list.clone(),
            unknown: gauges.unknown.clone(),
            agent: json!(inventory::agent_version()),
        };
        let mut writer = ObservationWriter::begin(self.root, &RunId::new().to_string(), &announcement)
            .map_err(|error| self.failure(&error))?;
        let sender = self.transport.map(|transport| {
            let (end, ended) = bounded::<()>(0);
            let (transport, folder, root) = (Arc::clone(transport), writer.folder.clone(), self.root.to_owned());
            let every = Duration::from_secs(self.args.every_s);
            let timeout = Duration::from_secs(self.args.deliver_wait_s);
            (end, thread::spawn(move || send(&transport, &root, &folder, every, timeout, &ended)))
        });
        if let Some(transport) = self.transport {
            println!("Observing for {} as {}.", transport.base_url, announcement.host_name);
        }
        if wait_until(grid.begin_of(self.clock, 0), signals) {
            gauges.read(1.0);
            self.sample(gauges, &mut writer, &mut grid, length_s, signals)?;
        }
        writer.end().map_err(|error| self.failure(&error))?;
        let seconds = writer.written;
        let is_delivered = sender.is_none_or(|(end, thread)| {
            drop(end);
            thread.join().unwrap_or(false)
        });
        if self.transport.is_none() {
            // Without a backend the samples were only printed.
            let _ = fs::remove_dir_all(&writer.folder);
        }
        Ok((seconds, is_delivered))
    }

    fn sample(
        &mut self,
        gauges: &mut Gauges,
        writer: &mut ObservationWriter,
        grid: &mut Grid,
        length_s: u64,
        signals: &Receiver<Instant>,
    ) -> Result<(), Failure> {
        let mut last = Instant::now();
        while writer.written < length_s {
            if writer.written % CLOCK_EVERY_S == CLOCK_EVERY_S - 1
                && let Some(transport) = self.transport
            {
                self.clock.compare(transport, 3);
            }
            if !wait_until(grid.begin_of(self.clock, writer.written + 1), signals) {
                return Ok(());
            }
            let now = Instant::now();
            let elapsed = now - last;
            let numbers = gauges.read(elapsed.as_secs_f64());
            last = now;
            // If the machine was suspended, the missed seconds are unknown: a mean over several is not the value of one.
            let unknown: Sample = vec![None; numbers.len()];
            while writer.written + 1 < length_s && now >= grid.begin_of(self.clock, writer.written + 2) {
                writer.append(&unknown).map_err(|error| self.failure(&error))?;
            }
            let is_second = elapsed > SECOND / 2 && elapsed < SECOND * 3 / 2;
            let numbers = if is_second { numbers } else { unknown };
            if self.args.print {
                show(gauges, &numbers);
            }
            writer.append(&numbers).map_err(|error| self.failure(&error))?;
        }
        Ok(())
    }
}

fn show(gauges: &Gauges, numbers: &Sample) {
    let shown = gauges.list.iter().zip(numbers).filter_map(|(gauge, number)| {
        let label = [&*gauge.group, &*gauge.name, &*gauge.of].into_iter().filter(|part| !part.is_empty());
        Some((label.collect::<Vec<_>>().join(" "), json!((*number)?)))
    });
    println!("{}", serde_json::Value::Object(shown.collect()));
}

/// Sends until the observation is over and delivered, at most until `timeout` after its end. Returns whether it is delivered.
fn send(
    transport: &Transport,
    root: &Path,
    folder: &Path,
    every: Duration,
    timeout: Duration,
    ended: &Receiver<()>,
) -> bool {
    let mut reader = ObservationReader::of(folder);
    let (mut last_report, mut over_at) = (String::new(), None);
    let mut report = |sentence: String| {
        if last_report != sentence {
            eprintln!("tailroom-agent: {sentence}");
            last_report = sentence;
        }
    };
    loop {
        match deliver(transport, &mut reader) {
            Ok(is_over) => {
                deliver_left(transport, root, folder).into_iter().for_each(&mut report);
                if is_over {
                    return reader.remove().is_ok();
                }
            }
            Err(error) if error.is_final() => {
                report(format!("{error}; it stays in the spool ({})", folder.display()));
                return false;
            }
            Err(error) => report(format!("{error}; it stays in the spool")),
        }
        match over_at {
            None if ended.recv_timeout(every) != Err(RecvTimeoutError::Timeout) => {
                over_at = Some(Instant::now() + timeout);
            }
            Some(over_at) if Instant::now() > over_at => return false,
            Some(_) => thread::sleep(SECOND),
            None => {}
        }
    }
}

/// Waits until `at`; returns `false` if a signal ended the wait.
fn wait_until(at: Instant, signals: &Receiver<Instant>) -> bool {
    matches!(signals.recv_deadline(at), Err(RecvTimeoutError::Timeout))
}

/// The gauges of an observer: a list that is fixed for the whole observation, and a number for each every second.
struct Gauges {
    sources: Vec<Source>,
    /// The gauges, in the order of the numbers that [`Self::read`] returns.
    list: Vec<Gauge>,
    /// Groups of gauges that this machine does not have.
    unknown: Vec<UnknownGroup>,
}

impl Gauges {
    /// Opens all gauges below `proc` and `sys`.
    fn find(proc: &Path, sys: &Path) -> Self {
        let (power, unknown_power) = sensors::power(sys);
        let sources = [
            kernel_files::processors(proc),
            kernel_files::disks(proc, sys),
            kernel_files::network(proc),
            kernel_files::pressure(proc),
            kernel_files::memory(proc),
            sensors::temperatures(sys),
        ];
        let mut gauges = Self { sources: Vec::new(), list: Vec::new(), unknown: Vec::new() };
        for source in sources.into_iter().chain(power.map(Ok)).chain([Ok(own_cost())]) {
            match source {
                Ok(source) => gauges.sources.push(source),
                Err(reason) => gauges.unknown.push(reason),
            }
        }
        gauges.unknown.extend(unknown_power);
        gauges.list = gauges.sources.iter().flat_map(|source| source.gauges.clone()).collect();
        // The first read only gives counters the values from which the second counts.
        gauges.read(1.0);
        gauges
    }

    /// Returns one number for each gauge; `elapsed_s` is the time since the last read.
    fn read(&mut self, elapsed_s: f64) -> Vec<Option<f64>> {
        let numbers = self.sources.iter_mut().flat_map(|source| (source.read)(elapsed_s));
        let rounded = |number: f64| (number * 1e3).round() / 1e3;
        numbers.map(|number| number.filter(|number| number.is_finite()).map(rounded)).collect()
    }
}

/// Returns the processor time of the observer itself.
fn own_cost() -> Source {
    let mut counters = CounterRates::default();
    let read = move |elapsed_s: f64| {
        let risen = counters.since(vec![Some(process_cpu().as_secs_f64())]);
        risen.into_iter().map(|risen| risen.map(|risen_s| 100.0 * risen_s / elapsed_s)).collect()
    };
    Source { gauges: vec![Gauge::new("observer", "of a core", "", "percent")], read: Box::new(read) }
}

/// The whole seconds of an observation.
struct Grid {
    start_unix_ns: u64,
    error_ns: Option<u64>,
    start: Instant,
}

impl Grid {
    /// Returns a grid that begins at the next whole second of the backend's clock, or of this machine's if that is unknown.
    fn begin(clock: &ServerClock) -> Self {
        let now = Instant::now();
        let unix_ns = clock.unix_ns_at(now);
        let now_ns = unix_ns.unwrap_or_else(|| whole_ns(unix_time()));
        let start_unix_ns = (now_ns / SECOND_NS + 1) * SECOND_NS;
        // The error must hold until the clocks are compared again.
        let error = unix_ns.and(clock.error_at(now + Duration::from_secs(CLOCK_EVERY_S)));
        Self { start_unix_ns, error_ns: error.map(whole_ns), start: now + Duration::from_nanos(start_unix_ns - now_ns) }
    }

    fn begin_of(&self, clock: &ServerClock, second: u64) -> Instant {
        let by_clock = self.error_ns.and_then(|_| clock.instant_of(self.start_unix_ns + second * SECOND_NS));
        by_clock.unwrap_or_else(|| self.start + Duration::from_secs(second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_whole_ones_of_the_backends_clock() {
        let (mut clock, now) = (ServerClock::default(), Instant::now());
        clock.observe(now, now + Duration::from_millis(2), 5_300_000_000);
        let grid = Grid::begin(&clock);
        assert_eq!((grid.start_unix_ns, grid.error_ns.is_some()), (6_000_000_000, true));
        assert_eq!(grid.begin_of(&clock, 1), clock.instant_of(7_000_000_000).expect("known"));
        let own = Grid::begin(&ServerClock::default());
        assert_eq!((own.start_unix_ns % SECOND_NS, own.error_ns), (0, None));
    }

    #[test]
    fn observations_lie_beside_the_spool_of_runs() {
        assert_eq!(root_of(Path::new("/var/lib/a/spool")), Path::new("/var/lib/a/spool-observations"));
    }

    #[test]
    fn what_this_machine_tells_has_a_number_for_each_gauge() {
        let mut gauges = Gauges::find(Path::new("/proc"), Path::new("/sys"));
        let numbers = gauges.read(1.0);
        assert_eq!(numbers.len(), gauges.list.len());
        let busy = gauges.list.iter().position(|gauge| gauge.group == "cpu" && gauge.name == "busy").expect("cpu");
        assert!(numbers[busy].is_none_or(|busy| (0.0..=100.5).contains(&busy)), "{:?}", numbers[busy]);
        assert!(gauges.list.iter().any(|gauge| gauge.group == "memory"));
    }

    #[test]
    fn a_machine_that_tells_nothing_gets_reasons() {
        let folder = tempfile::tempdir().expect("a folder");
        let gauges = Gauges::find(folder.path(), folder.path());
        let groups: Vec<&str> = gauges.unknown.iter().map(|unknown| &*unknown.group).collect();
        assert_eq!(groups, ["cpu", "disk", "network", "pressure", "memory", "temperature", "power"]);
        assert!(gauges.list.iter().all(|gauge| gauge.group == "observer"), "{:?}", gauges.list);
    }
}
