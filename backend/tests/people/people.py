"""People of tests: signed up over HTTP, with the mail that the installation stored."""

import re
from itertools import count

from fastapi.testclient import TestClient
from starlette.applications import Starlette

PASSWORD = "seven violet otters negotiate"
_numbers = count(1)


def new_email(name: str = "ada") -> str:
    """An address that no other test has."""
    return f"{name}-{next(_numbers)}@people.example"


def code_for(client: TestClient, email: str) -> str:
    """The code of the newest mail to somebody."""
    app = client.app
    assert isinstance(app, Starlette)
    mails = [one for one in app.state.resources.mailer.stored() if one.to == email.lower()]
    found = re.search(r"#([A-Za-z0-9_-]{43})", mails[0].text)
    assert found is not None, mails[0].text
    return found.group(1)


def mails_to(client: TestClient, email: str) -> list[str]:
    """Subjects of mails to somebody, the newest first."""
    app = client.app
    assert isinstance(app, Starlette)
    return [one.subject for one in app.state.resources.mailer.stored() if one.to == email.lower()]


def another(client: TestClient) -> TestClient:
    """Another browser of the same process."""
    browser = TestClient(client.app, raise_server_exceptions=False)
    # One event loop for all, as the process has; otherwise each request begins one of its own.
    browser.portal = client.portal
    return browser


def signed_up(client: TestClient, organisation: str, email: str | None = None) -> TestClient:
    """A browser in which somebody has signed up and is signed in."""
    browser, address = another(client), email or new_email()
    asked = browser.post("/api/v1/people", json={"email": address, "organisation": organisation})
    assert asked.status_code == 202, asked.text
    body = {"code": code_for(client, address), "password": PASSWORD}
    chosen = browser.put("/api/v1/people/password", json=body)
    assert chosen.status_code == 200, chosen.text
    return browser


def sign_in(client: TestClient, email: str, password: str = PASSWORD) -> TestClient:
    """Another browser in which somebody is signed in."""
    browser = another(client)
    answer = browser.post("/api/v1/session/person", json={"email": email, "password": password})
    assert answer.status_code == 200, answer.text
    return browser
