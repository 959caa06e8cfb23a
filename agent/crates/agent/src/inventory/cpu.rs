//! Processors, memory and NUMA nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use super::probe::{Probe, names};

const CPU: &str = "/sys/devices/system/cpu";

/// Returns model, counts and the settings that change the speed of the processors.
pub fn cpu(probe: &mut Probe) -> Value {
    let info = probe.text("cpu.model", "/proc/cpuinfo").unwrap_or_default();
    let counts = Counts::of(&info);
    let model = field(&info, "model name").or_else(|| field(&info, "Model"));
    let mitigations: BTreeMap<String, Option<String>> = names(Path::new(CPU).join("vulnerabilities"))
        .into_iter()
        .map(|name| {
            let path = Path::new(CPU).join("vulnerabilities").join(&name);
            let text = probe.text(&format!("cpu.mitigations.{name}"), path);
            (name, text)
        })
        .collect();
    let mitigations = (!mitigations.is_empty()).then_some(mitigations);
    if mitigations.is_none() {
        probe.unknown("cpu.mitigations", &format!("{CPU}/vulnerabilities holds nothing"));
    }
    let cpu = json!({
        "model": model,
        "sockets": counts.sockets,
        "cores": counts.cores,
        "cores_per_socket": counts.cores_per_socket,
        "threads": counts.threads,
        "smt_active": probe.flag("cpu.smt_active", format!("{CPU}/smt/active")),
        "governor": governor(probe),
        "turbo": turbo(probe),
        "mitigations": mitigations,
    });
    for field in ["model", "sockets", "cores", "cores_per_socket", "threads"] {
        if cpu[field].is_null() {
            probe.unknown(&format!("cpu.{field}"), "/proc/cpuinfo does not state it");
        }
    }
    cpu
}

pub fn numa_nodes(probe: &mut Probe) -> Vec<Value> {
    let root = Path::new("/sys/devices/system/node");
    let mut nodes: Vec<u64> =
        names(root).iter().filter_map(|name| name.strip_prefix("node")).filter_map(|no| no.parse().ok()).collect();
    nodes.sort_unstable();
    if nodes.is_empty() {
        probe.unknown("numa.nodes", "/sys/devices/system/node holds no node");
    }
    nodes
        .into_iter()
        .map(|node| {
            let folder = root.join(format!("node{node}"));
            let memory = probe.text(&format!("numa.nodes.{node}.memory_bytes"), folder.join("meminfo"));
            json!({
                "node": node,
                "cpus": probe.text(&format!("numa.nodes.{node}.cpus"), folder.join("cpulist")),
                "memory_bytes": memory.as_deref().and_then(total_bytes),
            })
        })
        .collect()
}

/// Returns the memory that the kernel manages, in bytes.
pub fn memory_total_bytes(probe: &mut Probe) -> Option<u64> {
    let info = probe.text("memory.total_bytes", "/proc/meminfo")?;
    let total = total_bytes(&info);
    if total.is_none() {
        probe.unknown("memory.total_bytes", "/proc/meminfo has no MemTotal");
    }
    total
}

fn total_bytes(info: &str) -> Option<u64> {
    let (_, rest) = info.split_once("MemTotal:")?;
    rest.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib * 1024)
}

/// Returns the frequency governor, or all governors if processors differ.
fn governor(probe: &mut Probe) -> Option<String> {
    let path = |no: &str| format!("{CPU}/cpu{no}/cpufreq/scaling_governor");
    let first = probe.text("cpu.governor", path("0"))?;
    let mut governors = BTreeSet::from([first]);
    for name in names(CPU) {
        let Some(no) = name.strip_prefix("cpu").filter(|no| no.parse::<u32>().is_ok()) else { continue };
        governors.extend(std::fs::read_to_string(path(no)).map(|text| text.trim().to_owned()));
    }
    Some(governors.into_iter().collect::<Vec<_>>().join(", "))
}

fn turbo(probe: &mut Probe) -> Option<bool> {
    let (boost, no_turbo) = (format!("{CPU}/cpufreq/boost"), format!("{CPU}/intel_pstate/no_turbo"));
    if Path::new(&no_turbo).exists() {
        return probe.flag("cpu.turbo", no_turbo).map(|off| !off);
    }
    probe.flag("cpu.turbo", boost)
}

fn field(info: &str, name: &str) -> Option<String> {
    let value = info.lines().filter_map(|line| line.split_once(':')).find(|(key, _)| key.trim() == name)?.1.trim();
    (!value.is_empty()).then(|| value.to_owned())
}

#[derive(Debug, PartialEq, Eq)]
struct Counts {
    sockets: Option<usize>,
    cores: Option<usize>,
    cores_per_socket: Option<usize>,
    threads: Option<usize>,
}

impl Counts {
    /// Counts what `/proc/cpuinfo` lists; sockets and cores are `None` if it does not name them.
    fn of(info: &str) -> Self {
        let blocks: Vec<&str> = info.split("\n\n").filter(|block| field(block, "processor").is_some()).collect();
        let sockets: BTreeSet<_> = blocks.iter().filter_map(|block| field(block, "physical id")).collect();
        let cores: BTreeSet<_> =
            blocks.iter().filter_map(|block| Some((field(block, "physical id")?, field(block, "core id")?))).collect();
        let positive = |count: usize| (count > 0).then_some(count);
        let even = !sockets.is_empty() && cores.len().is_multiple_of(sockets.len());
        Self {
            sockets: positive(sockets.len()),
            cores: positive(cores.len()),
            cores_per_socket: if even { positive(cores.len() / sockets.len()) } else { None },
            threads: positive(blocks.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_sockets_cores_and_threads() {
        let block = |no: u32, socket: u32, core: u32| {
            format!("processor\t: {no}\nmodel name\t: X\nphysical id\t: {socket}\ncore id\t\t: {core}\n\n")
        };
        let info: String = (0..8).map(|no| block(no, no / 4, (no % 4) / 2)).collect();
        let expected = Counts { sockets: Some(2), cores: Some(4), cores_per_socket: Some(2), threads: Some(8) };
        assert_eq!(Counts::of(&info), expected);
    }

    #[test]
    fn does_not_guess_what_is_not_listed() {
        let counts = Counts::of("processor\t: 0\nBogoMIPS\t: 50\n\nprocessor\t: 1\n");
        assert_eq!(counts, Counts { sockets: None, cores: None, cores_per_socket: None, threads: Some(2) });
    }
}
