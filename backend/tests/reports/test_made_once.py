"""A pack and a printed report are made once, and again when the run is not as it was."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import httpx
import pytest
from backend.tests.kit.s3_server import environment, s3_server
from fastapi.testclient import TestClient
from sqlalchemy import update

from tailroom.api.app import create_app
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.reports import endpoints, run_pack
from tailroom.storage.run import Run

Header = dict[str, str]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was made, in order; each is another document."""
    found: list[str] = []

    def make(what: str) -> bytes:
        found.append(what)
        return f"%PDF-{what} {len(found)}".encode()

    monkeypatch.setattr(run_pack, "pack_in_process", lambda *_, **__: make("pack"))
    monkeypatch.setattr(endpoints, "pdf_of", lambda _: make("report"))
    return found


@pytest.fixture
def ask(client: TestClient, viewer: Header, run_id: UUID) -> Callable[[str], httpx.Response]:
    return lambda name: client.get(f"/api/v1/runs/{run_id}/{name}", headers=viewer)


@pytest.mark.parametrize("name", ["pack.zip", "report.pdf"])
def test_it_is_made_once_while_the_run_is_as_it_is(
    ask: Callable[[str], httpx.Response], database: Database, run_id: UUID, made: list[str], name: str
) -> None:
    first, again = ask(name), ask(name)
    assert (first.status_code, first.content) == (200, again.content)
    assert first.headers["content-disposition"] == again.headers["content-disposition"]
    assert len(made) == 1
    with database.transaction() as session:
        session.execute(update(Run).where(Run.run_id == run_id).values(title="another title"))
    assert ask(name).content != first.content
    assert len(made) == 2


@pytest.fixture
def by_address(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[TestClient, Any]]:
    """An installation whose documents are fetched from its object store, and what that holds."""
    changed: dict[str, Any] = {"raw_files": "s3://tailroom", "raw_file_address_s": 60.0}
    with s3_server() as (address, holds):
        for name, value in environment(address).items():
            monkeypatch.setenv(name, value)
        with TestClient(create_app(settings.model_copy(update=changed)), follow_redirects=False) as client:
            yield client, holds


def test_an_object_store_sends_it_to_whoever_may_have_it(
    by_address: tuple[TestClient, Any],
    make_token: Callable[..., str],
    viewer: Header,
    run_id: UUID,
    made: list[str],
) -> None:
    client, holds = by_address
    path = f"/api/v1/runs/{run_id}/pack.zip"
    others = {"Authorization": f"Bearer {make_token('viewer', 'somebody else')}"}
    assert client.get(path, headers=others).status_code == 404
    assert (holds(), made) == ({}, [])
    answer = client.get(path, headers=viewer)
    assert (answer.status_code, answer.headers["cache-control"]) == (307, "no-store")
    there = httpx.get(answer.headers["location"])
    assert there.content == b"%PDF-pack 1"
    assert there.headers["content-disposition"] == f"attachment; filename=tailroom-run-{run_id}.zip"
    assert httpx.get(answer.headers["location"].partition("?")[0]).status_code == 403
    # A page may fetch from nowhere else.
    from_page = client.get(path, headers=viewer | {"Sec-Fetch-Mode": "cors"})
    assert (from_page.status_code, from_page.content, len(made)) == (200, there.content, 1)
