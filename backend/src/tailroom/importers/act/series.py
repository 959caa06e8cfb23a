"""Columns of one histogram as a series: exact counts since 2.0, statements between two ends before."""

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import Pow2Layout
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.act.configuration import Configuration
from tailroom.importers.act.counters import HistogramIntervals
from tailroom.importers.act.generations import ActLogGeneration, Tag, bucket_words, clock_words
from tailroom.importers.act.legacy import LegacyLayout, legacy_series
from tailroom.importers.parsed_run import ParsedSeries


def parsed_series(
    tag: Tag, name: str, pieces: HistogramIntervals, errors: Int64s, head: Configuration
) -> ParsedSeries:
    """Return the series of a histogram; `pieces` are its intervals, `errors` the failed operations in each of
    them.
    """
    unit_ns = head.unit_ns or NS_PER_MS
    words = clock_words(tag, head.generation, head.kind)
    semantics = f"{words}; {bucket_words(head.generation, unit_ns)}"
    if head.generation is ActLogGeneration.LEGACY:
        return legacy_series(tag, name, _records(LegacyLayout(), pieces, errors), semantics)
    intervals = _records(Pow2Layout(unit_ns), pieces, errors)
    return ParsedSeries(
        operation=tag.operation,
        clock=tag.clock,
        record=intervals.total(),
        device=tag.device,
        intervals=intervals,
        semantics=semantics,
        source_name=name,
    )


def _records(
    layout: Pow2Layout | LegacyLayout, pieces: HistogramIntervals, errors: Int64s
) -> IntervalRecords:
    """Return the intervals in this layout, with the failed operations of each."""
    end_s, lengths, buckets, counts = pieces.columns()
    end_ns = end_s * NS_PER_S
    start_ns = np.concatenate((np.zeros(1, np.int64), end_ns[:-1]))
    zeros, unknown = np.zeros(end_s.size, np.int64), np.full(end_s.size, UNKNOWN, np.int64)
    return IntervalRecords(
        layout=layout,
        start_ns=start_ns,
        duration_ns=end_ns - start_ns,
        offsets=np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths))),
        indices=buckets.astype(np.int64),
        counts=counts,
        errors=errors,
        timeouts=zeros,
        unfinished=zeros,
        sum_ns=unknown,
        min_ns=unknown,
        max_ns=unknown,
    )
