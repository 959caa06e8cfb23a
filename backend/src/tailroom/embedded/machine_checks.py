"""Checks of the machine before a start and a device run: a free port, space, a disk with direct I/O.

A failed check raises ProcessError with one sentence that says what to do.
"""

import contextlib
import mmap
import os
import shutil
import socket
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from tailroom.embedded.process import ProcessError

GIB = 2**30
LARGEST_FILE_BYTES = 4 * GIB
SHARE_OF_FREE_SPACE = 10
"""The temporary file has at most this fraction (a tenth) of the free space."""
SMALLEST_FILE_BYTES = 64 * 2**20
FILE_STEP_BYTES = 2**20
SPACE_TO_START_BYTES = 512 * 2**20
_MEMORY_FILE_SYSTEMS = {"tmpfs", "ramfs"}
_DIRECT_BLOCK_BYTES = 4096
_PORT_POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class MeasureFolder:
    """Folder in which the device run puts its temporary file, and the size of the file."""

    path: Path
    file_size_bytes: int


def await_free_port(host: str, port: int, patience_s: float) -> None:
    """Wait up to `patience_s` seconds for a port. Raise ProcessError if it stays in use, or is for root."""
    deadline = time.monotonic() + patience_s
    while not _is_free(host, port):
        if time.monotonic() >= deadline:
            raise ProcessError(
                f"port {port} is used by {_owner_text(port)}: stop that, or choose another port, for example "
                f"`TAILROOM_PORT={port + 1} make up`"
            )
        time.sleep(_PORT_POLL_S)


def require_space(home: Path) -> None:
    """Raise ProcessError if the disk of `home` has less than 512 MiB left, too little for a database."""
    free = shutil.disk_usage(home).free
    if free < SPACE_TO_START_BYTES:
        raise ProcessError(
            f"the disk of {home} has {free / 1e6:.0f} MB left and the database needs "
            f"{SPACE_TO_START_BYTES / 1e6:.0f} MB to work: free some space, or set TAILROOM_HOME"
        )


def check_measure_folder(folder: Path) -> MeasureFolder:
    """Return the folder, made if missing, and the size of the file that a device run may have there.

    The size is a multiple of 1 MiB, at most 4 GiB and a tenth of the free space. Raise ProcessError for a
    file system in memory or without direct I/O, for a size below 64 MiB, or if the folder cannot be made.
    """
    elsewhere = "name a folder on a disk with TAILROOM_MEASURE_DIR=/path/to/folder"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        kind = file_system(folder)
        if kind in _MEMORY_FILE_SYSTEMS:
            raise ProcessError(f"{folder} is on {kind}, which is memory and not a drive: {elsewhere}")
        if not _direct_write_works(folder):
            raise ProcessError(
                f"{folder} is on {kind or 'a disk'} without direct I/O (O_DIRECT), so that a run would "
                f"measure the page cache: {elsewhere}"
            )
        free = shutil.disk_usage(folder).free
    except OSError as error:
        raise ProcessError(
            f"{folder} cannot be used for measuring ({error.strerror}): {elsewhere}"
        ) from error
    size = min(LARGEST_FILE_BYTES, free // SHARE_OF_FREE_SPACE) // FILE_STEP_BYTES * FILE_STEP_BYTES
    if size < SMALLEST_FILE_BYTES:
        raise ProcessError(
            f"the disk of {folder} has {free / 1e6:.0f} MB left and a device run needs ten times "
            f"{SMALLEST_FILE_BYTES / 1e6:.0f} MB: free some space, or {elsewhere}"
        )
    return MeasureFolder(folder, size)


def file_system(path: Path) -> str | None:
    """Return the type of the file system that holds `path` (`ext4`, `tmpfs`, …), or None if it is unknown."""
    device = path.stat().st_dev
    device_number = f"{os.major(device)}:{os.minor(device)}"
    best = None
    real = str(path.resolve())
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/mountinfo").read_text().splitlines():
            fields, _, rest = line.partition(" - ")
            _, _, number, _, mount_point = fields.split(" ")[:5]
            inside = mount_point in {"/", real} or real.startswith(mount_point + "/")
            if number == device_number and inside:
                best = rest.split(" ", 1)[0]
    return best


def _direct_write_works(folder: Path) -> bool:
    path = folder / f".direct-{os.getpid()}"
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_DIRECT, 0o600)
    except OSError:
        return False
    else:
        try:
            with mmap.mmap(-1, _DIRECT_BLOCK_BYTES) as block:  # page-aligned, as direct I/O demands
                return os.pwrite(descriptor, block, 0) == _DIRECT_BLOCK_BYTES
        except OSError:
            return False
        finally:
            os.close(descriptor)
    finally:
        path.unlink(missing_ok=True)


def _is_free(host: str, port: int) -> bool:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except PermissionError:
            raise ProcessError(
                f"port {port} may only be used by root: choose one above 1023 with TAILROOM_PORT"
            ) from None
        except OSError:
            return False
    return True


def _owner_text(port: int) -> str:
    with contextlib.suppress(psutil.Error, OSError):
        for connection in psutil.net_connections(kind="tcp"):
            if connection.laddr and connection.laddr.port == port and connection.status == psutil.CONN_LISTEN:
                if connection.pid is None:
                    break
                return f"{psutil.Process(connection.pid).name()} (process {connection.pid})"
    return "another program"
