"""An ACT log judged twice: exactly, and as ACT's own script would print it, with the differences in words.

Exactly means raw counts, strict limits, every full slice and the worst window. Where both views disagree by
more than the script's rounding, the reason is one of its known faults, and is named.
"""

from dataclasses import dataclass, replace

import numpy as np

from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.importers.act.generations import ActLogGeneration
from tailroom.importers.act.official import OfficialSeries, OfficialView, official_view
from tailroom.importers.act.script_log import BUCKETS, OfficialRefusal
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries
from tailroom.importers.slices import SliceExceedance, SliceInvalid, exceedance
from tailroom.importers.source import Source

_ROUNDING = 0.0051
"""Per cent: half a unit of the second decimal, and a margin for floating-point error."""


@dataclass(frozen=True, slots=True)
class OfficialTable:
    """Table of a series by ACT's own script, and sentences about differences from the exact counts.

    `thresholds` are in `unit` (`ms` or `us`). `refusal` is the script's reason for printing no table of the
    log, else None; `table` is None then, and for a histogram without a full slice.
    """

    table: OfficialSeries | None
    unit: str
    slice_s: int
    thresholds: tuple[int, ...]
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
        refused = OfficialTable(None, unit, slice_s, (), str(refusal), ())
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
        tables[series.source_name] = OfficialTable(
            table, view.unit, view.slice_s, view.thresholds, None, tuple(differences)
        )
    return tables


def _differences(
    series: ParsedSeries, table: OfficialSeries | None, view: OfficialView, generation: ActLogGeneration
) -> list[str]:
    """Return up to 50 sentences about differences between the script's table and the exact counts.

    There is only one if the script has no table, and none without counts over time. Logs before 2.0 always
    have a sentence about their thresholds.
    """
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
    """Return a sentence if the script's table lacks full slices, and one about the incomplete last slice.

    There is none about a last slice without operations.
    """
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
    """Return a sentence for each slice whose printed per cent over the threshold of `bucket` are wrong.

    They are wrong outside the exact bounds, widened by the rounding of the script. Slices that only one of
    the two has, or without exact bounds, are not compared.
    """
    sentences = []
    for number, (row, exact_slice) in enumerate(zip(table.rows, exact.slices, strict=False), 1):
        if exact_slice.lower_ratio is None or exact_slice.upper_ratio is None:
            continue
        lower, upper = 100 * exact_slice.lower_ratio, 100 * exact_slice.upper_ratio
        if lower - _ROUNDING <= row[bucket] <= upper + _ROUNDING:
            continue
        threshold = view.thresholds[bucket]
        exact_percent = f"{lower:.4f}" if upper == lower else f"{lower:.4f} to {upper:.4f}"
        why = (
            f"the script does not know buckets from {BUCKETS} on"
            if generation is ActLogGeneration.QUEUED
            else "a line of the block could not be read, or failed operations are counted here and not there"
        )
        sentences.append(
            f"slice {number}, over {threshold} {view.unit}: the script prints {row[bucket]:.2f} %, the "
            f"counts say {exact_percent} %: {why}"
        )
    return sentences
