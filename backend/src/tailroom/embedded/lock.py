"""Lock of the data folder, so that only one `make up` runs on it."""

import fcntl
import json
import os
from pathlib import Path
from typing import IO

from tailroom.embedded.process import ProcessError


class HomeLock:
    """Exclusive lock of the data folder. The kernel releases it when this process ends in any way."""

    def __init__(self, home: Path, address: str) -> None:
        """Take the lock; write process id and `address` into it. Raise ProcessError if another holds it."""
        self._file: IO[str] = (home / "lock").open("a+")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.seek(0)
            holder = _holder_text(self._file.read())
            self._file.close()
            raise ProcessError(
                f"Tailroom already runs on the data in {home} ({holder}): use that one, "
                "or stop it with Ctrl-C first"
            ) from None
        self._file.seek(0)
        self.predecessor_was_killed = bool(self._file.read())
        """Whether the last holder did not release the lock: its processes may be ending only now."""
        self._file.seek(0)
        self._file.truncate()
        json.dump({"pid": os.getpid(), "address": address}, self._file)
        self._file.flush()

    def release(self) -> None:
        """Release the lock and empty its file."""
        self._file.truncate(0)
        self._file.close()


def _holder_text(text: str) -> str:
    """Return process and address in the text of a lock file as a clause, or that the process is starting."""
    try:
        holder = json.loads(text)
        return f"process {holder['pid']}, {holder['address']}"
    except (ValueError, KeyError, TypeError):
        return "it is just starting"
