"""An API that listens, and who starts campaigns there."""

from collections.abc import Callable, Iterator

import pytest
from backend.tests.campaigns.serving import Installation
from backend.tests.listening import listening

from tailroom.kit.settings import Settings


@pytest.fixture(scope="module")
def url(settings: Settings) -> Iterator[str]:
    with listening(settings) as found:
        yield found


@pytest.fixture
def installation(url: str, make_token: Callable[..., str]) -> Installation:
    return Installation(url, make_token("engineer"))
