"""The embedded PostgreSQL: where it runs, as whom, how it ends, and what it survives."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import psycopg
import pytest
from backend.tests.waiting import is_gone, until

from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.embedded.process import ProcessError

STARTER = """
import sys, time
from pathlib import Path
from tailroom.embedded.postgres import EmbeddedPostgres
folder = Path(sys.argv[1])
postgres = EmbeddedPostgres.start(folder / "data", folder / "log")
print(postgres.process.pid, flush=True)
time.sleep(60)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where one cluster is made, which every start after the first finds."""
    return tmp_path_factory.mktemp("cluster")


def one(postgres: EmbeddedPostgres, question: str) -> object:
    """The single value that a query answers."""
    with psycopg.connect(postgres.conninfo()) as connection:
        row = connection.execute(question.encode()).fetchone()
        assert row is not None
        return row[0]


def test_a_private_folder_with_a_long_path_and_spaces_will_do(tmp_path: Path) -> None:
    private = tmp_path / "nobody may enter"
    private.mkdir(mode=0o700)
    folder = private / ("long " * 30).strip() / ("x" * 200)
    folder.mkdir(parents=True)
    with EmbeddedPostgres.start(folder / "data", folder / "log") as postgres:
        assert one(postgres, "SHOW data_checksums") == "on"
        assert one(postgres, "SHOW server_encoding") == "UTF8"
        assert one(postgres, "SHOW fsync") == "on"
        assert one(postgres, "SELECT 'a' < 'B'") is False  # the order of code points, on every machine
        assert one(postgres, "SELECT lower('Ä')") == "ä"
        server = psutil.Process(postgres.process.pid)
        assert not [c for c in server.net_connections("inet") if c.status == psutil.CONN_LISTEN]
        if os.geteuid() == 0:
            assert server.uids().effective != 0
        assert (folder / "data").stat().st_mode & 0o077 == 0


def test_data_survives_a_restart_and_nothing_else_stays(folder: Path) -> None:
    with EmbeddedPostgres.start(folder / "data", folder / "log") as postgres:
        postgres.create_database("kept")
        postgres.create_database("kept")
        sockets = postgres.url().partition("host=")[2]
        assert Path(sockets).exists()
    assert not Path(sockets).parent.exists()
    with EmbeddedPostgres.start(folder / "data", folder / "log") as postgres:
        assert one(postgres, "SELECT count(*) FROM pg_database WHERE datname = 'kept'") == 1


def test_it_dies_with_its_starter_and_starts_again(folder: Path) -> None:
    starter = subprocess.Popen([sys.executable, "-c", STARTER, str(folder)], stdout=subprocess.PIPE)
    assert starter.stdout is not None
    pid = int(starter.stdout.readline())
    starter.kill()
    starter.wait()
    until(lambda: is_gone(pid))
    with EmbeddedPostgres.start(folder / "data", folder / "log") as postgres:
        assert one(postgres, "SELECT 1") == 1


def test_a_stale_lock_file_that_names_another_process_is_no_obstacle(folder: Path) -> None:
    with EmbeddedPostgres.start(folder / "data", folder / "log"):
        pass
    (folder / "data" / "postmaster.pid").write_text(f"{os.getpid()}\n/elsewhere\n")
    with EmbeddedPostgres.start(folder / "data", folder / "log") as postgres:
        assert one(postgres, "SELECT 1") == 1


def test_a_dead_server_is_started_again_under_the_same_url(folder: Path) -> None:
    with EmbeddedPostgres.start(folder / "data", folder / "log") as postgres:
        url = postgres.url()
        psutil.Process(postgres.process.pid).kill()
        postgres.process.wait(60)
        postgres.restart()
        assert postgres.url() == url
        assert one(postgres, "SELECT 1") == 1


def test_a_half_made_cluster_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "data.new").mkdir()
    (tmp_path / "data.new" / "PG_VERSION").write_text("18\n")
    with EmbeddedPostgres.start(tmp_path / "data", tmp_path / "log") as postgres:
        assert one(postgres, "SELECT 1") == 1


def test_the_folder_of_another_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "PG_VERSION").write_text("15\n")
    with pytest.raises(ProcessError, match="made by PostgreSQL 15, this is 18: move the folder away"):
        EmbeddedPostgres.start(tmp_path / "data", tmp_path / "log")
