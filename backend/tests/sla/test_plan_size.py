"""How large a plan may be, and how much may be calculated for an answer: every weight costs."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from backend.tests.sla.conftest import sequential

from tailroom.domain.transactions.plan import (
    STAGES_PER_PLAN,
    WEIGHTS_PER_PLAN,
    Plan,
    PlanInvalid,
    RandomCount,
    Stage,
)
from tailroom.domain.transactions.work import WorkExceeded, at_most, spend
from tailroom.kit.limits import QUESTION_POINTS
from tailroom.sla import evaluations


def weighted(number: int) -> RandomCount:
    """A random count with so many possible numbers of operations, all alike."""
    return RandomCount(dict.fromkeys(range(1, number + 1), 1 / number))


def test_the_weights_of_all_stages_count_together() -> None:
    half = weighted(WEIGHTS_PER_PLAN // 2)
    assert Plan((Stage("read", half), Stage("read", half))).largest_count == WEIGHTS_PER_PLAN
    with pytest.raises(PlanInvalid, match="at most 256 possible numbers together, not 257"):
        Plan((Stage("read", half), Stage("read", half), Stage("read", weighted(1))))


def test_stages_are_counted() -> None:
    with pytest.raises(PlanInvalid, match="at most 32 stages, not 33"):
        Plan(tuple(Stage("read", 1) for _ in range(STAGES_PER_PLAN + 1)))


def test_more_calculation_than_one_answer_may_have_is_refused(
    post: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each weight is added up by itself, on records of others as well, so items alone limit nothing."""
    edges = [0, *np.geomspace(50_000, 10**9, 200).astype(np.int64).tolist(), None]
    document = {"layout": {"t": "explicit", "edges_ns": edges}, "counts": [5_000] * (len(edges) - 1)}
    stages = [{"operation": "read", "count": {"weights": {str(n + 1): 1 / 256 for n in range(256)}}}]
    budget = {"document": sequential(plan={"stages": stages})}
    of_sent = {"subject": {"distribution": document}, "budget": budget}
    monkeypatch.setattr(evaluations, "QUESTION_POINTS", QUESTION_POINTS // 100)
    for path, body in {"match": {"budget": budget}, "evaluate": {**of_sent, "detail": "full"}}.items():
        refused = post(path, body, 422)
        assert refused["code"] == "question-too-large", path
        assert "fewer stages or weights" in refused["detail"]


def test_a_plan_of_up_to_four_stages_is_never_refused(
    post: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluations, "QUESTION_POINTS", 1)
    document = {"layout": {"t": "explicit", "edges_ns": [0, 200_000, 1_000_000]}, "counts": [900_000, 90_000]}
    stages = [{"operation": "read", "count": 10}, {"operation": "read", "count": 20, "fan_out": 5}] * 3
    for count, status in ((1, 200), (4, 200), (5, 422)):
        budget = {"document": sequential(plan={"stages": stages[:count]})}
        body = {"subject": {"distribution": document}, "budget": budget}
        for detail in ("display", "full"):
            answer = post("evaluate", {**body, "detail": detail}, status)
            assert answer.get("verdict", answer.get("code")) in {"PASS", "question-too-large"}


def test_work_is_counted_only_where_a_limit_is_set() -> None:
    spend(10**15)
    with at_most(5):
        spend(5)
        with pytest.raises(WorkExceeded):
            spend(1)
    spend(10**15)
