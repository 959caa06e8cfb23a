"""An installation from which an organisation moves, or to which it comes."""

from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import text

from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.raw_files import LocalRawFiles
from tailroom.operations.organisation_export import export_pack
from tailroom.operations.organisation_pack import TABLES
from tailroom.storage.upload import RawFile

CONTENT = b"a raw log\n" * 1_000


def store_file(database: Database, store: LocalRawFiles, organisation_id: UUID) -> None:
    """Store `CONTENT` as an uploaded file of the organisation."""
    with store.stage() as staged, database.transaction() as session:
        staged.write(CONTENT)
        store.store(staged)
        session.add(
            RawFile(
                organisation_id=organisation_id,
                sha256=staged.sha256,
                size_bytes=len(CONTENT),
                name="act.log",
                stored_at=utc_now(),
            )
        )


class Place:
    """An installation: a database and a store."""

    def __init__(self, url: str, home: Path) -> None:
        self.database = Database(url, pool_size=2)
        self.store = LocalRawFiles(home / "raw-files")

    def export(self, owner: UUID, path: Path) -> Path:
        with path.open("wb") as file:
            export_pack(self.database, self.store, owner, file, utc_now())
        return path

    def rows(self, owner: UUID, *without: str) -> dict[str, list[Any]]:
        """Everything of an organisation, as PostgreSQL prints it."""
        with self.database.engine.connect() as connection:
            return {
                name: sorted(
                    connection.scalars(
                        text(f"SELECT t::text FROM {name} t WHERE {where}"),  # noqa: S608
                        {"id": owner},
                    )
                )
                for name, where in TABLES.items()
                if name not in without
            }
