//! Network interfaces: names, speed and driver, without addresses.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::probe::{Probe, names};

/// Returns every interface except the loopback.
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
