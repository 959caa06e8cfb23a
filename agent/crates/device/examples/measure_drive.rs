//! Runs the `[act_storage]` table of a plan file for some seconds and prints the cost of the load generator.
//!
//! `cargo run --release -p device --example measure_drive -- PLAN.toml SECONDS`

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use measure::series::{Interval, IntervalSink, Progress, SeriesKind, StopFlag};

#[derive(Default)]
struct Sums(Mutex<BTreeMap<u16, (u64, u64, u64)>>);

impl IntervalSink for Sums {
    fn intervals(&self, intervals: Vec<Interval>) {
        let Ok(mut sums) = self.0.lock() else { return };
        for interval in intervals {
            let sum = sums.entry(interval.series_no).or_default();
            sum.0 += interval.count;
            sum.1 += interval.target_count.unwrap_or(0);
            sum.2 = sum.2.max(interval.lateness_max_ns);
        }
    }

    fn progress(&self, progress: Progress) {
        if progress.operation == "read" {
            let (rate, p99_us) = (progress.rate_per_s, progress.p99_ns / 1_000);
            println!("{:6.1} s {rate:9.1}/s p99 {p99_us} us over {:?}", progress.elapsed_s, progress.over);
        }
    }
}

/// Returns user time, system time and resident memory of this process.
fn cost() -> Option<(Duration, Duration, String)> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    let ticks = |index: usize| Some(Duration::from_millis(10 * fields.get(index)?.parse::<u64>().ok()?));
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let resident = status.lines().filter(|line| line.starts_with("VmRSS") || line.starts_with("VmHWM"));
    Some((ticks(11)?, ticks(12)?, resident.collect::<Vec<_>>().join(", ").replace('\t', " ")))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(seconds)) = (arguments.next(), arguments.next()) else {
        return Err("usage: measure_drive PLAN.toml SECONDS".into());
    };
    let mut file: toml::Table = std::fs::read_to_string(path)?.parse()?;
    let table = file.remove("act_storage").ok_or("the plan has no table [act_storage]")?;
    let plan = device::resolve(&table.try_into()?)?;
    println!("engine {:?}", plan.engine);
    let duration = Duration::from_secs(seconds.parse()?);
    let stop = StopFlag::default();
    let workload = device::prepare(&plan, duration, 2, &|note| println!("{note}"), &stop)?;
    let series = workload.series("here");
    let (sums, before, started) = (Sums::default(), cost().ok_or("no /proc")?, Instant::now());
    let outcome = workload.run(&sums, &stop)?;
    let (elapsed, after) = (started.elapsed().as_secs_f64(), cost().ok_or("no /proc")?);
    println!("{outcome:?}");
    for definition in series.iter().filter(|definition| definition.kind == SeriesKind::Tick) {
        let (count, target, late_ns) = sums.0.lock().map_err(|_| "poisoned")?[&definition.series_no];
        let (name, clock) = (&definition.operation, definition.clock);
        println!("{name:18} {clock:?}: {count} of {target}, late at most {} us", late_ns / 1_000);
    }
    let share = |from: Duration, to: Duration| to.saturating_sub(from).as_secs_f64() / elapsed * 100.0;
    println!(
        "user {:.2} %, system {:.2} % of one core; {}",
        share(before.0, after.0),
        share(before.1, after.1),
        after.2
    );
    Ok(())
}
