"""Three agents in network namespaces of their own drive one Valkey; the link of one is cut and comes back."""

import ctypes
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from backend.tests.campaigns.serving import Installation, Serving
from backend.tests.campaigns.test_campaigns import NAMES, PLAN, Tended, Watching, client_of, counts, port_of
from backend.tests.listening import listening

from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings


def ip(*arguments: str) -> None:
    """Changes the network of this thread; what it says when it cannot is the reason."""
    subprocess.run(("ip", *arguments), check=True, capture_output=True, text=True, timeout=20)


def enter(namespace: Path) -> None:
    """Move this thread, and what it starts from here on, into a network namespace."""
    with namespace.open("rb") as file:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.setns(file.fileno(), 0) != 0:
            raise OSError(ctypes.get_errno(), f"cannot enter {namespace}")


class Namespaces:
    """A namespace for each agent, with a wire to one for this thread: a browser on the same machine stops
    loading when a network interface comes or goes."""

    def __init__(self) -> None:
        self.host = "10.66.0.1"
        self.addresses: dict[str, str] = {}
        self._wires: dict[str, str] = {}
        self._spaces: dict[str, str] = {}
        with ExitStack() as undo:
            self._enter_hub(undo)
            for number, name in enumerate(NAMES):
                space, wire, net = f"tailroom{os.getpid()}{name}", f"wire{number}", f"10.66.{number}"
                ip("netns", "add", space)
                undo.callback(subprocess.run, ("ip", "netns", "del", space), check=False, timeout=20)
                ip("link", "add", wire, "type", "veth", "peer", "name", "eth0", "netns", space)
                ip("addr", "add", f"{net}.1/24", "dev", wire)
                ip("link", "set", wire, "up")
                for command in (
                    ("addr", "add", f"{net}.2/24", "dev", "eth0"),
                    ("link", "set", "lo", "up"),
                    ("link", "set", "eth0", "up"),
                    ("route", "add", "default", "via", f"{net}.1"),
                ):
                    ip("-n", space, *command)
                self.addresses[f"{net}.2"], self._wires[name], self._spaces[name] = name, wire, space
            self._undo = undo.pop_all()

    def _enter_hub(self, undo: ExitStack) -> None:
        hub = f"tailroom{os.getpid()}"
        ip("netns", "add", hub)
        undo.callback(subprocess.run, ("ip", "netns", "del", hub), check=False, timeout=20)
        before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        undo.callback(os.close, before)
        enter(Path("/run/netns") / hub)
        undo.callback(enter, Path(f"/proc/self/fd/{before}"))
        ip("link", "set", "lo", "up")

    def before(self, name: str) -> tuple[str, ...]:
        """What runs a command in one of them."""
        return ("ip", "netns", "exec", self._spaces[name])

    def cut(self, name: str, *, cut: bool) -> None:
        """Takes the wire of one away, or gives it back."""
        ip("link", "set", self._wires[name], "down" if cut else "up")

    def close(self) -> None:
        """Takes all of them away."""
        self._undo.close()


@pytest.fixture(scope="module")
def namespaces() -> Iterator[Namespaces]:
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("network namespaces need root and the program ip")
    try:
        made = Namespaces()
    except subprocess.CalledProcessError as error:
        pytest.skip(f"this machine makes no network namespaces: {error.stderr.strip()}")
    yield made
    made.close()


@pytest.fixture(scope="module")
def url(settings: Settings, namespaces: Namespaces) -> Iterator[str]:
    with listening(
        settings.model_copy(update={"allowed_hosts": (namespaces.host,)}), namespaces.host
    ) as found:
        yield found


@pytest.fixture
def target(namespaces: Namespaces, throw_away_valkey: EmbeddedValkey) -> str:
    """The server, where the agents reach it."""
    client_of(throw_away_valkey).config_set("bind", f"127.0.0.1 {namespaces.host}")
    return f"redis://{namespaces.host}:{port_of(throw_away_valkey)}"


@pytest.fixture
def serving(
    installation: Installation,
    namespaces: Namespaces,
    throw_away_valkey: EmbeddedValkey,
    target: str,
    serve: Callable[..., list[Serving]],
) -> None:
    more: dict[str, Any] = {"target": (target, throw_away_valkey.password or "")}
    more |= {"more": "most_connections = 6", "enrol": ("--allow-plain-http",)}
    for name in NAMES:
        serve(installation, name, before=namespaces.before(name), **more)


def seconds(moment: Any) -> float:
    return datetime.fromisoformat(moment).timestamp()


@pytest.mark.usefixtures("serving")
def test_agents_of_three_networks_begin_together_and_one_that_is_cut_off_heals_without_loss(
    installation: Installation,
    database: Database,
    namespaces: Namespaces,
    throw_away_valkey: EmbeddedValkey,
    target: str,
) -> None:
    with Watching(throw_away_valkey) as watching:
        # TCP asks again 0.2, 0.6, 1.4, 3, 6.2, 12.6 and 25.4 s after the cut. A busy machine has it back
        # after 12.6, so some seconds of measuring have to follow 25.4.
        plan = PLAN.format(seconds=30)
        tended = Tended(
            installation, database, installation.begin("networks", plan, target, NAMES, on_lost="degrade")
        )
        running = tended.when(lambda now: now["phases"] and now["phases"][1]["state"] == "running")
        start_s = seconds(running["phases"][1]["start_at"])
        time.sleep(max(0.0, start_s + 1.5 - time.time()))
        namespaces.cut("two", cut=True)
        cut_s = time.time()
        lost = tended.when(lambda now: now["phases"][1]["lost"])
        (named,) = lost["phases"][1]["lost"]
        assert named["agent"] == "two"
        assert seconds(named["at"]) - cut_s <= 5.0
        namespaces.cut("two", cut=False)
        healed = tended.when(lambda now: now["phases"][1]["merged"] == list(NAMES))

    # Each client's first operation as the server saw it, against the instant that was agreed.
    phase = healed["phases"][1]
    firsts = {
        name: watching.first_from(address, start_s - 0.5) - start_s
        for address, name in namespaces.addresses.items()
    }
    allowed_s = max(0.020, phase["apart_ns"] / 1e9)
    assert max(firsts.values()) - min(firsts.values()) <= allowed_s, (firsts, phase["apart_ns"])
    assert all(abs(one) <= allowed_s for one in firsts.values()), (firsts, phase["apart_ns"])

    parts = [counts(installation, agent["runs"]["1"]) for agent in healed["agents"]]
    merged = counts(installation, phase["run_id"])
    assert merged == {key: sum(part[key] for part in parts) for key in parts[0]}
    # At 200 a second: all that was measured before the cut, and more after it.
    before = 200 * (cut_s - start_s)
    assert sum(count for (_, clock), count in parts[1].items() if clock == "service") > before + 100
    assert "two was lost" in installation.get(f"/runs/{phase['run_id']}")["outcome_reason"]
