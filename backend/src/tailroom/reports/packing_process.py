"""Packing, and the page that works without a server, in a process of its own, with a time limit.

The run of a day is read and judged again, and no other request should wait for that. Files and archive pass
through pipes; nothing is written to the disk.
"""

import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from tailroom.domain.errors import DomainError
from tailroom.evidence.answers import NO_ANSWERS, Answers
from tailroom.kit.clock import utc_now
from tailroom.reports.offline_page import offline_page_of_files
from tailroom.reports.packing import pack
from tailroom.reports.printing import child_environment
from tailroom.reports.signing import key_of

PACKING_SECONDS = 90.0
"""Time limit in a request."""
_REFUSED = 3
"""Exit code if the reason is in the files; its text is in the last line of the error output."""


PackForm = Literal["archive", "page"]


class NotPacked(DomainError):
    """No pack was made; the message states the reason."""


class PackingTooLong(NotPacked):
    """The pack was not ready within the time limit."""


class PackedFile(NamedTuple):
    """A file to be packed; `size_bytes` may be None (all that follows) for the last file only."""

    name: str
    size_bytes: int | None
    chunks: Iterable[bytes]


def pack_in_process(
    files: Sequence[PackedFile],
    key: Path,
    limit_s: float = PACKING_SECONDS,
    *,
    answers: Answers = NO_ANSWERS,
    time_stamp_url: str | None = None,
    form: PackForm = "archive",
) -> bytes:
    """Return the archive, signed with the key in the file `key`, or the offline page of the same files.

    Raise PackingTooLong if that takes more than `limit_s` seconds after the files were sent, NotPacked with
    the reason for any other error.
    """
    command = [sys.executable, "-I", "-m", "tailroom.reports.packing_process"]
    head = {
        "key": str(key),
        "files": [[file.name, file.size_bytes] for file in files],
        "answers": answers.document(),
        "time_stamp_url": time_stamp_url,
        "form": form,
    }
    with subprocess.Popen(  # noqa: S603 - our own module, with the files in a pipe
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=child_environment(),
    ) as process:
        try:
            _send(process, json.dumps(head).encode() + b"\n", files)
            archive, error_output = process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            raise PackingTooLong(
                f"the pack was not ready after {limit_s:g} seconds; make it with `tailroom pack`"
            ) from None
        finally:
            process.kill()
    if process.returncode:
        lines = error_output.decode(errors="replace").strip().splitlines()
        reason = lines[-1] if lines else f"its process exited with {process.returncode}"
        raise NotPacked(reason if process.returncode == _REFUSED else f"packing failed: {reason}")
    return archive


def _send(process: "subprocess.Popen[bytes]", head: bytes, files: Sequence[PackedFile]) -> None:
    """Write parameters and files to the process, and close its input; no error if the process has ended."""
    stdin = process.stdin
    assert stdin is not None  # noqa: S101 - Popen got stdin=PIPE
    try:
        stdin.write(head)
        for file in files:
            for chunk in file.chunks:
                stdin.write(chunk)
        stdin.close()
    except BrokenPipeError:
        # The process has ended; its error output has the reason.
        pass
    finally:
        process.stdin = None


def main() -> int:
    """Write the pack or page, made from parameters and files in standard input, to standard output.

    Return 0, or 3 after writing to the error output why it cannot be made.
    """
    stream = sys.stdin.buffer
    head = json.loads(stream.readline())
    files = {name: stream.read() if size is None else stream.read(size) for name, size in head["files"]}
    try:
        answers = Answers.of(head["answers"])
        if head["form"] == "page":
            content = offline_page_of_files(files, utc_now(), answers=answers)
        else:
            key, url = key_of(Path(head["key"])), head["time_stamp_url"]
            content, _ = pack(files, utc_now(), key=key, answers=answers, time_stamp_url=url)
    except (DomainError, OSError) as error:
        print(error, file=sys.stderr)
        return _REFUSED
    sys.stdout.buffer.write(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
