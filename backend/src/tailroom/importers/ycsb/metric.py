"""A metric of a YCSB summary: the numbers under `[READ]`, and the record that follows from them.

The meaning of number keys depends on the measurement type, which the summary does not name: counts of whole
milliseconds with an open `>1000` (histogram), counts at the upper edges of HdrHistogram buckets
(hdrhistogram, verbose), or means of intervals (timeseries). Source: `OneMeasurement*`.
"""

import math
import re
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import numpy as np

from tailroom.domain.latency.cells import PinsContradictBuckets
from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import ExplicitLayout, HdrLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.parsed_run import Claim
from tailroom.importers.printed import MAX_COUNT, Printed, printed
from tailroom.importers.problems import ProblemList
from tailroom.importers.statements import MAX_TIME_NS, Statements, hdr_bucket_ns
from tailroom.importers.ycsb.entries import Entry

_QUANTILE = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)(?:st|nd|rd|th)?PercentileLatency\((us|ms)\)")
_RAW_QUANTILE = re.compile(r"p(\d{1,2}(?:\.\d{1,6})?)")
_KEY = re.compile(r"\d{1,12}")
_OVER = re.compile(r">(\d{1,7})")
_GOOD_RETURNS = frozenset({"OK", "BATCHED_OK", "0", ""})
"""Some ports to C++ print `Return=`, without a code."""
_COUNT_NAMES = ("Operations", "Total Operations")
_MEAN_NAMES = ("AverageLatency(us)", "Average", "AverageLatency(ms)")
_LAYOUT = HdrLayout()
_MAX_KEYS = 1_000_000


@dataclass(slots=True)
class YcsbMetric:
    """The numbers printed under one name; None if not printed."""

    name: str
    line_no: int
    count: int | None = None
    mean: Printed | None = None
    mean_unit_ns: int = NS_PER_US
    least: Printed | None = None
    most: Printed | None = None
    ends_unit_ns: int = NS_PER_US
    """The unit of `least` and `most`."""
    quantiles: list[tuple[Fraction, Printed, int]] = field(default_factory=list)
    """Share, the printed number, and the nanoseconds of its unit."""
    raw_quantiles: list[tuple[Fraction, Printed]] = field(default_factory=list)
    """Share, and the latency in microseconds (`p99`)."""
    returns: dict[str, int] = field(default_factory=dict)
    """Number of calls by return code."""
    keys: list[tuple[int, Printed]] = field(default_factory=list)
    """Number keys (`0`, `1000`, …) and their numbers."""
    over: tuple[int, int] | None = None
    """Lower edge in milliseconds of the open bucket (`>1000`), and its count."""
    has_variance: bool = False
    """Whether the variance is printed, as by type histogram."""
    _seen: set[str] = field(default_factory=set)

    @property
    def failed(self) -> int:
        """Number of calls with a return code that is no success."""
        return sum(count for name, count in self.returns.items() if name not in _GOOD_RETURNS)

    def add(self, entry: Entry) -> str | None:
        """Store the number of an entry; return the problem as text, None without any."""
        value = printed(entry.text)
        name = entry.measurement
        if name in self._seen:
            return f"`{name}` stands there twice: another run, or damage; the first one was used"
        self._seen.add(name)
        if value is None or value.value < 0:
            if entry.text == "NaN" or name.startswith("Below is a summary"):
                return None
            return f"`{entry.text}` of `{name}` is no number that a measurement can have"
        total = int(value.value) if value.value.denominator == 1 and value.value <= MAX_COUNT else None
        if name in _COUNT_NAMES:
            self.count = total
        elif name in _MEAN_NAMES:
            self.mean, self.mean_unit_ns = value, NS_PER_MS if "(ms)" in name else NS_PER_US
        elif name in ("MinLatency(us)", "Min", "MinLatency(ms)"):
            self.least, self.ends_unit_ns = value, NS_PER_MS if "(ms)" in name else NS_PER_US
        elif name in ("MaxLatency(us)", "Max", "MaxLatency(ms)"):
            self.most, self.ends_unit_ns = value, NS_PER_MS if "(ms)" in name else NS_PER_US
        elif name.startswith("LatencyVariance"):
            self.has_variance = True
        elif name.startswith("Return=") and total is not None:
            self.returns[name.removeprefix("Return=")] = total
        else:
            return self._add_numbered(name, value, total)
        return None

    def _add_numbered(self, name: str, value: Printed, count: int | None) -> str | None:
        """Store a quantile or number key; return None, or a problem for another name, or after 1,000,000."""
        quantile, raw, over = _QUANTILE.fullmatch(name), _RAW_QUANTILE.fullmatch(name), _OVER.fullmatch(name)
        if quantile is not None:
            unit_ns = NS_PER_MS if quantile[2] == "ms" else NS_PER_US
            self.quantiles.append((Fraction(quantile[1]) / 100, value, unit_ns))
        elif raw is not None:
            self.raw_quantiles.append((Fraction(raw[1]) / 100, value))
        elif over is not None and count is not None:
            self.over = (int(over[1]), count)
        elif _KEY.fullmatch(name) and len(self.keys) < _MAX_KEYS:
            self.keys.append((int(name), value))
        else:
            return f"`{name}` is nothing that YCSB measures"
        return None

    def claims(self, operation: str) -> list[Claim]:
        """Return claims of the printed numbers; those of a time series with start and length in the run."""
        line = self.line_no
        claims: list[Claim] = []
        if self.count is not None:
            claims.append(Claim.of_count(operation, "operation_count", self.count, line))
        if self.failed:
            claims.append(Claim.of_count(operation, "error_count", self.failed, line))
        if self.mean is not None and self.count != 0 and _is_possible(self.mean, self.mean_unit_ns):
            lower, upper = (float(end) * self.mean_unit_ns for end in (self.mean.lower, self.mean.upper))
            text = _text(self.mean, self.mean_unit_ns)
            claims.append(Claim(operation, "latency_mean_ns", text, lower, upper, line=line))
        for quantity, value in (("latency_min_ns", self.least), ("latency_max_ns", self.most)):
            if value is not None and _is_possible(value, self.ends_unit_ns):
                text = _text(value, self.ends_unit_ns)
                claims.append(Claim(operation, quantity, text, *self._bucket(value), line=line))
        for share, value, unit_ns in self._quantiles:
            text, ends = _text(value, unit_ns), self._quantile_bucket(value, unit_ns)
            claims.append(Claim(operation, "latency_quantile_ns", text, *ends, float(share), line))
        for share, value in self._raw_quantiles:
            text, ends = _text(value, NS_PER_US), _microsecond_edges(value)
            claims.append(Claim(operation, "latency_quantile_ns", text, *ends, float(share), line))
        return claims + (self._time_series_claims(operation) if self._is_time_series() else [])

    @property
    def _quantiles(self) -> list[tuple[Fraction, Printed, int]]:
        return [(share, value, unit) for share, value, unit in self.quantiles if _is_possible(value, unit)]

    @property
    def _raw_quantiles(self) -> list[tuple[Fraction, Printed]]:
        return [(share, value) for share, value in self.raw_quantiles if _is_possible(value, NS_PER_US)]

    def record(self, problems: ProblemList, failed: int) -> LatencyDist | KnotsRecord | None:
        """Return the record of the finest entries, `failed` calls as errors. Raise StatementsContradict."""
        misses = Misses(errors=failed)
        if self.over is not None:
            return self._millisecond_record(self.over, misses, problems)
        if self._are_all_counts():
            if self._has_millisecond_quantiles():
                return self._millisecond_record((max(key for key, _ in self.keys) + 1, 0), misses, problems)
            return self._hdr_record(misses)
        if self._has_other_keys() and not self._is_time_series():
            reason = (
                "its buckets do not add up, or end early: the output is cut"
                if self._are_counts()
                else "the numbers by key lie beyond its own latencies, or are counts with decimals: neither "
                "means of a time series nor buckets that add up"
            )
            problems.add(f"{self.name}: {reason}; they were left out", self.line_no)
        if self.count == 0:
            return None
        statements = Statements(self.count)
        if self.most is not None and _is_possible(self.most, self.ends_unit_ns):
            upper_ns = self._bucket(self.most)[1]
            if self.least is None:
                statements.span(None, upper_ns)
            elif self.least.value <= self.most.value:
                statements.span(self._bucket(self.least)[0], upper_ns)
        self._add_quantiles(statements)
        statements.mean_ns = self._mean_ns()
        return statements.record(misses, problems)

    def _add_quantiles(self, statements: Statements) -> None:
        for quantile, value, unit_ns in self._quantiles:
            if quantile < 1:
                lower, upper = self._quantile_bucket(value, unit_ns)
                if self._has_millisecond_quantiles():
                    statements.at_least(upper, quantile)
                    statements.at_most(lower, quantile)
                else:
                    statements.hdr_quantile(quantile, lower, upper)
        for quantile, value in self._raw_quantiles if self.count else ():
            # The value at position ⌊n·q⌋ of all values in order, counted from 0.
            count = self.count or 0
            position = int(quantile * count)
            lower, upper = _microsecond_edges(value)
            statements.at_most(lower, Fraction(position, count))
            statements.at_least(upper, Fraction(min(position + 1, count), count))

    def _millisecond_record(
        self, over: tuple[int, int], misses: Misses, problems: ProblemList
    ) -> LatencyDist | None:
        """Return the record of type histogram: bucket k holds `[k, k+1)` ms, the last (`over`) is open."""
        limit_ms, slower = over
        counts = {key: int(value.value) for key, value in self.keys if value.value.denominator == 1}
        if not 0 < limit_ms <= _MAX_KEYS or any(key >= limit_ms for key in counts):
            reason = f"{self.name}: a bucket lies beyond the open one"
            problems.error(reason, self.line_no)
            return None
        counts[limit_ms] = slower
        total = sum(counts.values())
        if self.count is not None and total != self.count:
            reason = f"{self.name}: the buckets add up to {total}, the summary says {self.count}"
            problems.add(reason, self.line_no)
        filled = sorted(key for key, count in counts.items() if count)
        layout = ExplicitLayout(tuple(ms * NS_PER_MS for ms in range(limit_ms + 1)), open_ended=True)
        if not filled or total > MAX_COUNT:
            return None
        # Latencies are cut to microseconds, so these are the ends of what they can have been.
        least_ns = None
        if self.least is not None and _is_possible(self.least, self.ends_unit_ns):
            least_ns = int(self.least.value) * self.ends_unit_ns
        most_ns = None
        if self.most is not None and _is_possible(self.most, self.ends_unit_ns):
            most_ns = (int(self.most.value) + 1) * self.ends_unit_ns - 1
        amounts = _counts(filled, [counts[key] for key in filled])
        record = LatencyDist(layout, amounts, misses=misses, min_ns=least_ns, max_ns=most_ns)
        try:
            record.cells  # noqa: B018 - contradictions show here, and belong to the file
        except PinsContradictBuckets as contradiction:
            problems.error(f"{self.name}: {contradiction}", self.line_no)
            return LatencyDist(layout, amounts, misses=misses)
        return record

    def _hdr_record(self, misses: Misses) -> LatencyDist:
        """Return the record of types hdrhistogram and verbose, whose keys are upper edges in µs."""
        index = _LAYOUT.index_of(np.array([key for key, _ in self.keys], dtype=np.int64))
        amounts: dict[int, int] = {}
        for bucket, (_, value) in zip(index.tolist(), self.keys, strict=True):
            amounts[bucket] = amounts.get(bucket, 0) + int(value.value)
        filled = sorted(bucket for bucket, amount in amounts.items() if amount)
        return LatencyDist(_LAYOUT, _counts(filled, [amounts[bucket] for bucket in filled]), misses=misses)

    def _are_all_counts(self) -> bool:
        """Return whether the numbers by key are counts that add up to the number of operations."""
        return (
            bool(self.keys)
            and self.over is None
            and all(value.value.denominator == 1 for _, value in self.keys)
            and max(key for key, _ in self.keys) < 1 << 40
            and sum(int(value.value) for _, value in self.keys) == self.count
        )

    def _is_time_series(self) -> bool:
        return self._has_other_keys() and not self._are_counts() and self._may_be_means()

    def _may_be_means(self) -> bool:
        """Return whether the numbers by key can be means: between the extremes, and no counts."""
        values = [value for _, value in self.keys]
        if all(value.text.endswith(".000000") for value in values):
            return False
        least_ns, most_ns = 0, math.inf
        if self.least is not None and _is_possible(self.least, self.ends_unit_ns):
            least_ns = self._bucket(self.least)[0]
        if self.most is not None and _is_possible(self.most, self.ends_unit_ns):
            most_ns = self._bucket(self.most)[1]
        return all(
            value.upper * NS_PER_US >= least_ns and value.lower * NS_PER_US <= most_ns for value in values
        )

    def printed(self, operation: str) -> tuple[Claim, ...]:
        """Return the claims about latencies of the whole run: no counts, and no means of intervals."""
        return tuple(
            claim
            for claim in self.claims(operation)
            if claim.start_ns is None and claim.quantity.startswith("latency_")
        )

    def _has_other_keys(self) -> bool:
        """Return whether there are number keys, but neither an open bucket nor counts that add up."""
        return bool(self.keys) and self.over is None and not self._are_all_counts()

    def _are_counts(self) -> bool:
        """Return whether numbers have no decimal point; Java prints means of a time series with a point."""
        return all("." not in value.text and "E" not in value.text for _, value in self.keys)

    def _time_series_claims(self, operation: str) -> list[Claim]:
        """Return the means of a time series as claims, each as long as the least distance of two starts."""
        starts = [key for key, _ in self.keys]
        steps = [after - before for before, after in pairwise(starts) if after > before]
        step_ms = min(steps) if steps else None
        return [
            Claim(
                operation,
                "latency_mean_ns",
                f"{value.text} µs",
                float(value.lower) * NS_PER_US,
                float(value.upper) * NS_PER_US,
                None,
                self.line_no,
                start_ms * NS_PER_MS,
                None if step_ms is None else step_ms * NS_PER_MS,
            )
            for start_ms, value in self.keys
            if _is_possible(value, NS_PER_US)
        ]

    def _has_millisecond_quantiles(self) -> bool:
        """Return whether quantiles are whole milliseconds, as type histogram prints them in any unit."""
        return (
            self.has_variance
            or self.over is not None
            or self.ends_unit_ns == NS_PER_MS
            or any(unit == NS_PER_MS for _, _, unit in self.quantiles)
        )

    def _quantile_bucket(self, value: Printed, unit_ns: int) -> tuple[int, int]:
        """Return the edges in ns of the bucket of a printed quantile; wider if its type is not certain."""
        at_ns = int(value.value) * unit_ns
        if self._has_millisecond_quantiles():
            return at_ns, at_ns + NS_PER_MS
        lower, upper = hdr_bucket_ns(_LAYOUT, at_ns // NS_PER_US)
        # Without a variance in the summary (older versions) all multiples of 1,000 may be either type.
        either = all(int(quantile.value) % 1_000 == 0 for _, quantile, _ in self.quantiles)
        return (min(lower, at_ns), max(upper, at_ns + NS_PER_MS)) if either else (lower, upper)

    def _bucket(self, value: Printed) -> tuple[int, int]:
        """Return the bounds in ns of a printed smallest or largest latency: its millisecond or HDR bucket."""
        if self.ends_unit_ns == NS_PER_MS:
            return int(value.value) * NS_PER_MS, (int(value.value) + 1) * NS_PER_MS
        return hdr_bucket_ns(_LAYOUT, int(value.value))

    def _mean_ns(self) -> tuple[float, float] | None:
        """Return the bounds of the mean in ns; None if it is missing or impossible, or for a count of 0."""
        if self.mean is None or self.count == 0 or not _is_possible(self.mean, self.mean_unit_ns):
            return None
        lower, upper = float(self.mean.lower) * self.mean_unit_ns, float(self.mean.upper) * self.mean_unit_ns
        return max(0.0, lower * (1 - 1 / 1024)), upper * (1 + 1 / 1024) + self.ends_unit_ns


def _counts(indices: list[int], amounts: list[int]) -> Counts:
    return Counts(np.array(indices, dtype=np.int64), np.array(amounts, dtype=np.int64))


def _is_possible(value: Printed, unit_ns: int) -> bool:
    """Return whether a printed number in this unit can be a latency: at least 0 and below MAX_TIME_NS."""
    return 0 <= value.value * unit_ns < MAX_TIME_NS


def _microsecond_edges(value: Printed) -> tuple[int, int]:
    """Return the edges in ns of a printed number of whole microseconds."""
    at_ns = int(value.value) * NS_PER_US
    return at_ns, at_ns + NS_PER_US


def _text(value: Printed, unit_ns: int) -> str:
    return f"{value.text} {'ms' if unit_ns == NS_PER_MS else 'µs'}"
