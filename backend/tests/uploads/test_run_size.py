"""How many series, operations, phases and findings a run may have, at every door that runs come through."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from backend.tests.agent import Agent, series
from backend.tests.analysis.recording import add_run
from backend.tests.uploads.conftest import Uploader
from fastapi.testclient import TestClient
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tailroom.domain.plausibility.finding import Finding
from tailroom.judging.findings import store_findings, stored_findings
from tailroom.kit import limits
from tailroom.kit.db import Database, make_engine
from tailroom.kit.limits import RUN_FINDINGS, RUN_OPERATIONS, RUN_PHASES, RUN_SERIES, run_size_problem
from tailroom.storage.run import Run
from tailroom.storage.series import Series


@pytest.fixture
def session(postgres_url: str) -> Iterator[Session]:
    """A transaction that is rolled back."""
    engine = make_engine(postgres_url)
    with engine.connect() as connection, Session(connection) as found:
        yield found
    engine.dispose()


def ycsb(operations: int) -> bytes:
    lines = ["[OVERALL], RunTime(ms), 10000", "[OVERALL], Throughput(ops/sec), 1000.0"]
    for number in range(operations):
        name = f"OP{number:04}"
        lines += [f"[{name}], Operations, 100", f"[{name}], 99thPercentileLatency(us), 600"]
    return "\n".join(lines).encode()


def test_a_file_of_two_thousand_operations_is_stored_and_makes_no_run(uploader: Uploader) -> None:
    """76 KB; other organisations waited for its pages, and for twenty minutes after it."""
    refusal = uploader.send([("many.log", ycsb(2_000))], 422)
    assert refusal["code"] == "upload-unreadable"
    assert "operations on their clocks, and a run may have 200" in refusal["detail"]
    assert "What was sent is stored" in refusal["detail"]


def test_a_file_of_the_most_operations_is_a_run(uploader: Uploader) -> None:
    (run,) = uploader.send([("most.log", ycsb(RUN_OPERATIONS))])["runs"]
    assert len(run["series"]) == RUN_OPERATIONS


def _announced(client: TestClient, make_token: Callable[..., str]) -> Agent:
    agent = Agent(client, make_token("agent"))
    agent.announce()
    return agent


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        (lambda number: {"operation": f"op{number}"}, "201 operations on their clocks"),
        (lambda number: {"phase": f"phase{number}"}, "1,001 phases"),
        (lambda number: {"device": f"device{number}"}, "2,001 series"),
    ],
    ids=["operations", "phases", "series"],
)
def test_an_agent_announces_no_more_however_many_batches_it_takes(
    client: TestClient,
    database: Database,
    make_token: Callable[..., str],
    changed: Callable[[int], dict[str, Any]],
    reason: str,
) -> None:
    agent, most = _announced(client, make_token), int(reason.split(maxsplit=1)[0].replace(",", "")) - 1
    for begin in range(0, most, 1_000):
        numbers = range(begin, min(begin + 1_000, most))
        answer = agent.send([], [series(number, **changed(number)) for number in numbers])
        assert answer.status_code == 200, answer.text
    refused = agent.send([], [series(most, **changed(most))])
    assert refused.status_code == 422, refused.text
    assert f"it has {reason}" in refused.text
    again = agent.send([], [series(0, **changed(0))])
    assert again.status_code == 200, "what is there already is no more"
    with database.transaction() as session:
        stored = session.scalar(select(func.count()).select_from(Series).where(Series.run_id == agent.run_id))
    assert stored == most


def test_of_too_many_findings_the_weightiest_are_stored(session: Session) -> None:
    run = session.get_one(Run, add_run(session, []))
    found = [Finding(f"C{number:02}", "info", "consistent", "") for number in range(RUN_FINDINGS)]
    found.insert(RUN_FINDINGS // 2, Finding("C90", "high", "contradiction", ""))
    store_findings(session, run, found)
    stored = stored_findings(session, run.run_id)
    assert len(stored) == RUN_FINDINGS
    assert [one.check_id for one in stored if one.severity == "high"] == ["C90"]


def test_each_number_has_its_limit() -> None:
    assert run_size_problem(RUN_SERIES, RUN_OPERATIONS, RUN_PHASES) is None
    for sizes in ((RUN_SERIES + 1, 1, 1), (1, RUN_OPERATIONS + 1, 1), (1, 1, RUN_PHASES + 1)):
        assert run_size_problem(*sizes) is not None
    assert limits.BATCH_SERIES <= RUN_SERIES
