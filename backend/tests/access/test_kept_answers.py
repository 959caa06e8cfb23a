"""An answer is given again only while nothing that it was read from has changed."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import text

from tailroom.access.answer_cache import AnswerCache
from tailroom.access.packing import EncodedResponse
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.revisions import UNSEEN, revisions, watched

SENT = EncodedResponse(200, (), b"{}")


def revision_of(database: Database, table: str) -> int:
    with database.transaction() as session:
        return revisions(session).get(table, 0)


def added_drive(database: Database, organisation_id: Any) -> str:
    slug = f"drive-{new_id()}"
    with database.transaction() as session:
        session.execute(
            text(
                "INSERT INTO catalogue_item (item_id, organisation_id, kind, slug, vendor, name, created_at)"
                " VALUES (:item_id, :owner, 'drive', :slug, 'Vendor', :slug, now())"
            ),
            {"item_id": new_id(), "owner": organisation_id, "slug": slug},
        )
    return slug


def take_away(database: Database, slug: str) -> None:
    """A drive of everybody that a test leaves behind is in the lists of all later tests."""
    with database.transaction() as session:
        session.execute(text("DELETE FROM catalogue_item WHERE slug = :slug"), {"slug": slug})


class TestRevisions:
    def test_a_transaction_that_writes_counts_up_and_one_that_reads_does_not(
        self, database: Database
    ) -> None:
        before = revision_of(database, "catalogue_item")
        with database.transaction() as session:
            session.execute(text("SELECT count(*) FROM catalogue_item"))
            session.execute(text("SELECT item_id FROM catalogue_item LIMIT 1 FOR UPDATE"))
        assert revision_of(database, "catalogue_item") == before
        slug = added_drive(database, None)
        assert revision_of(database, "catalogue_item") == before + 1
        take_away(database, slug)

    def test_one_that_is_rolled_back_does_not(self, database: Database) -> None:
        before = revision_of(database, "publication")
        with database.engine.connect() as connection:
            connection.execute(text("UPDATE publication SET slug = slug"))
            connection.rollback()
        with database.transaction() as session:
            session.execute(text("SELECT 1"))
        assert revision_of(database, "publication") == before

    def test_a_member_counts_too(
        self, client: TestClient, database: Database, make_token: Callable[..., str]
    ) -> None:
        headers = {"Authorization": f"Bearer {make_token('engineer')}"}
        before = revision_of(database, "budget")
        document = {
            "kind": "exceedance",
            "name": "own",
            "version": 1,
            "title": "Own",
            "question": "Are reads fast?",
            "operation": "read",
            "limits": [{"threshold_ns": 1_000_000, "ratio": 0.01}],
        }
        listed = client.get("/api/v1/budgets", headers=headers).json()["items"]
        answer = client.post("/api/v1/budgets", headers=headers, json={"document": document})
        assert answer.status_code == 201, answer.text
        assert revision_of(database, "budget") == before + 1
        assert len(client.get("/api/v1/budgets", headers=headers).json()["items"]) == len(listed) + 1


def test_what_is_read_is_seen(database: Database) -> None:
    with watched() as names, database.transaction() as session:
        session.execute(
            text("SELECT item_id FROM catalogue_item JOIN catalogue_fact USING (item_id) LIMIT 1")
        )
    assert {"catalogue_item", "catalogue_fact"} <= names
    assert "publication" not in names


@pytest.mark.parametrize(
    "path", ["/api/v1/drives?limit=50", "/api/v1/catalogue/drive", "/api/v1/publications", "/api/v1/budgets"]
)
def test_lists_are_kept(client: TestClient, make_token: Callable[..., str], path: str) -> None:
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    app = client.app
    assert isinstance(app, FastAPI)
    kept: AnswerCache = app.state.answer_cache
    before = kept.hits
    first = client.get(path, headers=headers)
    assert first.status_code == 200, first.text
    second = client.get(path, headers=headers)
    assert kept.hits == before + 1
    assert second.content == first.content
    assert second.headers["content-type"] == first.headers["content-type"]
    assert client.get(path).status_code == 401, "the door comes first"


def test_a_kept_list_shows_a_change_at_once(
    client: TestClient, make_token: Callable[..., str], database: Database
) -> None:
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    for _ in range(2):
        assert client.get("/api/v1/catalogue/drive", headers=headers).status_code == 200
    slug = added_drive(database, None)
    try:
        assert slug in client.get("/api/v1/catalogue/drive", headers=headers).text
    finally:
        take_away(database, slug)
    assert slug not in client.get("/api/v1/catalogue/drive", headers=headers).text


def test_what_rests_on_other_tables_or_is_no_success_is_not_kept() -> None:
    kept = AnswerCache(limit_bytes=4_000)
    for names, sent in (
        ({"run"}, SENT),
        ({"budget", "verdict"}, SENT),
        ({"budget", UNSEEN}, SENT),
        ({"budget"}, EncodedResponse(404, (), b"{}")),
        ({"budget"}, EncodedResponse(200, ((b"cache-control", b"private, no-store"),), b"{}")),
        ({"budget"}, EncodedResponse(200, (), bytes(5_000))),
    ):
        kept.keep("question", names, {}, sent)
        assert kept.find("question", {}) is None
    kept.keep("question", {"budget", "no_table"}, {"budget": 3}, SENT)
    assert kept.find("question", {"budget": 3, "upload": 9}) == SENT
    assert kept.find("question", {"budget": 4}) is None
    assert kept.find("question", {"budget": 3}) is None, "what does not hold any more is gone"
