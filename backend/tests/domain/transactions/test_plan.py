"""Which plans there can be."""

from typing import Any

import pytest

from tailroom.domain.transactions.plan import (
    COUNT_LIMIT,
    OperationNotMeasured,
    Plan,
    PlanInvalid,
    RandomCount,
    Scheduling,
    Stage,
    default_scheduling,
)
from tailroom.domain.transactions.plan_terms import CountsTooMany, certain_counts


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"operation": "", "count": 1}, "name of an operation"),
        ({"operation": "read", "count": 0}, "1 to"),
        ({"operation": "read", "count": -3}, "not -3"),
        ({"operation": "read", "count": 2.5}, "not 2.5"),
        ({"operation": "read", "count": True}, "not True"),
        ({"operation": "read", "count": float("nan")}, "not nan"),
        ({"operation": "read", "count": COUNT_LIMIT + 1}, "1 to"),
        ({"operation": "read", "count": 5, "fan_out": 0, "scheduling": "pool"}, "fan-out of at least 1"),
        ({"operation": "read", "count": 5, "fan_out": 2}, "sequential stage has a fan-out of 1"),
        ({"operation": "read", "count": 5, "fan_out": 2, "scheduling": "parallel"}, "in waves or by a pool"),
        ({"operation": "read", "count": 5, "scheduling": "random"}, "none of sequential, parallel"),
        ({"operation": "read", "count": 5, "overhead_ns": -1}, "from 0 on, not -1"),
        ({"operation": "read", "count": 5, "overhead_ns": 1.5}, "from 0 on, not 1.5"),
        ({"operation": "read", "count": RandomCount({5: 1.0}), "fan_out": 2, "scheduling": "pool"}, "pool"),
    ],
)
def test_stages_that_cannot_be(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanInvalid, match=words):
        Stage(**arguments)


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ({}, "at least one"),
        ({0: 1.0}, "1 to"),
        ({1: 0.5, 2: 0.4}, "not to 1"),
        ({1: 1.5, 2: -0.5}, "outside 0 to 1"),
        ({1: float("nan")}, "nan"),
    ],
)
def test_random_counts_that_cannot_be(weights: dict[int, float], words: str) -> None:
    with pytest.raises(PlanInvalid, match=words):
        RandomCount(weights)


@pytest.mark.parametrize(
    ("fan_out", "scheduling"),
    [(1, Scheduling.SEQUENTIAL), (2, Scheduling.POOL), (9, Scheduling.POOL), (10, Scheduling.PARALLEL)],
)
def test_the_scheduling_of_a_stage_that_states_a_fan_out_alone(fan_out: int, scheduling: Scheduling) -> None:
    assert default_scheduling(fan_out, 10) is scheduling


def test_a_plan_needs_stages_and_measured_operations() -> None:
    with pytest.raises(PlanInvalid, match="at least one stage"):
        Plan(())
    plan = Plan((Stage("read", 3), Stage("batch-25", 2), Stage("read", 1)))
    assert plan.operations == ("read", "batch-25")
    with pytest.raises(OperationNotMeasured, match="'batch-25' was not measured"):
        plan.check_measured({"read": None})
    with pytest.raises(PlanInvalid, match="3 stages"):
        plan.with_count(5)


@pytest.mark.parametrize(
    ("stage", "effective", "depth"),
    [
        (Stage("read", 250), Scheduling.SEQUENTIAL, 250),
        (Stage("read", 250, 1, Scheduling.POOL), Scheduling.SEQUENTIAL, 250),
        (Stage("read", 250, 250, Scheduling.WAVES), Scheduling.PARALLEL, 1),
        (Stage("read", 250, 300, Scheduling.POOL), Scheduling.PARALLEL, 1),
        (Stage("read", 250, 10, Scheduling.POOL), Scheduling.POOL, 25),
        (Stage("read", 251, 10, Scheduling.WAVES), Scheduling.WAVES, 26),
        (Stage("read", 250, 1, Scheduling.PARALLEL), Scheduling.PARALLEL, 1),
        (Stage("read", RandomCount({1: 0.5, 30: 0.5}), 10, Scheduling.WAVES), Scheduling.WAVES, 3),
    ],
)
def test_degenerate_scheduling(stage: Stage, effective: Scheduling, depth: int) -> None:
    assert (stage.effective, stage.depth) == (effective, depth)


def test_another_count_keeps_everything_else() -> None:
    stage = Stage("read", 250, 10, Scheduling.WAVES, 7)
    assert Plan((stage,)).with_count(3) == Plan((Stage("read", 3, 10, Scheduling.WAVES, 7),))
    assert Plan((Stage("read", 2, 5, Scheduling.PARALLEL),)).with_count(9).depth == 1
    assert RandomCount({3: 0.25, 1: 0.75}).mean == pytest.approx(1.5)
    assert RandomCount({3: 0.0, 1: 1.0}).largest == 1


def test_random_counts_are_added_up_in_up_to_256_combinations() -> None:
    stage = Stage("read", RandomCount({1: 0.5, 2: 0.25, 3: 0.25}))
    two = Stage("read", RandomCount({1: 0.5, 2: 0.5}))
    combinations = list(certain_counts(Plan((two,) * 8)))
    assert len(combinations) == 256
    assert sum(weight for _, weight in combinations) == pytest.approx(1.0)
    with pytest.raises(CountsTooMany):
        list(certain_counts(Plan((*[two] * 7, stage))))
