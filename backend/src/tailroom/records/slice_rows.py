"""Storing slices: one statement for many, one array per column."""

import numpy as np
from sqlalchemy.orm import Session

from tailroom.domain.latency.interval import SLICE_COLUMNS
from tailroom.kit.db import psycopg_connection
from tailroom.kit.pg_arrays import ByteaArray, Int8Array
from tailroom.records.columns import Int64s, sent_sql
from tailroom.records.slice_columns import SliceColumns
from tailroom.storage.series import Series

_NAMED = ", ".join(column.name for column in SLICE_COLUMNS)
_CHANGED = ", ".join(
    f"{name} = excluded.{name}" for name in (*(column.name for column in SLICE_COLUMNS), "pins", "histogram")
)
_UPSERT = f"""
INSERT INTO slice (run_id, series_no, width, slice_no, organisation_id, {_NAMED}, pins, histogram)
SELECT series.run_id, series.series_no, %(width)s::text, b.slice_no, %(organisation_id)s::uuid,
{", ".join(map(sent_sql, SLICE_COLUMNS))}, b.pins, b.histogram
FROM series,
unnest(%(slice_no)s, {", ".join(f"%({column.name})s" for column in SLICE_COLUMNS)}, %(pins)s, %(histogram)s)
AS b (slice_no, {_NAMED}, pins, histogram)
WHERE series.run_id = %(run_id)s AND series.series_no = %(series_no)s
ON CONFLICT (run_id, series_no, width, slice_no) DO UPDATE SET {_CHANGED}
"""  # noqa: S608 - names of columns, nothing that was sent
# It selects from the series, so that a distributed database sends the whole statement to the node of the run.


def store_slices(session: Session, series: Series, width: str, numbers: Int64s, slices: SliceColumns) -> None:
    """Insert or replace slices of one width by their numbers; nothing is written if the series is gone."""
    pins = np.ascontiguousarray(slices.pins, dtype="<u8")
    with psycopg_connection(session).cursor(binary=True) as cursor:
        cursor.execute(
            _UPSERT,
            {
                "run_id": series.run_id,
                "series_no": series.series_no,
                "organisation_id": series.organisation_id,
                "width": width,
                "slice_no": Int8Array(numbers),
                **{column.name: Int8Array(slices.numbers[column.name]) for column in SLICE_COLUMNS},
                "pins": ByteaArray([row.tobytes() for row in pins]),
                "histogram": ByteaArray(slices.histograms),
            },
        )
