"""Reading of many rows of whole numbers from PostgreSQL, as one binary value that numpy reads.

Rows of numbers and of bytes of a fixed length have a fixed size in the binary format, so they are one array.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from sqlalchemy.orm import Session

from tailroom.kit.db import psycopg_connection

_ROWS_AT_ONCE = 100_000
_AS_ONE_VALUE = (
    "SELECT string_agg(record_send(q), ''::bytea) FROM"
    " (SELECT q, (row_number() OVER () - 1) / {rows} AS chunk FROM ({query}) AS q) AS numbered"
    " GROUP BY chunk ORDER BY chunk"
)
"""Query that joins the binary forms of the rows; an aggregate reads them in the order of its subquery."""


class RowsUneven(ValueError):
    """A row has a null, or bytes of another length than declared."""


def read_rows(
    session: Session, query: str, parameters: Mapping[str, Any], numbers: int, words: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the rows of a query as two int64 arrays, of shape (`numbers`, rows) and (rows, `words`).

    The query selects `numbers` columns of bigint and then one bytea of `words` little-endian 64-bit words,
    none of them null; else raise RowsUneven. Pending changes of the session are flushed first.
    """
    session.flush()
    statement = _AS_ONE_VALUE.format(query=query, rows=_ROWS_AT_ONCE)
    with psycopg_connection(session).cursor(binary=True) as cursor:
        content = b"".join(part for (part,) in cursor.execute(statement, parameters))
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
