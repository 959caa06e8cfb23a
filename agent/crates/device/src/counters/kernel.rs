//! Facts about a disk from the kernel: bytes written and read by this machine, link and link errors, scheduler, cache.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::pages::Values;

/// Texts by name, such as `kernel.scheduler`.
pub type Texts = BTreeMap<String, String>;

/// Unit of the kernel's sector counts, in bytes.
const SECTOR_BYTES: u64 = 512;

type Parser = fn(&str) -> Option<u64>;

/// Returns the numbers and texts of `disk` below the folder `sys`, usually `/sys`.
pub fn read(sys: &Path, disk: &str) -> (Values, Texts) {
    let block = sys.join("block").join(disk);
    let numbers: Vec<u64> = text(&block.join("stat"))
        .map(|line| line.split_whitespace().map_while(|word| word.parse().ok()).collect())
        .unwrap_or_default();
    // Order as documented by the kernel for `stat`: operations and sectors, reads first.
    let counts = [
        ("kernel.reads", 0, 1),
        ("kernel.read_bytes", 2, SECTOR_BYTES),
        ("kernel.writes", 4, 1),
        ("kernel.written_bytes", 6, SECTOR_BYTES),
    ];
    let count =
        |(name, index, unit): (&str, usize, u64)| Some((name.to_owned(), numbers.get(index)?.saturating_mul(unit)));
    let mut values: Values = counts.into_iter().filter_map(count).collect();
    let mut texts = Texts::new();
    let mut insert = |name: &str, text: Option<String>| texts.extend(text.map(|text| (name.to_owned(), text)));
    insert("kernel.scheduler", text(&block.join("queue/scheduler")).and_then(|line| chosen(&line)));
    insert("kernel.write_cache", text(&block.join("queue/write_cache")));
    let Some(controller) = controller_of(&block) else { return (values, texts) };
    let card = controller.join("device");
    insert("kernel.controller_state", text(&controller.join("state")));
    insert("kernel.power_state", text(&card.join("power_state")));
    let of_card: [(&str, &str, Parser); 7] = [
        ("kernel.link_mt_per_s", "current_link_speed", megatransfers),
        ("kernel.link_possible_mt_per_s", "max_link_speed", megatransfers),
        ("kernel.link_lanes", "current_link_width", lanes),
        ("kernel.link_possible_lanes", "max_link_width", lanes),
        ("kernel.pcie_corrected_errors", "aer_dev_correctable", total),
        ("kernel.pcie_nonfatal_errors", "aer_dev_nonfatal", total),
        ("kernel.pcie_fatal_errors", "aer_dev_fatal", total),
    ];
    for (name, file, parse) in of_card {
        values.extend(text(&card.join(file)).and_then(|text| parse(&text)).map(|value| (name.to_owned(), value)));
    }
    (values, texts)
}

fn text(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Returns the folder of an `NVMe` controller. A multipath disk belongs to a subsystem: returns the subsystem's controller if there
/// is only one, else `None`, because values of one path do not describe the whole drive.
fn controller_of(block: &Path) -> Option<PathBuf> {
    let device = fs::canonicalize(block.join("device")).ok()?;
    let name = device.file_name()?.to_str()?;
    if !name.starts_with("nvme-subsys") {
        return name.starts_with("nvme").then_some(device);
    }
    let is_controller = |name: &str| {
        name.strip_prefix("nvme").is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let entries = fs::read_dir(&device).ok()?.flatten();
    let mut controllers = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_controller));
    let first = controllers.next()?.path();
    controllers.next().is_none().then_some(first)
}

/// Returns the selected option, which is in brackets, as in `mq-deadline kyber [none]`.
fn chosen(line: &str) -> Option<String> {
    let (_, rest) = line.split_once('[')?;
    rest.split_once(']').map(|(name, _)| name.to_owned())
}

/// Returns the megatransfers per second of a text such as `8.0 GT/s PCIe`.
fn megatransfers(line: &str) -> Option<u64> {
    let (number, _) = line.split_once(" GT/s")?;
    let (whole, tenth) = number.split_once('.').unwrap_or((number, "0"));
    Some(whole.parse::<u64>().ok()? * 1_000 + tenth.parse::<u64>().ok().filter(|tenth| *tenth < 10)? * 100)
}

/// Returns a number of lanes; 0 means that there is no link.
fn lanes(line: &str) -> Option<u64> {
    line.parse().ok().filter(|lanes| *lanes > 0)
}

/// Returns the number of the line `TOTAL_ERR_… 3`, which follows the lines of each kind of error.
fn total(lines: &str) -> Option<u64> {
    let line = lines.lines().find(|line| line.starts_with("TOTAL_"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn sys_of(folder: &Path, controller: &str) {
        let card = folder.join("devices/pci0/0000:01:00.0");
        let nvme = card.join("nvme/nvme0");
        fs::create_dir_all(&nvme).expect("created");
        for (name, content) in [
            ("current_link_speed", "2.5 GT/s PCIe\n"),
            ("max_link_speed", "16.0 GT/s PCIe\n"),
            ("current_link_width", "2\n"),
            ("max_link_width", "4\n"),
            ("aer_dev_correctable", "RxErr 1\nBadTLP 2\nTOTAL_ERR_COR 3\n"),
            ("aer_dev_fatal", "TOTAL_ERR_FATAL 0\n"),
            ("power_state", "D0\n"),
        ] {
            fs::write(card.join(name), content).expect("written");
        }
        fs::write(nvme.join("state"), "live\n").expect("written");
        symlink(&card, nvme.join("device")).expect("linked");
        let block = folder.join("block/nvme0n1");
        fs::create_dir_all(block.join("queue")).expect("created");
        fs::write(block.join("stat"), "  10  0  16  3  20  0  4096  9  0  1  1\n").expect("written");
        fs::write(block.join("queue/scheduler"), "mq-deadline [none]\n").expect("written");
        fs::write(block.join("queue/write_cache"), "write back\n").expect("written");
        symlink(folder.join(controller), block.join("device")).expect("linked");
    }

    #[test]
    fn counts_link_errors_and_settings_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        sys_of(folder.path(), "devices/pci0/0000:01:00.0/nvme/nvme0");
        let (values, texts) = read(folder.path(), "nvme0n1");
        let expected = [
            ("kernel.link_lanes", 2),
            ("kernel.link_mt_per_s", 2_500),
            ("kernel.link_possible_lanes", 4),
            ("kernel.link_possible_mt_per_s", 16_000),
            ("kernel.pcie_corrected_errors", 3),
            ("kernel.pcie_fatal_errors", 0),
            ("kernel.read_bytes", 8_192),
            ("kernel.reads", 10),
            ("kernel.writes", 20),
            ("kernel.written_bytes", 2_097_152),
        ];
        assert_eq!(values.iter().map(|(name, value)| (name.as_str(), *value)).collect::<Vec<_>>(), expected);
        assert_eq!(texts["kernel.scheduler"], "none");
        assert_eq!(texts["kernel.write_cache"], "write back");
        assert_eq!((&*texts["kernel.controller_state"], &*texts["kernel.power_state"]), ("live", "D0"));
    }

    #[test]
    fn a_drive_with_several_paths_has_no_link_of_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let system = folder.path().join("devices/nvme-subsys0");
        fs::create_dir_all(&system).expect("created");
        sys_of(folder.path(), "devices/nvme-subsys0");
        let controller = folder.path().join("devices/pci0/0000:01:00.0/nvme/nvme0");
        symlink(&controller, system.join("nvme0")).expect("linked");
        assert_eq!(read(folder.path(), "nvme0n1").0.get("kernel.link_lanes"), Some(&2));
        symlink(&controller, system.join("nvme1")).expect("linked");
        assert_eq!(read(folder.path(), "nvme0n1").0.get("kernel.link_lanes"), None);
    }

    #[test]
    fn what_is_not_there_is_no_number() {
        assert_eq!(read(Path::new("/nowhere"), "sda"), (Values::new(), Texts::new()));
        assert_eq!((megatransfers("Unknown"), chosen("none"), total("BadTLP 2")), (None, None, None));
    }
}
