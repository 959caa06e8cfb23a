"""Batches in any order, split and repeated in any way, leave the same rows; gaps are known;
nothing is stored by halves.
"""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from backend.tests.agent import PINS_NS, Agent, histogram, interval, packed_pins, series
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, text

from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import RUN_OPERATIONS
from tailroom.storage.interval import IntervalRow
from tailroom.storage.run import Run
from tailroom.storage.series import Series

ALL = [(number, seq) for number in (0, 1) for seq in range(6)]


def stored_rows(database: Database, run_id: str) -> list[tuple[Any, ...]]:
    first = ("series_no", "seq", "organisation_id", "start_ns")
    others = [
        one.name for one in IntervalRow.__table__.columns if one.name not in (*first, "run_id", "received_at")
    ]
    columns = [IntervalRow.__table__.columns[name] for name in (*first, *others)]
    with database.transaction() as session:
        query = (
            select(*columns)
            .where(IntervalRow.run_id == UUID(run_id))
            .order_by(IntervalRow.series_no, IntervalRow.seq)
        )
        return [tuple(row) for row in session.execute(query)]


def test_every_field_is_stored_as_sent(agent: Agent, database: Database) -> None:
    agent.announce()
    sent = interval(1, 0, errors=4, timeouts=5, unfinished=6, lateness_max_ns=7, target_count=18)
    assert agent.send([sent, interval(0, 0, target_count=None)]).status_code == 200
    with database.transaction() as session:
        row = session.get_one(IntervalRow, (UUID(agent.run_id), 1, 0))
        tick = session.get_one(IntervalRow, (UUID(agent.run_id), 0, 0))
        run = session.get_one(Run, UUID(agent.run_id))
    numbers = ("start_ns", "duration_ns", "count", "errors", "timeouts", "unfinished", "sum_ns", "min_ns")
    for name in (*numbers, "max_ns", "target_count", "lateness_max_ns", "seq", "histogram"):
        assert getattr(row, name) == sent[name], name
    assert row.pins == packed_pins(sent["pins"])
    assert row.organisation_id == run.organisation_id
    assert (tick.histogram, tick.target_count) == (None, None)
    assert run.data_through_ns == 1_000_000_000
    assert run.last_data_at == row.received_at


CONDITIONS = {
    "lateness_p99_ns": 900,
    "busy_ns": 700_000_000,
    "in_flight": 3,
    "oldest_in_flight_ns": 2_500_000,
    "temperature_millicelsius": 41_850,
}


@pytest.mark.parametrize(
    "sent",
    [
        CONDITIONS,
        dict.fromkeys(CONDITIONS, 0),
        dict.fromkeys(CONDITIONS),
        {},
        # Below zero; −1 is what other numbers are unknown by.
        {"temperature_millicelsius": -1},
        {"temperature_millicelsius": -100_000, "busy_ns": 1_000_000_001, "lateness_p99_ns": 1000},
        {"temperature_millicelsius": 200_000, "oldest_in_flight_ns": 5},
    ],
)
@pytest.mark.parametrize("series_no", [0, 1])
def test_conditions_are_stored_as_sent_and_accepted_again(
    agent: Agent, database: Database, series_no: int, sent: dict[str, int | None]
) -> None:
    agent.announce()
    batch = [interval(series_no, 0, **sent), interval(series_no, 1)]
    assert agent.send(batch).status_code == 200
    with database.transaction() as session:
        row = session.get_one(IntervalRow, (UUID(agent.run_id), series_no, 0))
        other = session.get_one(IntervalRow, (UUID(agent.run_id), series_no, 1))
    assert {name: getattr(row, name) for name in CONDITIONS} == dict.fromkeys(CONDITIONS) | sent
    assert {name: getattr(other, name) for name in CONDITIONS} == dict.fromkeys(CONDITIONS)
    again = agent.send(batch)
    assert (again.status_code, again.json()["acknowledged"]) == (200, {str(series_no): 1})


def test_unknown_is_absent_or_null(agent: Agent) -> None:
    agent.announce()
    assert agent.send([interval(0, 0)]).status_code == 200
    assert agent.send([interval(0, 0, **dict.fromkeys(CONDITIONS))]).status_code == 200


def test_an_interval_without_operations(agent: Agent) -> None:
    agent.announce()
    empty = {"count": 0, "sum_ns": 0, "min_ns": None, "max_ns": None, "pins": [0, 0], "histogram": None}
    assert agent.send([interval(1, 0, **empty), interval(0, 0, **empty)]).status_code == 200


def test_a_plain_histogram_is_taken_too(agent: Agent) -> None:
    agent.announce()
    plain = histogram([100, 900, 1501], deflate=False)
    assert agent.send([interval(1, 0, histogram=plain)]).status_code == 200


def test_out_of_order_and_filled_later(agent: Agent) -> None:
    agent.announce()
    answer = agent.send([interval(0, 2), interval(0, 5)]).json()
    assert answer["acknowledged"] == {"0": -1}
    assert answer["missing"] == [
        {"series": 0, "from_seq": 0, "to_seq": 1},
        {"series": 0, "from_seq": 3, "to_seq": 4},
    ]
    assert agent.send([interval(0, 0)]).json()["acknowledged"] == {"0": 0}
    answer = agent.send([interval(0, 1)]).json()
    assert answer["acknowledged"] == {"0": 2}
    assert answer["missing"] == [{"series": 0, "from_seq": 3, "to_seq": 4}]
    answer = agent.send([interval(0, 4), interval(0, 3)]).json()
    assert answer == {"acknowledged": {"0": 5}, "missing": [], "directive": "continue"}


def test_missing_names_series_outside_the_batch(agent: Agent) -> None:
    agent.announce()
    agent.send([interval(1, 1)])
    answer = agent.send([interval(0, 0)]).json()
    assert answer["acknowledged"] == {"0": 0}
    assert answer["missing"] == [{"series": 1, "from_seq": 0, "to_seq": 0}]


def test_a_batch_that_only_defines_acknowledges_nothing_yet(agent: Agent) -> None:
    agent.announce()
    answer = agent.send([], [series(0), series(1)]).json()
    assert answer["acknowledged"] == {"0": -1, "1": -1}
    later = agent.send([interval(1, 0)], [])
    assert later.json()["acknowledged"] == {"1": 0}
    assert agent.finish({0: 1, 1: 0}).json()["missing"] == [{"series": 0, "from_seq": 0, "to_seq": 1}]


def test_sending_again_changes_nothing(agent: Agent, database: Database) -> None:
    agent.announce()
    batch = [interval(number, seq) for number, seq in ALL]
    first = agent.send(batch)
    before = stored_rows(database, agent.run_id)
    again = agent.send(batch)
    assert first.json() == again.json()
    assert stored_rows(database, agent.run_id) == before
    assert agent.get().json()["series"][0]["received_count"] == 6


@pytest.mark.parametrize(
    "change",
    [
        {"errors": 9},
        {"start_ns": 5},
        {"target_count": 77},
        {"pins": [1, 1]},
        {"histogram": histogram([101, 900, 1500])},
        *({name: value} for name, value in CONDITIONS.items()),
        {"temperature_millicelsius": -1},
        {"busy_ns": 0},
    ],
)
def test_other_content_under_the_same_number_is_refused(
    agent: Agent, database: Database, change: dict[str, Any]
) -> None:
    agent.announce()
    agent.send([interval(1, 0), interval(1, 4)])
    before = stored_rows(database, agent.run_id)
    for seq in (0, 4):
        refused = agent.send([interval(1, 7), interval(1, seq) | change])
        assert refused.status_code == 409
        assert refused.json()["code"] == "interval-conflict"
        named = {(one["series"], one["seq"]) for one in refused.json()["problems"]}
        assert named == {(1, seq)}
    assert stored_rows(database, agent.run_id) == before


@pytest.mark.parametrize("name", CONDITIONS)
def test_other_conditions_than_stored_are_refused(agent: Agent, name: str) -> None:
    agent.announce()
    sent = interval(0, 0, **CONDITIONS)
    assert agent.send([sent]).status_code == 200
    for other in (None, CONDITIONS[name] - 1):
        refused = agent.send([sent | {name: other}])
        assert (refused.status_code, refused.json()["code"]) == (409, "interval-conflict")
    assert agent.send([sent]).status_code == 200


def test_one_number_twice_in_a_batch(agent: Agent) -> None:
    agent.announce()
    assert agent.send([interval(0, 0), interval(0, 0)]).json()["acknowledged"] == {"0": 0}
    refused = agent.send([interval(0, 1), interval(0, 1, errors=5)])
    assert refused.json()["code"] == "interval-conflict"
    assert agent.send([interval(0, 1)]).json()["acknowledged"] == {"0": 1}


def test_a_series_defined_otherwise_is_refused(agent: Agent) -> None:
    agent.announce()
    agent.send([], [series(0)])
    refused = agent.send([interval(0, 0)], [series(0, operation="write")])
    assert refused.status_code == 409
    assert refused.json()["code"] == "series-conflict"
    assert refused.json()["problems"][0] | {"reason": ""} == {
        "series": 0,
        "seq": None,
        "field": "operation",
        "reason": "",
    }
    twice = agent.send([], [series(3), series(3, device="nvme1n1")])
    assert twice.json()["code"] == "series-conflict"
    assert [one["series_no"] for one in agent.get().json()["series"]] == [0]


def test_a_run_has_so_many_operations(agent: Agent) -> None:
    agent.announce()
    definitions = [series(number, operation=f"read-{number}") for number in range(RUN_OPERATIONS + 1)]
    assert agent.send([], definitions[:-1]).status_code == 200
    refused = agent.send([], definitions[-1:])
    assert refused.status_code == 422
    assert refused.json()["problems"][0]["reason"].startswith("with this batch")
    assert len(agent.get().json()["series"]) == RUN_OPERATIONS


def test_an_undefined_series_is_named_and_nothing_is_stored(agent: Agent, database: Database) -> None:
    agent.announce()
    refused = agent.send([interval(0, 0), interval(2, 0)], [series(0)])
    assert refused.status_code == 422
    assert [(one["series"], one["field"]) for one in refused.json()["problems"]] == [(2, "series")]
    assert stored_rows(database, agent.run_id) == []
    assert agent.get().json()["series"] == []


def test_intervals_without_a_run(agent: Agent) -> None:
    answer = agent.send([interval(0, 0)])
    assert (answer.status_code, answer.json()["code"]) == (404, "run-unknown")


def test_acknowledged_intervals_whose_rows_expired_are_accepted_again(
    agent: Agent, database: Database
) -> None:
    agent.announce()
    batch = [interval(0, seq) for seq in range(4)]
    agent.send(batch)
    with database.transaction() as session:
        session.execute(text("DELETE FROM interval WHERE run_id = :run"), {"run": UUID(agent.run_id)})
    answer = agent.send([*batch, interval(0, 4)])
    assert answer.json()["acknowledged"] == {"0": 4}
    assert [row[1] for row in stored_rows(database, agent.run_id)] == [4]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_split_order_and_repetition_gives_the_same_rows(
    client: TestClient, agent: Agent, database: Database, data: st.DataObject
) -> None:
    agent.run_id = str(new_id())
    agent.announce()
    order = data.draw(st.permutations(ALL))
    repeated = data.draw(st.lists(st.sampled_from(ALL), max_size=8))
    places = list(order)
    for place in repeated:
        places.insert(data.draw(st.integers(0, len(places))), place)
    cuts = sorted(data.draw(st.sets(st.integers(1, len(places) - 1), max_size=6)))
    held: set[tuple[int, int]] = set()
    for start, end in zip([0, *cuts], [*cuts, len(places)], strict=True):
        part = places[start:end]
        answer = agent.send([interval(number, seq) for number, seq in part])
        assert answer.status_code == 200, answer.text
        held |= set(part)
        for number in {number for number, _ in part}:
            contiguous = next(seq for seq in range(-1, 7) if (number, seq + 1) not in held)
            assert answer.json()["acknowledged"][str(number)] == contiguous
    expected = [(number, seq) for number, seq in ALL]
    rows = stored_rows(database, agent.run_id)
    assert [(row[0], row[1]) for row in rows] == expected
    for row, (number, seq) in zip(rows, expected, strict=True):
        assert row[3] == interval(number, seq)["start_ns"]
    with database.transaction() as session:
        for one in session.scalars(select(Series).where(Series.run_id == UUID(agent.run_id))):
            assert (one.contiguous_seq, one.max_seq, one.received) == (5, 5, 6)


def test_many_senders_of_one_run_at_once(agent: Agent, database: Database) -> None:
    agent.announce()
    everything = [(number, seq) for number in (0, 1) for seq in range(40)]
    chance = random.Random(5)  # noqa: S311 - an order, not a secret
    batches = []
    for _ in range(24):
        chosen = chance.sample(everything, 20)
        batches.append([interval(number, seq) for number, seq in chosen])
    batches += [[interval(*place) for place in everything[k::8]] for k in range(8)]
    send: Callable[[list[Any]], int] = lambda batch: agent.send(batch).status_code  # noqa: E731
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(send, batches)) == {200}
    assert [(row[0], row[1]) for row in stored_rows(database, agent.run_id)] == everything
    with database.transaction() as session:
        for one in session.scalars(select(Series).where(Series.run_id == UUID(agent.run_id))):
            assert (one.contiguous_seq, one.max_seq, one.received) == (39, 39, 40)


def test_pins_are_as_many_as_thresholds(agent: Agent) -> None:
    agent.announce()
    without = series(0, pin_thresholds_ns=[])
    assert agent.send([interval(0, 0, pins=[])], [without]).status_code == 200
    refused = agent.send([interval(0, 1)], [])
    assert refused.json()["problems"][0]["field"] == "pins"
    assert str(len(PINS_NS)) in refused.json()["problems"][0]["reason"]
