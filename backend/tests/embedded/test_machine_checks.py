"""What stands in the way of starting or measuring is told in one sentence that says what to do."""

import shutil
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from tailroom.embedded import machine_checks
from tailroom.embedded.lock import HomeLock
from tailroom.embedded.machine_checks import (
    GIB,
    await_free_port,
    check_measure_folder,
    file_system,
    require_space,
)
from tailroom.embedded.process import ProcessError

MEMORY = Path("/dev/shm")  # noqa: S108 - a tmpfs on every Linux machine


class Usage(NamedTuple):
    """The answer of shutil.disk_usage."""

    total: int
    used: int
    free: int


def with_free_space(monkeypatch: pytest.MonkeyPatch, free_bytes: int) -> None:
    """Pretend that the disk has this much space left."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(100 * GIB, 0, free_bytes))


def test_a_busy_port_is_named_with_its_owner() -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        with pytest.raises(ProcessError, match=rf"port {port} is used by .*process \d+.*_PORT={port + 1}"):
            await_free_port("127.0.0.1", port, patience_s=0)


def test_a_port_is_awaited_until_it_is_free() -> None:
    busy = socket.socket()
    busy.bind(("127.0.0.1", 0))
    busy.listen()
    port = busy.getsockname()[1]
    with ThreadPoolExecutor(1) as other:
        waiting = other.submit(await_free_port, "127.0.0.1", port, patience_s=60)
        with pytest.raises(TimeoutError):
            waiting.result(timeout=0.3)
        busy.close()
        waiting.result(timeout=60)
    with socket.socket() as server:
        server.bind(("127.0.0.1", port))
        assert server.getsockname()[1] == port


def test_too_little_space_to_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with_free_space(monkeypatch, 100 * 10**6)
    with pytest.raises(ProcessError, match=r"has 100 MB left and the database needs .* free some space"):
        require_space(tmp_path)


def test_the_file_is_a_tenth_of_the_free_space_and_at_most_4_gib(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(machine_checks, "file_system", lambda _path: "ext4")
    monkeypatch.setattr(machine_checks, "_direct_write_works", lambda _path: True)
    with_free_space(monkeypatch, 20 * GIB)
    assert check_measure_folder(tmp_path).file_size_bytes == 2 * GIB
    with_free_space(monkeypatch, 400 * GIB)
    assert check_measure_folder(tmp_path).file_size_bytes == 4 * GIB
    with_free_space(monkeypatch, GIB // 4)
    with pytest.raises(ProcessError, match="needs ten times 67 MB: free some space"):
        check_measure_folder(tmp_path)


def test_memory_is_not_a_drive(tmp_path: Path) -> None:
    assert file_system(MEMORY) == "tmpfs"
    with pytest.raises(ProcessError, match=r"is on tmpfs, which is memory .* TAILROOM_MEASURE_DIR=/path"):
        check_measure_folder(MEMORY)
    assert tmp_path.exists()


def test_a_disk_without_direct_io_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(machine_checks, "file_system", lambda _path: "overlay")
    monkeypatch.setattr(machine_checks, "_direct_write_works", lambda _path: False)
    with pytest.raises(ProcessError, match=r"is on overlay without direct I/O .* TAILROOM_MEASURE_DIR=/path"):
        check_measure_folder(tmp_path)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ProcessError, match=r"cannot be used for measuring \(Not a directory\)"):
        check_measure_folder(tmp_path / "file" / "folder")


def test_two_products_do_not_share_a_folder(tmp_path: Path) -> None:
    first = HomeLock(tmp_path, "http://127.0.0.1:8400")
    with pytest.raises(ProcessError, match=r"already runs .*process \d+, http://127\.0\.0\.1:8400\): use"):
        HomeLock(tmp_path, "http://127.0.0.1:8401")
    first.release()
    second = HomeLock(tmp_path, "http://127.0.0.1:8401")
    assert not second.predecessor_was_killed
    second.release()
