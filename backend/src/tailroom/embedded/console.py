"""Progress of steps on a terminal: a line for each step with its result and its duration.

On a terminal the running steps share one live line below the finished ones; elsewhere (a log, CI) every step
has a plain line when it starts and one when it ends. Uses the standard library only, because it runs before
anything is installed.
"""

import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

_REFRESH_S = 0.2
_LABEL_COLUMNS = 46
_MINUTE_S = 60.0


class Console:
    """Writes finished lines, and below them at most one live line. Thread-safe."""

    def __init__(self, stream: TextIO | None = None, *, live: bool | None = None) -> None:
        """Write to `stream` (None: standard output), with a live line if `live` (None: on a terminal)."""
        self._stream = stream if stream is not None else sys.stdout
        self.is_live = self._stream.isatty() and os.environ.get("TERM") != "dumb" if live is None else live
        self._lock = threading.RLock()
        self._running: dict[str, tuple[float, str]] = {}
        self._live_text = ""
        self._shown = False
        self._ticker: threading.Thread | None = None
        encoding = (self._stream.encoding or "ascii").lower()
        self._unicode = encoding.startswith("utf")
        self._colour = self.is_live and "NO_COLOR" not in os.environ

    @contextmanager
    def step(self, label: str) -> Iterator[None]:
        """Show `label` as running in the context, then as done or failed, with duration and last `detail`."""
        started = time.monotonic()
        with self._lock:
            self._running[label] = (started, "")
            if not self.is_live:
                self._write(f"  {self._sign('…', '...')} {label}\n")
        self._ensure_ticker()
        is_done = False
        try:
            yield
            is_done = True
        finally:
            with self._lock:
                _, detail = self._running.pop(label)
                sign = (
                    self._paint(self._sign("✓", "ok"), 32)
                    if is_done
                    else self._paint(self._sign("✗", "!!"), 31)
                )
                text = f"{label} ({detail})" if detail else label
                self.line(f"  {sign} {text:<{_LABEL_COLUMNS}} {duration(time.monotonic() - started):>8}")

    def detail(self, label: str, text: str) -> None:
        """Set the text beside the label of a running step; do nothing if the step does not run."""
        with self._lock:
            if label in self._running:
                self._running[label] = (self._running[label][0], text)

    def skipped(self, label: str, why: str) -> None:
        """Write a permanent line for a step that had nothing to do, with the reason."""
        self.line(f"  {self._paint(self._sign('·', '--'), 2)} {label:<{_LABEL_COLUMNS}} {why:>8}")

    def line(self, text: str = "") -> None:
        """Write a permanent line, above the live line if there is one."""
        with self._lock:
            self._clear()
            self._write(f"{text}\n")
            self._draw()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write the lines of this context without lines of other threads between."""
        with self._lock:
            yield

    def heading(self, text: str) -> None:
        """Write a permanent, highlighted line."""
        self.line(self._paint(text, 1))

    def live(self, text: str) -> None:
        """Replace the live line that is shown while no step runs; without a terminal nothing is written."""
        with self._lock:
            self._live_text = text
            self._clear()
            self._draw()

    def bold(self, text: str) -> str:
        """Return the text with ANSI codes for bold, if the terminal has colours."""
        return self._paint(text, 1)

    def verdict_colour(self, verdict: str, words: str) -> str:
        """Return `words` in the colour of the verdict PASS or FAIL; yellow for any other."""
        return self._paint(words, {"PASS": 32, "FAIL": 31}.get(verdict, 33))

    def _ensure_ticker(self) -> None:
        if not self.is_live or (self._ticker is not None and self._ticker.is_alive()):
            return
        self._ticker = threading.Thread(target=self._tick, name="console", daemon=True)
        self._ticker.start()

    def _tick(self) -> None:
        while True:
            time.sleep(_REFRESH_S)
            with self._lock:
                if not self._running:
                    return
                self._clear()
                self._draw()

    def _draw(self) -> None:
        """Write the live line: the running steps, or else the text of `live`; nothing without a terminal."""
        if not self.is_live:
            return
        now = time.monotonic()
        parts = [
            f"{label}{': ' + detail if detail else ''} {duration(now - started)}"
            for label, (started, detail) in self._running.items()
        ]
        text = (f"  {self._sign('…', '...')} " + "  |  ".join(parts)) if parts else self._live_text
        if text:
            columns = shutil.get_terminal_size((100, 24)).columns
            self._write(text[: columns - 1])
            self._shown = True

    def _clear(self) -> None:
        if self._shown:
            self._write("\r\x1b[2K")
            self._shown = False

    def _write(self, text: str) -> None:
        """Write text to the stream, with replaced characters if necessary. Ignore a stream that is gone."""
        try:
            self._stream.write(text)
            self._stream.flush()
        except UnicodeEncodeError:
            self._stream.write(text.encode("ascii", "replace").decode())
            self._stream.flush()
        except OSError:
            return  # the terminal or the reader is gone; the work goes on

    def _sign(self, sign: str, plain: str) -> str:
        return sign if self._unicode else plain

    def _paint(self, text: str, code: int) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour else text


def duration(seconds: float) -> str:
    """Return a duration as `0.8 s` below 10 s, `41 s` below a minute, else `2 min 05 s`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < _MINUTE_S:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s"
