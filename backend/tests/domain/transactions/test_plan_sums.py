"""Sums on long grids: transforms up to a low frequency give the shares of transforms of the whole grid."""

import numpy as np
import pytest

from tailroom.domain.latency.bounds import Floats
from tailroom.domain.transactions import plan_sums
from tailroom.domain.transactions.group_distributions import GroupDistributions, Masses
from tailroom.domain.transactions.plan_sums import FULL_BINS, PlanSums
from tailroom.domain.transactions.plan_terms import Term, TermDistributions

LEVEL = 27
STEP_NS = (1 << LEVEL) / FULL_BINS
RNG = np.random.default_rng(7)


def steps_of(*parts: tuple[Floats, float]) -> tuple[Floats, Floats]:
    """Return ascending latencies in steps of the grid and their shares, of parts with a share each."""
    steps = np.concatenate([part for part, _ in parts])
    ratio = np.concatenate([np.full(part.size, share / part.size) for part, share in parts])
    order = np.argsort(steps)
    return steps[order], ratio[order]


DISTRIBUTIONS = {
    "a body and a late tail": steps_of(
        (RNG.normal(300.0, 60.0, 1_000), 0.99), (RNG.uniform(400.0, 50_000.0, 30), 0.01)
    ),
    "wide": steps_of((RNG.normal(1_700.0, 400.0, 1_000), 1.0)),
    "narrow": steps_of((RNG.normal(300.0, 4.0, 100), 1.0)),
    "two latencies": steps_of((np.array([200.0, 263.0]), 1.0)),
    "spaced evenly": steps_of((np.arange(100.0, 700.0, 127.0), 1.0)),
    # The modulus has a peak at every twentieth frequency, which every 64th misses.
    "two bodies": steps_of((RNG.normal(150.0, 23.0, 500), 0.287), (RNG.normal(13_257.0, 23.0, 500), 0.713)),
}


def sums_of(name: str) -> PlanSums:
    """Return the sums of a single group with the distribution of this name."""
    steps, ratio = DISTRIBUTIONS[name]
    masses = Masses(1, np.zeros(steps.size, np.int64), steps * STEP_NS, ratio)
    return PlanSums(TermDistributions({"read": GroupDistributions(masses, masses, masses)}), 1, FULL_BINS)


def shares(name: str, terms: tuple[Term, ...]) -> list[float]:
    """Return the shares of sums within nine times, on the late side and then on the early side."""
    sums = sums_of(name)
    return [
        float(sums.share(side, terms, (LEVEL, (1 << LEVEL) * part // 10), np.ones(1, np.bool_))[0])
        for side in ("late", "early")
        for part in range(1, 10)
    ]


@pytest.mark.parametrize("name", DISTRIBUTIONS)
@pytest.mark.parametrize("count", [250, 60, 12])
def test_low_transforms_equal_those_of_the_whole_grid(
    name: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    terms = (Term("read", 1, 1, count), Term("read", 10, 1, 3), Term("read", 1, 10, 20))
    low = shares(name, terms)
    monkeypatch.setattr(plan_sums, "_LOW_RATIO", FULL_BINS)
    assert low == pytest.approx(shares(name, terms), abs=1e-11)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
@pytest.mark.parametrize("count", [250, 60, 12])
def test_no_frequency_that_matters_is_left_out(
    name: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    term, rows = Term("read", 1, 1, count), slice(0, 1)
    low = sums_of(name)._power_of_term("late", term, LEVEL, rows).frequency
    monkeypatch.setattr(plan_sums, "_LOW_RATIO", FULL_BINS)
    of_grid = sums_of(name)._power_of_term("late", term, LEVEL, rows).frequency
    assert low.tolist() == of_grid.tolist()


def test_a_wide_distribution_needs_no_transform_of_the_whole_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_sums, "_transform_of", None)
    terms = (Term("read", 1, 1, 100), Term("read", 10, 1, 10))
    assert shares("a body and a late tail", terms)[-1] > 0.5


def test_a_curve_is_the_same_whether_shares_of_its_sums_were_read_before() -> None:
    """Reading caches running sums where most frequencies matter, which a curve then adds up."""
    terms, at, every = (Term("read", 1, 1, 2),), (LEVEL, 1 << (LEVEL - 1)), np.ones(1, np.bool_)
    new, read = sums_of("two latencies"), sums_of("two latencies")
    share = read.share("late", terms, at, every)
    assert any(isinstance(part, np.ndarray) for part in read._sums.values())
    curves = [sums.curve("late", terms, LEVEL, np.ones(1)) for sums in (new, read)]
    assert curves[1] == pytest.approx(curves[0], abs=1e-11)
    assert curves[1][FULL_BINS // 2] == pytest.approx(float(share[0]), abs=1e-11)
