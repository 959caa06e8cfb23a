"""Merge records with unknown numbers of operations.

For any weights, `F(t) = Σ wᵢ Fᵢ(t)` is between the smallest lower and the largest upper bound of the parts,
and the mean between the bounds of theirs. Source: docs/method.md 5.1, merge rule.
"""

from collections.abc import Sequence

import numpy as np

from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.record import LatencyRecord

_MOST_TIMES = 1_000


def unweighted(parts: Sequence[LatencyRecord]) -> KnotsRecord:
    """Return a record whose bounds hold for the parts mixed by any weights.

    Its number of operations is unknown, so it has no misses of its own: those of the parts only lower its
    shares. Its mean is unknown if that of any part is. Of more than 1,000 edges, 1,000 are used, evenly
    selected: fewer edges give wider bounds, never wrong bounds. Raise ValueError without parts,
    `DistributionEmpty` for a part without operations.
    """
    edges = np.unique(np.concatenate([part.edges_ns() for part in parts]))
    chosen = np.linspace(0, max(0, edges.size - 1), min(edges.size, _MOST_TIMES)).astype(np.int64)
    times: list[int] = edges[chosen].tolist()
    knots = []
    for time_ns in times:
        bounds = [part.cdf_bounds(time_ns) for part in parts]
        knots.append((time_ns, min(least for least, _ in bounds), max(most for _, most in bounds)))
    means = [part.mean_ns for part in parts]
    stated = [mean for mean in means if mean is not None]
    mean = (
        (min(low for low, _ in stated), max(high for _, high in stated))
        if len(stated) == len(means)
        else None
    )
    return KnotsRecord(tuple(knots), None, mean)
