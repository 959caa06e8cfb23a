//! Gauges of processors, disks, network, memory and waits, from files below `/proc`.

use std::collections::HashMap;
use std::fmt::Display;
use std::fs;
use std::path::Path;

use super::gauges::{CounterRates, Gauge, OpenFile, Source, UnknownGroup};

/// Fields of a line of `/proc/stat`; time of guests is already part of `user` and `nice`.
const STATES: [&str; 8] = ["user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"];
const IDLE: usize = 3;
const IOWAIT: usize = 4;

/// Size of the sectors in which the kernel counts, whatever the disk's own sector size.
const SECTOR_BYTES: f64 = 512.0;
/// Prefixes of block devices without a disk.
const NOT_DISKS: [&str; 5] = ["loop", "ram", "zram", "sr", "fd"];
const DISK_KINDS: [(&str, &str); 6] = [
    ("reads", "1/s"),
    ("read", "bytes/s"),
    ("writes", "1/s"),
    ("written", "bytes/s"),
    ("busy", "percent"),
    ("under way", "count"),
];
/// Fields of a line of `/proc/diskstats`: reads, sectors read, writes, sectors written, ms busy, ms of all operations together.
const DISK_FIELDS: [usize; 6] = [0, 2, 4, 6, 9, 10];

const NETWORK_KINDS: [(&str, &str); 3] = [("received", "bytes/s"), ("sent", "bytes/s"), ("dropped or broken", "1/s")];
/// Fields of a line of `/proc/net/dev`: bytes received, errors, dropped; bytes sent, errors, dropped.
const NETWORK_FIELDS: [usize; 6] = [0, 2, 3, 8, 10, 11];

/// `some`: at least one task waited; `full`: all tasks waited, so no work was done.
const PRESSURE_KINDS: [(&str, &str); 2] = [("some", "percent"), ("full", "percent")];

/// A line of a kernel file: a name and its fields.
type Line<'a> = (&'a str, Vec<&'a str>);

fn gauges_of(group: &str, names: &[String], kinds: &[(&str, &str)]) -> Vec<Gauge> {
    let of = |of: &String| kinds.iter().map(move |(name, unit)| Gauge::new(group, name, of, unit)).collect::<Vec<_>>();
    names.iter().flat_map(of).collect()
}

/// Returns the numbers in `fields` of the line of each name; those of a name without a line are unknown.
fn counters_of<'a>(names: &[String], fields: &[usize], lines: impl Iterator<Item = Line<'a>>) -> Vec<Option<f64>> {
    let lines: HashMap<&str, Vec<&str>> = lines.collect();
    let of = |name: &String| {
        let line = lines.get(&**name);
        fields.iter().map(move |field| line?.get(*field)?.parse().ok()).collect::<Vec<_>>()
    };
    names.iter().flat_map(of).collect()
}

/// Opens the processor time by state, of all cores together and of each core.
pub fn processors(proc: &Path) -> Result<Source, UnknownGroup> {
    let missing = |why: &dyn Display| UnknownGroup::new("cpu", format!("/proc/stat: {why}"));
    let mut file = OpenFile::open(&proc.join("stat")).map_err(|error| missing(&error))?;
    let text = file.text().map_err(|error| missing(&error))?;
    // All cores together first, then each core. A core that is added later has no gauge.
    let names: Vec<String> = processor_lines(text).map(|(name, _)| name.to_owned()).collect();
    if names.is_empty() {
        return Err(missing(&"it names no processor"));
    }
    let states = STATES.iter().enumerate().filter(|(state, _)| *state != IDLE).map(|(_, name)| *name);
    let kinds: Vec<_> = std::iter::once("busy").chain(states).map(|name| (name, "percent")).collect();
    let cores: Vec<String> = names.iter().map(|name| name.trim_start_matches("cpu").to_owned()).collect();
    let mut gauges = gauges_of("core", &cores, &kinds);
    gauges.iter_mut().filter(|gauge| gauge.of.is_empty()).for_each(|gauge| gauge.group = "cpu".into());
    let mut counters = CounterRates::default();
    let read = move |_: f64| {
        let lines = processor_lines(file.text().unwrap_or_default());
        let risen = counters.since(counters_of(&names, &[0, 1, 2, 3, 4, 5, 6, 7], lines));
        let shares = risen.chunks(STATES.len()).flat_map(|of_one| {
            // Shares of all counted time are right even if a read is late.
            let all: Option<f64> = of_one.iter().copied().sum::<Option<f64>>().filter(|all| *all > 0.0);
            let percent = move |ticks: f64| all.map(|all| 100.0 * ticks / all);
            let waits = of_one[IDLE].unwrap_or_default() + of_one[IOWAIT].unwrap_or_default();
            let states = of_one.iter().enumerate().filter(|(state, _)| *state != IDLE);
            let states = states.map(move |(_, ticks)| ticks.and_then(percent));
            std::iter::once(all.and_then(|all| percent(all - waits))).chain(states)
        });
        shares.collect()
    };
    Ok(Source { gauges, read: Box::new(read) })
}

fn processor_lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    text.lines().take_while(|line| line.starts_with("cpu")).filter_map(|line| {
        let mut fields = line.split_ascii_whitespace();
        Some((fields.next()?, fields.collect()))
    })
}

/// Opens the activity of whole disks.
pub fn disks(proc: &Path, sys: &Path) -> Result<Source, UnknownGroup> {
    let missing = |why: String| UnknownGroup::new("disk", why);
    let mut file =
        OpenFile::open(&proc.join("diskstats")).map_err(|error| missing(format!("/proc/diskstats: {error}")))?;
    let entries = fs::read_dir(sys.join("block")).map_err(|error| missing(format!("/sys/block: {error}")))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let is_disk = |name: &String| {
        let kind = name.trim_end_matches(|character: char| character.is_ascii_digit());
        !NOT_DISKS.contains(&kind)
    };
    let mut names: Vec<String> = names.filter(is_disk).collect();
    names.sort();
    if names.is_empty() {
        return Err(missing("the kernel names no disk here".into()));
    }
    let gauges = gauges_of("disk", &names, &DISK_KINDS);
    let mut counters = CounterRates::default();
    let read = move |elapsed_s: f64| {
        let lines = file.text().unwrap_or_default().lines().filter_map(|line| {
            let mut fields = line.split_ascii_whitespace().skip(2);
            Some((fields.next()?, fields.collect()))
        });
        let risen = counters.since(counters_of(&names, &DISK_FIELDS, lines));
        let of = |risen: &[Option<f64>]| {
            let per_s = |index: usize| risen[index].map(|risen| risen / elapsed_s);
            [
                per_s(0),
                per_s(1).map(|sectors| sectors * SECTOR_BYTES),
                per_s(2),
                per_s(3).map(|sectors| sectors * SECTOR_BYTES),
                // Milliseconds a second as a percentage; the kernel's clock can run slightly ahead of ours.
                per_s(4).map(|ms| (ms / 10.0).min(100.0)),
                per_s(5).map(|ms| ms / 1e3),
            ]
        };
        risen.chunks(DISK_FIELDS.len()).flat_map(of).collect()
    };
    Ok(Source { gauges, read: Box::new(read) })
}

/// Opens the traffic of this network namespace, with that of the loopback: a client may be on the same machine.
pub fn network(proc: &Path) -> Result<Source, UnknownGroup> {
    let missing = |error: std::io::Error| UnknownGroup::new("network", format!("/proc/net/dev: {error}"));
    let mut file = OpenFile::open(&proc.join("net/dev")).map_err(missing)?;
    let names: Vec<String> = interface_lines(file.text().map_err(missing)?).map(|(name, _)| name.to_owned()).collect();
    let gauges = gauges_of("network", &names, &NETWORK_KINDS);
    let mut counters = CounterRates::default();
    let read = move |elapsed_s: f64| {
        let lines = interface_lines(file.text().unwrap_or_default());
        let risen = counters.since(counters_of(&names, &NETWORK_FIELDS, lines));
        let of = |risen: &[Option<f64>]| {
            let per_s = |indices: &[usize]| {
                let sum: Option<f64> = indices.iter().map(|index| risen[*index]).sum();
                sum.map(|sum| sum / elapsed_s)
            };
            [per_s(&[0]), per_s(&[3]), per_s(&[1, 2, 4, 5])]
        };
        risen.chunks(NETWORK_FIELDS.len()).flat_map(of).collect()
    };
    Ok(Source { gauges, read: Box::new(read) })
}

fn interface_lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    lines.map(|(name, rest)| (name.trim(), rest.split_ascii_whitespace().collect()))
}

/// Opens the time in which tasks waited for processor, memory or disks.
pub fn pressure(proc: &Path) -> Result<Source, UnknownGroup> {
    let names = ["cpu", "memory", "io"].map(str::to_owned);
    let open = |name: &String| OpenFile::open(&proc.join("pressure").join(name));
    let files: std::io::Result<Vec<_>> = names.iter().map(open).collect();
    let mut files = files.map_err(|error| {
        UnknownGroup::new(
            "pressure",
            format!("/proc/pressure: {error}; the kernel may have been started without psi=1"),
        )
    })?;
    let gauges = gauges_of("pressure", &names, &PRESSURE_KINDS);
    let mut counters = CounterRates::default();
    let read = move |elapsed_s: f64| {
        let of = |file: &mut OpenFile| {
            let text = file.text().unwrap_or_default();
            PRESSURE_KINDS.map(|(kind, _)| {
                let line = text.lines().find(|line| line.starts_with(kind))?;
                line.rsplit_once("total=")?.1.trim().parse().ok()
            })
        };
        let risen = counters.since(files.iter_mut().flat_map(of).collect());
        // Microseconds of waiting a second, as a percentage.
        let percent = |risen: f64| (risen / elapsed_s / 1e4).min(100.0);
        risen.into_iter().map(|risen| risen.map(percent)).collect()
    };
    Ok(Source { gauges, read: Box::new(read) })
}

/// Opens the memory in use and available.
pub fn memory(proc: &Path) -> Result<Source, UnknownGroup> {
    let file = OpenFile::open(&proc.join("meminfo"));
    let mut file = file.map_err(|error| UnknownGroup::new("memory", format!("/proc/meminfo: {error}")))?;
    let kinds = [("in use", "percent"), ("available", "bytes"), ("to be written", "bytes"), ("swapped out", "bytes")];
    let read = move |_: f64| {
        let text = file.text().unwrap_or_default();
        let bytes = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
            line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok().map(|kib| kib * 1024.0)
        };
        let (total, available) = (bytes("MemTotal"), bytes("MemAvailable"));
        vec![
            total.zip(available).map(|(total, available)| 100.0 * (1.0 - available / total)),
            available,
            bytes("Dirty").zip(bytes("Writeback")).map(|(dirty, writeback)| dirty + writeback),
            bytes("SwapTotal").zip(bytes("SwapFree")).map(|(total, free)| total - free),
        ]
    };
    Ok(Source { gauges: gauges_of("memory", &[String::new()], &kinds), read: Box::new(read) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_all_ticks_and_a_core_that_was_switched_off_is_not_known() {
        let folder = tempfile::tempdir().expect("a folder");
        let say = |text: &str| fs::write(folder.path().join("stat"), text).expect("written");
        say("cpu  10 0 10 100 0 0 0 0 0 0\ncpu0 5 0 5 50 0 0 0 0 0 0\ncpu1 5 0 5 50 0 0 0 0 0 0\nintr 1\n");
        let mut processors = super::processors(folder.path()).expect("found");
        assert!((processors.read)(1.0).iter().all(Option::is_none), "nothing to count from yet");
        say("cpu  80 0 20 110 10 0 0 0 0 0\ncpu1 75 0 15 60 0 0 0 0 0 0\nintr 2\n");
        let numbers = (processors.read)(1.0);
        let gauges = &processors.gauges;
        let of = |name: &str, of: &str| {
            numbers[gauges.iter().position(|gauge| gauge.name == name && gauge.of == of).expect("a gauge")]
        };
        assert_eq!((of("busy", ""), of("user", ""), of("iowait", "")), (Some(80.0), Some(70.0), Some(10.0)));
        assert_eq!((of("busy", "0"), of("user", "0")), (None, None));
        assert!((of("busy", "1").expect("known") - 800.0 / 9.0).abs() < 1e-9);
    }

    #[test]
    fn whole_disks_are_read_and_sectors_are_bytes() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["vda", "loop0"] {
            fs::create_dir_all(folder.path().join("block").join(name)).expect("created");
        }
        let say = |text: &str| fs::write(folder.path().join("diskstats"), text).expect("written");
        say(" 7 0 loop0 9 0 9 0 0 0 0 0 0 0 0\n 254 0 vda 10 0 100 5 20 0 200 9 0 1000 1500 0 0\n");
        let mut blocks = disks(folder.path(), folder.path()).expect("found");
        (blocks.read)(1.0);
        say(" 254 0 vda 30 0 140 5 21 0 208 9 0 1500 5500 0 0\n");
        let expected = [10.0, 20.0 * 512.0, 0.5, 4.0 * 512.0, 25.0, 2.0].map(Some);
        assert_eq!((blocks.read)(2.0), expected);
    }
}
