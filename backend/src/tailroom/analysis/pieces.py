"""Columns of consecutive intervals or slices of one series, and how they are added up exactly.

Intervals and slices hold the same numbers, so both are read into the same columns: a slice is the sum of
intervals, a larger slice the sum of smaller ones. Everything is whole numbers, so the order of adding
changes nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.histogram import Counts, CountsBatch, decode_many, payload_layout
from tailroom.domain.latency.layouts import Layout
from tailroom.domain.verdicts.validity import doubts_of

Int64s = npt.NDArray[np.int64]

UNKNOWN = -1
"""Stands in the columns for a number that is not known (null in the database)."""

NUMBERS = (
    "start_ns",
    "duration_ns",
    "interval_count",
    "count",
    "errors",
    "timeouts",
    "unfinished",
    "sum_ns",
    "min_ns",
    "max_ns",
    "target_count",
    "lateness_max_ns",
    "lateness_p99_ns",
    "busy_ppm",
    "late_intervals",
    "busy_intervals",
    "doubtful_intervals",
)
"""Columns in the order in which rows bring them, followed by pins and histogram."""


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """One row each, in order of time. `pins` has a column for each threshold of the series."""

    start_ns: Int64s
    duration_ns: Int64s
    interval_count: Int64s
    count: Int64s
    errors: Int64s
    timeouts: Int64s
    unfinished: Int64s
    sum_ns: Int64s
    min_ns: Int64s
    max_ns: Int64s
    target_count: Int64s
    lateness_max_ns: Int64s
    lateness_p99_ns: Int64s
    busy_ppm: Int64s
    """Largest share of an interval that the busiest measuring thread used, in millionths."""
    late_intervals: Int64s
    busy_intervals: Int64s
    doubtful_intervals: Int64s
    """Late or busy (domain.verdicts.validity)."""
    pins: Int64s
    histograms: tuple[bytes | None, ...]

    @property
    def size(self) -> int:
        """Rows."""
        return self.start_ns.size

    @property
    def end_ns(self) -> Int64s:
        """End of each row."""
        return self.start_ns + self.duration_ns

    @property
    def misses(self) -> Int64s:
        """Errors, time-outs and unfinished operations of each row."""
        return self.errors + self.timeouts + self.unfinished

    def decoded(self, layout: Layout) -> CountsBatch:
        """Buckets of every row; rows without histogram have none."""
        positions = [i for i, payload in enumerate(self.histograms) if payload is not None]
        payloads = [payload for payload in self.histograms if payload is not None]
        batch = decode_many(payloads, payload_layout(layout))
        row = np.array(positions, dtype=np.int64)[batch.histogram_no] if positions else batch.histogram_no
        return CountsBatch(row, batch.indices, batch.counts, self.size)


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """Exact sum of some pieces; `numbers` holds `NUMBERS` in their order."""

    group: int
    numbers: dict[str, int]
    pins: Int64s
    counts: Counts

    def known(self, name: str) -> int | None:
        """A number, or none where it is not known."""
        value = self.numbers[name]
        return None if value == UNKNOWN else value


def pieces_of(rows: Sequence[Sequence[Any]], pin_count: int) -> Pieces:
    """From rows of `NUMBERS`, pins (bytes) and histogram."""
    numbers = np.array(
        [[UNKNOWN if value is None else value for value in row[: len(NUMBERS)]] for row in rows],
        dtype=np.int64,
    ).reshape(len(rows), len(NUMBERS))
    pins = np.frombuffer(b"".join(row[len(NUMBERS)] for row in rows), dtype="<u8").astype(np.int64)
    columns = {name: numbers[:, column] for column, name in enumerate(NUMBERS)}
    return Pieces(
        **columns,
        pins=pins.reshape(len(rows), pin_count),
        histograms=tuple(row[len(NUMBERS) + 1] for row in rows),
    )


def with_doubts(pieces: Pieces, busy_ns: Int64s, smallest_threshold_ns: int | None) -> Pieces:
    """Intervals, by the gates of their series: which of them are late, which busy, and how busy."""
    doubts = doubts_of(pieces.lateness_p99_ns, busy_ns, pieces.duration_ns, smallest_threshold_ns)
    return replace(
        pieces,
        busy_ppm=doubts.busy_ppm,
        late_intervals=doubts.late.astype(np.int64),
        busy_intervals=doubts.busy.astype(np.int64),
        doubtful_intervals=doubts.any.astype(np.int64),
    )


def joined(parts: Sequence[Pieces]) -> Pieces:
    """Rows of several parts, one after the other. The parts have the same thresholds."""
    columns = {name: np.concatenate([getattr(part, name) for part in parts]) for name in NUMBERS}
    return Pieces(
        **columns,
        pins=np.concatenate([part.pins for part in parts]),
        histograms=tuple(payload for part in parts for payload in part.histograms),
    )


def sums(pieces: Pieces, groups: Int64s, layout: Layout | None) -> list[Sum]:
    """Sum of the rows of each group, by ascending group. Without a layout histograms are left out."""
    keys, position = np.unique(groups, return_inverse=True)
    if not keys.size:
        return []
    batch = pieces.decoded(layout) if layout else None
    merged = _merged_counts(batch, position, keys.size, payload_layout(layout).index_limit if layout else 0)
    order = np.argsort(position, kind="stable")
    begins = np.searchsorted(position[order], np.arange(keys.size))
    numbers = _numbers(pieces, order, begins)
    pins = np.add.reduceat(pieces.pins[order], begins, axis=0)
    rows = np.stack([numbers[name] for name in NUMBERS], axis=1).tolist()
    return [
        Sum(key, dict(zip(NUMBERS, row, strict=True)), pins[i], merged[i])
        for i, (key, row) in enumerate(zip(keys.tolist(), rows, strict=True))
    ]


def _numbers(pieces: Pieces, order: Int64s, begins: Int64s) -> dict[str, Int64s]:
    """Numbers of every group; its rows stand in `order` from its place in `begins` on."""

    def of(name: str) -> Int64s:
        column: Int64s = getattr(pieces, name)[order]
        return column

    found = {name: np.add.reduceat(of(name), begins) for name in NUMBERS}
    found["start_ns"] = np.minimum.reduceat(of("start_ns"), begins)
    found["duration_ns"] = np.maximum.reduceat(pieces.end_ns[order], begins) - found["start_ns"]
    for name in ("lateness_max_ns", "lateness_p99_ns", "busy_ppm"):
        # The largest that is known: `UNKNOWN` is smaller than any.
        found[name] = np.maximum.reduceat(of(name), begins)
    without_target = np.logical_or.reduceat(of("target_count") == UNKNOWN, begins)
    found["target_count"][without_target] = UNKNOWN
    # Rows without latencies have nothing to say about sums and ends; of the others all must know them.
    silent = of("count") == 0
    for name, added, of_silent in (
        ("sum_ns", np.add, 0),
        ("min_ns", np.minimum, np.iinfo(np.int64).max),
        ("max_ns", np.maximum, UNKNOWN),
    ):
        values = of(name)
        unknown = np.logical_or.reduceat((values == UNKNOWN) & ~silent, begins)
        found[name] = added.reduceat(np.where(silent, of_silent, values), begins)
        found[name][unknown] = UNKNOWN
    all_silent = np.logical_and.reduceat(silent, begins)
    found["min_ns"][all_silent] = UNKNOWN
    return found


def _merged_counts(batch: CountsBatch | None, position: Int64s, groups: int, limit: int) -> list[Counts]:
    empty = np.empty(0, np.int64)
    if batch is None or batch.indices.size == 0:
        return [Counts(empty, empty) for _ in range(groups)]
    keys = position[batch.histogram_no] * limit + batch.indices
    found, inverse = np.unique(keys, return_inverse=True)
    amounts = np.bincount(inverse, weights=batch.counts).astype(np.int64)
    ends = np.searchsorted(found, np.arange(1, groups + 1) * limit)
    begins = np.concatenate(([0], ends[:-1]))
    return [
        Counts(found[begin:end] - group * limit, amounts[begin:end])
        for group, (begin, end) in enumerate(zip(begins.tolist(), ends.tolist(), strict=True))
    ]


def pin_bytes(pins: Iterable[int] | Int64s) -> bytes:
    """Pins as they are stored: little-endian unsigned 64-bit."""
    return np.asarray(pins, dtype="<u8").tobytes()
