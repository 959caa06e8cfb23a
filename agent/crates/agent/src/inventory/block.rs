//! Block devices: their description and the kernel's settings for them. Serial numbers leave the machine as SHA-256 only.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::health;
use super::probe::{Probe, names};

/// Returns every block device with a size, except loop, memory, network and removable ones.
pub fn block_devices(probe: &mut Probe) -> Vec<Value> {
    names("/sys/block")
        .iter()
        .filter(|name| !["loop", "ram", "zram", "nbd", "fd", "sr"].iter().any(|kind| name.starts_with(kind)))
        .filter_map(|name| block_device(probe, name))
        .collect()
}

fn block_device(probe: &mut Probe, name: &str) -> Option<Value> {
    let folder = Path::new("/sys/block").join(name);
    let sectors = fs::read_to_string(folder.join("size")).ok()?.trim().parse::<u64>().ok()?;
    if sectors == 0 {
        return None;
    }
    let field = |name_of: &str| format!("block_devices.{name}.{name_of}");
    let device = folder.join("device");
    let queue = folder.join("queue");
    let serial = probe.text_of_any(
        &field("serial_sha256"),
        &[device.join("serial"), folder.join("serial"), device.join("vpd_pg80"), device.join("wwid")],
    );
    let scheduler = probe.text(&field("scheduler"), queue.join("scheduler"));
    let mut description = json!({
        "name": name,
        "model": probe.text(&field("model"), device.join("model")),
        "vendor": probe.text(&field("vendor"), device.join("vendor")),
        "serial_sha256": serial.map(|serial| sha256_hex(serial.trim())),
        "firmware": probe.text_of_any(&field("firmware"), &[device.join("firmware_rev"), device.join("rev")]),
        "size_bytes": sectors * 512,
        "rotational": probe.flag(&field("rotational"), queue.join("rotational")),
        "scheduler": scheduler.as_deref().map(chosen),
        "logical_block_bytes": probe.number(&field("logical_block_bytes"), queue.join("logical_block_size")),
        "physical_block_bytes": probe.number(&field("physical_block_bytes"), queue.join("physical_block_size")),
        "write_cache": probe.text(&field("write_cache"), queue.join("write_cache")),
        "discard_granularity_bytes":
            probe.number(&field("discard_granularity_bytes"), queue.join("discard_granularity")),
        "optimal_io_bytes": probe.number(&field("optimal_io_bytes"), queue.join("optimal_io_size")),
        "queue_requests": probe.number(&field("queue_requests"), queue.join("nr_requests")),
    });
    health::describe(probe, name, &mut description);
    let pci = device.join("device");
    description["link_speed"] = json!(probe.text(&field("link_speed"), pci.join("current_link_speed")));
    description["numa_node"] = json!(probe.number(&field("numa_node"), device.join("numa_node")));
    if name.starts_with("nvme") {
        // `device` is the controller, and `pci` the PCIe function behind it.
        description["nvme"] = json!({
            "transport": probe.text(&field("nvme.transport"), device.join("transport")),
            "numa_node": probe.number(&field("nvme.numa_node"), device.join("numa_node")),
            "queue_count": probe.number(&field("nvme.queue_count"), device.join("queue_count")),
            "io_polling": probe.flag(&field("nvme.io_polling"), queue.join("io_poll")),
            "link_speed": probe.text(&field("nvme.link_speed"), pci.join("current_link_speed")),
            "link_width": probe.number(&field("nvme.link_width"), pci.join("current_link_width")),
            "max_link_speed": probe.text(&field("nvme.max_link_speed"), pci.join("max_link_speed")),
            "max_link_width": probe.number(&field("nvme.max_link_width"), pci.join("max_link_width")),
            "pci_vendor": probe.text(&field("nvme.pci_vendor"), pci.join("vendor")),
            "pci_device": probe.text(&field("nvme.pci_device"), pci.join("device")),
            "pci_subsystem_vendor": probe.text(&field("nvme.pci_subsystem_vendor"), pci.join("subsystem_vendor")),
            "pci_subsystem_device": probe.text(&field("nvme.pci_subsystem_device"), pci.join("subsystem_device")),
        });
    }
    Some(description)
}

/// Returns the active entry of a list: `none [mq-deadline] kyber` gives `mq-deadline`.
fn chosen(list: &str) -> String {
    let inside = list.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(chosen, _)| chosen);
    inside.unwrap_or(list).to_owned()
}

pub fn sha256_hex(text: &str) -> String {
    <[u8; 32]>::from(Sha256::digest(text)).map(|byte| format!("{byte:02x}")).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheduler_is_the_one_in_brackets() {
        assert_eq!(chosen("none [mq-deadline] kyber"), "mq-deadline");
        assert_eq!(chosen("none"), "none");
    }

    #[test]
    fn hashes_as_everybody_does() {
        assert_eq!(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
