"""Several records as one where nobody knows how many operations each has.

Whatever the weights, `F(t) = Σ wᵢ Fᵢ(t)` lies between the smallest lower and the largest upper end of the
parts, and the mean between theirs. Source: docs/method.md 5.1, merge rule.
"""

from collections.abc import Sequence

import numpy as np

from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.record import LatencyRecord

_MOST_TIMES = 1_000


def unweighted(parts: Sequence[LatencyRecord]) -> KnotsRecord:
    """What holds of every one of the parts, of an unknown number of operations.

    Of buckets at most a thousand edges are kept: fewer statements are wider, never wrong.
    """
    edges = np.unique(np.concatenate([part.edges_ns() for part in parts]))
    chosen = np.linspace(0, max(0, edges.size - 1), min(edges.size, _MOST_TIMES)).astype(np.int64)
    times: list[int] = edges[chosen].tolist()
    knots = []
    for time_ns in times:
        ends = [part.cdf_bounds(time_ns) for part in parts]
        knots.append((time_ns, min(least for least, _ in ends), max(most for _, most in ends)))
    means = [part.mean_ns for part in parts]
    known = [mean for mean in means if mean is not None]
    mean = (
        (min(low for low, _ in known), max(high for _, high in known)) if len(known) == len(means) else None
    )
    return KnotsRecord(tuple(knots), None, mean)
