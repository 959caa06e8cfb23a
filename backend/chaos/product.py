"""The product as a person starts it, in a folder of its own; its processes can be killed by role."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from backend.chaos.nodes import Node

ROOT = Path(__file__).resolve().parents[2]
AGENT = Path(os.environ.get("TAILROOM_AGENT", ROOT / "target" / "release" / "tailroom-agent"))
ROLES = {
    "api": re.compile(r"tailroom\.cli\.main serve\b|\btailroom serve\b"),
    "worker": re.compile(r"tailroom_workers\.app\S* .*\bworker\b"),
    "valkey": re.compile(r"valkey-server\S* "),
    "postgres": re.compile(r"\bpostgres -D|/postgres "),
}
"""How each role's own processes are recognised by their command line."""
_COORDINATOR, _NODE = "coordinator", "node"
_READY_WITHIN_S = 600.0
_PAUSE_S = 0.1
_DISK = "disk"
_ZEROS = bytes(1 << 16)
Json = dict[str, Any]


def await_answer(ask: Callable[[], Any], within_s: float, what: str) -> Any:
    """The first answer that counts as true; raises TimeoutError."""
    until = time.monotonic() + within_s
    while True:
        try:
            if answer := ask():
                return answer
        except (OSError, ValueError):
            pass  # away, or an answer that was cut off
        if time.monotonic() > until:
            raise TimeoutError(f"not within {within_s:.0f} s: {what}")
        time.sleep(_PAUSE_S)


class Product:
    """A product that runs."""

    def __init__(
        self, folder: Path, port: int, process: subprocess.Popen[bytes], nodes: Sequence[Node] = ()
    ) -> None:
        self.folder, self.port, self.process = folder, port, process
        self._nodes = nodes

    @property
    def roles(self) -> list[str]:
        """Return the roles that can be killed."""
        if not self._nodes:
            return [*ROLES]
        return [*(role for role in ROLES if role != "postgres"), _COORDINATOR, _NODE]

    @property
    def disk(self) -> Path | None:
        """The small disk of its own that it keeps everything on, if it has one."""
        place = self.folder / _DISK
        return place if place.is_mount() else None

    def fill_disk(self, hold_s: float) -> None:
        """Leaves no byte free for a while."""
        ballast = self.folder / _DISK / "ballast"
        try:
            with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
                while True:
                    file.write(_ZEROS)
            time.sleep(hold_s)
        finally:
            ballast.unlink()

    @property
    def token_file(self) -> Path:
        """What lets agents in."""
        return (self.disk or self.folder) / "home" / "agent-token"

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> Json:
        """Return the answer of the API. Raise OSError without an answer."""
        with self._ask(path, headers) as answer:
            document: Json = json.load(answer)
            return document

    def status(self, path: str, headers: Mapping[str, str]) -> int:
        """How the API answers."""
        try:
            with self._ask(path, headers) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code

    def _ask(self, path: str, headers: Mapping[str, str] | None) -> Any:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=dict(headers or {}))
        return urllib.request.urlopen(request, timeout=10)  # noqa: S310 - loopback

    def await_ready(self) -> None:
        """Returns when the product is ready; raises TimeoutError, or RuntimeError where it has ended."""

        def ready() -> bool:
            if self.process.poll() is not None:
                raise RuntimeError(f"the product ended:\n{(self.folder / 'log').read_text()[-2000:]}")
            return bool(self.get("/readyz")["status"] == "ready")

        await_answer(ready, _READY_WITHIN_S, "/readyz says ready")

    def kill(self, role: str) -> int:
        """Kills every process of a role at once; how many there were. Of nodes other than the coordinator it
        is each in its turn.
        """
        if role in (_COORDINATOR, _NODE):
            first, *remaining = self._nodes
            remaining = [*remaining[1:], *remaining[:1]]
            self._nodes = [first, *remaining]
            return (first if role == _COORDINATOR else remaining[0]).kill()
        processes = self._processes(role)
        for child in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                child.kill()
        return len(processes)

    def freeze(self, role: str, hold_s: float) -> int:
        """Suspend the processes of a role for a while without closing connections, as in a cut network;
        return how many.
        """
        processes = self._processes(role)
        try:
            for child in processes:
                with contextlib.suppress(psutil.NoSuchProcess):
                    child.suspend()
            time.sleep(hold_s)
        finally:
            for child in processes:
                with contextlib.suppress(psutil.NoSuchProcess):
                    child.resume()
        return len(processes)

    def _processes(self, role: str) -> list[psutil.Process]:
        return [
            child
            for child in psutil.Process(self.process.pid).children(recursive=True)
            if ROLES[role].search(command := _command(child)) and "keeper.py" not in command
        ]


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


@contextmanager
def _small_disk(place: Path, size_bytes: int) -> Iterator[Path]:
    """A file system of so many bytes. Raises CalledProcessError where this user may not mount one."""
    place.mkdir()
    options = f"size={size_bytes},mode=0755"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tailroom-chaos", str(place)], check=True)  # noqa: S603, S607
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=False)  # noqa: S603, S607


@contextmanager
def running_product(disk_bytes: int | None = None, citus: str | None = None) -> Iterator[Product]:
    """Starts it and waits until it is ready; ends it as Ctrl-C does. With `disk_bytes` it has a disk of its
    own, which can be filled; with `citus`, the URL of a coordinator, a distributed database.
    """
    with (
        tempfile.TemporaryDirectory(prefix="tailroom-chaos-") as name,
        contextlib.ExitStack() as stack,
        socket.socket() as probe,
    ):
        folder = home = Path(name)
        folder.chmod(0o711)
        if disk_bytes is not None:
            home = stack.enter_context(_small_disk(folder / _DISK, disk_bytes))
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        probe.close()
        environment = os.environ | {"TAILROOM_HOME": str(home / "home"), "TAILROOM_PORT": str(port)}
        command = [sys.executable, "-m", "tailroom.cli.main", "up", "--measure", "no", "--no-example"]
        if citus is not None:
            command = [sys.executable, "-m", "backend.chaos.on_cluster", citus]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)  # noqa: S603
        product = Product(folder, port, process, [] if citus is None else Node.of_cluster(citus))
        try:
            product.await_ready()
            yield product
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
