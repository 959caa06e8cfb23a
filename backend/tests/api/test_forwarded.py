"""Whose address a request has: the peer's, or the last one that a trusted proxy names."""

import httpx
import pytest
from backend.tests.listening import listening
from fastapi.testclient import TestClient
from pydantic import ValidationError
from sqlalchemy import select

from tailroom.api.app import create_app
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.people.guard import SignInGuard
from tailroom.storage.person import PersonSession

SIGN_IN = "/api/v1/session/person"


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Addresses by which guesses at passwords were counted."""
    found: list[str] = []
    take = SignInGuard.take

    def noted(guard: SignInGuard, email: str, address: str, *, is_known_here: bool) -> object:
        found.append(address)
        return take(guard, email, address, is_known_here=is_known_here)

    monkeypatch.setattr(SignInGuard, "take", noted)
    return found


def guess(client: httpx.Client, **headers: str) -> None:
    body = {"email": "nobody@people.example", "password": "not the password"}
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    answer = client.post(SIGN_IN, json=body, headers=sent)
    assert answer.status_code in (401, 429), answer.text


def test_nobody_chooses_the_address_that_guesses_are_counted_by(settings: Settings, seen: list[str]) -> None:
    """By the product's own server, where no proxy is trusted: not even from this machine."""
    with listening(settings) as url, httpx.Client(base_url=url) as client:
        for text in ("192.0.2.7", "any text at all", "x" * 500, "127.0.0.2, 10.0.0.1"):
            guess(client, X_Forwarded_For=text)
    assert set(seen) == {"127.0.0.1"}


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("1.2.3.4, 192.0.2.7", "192.0.2.7"),
        ("2001:DB8::7", "2001:db8::7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("any text", "10.0.0.1"),
        ("192.0.2.7, unknown", "10.0.0.1"),
        ("192.0.2.7:80", "10.0.0.1"),
        ("١٩٢.0.2.7", "10.0.0.1"),
        ("x" * 500, "10.0.0.1"),
        ("", "10.0.0.1"),
    ],
)
def test_a_trusted_proxy_names_an_address_or_nothing(
    settings: Settings, seen: list[str], forwarded: str, address: str
) -> None:
    behind = settings.model_copy(update={"trusted_proxies": ("10.0.0.0/8", "fd00::/8")})
    with TestClient(create_app(behind), client=("10.0.0.1", 50_000)) as proxy:
        body = {"email": "nobody@people.example", "password": "not the password"}
        proxy.post(SIGN_IN, json=body, headers={"X-Forwarded-For": forwarded.encode()})
    assert seen == [address]


def test_a_stranger_is_no_trusted_proxy(settings: Settings, seen: list[str]) -> None:
    behind = settings.model_copy(update={"trusted_proxies": ("10.0.0.0/8", "fd00::/8")})
    with TestClient(create_app(behind), client=("192.0.2.99", 50_000)) as stranger:
        guess(stranger, X_Forwarded_For="192.0.2.7")
    assert seen == ["192.0.2.99"]


def test_a_proxy_says_which_scheme_and_only_one_of_two(settings: Settings) -> None:
    app = create_app(settings.model_copy(update={"trusted_proxies": ("10.0.0.0/8",), "open_sign_up": True}))
    with TestClient(app, client=("10.0.0.1", 50_000)) as proxy:
        secure = proxy.get(
            "/api/v1/runs", headers={"X-Forwarded-Proto": "https", "Cookie": "tailroom_session=x"}
        )
        assert secure.json()["code"] == "token-missing", "over TLS the cookie has another name"
        for scheme in ("javascript", "httpsx", ""):
            answer = proxy.get(
                "/api/v1/runs", headers={"X-Forwarded-Proto": scheme, "Cookie": "tailroom_session=x"}
            )
            assert answer.json()["code"] == "token-unknown"


def test_no_text_but_an_address_stands_in_a_session(database: Database) -> None:
    """Of everything that the tests before left."""
    with database.transaction() as session:
        addresses = set(session.scalars(select(PersonSession.address)))
    assert all(len(one) <= 45 for one in addresses)


@pytest.mark.parametrize("networks", ["*", "10.0.0.1/8", "proxy.example", "10.0.0.0/8,x"])
def test_a_setting_that_is_no_network_is_refused_at_the_start(
    networks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAILROOM_TRUSTED_PROXIES", networks)
    with pytest.raises(ValidationError):
        Settings()
