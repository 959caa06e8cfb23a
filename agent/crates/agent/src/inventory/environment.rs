//! The environment of the agent: signs of virtual machines and containers, and file systems.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::probe::Probe;

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
    let canonical = existing.canonicalize().unwrap_or_else(|_| existing.to_owned());
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let mount = mount_of(&mounts, &canonical);
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

#[derive(Debug, PartialEq, Eq)]
struct Mount {
    point: PathBuf,
    kind: String,
    source: String,
    options: String,
}

/// Returns the mount with the longest mount point above `path`; of two at the same point the later one, which hides the earlier.
fn mount_of(mounts: &str, path: &Path) -> Option<Mount> {
    mounts
        .lines()
        .filter_map(|line| {
            let (before, after) = line.split_once(" - ")?;
            let before: Vec<&str> = before.split(' ').collect();
            let mut after = after.split(' ');
            Some(Mount {
                point: PathBuf::from(before.get(4)?.replace("\\040", " ")),
                kind: after.next()?.to_owned(),
                source: after.next()?.to_owned(),
                options: (*before.get(5)?).to_owned(),
            })
        })
        .filter(|mount| path.starts_with(&mount.point))
        .max_by_key(|mount| mount.point.components().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:26 / /data rw,nosuid - xfs /dev/nvme0n1 rw
31 22 0:27 / /data rw - tmpfs none rw
32 22 0:28 / /with\\040space ro - btrfs /dev/sdb rw
";

    #[test]
    fn the_nearest_and_latest_mount_counts() {
        let kind = |path: &str| mount_of(MOUNTS, Path::new(path)).map(|mount| mount.kind);
        assert_eq!(kind("/home/x").as_deref(), Some("ext4"));
        assert_eq!(kind("/data/act.dat").as_deref(), Some("tmpfs"));
        assert_eq!(kind("/database").as_deref(), Some("ext4"), "a prefix of a name is no parent");
        assert_eq!(kind("/with space/x").as_deref(), Some("btrfs"));
    }
}
