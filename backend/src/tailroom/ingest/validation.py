"""Rules of docs/contracts/wire.md about more than one field, each checked for all intervals at once."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.histogram import totals_of
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.ingest.wire import SeriesDefinition
from tailroom.kit.errors import LocatedProblem
from tailroom.kit.limits import HISTOGRAM_BYTES
from tailroom.records.columns import Bools, Columns, Int64s


def check_series(definitions: Sequence[SeriesDefinition]) -> list[LocatedProblem]:
    """Return the broken rules of series definitions, each with the number of its series; may be empty."""
    problems: list[LocatedProblem] = []
    for definition in definitions:

        def add_problem(field: str, reason: str, number: int = definition.series_no) -> None:
            """Add a problem of this definition."""
            problems.append(LocatedProblem(series=number, field=field, reason=reason))

        if definition.kind == "tick" and definition.layout is not None:
            add_problem("layout", "a tick series has no histograms; its layout must be null")
        if definition.kind == "histogram" and definition.layout is None:
            add_problem("layout", "a histogram series must say its bucket layout")
        pins = definition.pin_thresholds_ns
        if any(after <= before for before, after in pairwise(pins)):
            add_problem("pin_thresholds_ns", f"the thresholds {pins} are not ascending")
        if definition.target_rate_per_s is not None and not math.isfinite(definition.target_rate_per_s):
            add_problem("target_rate_per_s", f"{definition.target_rate_per_s} is not a finite number")
    return problems


def check_intervals(columns: Columns) -> list[LocatedProblem]:
    """Return the broken rules of intervals that do not depend on the definition of their series. They concern
    extremes and sums, the load generator, exact counts at thresholds, and histograms. Empty if none is
    broken.
    """
    problems = _Problems(columns)
    count, total = columns.count, columns.sum_ns
    low, high = columns.min_ns, columns.max_ns
    empty = count == 0
    for field, values in (("min_ns", low), ("max_ns", high)):
        problems.add(empty & (values != UNKNOWN), field, lambda _: "must be null where count is 0")
        problems.add(~empty & (values == UNKNOWN), field, lambda i: f"is null although count is {count[i]}")
    problems.add(empty & (total != 0), "sum_ns", lambda i: f"is {total[i]} although count is 0")
    has_bounds = ~empty & (low != UNKNOWN) & (high != UNKNOWN)
    problems.add(
        has_bounds & (low > high), "max_ns", lambda i: f"max_ns {high[i]} is less than min_ns {low[i]}"
    )
    # min ≤ sum / count ≤ max without overflow: min ≤ floor(sum / count) and ceil(sum / count) ≤ max.
    divisor = np.maximum(count, 1)
    floor = total // divisor
    ceiling = floor + (total % divisor > 0)
    problems.add(
        has_bounds & (floor < low),
        "sum_ns",
        lambda i: f"the mean {total[i]} / {count[i]} is less than min_ns {low[i]}",
    )
    problems.add(
        has_bounds & (ceiling > high),
        "sum_ns",
        lambda i: f"the mean {total[i]} / {count[i]} is greater than max_ns {high[i]}",
    )
    _check_conditions(columns, problems)
    _check_pins(columns, problems)
    _check_histograms(columns, problems)
    return problems.located


def check_against_series(
    columns: Columns, definitions: Mapping[int, SeriesDefinition]
) -> list[LocatedProblem]:
    """Return the broken rules of intervals that involve the definition of their series; may be empty. An
    undefined series is one problem, at its first interval.
    """
    problems = _Problems(columns)
    has_histogram = np.fromiter((h is not None for h in columns.histogram), np.bool_, len(columns))
    pin_count = np.fromiter(map(len, columns.pins), np.int64, len(columns))
    expected = np.zeros(len(columns), dtype=np.int64)
    for number in np.unique(columns.series).tolist():
        here = columns.series == number
        definition = definitions.get(number)
        if definition is None:
            first = np.zeros_like(here)
            first[np.flatnonzero(here)[0]] = True
            problems.add(
                first, "series", lambda _: "this series is not defined, neither before nor in this batch"
            )
            continue
        expected[here] = len(definition.pin_thresholds_ns)
        problems.add(
            here & (pin_count != expected),
            "pins",
            lambda i: f"{pin_count[i]} pins, but the series has {expected[i]} thresholds",
        )
        if definition.kind == "tick":
            problems.add(here & has_histogram, "histogram", lambda _: "a tick series takes no histogram")
        else:
            problems.add(
                here & ~has_histogram & (columns.count > 0),
                "histogram",
                lambda i: f"is null although count is {columns.count[i]}",
            )
    return problems.located


class _Problems:
    """Collector of broken rules, each located by series and sequence number."""

    def __init__(self, columns: Columns) -> None:
        """Create an empty collector for these intervals; `located` has the problems added later."""
        self._columns = columns
        self.located: list[LocatedProblem] = []

    def add(self, broken: Bools, field: str, reason: Callable[[int], str]) -> None:
        """Add a problem for every interval where the mask `broken` is true; `reason` gets its position."""
        if not broken.any():
            return
        for position in np.flatnonzero(broken).tolist():
            self.add_one(position, field, reason(position))

    def add_one(self, position: int, field: str, reason: str) -> None:
        """Add a problem of the interval at this position."""
        self.located.append(
            LocatedProblem(
                series=int(self._columns.series[position]),
                seq=int(self._columns.seq[position]),
                field=field,
                reason=reason,
            )
        )


def _check_conditions(columns: Columns, problems: _Problems) -> None:
    """Add problems for a p99 of lateness over its maximum, or an age of the oldest of no operations in
    flight. Processor time is not checked: it may be longer than the interval, because the two clocks are not
    read at the same instant.
    """
    late, latest = columns.lateness_p99_ns, columns.lateness_max_ns
    problems.add(
        late > latest,
        "lateness_p99_ns",
        lambda i: f"lateness_p99_ns {late[i]} is greater than lateness_max_ns {latest[i]}",
    )
    oldest = columns.oldest_in_flight_ns
    problems.add(
        (columns.in_flight == 0) & (oldest > 0),
        "oldest_in_flight_ns",
        lambda i: f"is {oldest[i]} although in_flight is 0",
    )


def _check_pins(columns: Columns, problems: _Problems) -> None:
    """Add problems if exact counts (pins) rise over ascending thresholds, or exceed the interval's count."""
    lengths = np.fromiter(map(len, columns.pins), np.int64, len(columns))
    width = int(lengths.max(initial=0))
    if width == 0:
        return
    padded = np.array([[*pins, *[0] * (width - len(pins))] for pins in columns.pins], dtype=np.int64)
    rising = padded[:, 1:] > padded[:, :-1]
    for position, later in zip(*np.nonzero(rising), strict=True):
        problems.add_one(
            int(position),
            "pins",
            f"pins[{later + 1}] = {padded[position, later + 1]} is greater than pins[{later}] ="
            f" {padded[position, later]}; counts over rising thresholds cannot rise",
        )
    problems.add(
        padded[:, 0] > columns.count,
        "pins",
        lambda i: f"pins[0] = {padded[i, 0]} is greater than count {columns.count[i]}",
    )


def _check_histograms(columns: Columns, problems: _Problems) -> None:
    """Add problems if a histogram is too large, cannot be read, or holds another count than its interval."""
    positions = [i for i, payload in enumerate(columns.histogram) if payload is not None]
    for i in [i for i in positions if len(columns.histogram[i] or b"") > HISTOGRAM_BYTES]:
        problems.add_one(i, "histogram", f"is larger than {HISTOGRAM_BYTES} bytes")
        positions.remove(i)
    if not positions:
        return
    payloads = [columns.histogram[i] or b"" for i in positions]
    layout = HdrLayout(unit_ns=1000, significant_digits=3)
    try:
        totals = totals_of(payloads, layout)
    except DomainError:
        totals = _totals_one_by_one(payloads, positions, layout, problems)
    counts = columns.count[positions]
    for k in np.flatnonzero((totals != counts) & (totals >= 0)).tolist():
        problems.add_one(
            positions[k], "histogram", f"the histogram holds {totals[k]} values but count is {counts[k]}"
        )


def _totals_one_by_one(
    payloads: Sequence[bytes], positions: Sequence[int], layout: HdrLayout, problems: _Problems
) -> Int64s:
    """Return the number of values of each histogram; −1, with a problem, for one that cannot be read."""
    totals = np.full(len(payloads), -1, dtype=np.int64)
    for k, payload in enumerate(payloads):
        try:
            totals[k] = totals_of([payload], layout)[0]
        except DomainError as error:
            problems.add_one(positions[k], "histogram", str(error).replace("histogram 0 of the batch", "it"))
    return totals
