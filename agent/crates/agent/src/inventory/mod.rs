//! The inventory of this machine, as far as it can be read without privileges or tools: the part of full disclosure that the
//! agent can fill in by itself.
//!
//! Nothing is guessed. Fields that cannot be read are null, and `unknown` holds the reason for each.

mod block;
mod cpu;
mod environment;
pub mod health;
pub mod probe;

use std::path::Path;

use serde_json::{Value, json};
use wire::messages::AgentVersion;

pub use block::sha256_hex;
use probe::Probe;

/// Returns the inventory of this machine, with the file systems that hold `paths`.
pub fn inventory(paths: &[&Path]) -> Value {
    let mut probe = Probe::default();
    let names = rustix::system::uname();
    let text = |name: &std::ffi::CStr| name.to_string_lossy().into_owned();
    let mut inventory = json!({
        "hostname": hostname(),
        "agent": agent_version(),
        "cpu": cpu::cpu(&mut probe),
        "numa": {"nodes": cpu::numa_nodes(&mut probe)},
        "memory": {"total_bytes": cpu::memory_total_bytes(&mut probe)},
        "os": {
            "name": os_name(&mut probe),
            "kernel": text(names.release()),
            "kernel_build": text(names.version()),
            "architecture": text(names.machine()),
            "clock_source": probe.text(
                "os.clock_source",
                "/sys/devices/system/clocksource/clocksource0/current_clocksource",
            ),
        },
        "virtualisation": environment::virtualisation(&mut probe),
        "block_devices": block::block_devices(&mut probe),
        "file_systems": paths.iter().map(|path| environment::file_system(&mut probe, path)).collect::<Vec<_>>(),
        "network_interfaces": environment::network_interfaces(&mut probe),
    });
    inventory["unknown"] = json!(probe.into_unknown());
    inventory
}

/// Returns the released version, and the commit if the build knows it (`TAILROOM_COMMIT`).
pub fn agent_version() -> AgentVersion {
    AgentVersion {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: option_env!("TAILROOM_COMMIT").filter(|commit| !commit.is_empty()).map(str::to_owned),
    }
}

pub fn hostname() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

fn os_name(probe: &mut Probe) -> Option<String> {
    let release = probe.text("os.name", "/etc/os-release")?;
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME=")).map(|name| name.trim_matches('"'));
    if name.is_none() {
        probe.unknown("os.name", "/etc/os-release has no PRETTY_NAME");
    }
    name.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_null_has_a_reason() {
        let inventory = inventory(&[Path::new("/")]);
        let unknown = inventory["unknown"].as_object().expect("an object");
        for section in ["cpu", "os", "memory"] {
            for (field, value) in inventory[section].as_object().expect("an object") {
                let name = format!("{section}.{field}");
                assert_eq!(value.is_null(), unknown.contains_key(&name), "{name}: {value}");
            }
        }
    }

    #[test]
    fn serial_numbers_leave_as_hashes_only() {
        let inventory = inventory(&[]);
        for device in inventory["block_devices"].as_array().expect("a list") {
            let hash = &device["serial_sha256"];
            assert!(hash.is_null() || hash.as_str().is_some_and(|hash| hash.len() == 64), "{hash}");
            assert!(device.get("serial").is_none());
        }
    }
}
