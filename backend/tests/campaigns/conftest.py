"""An API that listens, and who starts campaigns there."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from backend.tests.campaigns.asking import Asking
from backend.tests.campaigns.serving import Installation, Serving
from backend.tests.listening import listening
from backend.tests.waiting import until
from fastapi.testclient import TestClient

from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.settings import Settings


@pytest.fixture(scope="module")
def url(settings: Settings) -> Iterator[str]:
    with listening(settings) as found:
        yield found


@pytest.fixture
def installation(url: str, make_token: Callable[..., str]) -> Installation:
    return Installation(url, make_token("engineer"))


@pytest.fixture
def serve(throw_away_valkey: EmbeddedValkey, tmp_path: Path) -> Iterator[Callable[..., list[Serving]]]:
    """Let agents of these names serve an installation, with more lines of their policies; another target than
    the server, a command that starts them, and how they enrol.
    """
    agents: list[Serving] = []
    of_server = (f"redis://{throw_away_valkey.address}", throw_away_valkey.password or "")

    def start(
        installation: Installation,
        *names: str,
        more: str = "",
        target: tuple[str, str] = of_server,
        before: Sequence[str] = (),
        enrol: Sequence[str] = (),
    ) -> list[Serving]:
        started = []
        for name in names:
            agent = Serving(tmp_path, name, target[1], before=before)
            agents.append(agent)
            started.append(agent)
            agent.allow([target[0]], more)
            done = agent.enrol(installation.url, installation.post("/agent/codes")["code"], *enrol)
            assert done.returncode == 0, done.stderr
            agent.serve()
        # What an agent knows comes with its first question for work, as its clock does.
        until(lambda: all(installation.agents()[name]["clock_error_ns"] is not None for name in names))
        return started

    try:
        yield start
    finally:
        for agent in agents:
            agent.kill()


@pytest.fixture
def asking(client: TestClient, make_token: Callable[..., str], organisation: str) -> Asking:
    return Asking(client, make_token, organisation)
