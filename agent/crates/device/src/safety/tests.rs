//! Tests of the checks: on files with real signatures, on simulated kernels, and on loop devices if this machine permits them
//! (root, `/dev/loop-control`); otherwise those tests print that they were skipped.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use super::loop_device::Loop;
use super::*;
use crate::ActStoragePlan;

const MIB: u64 = 1 << 20;

fn image(folder: &TempDir) -> PathBuf {
    image_of(folder, 64 * MIB)
}

/// Returns the path of a sparse image file, which needs no disk space until it is written to.
fn image_of(folder: &TempDir, size_bytes: u64) -> PathBuf {
    let path = folder.path().join("image");
    File::create(&path).expect("created").set_len(size_bytes).expect("sized");
    path
}

/// Returns the output of a system tool, or `None` if it is not installed.
fn output_of(name: &str, arguments: &[&str]) -> Option<std::process::Output> {
    let place = ["/usr/sbin", "/sbin", "/usr/bin"].iter().map(|folder| Path::new(folder).join(name));
    let Some(program) = place.into_iter().find(|program| program.exists()) else {
        eprintln!("{name} is not installed: not tried");
        return None;
    };
    Some(Command::new(program).args(arguments).output().expect("runs"))
}

/// Runs a system tool on a file or device; returns false if it is not installed.
fn tool(name: &str, arguments: &[&str], path: &Path) -> bool {
    let path = path.display().to_string();
    let Some(output) = output_of(name, &[arguments, &[path.as_str()]].concat()) else { return false };
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    true
}

fn looks(path: &Path) -> [Result<(), String>; 2] {
    let ours = signatures::check(path, &File::open(path).expect("readable"));
    let theirs = signatures::check_with_blkid(path, path, &System::default());
    [ours, theirs].map(|check| check.map_err(|error| error.to_string()))
}

#[test]
fn what_is_empty_or_random_is_nobodys_data() {
    let folder = TempDir::new().expect("a folder");
    let path = image(&folder);
    assert_eq!(looks(&path), [Ok(()), Ok(())]);
    let mut bytes = vec![0; 64 << 20];
    measure::random::fill(&mut bytes, 5, 1, 0);
    fs::write(&path, bytes).expect("written");
    assert_eq!(looks(&path), [Ok(()), Ok(())]);
}

/// Asserts that both checks find a signature, the list under the name `expected`.
fn is_seen(name: &str, path: &Path, expected: &str) {
    let [ours, theirs] = looks(path);
    assert!(ours.as_ref().is_err_and(|sentence| sentence.contains(expected)), "{name}: {ours:?}");
    assert!(theirs.as_ref().is_err_and(|sentence| sentence.contains("blkid")), "{name}: {theirs:?}");
}

#[test]
fn both_looks_see_what_real_tools_write() {
    let luks = ["luksFormat", "--batch-mode", "--pbkdf-force-iterations", "1000", "--key-file", "/proc/version"];
    for (name, arguments, size_mib, expected) in [
        ("mkfs.ext4", &["-q", "-F"][..], 64, "file system (ext"),
        ("mkfs.xfs", &["-q", "-f"], 400, "file system (XFS)"),
        ("mkfs.btrfs", &["-q", "-f"], 256, "file system (Btrfs)"),
        ("mkfs.vfat", &["-F", "16"], 64, "partition table (MBR)"),
        ("mkfs.vfat", &["-F", "32"], 64, "partition table (MBR)"),
        ("mkswap", &["-q"], 64, "swap"),
        ("cryptsetup", &[&luks[..], &["--type", "luks1"]].concat(), 64, "encryption (LUKS)"),
        ("cryptsetup", &[&luks[..], &["--type", "luks2", "--pbkdf", "pbkdf2"]].concat(), 64, "encryption (LUKS)"),
    ] {
        let folder = TempDir::new().expect("a folder");
        let path = image_of(&folder, size_mib * MIB);
        if tool(name, arguments, &path) {
            is_seen(name, &path, expected);
        }
    }
}

#[test]
fn both_looks_see_a_physical_volume() {
    let folder = TempDir::new().expect("a folder");
    let path = image(&folder);
    // The tool does not accept files.
    let Some(device) = Loop::over(&path) else { return };
    for sector in ["0", "1", "3"] {
        let settings = "devices { use_devicesfile=0 }";
        if tool("pvcreate", &["-q", "-y", "-ff", "--labelsector", sector, "--config", settings], Path::new(&device.0)) {
            is_seen(sector, Path::new(&device.0), "LVM");
        }
    }
}

/// Returns a superblock as written by `mdadm`, which needs a kernel driver: the start of `struct mdp_superblock_1` and its
/// checksum.
fn raid_1_superblock(sector: u64) -> [u8; 256] {
    let mut bytes = [0; 256];
    bytes[..4].copy_from_slice(&0xa92b_4efc_u32.to_le_bytes());
    bytes[4] = 1;
    bytes[16..32].copy_from_slice(b"0123456789abcdef");
    bytes[72] = 1;
    bytes[80..88].copy_from_slice(&65_536_u64.to_le_bytes());
    bytes[92] = 2;
    bytes[136..144].copy_from_slice(&65_536_u64.to_le_bytes());
    bytes[144..152].copy_from_slice(&sector.to_le_bytes());
    let words = bytes.chunks_exact(4).map(|word| u64::from(u32::from_le_bytes([word[0], word[1], word[2], word[3]])));
    let sum: u64 = words.sum();
    let folded = (sum & 0xffff_ffff) + (sum >> 32);
    bytes[216..220].copy_from_slice(&u32::try_from(folded & 0xffff_ffff).expect("32 bits").to_le_bytes());
    bytes
}

#[test]
fn both_looks_see_a_part_of_a_raid_wherever_its_superblock_is() {
    for (name, sector) in [("1.0", 64 * MIB / 512 - 16), ("1.1", 0), ("1.2", 8)] {
        let folder = TempDir::new().expect("a folder");
        let path = image(&folder);
        let file = OpenOptions::new().write(true).open(&path).expect("writable");
        std::os::unix::fs::FileExt::write_all_at(&file, &raid_1_superblock(sector), sector * 512).expect("written");
        is_seen(name, &path, &format!("RAID (md {name})"));
        // `mdadm` itself recognises the superblock.
        if let Some(output) = output_of("mdadm", &["--examine", &path.display().to_string()]) {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(text.contains("a92b4efc") && text.contains(" - correct"), "{name}: {text}");
        }
    }
    // Version 0.90: magic number and version in the second last whole 64 KiB.
    let folder = TempDir::new().expect("a folder");
    let path = image(&folder);
    let mut bytes = [0; 4096];
    bytes[..4].copy_from_slice(&0xa92b_4efc_u32.to_le_bytes());
    bytes[8] = 90;
    let file = OpenOptions::new().write(true).open(&path).expect("writable");
    std::os::unix::fs::FileExt::write_all_at(&file, &bytes, 64 * MIB - 65_536).expect("written");
    is_seen("0.90", &path, "RAID (md 0.90)");
}

#[test]
fn a_partition_table_is_seen_at_both_ends() {
    let folder = TempDir::new().expect("a folder");
    for (place, bytes) in [(510, &[0x55, 0xaa][..]), (512, b"EFI PART"), (64 * MIB - 512, b"EFI PART")] {
        let path = image(&folder);
        let file = OpenOptions::new().write(true).open(&path).expect("writable");
        std::os::unix::fs::FileExt::write_all_at(&file, bytes, place).expect("written");
        let ours = looks(&path)[0].clone().expect_err("seen");
        assert!(ours.contains("partition table"), "{ours}");
    }
}

#[test]
fn where_blkid_cannot_be_asked_the_answer_is_no() {
    let folder = TempDir::new().expect("a folder");
    let path = image(&folder);
    let without = System { blkid: vec![folder.path().join("blkid")], ..System::default() };
    assert!(
        signatures::check_with_blkid(&path, &path, &without)
            .expect_err("refused")
            .to_string()
            .contains("blkid is not there")
    );
    let broken = folder.path().join("blkid");
    fs::write(&broken, "#!/bin/sh\nexit 4\n").expect("written");
    fs::set_permissions(&broken, fs::Permissions::from_mode(0o755)).expect("executable");
    assert!(
        signatures::check_with_blkid(&path, &path, &without)
            .expect_err("refused")
            .to_string()
            .contains("blkid ended with")
    );
}

/// A simulated kernel with one drive, `nvme9n1`, with device number 259:7.
struct Kernel {
    folder: TempDir,
    system: System,
}

impl Kernel {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let system = System { sys: folder.path().join("sys"), proc: folder.path().join("proc"), blkid: vec![] };
        let kernel = Self { folder, system };
        kernel.write("sys/block/nvme9n1/size", "2048\n");
        kernel.write("sys/block/nvme9n1/device/serial", "S1234567   \n");
        kernel.write("proc/self/mountinfo", "22 1 254:0 / / rw - ext4 /dev/vda rw\n");
        kernel.write("proc/swaps", "Filename Type Size Used Priority\n");
        fs::create_dir_all(kernel.system.sys.join("dev/block")).expect("created");
        symlink("../../block/nvme9n1", kernel.system.sys.join("dev/block/259:7")).expect("linked");
        kernel
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(path, text).expect("written");
    }

    fn usage(&self) -> Result<(), String> {
        usage::check(Path::new("/dev/nvme9n1"), (259, 7), &self.system).map_err(|error| error.to_string())
    }

    fn identity(&self) -> Identity {
        usage::identity(Path::new("/dev/nvme9n1"), (259, 7), &self.system).expect("there")
    }
}

#[test]
fn whoever_uses_a_device_is_named() {
    assert_eq!(Kernel::new().usage(), Ok(()));
    for (path, text, expected) in [
        ("sys/block/nvme9n1/holders/dm-0/x", "", "is part of dm-0"),
        ("sys/block/nvme9n1/nvme9n1p1/partition", "1", "has partitions (nvme9n1p1)"),
        ("sys/block/nvme9n1/ro", "1\n", "read-only"),
        ("proc/self/mountinfo", "30 1 259:7 / /data rw - xfs /dev/nvme9n1 rw\n", "is mounted at /data"),
    ] {
        let kernel = Kernel::new();
        kernel.write(path, text);
        let sentence = kernel.usage().expect_err("refused");
        assert!(sentence.contains(expected), "{sentence}");
    }
    let kernel = Kernel::new();
    let device = kernel.folder.path().join("device");
    fs::write(&device, "").expect("written");
    kernel.write("proc/swaps", &format!("Filename\n{} partition 1 0 -2\n", device.display()));
    let sentence = usage::check(&device, (259, 7), &kernel.system).expect_err("refused").to_string();
    assert!(sentence.contains("is swap"), "{sentence}");
}

#[test]
fn the_serial_number_and_nothing_else_names_a_device_that_has_one() {
    let kernel = Kernel::new();
    let identity = kernel.identity();
    assert!(identity.is_named_by("S1234567") && identity.is_named_by(" S1234567 "));
    assert!(!identity.is_named_by("S123456") && !identity.is_named_by("") && !identity.is_named_by("nvme9n1:1048576"));
    assert!(!identity.how_to_confirm().contains("S1234567"), "who confirms has to look it up");
    fs::remove_file(kernel.system.sys.join("block/nvme9n1/device/serial")).expect("removed");
    let without = kernel.identity();
    assert!(without.is_named_by("nvme9n1:1048576") && !without.is_named_by("nvme9n1"));
    assert!(without.how_to_confirm().contains("nvme9n1:1048576"));
}

#[test]
fn a_partition_has_the_serial_number_of_its_drive() {
    let kernel = Kernel::new();
    kernel.write("sys/block/nvme9n1/nvme9n1p1/partition", "1");
    kernel.write("sys/block/nvme9n1/nvme9n1p1/size", "1024");
    symlink("../../block/nvme9n1/nvme9n1p1", kernel.system.sys.join("dev/block/259:8")).expect("linked");
    let identity = usage::identity(Path::new("/dev/x"), (259, 8), &kernel.system).expect("there");
    assert!(identity.is_named_by("S1234567"));
    assert!(usage::check(Path::new("/dev/x"), (259, 8), &kernel.system).is_ok(), "its sister partitions do not matter");
}

#[test]
fn the_list_must_name_the_device_and_nobody_else_may_have_changed_it() {
    let (folder, kernel) = (TempDir::new().expect("a folder"), Kernel::new());
    let (list, identity) = (folder.path().join("allowed"), kernel.identity());
    let check = || allow_list::check(Path::new("/dev/x"), &identity, &list).map_err(|error| error.to_string());
    assert!(check().expect_err("no list").contains("cannot be read"));
    fs::write(&list, "# drives of the lab\nS7654321\n").expect("written");
    assert!(check().expect_err("another").contains("does not name it"));
    fs::write(&list, "S7654321\n  S1234567  # slot 3\n").expect("written");
    assert_eq!(check(), Ok(()));
    fs::set_permissions(&list, fs::Permissions::from_mode(0o666)).expect("changed");
    assert!(check().expect_err("open to all").contains("nobody else may change"));
}

#[test]
fn a_loop_device_is_opened_only_when_everything_agrees() {
    let folder = TempDir::new().expect("a folder");
    let path = image(&folder);
    let Some(device) = Loop::over(&path) else { return };
    let (name, list) = (Path::new(&device.0), folder.path().join("allowed"));
    let consent = |serial: &str| Consent { serials: vec![serial.to_owned()], allow_list: list.clone() };
    let refused = |serial: &str| open_for_writing(name, &consent(serial), true).expect_err("refused").to_string();
    assert!(refused(&device.serial(64 * MIB)).contains("the list of allowed devices"));
    fs::write(&list, device.serial(64 * MIB)).expect("written");
    assert!(refused("loop:1").contains("--confirm-serial"));
    let file = open_for_writing(name, &consent(&device.serial(64 * MIB)), true).expect("everything agrees");
    // This process holds the device exclusively, so a second handle is refused by the kernel.
    let sentence = refused(&device.serial(64 * MIB));
    assert!(sentence.contains("in use"), "{sentence}");
    drop(file);
    if !tool("mkfs.ext4", &["-q", "-F"], name) {
        return;
    }
    assert!(refused(&device.serial(64 * MIB)).contains("file system (ext"));
    let mount = folder.path().join("mount");
    fs::create_dir(&mount).expect("created");
    let mounted = Command::new("mount").arg(name).arg(&mount).status().is_ok_and(|status| status.success());
    if mounted {
        let sentence = refused(&device.serial(64 * MIB));
        let _ = Command::new("umount").arg(&mount).status();
        assert!(sentence.contains("is mounted at"), "{sentence}");
    } else {
        eprintln!("nothing can be mounted here: not tried");
    }
}

#[test]
fn every_device_of_a_mounted_file_system_is_refused() {
    for (name, arguments, size_mib, devices) in
        [("mkfs.xfs", &["-q", "-f"][..], 400, 1), ("mkfs.btrfs", &["-q", "-f", "-d", "raid0", "-m", "raid1"], 256, 2)]
    {
        let folders: Vec<TempDir> = (0..devices).map(|_| TempDir::new().expect("a folder")).collect();
        let images: Vec<PathBuf> = folders.iter().map(|folder| image_of(folder, size_mib * MIB)).collect();
        let Some(loops) = images.iter().map(|image| Loop::over(image)).collect::<Option<Vec<Loop>>>() else { return };
        let names: Vec<&str> = loops.iter().map(|device| device.0.as_str()).collect();
        let (last, others) = names.split_last().expect("a device");
        if !tool(name, &[arguments, others].concat(), Path::new(last)) {
            continue;
        }
        let folder = TempDir::new().expect("a folder");
        let mount = Command::new("mount").arg(names[0]).arg(folder.path()).status();
        if !mount.is_ok_and(|status| status.success()) {
            eprintln!("{name}: cannot be mounted here: not tried");
            continue;
        }
        let allowed = folders[0].path().join("allowed");
        let results: Vec<(String, String)> = loops
            .iter()
            .map(|device| {
                let serial = device.serial(size_mib * MIB);
                fs::write(&allowed, &serial).expect("written");
                let consent = Consent { serials: vec![serial], allow_list: allowed.clone() };
                let path = Path::new(&device.0);
                let result = open_for_writing(path, &consent, true).map(|_| ());
                // Even if all checks failed to notice, the kernel itself refuses.
                let flags = OFlags::EXCL.bits().cast_signed();
                let kernel = OpenOptions::new().read(true).write(true).custom_flags(flags).open(path).map(|_| ());
                (format!("{result:?}"), format!("{kernel:?}"))
            })
            .collect();
        let _ = Command::new("umount").arg(folder.path()).status();
        for (sentence, kernel) in results {
            assert!(sentence.contains("is mounted at") || sentence.contains("holds a file system"), "{sentence}");
            assert!(kernel.contains("ResourceBusy"), "{name}: {kernel}");
        }
    }
}

/// A sink that counts operations and panics if any failed.
struct Count(std::sync::atomic::AtomicU64);
impl measure::series::IntervalSink for Count {
    fn intervals(&self, intervals: Vec<measure::series::Interval>) {
        let errors: u64 = intervals.iter().map(|interval| interval.errors).sum();
        assert_eq!(errors, 0);
        let count: u64 = intervals.iter().map(|interval| interval.count).sum();
        self.0.fetch_add(count, std::sync::atomic::Ordering::Relaxed);
    }
    fn progress(&self, _: measure::series::Progress) {}
}

#[test]
fn a_run_on_a_loop_device_stays_inside_it() {
    let folder = TempDir::new().expect("a folder");
    let path = image(&folder);
    let Some(device) = Loop::over(&path) else { return };
    let list = folder.path().join("allowed");
    writeln!(File::create(&list).expect("created"), "{}", device.serial(64 * MIB)).expect("written");
    let plan = ActStoragePlan {
        confirm_serials: vec![device.serial(64 * MIB)],
        allow_list: Some(list),
        file_size_bytes: Some(32 * MIB),
        ..ActStoragePlan::new(device.0.clone().into())
    };
    let stop = measure::series::StopFlag::default();
    let second = std::time::Duration::from_secs(1);
    let workload = crate::prepare(&plan, second, 1, &|_| {}, &stop).expect("prepared");
    let count = Count(std::sync::atomic::AtomicU64::new(0));
    assert!(workload.run(&count, &stop).expect("ends").completed);
    assert!(count.0.into_inner() > 1_000);
    let bytes = fs::read(&path).expect("readable");
    let half = 32 << 20;
    assert!(bytes[..half].iter().any(|byte| *byte != 0), "something was written");
    assert!(bytes[half..].iter().all(|byte| *byte == 0), "nothing beyond the planned size");
}

#[test]
fn what_databases_and_others_leave_on_raw_devices_is_seen() {
    let uberblock = 0x00ba_b10c_u64;
    let cases: [(&str, u64, Vec<u8>); 8] = [
        ("Aerospike", 0, 0x4349_7472_7573_0322_u64.swap_bytes().to_be_bytes().to_vec()),
        ("Aerospike", 0, 0x4349_7472_7573_0707_u64.swap_bytes().to_be_bytes().to_vec()),
        ("Ceph (BlueStore)", 0, b"bluestore block device\n01234567".to_vec()),
        ("bcache", 0x1018, vec![0xc6, 0x85, 0x73, 0xf6, 0x4e, 0x1a, 0x45, 0xca]),
        ("LUKS, second header", 0x4000, b"SKUL\xba\xbe".to_vec()),
        ("ZFS", (128 << 10) + 57 * 1024, uberblock.to_le_bytes().to_vec()),
        ("ZFS", (256 << 10) + (128 << 10) + 1024, uberblock.to_be_bytes().to_vec()),
        ("ZFS", 64 * MIB - (128 << 10) + 3 * 1024, uberblock.to_le_bytes().to_vec()),
    ];
    for (expected, place, bytes) in cases {
        let folder = TempDir::new().expect("a folder");
        let path = image(&folder);
        let file = OpenOptions::new().write(true).open(&path).expect("writable");
        std::os::unix::fs::FileExt::write_all_at(&file, &bytes, place).expect("written");
        let ours = looks(&path)[0].clone().err().unwrap_or_default();
        assert!(ours.contains(expected), "{expected}: {ours:?}");
    }
}

#[test]
fn a_file_is_not_created_among_the_data_of_a_database() {
    for (names, expected) in [
        (&["PG_VERSION", "base/1/2619"][..], "PostgreSQL"),
        (&["ibdata1"], "MySQL"),
        (&["CURRENT", "IDENTITY", "MANIFEST-000004"], "RocksDB"),
    ] {
        let folder = TempDir::new().expect("a folder");
        for name in names {
            let place = folder.path().join(name);
            fs::create_dir_all(place.parent().expect("a folder")).expect("created");
            fs::write(place, "").expect("written");
        }
        fs::create_dir_all(folder.path().join("deep/down")).expect("created");
        for place in [folder.path().to_owned(), folder.path().join("deep/down")] {
            let sentence = usage::check_folder(&place.join("act.dat"), &place).expect_err("refused").to_string();
            assert!(sentence.contains(expected) && sentence.contains("choose another folder"), "{sentence}");
        }
    }
    let empty = TempDir::new().expect("a folder");
    assert!(usage::check_folder(&empty.path().join("act.dat"), empty.path()).is_ok());
}

#[test]
fn the_opened_handle_decides_and_not_the_path() {
    let (folder, other) = (TempDir::new().expect("a folder"), TempDir::new().expect("a folder"));
    let (one, two) = (image(&folder), image(&other));
    let (Some(mine), Some(foreign)) = (Loop::over(&one), Loop::over(&two)) else { return };
    let list = folder.path().join("allowed");
    fs::write(&list, mine.serial(64 * MIB)).expect("written");
    let consent = Consent { serials: vec![mine.serial(64 * MIB)], allow_list: list };
    let path = Path::new(&mine.0);
    let judged = |device: &Loop| {
        let file = File::open(&device.0).expect("readable");
        agreed(path, &file, &consent, &System::default()).map_err(|error| error.to_string())
    };
    assert_eq!(judged(&mine), Ok(()));
    assert!(judged(&foreign).expect_err("another device under the same path").contains("does not name it"));
    let file = File::open(&one).expect("readable");
    let sentence = agreed(path, &file, &consent, &System::default()).expect_err("a file").to_string();
    assert!(sentence.contains("is no block device"), "{sentence}");
}

#[test]
fn a_device_that_another_process_has_open_is_not_touched() {
    let folder = TempDir::new().expect("a folder");
    let path = image(&folder);
    let Some(device) = Loop::over(&path) else { return };
    let list = folder.path().join("allowed");
    fs::write(&list, device.serial(64 * MIB)).expect("written");
    let consent = Consent { serials: vec![device.serial(64 * MIB)], allow_list: list };
    // Opened like a raw device of a database: not exclusively.
    let input = File::open(&device.0).expect("readable");
    let mut holder = Command::new("sleep").arg("60").stdin(input).spawn().expect("runs");
    let refused = open_for_writing(Path::new(&device.0), &consent, true).map(|_| ());
    holder.kill().expect("runs");
    holder.wait().expect("ended");
    let sentence = refused.expect_err("refused").to_string();
    assert!(sentence.contains(&format!("held open by process {} (sleep)", holder.id())), "{sentence}");
    assert!(open_for_writing(Path::new(&device.0), &consent, true).is_ok(), "it is free now");
}
