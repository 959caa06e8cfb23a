"""How little less has to be asked: what is offered passes, what asks a step more does not."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from backend.tests.analysis.recording import SeriesSpec, steady
from backend.tests.sla.conftest import sequential

MS = 1_000_000


def limits(**ratios: float) -> dict[str, Any]:
    """Limits on slow reads: `_1=0.05` is less than 5 % over 1 ms."""
    return {
        "kind": "exceedance",
        "name": "my-limits",
        "version": 1,
        "operation": "read",
        "limits": [{"threshold_ns": int(at[1:]) * MS, "ratio": ratio} for at, ratio in ratios.items()],
    }


@pytest.fixture
def relax(post: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    def ask(run_id: UUID, document: dict[str, Any]) -> dict[str, Any]:
        body = {"subject": {"run_id": str(run_id)}, "budget": {"document": document}}
        found = post("relax", body)["relaxations"]
        for one in found:
            again = post("evaluate", body | {"budget": {"document": one["document"]}})
            assert again["verdict"] == "PASS", one
        return {one["kind"]: one for one in found}

    return ask


@pytest.fixture
def word(post: Callable[..., Any]) -> Callable[..., str]:
    def ask(run_id: UUID, document: dict[str, Any]) -> str:
        body = {"subject": {"run_id": str(run_id)}, "budget": {"document": document}}
        return str(post("evaluate", body)["verdict"])

    return ask


def test_too_slow_passes_with_more_time_or_fewer_reads_and_not_with_a_step_less(
    store: Callable[..., UUID], relax: Callable[..., Any], word: Callable[..., str]
) -> None:
    run_id = store([SeriesSpec("read", steady(40_000, 24, 6_000_000))])
    asked = sequential(reads=250)
    found = relax(run_id, asked)
    assert word(run_id, asked) == "FAIL"
    assert set(found) == {"window", "count"}
    window_ns = found["window"]["document"]["window_ns"]
    assert 1_500 * MS <= window_ns <= 1_700 * MS
    assert word(run_id, sequential(reads=250, window_ns=window_ns - 100 * MS)) != "PASS"
    count = found["count"]["document"]["plan"]["stages"][0]["count"]
    assert 150 <= count < 170
    assert word(run_id, sequential(reads=count + (1 if count < 100 else 10))) != "PASS"
    assert found["count"]["text"] == f"{count} reads instead"


def test_too_few_reads_pass_with_a_lower_share(
    store: Callable[..., UUID], relax: Callable[..., Any], word: Callable[..., str]
) -> None:
    run_id = store([SeriesSpec("read", steady(1_000, 24))])
    asked = sequential(reads=250, objective_ratio=0.999)
    assert word(run_id, asked) == "INDETERMINATE"
    objective = relax(run_id, asked)["objective"]["document"]["objective_ratio"]
    assert 0.9 <= objective < 0.999
    assert relax(run_id, sequential(reads=250, objective_ratio=objective)) == {}


def test_limits_that_are_broken_are_loosened_and_no_others(
    store: Callable[..., UUID], relax: Callable[..., Any]
) -> None:
    latencies = np.repeat(np.array([400_000, 2_000_000, 10_000_000]), [3_000, 400, 1])
    run_id = store([SeriesSpec("read", [latencies] * 24)])
    relaxed = relax(run_id, limits(_1=0.05, _8=0.01, _64=0.001))["limits"]
    assert [one["ratio"] for one in relaxed["document"]["limits"]] == [0.2, 0.01, 0.001]
    assert relaxed["text"] == "limits of 20 % over 1 ms"


def test_nothing_is_offered_where_it_passes_or_where_nothing_helps(
    store: Callable[..., UUID], relax: Callable[..., Any]
) -> None:
    passing = store([SeriesSpec("read", steady(40_000, 24))])
    assert relax(passing, sequential()) == {}
    tiny = store([SeriesSpec("read", steady(1, 2))])
    assert relax(tiny, sequential(reads=1)) == {}
