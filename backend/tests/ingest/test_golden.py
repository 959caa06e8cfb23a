"""The golden messages of docs/contracts are taken, in both formats and every encoding, and
answered as they show.
"""

import gzip
from collections.abc import Callable
from typing import Any
from uuid import UUID

import msgspec
import pytest
import zstandard
from backend.tests.agent import GOLDEN, Agent
from fastapi.testclient import TestClient
from sqlalchemy import delete

from tailroom.ingest import service
from tailroom.ingest.wire import Announcement, Batch, Finish
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.notifier import Notifier
from tailroom.kit.settings import Settings
from tailroom.storage.interval import IntervalRow
from tailroom.storage.run import Run
from tailroom.storage.series import Series
from tailroom.storage.work import WorkRow

RUN_ID = UUID("019b76da-a800-7d41-9c3e-5f0a1b2c3d4e")
TYPES = {"json": "application/json", "msgpack": "application/msgpack"}
PACK: dict[str | None, Callable[[bytes], bytes]] = {
    None: lambda content: content,
    "gzip": gzip.compress,
    "zstd": zstandard.compress,
}


CONDITIONS = ("lateness_p99_ns", "busy_ns", "in_flight", "oldest_in_flight_ns", "temperature_millicelsius")


def golden(name: str) -> Any:
    return msgspec.json.decode((GOLDEN / name).read_bytes())


@pytest.fixture
def golden_agent(agent: Agent, database: Database) -> Agent:
    with database.transaction() as session:
        for model in (IntervalRow, Series, Run):
            session.execute(delete(model).where(model.run_id == RUN_ID))
        session.execute(delete(WorkRow).where(WorkRow.subject == RUN_ID))
    agent.run_id = str(RUN_ID)
    return agent


@pytest.mark.parametrize(("form", "encoding"), [("json", None), ("msgpack", "gzip"), ("msgpack", "zstd")])
def test_every_message_is_taken(golden_agent: Agent, form: str, encoding: str | None) -> None:
    def post(path: str, name: str) -> Any:
        content = PACK[encoding]((GOLDEN / f"{name}.{form}").read_bytes())
        headers = {"Content-Type": TYPES[form]} | ({"Content-Encoding": encoding} if encoding else {})
        return golden_agent.post_bytes(path, content, headers)

    announced = post("/api/v1/runs", "announce")
    assert (announced.status_code, announced.json()) == (201, golden("announce-answer.json"))
    sent = post(f"/api/v1/runs/{RUN_ID}/intervals", "intervals")
    last_seq = golden("finish.json")["last_seq"]
    assert sent.status_code == 200, sent.text
    assert sent.json() == {"acknowledged": last_seq, "missing": [], "directive": "continue"}
    finished = post(f"/api/v1/runs/{RUN_ID}/finish", "finish")
    assert (finished.status_code, finished.json()) == (200, golden("finish-answer.json"))
    assert golden_agent.get().json()["state"] == "finished"


def test_formats_mean_the_same() -> None:
    for name, message in (
        ("announce", Announcement),
        ("intervals", Batch),
        ("intervals-with-conditions", Batch),
        ("finish", Finish),
        ("finish-with-counters", Finish),
        ("finish-of-search", Finish),
    ):
        from_json = msgspec.json.decode((GOLDEN / f"{name}.json").read_bytes(), type=message)
        from_msgpack = msgspec.msgpack.decode((GOLDEN / f"{name}.msgpack").read_bytes(), type=message)
        assert from_json == from_msgpack


def test_a_gap_is_named_as_in_the_golden_answer(golden_agent: Agent) -> None:
    batch = golden("intervals.json")
    batch["intervals"] = [one for one in batch["intervals"] if (one["series"], one["seq"]) != (2, 0)]
    golden_agent.post("/api/v1/runs", golden("announce.json"), as_json=True)
    sent = golden_agent.post(f"/api/v1/runs/{RUN_ID}/intervals", batch, as_json=True)
    assert sent.json() == golden("ack.json")


def test_ticks_are_published_as_in_the_golden_event(published: Callable[[str], Any]) -> None:
    assert published("intervals.json") == golden("ticks-event.json")


def test_ticks_say_what_is_known_of_generator_and_drive(published: Callable[[str], Any]) -> None:
    told = {
        (one["series"], one["seq"]): {name: one[name] for name in CONDITIONS if name in one}
        for one in golden("intervals-with-conditions.json")["intervals"]
    }
    ticks = published("intervals-with-conditions.json")["ticks"]
    assert len(ticks) == len(golden("ticks-event.json")["ticks"])
    for tick in ticks:
        said = {name: tick[name] for name in CONDITIONS if name in tick}
        assert said == told[tick["series_no"], tick["seq"]]


@pytest.fixture
def published(
    golden_agent: Agent, database: Database, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> Callable[[str], Any]:
    """The data of the event that follows a golden batch."""

    def publish(name: str) -> Any:
        golden_agent.post("/api/v1/runs", golden("announce.json"), as_json=True)
        batch = msgspec.json.decode((GOLDEN / name).read_bytes(), type=Batch)
        frame = _frame_of(batch, database, monkeypatch, settings)
        assert frame.startswith(b"event: ticks\ndata: ")
        assert frame.endswith(b"\n\n")
        data = frame.partition(b"data: ")[2].strip()
        assert b"\n" not in data
        return msgspec.json.decode(data)

    return publish


def _frame_of(batch: Batch, database: Database, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> bytes:
    with database.transaction() as session:
        run = session.get_one(Run, RUN_ID)
        _, news = service.accept_batch(
            session, run.organisation_id, RUN_ID, service.check_batch(batch), utc_now()
        )
    frames: list[bytes] = []
    notifier = Notifier(settings.redis_url)
    monkeypatch.setattr(notifier, "publish", lambda _run_id, frame: frames.append(frame))
    news.publish(notifier)
    notifier.close()
    return frames[0]


def test_a_refusal_has_the_form_of_the_golden_problem(golden_agent: Agent) -> None:
    golden_agent.post("/api/v1/runs", golden("announce.json"), as_json=True)
    batch = golden("intervals.json")
    broken = next(one for one in batch["intervals"] if (one["series"], one["seq"]) == (0, 2))
    broken["pins"] = [4, 9, 1]
    of_histogram = next(one for one in batch["intervals"] if (one["series"], one["seq"]) == (1, 0))
    of_histogram["count"] += 1
    answer = golden_agent.post(f"/api/v1/runs/{RUN_ID}/intervals", batch, as_json=True).json()
    shown = golden("problem.json")
    assert {key: answer[key] for key in ("type", "title", "status", "code")} == {
        key: shown[key] for key in ("type", "title", "status", "code")
    }
    assert [one["field"] for one in answer["problems"]] == ["pins", "histogram"]
    assert answer["problems"][0] == shown["problems"][0]


def test_nothing_but_the_announcing_organisation_sees_the_run(
    golden_agent: Agent, client: TestClient, organisation: str, make_token: Callable[..., str]
) -> None:
    golden_agent.post("/api/v1/runs", golden("announce.json"), as_json=True)
    stranger = Agent(client, make_token(owner=f"not {organisation}"), golden_agent.run_id)
    assert stranger.get().status_code == 404
    assert stranger.send([]).status_code == 404
    assert stranger.finish({}).status_code == 404
    assert stranger.post("/api/v1/runs", golden("announce.json")).json()["code"] == "run-unknown"
