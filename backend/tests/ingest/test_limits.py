"""Bodies up to their limits: answered soon, with little memory, and the first broken parts named."""

import gzip
import json
import resource
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec
import pytest
import zstandard
from backend.tests.agent import Agent, announcement, interval
from fastapi.testclient import TestClient
from sqlalchemy import text

from tailroom.ingest.body import JSON, MSGPACK, Body
from tailroom.ingest.decoding import decode
from tailroom.ingest.errors import BatchInvalid, BodyTooLarge, BodyUnreadable
from tailroom.ingest.wire import Announcement, Batch
from tailroom.judging.judgement import judge
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.errors import HttpProblem
from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import BATCH_INTERVALS, BODY_MEMBERS
from tailroom.kit.transactions import transactions_of

UNPACKED = 64 * 2**20
SECONDS = 20.0
"""Three on a quiet machine (`make bench-hostile` holds that); tests share theirs."""
MEMORY_BYTES = 300 * 2**20


def batch_of(intervals: bytes) -> bytes:
    """A batch in JSON with these bytes as its intervals."""
    return b'{"series":[],"intervals":[' + intervals + b"]}"


def many(piece: bytes, size: int = UNPACKED - 200) -> bytes:
    """A batch of as many of these as fit."""
    return batch_of(b",".join([piece] * (size // (len(piece) + 1))))


def refused(body: Body, message: type[Any] = Batch) -> HttpProblem:
    """The refusal, within time and memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    began = time.process_time()
    with pytest.raises(HttpProblem) as refusal:
        decode(body, message, UNPACKED)
    assert time.process_time() - began < SECONDS
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before < MEMORY_BYTES
    return refusal.value


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(lambda: many(b"{}"), id="empty intervals"),
        pytest.param(lambda: many(b"[" * 30 + b"]" * 30), id="nested lists"),
        pytest.param(lambda: many(b'{"pins":[' + b",".join([b"0"] * 9_000_000) + b"]}"), id="one long list"),
        pytest.param(lambda: many(b"1e400"), id="numbers out of range"),
        pytest.param(lambda: batch_of(b"[" * 10_000_000), id="nesting without end"),
        pytest.param(
            lambda: batch_of(b'{"series":' + b"9" * 10_000_000 + b"}"), id="a number of ten million digits"
        ),
    ],
)
def test_a_small_body_that_unpacks_to_millions_of_parts_costs_little(content: Callable[[], bytes]) -> None:
    problem = refused(Body(JSON, "zstd", zstandard.compress(content())))
    assert isinstance(problem, BatchInvalid | BodyUnreadable)
    assert len(problem.problems) <= 1


def test_millions_of_empty_maps_in_messagepack_cost_little() -> None:
    count = UNPACKED - 100
    header = b"\x82" + msgspec.msgpack.encode("series") + b"\x90" + msgspec.msgpack.encode("intervals")
    content = header + b"\xdd" + count.to_bytes(4, "big") + b"\x80" * count
    assert isinstance(refused(Body(MSGPACK, "zstd", zstandard.compress(content))), BatchInvalid)


def test_a_batch_holds_so_many_intervals() -> None:
    intervals = [{**interval(0, seq), "histogram": None} for seq in range(BATCH_INTERVALS + 1)]
    content = msgspec.json.encode({"series": [], "intervals": intervals})
    assert f"length <= {BATCH_INTERVALS}" in str(refused(Body(JSON, "identity", content)).problems[0].reason)
    fits = msgspec.json.encode({"series": [], "intervals": intervals[:-1]})
    assert len(decode(Body(JSON, "identity", fits), Batch, UNPACKED).intervals) == BATCH_INTERVALS


@pytest.mark.parametrize(("name", "encode"), [("gzip", gzip.compress), ("zstd", zstandard.compress)])
def test_a_body_of_many_empty_members_is_refused(name: str, encode: Callable[[bytes], bytes]) -> None:
    began = time.process_time()
    with pytest.raises(BodyUnreadable, match=f"more than {BODY_MEMBERS} parts"):
        decode(Body(JSON, name, encode(b"") * 200_000), Batch, UNPACKED)
    assert time.process_time() - began < 2.0
    content = msgspec.json.encode({"series": [], "intervals": []})
    pieces = encode(b"") * (BODY_MEMBERS - 1) + encode(content)
    assert decode(Body(JSON, name, pieces), Batch, UNPACKED).intervals == []


def test_an_announcement_is_small() -> None:
    content = msgspec.json.encode({**announcement(str(new_id())), "plan": {"x": [{}] * 600_000}})
    assert isinstance(refused(Body(JSON, "gzip", gzip.compress(content)), Announcement), BodyTooLarge)
    assert isinstance(refused(Body(JSON, "identity", content), Announcement), BodyTooLarge)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"plan": {"x": 10**30}}, "plan.x"),
        ({"plan": {"act_storage": {"path": ["a", "list"]}}}, "plan.act_storage.path"),
        ({"host": {"block_devices": {"not": "a list"}}}, "host.block_devices"),
        ({"host": {"hostname": "\u202ebad"}}, "host.hostname"),
        ({"title": "a\x07bell"}, "title"),
    ],
)
def test_an_announcement_that_no_page_could_show_is_refused(
    agent: Agent, changes: dict[str, Any], field: str
) -> None:
    answer = agent.post("/api/v1/runs", {**announcement(agent.run_id), **changes}, as_json=True)
    assert answer.status_code == 422, answer.text
    assert answer.json()["problems"][0]["field"] == field


@pytest.mark.parametrize(
    "far",
    [
        {"seq": 2**63 - 1},
        {"seq": 2**62 - 1},
        {"seq": 2**40, "start_ns": 2**62 - 1},
        {"start_ns": 2**62 - 1},
        {"start_ns": 2**62 - 1, "duration_ns": 2**61},
        {"duration_ns": 2**62 - 1},
        {"max_ns": 2**62 - 1},
        {"errors": 2**62 - 1, "timeouts": 2**62 - 1, "unfinished": 2**62 - 1},
        {"sum_ns": 2**62 - 1, "max_ns": 2**62 - 1},
        {"pins": [2**62 - 1, 2**62 - 1]},
        {"target_count": 2**62 - 1, "lateness_max_ns": 2**62 - 1},
    ],
    ids=str,
)
def test_an_interval_far_from_the_others_keeps_no_page_and_no_worker_busy(
    agent: Agent, database: Database, viewer_get: Callable[[str], Any], far: dict[str, Any]
) -> None:
    """Whoever went through every number or hour up to it would never end."""
    assert agent.announce().status_code == 201
    rows = [interval(number, seq) for number in (0, 1) for seq in range(4)]
    answer = agent.send([*rows, *({**interval(number, 9), **far} for number in (0, 1))])
    if answer.status_code != 200:
        assert answer.status_code == 422, answer.text
        return
    for path in ("", "/timeline", "/course", "/percentiles", "/exceedance", "/findings", "/report"):
        assert viewer_get(f"/api/v1/runs/{agent.run_id}{path}").status_code < 500
    judge(transactions_of(database, None), UUID(agent.run_id), utc_now())
    for path in ("", "/timeline", "/course", "/percentiles", "/exceedance", "/findings", "/report"):
        assert viewer_get(f"/api/v1/runs/{agent.run_id}{path}").status_code < 500


def test_a_run_stored_before_there_was_a_schema_troubles_no_list(
    agent: Agent, database: Database, viewer_get: Callable[[str], Any]
) -> None:
    assert agent.announce().status_code == 201
    with database.transaction() as session:
        stored = {"ladder": [1], "x": 10**400, "deep": json.loads("[" * 300 + "]" * 300)}
        session.execute(
            text(
                "UPDATE run SET plan = CAST(:plan AS jsonb), host = CAST(:host AS jsonb) WHERE run_id = :run"
            ),
            {"plan": json.dumps(stored), "host": json.dumps({"block_devices": 7}), "run": agent.run_id},
        )
    page = viewer_get("/api/v1/runs")
    assert page.status_code == 200
    assert agent.run_id in [run["run_id"] for run in page.json()["runs"]]
    detail = viewer_get(f"/api/v1/runs/{agent.run_id}")
    assert detail.status_code == 200
    assert list(detail.json()["plan"]) == ["unreadable"]
    assert "block_devices" in detail.json()["host"]["unreadable"]
    for path in ("findings", "timeline", "ladder", "report"):
        assert viewer_get(f"/api/v1/runs/{agent.run_id}/{path}").status_code < 500
    assert viewer_get("/api/v1/leaderboard").status_code == 200


@pytest.fixture
def viewer_get(client: TestClient, make_token: Callable[..., str]) -> Callable[[str], Any]:
    """Reads as a viewer of this test's organisation."""
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    return lambda path: client.get(path, headers=headers)
