"""Many records at once say what each says alone, to the last digit."""

import numpy as np
import pytest

from tailroom.domain.latency.bounds import LatencyBounds
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.transactions.composition import transaction_within
from tailroom.domain.transactions.many import least_within, most_within
from tailroom.domain.transactions.plan import Plan, RandomCount, Scheduling, Stage

BINS = 1 << 12
MS = 1_000_000


def records(count: int) -> list[LatencyBounds]:
    """Shares at a few or many thresholds, some with an open end, some with nothing beyond the last."""
    rng = np.random.default_rng(20_261_121)
    found = []
    for number in range(count):
        size = int(rng.integers(1, 20))
        times = np.unique((MS * rng.uniform(0.02, 1_200.0, size)).astype(np.int64))
        if number % 3 == 0:
            times = np.array([MS, 8 * MS, 64 * MS])
        lower = np.sort(1.0 - 10.0 ** -rng.uniform(0.1, 5.0, times.size))
        upper = np.minimum(1.0, lower + 10.0 ** -rng.uniform(1.0, 6.0, times.size))
        if number % 4 == 0:
            lower[-1] = upper[-1] = 1.0
        upper = np.maximum.accumulate(upper)
        knots = tuple(zip(times.tolist(), lower.tolist(), upper.tolist(), strict=True))
        found.append(KnotsRecord(knots).bounds())
    return found


@pytest.mark.parametrize(
    "stage",
    [
        Stage("read", 1),
        Stage("read", 7),
        Stage("read", 250),
        Stage("read", 250, fan_out=10, scheduling=Scheduling.WAVES),
        Stage("read", 33, fan_out=5, scheduling=Scheduling.WAVES, overhead_ns=3 * MS),
        Stage("read", 20, fan_out=20, scheduling=Scheduling.WAVES),
        Stage("read", 250, scheduling=Scheduling.PARALLEL),
        Stage("read", RandomCount({3: 0.5, 40: 0.5})),
    ],
    ids=lambda stage: f"{stage.scheduling} {stage.count} {stage.fan_out}",
)
@pytest.mark.parametrize("window_ns", [1_000 * MS, 600 * MS, 100 * MS + 7, 3 * MS])
def test_the_numbers_are_those_of_one_record_alone(stage: Stage, window_ns: int) -> None:
    plan, laws = Plan((stage,)), records(40)
    alone = [transaction_within(plan, {"read": law}, window_ns, BINS) for law in laws]
    assert least_within(plan, laws, window_ns, BINS) == [one[0] for one in alone]
    assert most_within(plan, laws, window_ns, BINS) == [one[2] for one in alone]


def test_latencies_known_to_the_point_and_several_stages() -> None:
    laws = [LatencyBounds.from_points([MS, 5.0 * MS], [1.0 - slow, slow]) for slow in (0.0, 0.01, 0.4)]
    for plan in (Plan((Stage("read", 12),)), Plan((Stage("read", 5), Stage("write", 3)))):
        alone = [transaction_within(plan, dict.fromkeys(plan.operations, law), 30 * MS, BINS) for law in laws]
        assert least_within(plan, laws, 30 * MS, BINS) == [one[0] for one in alone]
        assert most_within(plan, laws, 30 * MS, BINS) == [one[2] for one in alone]


def test_nothing_is_asked_of_nobody() -> None:
    plan = Plan((Stage("read", 250),))
    assert least_within(plan, [], MS, BINS) == most_within(plan, [], MS, BINS) == []
