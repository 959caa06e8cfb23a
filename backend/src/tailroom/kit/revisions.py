"""Revisions of tables that seldom change, by which cached answers are validated.

Every transaction that writes such a table increments its revision just before it commits; the table is found
in the SQL, so callers need not declare it. The tables of an answer are found in the same way. Statements that
bypass SQLAlchemy (`kit.raw_rows`) write none of these tables, and answers that use them are not cached.
"""

import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.orm import Session

COUNTED = frozenset(
    {
        "budget",
        "catalogue_alias",
        "catalogue_fact",
        "catalogue_item",
        "claim",
        "drive_test",
        "organisation",
        "price_list",
        "publication",
        "publication_finding",
        "quota",
        "rating_revision",
        "reference_state",
        "test_judgement",
        "upload",
        "upload_file",
    }
)
"""Written by few transactions, so that they do not wait for each other's revision."""
Revisions = Mapping[str, int]

_WRITTEN = "tailroom.written"
_COUNT = "INSERT INTO table_revision"
_WORDS = re.compile(r"[a-z_]+")
_LOCKING = re.compile(r"\bFOR (NO KEY )?UPDATE\b")
_WRITING = re.compile(r"\b(INSERT|UPDATE|DELETE|TRUNCATE|MERGE|COPY)\b")
UNSEEN = "(unseen)"
"""Stands among the names for what was read past SQLAlchemy."""


class _Reads(threading.local):
    """Names of the tables that this thread has read since recording began; None outside of a recording."""

    names: set[str] | None = None


_reads = _Reads()


@lru_cache(maxsize=2048)
def _named(statement: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return every name in a statement, and the counted tables that it may write."""
    words = frozenset(_WORDS.findall(statement))
    writes = _WRITING.search(_LOCKING.sub("", statement)) is not None
    return words, (words & COUNTED if writes else frozenset())


def count_writes(engine: Engine) -> None:
    """Make every transaction of the engine increment the revisions of the tables that it writes."""
    is_there = False

    def seen(connection: Connection, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith(_COUNT):
            return
        names, written = _named(statement)
        if written:
            connection.info.setdefault(_WRITTEN, set()).update(written)
        if _reads.names is not None:
            _reads.names |= names

    def committing(connection: Connection) -> None:
        nonlocal is_there
        written = connection.info.pop(_WRITTEN, None)
        if not written:
            return
        if not is_there:  # Before the migration that makes it there is nothing to count.
            query = "SELECT to_regclass('table_revision') IS NOT NULL"
            is_there = bool(connection.exec_driver_sql(query).scalar())
        if is_there:
            rows = ", ".join(f"('{name}', 1)" for name in sorted(written))
            connection.exec_driver_sql(
                f"{_COUNT} (name, revision) VALUES {rows}"
                " ON CONFLICT (name) DO UPDATE SET revision = table_revision.revision + 1"
            )

    def forgotten(connection: Connection) -> None:
        if connection.invalidated:  # its notes are gone with it
            return
        connection.info.pop(_WRITTEN, None)

    event.listen(engine, "before_cursor_execute", seen)
    event.listen(engine, "commit", committing)
    event.listen(engine, "rollback", forgotten)


def writes_counted(connection: Connection) -> bool:
    """Return whether the transaction has written a table whose revision the commit increments."""
    return bool(connection.info.get(_WRITTEN))


def revisions(session: Session) -> Revisions:
    """Return how often each table has changed."""
    return {row.name: row.revision for row in session.execute(_REVISIONS)}


_REVISIONS = text("SELECT name, revision FROM table_revision")


@contextmanager
def watched() -> Iterator[set[str]]:
    """Yield the names in the statements that this thread reads inside the block, table names among them."""
    names: set[str] = set()
    _reads.names = names
    try:
        yield names
    finally:
        _reads.names = None


def note_unseen() -> None:
    """Record a read that no statement of SQLAlchemy names."""
    if _reads.names is not None:
        _reads.names.add(UNSEEN)
