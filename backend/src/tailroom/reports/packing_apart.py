"""An evidence pack made in a process of its own, with a limited time.

A run of a day is read and judged anew, which no other request should wait for. Files go in and the archive
comes out by pipes; nothing lies on the disk.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from tailroom.domain.errors import DomainError
from tailroom.evidence.answers import NOTHING, Answers
from tailroom.kit.clock import utc_now
from tailroom.reports.packing import pack
from tailroom.reports.signing import key_of

PACKING_SECONDS = 90.0
_REFUSED = 3


class NotPacked(DomainError):
    """No pack came of the files; the message says why."""


class PackingTooLong(NotPacked):
    """The files are too much for the time that a request has."""


class RawFile(NamedTuple):
    """A file as it comes: the size of the last one may be unknown."""

    name: str
    size_bytes: int | None
    pieces: Iterable[bytes]


def pack_apart(
    files: Sequence[RawFile], key: Path, limit_s: float = PACKING_SECONDS, answers: Answers = NOTHING
) -> bytes:
    """The archive, signed by the key in this file. Raises NotPacked, and what reading the files raises."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LD_LIBRARY_PATH") if name in os.environ}
    command = [sys.executable, "-I", "-m", "tailroom.reports.packing_apart"]
    head: dict[str, object] = {"key": str(key), "files": [[one.name, one.size_bytes] for one in files]}
    head["answers"] = answers.document()
    with subprocess.Popen(  # noqa: S603 - our own module, and the files by a pipe
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**kept, "LANG": "C.UTF-8"},
    ) as process:
        try:
            _send(process, json.dumps(head).encode() + b"\n", files)
            made, said = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            raise PackingTooLong(
                f"the pack was not ready after {limit_s:g} seconds; make it with `tailroom pack`"
            ) from None
        finally:
            process.kill()
    if process.returncode:
        lines = said.decode(errors="replace").strip().splitlines()
        reason = lines[-1] if lines else f"its process exited with {process.returncode}"
        raise NotPacked(reason if process.returncode == _REFUSED else f"packing failed: {reason}")
    return made


def _send(process: "subprocess.Popen[bytes]", head: bytes, files: Sequence[RawFile]) -> None:
    stdin = process.stdin
    assert stdin is not None  # noqa: S101 - asked for above
    try:
        stdin.write(head)
        for one in files:
            for piece in one.pieces:
                stdin.write(piece)
        stdin.close()
    except BrokenPipeError:
        # It has ended: what it wrote says why.
        pass
    finally:
        process.stdin = None


def main() -> int:
    """From files on standard input to an archive on standard output; 3, and why, where there is none."""
    stream = sys.stdin.buffer
    head = json.loads(stream.readline())
    files = {name: stream.read() if size is None else stream.read(size) for name, size in head["files"]}
    try:
        answers = Answers.of(head["answers"])
        made, _ = pack(files, utc_now(), key=key_of(Path(head["key"])), answers=answers)
    except (DomainError, OSError) as error:
        print(error, file=sys.stderr)
        return _REFUSED
    sys.stdout.buffer.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
