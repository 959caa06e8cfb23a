"""Decides how long columns come from PostgreSQL: all rows of whole numbers in one binary copy, read by numpy.

A row of nothing but numbers, and of bytes whose length is known, has a fixed size in the binary format of
COPY, so that thousands of rows are one array.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from psycopg import Connection
from sqlalchemy.orm import Session

from tailroom.kit.pg_arrays import register
from tailroom.kit.revisions import note_unseen

_HEADER_BYTES = 19
_TRAILER_BYTES = 2


class RowsUneven(ValueError):
    """Rows that hold nulls or bytes of another length than was said."""


def raw_connection(session: Session) -> Connection[Any]:
    """The psycopg connection under the session's transaction, which knows our arrays."""
    note_unseen()
    connection = session.connection().connection.driver_connection
    assert isinstance(connection, Connection)  # noqa: S101 - the URL names psycopg
    register(connection)
    return connection


def read_rows(
    session: Session, query: str, parameters: Mapping[str, Any], numbers: int, words: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Rows of a query that selects `numbers` columns of bigint and then one bytea of `words` little-endian
    64-bit words, none of them null: numbers by column and row, and words by row and position.

    What the session has not written yet is written first. Raises RowsUneven.
    """
    session.flush()
    with (
        raw_connection(session).cursor() as cursor,
        cursor.copy(f"COPY ({query}) TO STDOUT (FORMAT BINARY)", parameters) as copy,
    ):
        content = b"".join(copy)
    row = np.dtype(
        [
            ("fields", ">i2"),
            ("numbers", [("size", ">i4"), ("value", ">i8")], (numbers,)),
            ("size", ">i4"),
            ("words", "<i8", (words,)),
        ]
    )
    body = memoryview(content)[_HEADER_BYTES : len(content) - _TRAILER_BYTES]
    if len(body) % row.itemsize:
        raise RowsUneven(f"{len(body)} bytes are no whole number of rows of {row.itemsize}")
    rows = np.frombuffer(body, dtype=row)
    if (rows["fields"] != numbers + 1).any() or (rows["size"] != words * 8).any():
        raise RowsUneven(f"a row has not {numbers} numbers and {words} words")
    return np.ascontiguousarray(rows["numbers"]["value"].T, dtype=np.int64), rows["words"].astype(np.int64)
