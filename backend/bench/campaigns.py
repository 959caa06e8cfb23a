# ruff: noqa: S101, S603
"""What idle agents cost the API: 100 of them, for a minute. `python -m backend.bench.campaigns`."""

import asyncio
import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
from backend.bench.installation import Installation, installation
from backend.tests.campaigns.serving import Installation as Api
from backend.tests.campaigns.serving import wait_for
from backend.tests.enrolled import Enrolled

_AGENTS = 100
_IDLE_S = 60.0
_TICKS = os.sysconf("SC_CLK_TCK")
_PORT = 18_477


@contextlib.contextmanager
def serving_api(place: Installation, host: str, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """A process of the API."""
    environment = dict(place.environment()) | {"TAILROOM_ALLOWED_HOSTS": f'["{host}"]'}
    command = [sys.executable, "-m", "tailroom.cli.main", "serve", "--host", host, "--port", str(port)]
    with (place.folder / "api.log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        wait_for(lambda: _is_ready(f"http://{host}:{port}"), 60)
        yield process
    finally:
        process.terminate()
        process.wait(20)


def _is_ready(url: str) -> bool:
    with contextlib.suppress(httpx.HTTPError):
        return httpx.get(f"{url}/readyz").status_code == 200
    return False


def _processor_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def idle() -> None:
    """Prints the share of a core that the API needs for agents that wait."""
    with installation() as place, serving_api(place, "127.0.0.1", _PORT) as process:
        url = f"http://127.0.0.1:{_PORT}"
        api = Api(url, place.token("engineer", "bench"))
        tokens = []
        for number in range(_AGENTS):
            code = api.post("/agent/codes")["code"]
            with httpx.Client(base_url=url) as client:
                tokens.append(Enrolled(client, code, f"a{number}").ask().json()["token"])

        async def poll(client: httpx.AsyncClient, token: str, until_s: float) -> int:
            polls = 0
            while time.monotonic() < until_s:
                answer = await client.post(
                    f"{url}/api/v1/agent/poll",
                    json={"version": {"version": "1"}, "wait_s": 20},
                    headers={"Authorization": f"Bearer {token}"},
                )
                assert answer.status_code == 200, answer.text
                polls += 1
            return polls

        async def all_of_them() -> int:
            limits = httpx.Limits(max_connections=_AGENTS)
            async with httpx.AsyncClient(limits=limits, timeout=60) as client:
                until_s = time.monotonic() + _IDLE_S
                return sum(await asyncio.gather(*(poll(client, token, until_s) for token in tokens)))

        before, begun = _processor_s(process.pid), time.monotonic()
        polls = asyncio.run(all_of_them())
        spent, lasted = _processor_s(process.pid) - before, time.monotonic() - begun
        print(f"{_AGENTS} idle agents: {polls} questions in {lasted:.0f} s, {spent / lasted:.2%} of a core")


if __name__ == "__main__":
    idle()
