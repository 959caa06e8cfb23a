"""Migrations of the schema: Alembic, run by the application, one process at a time."""

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Engine, text

_LOCK_KEY = 0x7A11_0001
"""Advisory lock held while migrating, so that two processes that start together do not migrate twice."""


def migrate(engine: Engine, migrations_dir: Path, revision: str = "head") -> None:
    """Apply migrations up to `revision`, after other processes. Raise MigrationsMissing without `env.py`."""
    config = _config(migrations_dir)
    with engine.connect() as connection:
        connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _LOCK_KEY})
        connection.commit()
        try:
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
            connection.commit()
        finally:
            connection.rollback()
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _LOCK_KEY})
            connection.commit()


def schema_is_current(engine: Engine, migrations_dir: Path) -> bool:
    """Return whether the schema has every migration of this version, or only unknown ones of a later version.

    False for an empty database. Migrations only add, so this process can serve a later version's schema too.
    Raise MigrationsMissing if the folder has no `env.py`.
    """
    heads, known_revisions = _revisions(migrations_dir)
    with engine.connect() as connection:
        applied = set(MigrationContext.configure(connection).get_current_heads())
    return bool(applied) and (applied == heads or not applied & known_revisions)


@cache
def _revisions(migrations_dir: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Return heads and all revisions, cached by folder. Raise MigrationsMissing without `env.py`."""
    scripts = ScriptDirectory.from_config(_config(migrations_dir))
    return frozenset(scripts.get_heads()), frozenset(
        revision.revision for revision in scripts.walk_revisions()
    )


def knows_revision(migrations_dir: Path, revision: str) -> bool:
    """Return whether the folder has this migration. Raise MigrationsMissing if it has no `env.py`."""
    try:
        return ScriptDirectory.from_config(_config(migrations_dir)).get_revision(revision) is not None
    except CommandError:
        return False


def _config(migrations_dir: Path) -> Config:
    """Return the configuration of Alembic for this folder. Raise MigrationsMissing if it has no `env.py`."""
    if not (migrations_dir / "env.py").is_file():
        message = (
            f"there are no migrations in {migrations_dir}; set TAILROOM_MIGRATIONS_DIR to the folder"
            " `migrations` of the Tailroom release that is installed"
        )
        raise MigrationsMissing(message)
    config = Config()
    config.set_main_option("script_location", str(migrations_dir).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


class MigrationsMissing(RuntimeError):
    """The folder with the migrations is not where the settings say."""
