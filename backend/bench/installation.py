"""A temporary installation for measurements: PostgreSQL, Valkey and a migrated database."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tailroom.access.capabilities import Scope
from tailroom.access.service import create_token
from tailroom.cli.reference import bring_reference
from tailroom.embedded.postgres import NOT_DURABLE, EmbeddedPostgres
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.migrations import migrate
from tailroom.kit.settings import Settings
from tailroom.storage.partitions import create_partitions


@dataclass(frozen=True)
class Installation:
    """Settings, database and folder of the installation."""

    settings: Settings
    database: Database
    folder: Path

    def token(self, scope: Scope, organisation: str) -> str:
        """Return a new token of an organisation, which is created if missing."""
        with self.database.transaction() as session:
            return create_token(session, organisation, "bench", scope, utc_now())[1]

    def environment(self) -> Mapping[str, str]:
        """Return environment variables for the product's processes."""
        return os.environ | {
            "TAILROOM_DATABASE_URL": self.settings.database_url,
            "TAILROOM_REDIS_URL": self.settings.redis_url,
            "TAILROOM_HOME": str(self.folder),
        }

    @contextmanager
    def workers(self, processes: int = 2) -> Iterator[None]:
        """Run Celery workers with beat, for all lanes."""
        celery = [sys.executable, "-m", "celery", "--app", "tailroom_workers.app:app", "--quiet", "worker"]
        command = [*celery, "-B", "--concurrency", str(processes), "--schedule", str(self.folder / "beat")]
        with (self.folder / "worker.log").open("wb") as log:
            worker = subprocess.Popen(command, env=self.environment(), stdout=log, stderr=log)  # noqa: S603
        try:
            yield
        finally:
            worker.terminate()
            worker.wait(60)


@contextmanager
def installation() -> Iterator[Installation]:
    """Create an installation with the reference data; its PostgreSQL is not durable, which is faster."""
    with tempfile.TemporaryDirectory(prefix="tailroom-bench-") as name:
        folder = Path(name)
        with (
            EmbeddedPostgres.start(folder / "pg", folder / "pg.log", settings=NOT_DURABLE) as postgres,
            EmbeddedValkey.start(folder / "valkey", folder / "valkey.log") as valkey,
        ):
            postgres.create_database("bench")
            settings = Settings(
                database_url=postgres.url("bench"),
                redis_url=valkey.url,
                home=folder,
                ui_dist=folder,
                allowed_hosts=("testserver", "127.0.0.1"),
            )
            database = Database(settings.database_url, pool_size=4)
            migrate(database.engine, settings.migrations_dir)
            create_partitions(database.engine, utc_now(), 1)
            with database.transaction() as session:
                bring_reference(session)
            try:
                yield Installation(settings, database, folder)
            finally:
                database.dispose()
