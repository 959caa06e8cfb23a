"""Tailroom on one machine: PostgreSQL, Valkey, API and worker, background and beat, started in this order.

The API listens on a loopback address only; with local access, which is on by default, all users of this
machine can read the results.
"""

import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import msgspec

from tailroom.embedded.console import Console
from tailroom.embedded.local_api import LocalApi
from tailroom.embedded.lock import HomeLock
from tailroom.embedded.machine_checks import await_free_port, require_space
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.embedded.private_file import write_private
from tailroom.embedded.process import ProcessError, SettingUnusable, Specification, SupervisedProcess, start
from tailroom.embedded.service import EmbeddedService
from tailroom.embedded.supervisor import Supervisor, rotate_log
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.lanes import BACKGROUND, JUDGING
from tailroom.kit.local_services import LocalServices, services_file
from tailroom.kit.settings import Settings

DATABASE = "tailroom"
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_READY_WITHIN_S = 90.0
_PORT_PATIENCE_S = 6.0
_SERVING, _STORING = 1, 2
"""Stages of stopping: programs that use databases stop before the databases."""


@dataclass(frozen=True, slots=True)
class Folders:
    """Paths below Tailroom's private folder."""

    home: Path

    @property
    def log(self) -> Path:
        """Folder of the log files, one for each process."""
        return self.home / "log"

    @property
    def measure(self) -> Path:
        """Folder of plans, and of the temporary file of a device run."""
        return self.home / "measure"

    @property
    def spool(self) -> Path:
        """Folder of measurements not delivered yet."""
        return self.home / "spool"

    @property
    def token(self) -> Path:
        """The agent's access token, readable by us alone."""
        return self.home / "agent-token"

    def make(self) -> None:
        """Create the folders; only our own user may enter them."""
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.home.chmod(0o700)
        for folder in (self.log, self.measure, self.spool):
            folder.mkdir(mode=0o700, exist_ok=True)


class Product:
    """Starts and stops the processes of Tailroom, and starts the agent."""

    def __init__(self, settings: Settings, console: Console, reference: str, people: str) -> None:
        """Store the settings; nothing is started yet.

        `reference` names the module whose `bring_reference` fills a migrated database, `people` the module
        whose `local_link` makes an address that signs the owner of this machine in.
        """
        self._reference, self._people = reference, people
        self.settings = settings
        self.console = console
        self.folders = Folders(settings.home.resolve())
        self.api = LocalApi(settings.host, settings.port)
        self.supervisor = Supervisor(console)
        self._lock: HomeLock | None = None
        self._database_url = ""

    def start(self) -> None:
        """Start everything and wait until it is ready, with a line for each step.

        Raise ProcessError if Tailroom runs already, port or space is missing, or a part does not start;
        SettingUnusable for a host that is not loopback, port 0 or an unusable folder; TimeoutError if the API
        is not ready within 90 s.
        """
        if self.settings.host not in _LOOPBACK:
            raise SettingUnusable(
                f"`make up` lets everybody in who reaches it, so it listens on loopback only and not on "
                f"{self.settings.host}: unset TAILROOM_HOST, or deploy with docker-compose.yml"
            )
        if self.settings.port == 0:
            raise SettingUnusable(
                "TAILROOM_PORT=0 names no port: set it to the port of the pages, such as 8400"
            )
        self._make_folders()
        self._lock = HomeLock(self.folders.home, self.api.origin)
        require_space(self.folders.home)
        patience_s = _PORT_PATIENCE_S if self._lock.predecessor_was_killed else 0.0
        await_free_port(self.settings.host, self.settings.port, patience_s)
        with self.console.step("PostgreSQL"):
            postgres = EmbeddedPostgres.start(self.folders.home / "postgres", self._rotated_log("postgres"))
            self._supervise(postgres)
            postgres.create_database(DATABASE)
        with self.console.step("Valkey"):
            valkey = EmbeddedValkey.start(self.folders.home / "valkey", self._rotated_log("valkey"))
            self._supervise(valkey)
        services = LocalServices(postgres.url(DATABASE), valkey.url, self.api.origin)
        write_private(services_file(self.folders.home), msgspec.json.encode(services).decode())
        environment = self._environment(services)
        programs = self._programs()
        for name in ("API", "worker"):
            self._start_program(name, programs[name], environment)
        with self.console.step("database schema"):
            self._prepare_database(postgres.url(DATABASE))
        with self.console.step("API"):
            self.api.wait_for(
                "/readyz",
                lambda _: True,
                within_s=_READY_WITHIN_S,
                meanwhile=lambda: self.supervisor.require_alive(["API"]),
            )
        with self.console.step("workers"):
            # Last, because nothing waits for it and starting costs every other process time.
            for name in ("background", "beat"):
                self._start_program(name, programs[name], environment)
            self._await_worker(valkey.url)
        self.supervisor.watch()

    def start_measuring(self, specification: Specification) -> SupervisedProcess:
        """Start an agent with its output as a pipe; the product stops it before its other processes.

        Raise ProcessError if it cannot start.
        """
        process = start("agent", specification, log_path=self.folders.log / "agent.log", capture=True)
        self.supervisor.adopt(process)
        return process

    def stop(self) -> None:
        """Stop all processes in order, remove the record of their addresses, and release the data folder."""
        self.supervisor.stop()
        if self._lock is not None:  # without it, the record is that of another product
            services_file(self.folders.home).unlink(missing_ok=True)
            self._lock.release()

    def _make_folders(self) -> None:
        try:
            self.folders.make()
        except OSError as error:
            raise SettingUnusable(
                f"{self.folders.home} cannot be used ({error.strerror}): set TAILROOM_HOME to another"
            ) from error

    def _supervise(self, service: EmbeddedService) -> None:
        def restart() -> SupervisedProcess:
            service.restart()
            return service.process

        self.supervisor.add(service.name, service.process, restart, stop_stage=_STORING)

    def _prepare_database(self, url: str) -> None:
        """Bring the schema up to date, and create the agent's token unless the stored one is valid."""
        # Imported only now, while the API and the worker import the same beside us on another processor.
        preparation = import_module("tailroom.embedded.preparation")
        reference = import_module(self._reference)
        preparation.prepare_database(url, self.settings, self.folders.token, reference.bring_reference)
        self._database_url = url

    def owner_link(self) -> str:
        """Store a sign-in of the owner of this machine; return its address, valid once, for ten minutes."""
        return str(import_module(self._people).local_link(self._database_url, self.api.origin))

    def _environment(self, services: LocalServices) -> Mapping[str, str]:
        """Return the environment of Tailroom's programs: ours with their settings.

        Local access and open sign-up are on unless our environment sets them.
        """
        return {
            **os.environ,
            "TAILROOM_DATABASE_URL": services.database_url,
            "TAILROOM_REDIS_URL": services.redis_url,
            "TAILROOM_HOME": str(self.folders.home),
            "TAILROOM_HOST": self.settings.host,
            "TAILROOM_PORT": str(self.settings.port),
            "TAILROOM_READY_WITH": str(self.folders.token),
            "TAILROOM_LOCAL_ACCESS": os.environ.get("TAILROOM_LOCAL_ACCESS", "yes"),
            "TAILROOM_OPEN_SIGN_UP": os.environ.get("TAILROOM_OPEN_SIGN_UP", "yes"),
            "PYTHONUNBUFFERED": "1",
        }

    def _programs(self) -> Mapping[str, list[str]]:
        python = [sys.executable, "-m"]
        celery = [*python, "celery", "--app", "tailroom_workers.app:app", "--quiet"]
        node = f"tailroom-{secrets.token_hex(4)}"
        judging, background = str(self.settings.judging_processes), str(self.settings.background_processes)
        schedule = self.folders.home / "beat-schedule"
        return {
            "API": [*python, "tailroom.cli.main", "serve"],
            "worker": [*celery, *_worker(f"{node}@%h", judging, JUDGING)],
            "background": [*celery, *_worker(f"{node}-background@%h", background, *BACKGROUND)],
            "beat": [*celery, "beat", "--loglevel", "INFO", "--pidfile", "", "--schedule", str(schedule)],
        }

    def _start_program(self, name: str, command: list[str], environment: Mapping[str, str]) -> None:
        specification = Specification(argv=command, env=environment)
        log_path = self._rotated_log(name.lower())

        def begin() -> SupervisedProcess:
            return start(name, specification, log_path=log_path)

        self.supervisor.add(name, begin(), begin, stop_stage=_SERVING)

    def _await_worker(self, redis_url: str) -> None:
        """Wait until a worker answers. Raise ProcessError if none does in time, or a program has ended."""
        preparation = import_module("tailroom.embedded.preparation")
        for _ in range(int(_READY_WITHIN_S)):
            self.supervisor.require_alive(["API", "worker", "background", "beat"])
            if preparation.worker_answers(redis_url, within_s=1.0):
                return
        raise ProcessError(
            f"no worker answered within {_READY_WITHIN_S:.0f} s: see {self.folders.log / 'worker.log'}"
        )

    def _rotated_log(self, name: str) -> Path:
        path = self.folders.log / f"{name}.log"
        rotate_log(path)
        return path


def _worker(node: str, processes: str, *lanes: str) -> list[str]:
    return [
        *("worker", "--loglevel", "INFO", "--hostname", node),
        *("--concurrency", processes, "--queues", ",".join(lanes)),
    ]
