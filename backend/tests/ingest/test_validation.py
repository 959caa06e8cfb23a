"""Every rule of the wire contract that is broken is named, with series, sequence number and field;
nothing is stored.
"""

from typing import Any

import pytest
from backend.tests.agent import Agent, histogram, interval, series

from tailroom.kit.limits import HISTOGRAM_BYTES

BIG = 2**63


@pytest.fixture
def announced(agent: Agent) -> Agent:
    assert agent.announce().status_code == 201
    return agent


@pytest.mark.parametrize(
    ("series_no", "changes", "fields"),
    [
        (0, {"seq": -1}, "seq"),
        (0, {"seq": BIG}, "seq"),
        (0, {"start_ns": -5}, "start_ns"),
        (0, {"duration_ns": 0}, "duration_ns"),
        (0, {"start_ns": BIG // 2}, "start_ns"),
        (0, {"count": -1}, "count"),
        (0, {"count": 1.5}, "count"),
        (0, {"count": "3"}, "count"),
        (0, {"errors": None}, "errors"),
        (0, {"timeouts": -1}, "timeouts"),
        (0, {"unfinished": True}, "unfinished"),
        (0, {"sum_ns": BIG}, "sum_ns"),
        (0, {"min_ns": None}, "min_ns"),
        (0, {"max_ns": None}, "max_ns"),
        (0, {"min_ns": 1_600_000}, "max_ns sum_ns"),
        (0, {"sum_ns": 1}, "sum_ns"),
        (0, {"sum_ns": 4_500_001}, "sum_ns"),
        (0, {"count": 0, "sum_ns": 0, "pins": [0, 0]}, "min_ns max_ns"),
        (0, {"count": 0, "min_ns": None, "max_ns": None, "pins": [0, 0]}, "sum_ns"),
        (0, {"pins": [0, 1]}, "pins"),
        (0, {"pins": [4, 0]}, "pins"),
        (0, {"pins": [1]}, "pins"),
        (0, {"pins": [0] * 17}, "pins"),
        (0, {"pins": None}, "pins"),
        (0, {"target_count": -1}, "target_count"),
        (0, {"lateness_max_ns": -1}, "lateness_max_ns"),
        (0, {"lateness_p99_ns": -1}, "lateness_p99_ns"),
        (0, {"lateness_p99_ns": 1001}, "lateness_p99_ns"),
        (1, {"lateness_p99_ns": BIG}, "lateness_p99_ns"),
        (0, {"busy_ns": -1}, "busy_ns"),
        (0, {"busy_ns": 0.5}, "busy_ns"),
        (0, {"in_flight": -1}, "in_flight"),
        (0, {"in_flight": 0, "oldest_in_flight_ns": 1}, "oldest_in_flight_ns"),
        (0, {"oldest_in_flight_ns": -1}, "oldest_in_flight_ns"),
        (0, {"temperature_millicelsius": -100_001}, "temperature_millicelsius"),
        (0, {"temperature_millicelsius": -1_000_000}, "temperature_millicelsius"),
        (0, {"temperature_millicelsius": 200_001}, "temperature_millicelsius"),
        (0, {"temperature_millicelsius": 41.5}, "temperature_millicelsius"),
        (0, {"histogram": histogram([1, 2, 3])}, "histogram"),
        (1, {"histogram": None}, "histogram"),
        (1, {"histogram": b""}, "histogram"),
        (1, {"histogram": b"\x1c\x84\x93\x14junk"}, "histogram"),
        (1, {"histogram": histogram([1, 2])}, "histogram"),
        (1, {"histogram": histogram([1, 2, 3])[:-3]}, "histogram"),
        (1, {"histogram": b"\x00" * 300_000}, "histogram"),
        (1, {"series": 70_000}, "series"),
    ],
)
def test_a_broken_interval_is_named(
    announced: Agent, series_no: int, changes: dict[str, Any], fields: str
) -> None:
    good, broken = interval(series_no, 0), interval(series_no, 1) | changes
    answer = announced.send([good, broken], [series(series_no)])
    assert answer.status_code == 422, answer.text
    body = answer.json()
    assert body["code"] == "batch-invalid"
    assert {one["field"].partition("[")[0] for one in body["problems"]} == set(fields.split()), body
    assert {(one["series"], one["seq"]) for one in body["problems"]} == {(broken["series"], broken["seq"])}
    assert announced.get().json()["series"] == []


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"operation": "Read"}, "operation"),
        ({"operation": ""}, "operation"),
        ({"operation": "read\n"}, "operation"),
        ({"clock": "wall"}, "clock"),
        ({"kind": "gauge"}, "kind"),
        ({"host": ""}, "host"),
        ({"host": "a\x00b"}, "host"),
        ({"device": 5}, "device"),
        ({"layout": None}, "layout"),
        ({"layout": {"t": "hdr", "unit_ns": 1, "significant_digits": 3}}, "layout"),
        ({"kind": "tick"}, "layout"),
        ({"pin_thresholds_ns": [5, 5]}, "pin_thresholds_ns"),
        ({"pin_thresholds_ns": list(range(1, 18))}, "pin_thresholds_ns"),
        ({"target_rate_per_s": float("inf")}, "target_rate_per_s"),
        ({"target_rate_per_s": float("nan")}, "target_rate_per_s"),
        ({"target_rate_per_s": -1.0}, "target_rate_per_s"),
    ],
)
def test_a_broken_definition_is_named(announced: Agent, changes: dict[str, Any], field: str) -> None:
    answer = announced.send([], [series(1, **changes)])
    assert answer.status_code == 422, answer.text
    problems = answer.json()["problems"]
    assert problems[0]["series"] == 1
    assert problems[0]["field"].startswith(field)


def test_series_may_have_different_numbers_of_thresholds(announced: Agent) -> None:
    definitions = [series(0), series(2, pin_thresholds_ns=[1, 2, 3]), series(4, pin_thresholds_ns=[1])]
    sent = [interval(0, 0), interval(2, 0, pins=[3, 3, 0]), interval(4, 0, pins=[3])]
    assert announced.send(sent, definitions).status_code == 200
    answer = announced.send([interval(4, 1, pins=[4])], [])
    assert [one["field"] for one in answer.json()["problems"]] == ["pins"]


def test_the_largest_histogram_is_read(announced: Agent) -> None:
    for size, reason in (
        (HISTOGRAM_BYTES, "it begins with"),
        (HISTOGRAM_BYTES + 1, f"is larger than {HISTOGRAM_BYTES} bytes"),
    ):
        answer = announced.send([interval(1, 0, histogram=bytes(size))])
        assert [reason in one["reason"] for one in answer.json()["problems"]] == [True], answer.text


def test_operations_may_all_take_the_same_time(announced: Agent) -> None:
    sent = interval(0, 0, sum_ns=3_000, min_ns=1_000, max_ns=1_000, pins=[0, 0])
    assert announced.send([sent]).status_code == 200


@pytest.mark.parametrize("part", [5, None, [1]])
def test_a_part_that_is_no_object_is_named(announced: Agent, part: Any) -> None:
    answer = announced.post(
        f"/api/v1/runs/{announced.run_id}/intervals", {"series": [part], "intervals": [part]}
    )
    assert answer.status_code == 422
    assert [one["field"] for one in answer.json()["problems"]] == ["series[0]", "intervals[0]"]


def test_every_broken_part_is_named_but_no_more_than_twenty(announced: Agent) -> None:
    broken = [interval(0, seq, errors="many") for seq in range(5)]
    problems = announced.send(broken).json()["problems"]
    assert [(one["seq"], one["field"]) for one in problems] == [(seq, "errors") for seq in range(5)]
    assert problems[0]["reason"] == "Expected `int`, got `str`"
    many = [interval(1, seq, count=4) for seq in range(50)]
    answer = announced.send(many).json()
    assert len(answer["problems"]) == 20
    assert answer["detail"].startswith("More than 20 rules are broken")


def test_a_missing_field_is_named(announced: Agent) -> None:
    broken = interval(0, 3)
    del broken["duration_ns"]
    answer = announced.send([broken])
    assert answer.status_code == 422
    assert answer.json()["problems"][0]["seq"] == 3
    assert "duration_ns" in answer.json()["problems"][0]["reason"]


def test_fields_of_a_newer_agent_are_ignored(announced: Agent) -> None:
    assert announced.send([interval(0, 0, temperature_c=41)], [series(0, rack=7)]).status_code == 200


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"run_id": "not-a-uuid"}, "run_id"),
        ({"run_id": "d9428888-122b-11e1-b85c-61cd3cbb3210"}, "run_id"),
        ({"title": ""}, "title"),
        ({"title": "x" * 201}, "title"),
        ({"workload": "mining"}, "workload"),
        ({"started_at_unix_ns": -1}, "started_at_unix_ns"),
        ({"planned_duration_ns": 0}, "planned_duration_ns"),
        ({"agent": {}}, "agent"),
        ({"host": []}, "host"),
        ({"host": {"name": "a\x00b"}}, "host.name"),
        ({"plan": {"deep": {"a\x00b": [1]}}}, "plan.deep"),
    ],
)
def test_a_broken_announcement_is_named(agent: Agent, changes: dict[str, Any], field: str) -> None:
    answer = agent.announce(**changes)
    assert answer.status_code == 422, answer.text
    problem = answer.json()["problems"][0]
    assert problem["field"] == field or f"`{field}`" in problem["reason"]
