"""Detect contradictory figures in a document of `tailroom inspect`.

A damaged file may yield wrong values, but never a share outside 0 to 1, or a 99th percentile below the 95th.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

_SLACK = 1e-9
"""Tolerance for floating-point sums."""
_Ends = tuple[float, float]


def contradictions(document: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each contradiction."""
    if not document.get("readable"):
        return []
    return [
        sentence
        for run in (document, *document.get("further_runs", ()))
        for sentence in (*_of_run(run), *(each for series in run["series"] for each in _of_series(series)))
    ]


def _of_run(run: Mapping[str, Any]) -> Iterator[str]:
    duration_s = run.get("duration_s")
    if duration_s is not None and not 0 <= duration_s < math.inf:
        yield f"the run lasted {duration_s} s"
    for claim in run.get("claims", ()):
        if not claim["lower"] <= claim["upper"]:
            yield f"{claim['quantity']} of {claim['operation']} is {claim['lower']} to {claim['upper']}"


def _of_series(series: Mapping[str, Any]) -> Iterator[str]:
    name = f"{series['operation']} ({series['clock']})"
    counts = [series["count"], *series["misses"].values()]
    if any(count is not None and count < 0 for count in counts):
        yield f"{name} counts {counts}"
    percentiles = [_ends(ends) for _, ends in sorted(series["quantiles"].items(), key=_share)]
    yield from (f"{name}, percentiles: {words}" for words in _falls(percentiles))
    least, mean, most = (_ends(series.get(f"{moment}_bounds_us")) for moment in ("min", "mean", "max"))
    for words, low, high in (("smallest over mean", least, mean), ("mean over largest", mean, most)):
        if low[0] > high[1] * (1 + _SLACK) + _SLACK or low[0] > low[1] or high[0] > high[1]:
            yield f"{name}: {words}: {low}, {high}"
    yield from (f"{name}, shares: {words}" for words in _of_shares(series["exceedance"]))


def _of_shares(limits: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    of_runs = [limit["whole"] for limit in limits if limit["whole"] is not None]
    parts = [part for limit in limits for part in limit["slices"]]
    parts += [limit[key] for limit in limits for key in ("rest", "worst", "rolling_worst") if limit[key]]
    for share in (*of_runs, *parts):
        lower, upper = share["lower_ratio"], share["upper_ratio"]
        if lower is None or upper is None:
            continue
        if not -_SLACK <= lower <= upper + _SLACK <= 1 + 2 * _SLACK:
            yield f"a share is {lower} to {upper}"
    shares = [(-share["upper_ratio"], -share["lower_ratio"]) for share in of_runs]
    yield from _falls(shares)
    for limit in limits:
        count = None if limit["whole"] is None else limit["whole"]["count"]
        # An interval across a slice boundary may count in both slices, but never twice in the same slice.
        most = max((part["count"] for part in limit["slices"]), default=0)
        if count is not None and most > count:
            yield f"a slice counts {most} of {count}"


def _falls(ends: Sequence[_Ends]) -> Iterator[str]:
    """Yield pairs whose lower bound exceeds the upper bound, and pairs below their predecessor."""
    for lower, upper in ends:
        if not lower <= upper + _SLACK:
            yield f"{lower} to {upper}"
    for before, after in pairwise(ends):
        if before[0] > after[0] + _SLACK or before[1] > after[1] + _SLACK:
            yield f"{after} follows {before}"


def _share(quantile: tuple[str, Any]) -> float:
    return float(quantile[0])


def _ends(ends: Mapping[str, float | None] | None) -> _Ends:
    """Return the lower and upper bound; an unknown value is unbounded."""
    if ends is None:
        return 0.0, math.inf
    lower, upper = ends["lower_us"], ends["upper_us"]
    return lower or 0.0, math.inf if upper is None else upper
