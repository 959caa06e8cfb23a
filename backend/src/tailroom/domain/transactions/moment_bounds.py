"""Bounds of a plan's share in time by Bernstein's inequality, with latencies cut off at fixed ceilings.

They need no grid and hold for any number of operations. Source: docs/method.md sections 1.1 and 1.4.
"""

from dataclasses import dataclass, field

import numpy as np

from tailroom.domain.latency.bounds import Floats
from tailroom.domain.transactions.group_distributions import CEILINGS_NS, power_of_shares
from tailroom.domain.transactions.plan import Stage
from tailroom.domain.transactions.plan_terms import TermDistributions, TermSum

_LARGEST_EXPONENT = 700.0
"""Largest negative exponent; beyond it `exp` would be denormal."""

Moments = tuple[Floats, Floats, Floats]
"""Mean (ns), variance (ns²) and largest distance from the mean (ns) of a sum: ceilings by groups."""


@dataclass(eq=False)
class MomentBounds:
    """Bounds of the share of sums of terms within a time, as arrays with an entry for each of `groups` groups
    of slices. The moments of a sum are computed once and cached.
    """

    terms: TermDistributions
    groups: int
    _below_ceilings: dict[TermSum, tuple[int, Floats, Moments]] = field(default_factory=dict)
    _capped: dict[TermSum, Moments] = field(default_factory=dict)

    def lower(self, terms: TermSum, net_ns: int) -> Floats:
        """Return a lower bound of each group's share of sums within `net_ns`; 0 if all ceilings are later."""
        first, share_below, (mean, variance, above) = self._moments_below(terms)
        usable = int(np.searchsorted(CEILINGS_NS, net_ns, side="right")) - first
        if usable <= 0 or not share_below.size:
            return np.zeros(self.groups)
        chance = _bernstein_chance(net_ns - mean[:usable], variance[:usable], above[:usable])
        best: Floats = (share_below[:usable] * (1.0 - chance)).max(axis=0)
        return best

    def lower_of_pool(self, stage: Stage, net_ns: int) -> Floats:
        """Return a lower bound of the share of a pool stage that ends within `net_ns`, by group; 0 below the
        least ceiling. By Graham k workers end within t if no operation exceeds c and all add up to at most `k
        t − (k − 1) c`.
        """
        usable = net_ns >= CEILINGS_NS
        if not usable.any():
            return np.zeros(self.groups)
        share_below, mean, variance, above = (
            table[usable] for table in self.terms.distributions[stage.operation].late.moments
        )
        count, workers = stage.largest_count, min(stage.fan_out, stage.largest_count)
        work_ns = (workers * net_ns - (workers - 1) * CEILINGS_NS[usable])[:, None]
        all_below = power_of_shares(share_below, 1.0 - share_below, count)
        chance = _bernstein_chance(work_ns - count * mean, count * variance, above)
        best: Floats = (all_below * (1.0 - chance)).max(axis=0)
        return best

    def upper(self, terms: TermSum, net_ns: int) -> Floats:
        """Return an upper bound of each group's share of sums within `net_ns`; 1 if moments give none."""
        mean, variance, under = self._capped_moments(terms)
        best: Floats = _bernstein_chance(mean - net_ns, variance, under).min(axis=0)
        return best

    def _moments_below(self, terms: TermSum) -> tuple[int, Floats, Moments]:
        """Return the position of the first useful ceiling, the chance that all operations lie below each
        ceiling from there on, and the moments of their sum if they do. Arrays are ceilings by groups; cached.
        """
        if terms not in self._below_ceilings:
            distributions = [self.terms.of("late", term) for term in terms]
            first = max(masses.ceiling_range[0] for masses in distributions)
            last = max(masses.ceiling_range[1] for masses in distributions)
            shape = (max(0, last + 1 - first), self.groups)
            share, mean, variance, above = np.ones(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape)
            for term, masses in zip(terms, distributions, strict=True):
                of_share, of_mean, of_variance, of_above = (
                    table[first : last + 1] for table in masses.moments
                )
                share *= power_of_shares(of_share, 1.0 - of_share, term.count)
                mean += term.count * of_mean
                variance += term.count * of_variance
                np.maximum(above, of_above, out=above)
            self._below_ceilings[terms] = first, share, (mean, variance, above)
        return self._below_ceilings[terms]

    def _capped_moments(self, terms: TermSum) -> Moments:
        """Return mean and variance of the sum, and the largest mean of a term, with latencies over a ceiling
        replaced by it: ceilings by groups, from the first to the last ceiling that any term needs; cached.
        """
        if terms not in self._capped:
            distributions = [self.terms.of("early", term) for term in terms]
            first = min(masses.capped_ceiling_range[0] for masses in distributions)
            last = max(masses.capped_ceiling_range[1] for masses in distributions)
            shape = (last + 1 - first, self.groups)
            mean, variance, under = np.zeros(shape), np.zeros(shape), np.zeros(shape)
            for term, masses in zip(terms, distributions, strict=True):
                of_mean, of_variance = (table[first : last + 1] for table in masses.capped_moments)
                mean += term.count * of_mean
                variance += term.count * of_variance
                np.maximum(under, of_mean, out=under)
            self._capped[terms] = mean, variance, under
        return self._capped[terms]


def _bernstein_chance(distance: Floats, variance: Floats, furthest: Floats) -> Floats:
    """Return Bernstein's upper bound of the chance that a sum lies `distance` (ns) or more to one side of its
    mean, if no operation is more than `furthest` (ns) to that side of its own mean; 1 unless `distance` is
    over 0.
    """
    spread = 2.0 * (variance + furthest * np.maximum(distance, 0.0) / 3.0)
    with np.errstate(over="ignore"):
        exponent = np.divide(distance**2, spread, out=np.full_like(distance, np.inf), where=spread > 0.0)
    chance: Floats = np.where(distance > 0.0, np.exp(-np.minimum(exponent, _LARGEST_EXPONENT)), 1.0)
    return chance
