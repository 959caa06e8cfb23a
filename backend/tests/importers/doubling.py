"""Readers of result files with doubled input: twice the bytes may take two and a half times as long, no more.

Each sample of each importer is multiplied in several ways (the whole file, each line, each line with other
names, each list and object of a JSON document), once to a size and once to twice that size.
"""

import gc
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tailroom.domain.errors import DomainError
from tailroom.importers.limits import Limits
from tailroom.importers.opening import open_bytes
from tailroom.importers.registry import read_together
from tailroom.uploads.storable import storable

SAMPLES = Path(__file__).parent / "samples"
SIZE_BYTES = 200_000
MOST_RATIO = 2.5
LEAST_S = 0.15
"""Below this the time of a reader says nothing: the garbage collector is as large."""
LIMIT_S = 30.0
_WORD = re.compile(rb"[A-Za-z][A-Za-z_]{2,}")
_MOST_SAMPLE_BYTES = 60_000


@dataclass(frozen=True, slots=True)
class Doubled:
    """A way of multiplying one sample, and how long both sizes took."""

    sample: str
    way: str
    size_bytes: int
    once_s: float
    twice_s: float

    @property
    def ratio(self) -> float:
        """How much longer twice the input takes."""
        return self.twice_s / max(self.once_s, 1e-9)

    @property
    def is_within(self) -> bool:
        """Whether the time follows the input."""
        return self.twice_s < LEAST_S or self.ratio <= MOST_RATIO

    def __str__(self) -> str:
        mark = "ok  " if self.is_within else "OVER"
        return (
            f"{mark} {self.sample:<58} {self.way:<22} {self.size_bytes:>9,} B"
            f" {self.once_s:6.2f} s → {self.twice_s:6.2f} s  × {self.ratio:.2f}"
        )


def samples(only: str = "") -> Iterator[Path]:
    """Yield the small samples, each format and tool once or more."""
    for path in sorted(SAMPLES.rglob("*")):
        name = str(path.relative_to(SAMPLES))
        if path.is_file() and only in name and 0 < path.stat().st_size <= _MOST_SAMPLE_BYTES:
            yield path


def ways(data: bytes) -> dict[str, Callable[[int], bytes]]:
    """Return the ways in which a sample can be made about so many bytes large."""
    lines = data.splitlines(keepends=True)
    found: dict[str, Callable[[int], bytes]] = {
        "whole file": lambda size: data * _times(size, data),
        "each line": lambda size: b"".join(line * _times(size, data) for line in lines),
        "each line, other names": lambda size: b"".join(
            _renamed(line, number) for line in lines for number in range(_times(size, data))
        ),
        "file with other names": lambda size: b"".join(
            _renamed(line, number) for number in range(_times(size, data)) for line in lines
        ),
        "last third of the lines": lambda size: _tail(lines, size, named=False),
        "last third, other names": lambda size: _tail(lines, size, named=True),
    }
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return found
    if isinstance(document, dict | list):
        found["JSON: lists"] = lambda size: json.dumps(
            _multiplied(document, _times(size, data), objects=False)
        ).encode()
        found["JSON: objects"] = lambda size: json.dumps(
            _multiplied(document, _times(size, data), objects=True)
        ).encode()
    return found


def _times(size: int, data: bytes) -> int:
    return max(1, size // len(data))


def _renamed(line: bytes, number: int) -> bytes:
    """Return the line with a number in its last word, so that it names something else."""
    words = list(_WORD.finditer(line))
    if number == 0 or not words:
        return line
    end = words[0].end()
    return line[:end] + b"%d" % number + line[end:]


def _tail(lines: Sequence[bytes], size: int, *, named: bool) -> bytes:
    head, tail = lines[: -(len(lines) // 3) or None], lines[-(len(lines) // 3) or None :]
    times = max(1, size // max(1, sum(map(len, tail))))
    return b"".join(head) + b"".join(
        _renamed(line, number) if named else line for number in range(times) for line in tail
    )


def _multiplied(value: Any, times: int, *, objects: bool) -> Any:
    """Return a document whose innermost lists, or objects, have so many times their elements."""
    if isinstance(value, list):
        if objects or any(isinstance(one, list) for one in value):
            return [_multiplied(one, times, objects=objects) for one in value]
        return value * times
    if not isinstance(value, dict):
        return value
    if objects and value and not any(isinstance(one, dict | list) for one in value.values()):
        return {
            f"{name}{'' if number == 0 else number}": one
            for number in range(times)
            for name, one in value.items()
        }
    return {name: _multiplied(one, times, objects=objects) for name, one in value.items()}


def seconds(name: str, data: bytes) -> float:
    """Return how long the processor reads a file and makes rows of it, in an interpreter that does not look
    for garbage among what was there before, as the processes that read uploads.
    """
    gc.freeze()
    began = time.process_time()
    try:
        for one in read_together(open_bytes(name, data, Limits(until_s=time.monotonic() + LIMIT_S))):
            for run in one.result.runs if one.result is not None else ():
                storable(run, name).prepare()
    except DomainError:
        pass
    took_s = time.process_time() - began
    gc.unfreeze()
    return took_s


def doubled(path: Path, way: str, make: Callable[[int], bytes], size: int = SIZE_BYTES) -> Doubled:
    """Measure one sample; a ratio beyond the limit is measured again, and the better one counts."""
    name = path.name
    once, twice = make(size), make(2 * size)
    found = Doubled(
        str(path.relative_to(SAMPLES)), way, len(twice), seconds(name, once), seconds(name, twice)
    )
    if not found.is_within:
        again = Doubled(found.sample, way, len(twice), seconds(name, once), seconds(name, twice))
        found = min(found, again, key=lambda one: one.ratio)
    return found


def measure(only: str = "", size: int = SIZE_BYTES) -> Iterator[Doubled]:
    """Measure every sample in every way."""
    for path in samples(only):
        for way, make in ways(path.read_bytes()).items():
            yield doubled(path, way, make, size)
