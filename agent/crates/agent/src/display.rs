//! The output of the agent for people and programs. A thread of its own prints, so that a blocked terminal does not delay the
//! measurement.

use std::io::{self, IsTerminal as _, Write as _};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, bounded};
use measure::series::{Clock, Progress};
use wire::session::Link;

use crate::cli::ProgressKind;
use crate::events::Event;
use crate::summary::{Summary, duration};

/// Time between two lines of progress if the line cannot be overwritten.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// Age from which an operation under way is shown, in nanoseconds.
const LONG_IN_FLIGHT_NS: u64 = 100_000_000;
/// Longest time that a slow terminal can delay a caller.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Handle of the printing thread; cheap to clone.
#[derive(Debug, Clone)]
pub struct Display {
    sender: Sender<Print>,
}

/// What the printing thread does next.
type Print = Box<dyn FnOnce(&mut Screen) -> io::Result<()> + Send>;

impl Display {
    /// Starts the printing thread.
    pub fn begin(kind: ProgressKind) -> io::Result<Self> {
        let (sender, receiver) = bounded::<Print>(256);
        let refreshing = kind == ProgressKind::Human && io::stderr().is_terminal();
        let mut screen = Screen { kind, refreshing, reached: false, last: None };
        thread::Builder::new().name("display".into()).spawn(move || {
            for print in receiver {
                // A closed terminal or pipe must not stop the measurement.
                let _ = print(&mut screen);
            }
        })?;
        Ok(Self { sender })
    }

    fn send(&self, print: impl FnOnce(&mut Screen) -> io::Result<()> + Send + 'static) {
        let _ = self.sender.send_timeout(Box::new(print), TIMEOUT);
    }

    /// Prints an event for programs.
    pub fn event(&self, event: Event) {
        self.send(move |screen| screen.event(&event));
    }

    /// Prints a sentence for people.
    pub fn note(&self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        self.send(move |screen| match screen.kind {
            ProgressKind::None => Ok(()),
            ProgressKind::Human | ProgressKind::Json => screen.sentence(&sentence),
        });
    }

    /// Prints a sentence whatever kind of output is chosen.
    pub fn problem(&self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        self.send(move |screen| screen.sentence(&sentence));
    }

    /// Shows the summary of a run: as an event for programs, as lines on standard output for people.
    pub fn summary(&self, summary: Summary) {
        self.answer(summary.lines());
        self.event(Event::Summary(summary));
    }

    /// Prints lines on standard output for people.
    pub fn answer(&self, lines: Vec<String>) {
        self.send(move |screen| match screen.kind {
            ProgressKind::Json => Ok(()),
            ProgressKind::Human | ProgressKind::None => screen.answer(&lines),
        });
    }

    /// Shows progress; dropped if the display is busy.
    pub fn progress(&self, progress: Progress, unsent: u64, temperature_c: Option<f64>) {
        let _ = self.sender.try_send(Box::new(move |screen| screen.progress(progress, unsent, temperature_c)));
    }

    /// Shows that the connection to the backend changed.
    pub fn link(&self, link: &Link, unsent: u64) {
        let reached = *link == Link::Up;
        self.send(move |screen| {
            screen.reached = reached;
            Ok(())
        });
        let event = |state, reason: Option<&String>| {
            self.event(Event::Backend { state, reason: reason.cloned(), unsent });
        };
        match link {
            Link::Unknown => {}
            Link::Up => {
                event("up", None);
                self.note("backend reached");
            }
            Link::Away { reason } => {
                event("away", Some(reason));
                self.problem(format!(
                    "backend away ({reason}); measuring goes on, what is measured stays in the spool"
                ));
            }
            Link::Held { reason } => {
                event("held", Some(reason));
                self.problem(format!(
                    "the backend does not take this run: {reason}; measuring goes on, everything stays in the spool"
                ));
            }
        }
    }

    /// Waits until everything sent so far is printed.
    pub fn flush(&self) {
        let (done, shown) = bounded(1);
        self.send(move |screen| {
            let result = screen.close_line();
            let _ = done.send(());
            result
        });
        let _ = shown.recv_timeout(TIMEOUT);
    }
}

struct Screen {
    kind: ProgressKind,
    /// Whether the progress line can be overwritten.
    refreshing: bool,
    /// Whether the backend accepts data; the number of unsent intervals is not shown then.
    reached: bool,
    last: Option<Line>,
}

/// The progress line that was shown last.
struct Line {
    operation: String,
    at: Instant,
    open: bool,
}

impl Screen {
    fn event(&self, event: &Event) -> io::Result<()> {
        if self.kind != ProgressKind::Json {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        serde_json::to_writer(&mut out, event)?;
        out.write_all(b"\n")?;
        out.flush()
    }

    fn answer(&mut self, lines: &[String]) -> io::Result<()> {
        self.close_line()?;
        let mut out = io::stdout().lock();
        for line in lines {
            writeln!(out, "{line}")?;
        }
        out.flush()
    }

    fn sentence(&mut self, sentence: &str) -> io::Result<()> {
        self.close_line()?;
        writeln!(io::stderr(), "{sentence}")
    }

    fn close_line(&mut self) -> io::Result<()> {
        match &mut self.last {
            Some(line) if line.open => {
                line.open = false;
                writeln!(io::stderr())
            }
            _ => Ok(()),
        }
    }

    fn progress(&mut self, progress: Progress, unsent: u64, temperature_c: Option<f64>) -> io::Result<()> {
        match self.kind {
            ProgressKind::None => Ok(()),
            ProgressKind::Json => self.event(&Event::Progress { progress, unsent, temperature_c }),
            ProgressKind::Human => self.line(&progress, unsent, temperature_c),
        }
    }

    /// Shows the first operation only; the page has the others.
    fn line(&mut self, progress: &Progress, unsent: u64, temperature_c: Option<f64>) -> io::Result<()> {
        if let Some(last) = &self.last {
            let calm = self.refreshing || last.at.elapsed() >= LINE_EVERY;
            if last.operation != progress.operation || !calm {
                return Ok(());
            }
        }
        let unsent = if self.reached { 0 } else { unsent };
        let mut err = io::stderr().lock();
        let (before, after) = if self.refreshing { ("\r\x1b[K", "") } else { ("", "\n") };
        write!(err, "{before}{}{after}", human_line(progress, unsent, temperature_c))?;
        self.last = Some(Line { operation: progress.operation.clone(), at: Instant::now(), open: self.refreshing });
        err.flush()
    }
}

fn human_line(progress: &Progress, unsent: u64, temperature_c: Option<f64>) -> String {
    // A closed loop has no rate of its own.
    let target = match progress.target_rate_per_s {
        per_s if per_s > 0.0 => format!(" of {per_s:.0}/s"),
        _ => String::new(),
    };
    let Progress { elapsed_s, operation, rate_per_s, .. } = progress;
    let mut parts = vec![format!("{elapsed_s:>5.0} s"), format!("{operation} {rate_per_s:.0}/s{target}")];
    parts.extend(progress.clocks.iter().map(|clock| {
        let name = if clock.clock == Clock::Response { "response" } else { "service" };
        let [p50, p99, p999, max] = [clock.p50_ns, clock.p99_ns, clock.p999_ns, clock.max_ns].map(duration);
        format!("{name} p50 {p50} p99 {p99} p99.9 {p999} max {max}")
    }));
    if progress.lateness_p99_ns > 0 {
        parts.push(format!("late p99 {}", duration(progress.lateness_p99_ns)));
    }
    let share = |(at_ns, ratio): &(u64, f64)| format!("≥{} {:.3} %", duration(*at_ns), ratio * 100.0);
    parts.extend(progress.over.iter().map(share));
    let misses = [("errors", progress.errors), ("time-outs", progress.timeouts)];
    parts.extend(misses.iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{name} {count}")));
    if let (Some(in_flight), Some(oldest_ns @ LONG_IN_FLIGHT_NS..)) = (progress.in_flight, progress.oldest_in_flight_ns)
    {
        parts.push(format!("{in_flight} under way, the oldest for {}", duration(oldest_ns)));
    }
    parts.extend(temperature_c.map(|celsius| format!("{celsius:.0} °C")));
    if unsent > 0 {
        parts.push(format!("unsent {unsent}"));
    }
    parts.join("  ")
}

#[cfg(test)]
mod tests {
    use measure::series::ClockProgress;

    use super::*;

    #[test]
    fn the_line_says_rate_p99_and_shares() {
        let progress = Progress {
            elapsed_s: 12.0,
            operation: "read".into(),
            rate_per_s: 1999.6,
            target_rate_per_s: 2000.0,
            p99_ns: 212_000,
            clocks: vec![
                ClockProgress {
                    clock: Clock::Response,
                    p50_ns: 95_000,
                    p99_ns: 212_000,
                    p999_ns: 1_250_000,
                    max_ns: 9_000_000,
                },
                ClockProgress {
                    clock: Clock::Service,
                    p50_ns: 90_000,
                    p99_ns: 205_000,
                    p999_ns: 900_000,
                    max_ns: 8_000_000,
                },
            ],
            lateness_p99_ns: 31_000,
            lateness_max_ns: 60_000,
            errors: 0,
            timeouts: 0,
            in_flight: Some(1),
            oldest_in_flight_ns: Some(80_000),
            over: vec![(1_000_000, 0.001_23), (8_000_000, 0.0)],
        };
        assert_eq!(
            human_line(&progress, 0, Some(41.2)),
            "   12 s  read 2000/s of 2000/s  response p50 95 µs p99 212 µs p99.9 1.25 ms max 9 ms  \
             service p50 90 µs p99 205 µs p99.9 900 µs max 8 ms  late p99 31 µs  ≥1 ms 0.123 %  ≥8 ms 0.000 %  41 °C"
        );
        let stuck = Progress { errors: 3, oldest_in_flight_ns: Some(2_500_000_000), ..progress };
        let line = human_line(&stuck, 7, None);
        assert!(line.ends_with("  errors 3  1 under way, the oldest for 2.50 s  unsent 7"), "{line}");
        let closed = human_line(&Progress { target_rate_per_s: 0.0, ..stuck }, 0, None);
        assert!(closed.starts_with("   12 s  read 2000/s  response"), "{closed}");
    }

    #[test]
    fn durations_take_the_unit_that_fits() {
        for (ns, text) in [(900, "0.90 µs"), (1_250_000, "1.25 ms"), (64_000_000, "64 ms"), (2_000_000_000, "2 s")] {
            assert_eq!(duration(ns), text);
        }
    }
}
