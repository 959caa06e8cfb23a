"""Nodes for a rate of transactions, only where the record passes at its load."""

import math
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from backend.tests.analysis.recording import SeriesSpec, steady
from backend.tests.sla.conftest import documents, every_item, sequential

Json = dict[str, Any]
FAST = [SeriesSpec("read", steady(40_000, 24)), SeriesSpec("write", steady(5_000, 24, seed=7))]


def asked(run_id: UUID, **changes: Any) -> Json:
    return {
        "subject": {"run_id": str(run_id)},
        "budget": {"document": sequential()},
        "target_transactions_per_s": 100.0,
        **changes,
    }


def test_the_arithmetic_is_shown(store: Callable[..., UUID], post: Callable[..., Any]) -> None:
    run_id = store(FAST)
    answer = post("size", asked(run_id))
    assert (answer["verdict"], answer["reads_per_s_per_node"]) == ("PASS", 4_000.0)
    assert answer["transactions_per_s_per_node"] == 16.0
    assert 15.9 < answer["goodput_transactions_per_s"] <= 16.0
    assert answer["nodes"] == 9
    assert answer["parts"] == [
        {
            "name": "reads",
            "nodes": 9,
            "arithmetic": "100 transactions/s × 250 `read` operations ÷ (4,000/s × 0.7) = 8.92857 → 9",
        }
    ]
    assert any("linear scaling" in one for one in answer["assumptions"])


def test_every_demand_counts_and_the_largest_wins(
    store: Callable[..., UUID], post: Callable[..., Any]
) -> None:
    answer = post(
        "size",
        asked(
            store(FAST),
            tolerated_failures=2,
            replication_factor=2,
            writes_per_s=3_500.0,
            data_bytes=30 * 10**12,
            usable_capacity_bytes=4 * 10**12,
            fill_ratio=0.5,
        ),
    )
    parts = {one["name"]: one["nodes"] for one in answer["parts"]}
    # Writes: 3,500 · 2 ÷ (500 · 0.7) = 20, by the rate at which the run wrote.
    assert parts == {"reads": 9, "writes": 20, "data": 30, "copies": 2, "tolerated_failures": 2}
    assert answer["nodes"] == 32


def test_a_published_test_of_a_drive_is_sized_by_its_load(post: Callable[..., Any]) -> None:
    """Where no duration is stated, no reads are counted; the load that the document states is enough."""
    budget = {"document": sequential(100, objective_ratio=0.9)}
    items = documents(every_item(post, {"budget": budget, "kinds": ["drive_test"], "limit": 200}))
    uncounted = [one for one in items if one["subject"]["samples"] is None and one["verdict"] == "PASS"]
    counted = [one for one in items if one["subject"]["samples"] is not None and one["verdict"] == "PASS"]
    for item in (uncounted[0], counted[0]):
        subject = {"publication": item["subject"]["publication"]}
        body = {"subject": subject, "budget": budget, "target_transactions_per_s": 1_000.0}
        answer = post("size", body)
        assert (answer["verdict"], answer["strength"]) == ("PASS", item["strength"])
        multiple = float(item["subject"]["label"].split("ACT ")[1].split("x")[0])
        assert answer["reads_per_s_per_node"] == pytest.approx(2_000.0 * multiple)
        assert answer["nodes"] == math.ceil(1_000.0 * 100 / (2_000.0 * multiple * 0.7))
        per_s = answer["transactions_per_s_per_node"]
        assert 0.9 * per_s <= answer["goodput_transactions_per_s"] <= per_s


def test_a_record_that_does_not_pass_gives_no_number(
    store: Callable[..., UUID], post: Callable[..., Any]
) -> None:
    failing = store([SeriesSpec("read", steady(2_000, 24, 6_000_000))])
    undecided = store([SeriesSpec("read", steady(100, 24))])
    for run_id, word, text in ((failing, "FAIL", "fails"), (undecided, "INDETERMINATE", "is undecided")):
        answer = post("size", asked(run_id))
        assert (answer["nodes"], answer["parts"], answer["verdict"]) == (None, [], word)
        assert answer["reason_text"].startswith(f"No number of nodes: the record {text}: ")
        assert ". A load at which it passes has to be measured first." in answer["reason_text"]
        assert answer["reads_per_s_per_node"] > 0


def test_side_by_side_operations_come_with_a_warning_about_their_tail(
    store: Callable[..., UUID], post: Callable[..., Any]
) -> None:
    plan = {"stages": [{"operation": "read", "count": 250, "fan_out": 250}]}
    answer = post("size", asked(store(FAST), budget={"document": sequential(plan=plan)}))
    assert answer["nodes"] == 9
    assert any("tail" in one for one in answer["assumptions"])


def test_the_scarcest_operation_decides(store: Callable[..., UUID], post: Callable[..., Any]) -> None:
    plan = {"stages": [{"operation": "read", "count": 10}, {"operation": "write", "count": 10}]}
    answer = post("size", asked(store(FAST), budget={"document": sequential(plan=plan)}))
    assert (answer["verdict"], answer["transactions_per_s_per_node"]) == ("PASS", 50.0)
    assert [one["nodes"] for one in answer["parts"]] == [1, 3]
    assert answer["nodes"] == 3


def test_a_distribution_does_not_say_at_which_load_it_was_taken(post: Callable[..., Any]) -> None:
    document = {"layout": {"t": "explicit", "edges_ns": [0, 1_000_000]}, "counts": [10_000_000]}
    answer = post(
        "size",
        {
            "subject": {"distribution": document},
            "budget": {"document": sequential()},
            "target_transactions_per_s": 100.0,
        },
    )
    assert (answer["nodes"], answer["verdict"]) == (None, "PASS")
    assert "load" in answer["reason_text"]


@pytest.mark.parametrize(
    ("changes", "code", "said"),
    [
        ({"target_transactions_per_s": 0.0}, "question-invalid", "target_transactions_per_s"),
        ({"target_transactions_per_s": -1.0}, "question-invalid", "-1"),
        ({"target_transactions_per_s": 1e18}, "question-invalid", "nodes"),
        ({"headroom_ratio": 0.0}, "question-invalid", "headroom_ratio"),
        ({"headroom_ratio": 1.2}, "question-invalid", "1.2"),
        ({"tolerated_failures": -1}, "question-invalid", "tolerated_failures"),
        ({"replication_factor": 0}, "question-invalid", "replication_factor"),
        ({"writes_per_s": -1.0}, "question-invalid", "writes_per_s"),
        ({"writes_per_s_per_node": 5.0}, "question-invalid", "writes_per_s"),
        ({"data_bytes": 5}, "question-invalid", "fill_ratio"),
        ({"data_bytes": -5, "usable_capacity_bytes": 1, "fill_ratio": 0.5}, "question-invalid", "data_bytes"),
        ({"budget": {"name": "act-limits"}}, "question-invalid", "act-limits"),
        ({"target_transactions_per_s": "100"}, "request-invalid", "target_transactions_per_s"),
        ({"tolerated_failures": 0.5}, "request-invalid", "tolerated_failures"),
    ],
)
def test_demands_that_are_none(
    store: Callable[..., UUID], post: Callable[..., Any], changes: Json, code: str, said: str
) -> None:
    refused = post("size", asked(store(FAST[:1]), **changes), 422)
    assert refused["code"] == code
    assert said in str(refused)


def test_what_is_in_time_rests_on_the_evidence_that_decided(
    store: Callable[..., UUID], post: Callable[..., Any]
) -> None:
    """Few reads prove little by the model; 3,600 measured transactions prove 99.9 %."""
    reads = SeriesSpec("read", steady(2_000, 12))
    whole = SeriesSpec("transaction", steady(300, 12, 120_000_000, seed=4), pins=(10**9,))
    plan = {"fraud": {"reads_per_transaction": 250}}
    run_id = store([reads, whole], workload="fraud-transaction", plan=plan)
    answer = post("size", asked(run_id))
    assert answer["verdict"] == "PASS"
    per_s = answer["transactions_per_s_per_node"]
    assert 0.999 * per_s <= answer["goodput_transactions_per_s"] <= per_s
