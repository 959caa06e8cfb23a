"""Who else runs on the machine gets at neither server, whether another user or `nobody`."""

import os
import pwd
import socket
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.embedded.runtime import service_identity
from tailroom.embedded.valkey import EmbeddedValkey

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can try what another user can do")
NOBODY = pwd.getpwnam("nobody").pw_uid
STRANGER = 54_321
"""A user without an account."""


def as_user(number: int, attempt: Callable[[], str]) -> str:
    """What an attempt comes to in a process of that user: its answer, or the error."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(number)
            os.setuid(number)
            said = attempt()
        except BaseException as error:  # noqa: BLE001 - whatever it is, the parent judges it
            said = f"{type(error).__name__}: {error}"
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        said = answer.read()
    os.waitpid(child, 0)
    return said


@pytest.fixture(params=[NOBODY, STRANGER], ids=["nobody", "a user without an account"])
def number(request: pytest.FixtureRequest) -> int:
    """A user who is neither root nor the server."""
    return int(request.param)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where one is made, which every start after the first finds."""
    return tmp_path_factory.mktemp("cluster")


@needs_root
def test_nobody_else_reaches_the_database(embedded_postgres: EmbeddedPostgres, number: int) -> None:
    said = as_user(number, lambda: str(psycopg.connect(embedded_postgres.conninfo())))
    assert "OperationalError" in said
    assert "Permission denied" in said


@needs_root
def test_who_gets_to_the_socket_all_the_same_is_refused(cluster: Path) -> None:
    with EmbeddedPostgres.start(cluster / "data", cluster / "log") as postgres:
        folder = Path(psycopg.conninfo.conninfo_to_dict(postgres.conninfo())["host"])  # type: ignore[arg-type]
        folder.chmod(0o755)
        for number in (NOBODY, STRANGER):
            said = as_user(number, lambda: str(psycopg.connect(postgres.conninfo())))
            assert "OperationalError" in said
            assert "Peer authentication failed" in said or "could not look up local user" in said
        with psycopg.connect(postgres.conninfo()) as ours:
            assert ours.execute("SELECT current_user").fetchone() == ("tailroom",)


@needs_root
def test_a_cluster_made_with_trust_is_closed_too(cluster: Path) -> None:
    with EmbeddedPostgres.start(cluster / "data", cluster / "log"):
        pass
    (cluster / "data" / "pg_hba.conf").write_text("local all all trust\n")
    with EmbeddedPostgres.start(cluster / "data", cluster / "log") as postgres:
        folder = Path(psycopg.conninfo.conninfo_to_dict(postgres.conninfo())["host"])  # type: ignore[arg-type]
        folder.chmod(0o755)
        assert "OperationalError" in as_user(NOBODY, lambda: str(psycopg.connect(postgres.conninfo())))


@needs_root
def test_nobody_else_looks_into_the_servers(
    embedded_postgres: EmbeddedPostgres, embedded_valkey: EmbeddedValkey, number: int
) -> None:
    for server in (embedded_postgres, embedded_valkey):
        process = Path(f"/proc/{server.process.pid}")
        for inside in ("fd", "cwd", "environ"):
            assert "PermissionError" in as_user(number, partial(look_into, process / inside)), inside
        assert "PermissionError" in as_user(number, partial(signal_to, server.process.pid))


def look_into(path: Path) -> str:
    """The content of a file, or the names in a folder."""
    return str(path.read_bytes() if path.is_file() else list(path.iterdir()))


def signal_to(pid: int) -> str:
    """That a signal to this process would be allowed."""
    os.kill(pid, 0)
    return "allowed"


@needs_root
def test_nobody_else_reaches_the_broker(embedded_valkey: EmbeddedValkey, number: int) -> None:
    def attempt() -> str:
        client = redis.Redis.from_url(embedded_valkey.url, retry=Retry(NoBackoff(), 0))
        return str(client.ping())

    assert "Permission denied" in as_user(number, attempt)
    path = embedded_valkey.url.removeprefix("unix://").partition("?")[0]

    def connect() -> str:
        with socket.socket(socket.AF_UNIX) as end:
            end.connect(path)
        return "connected"

    assert "PermissionError" in as_user(number, connect)


@needs_root
def test_every_service_has_a_user_of_its_own(
    embedded_postgres: EmbeddedPostgres, embedded_valkey: EmbeddedValkey, tmp_path: Path
) -> None:
    owners = {
        Path(f"/proc/{server.process.pid}").stat().st_uid for server in (embedded_postgres, embedded_valkey)
    }
    assert len(owners) == 2
    assert NOBODY not in owners
    for owner in owners:
        with pytest.raises(KeyError):
            pwd.getpwuid(owner)
    found = service_identity(tmp_path)
    assert found is not None
    assert found.uid not in owners


@needs_root
def test_data_keeps_its_owner_over_a_restart(tmp_path: Path) -> None:
    owners = []
    for _ in range(2):
        with EmbeddedValkey.start(tmp_path / "data", tmp_path / "log"):
            owners.append((tmp_path / "data").stat().st_uid)
    assert owners[0] == owners[1]
