"""Questions about any operation: the record's own where one fits, a question back where several do."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from backend.tests.analysis.recording import SeriesSpec, steady
from backend.tests.sla.conftest import sequential
from fastapi.testclient import TestClient

Json = dict[str, Any]
OWN = {
    "document": sequential(plan={"stages": [{"operation": "operation", "count": 10}]}, objective_ratio=0.9)
}


def specs(*names: str) -> list[SeriesSpec]:
    """Series of some operations, each with its own number of them."""
    return [SeriesSpec(name, steady(2_000 + 100 * place, 12)) for place, name in enumerate(names)]


@pytest.mark.parametrize(
    ("names", "picked", "samples"),
    [
        (("read", "write"), "read", 24_000),
        (("set", "get"), "read", 25_200),
        (("write",), "write", 24_000),
        (("update", "transaction"), "update", 24_000),
        (("all",), "all", 24_000),
        (("query",), "query", 24_000),
    ],
)
def test_the_runs_own_operation_answers(
    store: Callable[..., UUID], post: Callable[..., Any], names: tuple[str, ...], picked: str, samples: int
) -> None:
    run_id = store(specs(*names))
    for budget in (OWN, {"objective": "p99 < 5ms"}):
        answer = post("evaluate", {"subject": {"run_id": str(run_id)}, "budget": budget})
        assert answer["verdict"] == "PASS"
        assert (answer["subject"]["operation"], answer["subject"]["samples"]) == (picked, samples)
        assert answer["operations"] == []
        items = post("match", {"budget": budget, "published": False})["items"]
        assert [one["verdict"] for one in items] == ["PASS"]


def test_where_several_fit_the_answer_asks_which(
    store: Callable[..., UUID], post: Callable[..., Any]
) -> None:
    run_id = store(specs("set", "delete"))
    for budget in (OWN, {"objective": "p99 < 5ms"}):
        for detail in ("display", "full"):
            body = {"subject": {"run_id": str(run_id)}, "budget": budget, "detail": detail}
            answer = post("evaluate", body)
            assert (answer["verdict"], answer["reason"]) == ("INDETERMINATE", "metadata")
            assert answer["operations"] == ["delete", "set"]
            assert "`delete`, `set`" in answer["reason_text"]
            assert "nothing measured" not in answer["headline"]["text"]
        (item,) = post("match", {"budget": budget, "published": False})["items"]
        assert (item["group"], item["operations"]) == ("undecided", ["delete", "set"])
        for operation in ("set", "delete"):
            subject = {"run_id": str(run_id), "operation": operation}
            chosen = post("evaluate", {"subject": subject, "budget": budget})
            assert (chosen["verdict"], chosen["subject"]["operation"]) == ("PASS", operation)


@pytest.mark.parametrize("operation", ["get", "set", "read"])
def test_an_objective_names_its_operation(
    store: Callable[..., UUID], post: Callable[..., Any], operation: str
) -> None:
    """A read goes by that name, and by the one that the run has for it."""
    run_id = store(specs("set", "get"))
    budget = {"objective": f"p99 {operation} < 5ms"}
    answer = post("evaluate", {"subject": {"run_id": str(run_id)}, "budget": budget})
    assert answer["verdict"] == "PASS"
    assert answer["subject"]["samples"] == (24_000 if operation == "set" else 25_200)


def test_a_document_with_several_series_is_asked_about_too(post: Callable[..., Any]) -> None:
    layout = {"t": "explicit", "edges_ns": [0, 1_000_000]}
    series = [{"op": name, "layout": layout, "counts": [5_000]} for name in ("insert", "scan")]
    body: Json = {"subject": {"distribution": {"v": 1, "series": series}}, "budget": OWN}
    assert post("evaluate", body)["operations"] == ["insert", "scan"]
    body["subject"]["operation"] = "scan"
    assert post("evaluate", body)["verdict"] == "PASS"


def test_a_wrong_objective_is_refused_with_the_place(post: Callable[..., Any]) -> None:
    body = {"subject": {"run_id": str(UUID(int=1))}, "budget": {"objective": "p99 get < 10"}}
    refused = post("evaluate", body, 422)
    assert refused["code"] == "budget-invalid"
    assert "'10' (character 11)" in refused["detail"]
    body["budget"] = {"objective": "p99 < 1ms", "name": "act-limits"}
    assert post("evaluate", body, 422)["code"] == "request-invalid"


def test_a_question_that_a_run_was_judged_by_has_the_stored_answer(
    store: Callable[..., UUID], post: Callable[..., Any], client: TestClient, headers: dict[str, str]
) -> None:
    """Also asked by another name, or about its own operation: the figures are those of the run's page."""
    run_id = store([SeriesSpec("read", steady(40_000, 24))], judged=True)
    verdicts = client.get(f"/api/v1/runs/{run_id}", headers=headers).json()["verdicts"]
    stored = next(one for one in verdicts if one["budget"]["name"] == "fraud-250-sequential")
    plan = {"stages": [{"operation": "operation", "count": 250}]}
    for document in (sequential(name="mine", title="Mine"), sequential(plan=plan)):
        answer = post("evaluate", {"subject": {"run_id": str(run_id)}, "budget": {"document": document}})
        assert answer["detail"] == "full"
        for name in ("verdict", "strength", "observed", "proven", "reason_text", "headline"):
            assert answer[name] == stored[name], name
        for name in (
            "p_lower",
            "p_upper",
            "quantile_lower_ns",
            "n_guaranteed",
            "room_upper_ns",
            "models",
            "cdf",
        ):
            assert answer[name] == stored["transaction"][name], name
    other = {"document": sequential(window_ns=999_000_000)}
    assert post("evaluate", {"subject": {"run_id": str(run_id)}, "budget": other})["detail"] == "display"
