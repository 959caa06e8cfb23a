"""Progress on a terminal of work that takes more than a second, on standard error and removed at the end."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

SHOWN_AFTER_S = 1.0


class ByteProgress:
    """Display on a terminal of how many of `total_bytes` are done, from the first second on."""

    def __init__(self, doing: str, total_bytes: int) -> None:
        self._doing, self._total_bytes, self._done_bytes = doing, total_bytes, 0
        self._began_s = time.monotonic()
        self._shown: tuple[Progress, TaskID] | None = None
        self._is_terminal = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end()

    def advance(self, size_bytes: int) -> None:
        """Count bytes that are done, and update the display."""
        self._done_bytes += size_bytes
        if self._shown is not None:
            shown, task = self._shown
            shown.update(task, completed=self._done_bytes)
        elif self._is_terminal and time.monotonic() - self._began_s >= SHOWN_AFTER_S:
            self._show()

    def end(self) -> None:
        """Erase the progress line, if it is shown."""
        if self._shown is not None:
            self._shown[0].stop()
            self._shown = None

    def _show(self) -> None:
        """Start the display, with the bytes that are done already."""
        from rich.console import Console
        from rich.markup import escape
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
            TransferSpeedColumn,
        )

        from tailroom.kit.encodings import terminal_text

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
        )
        shown = Progress(*columns, console=Console(stderr=True), transient=True)
        shown.start()
        task = shown.add_task(escape(terminal_text(self._doing)), total=self._total_bytes)
        shown.update(task, completed=self._done_bytes)
        self._shown = shown, task


def counted(chunks: Iterator[bytes], doing: str, total_bytes: int) -> Iterator[bytes]:
    """Yield the chunks of bytes, and count them in a progress display; without a terminal none is shown."""
    with ByteProgress(doing, total_bytes) as progress:
        for chunk in chunks:
            yield chunk
            progress.advance(len(chunk))


@contextmanager
def byte_progress(doing: str, total_bytes: int) -> Iterator[Callable[[int], None]]:
    """Show progress inside the block; yields the function that counts bytes that are done."""
    with ByteProgress(doing, total_bytes) as progress:
        yield progress.advance


@contextmanager
def elapsed(doing: str) -> Iterator[None]:
    """Show how long the block has taken, from the first second on; nothing without a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    ended = Event()
    shown = Thread(target=_show_elapsed, args=(doing, ended))
    shown.start()
    try:
        yield
    finally:
        ended.set()
        shown.join()


def _show_elapsed(doing: str, ended: Event) -> None:
    """Show the time after the first second until `ended` is set."""
    if ended.wait(SHOWN_AFTER_S):
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from tailroom.kit.encodings import terminal_text

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(escape(terminal_text(doing)), total=None)
        ended.wait()
