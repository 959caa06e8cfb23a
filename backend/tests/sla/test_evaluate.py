"""Does one record keep one budget: over HTTP, by the same judge as the run's own verdicts."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest
from backend.tests.analysis.recording import MOMENT, SeriesSpec, add_intervals, finish, look_at_run, steady
from backend.tests.sla.conftest import sequential, store_run
from fastapi.testclient import TestClient
from sqlalchemy import text

from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id

Json = dict[str, Any]
KEPT = f"evaluate {uuid4()}"
FAST = [
    SeriesSpec("read", steady(40_000, 24)),
    SeriesSpec("read", steady(40_000, 24, 200_000), clock="service"),
]
SLOW = [SeriesSpec("read", steady(2_000, 24, 6_000_000))]


def of_run(run_id: UUID, budget: Json, **subject: Any) -> Json:
    return {"subject": {"run_id": str(run_id), **subject}, "budget": budget}


@pytest.fixture(scope="module")
def fast(database: Database) -> UUID:
    return store_run(database, KEPT, FAST)


@pytest.fixture
def organisation(request: pytest.FixtureRequest) -> str:
    """The one whose run is stored once, or one of this test alone."""
    return KEPT if "fast" in request.fixturenames else f"evaluate {uuid4()}"


def test_fast_reads_keep_a_wide_window(fast: UUID, post: Callable[..., Any]) -> None:
    answer = post("evaluate", of_run(fast, {"document": sequential()}))
    assert answer["verdict"] == "PASS", answer["reason_text"]
    assert answer["subject"]["run_id"] == str(fast)
    assert (answer["subject"]["operation"], answer["subject"]["clock"]) == ("read", "response")
    assert (answer["subject"]["samples"], answer["subject"]["measured_ns"]) == (960_000, 240 * 10**9)
    assert (answer["subject"]["source"], answer["subject"]["provisional"]) == ("run", False)
    assert answer["budget"]["document"]["plan"]["stages"][0]["scheduling"] == "sequential"
    assert (answer["stage"], answer["detail"]) == ("preview", "display")
    assert 0.999 <= answer["p_lower"] <= answer["p_estimate"] <= answer["p_upper"]
    assert 0.99 <= answer["p_lower_confident"] <= answer["p_lower"]
    assert 0 < answer["room_lower_ns"] <= answer["room_upper_ns"] < 10**9
    assert 250 <= answer["n_guaranteed"] <= answer["n_possible"]
    assert answer["quantile_lower_ns"] <= answer["quantile_upper_ns"]
    models = answer["models"]
    assert models["interval_mixture"]["piece_count"] == 24
    assert models["independent"]["p_lower"] <= models["independent"]["p_upper"]
    assert models["measured"] is None


@pytest.mark.parametrize("operation", ["read", "lookup"])
def test_reads_of_a_late_generator_prove_no_fail(
    store: Callable[..., UUID], post: Callable[..., Any], operation: str
) -> None:
    """Also when the record is kept from one question to the next, or its operation goes by another name."""
    slow = SeriesSpec(operation, steady(2_000, 24, 6_000_000))
    late = replace(slow, conditions=[{"lateness_p99_ns": 2_000_000}] * 24)
    named = {} if operation == "read" else {"operation": operation}
    assert post("evaluate", of_run(store([slow]), {"document": sequential()}, **named))["verdict"] == "FAIL"
    run_id = store([late])
    for detail in ("display", "display", "full"):
        asked = of_run(run_id, {"document": sequential()}, **named) | {"detail": detail}
        answer = post("evaluate", asked)
        assert (answer["verdict"], answer["reason"]) == ("INDETERMINATE", "generator")
        assert "24 of 24 slices are unreliable" in answer["reason_text"]
        assert (answer["validity"]["doubtful"], answer["validity"]["slices"]) == (24, 24)
    few = SeriesSpec(operation, [*late.latencies], conditions=[{"lateness_p99_ns": 2_000_000}])
    for _ in range(2):
        assert (
            post("evaluate", of_run(store([few]), {"document": sequential()}, **named))["verdict"] == "FAIL"
        )


def test_slow_reads_fail_and_the_band_shows_by_how_much(
    store: Callable[..., UUID], post: Callable[..., Any]
) -> None:
    answer = post("evaluate", of_run(store(SLOW), {"document": sequential()}))
    assert (answer["verdict"], answer["decided_by"]) == ("FAIL", None)
    assert answer["room_upper_ns"] is None or answer["room_upper_ns"] < 0
    assert answer["n_possible"] < 250
    band = answer["cdf"]
    assert 50 <= len(band) <= 260
    for end in ("t_ns", "lower", "upper"):
        assert [point[end] for point in band] == sorted(point[end] for point in band)
    assert all(0 <= point["lower"] <= point["estimate"] <= point["upper"] <= 1 for point in band)


def test_the_display_contains_what_the_full_answer_says(fast: UUID, post: Callable[..., Any]) -> None:
    budget = {"document": sequential(window_ns=105_000_000)}
    display = post("evaluate", of_run(fast, budget))
    full = post("evaluate", {**of_run(fast, budget), "detail": "full"})
    assert display["resolution_bins"] < full["resolution_bins"]
    for one in (display, full):
        independent = one["models"]["independent"]
        assert independent["p_lower"] <= independent["p_estimate"] <= independent["p_upper"]
    wide, narrow = display["models"]["independent"], full["models"]["independent"]
    assert wide["p_lower"] <= narrow["p_lower"] + 1e-9
    assert wide["p_upper"] >= narrow["p_upper"] - 1e-9


def test_limits_are_judged_row_by_row(fast: UUID, post: Callable[..., Any]) -> None:
    answer = post("evaluate", of_run(fast, {"name": "act-limits"}))
    assert answer["verdict"] == "PASS"
    assert [row["threshold_ns"] for row in answer["rows"]] == [10**6, 8 * 10**6, 64 * 10**6]
    first = answer["rows"][0]
    assert (first["kind"], first["operation"], first["limit"]) == ("exceedance", "read", 0.05)
    over = sum(int((one >= 10**6).sum()) for one in FAST[0].latencies)
    assert (first["over_count"], first["total_count"]) == (over, 960_000)
    assert first["value_lower"] <= first["value"] <= first["value_upper"]
    assert answer["p_lower"] is None
    assert answer["cdf"] == []


def test_quantiles_are_judged(fast: UUID, post: Callable[..., Any]) -> None:
    document = {
        "kind": "percentile",
        "name": "tail",
        "operation": "read",
        "limits": [{"quantile": 0.99, "below_ns": 10**6}, {"quantile": 0.5, "below_ns": 300_000}],
    }
    answer = post("evaluate", of_run(fast, {"document": document}))
    assert answer["verdict"] == "FAIL"
    assert [(row["quantile"], row["verdict"]) for row in answer["rows"]] == [(0.99, "PASS"), (0.5, "FAIL")]


def test_rates_and_rule_sets_are_judged(fast: UUID, post: Callable[..., Any]) -> None:

    def verdict(above: float, quantity: str = "operations_per_s") -> Any:
        document = {"kind": "throughput", "name": "rate", "floors": [{"quantity": quantity, "above": above}]}
        return post("evaluate", of_run(fast, {"document": document}))

    assert verdict(3_999.0)["verdict"] == "PASS"
    assert verdict(4_001.0)["verdict"] == "FAIL"
    unknown = verdict(1.0, "disk_bytes_per_s")
    assert unknown["verdict"] == "INDETERMINATE"
    assert unknown["decided_by"]
    answer = post("evaluate", of_run(fast, {"name": "m2g2"}))
    assert answer["verdict"] == "FAIL"
    assert len(answer["criteria"]) == 2
    assert {one["kind"] for one in answer["criteria"]} == {"throughput", "percentile"}


@pytest.mark.parametrize(
    ("fan_out", "scheduling"), [(1, "sequential"), (10, "waves"), (10, "pool"), (250, "parallel"), (10, None)]
)
def test_every_scheduling_is_answered(
    fast: UUID, post: Callable[..., Any], fan_out: int, scheduling: str | None
) -> None:
    stage: Json = {"operation": "read", "count": 250, "fan_out": fan_out}
    if scheduling is not None:
        stage["scheduling"] = scheduling
    answer = post("evaluate", of_run(fast, {"document": sequential(plan={"stages": [stage]})}))
    assert answer["verdict"] == "PASS", answer["reason_text"]
    asked = answer["budget"]["document"]["plan"]["stages"][0]
    assert asked["scheduling"] == (scheduling or "pool")
    assert answer["cdf"]


def test_a_clock_and_a_series_can_be_chosen(store: Callable[..., UUID], post: Callable[..., Any]) -> None:
    run_id = store([*FAST, SeriesSpec("get", steady(1_000, 24, 100_000))])
    budget = {"document": sequential()}
    service_time = post("evaluate", of_run(run_id, budget, clock="service"))
    response_time = post("evaluate", of_run(run_id, budget))
    assert service_time["subject"]["clock"] == "service"
    assert service_time["quantile_upper_ns"] < response_time["quantile_lower_ns"]
    other = post("evaluate", of_run(run_id, budget, operation="get"))
    assert other["subject"]["samples"] == 24_000
    assert other["quantile_upper_ns"] < service_time["quantile_lower_ns"]
    assert other["subject"]["operation"] == "get"


def test_a_series_that_is_not_there_is_named_beside_those_that_are(
    fast: UUID, post: Callable[..., Any]
) -> None:
    for subject in ({"operation": "scan"}, {"clock": "queue"}):
        refused = post("evaluate", of_run(fast, {"document": sequential()}, **subject), 422)
        assert refused["code"] == "subject-invalid"
        assert "read (response), read (service)" in refused["detail"]


def test_an_operation_that_was_not_measured_decides_nothing(fast: UUID, post: Callable[..., Any]) -> None:
    plan = {"stages": [{"operation": "batch-25", "count": 10}]}
    answer = post("evaluate", of_run(fast, {"document": sequential(plan=plan)}))
    assert answer["verdict"] == "INDETERMINATE"
    assert answer["decided_by"]
    assert answer["cdf"] == []


def test_measured_transactions_stand_beside_the_model(
    store: Callable[..., UUID], post: Callable[..., Any]
) -> None:
    rng = np.random.default_rng(5)
    transactions = [rng.normal(100_000_000, 500_000, 400).astype(np.int64) for _ in range(24)]
    specs = [*FAST[:1], SeriesSpec("transaction", transactions, pins=(10**9,))]
    run_id = store(specs, workload="fraud-transaction", plan={"fraud": {"reads_per_transaction": 250}})
    answer = post("evaluate", of_run(run_id, {"name": "fraud-250-sequential"}))
    measured = answer["models"]["measured"]
    assert (measured["within_count"], measured["total_count"]) == (9_600, 9_600)
    assert answer["evidence"] == "measured"
    other = post("evaluate", of_run(run_id, {"document": sequential(251)}))
    # A plan that ends no earlier: what was measured bears on it, and says of how many reads it is.
    assert other["models"]["measured"]["reads"] == 250


def test_a_live_run_is_read_anew_when_it_has_grown(
    store: Callable[..., UUID], post: Callable[..., Any], database: Database
) -> None:
    specs = [SeriesSpec("read", [*steady(1_000, 3), *steady(1_000, 3, 6_000_000)])]
    first = [SeriesSpec("read", specs[0].latencies[:3])]
    run_id = store(first, ended=False)
    budget = {"document": sequential()}
    before = post("evaluate", of_run(run_id, budget))
    assert (before["subject"]["samples"], before["subject"]["provisional"]) == (3_000, True)
    with database.transaction() as session:
        add_intervals(session, run_id, specs, 3)
        finish(session, run_id, specs)
    with database.transaction() as session:
        look_at_run(session, run_id, MOMENT)
    after = post("evaluate", of_run(run_id, budget))
    assert (after["subject"]["samples"], after["subject"]["provisional"]) == (6_000, False)
    assert after["p_upper"] < before["p_upper"]


def test_a_run_without_data_is_undecided(store: Callable[..., UUID], post: Callable[..., Any]) -> None:
    answer = post(
        "evaluate", of_run(store([SeriesSpec("read", [])], ended=False), {"document": sequential()})
    )
    assert (answer["verdict"], answer["reason"]) == ("INDETERMINATE", "samples")
    assert answer["p_lower"] is None


def test_asking_twice_gives_the_same_answer(fast: UUID, post: Callable[..., Any]) -> None:
    body = of_run(fast, {"document": sequential(window_ns=103_000_000)})
    assert post("evaluate", body) == post("evaluate", body)


class TestRefusals:
    """What breaks a rule is named; nothing becomes a number."""

    @pytest.mark.parametrize(
        ("subject", "budget", "said"),
        [
            ({}, {"name": "act-limits"}, "distribution"),
            ({"run_id": "x"}, {"name": "act-limits"}, "run_id"),
            ({"run_id": str(new_id()), "distribution": {}}, {"name": "act-limits"}, "distribution"),
            ({"run_id": str(new_id()), "clock": "wall"}, {"name": "act-limits"}, "clock"),
            ({"run_id": str(new_id())}, {}, "document"),
            ({"run_id": str(new_id())}, {"name": "a", "document": sequential()}, "document"),
            ({"run_id": str(new_id())}, {"version": 1, "document": sequential()}, "version"),
            ({"run_id": str(new_id())}, {"document": sequential() | {"window_ns": 1.5}}, "window_ns"),
            ({"run_id": str(new_id()), "operation": "a\x00"}, {"name": "act-limits"}, "operation"),
        ],
    )
    def test_forms(self, post: Callable[..., Any], subject: Json, budget: Json, said: str) -> None:
        refused = post("evaluate", {"subject": subject, "budget": budget}, 422)
        assert refused["code"] == "request-invalid"
        assert said in str(refused["problems"])

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"window_ns": 0}, "0"),
            ({"objective_ratio": 1.0}, "1"),
            ({"objective_ratio": 0.0}, "0"),
            ({"reserve_ns": 10**9}, "reserve"),
            ({"plan": {"stages": [{"operation": "read", "count": 0}]}}, "0"),
            ({"plan": {"stages": [{"operation": "read", "count": 2, "fan_out": 0}]}}, "fan"),
            ({"plan": {"stages": [{"count": {"weights": {"2": 0.4, "3": 0.4}}}]}}, "0.8"),
            ({"plan": {"stages": [{"count": {"weights": {"x": 1.0}}}]}}, "x"),
        ],
    )
    def test_rules(self, post: Callable[..., Any], changes: Json, said: str) -> None:
        refused = post("evaluate", of_run(new_id(), {"document": sequential(**changes)}), 422)
        assert refused["code"] == "budget-invalid"
        assert said in refused["detail"]

    def test_budgets_that_are_not_there(self, post: Callable[..., Any]) -> None:
        for name, version, said in (
            ("nobody", None, "fraud-250-sequential"),
            ("act-limits", 99, "version 99"),
        ):
            refused = post("evaluate", of_run(new_id(), {"name": name, "version": version}), 404)
            assert refused["code"] == "budget-unknown"
            assert said in refused["detail"]

    def test_runs_of_others(
        self, client: TestClient, store: Callable[..., UUID], make_token: Callable[..., str]
    ) -> None:
        run_id = store(FAST[:1])
        stranger = {"Authorization": f"Bearer {make_token('viewer', owner='sla strangers')}"}
        for one in (run_id, new_id()):
            body = of_run(one, {"document": sequential()})
            answer = client.post("/api/v1/sla/evaluate", json=body, headers=stranger)
            assert (answer.status_code, answer.json()["code"]) == (404, "run-unknown")


def test_data_that_contradict_themselves_are_said_to_whatever_is_asked(
    store: Callable[..., UUID], post: Callable[..., Any], database: Database
) -> None:
    run_id = store(FAST[:1])
    with database.transaction() as session:
        session.execute(
            text("UPDATE slice SET sum_ns = 1 WHERE run_id = :run_id AND width = 'run'"), {"run_id": run_id}
        )
    for budget, name in (({"document": sequential()}, "what-if"), ({"document": sequential(7)}, "what-if")):
        answer = post("evaluate", of_run(run_id, budget))
        assert (answer["verdict"], answer["reason"]) == ("INDETERMINATE", "metadata")
        assert "contradict" in answer["reason_text"]
        assert answer["budget"]["document"]["name"] == name
    limits = post("evaluate", of_run(run_id, {"name": "act-limits"}))
    assert limits["budget"]["document"]["name"] == "act-limits"
    assert post("match", {"budget": {"name": "act-limits"}, "published": False})["counts"]["undecided"] == 1


def test_a_published_configuration_that_is_not_there_is_named(post: Callable[..., Any]) -> None:
    subject = {"publication": "publication:kioxia-cd8p-ycsb-2025#none"}
    asked = {"subject": subject, "budget": {"document": sequential()}}
    assert "there is:" in post("evaluate", asked, 422)["detail"]
    subject["publication"] = "publication:kioxia-cd8p-ycsb-2025#test1-r1/KIOXIA CD8P-R"
    subject["operation"] = "scan"
    assert "has no “scan”" in post("evaluate", asked, 422)["detail"]
