"""Backups: the database and the uploaded files of one moment in a folder, verified before they are restored.

The database is dumped in the snapshot in which its files are listed, so uploads may go on. Every file is
copied under its SHA-256, which is computed again: the backup notices damage in the store.
"""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

import msgspec
from alembic.migration import MigrationContext
from sqlalchemy import Connection, make_url, select, text

from tailroom.domain.errors import sentence
from tailroom.domain.method import METHOD_VERSION
from tailroom.kit.clock import utc_now
from tailroom.kit.db import MEMBER_ROLE, Database
from tailroom.kit.migrations import knows_revision
from tailroom.kit.raw_files import LocalRawFiles, RawFileDamaged, RawFileMissing, RawFiles
from tailroom.kit.settings import Settings
from tailroom.storage.backup_made import BackupMade
from tailroom.storage.upload import RawFile

FORMAT = 1
_MEMBER_ROLE_EXISTS = (
    f"DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{MEMBER_ROLE}')"
    f" THEN CREATE ROLE {MEMBER_ROLE} NOLOGIN; END IF; END $$"
)
_ASIDE = "set_aside_"
"""Prefix of the schema to which `restore` moves the contents of the database before replacing them."""
_DUMP, _FILES, _MANIFEST = "database.dump", "raw-files", "manifest.json"
Progress = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""Context manager called with a description and a total in bytes.

It yields a function, which is called with the number of bytes of each step.
"""


class BackupRefused(Exception):
    """The backup cannot be made or restored; no row has changed, but files may be copied already."""


class Manifest(msgspec.Struct, frozen=True):
    """Manifest of a backup, written last: a folder without it is no backup. Hashes are hexadecimal."""

    format: int
    made_at: datetime
    product_version: str
    schema_revision: str
    """Alembic revision of the dumped database; empty if it has none."""
    method_version: int
    dump_sha256: str
    dump_bytes: int
    files_sha256: tuple[str, ...]
    """Hashes of the copied files, sorted."""
    files_missing: tuple[str, ...]
    """Hashes of files that the database names but the store does not have, sorted."""
    files_bytes: int
    """Total size of the copied files."""


def _no_progress(_doing: str, _total_bytes: int) -> AbstractContextManager[Callable[[int], None]]:
    return nullcontext(lambda _size_bytes: None)


def create(
    settings: Settings,
    database: Database,
    store: RawFiles,
    folder: Path,
    now: datetime,
    *,
    progress: Progress = _no_progress,
) -> Manifest:
    """Write a backup to an empty or new folder, record it in the database and return its manifest.

    Files that the store does not have are listed in the manifest. Raise BackupRefused if the folder is not
    empty, if `pg_dump` fails, or if a stored file is damaged; RawFilesUnavailable for another error of a
    store.
    """
    if folder.exists() and any(folder.iterdir()):
        raise BackupRefused(f"{folder} is not empty; name a new folder.")
    with _snapshot(database) as (connection, snapshot):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        dump = folder / _DUMP
        dump.touch(mode=0o600)  # pg_dump leaves the mode of a file that exists
        revision = MigrationContext.configure(connection).get_current_revision()
        rows = connection.execute(select(RawFile.sha256, RawFile.size_bytes))
        sizes = {row.sha256: row.size_bytes for row in rows}
        referenced = sorted(sizes)
        _run(
            settings,
            database,
            "pg_dump",
            *(
                "--format=custom",
                f"--exclude-schema={_ASIDE}*",
                "--no-owner",
                f"--snapshot={snapshot}",
                "--file",
            ),
            str(dump),
        )
    copies = LocalRawFiles(folder / _FILES)
    missing, size = [], 0
    with progress("copying uploaded files", sum(sizes.values())) as advance:
        for sha256 in referenced:
            try:
                size += _copy_file(store, copies, sha256, advance)
            except RawFileMissing:
                missing.append(sha256)
    manifest = Manifest(
        FORMAT,
        now,
        version("tailroom"),
        revision or "",
        METHOD_VERSION,
        _sha256_of(dump),
        dump.stat().st_size,
        tuple(sha256.hex() for sha256 in referenced if sha256 not in missing),
        tuple(sha256.hex() for sha256 in missing),
        size,
    )
    unfinished = folder / f"{_MANIFEST}.part"
    unfinished.write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=1))
    with unfinished.open("rb") as file:
        os.fsync(file.fileno())
    unfinished.replace(folder / _MANIFEST)
    with database.transaction() as session:
        session.add(
            BackupMade(
                made_at=now, dump_bytes=manifest.dump_bytes, files_bytes=size, files_missing=len(missing)
            )
        )
    return manifest


def verify(folder: Path, *, progress: Progress = _no_progress) -> Manifest:
    """Read all of a backup again; return its manifest. Raise BackupRefused or RawFilesUnavailable."""
    try:
        manifest = msgspec.json.decode((folder / _MANIFEST).read_bytes(), type=Manifest)
    except OSError as error:
        raise BackupRefused(
            f"{folder} is no backup, or one that was not finished: {_MANIFEST}: {error.strerror}."
        ) from error
    except msgspec.DecodeError as error:
        raise BackupRefused(f"{_MANIFEST} cannot be read: {error}.") from error
    if manifest.format != FORMAT:
        raise BackupRefused(
            f"The backup has form {manifest.format}, and this version of Tailroom reads {FORMAT}; restore it"
            f" with the version that made it ({manifest.product_version})."
        )
    if _sha256_of(folder / _DUMP) != manifest.dump_sha256:
        raise BackupRefused(f"{_DUMP} is not the file that was written: its SHA-256 differs.")
    copies = LocalRawFiles(folder / _FILES)
    with progress("reading uploaded files", manifest.files_bytes) as advance:
        for name in manifest.files_sha256:
            try:
                for chunk in copies.chunks(bytes.fromhex(name)):
                    advance(len(chunk))
            except RawFileMissing:
                raise BackupRefused(f"The uploaded file {name} is missing in the backup.") from None
            except RawFileDamaged:
                raise BackupRefused(
                    f"The uploaded file {name} is not what was written: its SHA-256 differs."
                ) from None
    return manifest


def restore(
    settings: Settings,
    database: Database,
    store: RawFiles,
    folder: Path,
    *,
    replace: bool = False,
    progress: Progress = _no_progress,
) -> Manifest:
    """Restore a backup into a database and its files into the store; return its manifest.

    Everything is verified first. With `replace`, the present schema is renamed to `set_aside_…` with the
    present moment, and renamed back if restoring fails. Raise BackupRefused for a damaged backup, an unknown
    schema, a used database without `replace`, or a failure of `pg_restore`; RawFilesUnavailable for another
    error of a store.
    """
    manifest = verify(folder, progress=progress)
    if not knows_revision(settings.migrations_dir, manifest.schema_revision):
        raise BackupRefused(
            f"This version does not know the schema of the backup ({manifest.schema_revision});"
            f" restore it with version {manifest.product_version} of Tailroom or a later one."
        )
    if not replace and _is_used(database):
        raise BackupRefused(
            "The database is not empty. Name an empty one by TAILROOM_DATABASE_URL, or stop Tailroom and add"
            " --replace, which sets aside what is there."
        )
    copies = LocalRawFiles(folder / _FILES)
    with progress("copying uploaded files", manifest.files_bytes) as advance:
        for name in manifest.files_sha256:
            _copy_file(copies, store, bytes.fromhex(name), advance)
    aside = f"{_ASIDE}{utc_now():%Y%m%d_%H%M%S_%f}"
    _execute(database, _MEMBER_ROLE_EXISTS, *([f"ALTER SCHEMA public RENAME TO {aside}"] if replace else []))
    try:
        # A dump makes no schema that every database has.
        _execute(database, "CREATE SCHEMA IF NOT EXISTS public")
        _run(
            settings,
            database,
            "pg_restore",
            *("--single-transaction", "--exit-on-error", "--no-owner", "--dbname", _name_of(settings)),
            str(folder / _DUMP),
        )
    except BackupRefused:
        if replace:
            _execute(database, "DROP SCHEMA public CASCADE", f"ALTER SCHEMA {aside} RENAME TO public")
        raise
    _execute(database, "ANALYZE")
    return manifest


def _is_used(database: Database) -> bool:
    with database.engine.connect() as connection:
        return bool(connection.scalar(text("SELECT to_regclass('public.run') IS NOT NULL")))


def _execute(database: Database, *statements: str) -> None:
    with database.engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))


@contextmanager
def _snapshot(database: Database) -> Iterator[tuple[Connection, str]]:
    """Yield a connection in a transaction, and the name of its exported snapshot."""
    with database.engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
        # Files may take long to list and dumps to write; nothing waits for this transaction.
        connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        yield connection, str(connection.scalar(text("SELECT pg_export_snapshot()")))
        connection.rollback()


def _copy_file(source: RawFiles, target: RawFiles, sha256: bytes, advance: Callable[[int], None]) -> int:
    """Copy one file; return its size in bytes. `advance` gets the bytes of each chunk.

    Raise BackupRefused if its bytes do not match the hash, RawFileMissing if `source` does not have it,
    RawFilesUnavailable for another error of a store.
    """
    chunks = source.chunks(sha256)
    with target.stage() as staged:
        try:
            for chunk in chunks:
                staged.write(chunk)
                advance(len(chunk))
        except RawFileDamaged as error:
            raise BackupRefused(sentence(error)) from None
        target.store(staged)
        return staged.size_bytes


def _run(settings: Settings, database: Database, program: str, *arguments: str) -> None:
    """Run a PostgreSQL program on the database. Raise BackupRefused if it is not found or fails."""
    command = [_find_program(program, database), *arguments]
    environment = _environment(settings)
    completed = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if completed.returncode:
        messages = completed.stderr.strip().splitlines()
        raise BackupRefused(
            f"{program} failed: {messages[0] if messages else f'exit code {completed.returncode}'}"
        )


def _name_of(settings: Settings) -> str:
    return make_url(settings.database_url).database or "tailroom"


def _environment(settings: Settings) -> dict[str, str]:
    """Return the environment of this process with libpq's variables of the database, also its password."""
    url = make_url(settings.database_url)
    host = url.host or url.query.get("host")
    port = url.port or url.query.get("port")
    libpq_variables = {
        "PGHOST": host,
        "PGPORT": port,
        "PGUSER": url.username,
        "PGPASSWORD": url.password,
        "PGDATABASE": url.database,
    }
    return dict(os.environ) | {name: str(value) for name, value in libpq_variables.items() if value}


def _find_program(program: str, database: Database) -> str:
    """Return the path of a program at least as new as the server, from PATH or the embedded PostgreSQL."""
    with database.engine.connect() as connection:
        server = int(connection.scalar(text("SHOW server_version_num")) or 0) // 10_000
    candidates = [shutil.which(program)]
    try:
        from tailroom.embedded.postgres import program_path  # noqa: PLC0415 - an optional extra

        candidates.append(str(program_path(program)))
    except ImportError:
        pass
    for candidate in candidates:
        if candidate is not None and _major_version(candidate) >= server:
            return candidate
    raise BackupRefused(
        f"{program} of PostgreSQL {server} or later is needed; it is one of PostgreSQL's client programs"
        f" (Debian: postgresql-client-{server})."
    )


def _major_version(program: str) -> int:
    output = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout  # noqa: S603
    match = re.search(r"(\d+)", output)
    return 0 if match is None else int(match[1])


def _sha256_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise BackupRefused(f"{path.name} cannot be read: {error.strerror}.") from error
