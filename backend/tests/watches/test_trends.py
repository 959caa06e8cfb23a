"""Changes of level in histories of runs: false alarms are counted, and what should be found is."""

from uuid import UUID

import numpy as np

from tailroom.domain.comparison.history import FEWEST_RUNS
from tailroom.runs.facts import facts_changed
from tailroom.watches.trends import steps_of

HISTORIES, RUNS = 400, 40


def history(rng: np.random.Generator, step: float = 1.0) -> list[tuple[UUID, float]]:
    """p99 of equal runs that differ by 3 %; from the middle on by a step."""
    values = 1e6 * np.exp(rng.normal(0.0, 0.03, RUNS))
    values[RUNS // 2 :] *= step
    return [(UUID(int=number), float(value)) for number, value in enumerate(values)]


def test_false_alarms_are_rare_and_steps_are_found() -> None:
    rng = np.random.default_rng(1)
    alarms = sum(bool(steps_of("latency_p99_ns", history(rng))[0]) for _ in range(HISTORIES))
    assert alarms <= 0.05 * HISTORIES
    found = [steps_of("latency_p99_ns", history(rng, 1.1))[0] for _ in range(HISTORIES)]
    near = sum(any(abs(one.run_id.int - RUNS // 2) <= 2 for one in steps) for steps in found)
    assert near >= 0.95 * HISTORIES


def test_few_runs_say_why_nothing_is_told() -> None:
    steps, reason = steps_of("latency_p99_ns", [(UUID(int=number), 1.0) for number in range(FEWEST_RUNS - 1)])
    assert not steps
    assert reason is not None
    assert "too few" in reason


def test_facts_that_come_go_or_change_are_named() -> None:
    before = {"host.os.kernel": "6.1", "tool.version": "1"}
    after = {"host.os.kernel": "6.2", "plan.threads": "4"}
    assert facts_changed(before, after) == [
        ("host.os.kernel", "6.1", "6.2"),
        ("plan.threads", "", "4"),
        ("tool.version", "1", ""),
    ]
