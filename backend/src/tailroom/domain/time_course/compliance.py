"""Whether the intervals of a run kept a limit one by one: a good average can hide a bad hour.

Shown next to the pooled share. An interval without operations does not count: it neither keeps nor breaks the
limit, and it does not end a run of violations. Source: docs/method.md 1.9.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tailroom.domain.confidence.effective_samples import check_counts
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s


class LimitInvalid(DomainError):
    """A limit of a share outside 0 to 1."""


@dataclass(frozen=True, slots=True)
class Compliance:
    """Which intervals kept a limit; `worst`, `first` and `longest_first` are positions of intervals.

    `empty`: number without operations; if all are, the fields after it are None. `kept_ratio`: share of
    filled intervals within the limit; `worst`: interval with the largest share; `first`: the first violation;
    `longest`: most violations in a row, from `longest_first`. Without violations `longest` is 0, `first` and
    `longest_first` are None.
    """

    intervals: int
    empty: int
    kept_ratio: float | None
    worst: int | None
    worst_ratio: float | None
    first: int | None
    longest: int | None
    longest_first: int | None


def compliance(bad: Int64s, total: Int64s, limit_ratio: float, *, strict: bool = False) -> Compliance:
    """Return which intervals keep `limit_ratio`, the largest allowed share of bad operations.

    `strict`: the share must be below the limit, as in ACT's rules; else it may equal it. Raise LimitInvalid
    for a limit outside 0 to 1, IntervalCountsInvalid unless 0 ≤ bad ≤ total in each.
    """
    bad, total = np.asarray(bad), np.asarray(total)
    check_counts(bad, total)
    if not 0.0 < limit_ratio < 1.0:
        raise LimitInvalid(f"the limit of a share must lie between 0 and 1, not at {limit_ratio}")
    filled = np.flatnonzero(total > 0)
    if not filled.size:
        return Compliance(int(total.size), int(total.size), None, None, None, None, None, None)
    k, n = bad[filled], total[filled]
    broken = _breaks_limit(k, n, limit_ratio, strict=strict)
    worst = int(np.argmax(k / n))
    longest, longest_first = _longest_run(broken)
    violations = np.flatnonzero(broken)
    return Compliance(
        int(total.size),
        int(total.size - filled.size),
        1.0 - violations.size / filled.size,
        int(filled[worst]),
        float(k[worst] / n[worst]),
        int(filled[violations[0]]) if violations.size else None,
        longest,
        int(filled[longest_first]) if longest else None,
    )


def _breaks_limit(
    bad: Int64s, total: Int64s, limit_ratio: float, *, strict: bool
) -> np.typing.NDArray[np.bool_]:
    """Return the mask of counts that break the limit; in exact decimal arithmetic if doubles are too near to
    decide.
    """
    allowed = limit_ratio * total
    broken = bad >= allowed if strict else bad > allowed
    exact = Fraction(str(limit_ratio))
    for at in np.flatnonzero(np.abs(bad - allowed) <= 1e-9 * np.maximum(allowed, 1.0)):
        limit = exact * int(total[at])
        broken[at] = int(bad[at]) >= limit if strict else int(bad[at]) > limit
    return np.asarray(broken, dtype=np.bool_)


def _longest_run(broken: np.typing.NDArray[np.bool_]) -> tuple[int, int]:
    """Return the length and first position of the longest run of violations, the earliest of equal runs; 0
    and 0 if none.
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([False], broken, [False]))))
    if not edges.size:
        return 0, 0
    lengths = edges[1::2] - edges[::2]
    best = int(np.argmax(lengths))
    return int(lengths[best]), int(edges[::2][best])
