"""Quotas: what would be new is refused, and says why; what was announced goes on to its end."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from backend.tests.agent import Agent, interval
from backend.tests.enrolled import Enrolled
from fastapi.testclient import TestClient

from tailroom.access import repository
from tailroom.access.tokens import hash_token
from tailroom.api.app import create_app
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings

OPERATOR = "an-operators-token-of-some-length"
HEADERS = {"Authorization": f"Bearer {OPERATOR}"}
Limit = Callable[..., Any]


@pytest.fixture(scope="module")
def operated(settings: Settings) -> Iterator[TestClient]:
    changed = {"operator_token": OPERATOR}
    with TestClient(create_app(Settings.model_validate({**settings.model_dump(), **changed}))) as found:
        yield found


@pytest.fixture
def limit(operated: TestClient, database: Database, make_token: Callable[..., str]) -> Limit:
    """Sets the quota of this test's organisation."""
    token = make_token("engineer")
    with database.transaction() as session:
        found = repository.find_token(session, hash_token(token))
    assert found is not None

    def set_to(**limits: int) -> Any:
        path = f"/api/v1/operations/organisations/{found.organisation_id}/quota"
        answer = operated.put(path, json=limits, headers=HEADERS)
        assert answer.status_code == 200, answer.text
        return answer.json()

    return set_to


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_run_that_goes_on_is_never_refused(
    operated: TestClient, limit: Limit, make_token: Callable[..., str]
) -> None:
    first, second = Agent(operated, make_token()), Agent(operated, make_token())
    assert first.announce().status_code == 201
    assert first.send([interval(0, 0)]).status_code == 200
    limit(runs=1, requests_per_minute=1)
    refused = second.announce()
    assert (refused.status_code, refused.json()["code"]) == (409, "quota-reached")
    assert "may have 1 runs" in refused.json()["detail"]
    assert "Delete runs" in refused.json()["detail"]
    assert second.send([interval(0, 0)]).status_code == 404, "nothing of it was stored"
    for seq in range(1, 6):
        assert first.send([interval(0, seq)]).status_code == 200
    assert first.announce().status_code == 200, "announced again, it is known"
    limit(runs=2)
    assert second.announce().status_code == 201, "the agent that kept it sends it now"


def test_uploads_and_bytes(operated: TestClient, limit: Limit, make_token: Callable[..., str]) -> None:
    headers = bearer(make_token("engineer"))

    def send(content: bytes) -> Any:
        # Nothing can be read of it, which answers 422; it is stored all the same.
        return operated.post("/api/v1/uploads", files={"file": ("a.log", content)}, headers=headers)

    assert send(b"a" * 1_000).json()["code"] == "upload-unreadable"
    limit(stored_bytes=1_500)
    refused = send(b"b" * 1_000)
    assert (refused.status_code, refused.json()["code"]) == (409, "quota-reached")
    assert send(b"a" * 1_000).json()["code"] == "upload-unreadable", "what was sent before passes"
    limit(uploads_per_day=1)
    assert "in 24 hours" in send(b"c").json()["detail"]
    found = operated.get("/api/v1/quota", headers=headers).json()
    assert found["limits"]["uploads_per_day"] == 1
    assert found["limits"]["stored_bytes"] is None
    assert (found["usage"]["uploads_per_day"], found["usage"]["stored_bytes"]) == (1, 1_000)
    limit()
    assert send(b"c").json()["code"] == "upload-unreadable"


def test_agents(operated: TestClient, limit: Limit, make_token: Callable[..., str]) -> None:
    code = operated.post("/api/v1/agent/codes", headers=bearer(make_token("engineer"))).json()["code"]
    limit(agents=0)
    refused = Enrolled(operated, code).answer
    assert (refused.status_code, refused.json().get("code")) == (409, "quota-reached"), refused.text
    limit(agents=1)
    assert Enrolled(operated, code).answer.status_code == 201, "the code was not used up"


def test_requests(
    operated: TestClient, limit: Limit, make_token: Callable[..., str], organisation: str
) -> None:
    headers = bearer(make_token("viewer"))
    limit(requests_per_minute=3)
    answers = [operated.get("/api/v1/budgets", headers=headers) for _ in range(5)]
    assert [one.status_code for one in answers] == [200, 200, 200, 429, 429]
    assert answers[-1].json()["code"] == "requests-too-many"
    assert int(answers[-1].headers["Retry-After"]) >= 1
    others = bearer(make_token("viewer", f"not {organisation}"))
    assert operated.get("/api/v1/budgets", headers=others).status_code == 200, "others go on"
    limit()
    assert operated.get("/api/v1/budgets", headers=headers).status_code == 200


def test_operators_alone_set_them(operated: TestClient, limit: Limit, make_token: Callable[..., str]) -> None:
    del limit
    path = "/api/v1/operations/organisations/01890000-0000-7000-8000-000000000000/quota"
    assert operated.put(path, json={}, headers=bearer(make_token("engineer"))).status_code == 403
    assert operated.put(path, json={}, headers=HEADERS).json()["code"] == "organisation-unknown"
    wrong = operated.put(path, json={"runs": -1}, headers=HEADERS)
    assert wrong.status_code == 422
