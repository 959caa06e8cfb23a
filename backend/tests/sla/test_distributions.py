"""Distributions that are sent along: any layout, and nothing that breaks a rule becomes a number."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from backend.tests.sla.conftest import sequential
from fastapi.testclient import TestClient

Json = dict[str, Any]
MS = 1_000_000
ACT = {
    "op": "read",
    "clock": "device",
    "layout": {"t": "explicit", "edges_ns": [0, MS, 8 * MS, 64 * MS, None]},
    "counts": [95_000_000, 4_000_000, 900_000, 100_000],
}


def of(document: Any, budget: Json | None = None, **subject: Any) -> Json:
    return {"subject": {"distribution": document, **subject}, "budget": {"document": budget or sequential()}}


def test_a_drive_at_the_act_limits_guarantees_only_77_9_per_cent(post: Callable[..., Any]) -> None:
    answer = post("evaluate", of(ACT))
    assert answer["verdict"] == "INDETERMINATE"
    assert answer["reason"] == "resolution"
    assert answer["p_lower"] == pytest.approx(0.7787, abs=5e-4)
    assert answer["p_upper"] == pytest.approx(1.0, abs=1e-3)
    assert answer["subject"]["source"] == "distribution"
    assert (answer["subject"]["operation"], answer["subject"]["clock"]) == ("read", "service")
    assert answer["subject"]["samples"] == 100_000_000
    assert answer["models"]["interval_mixture"] is None


def test_one_series_stands_for_whatever_is_asked(post: Callable[..., Any]) -> None:
    plan = {"stages": [{"operation": "get", "count": 250}]}
    answer = post("evaluate", of(ACT, sequential(plan=plan)))
    assert answer["p_lower"] == pytest.approx(0.7787, abs=5e-4)
    assert answer["subject"]["operation"] == "read"


def test_of_several_series_each_keeps_its_name(post: Callable[..., Any]) -> None:
    fast = {**ACT, "op": "write", "counts": [100_000_000, 0, 0, 0]}
    document = {"series": [ACT, fast]}
    assert post("evaluate", of(document))["p_lower"] == pytest.approx(0.7787, abs=5e-4)
    chosen = post("evaluate", of(document, operation="write"))
    assert chosen["p_lower"] == pytest.approx(1.0, abs=1e-3)
    refused = post("evaluate", of(document, operation="scan"), 422)
    assert "read, write" in refused["detail"]


def test_pieces_in_a_document_are_mixed(post: Callable[..., Any]) -> None:
    edges = [0, MS, 5 * MS, 6 * MS]
    piece = [
        {
            "start_ns": i * 10**10,
            "duration_ns": 10**10,
            "counts": [0, 0, 20_000] if i == 9 else [20_000, 0, 0],
        }
        for i in range(10)
    ]
    document = {
        "layout": {"t": "explicit", "edges_ns": edges},
        "counts": [180_000, 0, 20_000],
        "intervals": piece,
    }
    answer = post("evaluate", of(document))
    mixture = answer["models"]["interval_mixture"]
    assert mixture["p_upper"] == pytest.approx(0.9, abs=1e-3)
    assert mixture["piece_count"] == 10
    assert answer["subject"]["measured_ns"] == 10**11


def test_published_percentiles_prove_nothing_by_themselves(post: Callable[..., Any]) -> None:
    document = {
        "layout": {"t": "knots"},
        "mean_ns": 70_930,
        "percentiles": [[0.95, 129_000], [0.99, 160_000]],
    }
    answer = post("evaluate", of(document))
    assert answer["verdict"] == "INDETERMINATE"
    assert answer["p_lower"] < 0.99
    assert answer["subject"]["samples"] is None


@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        {"layout": {}},
        {"layout": {"t": "hdr"}, "counts": "HISTF"},
        {"layout": {"t": "explicit", "edges_ns": [5, 1]}, "counts": [1]},
        {"layout": {"t": "explicit", "edges_ns": [0, 1]}, "counts": [-1]},
        {"layout": {"t": "explicit", "edges_ns": [0, 1]}, "counts": [1.5]},
        {"layout": {"t": "explicit", "edges_ns": [0, 1]}, "counts": [10**30]},
        {"layout": {"t": "explicit", "edges_ns": [0, 10**30]}, "counts": [1]},
        {"layout": {"t": "pow2", "unit_ns": 0}, "counts": [1]},
        {"layout": {"t": "pow2", "unit_ns": 1000}, "counts": {"4000000000": 1}},
        {"layout": {"t": "hdr", "unit_ns": 1000, "sig": 3}, "counts": {"99999999999": 1}},
        {"layout": {"t": "hdr", "unit_ns": 1000, "sig": 99}, "counts": [1]},
        {"layout": {"t": "explicit", "edges_ns": [0, MS]}, "counts": [5], "sum_ns": 10**9},
        {"layout": {"t": "explicit", "edges_ns": [0, MS]}, "counts": [5], "pins": [[10, 6]]},
        {"layout": {"t": "explicit", "edges_ns": [0, MS]}, "counts": [5], "wish": 1},
        {"layout": {"t": "explicit", "edges_ns": [0, MS]}, "counts": [5], "clock": "wall"},
        {"percentiles": [[0.99, 5], [0.9, 10]], "layout": {"t": "knots"}},
        {"layout": {"t": "explicit", "edges_ns": [0, MS]}, "counts": [5], "op": "a\ud800"},
        {"layout": {"t": "explicit", "edges_ns": [0, MS]}, "counts": [5], "source": "a\x00"},
        {"layout": {"t": "explicit", "edges_ns": [0, MS]}, "counts": [5], "misses": {"errors": -1}},
        {"series": []},
        {"series": [ACT] * 65},
        {"series": [1, 2]},
    ],
)
def test_documents_that_break_a_rule_are_refused(
    client: TestClient, headers: dict[str, str], document: Any
) -> None:
    answer = client.post(
        "/api/v1/sla/evaluate",
        content=json.dumps(of(document)),
        headers={**headers, "Content-Type": "application/json"},
    )
    assert answer.status_code == 422, answer.text
    assert answer.json()["code"] in ("subject-invalid", "request-invalid")
    assert len(answer.json()["detail"]) > 20


def test_random_junk_never_breaks_anything(client: TestClient, headers: dict[str, str]) -> None:
    rng = np.random.default_rng(11)
    values: list[Any] = [
        0,
        -1,
        1.5,
        10**18,
        "x",
        None,
        True,
        [],
        {},
        [[1, 2]],
        {"1": 2},
        [0, 5, None],
        "HISTF",
    ]
    keys = [
        "layout",
        "counts",
        "shares",
        "percentiles",
        "knots",
        "n",
        "sum_ns",
        "min_ns",
        "max_ns",
        "mean_ns",
    ]
    keys += ["pins", "misses", "rounding", "op", "clock", "intervals", "v", "parts", "series"]
    for _ in range(50):
        document: Json = {
            str(key): values[int(rng.integers(len(values)))]
            for key in rng.choice(keys, int(rng.integers(1, 6)), replace=False)
        }
        if rng.random() < 0.7:
            document["layout"] = {
                "t": str(rng.choice(["hdr", "pow2", "explicit", "knots"])),
                str(rng.choice(["unit_ns", "sig", "edges_ns"])): values[int(rng.integers(len(values)))],
            }
        answer = client.post("/api/v1/sla/evaluate", json=of(document), headers=headers)
        assert answer.status_code in (200, 422), (document, answer.text)
