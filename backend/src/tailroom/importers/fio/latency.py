"""One latency of one job and direction as fio prints it: bins if printed, else percentiles.

fio computes percentiles from its bins and prints the middle of the bin in which the wanted share is reached
(`calc_clat_percentiles`): the first bin with at least `p` of the operations at or below it. So a percentile
says something about both edges of that bin, and nothing about its middle. Smallest, largest and mean are
exact; the sum is the printed mean times the count, to a billionth.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord, Misses
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.units import NS_PER_US
from tailroom.importers.fio.bins import MICROSECONDS, NANOSECONDS, Bins, add_percentile
from tailroom.importers.fio.documents import Document
from tailroom.importers.fio.semantics import is_unmeasured
from tailroom.importers.json_documents import json_count, json_number
from tailroom.importers.moments import add_moments
from tailroom.importers.parsed_run import Claim, Problem
from tailroom.importers.printed import Printed, printed
from tailroom.importers.problems import SHOWN_OF_KIND, Problems
from tailroom.importers.statements import MAX_TIME_NS, Statements, enclosing, merged

_RUNNING_ERROR = 1e-9
"""fio adds up mean and deviation in doubles, one operation after the other."""

Path = tuple[int, str, str]
"""Index of the job in the document, direction, and the name of the latency."""

PRINTED_HALF = Fraction(1, 2 * 10**8)
"""Percentiles are printed with six decimals of a per cent."""


@dataclass(slots=True)
class MeasuredLatency:
    """Printed numbers of one latency of a direction (`operation`); None if not printed or impossible."""

    bins: Bins
    operation: str = ""
    count: int | None = None
    counted: dict[int, int] | None = None
    """Number of operations by index of the bin; None without bins."""
    percentiles: list[tuple[Fraction, int]] = field(default_factory=list)
    """Share (0 to 1), and the index of the bin in which it is reached."""
    min_ns: int | None = None
    max_ns: int | None = None
    mean_ns: tuple[float, float] | None = None
    """Lower and upper bound of the mean."""
    deviation_ns: float | None = None
    """Upper bound of the standard deviation."""
    printed: list[Claim] = field(default_factory=list)
    line: int | None = None
    name: str = ""

    @property
    def some(self) -> bool:
        """Whether any operation was measured: by the count, or by a mean above 0 if the count is unknown."""
        if self.count is None:
            # Zeros are printed of a latency, or a direction, of which there was nothing.
            return self.mean_ns is not None and self.mean_ns[0] > 0
        return self.count > 0


def read_latency(
    document: Document,
    path: Path,
    data: Mapping[str, Any],
    total: int | None,
    problems: Problems,
    *,
    runtime_ms: int = 0,
) -> MeasuredLatency | None:
    """Return the numbers of a latency object such as `clat_ns` (before 3.0 `clat`); report impossible values.

    If its times cannot be of this run, only its count is returned. None if it has operations, but a mean of 0
    and neither bins nor percentiles. `total` is the count without `N`; `runtime_ms` is 0 if unknown.
    """
    job, direction, label = path
    measured = MeasuredLatency(
        NANOSECONDS if label.endswith("_ns") else MICROSECONDS,
        direction,
        name=f"jobs[{job}].{direction}.{label}",
    )
    measured.line = document.line_of(*path)
    if is_unmeasured_object(data, measured.bins.unit_ns, runtime_ms):
        problems.add(
            "garbage",
            f"{measured.name}: times that cannot be of this run, as fio prints them of what it did "
            "not measure; they were left out",
            measured.line,
        )
        measured.count = json_count(data.get("N")) if "N" in data else total
        return measured
    if "bins" in data:
        measured.counted = _bin_counts(measured, document, path, data["bins"], problems)
    _set_count(measured, data, total, problems)
    _set_moments(measured, data, problems)
    if isinstance(data.get("percentile"), dict) and measured.some:
        measured.percentiles = list(_percentiles(measured, document, path, data["percentile"], problems))
    is_mean_alone = measured.counted is None and not measured.percentiles and measured.count
    # A mean of 0 is printed of what was not measured.
    if is_mean_alone and measured.mean_ns is not None and measured.mean_ns[0] == 0.0:
        return None if measured.mean_ns[1] < NS_PER_US + 1 else measured
    return measured


def is_unmeasured_object(data: Mapping[str, Any], unit_ns: int, runtime_ms: int) -> bool:
    """Return whether the printed times, in units of `unit_ns`, are of a latency that fio did not measure."""
    numbers = [json_number(data.get(name)) for name in ("min", "max", "mean", "stddev")]
    times = [float(number.value) * unit_ns for number in numbers if number is not None]
    return is_unmeasured(times, runtime_ms)


def _set_count(
    measured: MeasuredLatency, data: Mapping[str, Any], total: int | None, problems: Problems
) -> None:
    """Set the number of operations: that in the bins, else `N`, else `total`; report contradictions."""
    measured.count = json_count(data.get("N"))
    if data.get("N") is not None and measured.count is None:
        problems.add("count", f"{measured.name}: N is {data['N']!r}, which is no count", measured.line)
    if measured.counted is not None:
        in_bins = sum(measured.counted.values())
        if measured.count is not None and in_bins not in (0, measured.count):
            problems.error(
                "sum",
                f"{measured.name}: the bins hold {in_bins} operations, N says {measured.count}; "
                "the bins count",
                measured.line,
            )
        if in_bins or not measured.count:
            measured.count = in_bins
        else:
            measured.counted = None
    elif measured.count is None and "N" not in data:
        measured.count = total


def _set_moments(measured: MeasuredLatency, data: Mapping[str, Any], problems: Problems) -> None:
    """Set smallest, largest, mean and deviation in ns, and add their claims.

    Impossible extremes are reported, an impossible mean or deviation is ignored. Whole microseconds were
    rounded down, so that upper bounds are almost 1 µs higher.
    """
    unit_ns = measured.bins.unit_ns
    for name in ("min", "max"):
        number = json_number(data.get(name))
        if number is not None and number.value * unit_ns < MAX_TIME_NS:
            later_ns = unit_ns - 1 if name == "max" else 0
            at_ns = int(number.value * unit_ns)
            setattr(measured, f"{name}_ns", at_ns + later_ns)
            measured.printed.append(
                _printed_claim(measured, f"latency_{name}_ns", number.text, (at_ns, at_ns + unit_ns - 1))
            )
        elif data.get(name) is not None:
            problems.add(
                "ends", f"{measured.name}: {name} is {data[name]!r}, which is no latency", measured.line
            )
    mean = json_number(data.get("mean"))
    if mean is not None and mean.upper * unit_ns < MAX_TIME_NS:
        least, most = max(mean.lower, Fraction(0)) * unit_ns, mean.upper * unit_ns + unit_ns - 1
        measured.mean_ns = float(least), float(most)
        ends = float(mean.lower * unit_ns), float(mean.upper * unit_ns)
        measured.printed.append(_printed_claim(measured, "latency_mean_ns", mean.text, ends))
    deviation = json_number(data.get("stddev"))
    if deviation is not None and deviation.upper * unit_ns < MAX_TIME_NS:
        measured.deviation_ns = float(deviation.upper * unit_ns) * (1 + _RUNNING_ERROR)
        measured.printed.append(
            _printed_claim(measured, "latency_deviation_ns", deviation.text, deviation.ends(unit_ns))
        )


def _bin_counts(
    measured: MeasuredLatency, document: Document, path: Path, bins: Any, problems: Problems
) -> dict[int, int] | None:
    """Return operations by bin; None if `bins` is no JSON object; report and leave out invalid entries."""
    if not isinstance(bins, dict):
        return None
    by_number = any(str(key).startswith("FIO_IO_U_PLAT") for key in bins)
    keys = {key: int(key) for key in bins if key.isdecimal() and len(key) <= 20}
    if measured.bins is MICROSECONDS and not by_number:
        by_number = any(measured.bins.named(key) is None for key in keys.values())
    counted: dict[int, int] = {}
    left_out: list[tuple[str, str]] = []
    for key, amount in bins.items():
        if key.startswith("FIO_IO_U_PLAT"):
            continue
        number = keys.get(key)
        index = None
        if number is not None:
            index = number if by_number and number < measured.bins.size else None
            index = measured.bins.named(number) if not by_number else index
        count = json_count(amount)
        if index is None or count is None:
            reason = f"{key!r} is the middle of no bin of fio" if index is None else f"{amount!r} is no count"
            left_out.append((key, reason))
            continue
        if count:
            counted[index] = counted.get(index, 0) + count
    for position, (key, reason) in enumerate(left_out):
        # A line is searched for through the job, so only for problems that name theirs.
        is_located = position < SHOWN_OF_KIND or position == len(left_out) - 1
        line = document.line_of(*path, "bins", key) if is_located else None
        problems.error("bin", f"{measured.name}: {reason}; it was left out", line)
    return counted


def _percentiles(
    measured: MeasuredLatency, document: Document, path: Path, data: Mapping[str, Any], problems: Problems
) -> Iterable[tuple[Fraction, int]]:
    """Yield each share (0 to 1) with the bin in which it is reached; report others; add claims."""
    only_shown: list[tuple[str, Any]] = []
    for text, value in data.items():
        share = printed(text)
        if share is None or not 0 <= share.value <= 100:
            problems.add("share", f"{measured.name}: {text!r} is no percentile", measured.line)
            continue
        if share.value == 0:
            # Before 3.0 fio fills the list of twenty with zeros.
            continue
        index = measured.bins.named(value) if isinstance(value, int) else None
        if isinstance(value, int) and 0 <= value < MAX_TIME_NS // measured.bins.unit_ns:
            ends = value * measured.bins.unit_ns, (value + 1) * measured.bins.unit_ns - 1
            measured.printed.append(
                _printed_claim(measured, "latency_quantile_ns", str(value), ends, float(share.value / 100))
            )
        if index is None:
            only_shown.append((text, value))
            continue
        yield share.value / 100, index
    for position, (text, value) in enumerate(only_shown):
        is_located = position < SHOWN_OF_KIND or position == len(only_shown) - 1
        line = document.line_of(*path, "percentile", text) if is_located else None
        reason = f"the {text}th percentile, {value!r}, is the middle of no bin; only shown"
        problems.add("middle", f"{measured.name}: {reason}", line)


def _printed_claim(
    measured: MeasuredLatency,
    quantity: str,
    text: str,
    ends_ns: tuple[float, float],
    quantile: float | None = None,
) -> Claim:
    """Return the claim of a printed number; its text has the unit in which this version of fio prints."""
    unit = "ns" if measured.bins is NANOSECONDS else "µs"
    return Claim(measured.operation, quantity, f"{text} {unit}", *ends_ns, quantile, measured.line)


def record_of(parts: Sequence[MeasuredLatency], misses: Misses, problems: Problems) -> LatencyRecord:
    """Return the common record of `parts`, one for each copy of a job.

    A distribution if all have bins, else bounds. Report and leave out a mean or extremes that contradict the
    rest. Raise DomainError for contradictory percentiles. `misses` are the failed operations.
    """
    if all(part.counted is not None for part in parts):
        return _exact_record(parts, misses, problems)
    filled = [part for part in parts if part.some]
    if len(filled) > 1 and any(part.count is None for part in filled):
        statements = enclosing([statements_of(part) for part in filled])
    else:
        statements = statements_of(filled[0]) if len(filled) == 1 else merged(map(statements_of, filled))
    contradictions: list[Problem] = []
    record = statements.record(misses, contradictions)
    for problem in contradictions:
        problems.add("mean", f"{parts[0].name}: {problem.reason}", parts[0].line)
    least, most = _extremes(filled)
    return record if least is None else replace(record, min_ns=least, max_ns=most)


def _exact_record(parts: Sequence[MeasuredLatency], misses: Misses, problems: Problems) -> LatencyDist:
    """Return the distribution of all bins; report and leave out extremes and mean that contradict it."""
    counted = counted_together(parts)
    indices = np.array(sorted(counted), dtype=np.int64)
    counts = Counts(indices, np.array([counted[index] for index in sorted(counted)], dtype=np.int64))
    layout = parts[0].bins.layout()
    filled = [part for part in parts if part.some]
    least, most = _extremes(filled)
    try:
        record = LatencyDist(layout, counts, {}, misses, _sum_ns(filled), least, most)
        _ = record.cells
    except DomainError as contradiction:
        problems.add(
            "ends",
            f"{parts[0].name}: {contradiction}; smallest, largest and mean were left out",
            parts[0].line,
        )
        return LatencyDist(layout, counts, misses=misses)
    return record


def counted_together(parts: Iterable[MeasuredLatency]) -> Counter[int]:
    """Return the number of operations of all parts by index of the bin."""
    counted = Counter[int]()
    for part in parts:
        counted.update(part.counted or {})
    return counted


def _extremes(parts: Sequence[MeasuredLatency]) -> tuple[int | None, int | None]:
    least = [part.min_ns for part in parts if part.min_ns is not None]
    most = [part.max_ns for part in parts if part.max_ns is not None]
    is_complete = len(least) == len(most) == len(parts)
    return (min(least), max(most)) if parts and is_complete else (None, None)


def _sum_ns(parts: Sequence[MeasuredLatency]) -> int | None:
    """Return the sum of latencies in ns by the printed means; None without parts, or without a mean in ns."""
    total = 0.0
    for part in parts:
        if part.mean_ns is None or part.bins is not NANOSECONDS or part.count is None:
            return None
        total += (part.mean_ns[0] + part.mean_ns[1]) / 2 * part.count
    return round(total) if parts and total < MAX_TIME_NS else None


def statements_of(part: MeasuredLatency) -> Statements:
    """Return the bounds that percentiles, extremes and mean prove; without percentiles, the deviation too."""
    statements = Statements(part.count)
    for share, index in part.percentiles:
        add_percentile(statements, share, PRINTED_HALF, part.bins.edges_ns(index), part.count)
    if part.min_ns is not None and part.max_ns is not None and part.min_ns <= part.max_ns:
        statements.span(part.min_ns, part.max_ns + 1)
    statements.mean_ns = part.mean_ns
    if not part.percentiles and part.mean_ns is not None and part.deviation_ns is not None and part.some:
        add_moments(statements, part.mean_ns, part.deviation_ns)
    return statements


def microseconds(value: Printed) -> tuple[int, int] | None:
    """Return the first and last ns of a number rounded down to µs; None if negative or impossibly long."""
    if value.value < 0 or value.value * NS_PER_US >= MAX_TIME_NS:
        return None
    return int(value.value * NS_PER_US), int((value.value + 1) * NS_PER_US) - 1
