"""All intervals of a run as a Parquet file: a row for each interval of each series, its buckets as lists.

Needs the extra `parquet` (arro3, 12 MB; pyarrow would be 55 MB). Numbers that the source does not state and
the upper bounds of open buckets are null.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.evidence.file import SeriesChoice, choices_of
from tailroom.importers.parsed_run import ParsedRun

if TYPE_CHECKING:
    from tailroom.domain.latency.bounds import Int64s
    from tailroom.domain.latency.intervals import IntervalRecords

NUMBERS = (
    *("start_ns", "duration_ns", "operations", "errors", "timeouts", "unfinished"),
    *("sum_ns", "min_ns", "max_ns"),
)
"""Columns of integers; null if unknown."""
TEXTS = ("series", "operation", "clock", "device", "phase")
"""Columns that are equal in all rows of a series."""
BUCKETS = ("bucket_lower_ns", "bucket_upper_ns", "bucket_operations")
"""Columns of lists with an entry for each bucket."""


class ParquetUnavailable(DomainError):
    """The extra is not installed."""


class IntervalsMissing(DomainError):
    """The run has no intervals to write."""


def write_intervals(runs: Sequence[ParsedRun], path: Path) -> int:
    """Write every interval of the runs to a Parquet file, a row for each; return their number.

    Raise ParquetUnavailable if the extra is not installed, IntervalsMissing if no series has intervals,
    OSError if the file cannot be written.
    """
    try:
        from arro3.core import RecordBatch, RecordBatchReader
        from arro3.io import write_parquet
    except ImportError as error:
        raise ParquetUnavailable(
            "Parquet needs a library that is not installed: pip install 'tailroom[parquet]'"
        ) from error
    choices = [choice for choice in choices_of(runs) if choice.series.intervals is not None]
    if not choices:
        raise IntervalsMissing("the file has no intervals, only results of whole runs")
    rows = 0

    def batches() -> Iterator[Any]:
        nonlocal rows
        for choice in choices:
            batch = RecordBatch.from_pydict(_columns(choice))
            rows += batch.num_rows
            yield batch

    later = batches()
    first = next(later)
    reader = RecordBatchReader.from_batches(first.schema, chain([first], later))
    facts = {"tool": runs[0].tool, "tool_version": runs[0].tool_version or "", "format": runs[0].format}
    write_parquet(reader, str(path), compression="zstd(3)", key_value_metadata=facts)
    return rows


def _columns(choice: SeriesChoice) -> dict[str, Any]:
    from arro3.core import Array, DataType, list_array

    series, intervals = choice.series, choice.series.intervals
    assert intervals is not None  # noqa: S101 - only such series are chosen
    names = (choice.label, series.operation, series.clock, series.device, series.phase)
    columns: dict[str, Any] = {
        name: Array([text] * intervals.size, type=DataType.string())
        for name, text in zip(TEXTS, names, strict=True)
    }
    for name in NUMBERS:
        columns[name] = Array(_numbers(intervals, name), type=DataType.int64())
    cells = intervals.cells()
    offsets = Array(np.searchsorted(cells.interval_no, np.arange(intervals.size + 1)).astype(np.int32))
    uppers = [None if upper == NEVER_NS else upper for upper in cells.upper_ns.tolist()]
    lists = (
        Array(cells.lower_ns.astype(np.int64)),
        Array(uppers, type=DataType.int64()),
        Array(cells.count.astype(np.int64)),
    )
    return columns | {name: list_array(offsets, values) for name, values in zip(BUCKETS, lists, strict=True)}


def _numbers(intervals: "IntervalRecords", name: str) -> list[int | None]:
    values: Int64s = intervals.count if name == "operations" else getattr(intervals, name)
    return [None if value == UNKNOWN else value for value in values.tolist()]
