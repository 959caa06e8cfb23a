"""docker-compose with settings of its own, as a trial drives it."""

import contextlib
import re
import secrets
import shutil
import socket
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from backend.deploy.steps import TrialFailed, run

SERVICES = ("database", "broker", "api", "worker", "background", "beat", "web")
SECRETS = ("TAILROOM_DATABASE_PASSWORD", "TAILROOM_BROKER_PASSWORD")


class Deployment:
    """docker-compose on one engine, with settings of its own, reachable on two free ports of this machine."""

    def __init__(self, engine: Mapping[str, str], folder: Path) -> None:
        """Choose ports and passwords; nothing is started yet."""
        self.folder = folder
        self.tls = folder / "tls"
        self.authority = folder / "authority.pem"
        shutil.rmtree(self.tls, ignore_errors=True)
        self.tls.mkdir()
        shutil.rmtree(folder / "spool", ignore_errors=True)
        self.http_port, self.https_port = _free_ports(2)
        self.environment = {
            **engine,
            "COMPOSE_PROJECT_NAME": "tailroom-trial",
            "COMPOSE_HTTP_TIMEOUT": "180",
            "TAILROOM_VERSION": "trial",
            "TAILROOM_PUBLIC_HOST": "localhost",
            "TAILROOM_PUBLIC_HTTP_BIND": f"127.0.0.1:{self.http_port}",
            "TAILROOM_PUBLIC_HTTPS_BIND": f"127.0.0.1:{self.https_port}",
            "TAILROOM_PUBLIC_HTTPS_PORT": str(self.https_port),
            "TAILROOM_TLS_DIR": str(self.tls),
            **{name: secrets.token_hex(32) for name in SECRETS},
        }

    @property
    def url(self) -> str:
        """Return the address of the deployment without TLS."""
        return f"http://localhost:{self.http_port}"

    @property
    def secure_url(self) -> str:
        """Return the address of the deployment with TLS, after it has a certificate."""
        return f"https://localhost:{self.https_port}"

    def compose(self, *arguments: str, capture: bool = False) -> str:
        """Run docker-compose; raises `TrialFailed` when it fails, otherwise returns what was captured."""
        return run(["docker-compose", *arguments], environment=self.environment, capture=capture)

    def wait_until_healthy(self, limit_s: float = 180, services: Sequence[str] = SERVICES) -> None:
        """Wait until every service reports healthy; the error of a failure holds the end of each log."""
        deadline = time.monotonic() + limit_s
        states: dict[str, str] = {}
        while time.monotonic() < deadline:
            states = {service: self._health(service) for service in services}
            if all(state == "healthy" for state in states.values()):
                return
            time.sleep(1)
        logs = self.compose("logs", "--no-color", "--tail", "40", capture=True)
        raise TrialFailed(f"not all services became healthy within {limit_s:.0f} s: {states}\n{logs}")

    def _health(self, service: str) -> str:
        containers = self.compose("ps", "-q", service, capture=True).split()
        if not containers:
            return "absent"
        command = ["docker", "inspect", "--format", "{{.State.Health.Status}}", *containers]
        states = set(run(command, environment=self.environment, capture=True).split())
        return " and ".join(sorted(states))

    def token(self, scope: str) -> str:
        """Make an access token the documented way and return its text."""
        text = self.compose(
            "exec", "-T", "api", "tailroom", "token", "create",
            "--organisation", "trial", "--name", f"trial {scope}", "--scope", scope,
            capture=True,
        )  # fmt: skip
        match = re.search(rf"tlr_{scope}_[A-Za-z0-9_-]{{49}}", text)
        if match is None:
            raise TrialFailed(f"`tailroom token create` printed no token of scope {scope}: {text!r}")
        return match.group()


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in sockets]
