"""An installation where anybody may sign up."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from tailroom.api.app import create_app
from tailroom.kit.settings import Settings


@pytest.fixture(scope="module")
def opened(settings: Settings) -> Iterator[TestClient]:
    """The API of an installation where anybody may sign up."""
    with TestClient(create_app(settings.model_copy(update={"open_sign_up": True}))) as found:
        yield found
