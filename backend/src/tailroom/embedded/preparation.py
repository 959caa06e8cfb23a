"""Preparation of the database before the first request, and a check that a worker answers.

A module of its own, because importing SQLAlchemy, Alembic and Celery takes longer than starting the servers.
"""

from collections.abc import Callable
from pathlib import Path

from celery import Celery
from kombu.exceptions import OperationalError
from sqlalchemy.orm import Session

from tailroom.access import repository, service
from tailroom.access.tokens import hash_token
from tailroom.embedded.private_file import write_private
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.migrations import migrate
from tailroom.kit.settings import Settings
from tailroom.kit.task_queue import broker_url
from tailroom.storage.local import LOCAL_ORGANISATION
from tailroom.storage.partitions import create_partitions

TOKEN_NAME = "make-up"  # noqa: S105 - the name of a token


def prepare_database(
    url: str, settings: Settings, token_path: Path, bring_reference: Callable[[Session], object]
) -> None:
    """Migrate, create partitions, load reference data, write the agent's token unless a valid one exists."""
    database = Database(url, pool_size=2)
    try:
        migrate(database.engine, settings.migrations_dir)
        create_partitions(database.engine, utc_now(), settings.partition_days_ahead)
        with database.transaction() as session:
            repository.ensure_organisation(session, LOCAL_ORGANISATION, utc_now())
            bring_reference(session)
            text = _stored_token(token_path)
            token = repository.find_token(session, hash_token(text)) if text else None
            if token is None or token.revoked_at is not None:
                _, text = service.create_token(session, LOCAL_ORGANISATION, TOKEN_NAME, "agent", utc_now())
        write_private(token_path, text)
    finally:
        database.dispose()


def worker_answers(redis_url: str, within_s: float) -> bool:
    """Return whether a worker answers a ping over the broker within `within_s` seconds."""
    app = Celery("tailroom-up", broker=broker_url(redis_url), set_as_current=False)
    try:
        return bool(app.control.ping(timeout=within_s, limit=1))
    except OperationalError:
        return False
    finally:
        app.close()


def _stored_token(path: Path) -> str:
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        return ""
