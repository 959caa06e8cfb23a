//! Whether what lies on a device looks like somebody's data.
//!
//! Two looks that know nothing of each other. Our own list is short and always there. `blkid` knows every format that
//! util-linux knows; where it cannot be asked, the answer is no. A crate was looked for: those that bind libblkid need its
//! headers and libclang to build, those in pure Rust do not know LVM and RAID.

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;

use measure::series::WorkloadError;

use super::{System, refusal};
use crate::aligned::AlignedBytes;

/// Where a signature stands.
#[derive(Debug, Clone, Copy)]
enum At {
    /// From the start.
    Start(u64),
    /// From the end, rounded down to 64 KiB where the second number is true.
    End(u64, bool),
}

use At::{End, Start};

/// What, where, and its bytes.
const SIGNATURES: &[(&str, At, &[u8])] = &[
    ("a partition table (MBR)", Start(510), &[0x55, 0xaa]),
    ("a partition table (GPT)", Start(512), b"EFI PART"),
    ("a partition table (GPT)", Start(4096), b"EFI PART"),
    ("the copy of a partition table (GPT)", End(512, false), b"EFI PART"),
    ("the copy of a partition table (GPT)", End(4096, false), b"EFI PART"),
    ("a file system (ext2, ext3, ext4)", Start(0x438), &[0x53, 0xef]),
    ("a file system (XFS)", Start(0), b"XFSB"),
    ("a file system (Btrfs)", Start(0x1_0040), b"_BHRfS_M"),
    ("a file system (F2FS)", Start(1024), &[0x10, 0x20, 0xf5, 0xf2]),
    ("a file system (NTFS)", Start(3), b"NTFS    "),
    ("a file system (exFAT)", Start(3), b"EXFAT   "),
    ("a file system (SquashFS)", Start(0), b"hsqs"),
    ("a file system (ISO 9660)", Start(0x8001), b"CD001"),
    ("a file system (ZFS)", Start(0x2_0000), &[0x0c, 0xb1, 0xba, 0, 0, 0, 0, 0]),
    ("a file system (ZFS)", Start(0x2_1000), &[0x0c, 0xb1, 0xba, 0, 0, 0, 0, 0]),
    ("a file system (bcachefs or bcache)", Start(0x1018), &[0xc6, 0x85, 0x73, 0xf6, 0x4e, 0x1a, 0x45, 0xca]),
    ("LVM", Start(0), b"LABELONE"),
    ("LVM", Start(512), b"LABELONE"),
    ("LVM", Start(1024), b"LABELONE"),
    ("LVM", Start(1536), b"LABELONE"),
    ("encryption (LUKS)", Start(0), b"LUKS\xba\xbe"),
    ("RAID (md 1.1)", Start(0), &[0xfc, 0x4e, 0x2b, 0xa9]),
    ("RAID (md 1.2)", Start(4096), &[0xfc, 0x4e, 0x2b, 0xa9]),
    ("RAID (md 1.0)", End(8192, false), &[0xfc, 0x4e, 0x2b, 0xa9]),
    ("RAID (md 0.90)", End(65_536, true), &[0xfc, 0x4e, 0x2b, 0xa9]),
    ("RAID (DDF)", End(512, false), &[0xde, 0x11, 0xde, 0x11]),
    ("swap", Start(4096 - 10), b"SWAPSPACE2"),
    ("swap", Start(8192 - 10), b"SWAPSPACE2"),
    ("swap", Start(16_384 - 10), b"SWAPSPACE2"),
    ("swap", Start(65_536 - 10), b"SWAPSPACE2"),
];

/// Read at once: whole pages, as direct input needs them.
const PAGE_BYTES: u64 = 4096;

/// Refuses a device (or file) with a signature of the list.
pub fn look(path: &Path, file: &File) -> Result<(), WorkloadError> {
    let unreadable = |error: std::io::Error| {
        refusal(path, &format!("what lies on it cannot be read ({error}), so it is not touched"))
    };
    let size_bytes = (&mut &*file).seek(SeekFrom::End(0)).map_err(unreadable)?;
    let mut memory = AlignedBytes::new(8192);
    for (what, at, expected) in SIGNATURES {
        let place = match *at {
            Start(offset) => Some(offset),
            End(offset, false) => size_bytes.checked_sub(offset),
            End(offset, true) => (size_bytes / 65_536 * 65_536).checked_sub(offset),
        };
        let Some(place) = place.filter(|place| place + expected.len() as u64 <= size_bytes) else { continue };
        let (page, within) = (place / PAGE_BYTES * PAGE_BYTES, usize::try_from(place % PAGE_BYTES).unwrap_or(0));
        let bytes = memory.as_mut_slice();
        let wanted = within + expected.len();
        let mut filled = 0;
        while filled < wanted {
            match file.read_at(&mut bytes[filled..], page + filled as u64).map_err(unreadable)? {
                0 => return Err(unreadable(std::io::Error::from(std::io::ErrorKind::UnexpectedEof))),
                read => filled += read,
            }
        }
        if bytes[within..wanted] == **expected {
            return Err(refusal(
                path,
                &format!(
                    "holds {what}, so it is not touched; if nothing on it is needed, its owner removes that \
                     (`wipefs --all`)"
                ),
            ));
        }
    }
    Ok(())
}

/// Refuses a device on which util-linux finds anything, and one that it cannot be asked about.
pub fn ask_blkid(path: &Path, system: &System) -> Result<(), WorkloadError> {
    let cannot = |why: &str| {
        refusal(
            path,
            &format!("it cannot be found out what lies on it ({why}), so it is not touched; install util-linux"),
        )
    };
    let program = system.blkid.iter().find(|program| program.exists()).ok_or_else(|| cannot("blkid is not there"))?;
    let output = Command::new(program)
        .args(["--probe", "--output", "export", "--"])
        .arg(path)
        .env_clear()
        .output()
        .map_err(|error| cannot(&error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let field = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)).map(str::to_owned);
    match output.status.code() {
        // Nothing was found, or only the topology.
        Some(2) => Ok(()),
        Some(0 | 8) => {
            let what = field("TYPE=").or_else(|| field("PTTYPE=")).unwrap_or_else(|| "more than one format".into());
            Err(refusal(
                path,
                &format!(
                    "holds data according to blkid ({what}), so it is not touched; if nothing on it is needed, its owner \
                          removes that (`wipefs --all`)"
                ),
            ))
        }
        code => Err(cannot(&format!("blkid ended with {code:?}"))),
    }
}
