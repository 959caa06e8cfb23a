"""Counters of drives from the finish message to the API, the findings, the report and the result file."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from backend.tests.agent import GOLDEN, Agent, interval, series
from fastapi.testclient import TestClient
from sqlalchemy import update

from tailroom.judging.judgement import audit, judge
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.storage.run import PUBLIC, Run

COUNTERS: dict[str, Any] = json.loads((GOLDEN / "finish-with-counters.json").read_text())["drive_counters"]
DEVICE = COUNTERS["drives"][0]["devices"][0]
PLAN = {"act_storage": {"path": DEVICE, "large_block_bytes": 131_072, "record_bytes": 1_536}}


@pytest.fixture
def agent(client: TestClient, make_token: Callable[..., str]) -> Agent:
    return Agent(client, make_token("agent"))


def measured(agent: Agent, database: Database, counters: Any = COUNTERS) -> None:
    """Sends a run of two large writes a second and judges it."""
    assert agent.announce(plan=PLAN).status_code == 201
    definition = series(1, operation="large-block-write", device=DEVICE)
    sent = agent.send([interval(1, seq) for seq in range(4)], [definition])
    assert sent.status_code == 200, sent.text
    finished = agent.finish({1: 3}, drive_counters=counters)
    assert finished.status_code == 200, finished.text
    judge(database.transaction, UUID(agent.run_id), datetime.now(UTC))
    audit(database.transaction, UUID(agent.run_id))


def test_the_counters_are_on_the_page_in_the_findings_and_in_the_report(
    agent: Agent, database: Database
) -> None:
    measured(agent, database)
    drive = agent.get("/drive-counters").json()["drives"][0]
    figures = {figure["key"]: figure for figure in drive["figures"]}
    bounds = {key: (figure["lower"], figure["upper"]) for key, figure in figures.items()}
    assert bounds["host_written_bytes"] == (204_800_000, 205_824_000)
    assert bounds["kernel_written_bytes"] == (205_312_000, 205_312_000)
    # Twelve writes were counted, and two time-outs may have been written too.
    assert bounds["agent_written_bytes"] == (12 * 131_072, 14 * 131_072)
    assert bounds["foreign_written_bytes"] == (205_312_000 - 14 * 131_072, 205_312_000 - 12 * 131_072)
    assert figures["write_amplification_ratio"]["text"] == "2.992–3.008"
    assert drive["is_to_the_end"]
    assert [reading["moment"] for reading in drive["readings"]][-1] == "drained"
    assert drive["absent"][0]["source"] == "latency_monitor"
    findings = [finding for finding in agent.get("/findings").json()["findings"] if finding["check"] == "P20"]
    assert [finding["kind"] for finding in findings] == ["other-writers"]
    report = agent.get("/report.html")
    assert "Counters of nvme0n1" in report.text
    assert "2.992–3.008" in report.text
    lines = agent.get("/intervals").text.splitlines()
    assert json.loads(lines[-1])["finish"]["drive_counters"] == COUNTERS


def test_the_same_counters_again_are_harmless_and_others_are_refused(
    agent: Agent, database: Database
) -> None:
    measured(agent, database)
    assert agent.finish({1: 3}, drive_counters=COUNTERS).status_code == 200
    assert agent.finish({1: 3}).status_code == 409
    changed = json.loads(json.dumps(COUNTERS))
    changed["drives"][0]["readings"][0]["values"]["smart.percentage_used"] = 4
    assert agent.finish({1: 3}, drive_counters=changed).status_code == 409
    assert (
        agent.get("/drive-counters").json()["drives"][0]["readings"][0]["values"]["smart.percentage_used"]
        == 3
    )


@pytest.mark.parametrize(
    "break_it",
    [
        lambda drive: drive.update(readings=drive["readings"] * 400),
        lambda drive: drive["readings"][0]["values"].update({"smart.percentage_used": -1}),
        lambda drive: drive["readings"][0]["values"].update({f"smart.n{n}": n for n in range(161)}),
        lambda drive: drive["readings"][0].update(moment="sometime"),
        lambda drive: drive.update(devices=[]),
    ],
)
def test_counters_beyond_the_limits_are_refused(agent: Agent, break_it: Callable[[Any], None]) -> None:
    agent.announce(plan=PLAN)
    broken = json.loads(json.dumps(COUNTERS))
    break_it(broken["drives"][0])
    refused = agent.finish({}, drive_counters=broken)
    assert (refused.status_code, refused.json()["code"]) == (422, "batch-invalid")
    assert agent.get().json()["state"] == "running", "nothing of it was stored"


def test_others_see_neutral_names(
    agent: Agent, database: Database, client: TestClient, make_token: Callable[..., str]
) -> None:
    measured(agent, database)
    with database.transaction() as session:
        session.execute(update(Run).where(Run.run_id == agent.run_id).values(visibility=PUBLIC))
    stranger = Agent(client, make_token("viewer", f"others {new_id()}"), agent.run_id)
    answer = stranger.get("/drive-counters")
    assert answer.status_code == 200, answer.text
    assert "nvme0n1" not in answer.text
    assert DEVICE not in answer.text
    assert answer.json()["drives"][0]["figures"] != []


def test_a_run_without_counters_says_why(agent: Agent, database: Database) -> None:
    measured(agent, database, counters=None)
    answer = agent.get("/drive-counters").json()
    assert answer["drives"] == []
    assert "No counters of drives" in answer["reason"]
