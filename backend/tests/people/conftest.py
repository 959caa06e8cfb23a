"""An installation where anybody may sign up."""

from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher
from fastapi.testclient import TestClient

from tailroom.api.app import create_app
from tailroom.kit.settings import Settings
from tailroom.people import passwords

_QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
_OF_NOBODY = _QUICK.hash("the password of nobody")


@pytest.fixture(autouse=True)
def quick_hashes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed at a thousandth of the price, except where hashes are the matter."""
    if not request.module.__name__.endswith("test_passwords"):
        monkeypatch.setattr(passwords, "_hasher", _QUICK)
        monkeypatch.setattr(passwords, "_DUMMY_HASH", _OF_NOBODY)


@pytest.fixture(scope="module")
def opened(settings: Settings) -> Iterator[TestClient]:
    """The API of an installation where anybody may sign up."""
    with TestClient(create_app(settings.model_copy(update={"open_sign_up": True}))) as found:
        yield found
