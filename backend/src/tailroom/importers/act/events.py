"""Lines between the histograms: failed operations, end of the run, number of queued requests.

ERROR lines may be inside any other group of lines, and exit statuses are wrong, so the end of a run is judged
only by these lines and by the last block.
"""

import re
from dataclasses import dataclass, field

from tailroom.importers.act.configuration import Configuration
from tailroom.importers.parsed_run import EndState
from tailroom.importers.problems import Problems

_QUEUED = re.compile(rb"^(?:requests-queued|requests queued|read-reqs queued): (\d{1,18})$")
_FAILED = re.compile(rb"^ERROR: (reading|writing) (\S{1,1000}): (-?\d{1,9}) '(.{0,200})'$")
_FAILED_OLD = re.compile(rb"^ERROR: seek & (read|write)(?: errno (-?\d{1,9}) '(.{0,200})')?$")
_ZERO_BYTES = re.compile(rb"^ERROR: (pread|pwrite|write)\(\) returned 0$")
_HARMLESS = re.compile(rb"^ERROR: (?:unknown scheduler mode |couldn't open /sys/|writing \S+ to /sys/)")
NOT_STARTED = (b"usage: act", b"couldn't open config file")
_DRIVE_STOP = b"drive(s) can't keep up - test stopped"
_GENERATOR_STOP = b"ACT can't do requested load - test stopped"
_ADVICE = b"try configuring more "
_SIGNAL = re.compile(
    rb"^(?:Signal (TERM|SEGV) received|(SIG[A-Z]{3,5}) received|(Killed|Terminated|Aborted|Hangup)\b|\^C)"
)
_STACK = b"stacktrace: "

TEXT_MAX = 300


@dataclass(frozen=True, slots=True)
class FailedIo:
    """Operation and device (None if not named) of operations that failed, which are in no histogram."""

    operation: str
    device: str | None


@dataclass(slots=True)
class Events:
    """Events of one run. `failed`: number of failed operations by end (s) of the block before them."""

    problems: Problems
    commit_to_device: bool = False
    queued_max: int | None = None
    """The largest printed number of queued requests."""
    failed: dict[FailedIo, dict[int, int]] = field(default_factory=dict)
    stop: EndState | None = None
    """How the test stopped itself; None if it did not."""
    stop_text: str = ""
    errors: int = 0
    """Number of error lines, those of failed operations included."""
    last_error: str = ""
    signal: str | None = None
    """Name of the signal that ended the test, as printed."""
    _reason: str = ""
    """The first error line that is not about a failed operation."""

    def read_line(self, text: bytes, line_no: int, time_s: int) -> None:
        """Record the event of one line and report it, unless it is only a number of queued requests.

        `time_s`: end (s) of the block with or before the line. Blank lines and ACT's advice are ignored.
        """
        if (queued := _QUEUED.match(text)) is not None:
            number = int(queued.group(1))
            self.queued_max = number if self.queued_max is None else max(self.queued_max, number)
        elif _HARMLESS.match(text) is not None:
            # The scheduler of the device could not be set; the test continues.
            self.problems.add("harmless", printable(text), line_no)
        elif text.startswith((b"ERROR", *NOT_STARTED)):
            self._record_error(text, line_no, time_s)
        elif text in (_DRIVE_STOP, _GENERATOR_STOP):
            self._record_stop(text, line_no)
        elif (signal := _SIGNAL.match(text)) is not None:
            self.signal = printable(signal.group(1) or signal.group(2) or signal.group(3) or b"^C")
            self.problems.add("signal", printable(text), line_no)
        elif text.strip() and not text.startswith((_ADVICE, _STACK)):
            self.problems.add("unknown", f"not a line that ACT writes, skipped: {printable(text)}", line_no)

    def _record_error(self, text: bytes, line_no: int, time_s: int) -> None:
        self.errors += 1
        self.last_error = printable(text)
        if (failed := _FAILED.match(text)) is not None:
            self._count_failed(
                failed.group(1) == b"reading", printable(failed.group(2)), text, line_no, time_s
            )
        elif (old := _FAILED_OLD.match(text)) is not None:
            self._count_failed(old.group(1) == b"read", None, text, line_no, time_s)
        elif _ZERO_BYTES.match(text):
            # The same operation is named by the line about reading or writing that follows.
            self.problems.note("zero", printable(text), line_no)
        else:
            self._reason = self._reason or printable(text)
            self.problems.error("error", printable(text), line_no)

    def _count_failed(
        self, is_read: bool, device: str | None, text: bytes, line_no: int, time_s: int
    ) -> None:
        """Count a failed operation; a write is one of a large block, unless `commit_to_device` is set."""
        operation = "read" if is_read else "write" if self.commit_to_device else "large-block-write"
        why = f"as a failed {operation}"
        if operation != "large-block-write":
            why += ", though it may have been one of a large block: the line does not say"
        counted = self.failed.setdefault(FailedIo(operation, device), {})
        counted[time_s] = counted.get(time_s, 0) + 1
        self.problems.error("failed", f"{printable(text)}; in no histogram, counted {why}", line_no)

    def _record_stop(self, text: bytes, line_no: int) -> None:
        if self.stop is None:
            drive = text == _DRIVE_STOP
            self.stop = EndState.DEVICE_TOO_SLOW if drive else EndState.GENERATOR_TOO_SLOW
            self.stop_text = f"{self._reason}: {printable(text)}" if self._reason else printable(text)
        self.problems.error("stop", printable(text), line_no)


def printable(line: bytes) -> str:
    """Return a line as text, stripped, with `�` for unprintable characters, and `…` after 300 characters."""
    text = line.decode("utf-8", "replace").strip()
    shown = "".join(sign if sign.isprintable() else "�" for sign in text[: TEXT_MAX + 1])
    return shown if len(shown) <= TEXT_MAX else shown[:TEXT_MAX] + "…"


def end_of(
    head: Configuration, events: Events, last_s: int, blocks: int, *, cut: bool
) -> tuple[EndState, str]:
    """Return how the run ended, and the reason.

    A log that ends early without a message is GROWING, though the test may have been killed. `last_s` is the
    end of the last block; `cut`: the file ends within a line.
    """
    if events.stop is not None:
        return events.stop, events.stop_text
    if events.signal is not None:
        return EndState.KILLED, f"ended by a signal ({events.signal}) after {last_s} s"
    if blocks == 0 and events.errors:
        return EndState.FAILED, f"did not start: {events.last_error}"
    duration_s = head.integer("test-duration-sec")
    if blocks == 0:
        state, words = EndState.GROWING, "no block yet: the test had just begun, or was ended then"
    elif duration_s is None:
        state = EndState.UNKNOWN
        words = f"{last_s} s are there, and the log does not say how long the test was to last"
    elif last_s >= duration_s:
        state, words = EndState.FINISHED, f"all {duration_s} s are there"
    else:
        where = "in the middle of a line" if cut else "after a whole line"
        state = EndState.GROWING
        words = (
            f"{last_s} s of {duration_s} s are there, and the log ends {where} without an end mark: the test "
            f"was still running when the log was copied, or it was killed"
        )
    return state, words
