"""Decides how the database is spoken to: one request or task is one transaction, and application code never
commits.

`Database.transaction()` opens a session, commits when the block ends well and rolls back when it does not.
What must happen only after the commit (telling others about it) is handed over with `after_commit`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.orm import Session, sessionmaker

from tailroom.kit import pg_arrays
from tailroom.kit.settings import Settings

_AFTER_COMMIT = "tailroom.after_commit"


class Database:
    """The engine of one process and the sessions on it. Threads may share it; processes may not (make it
    after fork).
    """

    def __init__(self, url: str, *, pool_size: int = 12) -> None:
        self.engine = make_engine(url, pool_size=pool_size)
        self._sessions = sessionmaker(self.engine, expire_on_commit=False)

    @classmethod
    def from_settings(cls, settings: Settings) -> "Database":
        """The database the settings name."""
        return cls(settings.database_url, pool_size=settings.database_pool_size)

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """One transaction: committed at the end of the block, rolled back on an exception.

        Functions given to `after_commit` run once the commit has succeeded, in the order in which they were
        given.
        """
        try:
            with self._sessions() as session:
                with session.begin():
                    yield session
                actions = session.info.pop(_AFTER_COMMIT, [])
        except psycopg.OperationalError:
            # Raised past SQLAlchemy, by a cursor of ours: the other pooled connections have most likely
            # died too.
            self.engine.dispose()
            raise
        for action in actions:
            action()

    def dispose(self) -> None:
        """Closes every pooled connection."""
        self.engine.dispose()


def make_engine(url: str, *, pool_size: int = 12) -> Engine:
    """An engine that gives up soon when PostgreSQL is away: ten seconds to connect, ten to wait for a
    connection.
    """
    engine = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=10,
        pool_pre_ping=False,
        connect_args={"connect_timeout": 5, "application_name": "tailroom"},
    )
    event.listen(engine, "connect", lambda connection, _record: pg_arrays.register(connection))
    return engine


def after_commit(session: Session, action: Callable[[], object]) -> None:
    """Runs `action` after the transaction of `session` has been committed, and never if it was not."""
    session.info.setdefault(_AFTER_COMMIT, []).append(action)
