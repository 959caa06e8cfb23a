//! Checks that a device holds no data, by a list of signatures and by util-linux's `blkid`.
//!
//! The two checks are independent. The list is short and always available. `blkid` knows every format of util-linux; if it cannot
//! run, the device is refused. Crates that bind libblkid need its headers and libclang to build, and crates in pure Rust do not
//! know LVM and RAID.

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;

use measure::series::WorkloadError;

use super::system::{System, refusal};
use crate::aligned::AlignedBytes;

#[derive(Debug, Clone, Copy)]
enum Position {
    /// Offset from the start, in bytes.
    Start(u64),
    /// Offset in bytes back from the end of the device, which is first rounded down to a multiple of the second number.
    End(u64, u64),
}

use Position::{End, Start};

/// Name, position and bytes of each signature.
const SIGNATURES: &[(&str, Position, &[u8])] = &[
    ("a partition table (MBR)", Start(510), &[0x55, 0xaa]),
    ("a partition table (GPT)", Start(512), b"EFI PART"),
    ("a partition table (GPT)", Start(4096), b"EFI PART"),
    ("the copy of a partition table (GPT)", End(512, 1), b"EFI PART"),
    ("the copy of a partition table (GPT)", End(4096, 1), b"EFI PART"),
    ("a file system (ext2, ext3, ext4)", Start(0x438), &[0x53, 0xef]),
    ("a file system (XFS)", Start(0), b"XFSB"),
    ("a file system (Btrfs)", Start(0x1_0040), b"_BHRfS_M"),
    ("a file system (F2FS)", Start(1024), &[0x10, 0x20, 0xf5, 0xf2]),
    ("a file system (NTFS)", Start(3), b"NTFS    "),
    ("a file system (exFAT)", Start(3), b"EXFAT   "),
    ("a file system (SquashFS)", Start(0), b"hsqs"),
    ("a file system (ISO 9660)", Start(0x8001), b"CD001"),
    ("storage of Ceph (BlueStore)", Start(0), b"bluestore block device"),
    ("storage of Aerospike", Start(0), &[0x22, 0x03, 0x73, 0x75, 0x72, 0x74, 0x49, 0x43]),
    ("storage of Aerospike (before 4.6)", Start(0), &[0x07, 0x07, 0x73, 0x75, 0x72, 0x74, 0x49, 0x43]),
    ("a file system (bcachefs or bcache)", Start(0x1018), &[0xc6, 0x85, 0x73, 0xf6, 0x4e, 0x1a, 0x45, 0xca]),
    ("LVM", Start(0), b"LABELONE"),
    ("LVM", Start(512), b"LABELONE"),
    ("LVM", Start(1024), b"LABELONE"),
    ("LVM", Start(1536), b"LABELONE"),
    ("encryption (LUKS)", Start(0), b"LUKS\xba\xbe"),
    ("encryption (LUKS, second header)", Start(0x4000), b"SKUL\xba\xbe"),
    ("encryption (LUKS, second header)", Start(0x8000), b"SKUL\xba\xbe"),
    ("encryption (LUKS, second header)", Start(0x1_0000), b"SKUL\xba\xbe"),
    ("encryption (LUKS, second header)", Start(0x2_0000), b"SKUL\xba\xbe"),
    ("encryption (LUKS, second header)", Start(0x4_0000), b"SKUL\xba\xbe"),
    ("RAID (md 1.1)", Start(0), &[0xfc, 0x4e, 0x2b, 0xa9]),
    ("RAID (md 1.2)", Start(4096), &[0xfc, 0x4e, 0x2b, 0xa9]),
    ("RAID (md 1.0)", End(8192, 1), &[0xfc, 0x4e, 0x2b, 0xa9]),
    ("RAID (md 0.90)", End(65_536, 65_536), &[0xfc, 0x4e, 0x2b, 0xa9]),
    ("RAID (DDF)", End(512, 1), &[0xde, 0x11, 0xde, 0x11]),
    ("swap", Start(4096 - 10), b"SWAPSPACE2"),
    ("swap", Start(8192 - 10), b"SWAPSPACE2"),
    ("swap", Start(16_384 - 10), b"SWAPSPACE2"),
    ("swap", Start(65_536 - 10), b"SWAPSPACE2"),
];

/// Size of a ZFS label in bytes. Its second half consists of slots that begin with `ZFS_MAGIC`, in the byte order of the writer.
const ZFS_LABEL_BYTES: u64 = 256 << 10;
const ZFS_SLOTS_BYTES: usize = 128 << 10;
const ZFS_SLOT_BYTES: usize = 1024;
const ZFS_MAGIC: [&[u8]; 2] = [&[0x0c, 0xb1, 0xba, 0, 0, 0, 0, 0], &[0, 0, 0, 0, 0, 0xba, 0xb1, 0x0c]];

/// Unit of reads in bytes: direct I/O needs whole pages.
const PAGE_BYTES: u64 = 4096;

/// Returns an error if the device or file holds a signature of the list.
pub fn check(path: &Path, file: &File) -> Result<(), WorkloadError> {
    let unreadable = |error: std::io::Error| {
        refusal(path, &format!("what lies on it cannot be read ({error}), so it is not touched"))
    };
    let size_bytes = (&mut &*file).seek(SeekFrom::End(0)).map_err(unreadable)?;
    let mut memory = AlignedBytes::new(8192);
    let read = |page: u64, length: usize, into: &mut AlignedBytes| {
        let (bytes, mut filled) = (into.as_mut_slice(), 0);
        while filled < length {
            match file.read_at(&mut bytes[filled..], page + filled as u64).map_err(unreadable)? {
                0 => return Err(unreadable(std::io::Error::from(std::io::ErrorKind::UnexpectedEof))),
                read => filled += read,
            }
        }
        Ok(())
    };
    let holds = |what: &str| {
        let remedy = "its owner removes that (`wipefs --all`, or zeros over its first MiB)";
        refusal(path, &format!("holds {what}, so it is not touched; if nothing on it is needed, {remedy}"))
    };
    for (what, at, expected) in SIGNATURES {
        let offset_bytes = match *at {
            Start(offset) => Some(offset),
            End(offset, multiple) => (size_bytes / multiple * multiple).checked_sub(offset),
        };
        let Some(offset_bytes) = offset_bytes.filter(|offset_bytes| offset_bytes + expected.len() as u64 <= size_bytes)
        else {
            continue;
        };
        let (page, within) =
            (offset_bytes / PAGE_BYTES * PAGE_BYTES, usize::try_from(offset_bytes % PAGE_BYTES).unwrap_or(0));
        let end = within + expected.len();
        read(page, end, &mut memory)?;
        if memory.as_mut_slice()[within..end] == **expected {
            return Err(holds(what));
        }
    }
    // ZFS rotates through its four labels and their slots, so any of them may be in use.
    let mut slots = AlignedBytes::new(ZFS_SLOTS_BYTES);
    let labels_bytes = size_bytes / ZFS_LABEL_BYTES * ZFS_LABEL_BYTES;
    let labels = [
        0,
        ZFS_LABEL_BYTES,
        labels_bytes.saturating_sub(2 * ZFS_LABEL_BYTES),
        labels_bytes.saturating_sub(ZFS_LABEL_BYTES),
    ];
    for label in labels.into_iter().filter(|label| label + ZFS_LABEL_BYTES <= size_bytes) {
        read(label + ZFS_LABEL_BYTES / 2, ZFS_SLOTS_BYTES, &mut slots)?;
        if slots.as_mut_slice().chunks(ZFS_SLOT_BYTES).any(|slot| ZFS_MAGIC.contains(&&slot[..8])) {
            return Err(holds("a file system (ZFS)"));
        }
    }
    Ok(())
}

/// Returns an error if util-linux's `blkid` finds anything on the device or cannot be run.
///
/// `handle` is the path that `blkid` probes; `path` is only used in messages.
pub fn check_with_blkid(path: &Path, handle: &Path, system: &System) -> Result<(), WorkloadError> {
    let cannot = |why: &str| {
        let sentence = "it cannot be found out what lies on it";
        refusal(path, &format!("{sentence} ({why}), so it is not touched; install util-linux"))
    };
    let program = system.blkid.iter().find(|program| program.exists()).ok_or_else(|| cannot("blkid is not there"))?;
    let output = Command::new(program)
        .args(["--probe", "--output", "export", "--"])
        .arg(handle)
        .env_clear()
        .output()
        .map_err(|error| cannot(&error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let field = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).map(str::to_owned);
    match output.status.code() {
        // `blkid` found nothing, or only the I/O topology.
        Some(2) => Ok(()),
        Some(0 | 8) => {
            let what = field("TYPE=").or_else(|| field("PTTYPE=")).unwrap_or_else(|| "more than one format".into());
            let remedy = "if nothing on it is needed, its owner removes that (`wipefs --all`)";
            Err(refusal(path, &format!("holds data according to blkid ({what}), so it is not touched; {remedy}")))
        }
        code => Err(cannot(&format!("blkid ended with {code:?}"))),
    }
}
