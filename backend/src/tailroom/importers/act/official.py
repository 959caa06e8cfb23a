"""The table that ACT's own analysis script prints for a log, to the digit, and how it differs from ours.

`act_latency.py` exists in three kinds: for logs before 2.0, for 2.x to 4.x, and for 5.x and 6.x, which refuse
each other's logs. All take the blocks at the ends of slices, round the share of every slice to 0.01 %, and
take average and maximum over the rounded rows; the last, incomplete slice is dropped, and the first missing
block ends the table without a word. Up to 4.x, buckets from 17 on do not exist for the script. This is a peer
to compare with, not the truth. The exact view (`slices`) has raw counts, strict limits, every full slice and
the worst window; where both disagree by more than the script's rounding, the reason is one of its known
faults, and is named. Source: docs/method.md 6.2 and the scripts at their releases.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US, ceil_div
from tailroom.importers.act.generations import ActLogGeneration
from tailroom.importers.act.script_log import (
    BUCKETS,
    LogText,
    OfficialRefusal,
    Rounding,
    open_log,
    open_old_log,
    read_counts,
    total_of,
)
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries
from tailroom.importers.slices import SliceExceedance, SliceInvalid, exceedance
from tailroom.importers.source import Source

THRESHOLDS = tuple(1 << bucket for bucket in range(BUCKETS))
SLICES_MAX = 1_000_000

_PercentOver = Callable[[int, Sequence[int], Rounding], list[float]]
_ROUNDING = 0.0051
"""Per cent: half a unit of the second decimal, and a margin for floating-point error."""


@dataclass(slots=True)
class OfficialSeries:
    """Table of a histogram, a row for each slice: per cent of operations over each threshold (`rows`)."""

    rows: list[list[float]] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    """Operations per second of each slice."""
    average: list[float] = field(default_factory=lambda: [0.0] * BUCKETS)
    """Mean per cent over each threshold, after `finish`; a sum before, as is `average_rate`."""
    maximum: list[float] = field(default_factory=lambda: [0.0] * BUCKETS)
    """Largest per cent over each threshold."""
    average_rate: float = 0.0
    maximum_rate: float = 0.0
    _total: int = 0
    _counts: list[int] = field(default_factory=lambda: [0] * BUCKETS)
    """Cumulative counts at the end of the last slice."""

    def add_slice(
        self,
        total: int,
        counts: list[int],
        slice_s: int,
        percent_over: _PercentOver,
        rounding: Rounding,
        *,
        repeated: bool = False,
    ) -> None:
        """Add a slice by its cumulative total and counts by bucket; `percent_over` computes its row.

        A histogram that is `repeated` in a block replaces the row, but is in the averages twice.
        """
        operations = total - self._total
        grown = [new - old for new, old in zip(counts, self._counts, strict=True)]
        self._total, self._counts = total, counts
        row, rate = percent_over(operations, grown, rounding), rounding(float(operations) / slice_s, 1)
        if repeated:
            self.rows[-1], self.rates[-1] = row, rate
        else:
            self.rows.append(row)
            self.rates.append(rate)
        self.average = [sum_ + value for sum_, value in zip(self.average, row, strict=True)]
        self.maximum = [max(most, value) for most, value in zip(self.maximum, row, strict=True)]
        self.average_rate += rate
        self.maximum_rate = max(self.maximum_rate, rate)

    def finish(self) -> None:
        """Divide the sums in `average` and `average_rate` by the number of rows, which must not be 0."""
        self.average = [value / len(self.rows) for value in self.average]
        self.average_rate /= len(self.rows)


@dataclass(slots=True)
class OfficialView:
    """The tables of a script by name of the histogram; `THRESHOLDS` are in `unit` (`ms` or `us`)."""

    script: str
    unit: str
    slice_s: int
    series: dict[str, OfficialSeries]


def official_view(
    source: Source, generation: ActLogGeneration, names: Sequence[str], slice_s: int
) -> OfficialView:
    """Return the tables of the named histograms, as the script of the log's generation prints them.

    Slices are rounded up to a multiple of the log's interval; histograms without a full slice are absent.
    Raise OfficialRefusal if the script prints no table.
    """
    if slice_s < 1:
        raise OfficialRefusal("the script ends: slice must be more than 0")
    try:
        is_old = generation in (ActLogGeneration.LEGACY, ActLogGeneration.QUEUED)
        opened = open_old_log(source, generation) if is_old else open_log(source, generation)
        slice_s = ceil_div(slice_s, opened.interval_s) * opened.interval_s
        if is_old:
            series = _old_tables(opened.text, slice_s, opened.rounding)
        else:
            series = _tables(opened.text, [name.encode() for name in names], slice_s, opened.rounding)
    except (ValueError, IndexError) as error:
        if isinstance(error, DomainError):
            raise
        raise OfficialRefusal(f"the script ends with an error at a damaged line ({error})") from error
    filled = {name: table for name, table in series.items() if table.rows}
    if not filled:
        raise OfficialRefusal(f"the script ends: could not find {slice_s} seconds of data")
    for table in filled.values():
        table.finish()
    return OfficialView(f"act_latency.py of {opened.version}", opened.unit, slice_s, filled)


def _tables(text: LogText, names: list[bytes], slice_s: int, rounding: Rounding) -> dict[str, OfficialSeries]:
    """Return the tables of 5.x and 6.x by name, as if the script were called for each histogram alone.

    A damaged histogram has an empty table. Raise ValueError if one is damaged and all tables are empty.
    """
    series = {name: OfficialSeries() for name in names}
    alive = set(names)
    failed: dict[bytes, str] = {}
    for slice_no in range(1, SLICES_MAX + 1):
        if not alive or text.line_after(b"after %d " % (slice_no * slice_s)) is None:
            break
        seen: set[bytes] = set()
        line = text.line()
        while line.strip():
            name = next((each for each in names if line.startswith(each)), None)
            if name is None or name not in alive:
                line = text.line()
                continue
            try:
                total = total_of(line)
                counts, line = read_counts(text)
            except ValueError as error:
                # The script would read one histogram alone, so this affects no other histogram.
                failed[name] = str(error)
                alive.discard(name)
                series[name] = OfficialSeries()
                line = text.line()
                continue
            series[name].add_slice(total, counts, slice_s, _percent_over, rounding, repeated=name in seen)
            seen.add(name)
        alive &= seen
    if failed and not any(table.rows for table in series.values()):
        raise ValueError(next(iter(failed.values())))
    return {name.decode("utf-8", "replace"): table for name, table in series.items()}


def _percent_over(operations: int, grown: Sequence[int], rounding: Rounding) -> list[float]:
    """Return for each bucket the rounded per cent of the `grown` operations above it; zeros without any."""
    if operations == 0:
        return [0.0] * BUCKETS
    row, below = [], 0
    for amount in grown:
        below += amount
        row.append(rounding(((operations - below) * 100.0) / operations, 2))
    return row


def _old_tables(text: LogText, slice_s: int, rounding: Rounding) -> dict[str, OfficialSeries]:
    """Return the tables READS and RAW READS up to 4.x, empty without a full slice.

    They end before the first block that is missing or lacks one of the four groups: these two, and large
    blocks read and written. Raise ValueError for a damaged line.
    """
    series = {"READS": OfficialSeries(), "RAW READS": OfficialSeries()}
    for slice_no in range(1, SLICES_MAX + 1):
        if text.line_after(b"After %d " % (slice_no * slice_s)) is None:
            break
        counts_of: dict[str, tuple[int, list[int]]] = {}
        large_blocks: set[bytes] = set()
        line = text.line()
        while line.strip():
            if line.startswith((b"RAW READS", b"READS")):
                name = "READS" if line.startswith(b"READS") else "RAW READS"
                total = total_of(line)
                counts, line = read_counts(text)
                counts_of[name] = total, counts
                continue
            if line.startswith((b"LARGE BLOCK READS", b"LARGE BLOCK WRITES")):
                total_of(line)
                large_blocks.add(line[:14])
            line = text.line()
        if len(counts_of) < 2 or len(large_blocks) < 2:
            break
        for name, (total, counts) in counts_of.items():
            series[name].add_slice(total, counts, slice_s, _percent_over_by_shares, rounding)
    return series


def _percent_over_by_shares(operations: int, grown: Sequence[int], rounding: Rounding) -> list[float]:
    """Return the per cent above each bucket like `_percent_over`, but by adding shares of higher buckets."""
    shares = [(float(amount) / operations) * 100 if operations > 0 else 0.0 for amount in grown]
    row = []
    for bucket in range(BUCKETS):
        over = 0.0
        for share in shares[bucket + 1 :]:
            over = over + share
        row.append(rounding(over, 2))
    return row


@dataclass(frozen=True, slots=True)
class OfficialTable:
    """Table of a series by ACT's own script, and sentences about differences from the exact counts.

    `THRESHOLDS` are in `unit` (`ms` or `us`). `table` is None without a full slice, and with a `refusal`.
    """

    table: OfficialSeries | None
    unit: str
    slice_s: int
    refusal: str | None
    differences: tuple[str, ...]


def generation_of_run(run: ParsedRun) -> ActLogGeneration:
    """Return the generation of an imported run; a log without a banner is read as the newest."""
    return ActLogGeneration(str(run.parameters["act_generation"]))


def official_tables(source: Source, run: ParsedRun, slice_s: int) -> dict[str, OfficialTable]:
    """Return the tables of ACT's analysis script for the first run of a log, by name of the histogram.

    If the script refuses the log, each has a `refusal`. Up to 4.x, histograms without a table are absent.
    """
    generation = generation_of_run(run)
    try:
        view = official_view(source, generation, [each.source_name for each in run.series], slice_s)
    except OfficialRefusal as refusal:
        unit = "us" if run.parameters.get("microsecond-histograms") is True else "ms"
        refused = OfficialTable(None, unit, slice_s, str(refusal), ())
        return {series.source_name: refused for series in run.series}
    tables: dict[str, OfficialTable] = {}
    for series in run.series:
        table = view.series.get(series.source_name)
        if table is None and generation in (ActLogGeneration.LEGACY, ActLogGeneration.QUEUED):
            continue
        try:
            differences = _differences(series, table, view, generation)
        except SliceInvalid as invalid:
            differences = [f"not compared: {invalid}"]
        name, words = series.source_name, tuple(differences)
        tables[name] = OfficialTable(table, view.unit, view.slice_s, None, words)
    return tables


def official_documents(source: Source, run: ParsedRun, slice_s: int) -> dict[str, dict[str, Any]]:
    """Return `official_tables` as documents, with per cent over each threshold in `rows`.

    `avg` and `max` are over the rows. Without a table, lists are empty and `refusal` may give the reason.
    """
    return {name: _document(table) for name, table in official_tables(source, run, slice_s).items()}


def _document(official: OfficialTable) -> dict[str, Any]:
    table = official.table
    document: dict[str, Any] = {
        "unit": official.unit,
        "slice_s": official.slice_s,
        "refusal": official.refusal,
        "differences": list(official.differences),
    }
    if table is None:
        return document | {"thresholds": [], "rows": [], "avg": [], "max": [], "rates": []}
    return document | {
        "thresholds": list(THRESHOLDS),
        "rows": table.rows,
        "avg": [float(f"{value:.2f}") for value in table.average],
        "max": table.maximum,
        "rates": table.rates,
        "avg_rate": float(f"{table.average_rate:.1f}"),
        "max_rate": table.maximum_rate,
    }


def _differences(
    series: ParsedSeries, table: OfficialSeries | None, view: OfficialView, generation: ActLogGeneration
) -> list[str]:
    """Return up to 50 sentences about differences between the script's table and the exact counts."""
    if table is None:
        return [f"{view.script} finds no full slice of this histogram"]
    unit_ns = NS_PER_US if view.unit == "us" else NS_PER_MS
    series = _merge_by_slice(series, view.slice_s * NS_PER_S)
    differences: list[str] = []
    for bucket in range(BUCKETS):
        exact = exceedance(series, unit_ns << bucket, view.slice_s * NS_PER_S, whole_pieces=False)
        if exact is None:
            return []
        if bucket == 0:
            differences.extend(_slice_differences(exact, table, view))
        if generation is not ActLogGeneration.LEGACY:
            differences.extend(_value_differences(exact, table, view, generation, bucket))
    if generation is ActLogGeneration.LEGACY:
        differences.append(
            "the first columns speak of differences of whole milliseconds: over 1 ms there means over "
            "between 1 and 2 ms, over 8 between 15 and 16, over 64 between 127 and 128"
        )
    return differences[:50]


def _merge_by_slice(series: ParsedSeries, slice_ns: int) -> ParsedSeries:
    """Return the series with intervals added up by slice; unchanged without any, or if one crosses slices."""
    records = series.intervals
    if records is None or records.size == 0:
        return series
    last_ns = np.maximum(records.start_ns + records.duration_ns - 1, records.start_ns)
    if (records.start_ns // slice_ns != last_ns // slice_ns).any():
        return series
    return replace(series, intervals=records.grouped(records.start_ns // slice_ns))


def _slice_differences(exact: SliceExceedance, table: OfficialSeries, view: OfficialView) -> list[str]:
    """Return sentences about full slices that the script's table lacks, and about a cut last slice."""
    sentences = []
    if len(table.rows) < len(exact.slices):
        sentences.append(
            f"the script stops without a word after slice {len(table.rows)} of {len(exact.slices)}: the "
            f"block at {(len(table.rows) + 1) * view.slice_s} s is missing, or a histogram in it"
        )
    if exact.rest is not None and exact.rest.count:
        seconds = (exact.rest.end_ns - exact.rest.start_ns) / NS_PER_S
        sentences.append(f"the last {seconds:g} s are no full slice and are not in the script's table")
    return sentences


def _value_differences(
    exact: SliceExceedance,
    table: OfficialSeries,
    view: OfficialView,
    generation: ActLogGeneration,
    bucket: int,
) -> list[str]:
    """Return a sentence for each slice whose printed per cent over a threshold are not in exact bounds."""
    sentences = []
    for number, (row, exact_slice) in enumerate(zip(table.rows, exact.slices, strict=False), 1):
        if exact_slice.lower_ratio is None or exact_slice.upper_ratio is None:
            continue
        lower, upper = 100 * exact_slice.lower_ratio, 100 * exact_slice.upper_ratio
        if lower - _ROUNDING <= row[bucket] <= upper + _ROUNDING:
            continue
        exact_percent = f"{lower:.4f}" if upper == lower else f"{lower:.4f} to {upper:.4f}"
        why = (
            f"the script does not know buckets from {BUCKETS} on"
            if generation is ActLogGeneration.QUEUED
            else "a line of the block could not be read, or failed operations are counted here and not there"
        )
        sentences.append(
            f"slice {number}, over {THRESHOLDS[bucket]} {view.unit}: the script prints {row[bucket]:.2f} %, "
            f"the counts say {exact_percent} %: {why}"
        )
    return sentences
