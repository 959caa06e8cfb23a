"""The reference data of the package, in the database of the API."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tailroom.cli.reference import bring_reference
from tailroom.kit.db import Database

Ask = Callable[..., Any]


@pytest.fixture(scope="session")
def reference(database: Database) -> None:
    """Catalogue, publications, findings and tests of drives are there."""
    with database.transaction() as session:
        bring_reference(session)


@pytest.fixture
def ask(client: TestClient, make_token: Callable[..., str], reference: None) -> Ask:
    """Asks a question of the API, until all tests are judged; the body of a good answer."""
    token = make_token("engineer")

    def get(path: str, status: int = 200, **parameters: Any) -> Any:
        while True:
            response = client.get(
                f"/api/v1{path}", params=parameters, headers={"Authorization": f"Bearer {token}"}
            )
            assert response.status_code == status, response.text
            body = response.json()
            if not (isinstance(body, dict) and body.get("tests_waiting")):
                return body

    return get


@pytest.fixture
def get(client: TestClient, make_token: Callable[..., str], reference: None) -> Ask:
    """Reads as an engineer of an organisation; the document of a good answer, or its text."""
    tokens: dict[str, str] = {}

    def asked(path: str, owner: str, **parameters: Any) -> Any:
        token = tokens.setdefault(owner, make_token("engineer", owner))
        answer = client.get(f"/api/v1{path}", params=parameters, headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200, answer.text
        return answer.json() if answer.headers["content-type"] == "application/json" else answer.text

    return asked
