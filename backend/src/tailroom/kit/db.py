"""Database sessions: one request or task is one transaction, and application code never commits.

`Database.transaction()` opens a session, commits when the block succeeds and rolls back when it fails.
`after_commit` registers work for after the commit.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

import msgspec
import psycopg
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.orm import Session, sessionmaker

from tailroom.kit import pg_arrays
from tailroom.kit.settings import Settings

# Keys in `Session.info`.
_AFTER_COMMIT = "tailroom.after_commit"
_WITH_COMMIT = "tailroom.with_commit"
_HINT = "tailroom.hint"
_ORGANISATION = "tailroom.organisation_id"
_SHOWN = "tailroom.shown_runs"
READER = "tailroom.reader"
"""Key in `Session.info` of the id of the organisation that reads; None: the installation itself."""

Hint = Callable[[str, bool], object]
"""Function (lane, at_once) that notifies the workers of a lane (a queue) that work is due.

Without `at_once` it may do nothing if they were notified a moment before. It may fail without harm.
"""
_Statements = list[tuple[LiteralString, Mapping[str, Any]]]
_LONGEST_CONNECTION_S = 300
"""Age in seconds at which a connection is replaced: a server process of PostgreSQL keeps every relation open
that it has touched, and grew by 20 MB in half an hour with partitions made every day."""
MEMBER_ROLE = "tailroom_member"
"""PostgreSQL role of an organisation's transactions: row-level security applies to it (docs/adr/0024)."""


class TimeLimits(NamedTuple):
    """Time limits of PostgreSQL in seconds: for a lock, for one statement, and between two statements."""

    lock_s: float
    statement_s: float
    idle_in_transaction_s: float

    def options(self) -> str:
        """Return the limits as libpq options, in milliseconds."""
        settings = {
            "lock_timeout": self.lock_s,
            "statement_timeout": self.statement_s,
            "idle_in_transaction_session_timeout": self.idle_in_transaction_s,
        }
        return " ".join(f"-c {name}={round(1000 * seconds)}" for name, seconds in settings.items())


class Database:
    """The engine of one process and the sessions on it. Threads may share it; create it after a fork.

    `hint`: notifies workers; `secured`: row-level security applies to sessions that are bound to an
    organisation.
    """

    def __init__(
        self,
        url: str,
        *,
        pool_size: int = 12,
        limits: TimeLimits | None = None,
        hint: Hint | None = None,
        secured: bool = True,
    ) -> None:
        self._secured = secured
        self.engine = make_engine(url, pool_size=pool_size, limits=limits)
        self._sessions = sessionmaker(self.engine, expire_on_commit=False, info={_HINT: hint})
        event.listen(self._sessions, "after_begin", _act_for_organisation)

    @classmethod
    def from_settings(cls, settings: Settings, hint: Hint | None = None) -> "Database":
        """Return the database of the settings, with the connections and time limits of an API process."""
        limits = TimeLimits(
            settings.lock_timeout_s, settings.statement_timeout_s, settings.idle_in_transaction_s
        )
        return cls(
            settings.database_url,
            pool_size=settings.connections,
            limits=limits,
            hint=hint,
            secured=settings.row_level_security,
        )

    def new_session(self, organisation_id: UUID | None = None) -> Session:
        """Return a session that has no connection yet, bound to this organisation; None: to none."""
        session = self._sessions()
        session.info[READER] = organisation_id
        session.info[_ORGANISATION] = organisation_id if self._secured else None
        return session

    @contextmanager
    def begin(self, session: Session) -> Iterator[Session]:
        """Begin a transaction of the session: committed at the end, rolled back on an exception.

        Functions given to `after_commit` run after a successful commit, in the order given. An
        OperationalError of psycopg itself, as for a lost connection, also closes all pooled connections.
        """
        try:
            with session:
                pending: _Statements = []
                session.info[_WITH_COMMIT] = pending
                with session.begin():
                    yield session
                    if pending:
                        _execute(session, pending, and_commit=True)
                actions = session.info.pop(_AFTER_COMMIT, [])
        except psycopg.OperationalError:
            # Raised by a cursor of ours, past SQLAlchemy: the other pooled connections are most likely dead.
            self.engine.dispose()
            raise
        for action in actions:
            action()

    @contextmanager
    def transaction(self, organisation_id: UUID | None = None) -> Iterator[Session]:
        """Begin the transaction of a new session, bound to this organisation (None: to none); see `begin`."""
        with self.begin(self.new_session(organisation_id)) as session:
            yield session

    @contextmanager
    def autocommit_connection(self) -> Iterator[psycopg.Connection[Any]]:
        """Yield a connection in autocommit mode, bound to no organisation, for independent read-only queries.

        An OperationalError of psycopg also closes all pooled connections.
        """
        try:
            with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                yield _psycopg_connection(connection)
        except psycopg.OperationalError:
            self.engine.dispose()
            raise

    def dispose(self) -> None:
        """Close every pooled connection."""
        self.engine.dispose()


def make_engine(url: str, *, pool_size: int = 12, limits: TimeLimits | None = None) -> Engine:
    """Return an engine that fails soon if PostgreSQL is unavailable.

    Connecting may take 5 s, waiting for one of the `pool_size` connections 10 s. A connection is replaced
    after 5 minutes. `limits` None: those of the server.
    """
    options = {} if limits is None else {"options": limits.options()}
    engine = create_engine(
        url,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=10,
        pool_pre_ping=False,
        # The most recently used connection has its statements prepared and its pages in the processor's
        # cache.
        pool_use_lifo=True,
        # A server process remembers every partition that it has used, so its memory grows with its age.
        pool_recycle=_LONGEST_CONNECTION_S,
        hide_parameters=True,
        json_deserializer=_read_json_column,
        connect_args={"connect_timeout": 5, "application_name": "tailroom", **options},
    )
    event.listen(engine, "connect", lambda connection, _record: pg_arrays.register(connection))
    return engine


def _read_json_column(content: bytes | str) -> Any:
    """Return the document of a JSON column. `json` is slower, but also reads numbers of any size."""
    try:
        return msgspec.json.decode(content)
    except msgspec.DecodeError:
        return json.loads(content)


def _act_for_organisation(session: Session, _transaction: object, connection: Connection) -> None:
    """Set the role and the organisation whose rows a transaction may see, when it begins.

    No effect if its session is bound to none. The `citus` setting makes a distributed database send the
    others to its nodes; PostgreSQL stores it without effect.
    """
    organisation_id: UUID | None = session.info.get(_ORGANISATION)
    if organisation_id is not None:
        connection.exec_driver_sql(
            f"SET LOCAL ROLE {MEMBER_ROLE}; SET LOCAL citus.propagate_set_commands = 'local';"
            f" SET LOCAL tailroom.organisation_id = '{organisation_id}';"
            " SET LOCAL tailroom.shown_runs = '{}'"
        )


def show_runs(session: Session, run_ids: Collection[UUID]) -> None:
    """Let the rest of the transaction also read the data of these public runs of other organisations.

    No effect in a transaction bound to no organisation.
    """
    shown: set[UUID] = session.info.setdefault(_SHOWN, set())
    if session.info.get(_ORGANISATION) is None or shown.issuperset(run_ids):
        return
    shown.update(run_ids)
    listed = ",".join(str(run_id) for run_id in sorted(shown))
    session.connection().exec_driver_sql(f"SET LOCAL tailroom.shown_runs = '{{{listed}}}'")


def execute_with_commit(session: Session, statement: LiteralString, parameters: Mapping[str, Any]) -> None:
    """Register a statement that is sent together with the COMMIT of the transaction, in one round trip.

    The result is not read. A caller that must see the effect before the commit calls `execute_pending`.
    """
    session.info[_WITH_COMMIT].append((statement, parameters))


def execute_pending(session: Session) -> None:
    """Execute the statements that `execute_with_commit` has registered; their results are not read."""
    pending: _Statements = session.info[_WITH_COMMIT]
    _execute(session, pending, and_commit=False)
    pending.clear()


def _execute(session: Session, statements: _Statements, *, and_commit: bool) -> None:
    """Execute statements in one round trip, with COMMIT if `and_commit`; SQLAlchemy then commits nothing."""
    session.flush()
    driver = psycopg_connection(session)
    with driver.pipeline():
        for statement, parameters in statements:
            driver.execute(statement, parameters)
        if and_commit:
            driver.execute("COMMIT", prepare=False)


def psycopg_connection(session: Session) -> psycopg.Connection[Any]:
    """Return the psycopg connection under the session's transaction."""
    return _psycopg_connection(session.connection())


def _psycopg_connection(connection: Connection) -> psycopg.Connection[Any]:
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)  # noqa: S101 - the URL names psycopg
    return driver


def after_commit(session: Session, action: Callable[[], object]) -> None:
    """Register `action` to run after the commit of the session; it does not run if there is no commit."""
    session.info.setdefault(_AFTER_COMMIT, []).append(action)


def hint_after_commit(session: Session, lane: str, *, at_once: bool = False) -> None:
    """Notify the workers of a lane after the commit, if the database has a `hint`; `at_once` as in `Hint`."""
    hint: Hint | None = session.info.get(_HINT)
    if hint is not None:
        after_commit(session, lambda: hint(lane, at_once))
