"""Searches on fixed counts and times: what is added up in another order gives the same answer."""

import pytest

from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.transactions.plan import COUNT_LIMIT
from tailroom.domain.transactions.plan_search import LargestCount, largest_count, quantile

OBJECTIVE = 0.999
REACHED_AT_NS = 1_000_000


@pytest.mark.parametrize("noise", [0.0, 3e-15, -3e-15])
def test_a_share_that_meets_the_objective_exactly_meets_it(noise: float) -> None:
    """As 71,928 of 72,000 do, whichever group is added first."""

    def within(at: int) -> float:
        return OBJECTIVE + noise if at >= REACHED_AT_NS else 0.5

    found = quantile((within, within), (within, within), 1.0, OBJECTIVE, 1 << 12)
    assert found == TimeBounds(999_936, 1_000_064)

    def by_count(count: int) -> float:
        return OBJECTIVE + noise if count <= 40 else 0.5

    assert largest_count((by_count, by_count), OBJECTIVE, 11) == LargestCount(40, 40)


def test_the_largest_count_may_be_none_or_beyond_every_plan() -> None:
    assert largest_count((lambda _: 0.0, lambda _: 0.0), OBJECTIVE, 11) == LargestCount(0, 0)
    assert largest_count((lambda _: 1.0, lambda _: 1.0), OBJECTIVE, 11) == LargestCount(COUNT_LIMIT, None)
