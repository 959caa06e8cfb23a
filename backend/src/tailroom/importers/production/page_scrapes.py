"""The scrapes of one histogram of a page, and the states of its counters."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.units import NS_PER_MS, NS_PER_S, count_text
from tailroom.importers.production.counts_per_period import CounterStates, sums_in_ns
from tailroom.importers.production.metrics import Metric
from tailroom.importers.production.native import (
    EXTRAPOLATED,
    EdgesInvalid,
    buckets_of,
    edges_of,
    has_fractions,
)

_TIMES_IN_MS = 1e11
"""Times of this size and over are milliseconds, smaller times are seconds."""
_LATEST_TIME = 1e14
_LATEST_NS = float(1 << 62)
_MOST_SINGLE = 32
"""Most scrapes of a histogram that are objects; more become columns, because a month has 172,800."""
_SMALL_ROWS = 64


@dataclass(slots=True)
class Scrape:
    """A scraped histogram: edges and time as written, counts cumulative, NaN for no `total` or `sum`."""

    edges: list[str] = field(default_factory=list)
    counts: "array[float]" = field(default_factory=lambda: array("d"))
    at: str | None = None
    total: float = float("nan")
    sum: float = float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class Scrapes:
    """Scrapes with the same edges in the file's order, a row each; missing times, totals and sums are NaN."""

    edges: tuple[str, ...]
    counts: Floats
    """Cumulative, by scrapes and edges."""
    at: Floats
    """As written: seconds or milliseconds since 1970."""
    totals: Floats
    """Stated number of operations, by scrape."""
    sums: Floats
    """Sum of the latencies by scrape, in the unit of the metric."""


@dataclass(slots=True)
class PageHistogram:
    """A metric with labels, and its scrapes in the order of the file."""

    metric: str
    labels: str
    """As written, without the edge."""
    line: int
    """Line number of its first bucket."""
    earlier: list[Scrapes] = field(default_factory=list)
    """Scrapes in columns, those before `scrapes`."""
    scrapes: list[Scrape] = field(default_factory=list)
    """Scrapes after those in columns; the last may still grow."""
    created: str | None = None
    """Value of the line `_created`, as written: when the counters began."""
    page: int = -1
    """Number of pages that ended before the last scrape."""

    def begin(self, at: str | None) -> Scrape:
        """Add a new scrape with its time as written, and return it; the previous scrape is complete."""
        if len(self.scrapes) >= _MOST_SINGLE:
            self._move_to_columns()
        scrape = Scrape(at=at)
        self.scrapes.append(scrape)
        return scrape

    def append(self, scrapes: Scrapes, last: Scrape, page: int) -> None:
        """Add the next scrapes, and `last`, to which the next lines may add; `page` is the page of `last`."""
        if scrapes.at.size or len(self.scrapes) >= _MOST_SINGLE:
            self._move_to_columns()
        if scrapes.at.size:
            self._add_columns(scrapes)
        self.scrapes.append(last)
        self.page = page

    def all(self) -> list[Scrapes]:
        """Move all scrapes into columns and return groups of consecutive scrapes with the same edges.

        The last scrape can no longer grow. The list is the histogram's own: clearing it removes the scrapes.
        """
        self._move_to_columns()
        return self.earlier

    def _move_to_columns(self) -> None:
        """Move single scrapes into columns, each group with the same edges."""
        at = 0
        while at < len(self.scrapes):
            edges, end = self.scrapes[at].edges, at + 1
            while end < len(self.scrapes) and self.scrapes[end].edges == edges:
                end += 1
            alike = self.scrapes[at:end]
            times = [float("nan") if scrape.at is None else number_of(scrape.at) for scrape in alike]
            self._add_columns(
                Scrapes(
                    tuple(edges),
                    np.array([scrape.counts for scrape in alike], np.float64),
                    np.array(times, np.float64),
                    np.array([scrape.total for scrape in alike], np.float64),
                    np.array([scrape.sum for scrape in alike], np.float64),
                )
            )
            at = end
        self.scrapes.clear()

    def _add_columns(self, scrapes: Scrapes) -> None:
        """Append a group of scrapes with the same edges; join 64 small groups that have the same edges."""
        self.earlier.append(scrapes)
        few = self.earlier[-_SMALL_ROWS:]
        if len(self.earlier) % _SMALL_ROWS or any(part.edges != scrapes.edges for part in few):
            return
        if sum(part.at.size for part in few) < _SMALL_ROWS * _SMALL_ROWS:
            self.earlier[-_SMALL_ROWS:] = [_join(few)]


def number_of(text: str) -> float:
    """Return the number in a text; NaN for any other text."""
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _epoch_ns(values: Floats) -> Int64s:
    """Return times in ns since 1970, from ms (1e11 and over) or s; 0 for an impossible time."""
    with np.errstate(invalid="ignore"):
        times = np.where((values > 0) & (values < _LATEST_TIME), values, 0.0)
        times_ns = np.rint(times * np.where(times >= _TIMES_IN_MS, float(NS_PER_MS), float(NS_PER_S)))
    return np.where(times_ns < _LATEST_NS, times_ns, 0.0).astype(np.int64)


def states_of(histogram: PageHistogram, metric: Metric) -> CounterStates | None:
    """Return the valid states of a histogram in order of time; None without any.

    Report and leave out invalid states, and states with other edges than the state with the most. The scrapes
    are removed from the histogram to save memory.
    """
    problems, unit_ns = metric.problems, metric.unit.ns
    shown = f"{histogram.metric}{{{histogram.labels[:80]}}}"
    parts = histogram.all()
    usual = max((part.edges for part in parts), key=len)
    try:
        edges = edges_of(usual, unit_ns)
    except EdgesInvalid as error:
        problems.error("edges", f"{shown} was left out: {error}", histogram.line)
        return None
    like = _join([part for part in parts if part.edges == usual])
    others = sum(part.at.size for part in parts) - like.at.size
    parts.clear()
    if others:
        problems.error(
            "scrape",
            f"{shown}: {count_text(others)} scrapes have other buckets and were left out",
            histogram.line,
        )
    counts, is_valid = buckets_of(edges, like.counts)
    at, totals, sums = like.at, like.totals, like.sums
    if not is_valid.all():
        why = EXTRAPOLATED if has_fractions(like.counts) else "its buckets fall, or are no counts"
        problems.error("counts", f"{shown}: {why}; left out", histogram.line)
        counts, at, totals, sums = counts[is_valid], at[is_valid], totals[is_valid], sums[is_valid]
    del like
    if not at.size:
        return None
    bucket_totals = counts.sum(axis=1)
    differ = np.flatnonzero(~np.isnan(totals) & (totals != bucket_totals))
    for row in differ.tolist():
        problems.add(
            "total",
            f"{shown}: its count is {totals[row]:g}, its buckets hold {count_text(int(bucket_totals[row]))}; "
            "the buckets were taken",
            histogram.line,
        )
    # A sum beside a count of another moment would give a mean that was not measured.
    sums[differ] = np.nan
    return _drop_copies(histogram, metric, (_epoch_ns(at), sums), CounterStates(edges.layout, counts))


def states_of_each(histograms: Sequence[PageHistogram], metric: Metric) -> list[CounterStates | None]:
    """Return the states of each histogram of a metric, None for a histogram without a valid state."""
    alike: dict[tuple[str, ...], list[int]] = {}
    for number, histogram in enumerate(histograms):
        if len(histogram.scrapes) == 1 and not histogram.earlier:
            alike.setdefault(tuple(histogram.scrapes[0].edges), []).append(number)
    states: dict[int, CounterStates] = {}
    for edges, numbers in alike.items():
        together = _states_of_single([histograms[number] for number in numbers], edges, metric)
        states |= {number: each for number, each in zip(numbers, together, strict=False) if each is not None}
    return [states.get(number) or states_of(each, metric) for number, each in enumerate(histograms)]


def _states_of_single(
    histograms: Sequence[PageHistogram], texts: tuple[str, ...], metric: Metric
) -> list[CounterStates | None]:
    """Return the state of each histogram; all have a single scrape, with the edges `texts`.

    None for invalid buckets or another total than that of the buckets. An empty list for invalid edges.
    """
    try:
        edges = edges_of(texts, metric.unit.ns)
    except EdgesInvalid:
        return []
    scrapes = [histogram.scrapes[0] for histogram in histograms]
    cumulative = np.array([scrape.counts for scrape in scrapes], np.float64)
    counts, is_valid = buckets_of(edges, cumulative)
    totals = np.array([scrape.total for scrape in scrapes], np.float64)
    is_valid &= np.isnan(totals) | (totals == counts.sum(axis=1))
    sums = np.array([scrape.sum for scrape in scrapes], np.float64)
    has_sum = np.isfinite(sums) & (sums >= 0)
    with np.errstate(invalid="ignore", over="ignore"):
        sums_ns = sums * metric.unit.ns
    at_ns = _times_ns([scrape.at for scrape in scrapes])
    created_ns = _times_ns([histogram.created for histogram in histograms])
    if is_valid.any():
        metric.note_scrapes(1)

    def state(row: int) -> CounterStates:
        only = slice(row, row + 1)
        return CounterStates(
            edges.layout,
            counts[only],
            at_ns[only] if at_ns[row] else None,
            sums_ns[only] if has_sum[row] else None,
            created_ns[only] if created_ns[row] else None,
        )

    return [state(row) if valid else None for row, valid in enumerate(is_valid.tolist())]


def _times_ns(texts: Sequence[str | None]) -> Int64s:
    """Return times as written in nanoseconds since 1970, 0 for a missing or impossible time."""
    numbers = [float("nan") if text is None else number_of(text) for text in texts]
    return _epoch_ns(np.array(numbers, np.float64))


def _join(parts: Sequence[Scrapes]) -> Scrapes:
    if len(parts) == 1:
        return parts[0]
    return Scrapes(
        parts[0].edges,
        np.concatenate([part.counts for part in parts]),
        np.concatenate([part.at for part in parts]),
        np.concatenate([part.totals for part in parts]),
        np.concatenate([part.sums for part in parts]),
    )


def _drop_copies(
    histogram: PageHistogram, metric: Metric, stated: tuple[Int64s, Floats], states: CounterStates
) -> CounterStates:
    """Return the states with times and sums, by time and each time once; if one has no time, in order."""
    (at_ns, sums), counts = stated, states.counts
    if (at_ns == 0).any():
        again = np.flatnonzero((counts[1:] == counts[:-1]).all(axis=1)) + 1
        if again.size and again.size == at_ns.size - 1:
            metric.problems.note("copy", "the same page stands in the file more than once")
            counts, at_ns, sums = counts[:1], at_ns[:1], sums[:1]
    elif at_ns.size > 1 and not (np.diff(at_ns) > 0).all():
        order = np.argsort(at_ns, kind="stable")
        first = order[np.append(True, np.diff(at_ns[order]) > 0)]
        counts, at_ns, sums = counts[first], at_ns[first], sums[first]
    created_ns = int(_times_ns([histogram.created])[0])
    metric.note_scrapes(at_ns.size)
    return CounterStates(
        states.layout,
        counts,
        at_ns if (at_ns > 0).all() else None,
        sums_in_ns(sums, metric.unit.ns),
        np.full(at_ns.size, created_ns, np.int64) if created_ns else None,
    )
