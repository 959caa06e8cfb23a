"""Read the record of a distribution document: the combinations of keys, and the rules of each.

Counts come dense, sparse, as pairs or as an HdrHistogram; shares, percentiles and statements become knots.
Source: docs/method.md 5.1.
"""

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency import document_schema as fields
from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.document_schema import (
    INTERVAL_KEYS,
    MISSES_KEYS,
    CountsContradict,
    DocumentInvalid,
    NothingStated,
)
from tailroom.domain.latency.hdr_v1 import decode_any
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import BucketLayout, ExplicitLayout, HdrLayout, layout_of
from tailroom.domain.latency.published import from_bucket_shares, from_percentiles, joined

_PINS_AT_MOST = 16
_COUNTS_AT_MOST = 1 << 22
_MEAN_ROUNDED_NS = 0.5

Read = TypeVar("Read")


def record_of(
    document: Mapping[str, Any], misses: Misses
) -> tuple[IntervalRecords | None, LatencyDist | KnotsRecord]:
    """Return the slices over time of a document, None if it has no `intervals`, and its record with the given
    `misses`. Raise a DomainError that names the broken rule.
    """
    layout_part = fields.mapping(document.get("layout", {"t": "knots"}), "layout")
    kinds = [key for key in ("counts", "shares", "knots", "percentiles", "intervals") if key in document]
    if layout_part.get("t") == "knots":
        fields.only(layout_part, frozenset({"t"}), "a knots layout")
        _refuse_keys(kinds, ("counts", "shares", "intervals"), "needs a layout with buckets")
        return None, _read_statements(document, misses, None)
    layout = layout_of(layout_part)
    if "percentiles" in kinds and isinstance(layout, HdrLayout):
        _refuse_keys(kinds, ("counts", "shares", "intervals", "knots"), "cannot stand beside percentiles")
        return None, _read_statements(document, misses, layout)
    _refuse_keys(kinds, ("knots", "percentiles"), 'needs the layout {"t": "knots"}, or none')
    if "shares" in kinds:
        _refuse_keys(kinds, ("counts", "intervals"), "cannot stand beside shares")
        return None, _read_shares(document, layout, misses)
    if "rounding" in document:
        raise DocumentInvalid("rounding says how shares and percentiles are rounded, and there are none")
    return _read_counts_and_slices(document, layout, misses)


def _read_counts_and_slices(
    document: Mapping[str, Any], layout: BucketLayout, misses: Misses
) -> tuple[IntervalRecords | None, LatencyDist]:
    """Return the slices (None without `intervals`) and the record of a document. Without `counts` the record
    is the sum of the intervals, with what is stated for the whole.
    """
    if "counts" not in document and "intervals" not in document:
        raise NothingStated
    if "intervals" not in document:
        return None, _read_dist(document, layout, misses)
    rows = fields.sequence(document["intervals"], "intervals")
    pieces = [
        placed(f"intervals[{position}]", partial(_read_interval, layout), row)
        for position, row in enumerate(rows)
    ]
    intervals = IntervalRecords.of(
        [dist for _, _, dist in pieces],
        [start_ns for start_ns, _, _ in pieces],
        [duration_ns for _, duration_ns, _ in pieces],
        layout=pieces[0][2].layout if pieces else layout,
    )
    overlap = np.flatnonzero(intervals.start_ns[1:] < (intervals.start_ns + intervals.duration_ns)[:-1])
    if overlap.size:
        raise DocumentInvalid(f"intervals[{int(overlap[0]) + 1}] begins before the one before it has ended")
    if "counts" not in document:
        total = intervals.total()
        if misses.total and total.misses.total and misses != total.misses:
            raise CountsContradict(f"misses are {misses}, those of the intervals {total.misses}")
        stated = _read_dist({**document, "counts": pairs_of(total.counts)}, total.layout, misses)
        return intervals, replace(
            total,
            misses=misses if misses.total else total.misses,
            pins=stated.pins or total.pins,
            sum_ns=total.sum_ns if stated.sum_ns is None else stated.sum_ns,
            min_ns=total.min_ns if stated.min_ns is None else stated.min_ns,
            max_ns=total.max_ns if stated.max_ns is None else stated.max_ns,
        )
    dist = _read_dist(document, layout, misses)
    summed = intervals.total()
    if pairs_of(summed.counts) != pairs_of(dist.counts) or summed.misses != dist.misses:
        raise CountsContradict(
            f"the intervals add up to {summed.total} operations, or to other buckets, and the whole holds "
            f"{dist.total}"
        )
    return intervals, dist


def _read_interval(layout: BucketLayout, row: Any) -> tuple[int, int, LatencyDist]:
    """Return start and duration in ns of an interval, and its record. Raise DocumentInvalid for unknown keys,
    a missing time, no duration, or an end from 2**62 ns on, and a DomainError as `_read_dist` does.
    """
    row = fields.mapping(row, "an interval")
    fields.only(row, INTERVAL_KEYS, "an interval")
    start_ns, duration_ns = fields.whole(row, "start_ns"), fields.whole(row, "duration_ns")
    if start_ns + duration_ns >= 1 << 62:
        raise DocumentInvalid(f"start_ns is {start_ns}: the interval ends after more than a century")
    if duration_ns == 0:
        raise DocumentInvalid("duration_ns is 0: an interval must have a length")
    return start_ns, duration_ns, _read_dist(row, layout, misses_of(row)[0])


def _read_dist(document: Mapping[str, Any], layout: BucketLayout, misses: Misses) -> LatencyDist:
    """Return the record of the counts in a document or interval. Raise a DomainError without counts, or if
    other stated numbers (n, mean, sum, pins, extremes) contradict them.
    """
    counts, layout = _read_counts(document.get("counts"), layout)
    stated = fields.optional_count(document, "n")
    if stated is not None and stated != counts.total:
        raise CountsContradict(f"n is {stated}, and the counts add up to {counts.total}")
    dist = LatencyDist(
        layout,
        counts,
        pins=_read_pins(document),
        misses=misses,
        sum_ns=fields.optional_whole(document, "sum_ns"),
        min_ns=fields.optional_whole(document, "min_ns"),
        max_ns=fields.optional_whole(document, "max_ns"),
    )
    _check_mean(fields.ends(document, "mean_ns"), dist)
    # Computed here, so that contradictions between counts, exact counters and extremes raise on reading.
    _ = dist.cells
    return dist


def _check_mean(mean: tuple[float, float] | None, dist: LatencyDist) -> None:
    """Raise `CountsContradict` if stated bounds of the mean (ns) contradict the counts by over 0.5 ns."""
    possible = dist.mean_ns
    if mean is None or possible is None:
        return
    if mean[1] < possible[0] - _MEAN_ROUNDED_NS or mean[0] > possible[1] + _MEAN_ROUNDED_NS:
        raise CountsContradict(
            f"the mean is {mean[0]:.9g} to {mean[1]:.9g} ns, and the counts allow {possible[0]:.9g} to "
            f"{possible[1]:.9g} ns"
        )


def _read_counts(value: Any, layout: BucketLayout) -> tuple[Counts, BucketLayout]:
    """Return the counts of filled buckets and the layout. `value` is a list of counts, a list of pairs of
    bucket and count, an object by bucket, or an HdrHistogram in base64; one count more than an explicit
    layout has buckets opens its last. Raise DocumentInvalid for another form, a bucket twice, over 2**22
    counts, or a sum from 2**53 on, and another DomainError for a bucket that does not exist.
    """
    if isinstance(value, str):
        return _decode_base64(value, layout), layout
    if isinstance(value, Mapping):
        pairs = [(_key_number(key), value[key]) for key in value]
    else:
        rows = fields.sequence(value, "counts")
        if rows and all(isinstance(row, list) for row in rows):
            if any(len(row) != 2 for row in rows):
                raise DocumentInvalid("counts must hold pairs of bucket and count")
            pairs = [(fields.number(row[0], "a bucket"), row[1]) for row in rows]
        else:
            if (
                isinstance(layout, ExplicitLayout)
                and not layout.open_ended
                and len(rows) == len(layout.edges)
            ):
                layout = replace(layout, open_ended=True)
            pairs = list(enumerate(rows))
    if len(pairs) > _COUNTS_AT_MOST:
        raise DocumentInvalid(f"there are {len(pairs)} counts; {_COUNTS_AT_MOST} is the most that is read")
    filled = sorted((index, fields.count(count, f"the count of bucket {index}")) for index, count in pairs)
    if len({index for index, _ in filled}) != len(filled):
        raise DocumentInvalid("counts name a bucket twice")
    filled = [(index, count) for index, count in filled if count]
    counts = Counts(
        np.array([index for index, _ in filled], dtype=np.int64),
        np.array([count for _, count in filled], dtype=np.int64),
    )
    if sum(count for _, count in filled) >= 1 << 53:
        raise DocumentInvalid("the counts add up to 2**53 or more, which cannot be added exactly")
    layout.edges_ns(counts.indices)
    return counts, layout


def _decode_base64(text: str, layout: BucketLayout) -> Counts:
    """Return the counts of an HdrHistogram in base64. Raise DocumentInvalid if it is no base64 or if `layout`
    is not that of its header, HistogramUnreadable for other bytes.
    """
    if not isinstance(layout, HdrLayout):
        raise DocumentInvalid("counts as text are an HdrHistogram, which needs a layout of the kind hdr")
    try:
        payload = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise DocumentInvalid("counts as text must be the base64 of an HdrHistogram") from None
    header, counts = decode_any(payload)
    if layout.unit_ns % header.step or header.layout(layout.unit_ns // header.step) != layout:
        raise DocumentInvalid(
            f"the histogram has {header.significant_digits} digits in steps of {header.step} units, "
            f"its layout {layout.significant_digits} digits in steps of {layout.unit_ns} ns"
        )
    return counts


def _read_shares(document: Mapping[str, Any], layout: BucketLayout, misses: Misses) -> KnotsRecord:
    """Return the record of `shares`, one for each bucket from the first on, and of the number of operations
    `n`, if stated. Raise DocumentInvalid for an empty list, another DomainError for impossible shares.
    """
    shares = fields.sequence(document["shares"], "shares")
    if not shares:
        raise DocumentInvalid("shares is empty")
    if isinstance(layout, ExplicitLayout):
        edges = list(layout.edges)
    else:
        lower, upper = layout.edges_ns(np.arange(len(shares), dtype=np.int64))
        edges = [*lower.tolist(), int(upper[-1])]
    record = from_bucket_shares(
        edges,
        shares,
        fields.rounding(document),
        count=fields.optional_count(document, "n"),
        mean_limits_ns=_read_mean(document),
        misses=misses,
        semantics=fields.text(document, "semantics", ""),
    )
    return _add_extremes(document, record)


def _read_statements(document: Mapping[str, Any], misses: Misses, layout: HdrLayout | None) -> KnotsRecord:
    """Return the record of stated knots, percentiles, quantiles, counters and extremes. With a layout each
    percentile means a whole bucket. Raise a DomainError if they contradict each other or nothing is stated.
    """
    at_least: dict[int, Fraction] = {}
    at_most: dict[int, Fraction] = {}
    quantiles: list[tuple[float, int]] = []
    for row in fields.sequence(document.get("knots", []), "knots"):
        time_ns, low, high = fields.row(row, 3, "a knot is [t_ns, F_lo, F_hi]")
        KnotsRecord(((time_ns, fields.finite(low, "F_lo"), fields.finite(high, "F_hi")),))
        at_least[time_ns] = max(at_least.get(time_ns, Fraction(0)), Fraction(low))
        at_most[time_ns] = min(at_most.get(time_ns, Fraction(1)), Fraction(high))
    percentiles = [
        fields.row(row, 2, "a percentile is [p, t_ns]")
        for row in fields.sequence(document.get("percentiles", []), "percentiles")
    ]
    rounding = fields.rounding(document)
    if percentiles:
        stated = from_percentiles([(p, t) for p, t in percentiles], layout=layout, rounding=rounding)
        for time_ns, low, high in stated.knots:
            at_least[time_ns] = max(at_least.get(time_ns, Fraction(0)), Fraction(low))
            at_most[time_ns] = min(at_most.get(time_ns, Fraction(1)), Fraction(high))
        quantiles.extend(stated.quantiles)
    for row in fields.sequence(document.get("quantiles", []), "quantiles"):
        p, first_ns = fields.row(row, 2, "a quantile is [p, first_ns]")
        quantiles.append((fields.finite(p, "p"), fields.number(first_ns, "first_ns")))
    count = fields.optional_count(document, "n")
    for time_ns, over in _read_pins(document).items():
        if not count:
            raise DocumentInvalid(f"the exact counter at {time_ns} ns needs n, the number of operations")
        if over > count:
            raise CountsContradict(f"{over} operations at or over {time_ns} ns, and only {count} in all")
        share = 1 - Fraction(over, count)
        at_least[time_ns] = max(at_least.get(time_ns, Fraction(0)), share)
        at_most[time_ns] = min(at_most.get(time_ns, Fraction(1)), share)
    record = KnotsRecord(
        joined(at_least, at_most),
        count,
        _read_mean(document),
        misses=misses,
        semantics=fields.text(document, "semantics", ""),
        quantiles=tuple(quantiles),
    )
    if not record.knots and not {"max_ns", "mean_ns"} & document.keys() and "n" not in document:
        raise NothingStated
    return _add_extremes(document, record)


def _add_extremes(document: Mapping[str, Any], record: KnotsRecord) -> KnotsRecord:
    """Return the record with the document's smallest and largest latency, each None if not stated."""
    return replace(
        record,
        min_ns=fields.optional_whole(document, "min_ns"),
        max_ns=fields.optional_whole(document, "max_ns"),
    )


def _read_mean(document: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return bounds of the mean in ns: the sum divided by `n`, else as stated; None if neither is there."""
    count, sum_ns = fields.optional_count(document, "n"), fields.optional_whole(document, "sum_ns")
    if sum_ns is not None:
        if not count:
            raise DocumentInvalid(f"sum_ns is {sum_ns}, which says nothing without n")
        return sum_ns / count, sum_ns / count
    return fields.ends(document, "mean_ns")


def misses_of(document: Mapping[str, Any]) -> tuple[Misses, int | None]:
    """Return the misses of a document, 0 if not stated, and the time-out in ns, None if not stated. Raise
    DocumentInvalid for unknown keys and invalid numbers.
    """
    part = fields.mapping(document.get("misses") or {}, "misses")
    fields.only(part, MISSES_KEYS, "misses")
    kinds = [fields.count(part.get(kind, 0), kind) for kind in ("errors", "timeouts", "unfinished")]
    return Misses(*kinds), fields.optional_whole(part, "timeout_ns")


def _read_pins(document: Mapping[str, Any]) -> dict[int, int]:
    """Return the exact counts at or over thresholds in ns. Raise DocumentInvalid for more than 16."""
    rows = fields.sequence(document.get("pins", []), "pins")
    if len(rows) > _PINS_AT_MOST:
        raise DocumentInvalid(f"there are {len(rows)} pins; {_PINS_AT_MOST} are allowed")
    pins: dict[int, int] = {}
    for row in rows:
        at_ns, over = fields.row(row, 2, "a pin is [t_ns, count at or over it]")
        at_ns = fields.number(at_ns, "the time of a pin")
        if at_ns in pins:
            raise DocumentInvalid(f"there are two pins at {at_ns} ns")
        pins[at_ns] = fields.count(over, f"the count at or over {at_ns} ns")
    return pins


def pairs_of(counts: Counts) -> list[list[int]]:
    """Return `[bucket, count]` of the filled buckets, ascending by bucket."""
    filled = np.flatnonzero(counts.counts)
    pairs = np.stack((counts.indices[filled], counts.counts[filled]), axis=1).tolist()
    result: list[list[int]] = sorted(pairs)
    return result


def _refuse_keys(present: Sequence[str], forbidden: Sequence[str], why: str) -> None:
    """Raise `DocumentInvalid` if a forbidden key is present; its message is the key followed by `why`."""
    conflicting = [key for key in present if key in forbidden]
    if conflicting:
        raise DocumentInvalid(f"{conflicting[0]} {why}")


def _key_number(key: object) -> int:
    """Return the bucket number of a key of an object. Raise DocumentInvalid unless it has 1 to 12 digits."""
    if not isinstance(key, str) or not key.isascii() or not key.isdigit() or len(key) > 12:
        raise DocumentInvalid(f"counts has the key {key!r}, which is no bucket number")
    return int(key)


def placed(place: str, read: Callable[[Any], Read], value: Any) -> Read:
    """Return `read(value)`; a DomainError is raised again with the place in the document before its text."""
    try:
        return read(value)
    except DomainError as error:
        raise type(error)(f"{place}: {error}") from error
