"""A backup holds one moment, a damaged one is refused, and what is restored has the same verdicts."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from backend.tests.analysis.recording import (
    SeriesSpec,
    add_intervals,
    add_run,
    finish,
    look_at_run,
    organisation_of,
    steady,
)
from backend.tests.operations.moving import CONTENT, store_file
from sqlalchemy import select, text, update
from typer.testing import CliRunner

from tailroom.access.repository import ensure_organisation
from tailroom.cli.main import build_app
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.raw_files import LocalRawFiles
from tailroom.kit.settings import Settings, get_settings
from tailroom.operations import backup
from tailroom.operations.backup import BackupRefused, Manifest
from tailroom.storage.backup_made import BackupMade
from tailroom.storage.base import Base
from tailroom.storage.slices import AnalysisState
from tailroom.storage.upload import RawFile
from tailroom.storage.verdicts import VerdictRow


class Installation:
    """A database and a store of their own."""

    def __init__(self, url: str, home: Path) -> None:
        self.settings = Settings(database_url=url, home=home)
        self.database = Database(url, pool_size=2)
        self.store = LocalRawFiles(home / "raw-files")

    def save(self, folder: Path) -> Manifest:
        return backup.create(self.settings, self.database, self.store, folder, utc_now())

    def restore(self, folder: Path, *, replace: bool = False) -> Manifest:
        return backup.restore(self.settings, self.database, self.store, folder, replace=replace)

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Every row of every table, as text."""
        with self.database.engine.connect() as connection:
            return {
                table.name: sorted(tuple(map(str, row)) for row in connection.execute(select(table)))
                for table in Base.metadata.sorted_tables
                if table.name != BackupMade.__tablename__  # a backup is on record when it is whole
            }


def filled(url: str, home: Path) -> Installation:
    """One with a judged run and an uploaded file."""
    found = Installation(url, home)
    specs = [SeriesSpec("reads", steady(2_000, 30))]
    with found.database.transaction() as session:
        run_id = add_run(session, specs)
        add_intervals(session, run_id, specs)
        finish(session, run_id, specs)
        look_at_run(session, run_id, utc_now())
        owner = organisation_of(session)
    store_file(found.database, found.store, owner)
    return found


@pytest.fixture(scope="module")
def installation(
    new_database: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """One that no test changes."""
    found = filled(new_database(), tmp_path_factory.mktemp("installation"))
    yield found
    found.database.dispose()


@pytest.fixture
def changed(fresh_postgres_url: str, tmp_path: Path) -> Iterator[Installation]:
    """One for a test alone."""
    found = filled(fresh_postgres_url, tmp_path / "home")
    yield found
    found.database.dispose()


@pytest.fixture(scope="module")
def nothing(
    new_database: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """One with nothing in it."""
    found = Installation(new_database(empty=True), tmp_path_factory.mktemp("nothing"))
    yield found
    found.database.dispose()


@dataclass(frozen=True)
class Restored:
    """A backup, where it was restored, and what was seen of both."""

    folder: Path
    made: Manifest
    read: Manifest
    elsewhere: Installation
    rows: dict[str, list[tuple[Any, ...]]]
    progress: list[tuple[str, int, int]]


@pytest.fixture(scope="module")
def restored(
    installation: Installation, new_database: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Restored]:
    shown: list[tuple[str, int, int]] = []

    @contextmanager
    def progress(doing: str, total_bytes: int) -> Iterator[Callable[[int], None]]:
        pieces: list[int] = []
        yield pieces.append
        shown.append((doing, total_bytes, sum(pieces)))

    place, folder = installation, tmp_path_factory.mktemp("backups") / "backup"
    other = Installation(new_database(empty=True), tmp_path_factory.mktemp("elsewhere"))
    made = backup.create(place.settings, place.database, place.store, folder, utc_now(), progress=progress)
    read = backup.restore(other.settings, other.database, other.store, folder, progress=progress)
    yield Restored(folder, made, read, other, other.rows(), shown)
    other.database.dispose()


@pytest.fixture
def folder(restored: Restored, tmp_path: Path) -> Path:
    """A copy of the backup."""
    return shutil.copytree(restored.folder, tmp_path / "backup")


def test_progress_ends_at_the_bytes_in_all(restored: Restored) -> None:
    copying, reading = "copying uploaded files", "reading uploaded files"
    assert restored.progress == [(doing, len(CONTENT), len(CONTENT)) for doing in (copying, reading, copying)]


def test_what_is_restored_is_what_was_there(installation: Installation, restored: Restored) -> None:
    made = restored.made
    assert (len(made.files_sha256), made.files_missing, made.files_bytes) == (1, (), len(CONTENT))
    assert backup.verify(restored.folder) == restored.read == made
    before = installation.rows()
    assert before["verdict"]
    assert restored.rows == before
    assert b"".join(restored.elsewhere.store.chunks(bytes.fromhex(made.files_sha256[0]))) == CONTENT


def test_judged_again_the_verdicts_are_the_same_bit_for_bit(
    installation: Installation, restored: Restored
) -> None:
    results = select(VerdictRow.run_id, VerdictRow.budget_name, VerdictRow.fingerprint, VerdictRow.result)
    with installation.database.transaction() as session:
        before = sorted(map(str, session.execute(results)))
    with restored.elsewhere.database.transaction() as session:
        run_id = session.scalars(select(AnalysisState.run_id)).one()
        session.execute(update(AnalysisState).values(method_version=0, is_final=False))
        session.execute(text("DELETE FROM verdict"))
    with restored.elsewhere.database.transaction() as session:
        look_at_run(session, run_id, utc_now())
    with restored.elsewhere.database.transaction() as session:
        assert sorted(map(str, session.execute(results))) == before


def test_row_level_security_is_restored(restored: Restored) -> None:
    with restored.elsewhere.database.transaction() as session:
        stranger = ensure_organisation(session, "stranger", utc_now()).id
    with restored.elsewhere.database.transaction(stranger) as session:
        assert session.scalars(select(RawFile.sha256)).all() == []
        assert session.scalars(select(VerdictRow.run_id)).all() == []


@pytest.mark.parametrize("where", ["database.dump", "file"])
def test_one_changed_byte_is_found_and_nothing_is_restored(
    restored: Restored, nothing: Installation, folder: Path, where: str
) -> None:
    name = restored.made.files_sha256[0]
    path = folder / ("database.dump" if where != "file" else f"raw-files/{name[:2]}/{name}")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    with pytest.raises(BackupRefused, match="SHA-256 differs"):
        nothing.restore(folder)
    with nothing.database.engine.connect() as connection:
        assert connection.scalar(text("SELECT to_regclass('run')")) is None
    assert not nothing.store.has(bytes.fromhex(name))


def test_a_backup_that_was_not_finished_is_none(installation: Installation, folder: Path) -> None:
    (folder / "manifest.json").unlink()
    with pytest.raises(BackupRefused, match="no backup, or one that was not finished"):
        backup.verify(folder)
    with pytest.raises(BackupRefused, match="is not empty"):
        installation.save(folder)


def test_a_file_that_the_store_lost_is_named(changed: Installation, tmp_path: Path) -> None:
    with changed.database.transaction() as session:
        session.execute(update(RawFile).values(sha256=b"\x01" * 32))
    made = changed.save(tmp_path / "backup")
    assert (made.files_sha256, made.files_missing) == ((), ("01" * 32,))
    changed.restore(tmp_path / "backup", replace=True)


def test_what_is_there_is_replaced_only_when_asked_and_comes_back_when_that_fails(
    changed: Installation, tmp_path: Path
) -> None:
    made = changed.save(tmp_path / "backup")
    with changed.database.transaction() as session:
        ensure_organisation(session, "later", utc_now())
    later = changed.rows()
    with pytest.raises(BackupRefused, match="not empty"):
        changed.restore(tmp_path / "backup")
    # A whole backup by its sums, but not of a database.
    dump = tmp_path / "backup" / "database.dump"
    whole = dump.read_bytes()
    dump.write_bytes(b"no dump")
    manifest = tmp_path / "backup" / "manifest.json"
    said = manifest.read_text()
    manifest.write_text(said.replace(made.dump_sha256, backup._sha256_of(dump)))
    with pytest.raises(BackupRefused, match="pg_restore failed"):
        changed.restore(tmp_path / "backup", replace=True)
    assert changed.rows() == later
    dump.write_bytes(whole)
    manifest.write_text(said)
    for _ in range(2):  # the same backup once more: what the first brought is set aside as well
        changed.restore(tmp_path / "backup", replace=True)
        assert "later" not in str(changed.rows()["organisation"])


def test_nobody_else_on_the_machine_reads_a_backup(installation: Installation, tmp_path: Path) -> None:
    (tmp_path / "made before").mkdir(mode=0o755)
    for folder in (tmp_path / "new", tmp_path / "made before"):
        installation.save(folder)
        assert (folder / "database.dump").stat().st_mode & 0o077 == 0
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0


def test_on_the_command_line(
    installation: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_app: Callable[..., Any]
) -> None:
    monkeypatch.setenv("TAILROOM_DATABASE_URL", installation.settings.database_url)
    monkeypatch.setenv("TAILROOM_HOME", str(installation.settings.home))
    get_settings.cache_clear()
    run = CliRunner()
    folder = str(tmp_path / "backup")
    made = run.invoke(make_app(), ["backup", "create", folder])
    assert (made.exit_code, "1 uploaded files" in made.output) == (0, True), made.output
    assert run.invoke(make_app(), ["backup", "verify", folder]).exit_code == 0
    refused = run.invoke(make_app(), ["backup", "restore", folder])
    assert (refused.exit_code, "not empty" in refused.output) == (2, True), refused.output


@pytest.fixture
def make_app() -> Iterator[Callable[..., Any]]:
    yield lambda: build_app(["backup"])
    get_settings.cache_clear()
