"""Production's load beside records of the laboratory: carried, not carried, or not shown."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from backend.tests.analysis.recording import SeriesSpec, steady
from backend.tests.sla.conftest import sequential

from tailroom.domain.units import NS_PER_S

Json = dict[str, Any]
MS = 1_000_000
READS = {"objective": "90% read < 8ms"}


def at_rate(per_s: int, *, slow: bool = False) -> SeriesSpec:
    """Return 30 s of reads at a rate, of 1 or of 20 ms."""
    seconds = [np.full(per_s, (20 if slow else 1) * MS) for _ in range(30)]
    return SeriesSpec("read", seconds, interval_ns=NS_PER_S)


@pytest.fixture
def production(store: Callable[..., UUID]) -> UUID:
    """Stores a run of production: 100 requests a second, and 400 in one second."""
    seconds = [np.full(400 if at == 12 else 100, 30 * MS) for at in range(30)]
    return store(
        [SeriesSpec("request", seconds, clock="operation", interval_ns=NS_PER_S)], plan={"tool": "prometheus"}
    )


def asked(counted: UUID, *subjects: str, **changes: Any) -> Json:
    return {
        "production": {"run_id": str(counted)},
        "subjects": list(subjects),
        "budget": READS,
        **changes,
    }


def test_the_busiest_second_decides_by_verdict_and_load(
    store: Callable[..., UUID], post: Callable[..., Any], production: UUID
) -> None:
    passing, failing = store([at_rate(500)]), store([at_rate(300, slow=True)])
    answer = post("carry", asked(production, f"run:{passing}", f"run:{failing}"))
    assert answer["load"]["busiest_per_s"] == 400.0
    assert answer["load"]["mean_per_s"] == pytest.approx(110.0)
    assert answer["load"]["busiest_start_ns"] == 12 * 10**9
    assert (answer["operations_per_request"], answer["needed_per_s"]) == (1.0, 400.0)
    assert [row["carried"] for row in answer["subjects"]] == ["yes", "no"]
    assert answer["subjects"][0]["text"] == "It passes at 500/s; 400/s were needed."
    assert [test["verdict"] for row in answer["subjects"] for test in row["tests"]] == ["PASS", "FAIL"]


def test_a_request_may_be_several_operations(
    store: Callable[..., UUID], post: Callable[..., Any], production: UUID
) -> None:
    name = f"run:{store([at_rate(1_500)])}"
    for per_request, carried in ((3.0, "yes"), (4.0, "not_shown")):
        answer = post("carry", asked(production, name, operations_per_request=per_request))
        assert answer["needed_per_s"] == 400.0 * per_request
        assert answer["subjects"][0]["carried"] == carried
    transactions = {"document": sequential(250)}
    assert post("carry", asked(production, name, budget=transactions))["operations_per_request"] == 250.0


def test_a_drive_answers_by_all_of_its_tested_loads(post: Callable[..., Any], production: UUID) -> None:
    answer = post("carry", asked(production, "drive:samsung-sm1715", "drive:intel-dc-s3700"))
    for row in answer["subjects"]:
        assert row["tests"]
        assert row["carried"] in {test["carried"] for test in row["tests"]} | {"not_shown"}
    assert [row["label"] for row in answer["subjects"]] == ["Samsung SM1715", "Intel DC S3700"]
    loads = [test["measured_per_s"] for test in answer["subjects"][0]["tests"]]
    assert all(load and load % 2_000.0 == 0.0 for load in loads)


def test_a_load_without_times_or_of_several_operations_is_refused_with_what_to_send(
    store: Callable[..., UUID], post: Callable[..., Any], production: UUID
) -> None:
    name = f"run:{store([at_rate(500)])}"
    several = store([SeriesSpec("pay", steady(100, 4)), SeriesSpec("browse", steady(100, 4, seed=3))])
    refused = post("carry", asked(several, name), 422)
    assert "browse, pay" in refused["detail"]
    chosen = asked(several, name, production={"run_id": str(several), "operation": "browse"})
    assert post("carry", chosen)["production"]["operation"] == "browse"
    published = asked(
        several, name, production={"publication": "publication:kioxia-cd8p-ycsb-2025#test1-r1/CD6-R"}
    )
    assert "stored run" in post("carry", published, 422)["detail"]
    post("carry", asked(production, "nothing"), 422)
    post("carry", asked(production, "drive:nothing"), 404)
