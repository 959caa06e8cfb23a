"""Links to private runs: one run and nothing else, until they end; an ended one tells nothing."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from backend.tests.reports.storing import HOSTILE
from fastapi.testclient import TestClient
from sqlalchemy import select, text, update

from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.reports import link_endpoints, links, run_report
from tailroom.storage.run import Run
from tailroom.storage.run_link import RunLink

Header = dict[str, str]
SHARED = ("", "/report.html", "/report.csv", "/badge.svg", "/chart.svg", "/chart")


def made(client: TestClient, engineer: Header, run_id: UUID, **body: Any) -> dict[str, Any]:
    answer = client.post(f"/api/v1/runs/{run_id}/links", headers=engineer, json=body)
    assert answer.status_code == 201, answer.text
    document: dict[str, Any] = answer.json()
    return document


def test_who_has_the_link_reads_that_run_without_credentials(
    client: TestClient, engineer: Header, store: Callable[..., UUID]
) -> None:
    run_id, other = store(title="the shared run"), store(title="another run")
    path = made(client, engineer, run_id, label="for the auditor")["path"]
    for what in SHARED:
        answer = client.get(f"{path}{what}")
        assert answer.status_code == 200, what
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "another run" not in answer.text
    page = client.get(path).text
    assert "the shared run" in page
    assert "for the auditor" not in page
    assert str(other) not in page
    assert client.get(f"/api/v1/runs/{run_id}").status_code == 401


def test_an_ended_link_says_so_and_nothing_else(
    client: TestClient, engineer: Header, store: Callable[..., UUID], database: Database
) -> None:
    run_id = store(title="the shared run")
    revoked, expired = (made(client, engineer, run_id)["path"] for _ in range(2))
    with database.transaction() as session:
        newest = select(RunLink.link_id).where(RunLink.run_id == run_id).order_by(RunLink.link_id.desc())
        last = session.scalars(newest).first()
        past = utc_now() - timedelta(seconds=1)
        session.execute(update(RunLink).where(RunLink.link_id == last).values(expires_at=past))
    links = client.get(f"/api/v1/runs/{run_id}/links", headers=engineer).json()["links"]
    open_link = next(one for one in links if one["is_open"])
    address = f"/api/v1/runs/{run_id}/links/{open_link['link_id']}"
    for _ in range(2):
        ended = client.delete(address, headers=engineer)
        assert [one["is_open"] for one in ended.json()["links"]] == [False, False]
    for path in (revoked, expired):
        for what in SHARED:
            answer = client.get(f"{path}{what}")
            assert answer.status_code == 410, what
            assert "the shared run" not in answer.text
            assert str(run_id) not in answer.text
            assert "ended" in answer.text


def test_a_link_that_ends_while_the_report_is_made_shows_nothing(
    client: TestClient,
    engineer: Header,
    store: Callable[..., UUID],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run_id = store(title="the shared run")
    document = made(client, engineer, run_id)
    make = run_report.report_of_run

    def made_slowly(*args: Any) -> Any:
        link_id = document["links"][0]["link_id"]
        client.delete(f"/api/v1/runs/{run_id}/links/{link_id}", headers=engineer)
        return make(*args)

    monkeypatch.setattr(link_endpoints, "report_of_run", made_slowly)
    answer = client.get(document["path"])
    assert answer.status_code == 410
    assert "the shared run" not in answer.text


def test_withdrawing_and_deleting_a_run_end_its_links(
    client: TestClient, engineer: Header, store: Callable[..., UUID]
) -> None:
    """Whoever has one learns that it ended, and nothing else."""
    run_id = store(title="the shared run")
    path = made(client, engineer, run_id)["path"]
    client.post(f"/api/v1/runs/{run_id}/publish", headers=engineer)
    assert client.get(path).status_code == 200
    client.post(f"/api/v1/runs/{run_id}/retract", headers=engineer, json={})
    assert client.get(path).status_code == 410
    again = made(client, engineer, run_id)["path"]
    assert client.get(again).status_code == 200
    client.delete(f"/api/v1/runs/{run_id}", headers=engineer)
    for what in SHARED:
        answer = client.get(f"{again}{what}")
        assert answer.status_code == 410, what
        assert "the shared run" not in answer.text


def test_unknown_links_are_pages_that_say_so(client: TestClient) -> None:
    for secret in ("x", "A" * 43, "%00"):
        answer = client.get(f"/shared/{secret}")
        assert answer.status_code in {404, 422}, secret
    badge = client.get(f"/shared/{'A' * 43}/badge.svg")
    assert (badge.status_code, badge.headers["content-type"]) == (404, "image/svg+xml")


def test_links_belong_to_the_owner_of_the_run(
    client: TestClient,
    engineer: Header,
    make_token: Callable[..., str],
    store: Callable[..., UUID],
    database: Database,
) -> None:
    run_id = store()
    link = made(client, engineer, run_id)["links"][0]
    other = {"Authorization": f"Bearer {make_token('engineer', 'owner of nothing')}"}
    viewer = {"Authorization": f"Bearer {make_token('viewer')}"}
    path = f"/api/v1/runs/{run_id}/links"
    for publicly in (False, True):
        if publicly:
            client.post(f"/api/v1/runs/{run_id}/publish", headers=engineer)
        assert client.get(path, headers=other).status_code == 404
        assert client.post(path, headers=other, json={}).status_code == 404
        assert client.delete(f"{path}/{link['link_id']}", headers=other).status_code == 404
    for method, where in (("GET", path), ("POST", path), ("DELETE", f"{path}/{link['link_id']}")):
        assert client.request(method, where, headers=viewer).status_code == 403
    with database.transaction() as session:
        owner = session.get_one(Run, run_id).organisation_id
    for organisation_id, count in ((owner, 1), (new_id(), 0)):
        with database.transaction(organisation_id) as session:
            assert (
                session.scalar(text("SELECT count(*) FROM run_link WHERE run_id = :id"), {"id": run_id})
                == count
            )


def test_the_secret_is_stored_nowhere(
    client: TestClient, engineer: Header, store: Callable[..., UUID], database: Database
) -> None:
    run_id = store()
    document = made(client, engineer, run_id)
    secret = document["path"].removeprefix("/shared/")
    assert secret not in client.get(f"/api/v1/runs/{run_id}/links", headers=engineer).text
    with database.transaction() as session:
        row = session.execute(text("SELECT run_link::text FROM run_link WHERE run_id = :id"), {"id": run_id})
        assert secret not in str(row.all())


@pytest.mark.parametrize(
    "body", [{"days": 0}, {"days": 367}, {"label": "x" * 101}, {"label": HOSTILE + "\x00"}, {"days": "soon"}]
)
def test_what_no_link_can_be_is_refused(
    client: TestClient, engineer: Header, store: Callable[..., UUID], body: dict[str, Any]
) -> None:
    answer = client.post(f"/api/v1/runs/{store()}/links", headers=engineer, json=body)
    assert answer.status_code == 422, answer.text


def test_a_run_has_so_many_links_at_most(
    client: TestClient, engineer: Header, run_id: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(links, "RUN_LINKS", 3)
    for _ in range(3):
        made(client, engineer, run_id)
    answer = client.post(f"/api/v1/runs/{run_id}/links", headers=engineer, json={})
    assert (answer.status_code, answer.json()["code"]) == (409, "links-too-many")
