"""Embedded servers: start, waiting until they answer, restart and stop."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from tailroom.embedded.process import ProcessError, SupervisedProcess

NO_ACCOUNT = "the current user has no entry in /etc/passwd: run as a user that has one, or as root"
_POLL_S = 0.02
_REMEDIES = {
    "No space left on device": "the disk is full: free some space, or set TAILROOM_HOME to another disk",
    "could not look up effective user ID": NO_ACCOUNT,
    "could not create shared memory segment": "too little shared memory: enlarge /dev/shm",
}
"""Advice by a part of a server's output."""


class EmbeddedService:
    """A running server. Use as a context manager, or call `stop`."""

    name: str
    ready_within_s: float
    """Seconds that the server may take until it answers."""

    def __init__(self, launch: Callable[[], SupervisedProcess]) -> None:
        """Start the server by `launch`, which also starts it again after it died."""
        self._launch = launch
        self.process = launch()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Shut the server down so that it writes its data first. Raise TimeoutError after 20 s."""
        self.process.stop()

    def restart(self) -> None:
        """Start the server again after it died, under the same URL; return when it answers.

        Raise ProcessError if it does not start, or does not answer within `ready_within_s`.
        """
        self.process = self._launch()
        self.await_ready()

    def await_ready(self) -> None:
        """Wait until the server answers. Raise ProcessError if it ends or is late; then it is killed."""
        deadline = time.monotonic() + self.ready_within_s
        while not self.answers():
            if self.process.poll() is not None:
                raise ProcessError(explain(self.process.log_tail(), f"{self.name} ended while starting"))
            if time.monotonic() > deadline:
                self.process.kill()
                raise ProcessError(
                    f"{self.name} did not answer within {self.ready_within_s:.0f} s: see"
                    f" {self.process.log_path}"
                )
            time.sleep(_POLL_S)

    def answers(self) -> bool:
        """Return whether the server accepts a connection now. Subclasses implement it."""
        raise NotImplementedError


@contextmanager
def removed_on_error(folder: Path) -> Iterator[None]:
    """Remove the folder if the block raises an exception."""
    try:
        yield
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def explain(output: str, what: str) -> str:
    """Return a sentence: `what` (the failure), then a remedy for known output, else its last filled line."""
    for sign, remedy in _REMEDIES.items():
        if sign in output:
            return f"{what}: {remedy}"
    last = next((line for line in reversed(output.splitlines()) if line.strip()), "no output")
    return f"{what}: {last.strip()}"
