"""A log as ACT's own analysis script opens and reads it, to the byte."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from tailroom.domain.errors import DomainError
from tailroom.importers.act.generations import ActLogGeneration
from tailroom.importers.source import Source

BUCKETS = 17

_ROW = re.compile(rb"(?: \((?:0\d|[1-9]\d): \d{1,18}\) ?){1,4}\n")
_ENTRY = re.compile(rb"\((\d\d): (\d+)\)")
_PATTERNS = [re.compile(rb"\(%02d: (.*?)\)" % bucket) for bucket in range(BUCKETS)]

Rounding = Callable[[float, int], float]
"""Rounds a value to a number of decimals, as the script does."""


class OfficialRefusal(DomainError):
    """The script of this generation prints no table; the message states how it ends instead."""


@dataclass(slots=True)
class OpenedLog:
    """An opened log, its text after the head; buckets in `unit`, `ms` or `us`; `rounding` is the script's."""

    text: "LogText"
    version: str
    interval_s: int
    unit: str
    rounding: Rounding


def open_log(source: Source, generation: ActLogGeneration) -> OpenedLog:
    """Return the opened log of 5.x or 6.x.

    Raise OfficialRefusal if the script would end at this head, ValueError or IndexError for damage.
    """
    text = LogText(source)
    version_word = text.require_line(b"ACT version", "ACT version not found").split(b" ")[2]
    version = version_word.strip().decode("utf-8", "replace")
    number = float(version)
    least = 5.0 if generation is ActLogGeneration.TRANSACTIONS else 6.0
    if not least <= number < least + 1.0:
        raise OfficialRefusal(f"the script ends: ACT version not compatible ({version})")
    interval_s = _read_interval_s(text, "can't find report interval")
    if interval_s < 1:
        raise OfficialRefusal("the script ends: reporting interval must be more than 0")
    unit = _read_unit(source)[1]
    text = LogText(source)
    while (line := text.line()) and not line.endswith(b"CONFIGURATION\n"):
        pass
    if not line:
        raise OfficialRefusal("the script ends: can't find configuration")
    if not line.startswith((b"ACT-STORAGE", b"ACT-INDEX")):
        raise OfficialRefusal("the script ends: can't recognize configuration")
    text.skip_paragraph()
    text.require_line(b"DERIVED CONFIGURATION", "can't find derived configuration")
    text = LogText(source)
    text.require_line(b"HISTOGRAM NAMES\n", "can't find histogram names")
    text.skip_paragraph()
    # The script of 5.0 runs on Python 2 alone, which rounds an exact half away from zero.
    return OpenedLog(text, version, interval_s, unit, _round_half_away if number < 5.1 else round)


def open_old_log(source: Source, generation: ActLogGeneration) -> OpenedLog:
    """Return the opened log of a release up to 4.x.

    Raise OfficialRefusal if the script would end at this log, ValueError or IndexError for damage.
    """
    text, version, unit = LogText(source), "1.x", "ms"
    if generation is ActLogGeneration.LEGACY:
        interval_s = _read_interval_s(text, "can't find any output data")
    else:
        words = text.require_line(b"Aerospike act", "can't find any output data").split(b" ")
        version = words[3].decode("utf-8", "replace") if words[2] == b"version" else "1.0"
        interval_s = _read_interval_s(text, "can't find report interval")
        text, unit = _read_unit(source)
    if interval_s < 1:
        raise OfficialRefusal(f"the script ends with an error: a reporting interval of {interval_s}")
    return OpenedLog(text, version, interval_s, unit, _round_half_away)


def _read_interval_s(text: "LogText", complaint: str) -> int:
    """Return the interval (s) of its next line. Raise OfficialRefusal with `complaint` if there is none."""
    return _integer(text.require_line(b"report-interval-sec", complaint).split(b" ")[1])


def _read_unit(source: Source) -> tuple["LogText", str]:
    """Return the text after the line with the buckets' unit, and the unit; else the whole text and `ms`."""
    text = LogText(source)
    line = text.line_after(b"microsecond-histograms")
    if line is None:
        return LogText(source), "ms"
    return text, "us" if line.split(b" ")[1].startswith(b"y") else "ms"


def _round_half_away(value: float, digits: int) -> float:
    """Return a value rounded to `digits` decimals, halves away from zero; unchanged from 2^53 on."""
    # From 2^53 on a float has no decimals, and damaged counts go far beyond that.
    if not abs(value) < 2**53:
        return value
    return float(Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


class LogText:
    """Lines of a source in order, with a quick search for the next line that begins with given bytes."""

    def __init__(self, source: Source) -> None:
        self._blocks = source.blocks()
        self._data = b"\n"
        self._at = 1

    def skip_to(self, beginning: bytes) -> bool:
        """Move to the next line with this beginning; without any, move to the end and return False."""
        line_start = b"\n" + beginning
        while True:
            offset = self._data.find(line_start, self._at - 1)
            if offset >= 0:
                self._at = offset + 1
                return True
            if not self._load_block():
                return False

    def line_after(self, beginning: bytes) -> bytes | None:
        """Read and return the next line with this beginning; without any, move to the end and return None."""
        return self.line() if self.skip_to(beginning) else None

    def require_line(self, beginning: bytes, complaint: str) -> bytes:
        """Read and return the next line with this beginning. Raise OfficialRefusal if there is none."""
        line = self.line_after(beginning)
        if line is None:
            raise OfficialRefusal(f"the script ends: {complaint}")
        return line

    def skip_paragraph(self) -> None:
        """Read up to and including the next blank line, or to the end of the file."""
        while self.line().strip():
            pass

    def line(self) -> bytes:
        """Read and return the next line with its line feed; empty at the end of the file."""
        if self._at >= len(self._data) and not self._load_block():
            return b""
        end = self._data.find(b"\n", self._at)
        end = len(self._data) if end < 0 else end + 1
        text = self._data[self._at : end]
        self._at = end
        return text

    def _load_block(self) -> bool:
        """Replace the text by the next block of the source; return False at its end."""
        block = next(self._blocks, None)
        # Blocks are whole lines, so that a line feed before them is true.
        self._data = b"\n" + (b"" if block is None else block.data)
        self._at = 1
        return block is not None


def _integer(text: bytes) -> int:
    return int(text.decode("utf-8", "replace"))


def total_of(line: bytes) -> int:
    """Return the number N in `… (N total)`. Raise ValueError if there is no number."""
    return _integer(line[line.find(b"(") + 1 : line.find(b" total)")])


def _entries_of_valid_row(line: bytes) -> Iterator[tuple[int, int]]:
    """Yield bucket and count of the entries of a row as ACT writes it, for buckets 0 to 16."""
    for bucket, amount in _ENTRY.findall(line):
        if int(bucket) < BUCKETS:
            yield int(bucket), int(amount)


def _entries_of_damaged_row(line: bytes) -> Iterator[tuple[int, int]]:
    """Yield bucket (0 to 16) and count of other rows. Raise ValueError for a count that is no number."""
    for bucket, pattern in enumerate(_PATTERNS):
        if (match := pattern.search(line)) is not None:
            yield bucket, _integer(match.group(1))


def read_counts(text: LogText) -> tuple[list[int], bytes]:
    """Return the script's counts of buckets 0 to 16, and the next line. Raise ValueError for no number."""
    values = [0] * BUCKETS
    line = text.line()
    least = 0
    while True:
        count = 0
        for bucket, amount in (
            _entries_of_valid_row(line) if _ROW.fullmatch(line) else _entries_of_damaged_row(line)
        ):
            if bucket >= least:
                count += 1
                values[bucket] = amount
        if count == 0:
            return values, line
        line = text.line()
        least += count
