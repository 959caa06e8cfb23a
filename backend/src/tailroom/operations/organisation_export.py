"""Export of an organisation: everything it owns, from one snapshot, as a zip archive (pack)."""

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import IO
from uuid import UUID

import msgspec
from alembic.migration import MigrationContext
from sqlalchemy import Connection, select, text

from tailroom.kit.db import Database
from tailroom.kit.raw_files import RawFileMissing, RawFiles
from tailroom.operations.organisation_pack import (
    FORMAT,
    MANIFEST,
    MEMBERS,
    ORGANISATION,
    ROWS_AT_ONCE,
    TABLES,
    OrganisationPackRefused,
    PackManifest,
)
from tailroom.storage.upload import RawFile

_OMITTED_COLUMNS = {"watch": ("webhook_url", "webhook_secret")}
"""Columns that are not exported, by table, because they are credentials."""


def export_pack(
    database: Database, store: RawFiles, organisation_id: UUID, file: IO[bytes], now: datetime
) -> PackManifest:
    """Write the pack of an organisation to a file and return its manifest.

    Uploaded files that the store does not have are listed in the manifest. Raise OrganisationPackRefused if
    there is no such organisation, RawFilesUnavailable if a file cannot be read now or is damaged.
    """
    hashes: dict[str, str] = {}
    rows: dict[str, int] = {}
    missing: list[str] = []
    with (
        database.engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as pack,
    ):
        connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        owner = connection.execute(
            text("SELECT to_json(o)::text FROM organisation o WHERE id = :id"), {"id": organisation_id}
        ).scalar()
        if owner is None:
            raise OrganisationPackRefused(f"There is no organisation {organisation_id}.")
        revision = MigrationContext.configure(connection).get_current_revision() or ""
        members = connection.execute(
            text(
                "SELECT coalesce(json_agg(json_build_object('email', email, 'name', name, 'role', role)"
                " ORDER BY email), '[]')::text FROM membership WHERE organisation_id = :id"
            ),
            {"id": organisation_id},
        ).scalar()
        hashes[ORGANISATION], _ = _write_part(pack, ORGANISATION, iter([str(owner).encode()]))
        hashes[MEMBERS], _ = _write_part(pack, MEMBERS, iter([str(members).encode()]))
        for table in TABLES:
            name, lines = f"{table}.jsonl", _rows(connection, table, organisation_id)
            hashes[name], rows[table] = _write_part(pack, name, lines)
        files = select(RawFile.sha256).where(RawFile.organisation_id == organisation_id)
        for sha256 in connection.scalars(files.order_by(RawFile.sha256)).all():
            name = f"files/{sha256.hex()}"
            try:
                hashes[name], _ = _write_part(pack, name, iter(store.chunks(sha256)))
            except RawFileMissing:
                missing.append(sha256.hex())
        name = json.loads(str(owner))["name"]
        manifest = PackManifest(
            FORMAT, now, version("tailroom"), revision, organisation_id, name, rows, hashes, tuple(missing)
        )
        pack.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1))
    return manifest


def to_temporary_file(
    database: Database, store: RawFiles, organisation_id: UUID, now: datetime, folder: Path | None = None
) -> IO[bytes]:
    """Return the pack as an open file at its start, deleted when closed. Raise what `export_pack` raises.

    `folder`: folder of the file, None: that of the system for temporary files.
    """
    file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - the sender closes it
    export_pack(database, store, organisation_id, file, now)
    file.seek(0)
    return file


def _rows(connection: Connection, table: str, organisation_id: UUID) -> Iterator[bytes]:
    of_organisation = TABLES[table]
    row = (
        f"to_jsonb(t) - ARRAY[{', '.join(map(repr, _OMITTED_COLUMNS[table]))}]"
        if table in _OMITTED_COLUMNS
        else "to_json(t)"
    )
    query = text(f"SELECT ({row})::text FROM {table} t WHERE {of_organisation}")  # noqa: S608 - names of ours
    cursor = connection.execution_options(stream_results=True, max_row_buffer=ROWS_AT_ONCE)
    for (line,) in cursor.execute(query, {"id": organisation_id}):
        # JSON of PostgreSQL has no newline outside a string, and inside one it is escaped.
        yield str(line).encode() + b"\n"


def _write_part(pack: zipfile.ZipFile, name: str, chunks: Iterator[bytes]) -> tuple[str, int]:
    """Write one part of the pack; return its SHA-256 in hexadecimal, and the number of chunks.

    An error of `chunks` for the first chunk is raised before the part is created.
    """
    digest, count = hashlib.sha256(), 0
    chunk = next(chunks, None)
    with pack.open(name, "w", force_zip64=True) as part:
        while chunk is not None:
            digest.update(chunk)
            part.write(chunk)
            count += 1
            chunk = next(chunks, None)
    return digest.hexdigest(), count
