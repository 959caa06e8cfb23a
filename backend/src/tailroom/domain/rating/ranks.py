"""Ranges of ranks that ratings allow: from the best to the worst possible rank. best = 1 + rows whose lower
end reaches this row's upper end; worst = 1 + rows whose upper end lies above this row's lower end. Rows with
the same interval are tied. A tie is broken only by the share of slow reads at the highest load at which all
of them were tested, and only if Newcombe's interval of the difference excludes 0 and the difference is large
enough (docs/method.md 2.6, 6.6). Shares without the number of reads behind them break no tie.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from tailroom.domain.confidence.shares import SMALLEST_POINTS_RATIO, SMALLEST_RELATIVE_RATIO
from tailroom.domain.latency.bounds import Bools, Floats, Int64s

_ERROR = 0.05
"""Chance of error of each interval of a share."""


@dataclass(frozen=True, slots=True)
class RankRanges:
    """Best and worst possible rank of each row, from 1 on."""

    best: Int64s
    worst: Int64s


def rank_ranges(passed: Floats, failed: Floats) -> RankRanges:
    """Return best and worst rank by ratings `[passed, failed)`, 0 and infinity without such a load."""
    size = passed.size
    best = 1 + size - np.searchsorted(np.sort(passed), failed, side="left")
    # A row's own upper end always lies above its own lower end; it is no rival of itself.
    worst = size - np.searchsorted(np.sort(failed), passed, side="right")
    return RankRanges(best.astype(np.int64), np.maximum(worst, 1).astype(np.int64))


@dataclass(frozen=True, slots=True)
class CountedShares:
    """For each row of a ranking, at one load: bounds of the number of reads slower than the limit, and the
    number of all reads; NaN without counts. They are divided by the row's design effect (variance compared
    with independent reads), so that they count independent reads.
    """

    over_lower: Floats
    over_upper: Floats
    total: Floats


def proven_lower(shares: CountedShares) -> Bools:
    """Return a matrix of rows by rows: whether the slow share of the row is proven lower than that of the
    column, and by enough to matter (docs/method.md 2.6). False if either has no counts.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        low_p, low_l, _ = _wilson(shares.over_lower, shares.total)
        high_p, _, high_u = _wilson(shares.over_upper, shares.total)
        # Row at its upper end against column at its lower end: the difference nearest to 0.
        difference = low_p[None, :] - high_p[:, None]
        certain = difference - np.hypot((low_p - low_l)[None, :], (high_u - high_p)[:, None])
        larger = (shares.over_upper / shares.total)[None, :]
        matters = (difference >= SMALLEST_POINTS_RATIO * (1 - 1e-9)) | (
            difference >= SMALLEST_RELATIVE_RATIO * larger * (1 - 1e-9)
        )
        return (certain > 0.0) & (difference > 0.0) & matters


def broken_ties(ranks: RankRanges, members: Int64s, lower: Bools) -> None:
    """Change the ranks of tied rows in place. Each proven order adds 1 to the best rank of the row with the
    larger share and takes 1 from the worst rank of the other. `members` are the positions of the tied rows,
    and `lower` is `proven_lower` of these rows.
    """
    ranks.best[members] += lower.sum(axis=0)
    ranks.worst[members] -= lower.sum(axis=1)


def _wilson(over: Floats, total: Floats) -> tuple[Floats, Floats, Floats]:
    """Return shares and Wilson's lower and upper limits (docs/method.md 2.1), NaN for rows without counts."""
    z = float(ndtri(1.0 - _ERROR / 2.0))
    share = over / total
    centre = (share + z * z / (2.0 * total)) / (1.0 + z * z / total)
    half = z / (1.0 + z * z / total) * np.sqrt(share * (1.0 - share) / total + z * z / (4.0 * total**2))
    return share, np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
