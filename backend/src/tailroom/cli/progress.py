"""Progress on a terminal of work that takes more than a second, on standard error and removed at the end."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

SHOWN_AFTER_S = 1.0


def counted(chunks: Iterator[bytes], doing: str, total_bytes: int) -> Iterator[bytes]:
    """Yield the chunks of bytes, and count them in a progress display; without a terminal none is shown."""
    with byte_progress(doing, total_bytes) as advance:
        for chunk in chunks:
            yield chunk
            advance(len(chunk))


@contextmanager
def byte_progress(doing: str, total_bytes: int) -> Iterator[Callable[[int], None]]:
    """Show how many of `total_bytes` are done; yields the function that counts bytes that are done."""
    done_bytes, began_s = 0, time.monotonic()
    is_terminal = sys.stderr.isatty()
    shown: Progress | None = None

    def advance(size_bytes: int) -> None:
        nonlocal done_bytes, shown
        done_bytes += size_bytes
        if shown is None and is_terminal and time.monotonic() - began_s >= SHOWN_AFTER_S:
            shown = _display(doing, total_bytes)
            shown.start()
        if shown is not None:
            shown.update(shown.task_ids[0], completed=done_bytes)

    try:
        yield advance
    finally:
        if shown is not None:
            shown.stop()


@contextmanager
def elapsed(doing: str) -> Iterator[None]:
    """Show how long the block has taken, from the first second on; nothing without a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    ended = Event()

    def show() -> None:
        if not ended.wait(SHOWN_AFTER_S):
            with _display(doing, None):
                ended.wait()

    shown = Thread(target=show)
    shown.start()
    try:
        yield
    finally:
        ended.set()
        shown.join()


def _display(doing: str, total_bytes: int | None) -> "Progress":
    """Return a display, not shown yet, of bytes with rate and time left, or of the time that has passed."""
    from rich import progress
    from rich.console import Console
    from rich.markup import escape

    from tailroom.kit.encodings import terminal_text

    text = progress.TextColumn("{task.description}")
    columns: list[progress.ProgressColumn] = [progress.SpinnerColumn(), text, progress.TimeElapsedColumn()]
    if total_bytes is not None:
        of_bytes = (progress.BarColumn, progress.DownloadColumn, progress.TransferSpeedColumn)
        columns = [text, *(column() for column in of_bytes), progress.TimeRemainingColumn()]
    display = progress.Progress(*columns, console=Console(stderr=True), transient=True)
    display.add_task(escape(terminal_text(doing)), total=total_bytes)
    return display
