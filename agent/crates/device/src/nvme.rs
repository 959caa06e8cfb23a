//! `NVMe` drives by their admin commands (NVM Express base specification): log pages, and what erases a drive as a whole.
#![expect(unsafe_code, reason = "admin commands are system calls on addresses")]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::Path;

const ADMIN_COMMAND: libc::Ioctl = 0xc048_4e41_u32 as libc::Ioctl;
const NAMESPACE_ID: libc::Ioctl = 0x4e40;
const GET_LOG_PAGE: u8 = 0x02;
const IDENTIFY: u8 = 0x06;
const FORMAT: u8 = 0x80;
const SANITIZE: u8 = 0x84;
/// Setting of a format that erases user data.
const ERASE_USER_DATA: u32 = 1 << 9;
/// Which structure `IDENTIFY` returns.
const OF_NAMESPACE: u32 = 0x00;
const OF_CONTROLLER: u32 = 0x01;
const ACTIVE_NAMESPACES: u32 = 0x02;
const ALLOCATED_NAMESPACES: u32 = 0x10;
/// A format may take this long.
const FORMAT_TIMEOUT_MS: u32 = 3_600_000;
const USUAL_TIMEOUT_MS: u32 = 1_000;
/// The command that begins to sanitize may take this long; the drive then works without the host.
const SANITIZE_TIMEOUT_MS: u32 = 60_000;
pub(crate) const IDENTIFY_BYTES: usize = 4_096;

/// `struct nvme_passthru_cmd` of the kernel.
#[repr(C)]
#[derive(Default)]
struct Command {
    opcode: u8,
    flags: u8,
    reserved: u16,
    namespace: u32,
    words_2_3: [u32; 2],
    metadata: u64,
    address: u64,
    metadata_length: u32,
    data_length: u32,
    words_10_15: [u32; 6],
    timeout_ms: u32,
    result: u32,
}

/// Reads a log page of `LENGTH` bytes from an `NVMe` drive.
///
/// # Errors
/// When the drive may not be opened, or has no such page.
pub(crate) fn log_page<const LENGTH: usize>(path: &Path, number: u32) -> io::Result<[u8; LENGTH]> {
    log_page_of(&File::open(path)?, number)
}

/// As [`log_page`], of an opened drive.
pub(crate) fn log_page_of<const LENGTH: usize>(file: &File, number: u32) -> io::Result<[u8; LENGTH]> {
    let words = u32::try_from(LENGTH / 4).unwrap_or(u32::MAX);
    // The length in words of four bytes, less one.
    read(file, (GET_LOG_PAGE, u32::MAX), number | ((words - 1) << 16))
}

/// Returns the identify data of the controller.
pub(crate) fn identify_controller(file: &File) -> io::Result<[u8; IDENTIFY_BYTES]> {
    identify(file, 0, OF_CONTROLLER)
}

/// Returns the numbers of the drive's namespaces: of all, or of those that this controller shows.
pub(crate) fn namespaces(file: &File, are_all_listed: bool) -> io::Result<Vec<u32>> {
    let page = identify(file, 0, if are_all_listed { ALLOCATED_NAMESPACES } else { ACTIVE_NAMESPACES })?;
    let numbers = page.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
    Ok(numbers.take_while(|number| *number != 0).collect())
}

/// Erases the user data of the namespace that `file` is, in the format that it has.
pub(crate) fn format(file: &File) -> io::Result<()> {
    // SAFETY: this call has no argument.
    let namespace = unsafe { libc::ioctl(file.as_raw_fd(), NAMESPACE_ID) };
    let namespace = u32::try_from(namespace).map_err(|_| io::Error::last_os_error())?;
    let page = identify(file, namespace, OF_NAMESPACE)?;
    // The format that the namespace has now: its number in four bits, and two bits more of drives with many formats.
    let formatted = u32::from(page[26]);
    let (format, settings) = (formatted & 0xf, formatted & 0x10);
    let upper = (formatted >> 5) & 0x3;
    let mut command = Command {
        opcode: FORMAT,
        namespace,
        words_10_15: [format | settings | ERASE_USER_DATA | upper << 12, 0, 0, 0, 0, 0],
        timeout_ms: FORMAT_TIMEOUT_MS,
        ..Command::default()
    };
    carry_out(file, &mut command)
}

/// Begins to sanitize the drive by this action. The drive works without the host, also after a loss of power.
pub(crate) fn sanitize(file: &File, action: u32) -> io::Result<()> {
    let mut command = Command {
        opcode: SANITIZE,
        words_10_15: [action, 0, 0, 0, 0, 0],
        timeout_ms: SANITIZE_TIMEOUT_MS,
        ..Command::default()
    };
    carry_out(file, &mut command)
}

fn identify(file: &File, namespace: u32, structure: u32) -> io::Result<[u8; IDENTIFY_BYTES]> {
    read(file, (IDENTIFY, namespace), structure)
}

/// Carries out a command on a namespace that fills `LENGTH` bytes, with this word 10.
fn read<const LENGTH: usize>(file: &File, (opcode, namespace): (u8, u32), word_10: u32) -> io::Result<[u8; LENGTH]> {
    let mut page = [0_u8; LENGTH];
    let mut command = Command {
        address: page.as_mut_ptr() as u64,
        data_length: u32::try_from(LENGTH).unwrap_or(u32::MAX),
        words_10_15: [word_10, 0, 0, 0, 0, 0],
        opcode,
        namespace,
        timeout_ms: USUAL_TIMEOUT_MS,
        ..Command::default()
    };
    carry_out(file, &mut command)?;
    Ok(page)
}

/// Carries out a command whose address is null, or that of as many bytes as its length says, which outlive the call.
fn carry_out(file: &File, command: &mut Command) -> io::Result<()> {
    // SAFETY: the kernel reads the command and writes at most as many bytes as its length says to its address.
    let status = unsafe { libc::ioctl(file.as_raw_fd(), ADMIN_COMMAND, &raw mut *command) };
    match status {
        0 => Ok(()),
        -1 => Err(io::Error::last_os_error()),
        status => Err(io::Error::other(format!("the drive answered with status {status:#x}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_laid_out_as_the_kernel_knows_it() {
        assert_eq!(size_of::<Command>(), 72);
    }
}
