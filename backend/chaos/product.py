"""The product as a person starts it, in a folder of its own; its processes can be killed by role."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parents[2]
AGENT = ROOT / "target" / "release" / "tailroom-agent"
ROLES = {
    "api": re.compile(r"tailroom\.cli\.main serve\b|\btailroom serve\b"),
    "worker": re.compile(r"tailroom_workers\.app\S* .*\bworker\b"),
    "valkey": re.compile(r"valkey-server\S* "),
    "postgres": re.compile(r"\bpostgres -D|/postgres "),
}
"""How each role's own processes are recognised by their command line."""
_READY_WITHIN_S = 180.0
_PAUSE_S = 0.1
Json = dict[str, Any]


def await_answer(ask: Callable[[], Any], within_s: float, what: str) -> Any:
    """The first answer that counts as true; raises TimeoutError."""
    until = time.monotonic() + within_s
    while True:
        try:
            if found := ask():
                return found
        except (OSError, ValueError):
            pass  # away, or an answer that was cut off
        if time.monotonic() > until:
            raise TimeoutError(f"not within {within_s:.0f} s: {what}")
        time.sleep(_PAUSE_S)


class Product:
    """A product that runs."""

    def __init__(self, folder: Path, port: int, process: subprocess.Popen[bytes]) -> None:
        self.folder, self.port, self.process = folder, port, process

    @property
    def token_file(self) -> Path:
        """What lets agents in."""
        return self.folder / "home" / "agent-token"

    def get(self, path: str) -> Json:
        """What the API answers. Raises OSError where it does not."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            found: Json = json.load(answer)
            return found

    def await_ready(self) -> None:
        """Returns when the product is ready; raises TimeoutError, or RuntimeError where it has ended."""

        def ready() -> bool:
            if self.process.poll() is not None:
                raise RuntimeError(f"the product ended:\n{(self.folder / 'log').read_text()[-2000:]}")
            return bool(self.get("/readyz")["status"] == "ready")

        await_answer(ready, _READY_WITHIN_S, "/readyz says ready")

    def kill(self, role: str) -> int:
        """Kills every process of a role at once; how many there were."""
        found = [
            child
            for child in psutil.Process(self.process.pid).children(recursive=True)
            if ROLES[role].search(command := _command(child)) and "keeper.py" not in command
        ]
        for child in found:
            try:
                child.kill()
            except psutil.NoSuchProcess:
                continue
        return len(found)


def _command(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


@contextmanager
def running_product() -> Iterator[Product]:
    """Starts it and waits until it is ready; ends it as Ctrl-C does."""
    with tempfile.TemporaryDirectory(prefix="tailroom-chaos-") as name, socket.socket() as probe:
        folder = Path(name)
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        probe.close()
        environment = os.environ | {"TAILROOM_HOME": str(folder / "home"), "TAILROOM_PORT": str(port)}
        command = [sys.executable, "-m", "tailroom.cli.main", "up", "--measure", "no"]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)  # noqa: S603
        product = Product(folder, port, process)
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
