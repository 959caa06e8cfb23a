"""How far chance could have moved the mixture over pieces: what is taken off its bounds before they decide.

Two things are samples. The *operations* of the record are: what that costs is known for the pooled law
(simultaneous limits at edges, on effective samples), and the same amount is taken off the mixture. The
*pieces* are: another hour could have held other regimes. What that costs is calculated twice: as a limit of
the mean share of late transactions over effectively independent pieces, on the scale of the worst piece seen
(Clopper–Pearson with fractional counts), and by the block bootstrap where there are at least 20 blocks. The
widest of the three counts; `docs/adr/0010` has the reasons and the simulations.
Source: METHOD.md sections 1.5, 2.3, 2.5.
"""

from dataclasses import dataclass

import numpy as np

from tailroom.domain.confidence.bootstrap import BootstrapInterval, bootstrap_ratio
from tailroom.domain.confidence.effective_samples import autocorrelation_time
from tailroom.domain.confidence.shares import ERROR_ONE_SIDED, share_lower, share_upper
from tailroom.domain.latency.bounds import Floats
from tailroom.domain.transactions.interval_mixture import MixtureResult
from tailroom.domain.verdicts.verdict import Ends

_FEWEST_PIECES_FOR_TAU = 20
_SMALLEST = 1e-9
_FOLLOWING = 1.5
"""From this autocorrelation time on, slow pieces are taken to follow each other."""


@dataclass(frozen=True, slots=True)
class MixtureConfidence:
    """One-sided 95 % limits of the mixture, and what they rest on."""

    ends: Ends
    effective_pieces: float
    costs: dict[str, float]
    """What each way of calculating takes off the lower end: operations, pieces, blocks."""
    bootstrap: BootstrapInterval

    @property
    def widest(self) -> str:
        """What costs most at the lower end."""
        return max(self.costs, key=lambda name: self.costs[name])


def mixture_confidence(
    mixture: MixtureResult,
    at_window: tuple[float, float],
    pooled: tuple[float, float],
    pooled_confident: Ends,
    *,
    replications: int,
) -> MixtureConfidence:
    """Limits of Σ w P from its ends; `pooled` are the ends of the pooled law before sampling error."""
    weights = mixture.weights
    late_most, late_least = 1.0 - np.minimum(mixture.lower, 1.0), 1.0 - np.minimum(mixture.upper, 1.0)
    lower = bootstrap_ratio(
        weights * mixture.lower, weights, error=2.0 * ERROR_ONE_SIDED, replications=replications
    )
    pieces = _effective_pieces(1.0 - mixture.estimate, weights, lower.mean_block)
    upper = lower
    if lower.upper is not None and not np.array_equal(mixture.lower, mixture.upper):
        upper = bootstrap_ratio(
            weights * mixture.upper, weights, error=2.0 * ERROR_ONE_SIDED, replications=replications
        )
    off_lower = {
        "operations": max(0.0, pooled[0] - pooled_confident.lower),
        "pieces": _pieces_cost(late_most, weights, pieces, upwards=True),
        "blocks": 0.0 if lower.lower is None else max(0.0, lower.estimate - lower.lower),
    }
    off_upper = (
        max(0.0, pooled_confident.upper - pooled[1]),
        _pieces_cost(late_least, weights, pieces, upwards=False),
        0.0 if upper.upper is None else max(0.0, upper.upper - upper.estimate),
    )
    ends = Ends(max(0.0, at_window[0] - max(off_lower.values())), min(1.0, at_window[1] + max(off_upper)))
    return MixtureConfidence(ends, pieces, off_lower, lower)


def _effective_pieces(late: Floats, weights: Floats, block: int) -> float:
    """Independent pieces of equal weight that the pieces are worth; no more than blocks if they follow on.

    A single short episode says little of how long episodes last, so the block length is a floor for it.
    """
    count = 1.0 / float(weights @ weights)
    if late.size < _FEWEST_PIECES_FOR_TAU:
        return count
    tau = max(1.0, autocorrelation_time(late))
    return max(1.0, count / (max(tau, float(block)) if tau > _FOLLOWING else tau))


def _pieces_cost(late: Floats, weights: Floats, pieces: float, *, upwards: bool) -> float:
    """Distance of the confidence limit of the mean late share from the mean itself."""
    scale = float(late.max(initial=0.0))
    if scale <= _SMALLEST or float(late.min()) >= scale - _SMALLEST:
        return 0.0
    mean = float(weights @ late)
    counted = min(pieces, pieces * mean / scale)
    if upwards:
        return max(0.0, min(1.0, scale * share_upper(counted, pieces)) - mean)
    return max(0.0, mean - scale * share_lower(counted, pieces))
