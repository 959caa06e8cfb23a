"""Every operation of the OpenAPI document, asked as everybody: nothing fails, nothing is undocumented, and
`Allow` names what an address takes. More of the same: `make bench-hostile`.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from backend.tests.access.test_capabilities import routes
from backend.tests.listening import serving
from backend.tests.schema_cases import CONTRACT, attempt, store
from fastapi.testclient import TestClient

from tailroom.access.capabilities import ALLOWED, Capability, Scope
from tailroom.kit.identifiers import new_id
from tailroom.kit.settings import Settings

PATHS = json.loads(CONTRACT.read_text())["paths"]
"""`make check` holds the document against the API."""
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND")
SENT_BY_AGENTS = {Capability.SEND, Capability.SERVE}

ODD_BODIES = {
    "no UTF-8": b"\xff\xfe{}",
    "half a surrogate": b'{"token": "\\ud800", "reason": "\\ud800", "name": "\\udfff"}',
    "NUL": b'{"token": "\\u0000", "reason": "\\u0000", "answers": {"\\u0000": "\\u0000"}}',
    "a huge number": b'{"limit": 1' + b"0" * 5_000 + b', "target_transactions_per_s": 1e999}',
    "no number": b'{"limit": NaN, "target_transactions_per_s": Infinity, "answers": {"a": -Infinity}}',
    "deep": b'{"answers":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "cut short": b'{"answers": {"a',
    "no object": b"[1, 2]",
    "nothing": b"",
}


@pytest.fixture(scope="module")
def url(settings: Settings) -> Iterator[str]:
    """A server whose live streams end soon, so that nobody waits for them."""
    with serving(settings.model_copy(update={"live_max_lifetime_s": 0.1})) as (address, _):
        yield address


@pytest.mark.parametrize("scope", [None, "agent", "viewer", "engineer"])
def test_every_operation_answers_as_documented(
    url: str, scope: Scope | None, make_token: Callable[..., str], tmp_path: Path
) -> None:
    """What a caller may not do is refused before anything of it is read, so that one question tells it; every
    operation is asked in many ways by one of these callers who may: an agent where nobody has to be known.
    """
    known = store(url, make_token("agent"), make_token("engineer"))
    token = None if scope is None else make_token(scope)
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    may = {Capability.NONE} | (frozenset() if scope is None else ALLOWED[scope])
    others = {Capability.NONE} if scope != "agent" else set()
    others |= ALLOWED["engineer"] if scope in ("agent", "viewer") else set()
    responses = {
        (method, path): operation["responses"]
        for path, operations in PATHS.items()
        for method, operation in operations.items()
    }
    allowed, tried_by_others, refused = [], 0, 0
    with httpx.Client(base_url=url, headers=headers, timeout=60) as client:
        for method, path, route in routes():
            if route.needs.capability in may:
                if route.needs.capability in others:
                    tried_by_others += 1
                else:
                    allowed.append(route.operation_id or "")
                continue
            answer = client.request(method, re.sub(r"{\w+}", str(new_id()), path), content=b"\xff{")
            assert answer.status_code == (401 if scope is None else 403), (method, path, answer.text)
            assert str(answer.status_code) in responses[method.lower(), path], (method, path)
            refused += 1
    assert refused + tried_by_others + len(allowed) == len(responses)
    if not allowed:
        return
    tried = attempt(url, tmp_path, token, known, examples=2, seed=13, phases="fuzzing,stateful", only=allowed)
    assert not tried.failures, tried.output
    assert tried.cases >= len(allowed)


def test_allow_names_every_method_of_an_address_and_no_other(client: TestClient) -> None:
    for path, operations in PATHS.items():
        taken = {one.upper() for one in operations}
        address = path.replace("{", "").replace("}", "")
        # One of the common methods that it does not take, and an uncommon one.
        others = [next(method for method in METHODS if method not in taken), METHODS[-1]]
        for method in (*taken, *others):
            answer = client.request(method, address)
            if method in taken:
                assert answer.status_code != 405, (method, path)
            else:
                assert answer.status_code == 405, (method, path)
                assert set(answer.headers["Allow"].split(", ")) == taken, (method, path)


@pytest.mark.parametrize("media_type", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_json_that_calls_itself_otherwise_is_refused(
    client: TestClient, make_token: Callable[..., str], media_type: str
) -> None:
    """A form of another site can send such a text, and no JSON."""
    floors = [{"quantity": "operations_per_s", "above": 1}]
    body = json.dumps({"document": {"kind": "throughput", "name": "of-a-form", "floors": floors}})
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}
    named = {"Content-Type": media_type} if media_type else {}
    answer = client.post("/api/v1/budgets", content=body.encode(), headers=headers | named)
    assert answer.status_code == 422, answer.text
    headers |= {"Content-Type": "application/json"}
    assert client.post("/api/v1/budgets", content=body.encode(), headers=headers).status_code == 201


@pytest.mark.parametrize("content", list(ODD_BODIES.values()), ids=list(ODD_BODIES))
def test_odd_bodies_are_refused_as_documented(
    client: TestClient, make_token: Callable[..., str], content: bytes
) -> None:
    agent, engineer = make_token("agent"), make_token("engineer")
    sent_by_agents = {path for _, path, route in routes() if route.needs.capability in SENT_BY_AGENTS}
    tried = 0
    for path, operations in PATHS.items():
        address = path.replace("{run_id}", str(new_id())).replace("{upload_id}", str(new_id()))
        for method, operation in operations.items():
            if "application/json" not in operation.get("requestBody", {}).get("content", {}):
                continue
            token = agent if path in sent_by_agents else engineer
            headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            answer = client.request(method, address, content=content, headers=headers)
            assert str(answer.status_code) in operation["responses"], (method, path, answer.text)
            assert 400 <= answer.status_code < 500, (method, path, answer.text)
            tried += 1
    assert tried >= 40
