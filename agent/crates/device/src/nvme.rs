//! Admin commands of `NVMe` drives (NVM Express base specification): log pages, and erasure of the whole drive.
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
/// Setting of a format command that erases user data.
const ERASE_USER_DATA: u32 = 1 << 9;
/// Structures that `IDENTIFY` can return.
const OF_NAMESPACE: u32 = 0x00;
const OF_CONTROLLER: u32 = 0x01;
const ACTIVE_NAMESPACES: u32 = 0x02;
const ALLOCATED_NAMESPACES: u32 = 0x10;
/// Time-out of a format, in milliseconds.
const FORMAT_TIMEOUT_MS: u32 = 3_600_000;
const USUAL_TIMEOUT_MS: u32 = 1_000;
/// Time-out of the command that starts sanitizing, in milliseconds; the drive then continues on its own.
const SANITIZE_TIMEOUT_MS: u32 = 60_000;
pub(crate) const IDENTIFY_BYTES: usize = 4_096;

/// The kernel's `struct nvme_passthru_cmd`.
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

/// Returns a log page of `LENGTH` bytes of an `NVMe` drive.
pub(crate) fn log_page<const LENGTH: usize>(path: &Path, number: u32) -> io::Result<[u8; LENGTH]> {
    log_page_of(&File::open(path)?, number)
}

/// Returns a log page of an opened drive; see [`log_page`].
pub(crate) fn log_page_of<const LENGTH: usize>(file: &File, number: u32) -> io::Result<[u8; LENGTH]> {
    let words = u32::try_from(LENGTH / 4).unwrap_or(u32::MAX);
    // The number of 4-byte words, minus one.
    read(file, (GET_LOG_PAGE, u32::MAX), number | ((words - 1) << 16))
}

/// Returns the controller's identify data.
pub(crate) fn identify_controller(file: &File) -> io::Result<[u8; IDENTIFY_BYTES]> {
    identify(file, 0, OF_CONTROLLER)
}

/// Returns the numbers of the drive's namespaces: all, or those attached to this controller.
pub(crate) fn namespaces(file: &File, are_all_listed: bool) -> io::Result<Vec<u32>> {
    let page = identify(file, 0, if are_all_listed { ALLOCATED_NAMESPACES } else { ACTIVE_NAMESPACES })?;
    let numbers = page.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
    Ok(numbers.take_while(|number| *number != 0).collect())
}

/// Erases the user data of the namespace `file`, keeping its format.
pub(crate) fn format(file: &File) -> io::Result<()> {
    // SAFETY: this call takes no argument.
    let namespace = unsafe { libc::ioctl(file.as_raw_fd(), NAMESPACE_ID) };
    let namespace = u32::try_from(namespace).map_err(|_| io::Error::last_os_error())?;
    let page = identify(file, namespace, OF_NAMESPACE)?;
    // The current format of the namespace: four bits, and two more bits for drives with many formats.
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

/// Starts to sanitize the drive with `action`. The drive then continues on its own, even after a power loss.
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

/// Executes a command on a namespace that returns `LENGTH` bytes, with the given word 10.
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

/// Executes a command. Its address must be null, or point to as many bytes as its length, which outlive the call.
fn carry_out(file: &File, command: &mut Command) -> io::Result<()> {
    // SAFETY: the kernel reads the command and writes at most its length in bytes to its address.
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
