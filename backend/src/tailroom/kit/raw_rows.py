"""Reading of long columns from PostgreSQL: many rows of whole numbers as one value, read by numpy.

A row of nothing but numbers, and of bytes whose length is known, has a fixed size in the binary format, so
that thousands of rows are one array. They are fetched by a hundred thousand as one value: COPY delivers row
by row.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from psycopg import Connection
from sqlalchemy.orm import Session

_AT_ONCE = 100_000
_TOGETHER = (
    "SELECT string_agg(record_send(q), ''::bytea) FROM"
    " (SELECT q, (row_number() OVER () - 1) / {at_once} AS part FROM ({query}) AS q) AS placed"
    " GROUP BY part ORDER BY part"
)
"""An aggregate takes rows in the order of the query below it."""


class RowsUneven(ValueError):
    """Rows have nulls, or bytes of another length than declared."""


def raw_connection(session: Session) -> Connection[Any]:
    """Return the psycopg connection under the session's transaction."""
    connection = session.connection().connection.driver_connection
    assert isinstance(connection, Connection)  # noqa: S101 - the URL names psycopg
    return connection


def read_rows(
    session: Session, query: str, parameters: Mapping[str, Any], numbers: int, words: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the rows of a query as two int64 arrays: numbers by columns by rows, words by rows by position.

    The query selects `numbers` columns of bigint and then one bytea of `words` little-endian 64-bit words,
    none of them null. Pending changes of the session are written first. Raise RowsUneven.
    """
    session.flush()
    together = _TOGETHER.format(query=query, at_once=_AT_ONCE)
    with raw_connection(session).cursor(binary=True) as cursor:
        content = b"".join(part for (part,) in cursor.execute(together, parameters))
    row = np.dtype(
        [
            ("fields", ">i4"),
            ("numbers", [("type", ">i4"), ("size", ">i4"), ("value", ">i8")], (numbers,)),
            ("type", ">i4"),
            ("size", ">i4"),
            ("words", "<i8", (words,)),
        ]
    )
    if len(content) % row.itemsize:
        raise RowsUneven(f"{len(content)} bytes are no whole number of rows of {row.itemsize}")
    rows = np.frombuffer(content, dtype=row)
    if (rows["fields"] != numbers + 1).any() or (rows["size"] != words * 8).any():
        raise RowsUneven(f"a row has not {numbers} numbers and {words} words")
    return np.ascontiguousarray(rows["numbers"]["value"].T, dtype=np.int64), rows["words"].astype(np.int64)
