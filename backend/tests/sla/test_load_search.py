"""The probes of a search for the highest load, judged by its objective, with their bracket."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from backend.tests.analysis.recording import SeriesSpec, steady
from fastapi.testclient import TestClient

from tailroom.domain.rating.load_search import probe_of

OBJECTIVE = "p99 get < 1ms"
FAST, SLOW = 400_000, 2_000_000


@pytest.fixture
def probes(store: Callable[..., UUID]) -> Callable[..., list[UUID]]:
    """Record probes of a search; their latencies are given, None for one that is being measured."""

    def record(search: str, steps: list[tuple[float, int | None]], objective: str = OBJECTIVE) -> list[UUID]:
        runs = []
        for number, (load, latency_ns) in enumerate(steps, 1):
            ladder = {
                "id": search,
                "step": number,
                "kind": "probe",
                "load_per_s": load,
                "objective": objective,
            }
            specs = [SeriesSpec("get", steady(2_000, 6, latency_ns or FAST))]
            runs.append(
                store(specs, ended=latency_ns is not None, plan={"ladder": ladder}, workload="keyvalue")
            )
        return runs

    return record


@pytest.fixture
def read(client: TestClient, headers: dict[str, str]) -> Callable[..., Any]:
    """Reads the search of a run."""

    def get(run_id: UUID, status: int = 200) -> Any:
        answer = client.get(f"/api/v1/sla/load-search/{run_id}", headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    return get


def test_a_search_is_its_probes_with_the_verdict_of_the_objective(
    probes: Callable[..., list[UUID]], read: Callable[..., Any], post: Callable[..., Any]
) -> None:
    runs = probes("s", [(1_000, FAST), (2_000, FAST), (4_000, SLOW), (2_828.5, SLOW), (2_000, FAST)])
    probes("another", [(500, SLOW)])
    searches = [read(run_id) for run_id in runs]
    assert all(search == searches[0] for search in searches)
    search = searches[0]
    assert (search["objective"], search["limit_ns"]) == (OBJECTIVE, 1_000_000)
    assert [UUID(probe["run_id"]) for probe in search["probes"]] == runs
    assert [(probe["load_per_s"], probe["verdict"]) for probe in search["probes"]] == [
        (1_000, "PASS"),
        (2_000, "PASS"),
        (4_000, "FAIL"),
        (2_828.5, "FAIL"),
        (2_000, "PASS"),
    ]
    assert (search["passed_per_s"], search["failed_per_s"], search["is_whole"]) == (2_000, 2_828.5, True)
    first = search["probes"][0]
    assert FAST <= first["quantile_lower_ns"] <= first["quantile_upper_ns"] < search["limit_ns"]
    asked = {"subject": {"run_id": str(runs[0])}, "budget": {"objective": OBJECTIVE}}
    assert post("evaluate", asked)["words"] == first["words"]


def test_a_probe_that_is_measured_has_no_verdict(
    probes: Callable[..., list[UUID]], read: Callable[..., Any]
) -> None:
    runs = probes("s", [(1_000, FAST), (2_000, None)])
    search = read(runs[1])
    assert [probe["verdict"] for probe in search["probes"]] == ["PASS", None]
    assert (search["passed_per_s"], search["failed_per_s"], search["may_change"]) == (1_000, None, True)


def test_a_load_that_failed_once_holds_nothing_above_it(
    probes: Callable[..., list[UUID]], read: Callable[..., Any]
) -> None:
    runs = probes("s", [(1_000, FAST), (2_000, SLOW), (4_000, FAST), (1_000, SLOW)])
    search = read(runs[0])
    assert (search["passed_per_s"], search["failed_per_s"]) == (None, 1_000)


def test_strangers_see_published_probes_alone(
    probes: Callable[..., list[UUID]], client: TestClient, make_token: Callable[..., str]
) -> None:
    runs = probes("s", [(1_000, FAST), (2_000, SLOW)])
    stranger = {"Authorization": f"Bearer {make_token('viewer', owner='strangers')}"}
    assert client.get(f"/api/v1/sla/load-search/{runs[0]}", headers=stranger).status_code == 404
    owner = {"Authorization": f"Bearer {make_token('engineer')}"}
    assert client.post(f"/api/v1/runs/{runs[1]}/publish", headers=owner).status_code == 200
    search = client.get(f"/api/v1/sla/load-search/{runs[1]}", headers=stranger).json()
    assert [probe["load_per_s"] for probe in search["probes"]] == [2_000]
    assert (search["passed_per_s"], search["failed_per_s"], search["is_whole"]) == (None, 2_000, False)


def test_a_run_by_itself_is_no_probe(store: Callable[..., UUID], read: Callable[..., Any]) -> None:
    run_id = store([SeriesSpec("get", steady(2_000, 6, FAST))], workload="keyvalue")
    assert read(run_id, 404)["code"] == "run-outside-search"


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "raise"},
        {"id": ""},
        {"step": 0},
        {"step": True},
        {"load_per_s": 0},
        {"load_per_s": float("inf")},
        {"load_per_s": "1"},
        {"objective": None},
        {"objective": "x" * 301},
    ],
)
def test_what_is_no_probe_is_none(change: dict[str, Any]) -> None:
    ladder = {"id": "s", "step": 1, "kind": "probe", "load_per_s": 10.0, "objective": OBJECTIVE}
    assert probe_of({"ladder": ladder}) is not None
    assert probe_of({"ladder": ladder | change}) is None


def test_searches_are_compared_with_the_first(
    probes: Callable[..., list[UUID]], client: TestClient, headers: dict[str, str], store: Callable[..., UUID]
) -> None:
    base = probes("base", [(4_000, FAST), (8_000, SLOW)])
    lower = probes("lower", [(1_000, FAST), (2_000, SLOW)])
    over = probes("over", [(4_000, FAST), (16_000, SLOW)])
    other = probes("other", [(1_000, FAST)], objective="p90 get < 1ms")
    alone = store([SeriesSpec("get", steady(2_000, 6, FAST))], workload="keyvalue")
    named = [base[0], lower[1], over[0], other[0], alone]
    answer = client.get(
        "/api/v1/sla/load-searches", params={"run": [str(run_id) for run_id in named]}, headers=headers
    )
    assert answer.status_code == 200, answer.text
    first, second, third, fourth, last = answer.json()["searches"]
    assert (first["passed_per_s"], first["failed_per_s"], first["effect"]) == (4_000, 8_000, None)
    assert (second["effect"], second["effect_text"]) == (
        "lower",
        "the bracket lies wholly below the baseline's: less load holds",
    )
    assert (third["effect"], fourth["effect"], last) == ("not shown", None, None)
    assert fourth["effect_text"] == "the base is about “p99 get < 1ms”"
