"""What its owner deletes is gone from every table and from the store, and whoever has a link is told so."""

from pathlib import Path
from uuid import UUID

from backend.tests.agent import Agent, interval
from backend.tests.uploads.conftest import ACT, Uploader, stranger, uploader
from sqlalchemy import Uuid, text

from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import first_id_at, new_id
from tailroom.kit.lanes import HOUSEKEEPING
from tailroom.kit.made_documents import open_made_documents
from tailroom.kit.raw_files import LocalRawFiles
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import Transactions, transactions_of
from tailroom.operations import removal
from tailroom.storage.base import Base
from tailroom.work.claims import WorkClaim, forget_services
from tailroom.work.executor import Executor
from tailroom.work.kinds import ERASE

__all__ = ["stranger", "uploader"]

LOG = ACT / "act40_1x_1dev_ms_60s.log"


def erase_everything(settings: Settings, database: Database) -> None:
    """What a worker does."""
    store = LocalRawFiles(settings.home / "raw-files")
    installation = transactions_of(database, None)

    def erase(claim: WorkClaim, transactions: Transactions) -> None:
        made = open_made_documents(None, settings.home)
        removal.erase(transactions, installation, store, made, claim)

    Executor(database, {ERASE.name: erase}, {}).work_through(HOUSEKEEPING, 60.0)


def rows_with(database: Database, column: str, value: UUID) -> dict[str, int]:
    """Rows of every table that name something."""
    found = {}
    with database.transaction() as session:
        for table in Base.metadata.sorted_tables:
            if table.name != "tombstone" and column in table.c and isinstance(table.c[column].type, Uuid):
                query = text(f"SELECT count(*) FROM {table.name} WHERE {column} = :value")  # noqa: S608
                if count := session.scalar(query, {"value": value}):
                    found[table.name] = int(count)
    return found


def delete(one: Uploader, path: str, status: int = 204) -> None:
    answer = one.client.delete(f"/api/v1{path}", headers=one.headers)
    assert answer.status_code == status, answer.text


def test_a_published_run_goes_with_its_verdict_its_upload_and_its_file(
    uploader: Uploader, stranger: Uploader, settings: Settings, database: Database, tmp_path: Path
) -> None:
    log = tmp_path / LOG.name
    # No other test's upload holds this content.
    log.write_bytes(LOG.read_bytes() + b"\n" * (1 + new_id().int % 10_000))
    sent = uploader.send_paths(log)
    (run,) = sent["runs"]
    run_id = run["run_id"]
    uploader.post(f"/runs/{run_id}/publish", {})
    assert uploader.judged(run_id)["verdicts"]
    assert stranger.get(f"/runs/{run_id}")["verdicts"]
    delete(stranger, f"/runs/{run_id}", 404)
    delete(uploader, f"/runs/{run_id}")
    for one in (uploader, stranger):
        told = one.get(f"/runs/{run_id}", 410)
        assert told["code"] == "run-deleted"
        assert f"{utc_now():%Y-%m-%d}" in told["detail"]
        assert run_id not in [found["run_id"] for found in one.get("/runs", limit=200)["runs"]]
    uploader.get(f"/uploads/{sent['upload_id']}", 404)
    erase_everything(settings, database)
    assert rows_with(database, "run_id", UUID(run_id)) == {}
    assert rows_with(database, "upload_id", UUID(sent["upload_id"])) == {}
    sha256 = sent["files"][0]["sha256"]
    assert not LocalRawFiles(settings.home / "raw-files").has(bytes.fromhex(sha256))
    delete(uploader, f"/runs/{run_id}", 404)
    again = uploader.send_paths(log)
    assert again["runs"][0]["run_id"] != run_id


def test_a_file_stays_as_long_as_somebody_holds_its_content(
    uploader: Uploader, stranger: Uploader, settings: Settings, database: Database
) -> None:
    mine, theirs = uploader.send_paths(LOG), stranger.send_paths(LOG, status=None)
    delete(stranger, f"/uploads/{mine['upload_id']}", 404)
    delete(uploader, f"/uploads/{mine['upload_id']}")
    erase_everything(settings, database)
    uploader.get(f"/uploads/{mine['upload_id']}", 404)
    # A private run leaves its tombstone for its owner alone.
    uploader.get(f"/runs/{mine['runs'][0]['run_id']}", 410)
    stranger.get(f"/runs/{mine['runs'][0]['run_id']}", 404)
    sha256 = theirs["files"][0]["sha256"]
    kept = stranger.client.get(f"/api/v1/raw-files/{sha256}", headers=stranger.headers)
    assert kept.content == LOG.read_bytes()
    gone = uploader.client.get(f"/api/v1/raw-files/{sha256}", headers=uploader.headers)
    assert gone.status_code == 404
    assert uploader.judged(uploader.send_paths(LOG)["runs"][0]["run_id"])["verdicts"]


def test_a_deleted_run_is_not_brought_back_by_its_agent(
    agent: Agent, uploader: Uploader, settings: Settings, database: Database
) -> None:
    assert agent.announce().status_code == 201
    assert agent.send([interval(0, seq) for seq in range(5)]).status_code == 200
    delete(uploader, f"/runs/{agent.run_id}")
    assert agent.send([interval(0, 5)]).status_code == 404
    refused = agent.announce()
    assert refused.status_code == 409
    assert "was deleted" in refused.text
    erase_everything(settings, database)
    assert rows_with(database, "run_id", UUID(agent.run_id)) == {}
    assert rows_with(database, "subject", UUID(agent.run_id)) == {}


def test_a_run_whose_id_names_another_day_is_refused(agent: Agent) -> None:
    ahead = first_id_at(utc_now().replace(year=utc_now().year + 1))
    agent.run_id = str(UUID(int=ahead.int | 0x7 << 76 | 0x2 << 62 | 1))
    refused = agent.announce()
    assert refused.status_code == 422
    assert "set the clock" in refused.text


def test_an_organisation_goes_with_everything_it_owns(  # noqa: PLR0917 - each is a fixture
    agent: Agent,
    uploader: Uploader,
    stranger: Uploader,
    settings: Settings,
    database: Database,
    organisation: str,
) -> None:
    assert agent.announce().status_code == 201
    sent = uploader.send_paths(LOG)
    theirs = stranger.send_paths(LOG, status=None)
    public = sent["runs"][0]["run_id"]
    uploader.post(f"/runs/{public}/publish", {})
    with database.transaction() as session:
        owner = session.scalar(
            text("SELECT organisation_id FROM run WHERE run_id = :run"), {"run": UUID(agent.run_id)}
        )
        assert isinstance(owner, UUID)
        removal.delete_organisation(session, owner, utc_now())
    erase_everything(settings, database)
    with database.transaction() as session:
        forget_services(session, utc_now())
    assert rows_with(database, "organisation_id", owner) == {}
    assert uploader.get("/runs", 401)
    assert stranger.get(f"/runs/{public}", 410)["code"] == "run-deleted"
    stranger.get(f"/runs/{agent.run_id}", 404)
    assert stranger.get(f"/uploads/{theirs['upload_id']}")["state"] == "read"


def test_what_was_given_up_is_shown_and_tried_again_on_request(
    agent: Agent, uploader: Uploader, stranger: Uploader, database: Database
) -> None:
    assert agent.announce().status_code == 201
    with database.transaction() as session:
        session.execute(
            text(
                "UPDATE work SET given_up_at = now(), attempts = 5, error = 'ValueError: broken'"
                " WHERE subject = :run"
            ),
            {"run": UUID(agent.run_id)},
        )
    (shown,) = uploader.get(f"/runs/{agent.run_id}")["given_up"]
    assert (shown["work"], shown["attempts"], shown["error"]) == ("judge", 5, "ValueError: broken")
    (listed,) = uploader.get("/work/given-up")["failures"]
    assert listed["subject"] == agent.run_id
    assert stranger.get("/work/given-up")["failures"] == []
    stranger.post(f"/runs/{agent.run_id}/retry", {}, 404)
    assert uploader.post(f"/runs/{agent.run_id}/retry", {}) == {"works": 1}
    assert uploader.post(f"/runs/{agent.run_id}/retry", {}) == {"works": 0}
    assert uploader.get(f"/runs/{agent.run_id}")["given_up"] == []
