//! The environment of the agent: signs of virtual machines and containers, file systems, and network interfaces.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use device::filesystem::Mount;
use serde_json::{Value, json};

use super::probe::{Probe, names};

pub fn virtualisation(probe: &mut Probe) -> Value {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = info.lines().find(|line| line.starts_with("flags") || line.starts_with("Features"));
    let hypervisor = flags.map(|flags| flags.split_whitespace().any(|flag| flag == "hypervisor"));
    if hypervisor.is_none() {
        probe.unknown("virtualisation.hypervisor_flag", "/proc/cpuinfo lists no flags");
    }
    json!({
        "hypervisor_flag": hypervisor,
        "hypervisor_type": probe.text("virtualisation.hypervisor_type", "/sys/hypervisor/type"),
        "vendor": probe.text("virtualisation.vendor", "/sys/class/dmi/id/sys_vendor"),
        "product_name": probe.text("virtualisation.product_name", "/sys/class/dmi/id/product_name"),
        "container": container(probe),
    })
}

fn container(probe: &mut Probe) -> Option<String> {
    for (path, kind) in [("/.dockerenv", "docker"), ("/run/.containerenv", "podman")] {
        if Path::new(path).exists() {
            return Some(kind.to_owned());
        }
    }
    if let Ok(kind) = fs::read_to_string("/run/systemd/container") {
        return Some(kind.trim().to_owned());
    }
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    for kind in ["kubepods", "docker", "containerd", "lxc", "podman"] {
        if groups.contains(kind) {
            return Some(kind.to_owned());
        }
    }
    probe.unknown("virtualisation.container", "no sign of a container");
    None
}

/// Returns the file system that holds `path`, or its nearest existing parent.
pub fn file_system(probe: &mut Probe, path: &Path) -> Value {
    let field = |name: &str| format!("file_systems.{}.{name}", path.display());
    let existing = path.ancestors().find(|parent| parent.exists()).unwrap_or(Path::new("."));
    let existing = if existing.as_os_str().is_empty() { Path::new(".") } else { existing };
    let sizes = rustix::fs::statvfs(existing);
    if let Err(error) = &sizes {
        probe.unknown(&field("size_bytes"), &format!("{}: {error}", existing.display()));
    }
    let sizes = sizes.ok();
    let mount = Mount::of(existing);
    if mount.is_none() {
        probe.unknown(&field("type"), "/proc/self/mountinfo names no mount above it");
    }
    let device = fs::metadata(existing).ok().map(|data| data.dev());
    let block_device = device.and_then(|device| {
        let numbers = format!("{}:{}", rustix::fs::major(device), rustix::fs::minor(device));
        let link = fs::read_link(Path::new("/sys/dev/block").join(numbers)).ok()?;
        Some(link.file_name()?.to_string_lossy().into_owned())
    });
    if block_device.is_none() {
        probe.unknown(&field("block_device"), "the file system lies on no block device of its own");
    }
    json!({
        "path": path,
        "mount_point": mount.as_ref().map(|mount| &mount.point),
        "type": mount.as_ref().map(|mount| &mount.kind),
        "source": mount.as_ref().map(|mount| &mount.source),
        "options": mount.as_ref().map(|mount| &mount.options),
        "block_device": block_device,
        "size_bytes": sizes.as_ref().map(|sizes| sizes.f_blocks * sizes.f_frsize),
        "free_bytes": sizes.as_ref().map(|sizes| sizes.f_bavail * sizes.f_frsize),
    })
}

/// Returns every network interface except the loopback, without addresses.
pub fn network_interfaces(probe: &mut Probe) -> Vec<Value> {
    names("/sys/class/net")
        .iter()
        .filter(|name| *name != "lo" && *name != "bonding_masters")
        .map(|name| {
            let folder = Path::new("/sys/class/net").join(name);
            let field = |name_of: &str| format!("network_interfaces.{name}.{name_of}");
            let speed = probe.number(&field("speed_mbit_per_s"), folder.join("speed")).filter(|speed| {
                // The kernel reports −1 if the link has no speed of its own.
                if *speed <= 0 {
                    probe.unknown(&field("speed_mbit_per_s"), "the interface has no speed of its own");
                }
                *speed > 0
            });
            let driver = match fs::read_link(folder.join("device/driver")) {
                Ok(path) => path.file_name().map(|name| name.to_string_lossy().into_owned()),
                Err(error) => {
                    probe.unknown(&field("driver"), &format!("{}/device/driver: {error}", folder.display()));
                    None
                }
            };
            json!({
                "name": name,
                "speed_mbit_per_s": speed,
                "state": probe.text(&field("state"), folder.join("operstate")),
                "mtu": probe.number(&field("mtu"), folder.join("mtu")),
                "driver": driver,
            })
        })
        .collect()
}
