//! Sanitizing of an `NVMe` drive, which erases all of it (NVM Express base specification, command 84h and log page 81h).

use std::fs::File;
use std::io;
use std::thread;
use std::time::Duration;

use measure::series::StopFlag;

use crate::nvme::{self, IDENTIFY_BYTES};

const STATUS_PAGE: u32 = 0x81;
const STATUS_BYTES: usize = 512;
/// Offset in the controller's identify data of the supported sanitize actions.
const CAPABILITIES_AT: usize = 328;
const CRYPTO_ERASE_OFFERED: u8 = 1;
const BLOCK_ERASE_OFFERED: u8 = 1 << 1;
/// Actions of the command. Overwriting is not used, because it takes a day and wears out the flash.
const BLOCK_ERASE: u32 = 2;
const CRYPTO_ERASE: u32 = 4;
/// Offset in the controller's identify data of the supported optional commands.
const OPTIONAL_COMMANDS_AT: usize = 256;
const NAMESPACE_MANAGEMENT: u8 = 1 << 3;
/// Offset in the controller's identify data of the flags that a format or erasure affects all namespaces.
const FORMAT_ATTRIBUTES_AT: usize = 524;
const FORMATS_ALL: u8 = 1;
const ERASES_ALL: u8 = 1 << 1;
const CHECK_EVERY: Duration = Duration::from_millis(500);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// Never sanitized, or complete.
    Idle,
    UnderWay,
    /// Failed; the drive accepts no other command until it is sanitized again.
    Failed,
}

impl Status {
    fn of(page: &[u8; STATUS_BYTES]) -> Self {
        match page[2] & 0x7 {
            2 => Self::UnderWay,
            3 => Self::Failed,
            _ => Self::Idle,
        }
    }
}

/// Returns the fastest erase action that the controller supports, or `None` if it supports none.
fn action(controller: &[u8; IDENTIFY_BYTES]) -> Option<u32> {
    let offered = controller[CAPABILITIES_AT];
    let actions = [(BLOCK_ERASE_OFFERED, BLOCK_ERASE), (CRYPTO_ERASE_OFFERED, CRYPTO_ERASE)];
    actions.into_iter().find(|(bit, _)| offered & bit != 0).map(|(_, action)| action)
}

/// Returns whether formatting one namespace also erases the other namespaces of the drive.
fn formats_all(controller: &[u8; IDENTIFY_BYTES]) -> bool {
    controller[FORMAT_ATTRIBUTES_AT] & (FORMATS_ALL | ERASES_ALL) != 0
}

/// Returns whether a controller can list all namespaces of the drive, not only those attached to it.
fn lists_all(controller: &[u8; IDENTIFY_BYTES]) -> bool {
    controller[OPTIONAL_COMMANDS_AT] & NAMESPACE_MANAGEMENT != 0
}

fn refused(reason: &str) -> io::Error {
    io::Error::other(reason.to_owned())
}

fn check_alone(file: &File, controller: &[u8; IDENTIFY_BYTES]) -> io::Result<()> {
    match nvme::namespaces(file, lists_all(controller))?.len() {
        0 | 1 => Ok(()),
        number => {
            Err(refused(&format!("it would erase all {number} namespaces of the drive, and the consent is to one")))
        }
    }
}

/// Checks that a format would not erase other namespaces. Fails if it would, or if the drive does not answer.
pub(super) fn check_format(file: &File) -> io::Result<()> {
    let controller = nvme::identify_controller(file)?;
    if formats_all(&controller) { check_alone(file, &controller) } else { Ok(()) }
}

/// Sanitizes the drive and waits until it is complete. If the drive is already being sanitized, only waits. Fails if other
/// namespaces would be erased, the drive does not support or fails to sanitize, or `stop` was set, although the drive then
/// continues on its own.
pub(super) fn sanitize(file: &File, stop: &StopFlag) -> io::Result<()> {
    let controller = nvme::identify_controller(file)?;
    check_alone(file, &controller)?;
    let action = action(&controller).ok_or_else(|| refused("it offers neither block erase nor crypto erase"))?;
    if status(file)? != Status::UnderWay {
        nvme::sanitize(file, action)?;
    }
    loop {
        match status(file)? {
            Status::Idle => return Ok(()),
            Status::Failed => {
                return Err(refused("the drive says that it failed; it takes no other command until it is repeated"));
            }
            Status::UnderWay if stop.is_stopped() => {
                return Err(refused("stopped; the drive goes on by itself, and the next call waits for it"));
            }
            Status::UnderWay => thread::sleep(CHECK_EVERY),
        }
    }
}

fn status(file: &File) -> io::Result<Status> {
    nvme::log_page_of(file, STATUS_PAGE).map(|page| Status::of(&page))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_controller_offers_is_read_from_its_bytes() {
        let of = |capabilities: u8| {
            let mut page = [0; IDENTIFY_BYTES];
            page[328] = capabilities;
            action(&page)
        };
        assert_eq!((of(0), of(0b100)), (None, None), "overwriting alone is not used");
        assert_eq!((of(0b001), of(0b010), of(0b111)), (Some(4), Some(2), Some(2)));
        // Adjacent bytes must not be read.
        let mut page = [0xff; IDENTIFY_BYTES];
        page[328] = 0;
        assert_eq!(action(&page), None);
    }

    #[test]
    fn a_format_of_all_and_a_list_of_all_are_bits_of_their_own() {
        for (place, bits, expected) in [
            (524, 0b001, (true, false)),
            (524, 0b010, (true, false)),
            (524, 0b100, (false, false)),
            (256, 0b1000, (false, true)),
            (256, 0b0111, (false, false)),
        ] {
            let mut page = [0; IDENTIFY_BYTES];
            page[place] = bits;
            assert_eq!((formats_all(&page), lists_all(&page)), expected, "{place}: {bits:b}");
        }
    }

    #[test]
    fn the_status_is_in_three_bits() {
        let of = |low: u8, high: u8| {
            let mut page = [0; STATUS_BYTES];
            (page[2], page[3]) = (low, high);
            Status::of(&page)
        };
        assert_eq!((of(0, 0), of(1, 1), of(4, 1)), (Status::Idle, Status::Idle, Status::Idle));
        // Bits 7 to 3 count completed passes of overwriting.
        assert_eq!((of(2, 0), of(2 | 5 << 3, 0)), (Status::UnderWay, Status::UnderWay));
        assert_eq!((of(3, 0), of(3, 1)), (Status::Failed, Status::Failed));
        let mut page = [0; STATUS_BYTES];
        page[..2].copy_from_slice(&0x8000_u16.to_le_bytes());
        assert_eq!(Status::of(&page), Status::Idle, "progress alone is no status");
    }
}
