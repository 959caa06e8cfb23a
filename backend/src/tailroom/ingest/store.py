"""Progress of a run and its series, read and written by plain SQL, because ORM objects cost too much here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import numpy as np
from sqlalchemy.orm import Session

from tailroom.domain.latency.interval import UNKNOWN
from tailroom.ingest.wire import Layout, SeriesDefinition
from tailroom.kit.db import execute_with_commit, psycopg_connection
from tailroom.kit.pg_arrays import Int8Array
from tailroom.records.columns import Bools, Columns
from tailroom.storage.run import AGENT

_ADVANCE = """
WITH advanced AS (
  UPDATE run SET last_data_at = %(now)s, data_through_ns = %(through)s WHERE run_id = %(run_id)s
)
UPDATE series SET contiguous_seq = b.contiguous_seq, max_seq = b.max_seq, received = b.received
FROM unnest(%(series)s, %(contiguous)s, %(max)s, %(received)s) AS b (series_no, contiguous_seq, max_seq,
received) WHERE series.run_id = %(run_id)s AND series.series_no = b.series_no
"""


# Both statements go in one round trip; the second sees the writes of the previous holder of the lock.
_LOCK = """
SELECT run_id, organisation_id, source, state, stop_requested_at, finish, data_through_ns FROM run
WHERE run_id = %(run_id)s AND organisation_id = %(organisation_id)s FOR NO KEY UPDATE
"""
_DEFINITION = SeriesDefinition.__struct_fields__
_SERIES = (
    f"SELECT run_id, contiguous_seq, max_seq, received, {', '.join(_DEFINITION)} FROM series"  # noqa: S608 - our names
    " WHERE run_id = %(run_id)s ORDER BY series_no"
)


class RunHead(NamedTuple):
    """Columns of a run that storing a batch needs."""

    run_id: UUID
    organisation_id: UUID
    source: str
    state: str
    stop_requested_at: datetime | None
    finish: dict[str, Any] | None
    data_through_ns: int


@dataclass(slots=True)
class SeriesHead:
    """Progress of a series, and its definition as on the wire. `contiguous_seq` is the last sequence number
    before the first missing interval, `max_seq` the highest stored number, both −1 without intervals;
    `received` is the number of stored intervals.
    """

    run_id: UUID
    contiguous_seq: int
    max_seq: int
    received: int
    definition: SeriesDefinition

    @property
    def series_no(self) -> int:
        """Number of the series in the run."""
        return self.definition.series_no


def lock(session: Session, organisation_id: UUID, run_id: UUID) -> tuple[RunHead | None, list[SeriesHead]]:
    """Return the run, locked until the transaction ends, and its series by number. The run is None if the
    organisation has none of this id; an uploaded run is returned without series.
    """
    connection = psycopg_connection(session)
    parameters = {"run_id": run_id, "organisation_id": organisation_id}
    with connection.cursor() as of_run, connection.cursor() as of_series:
        with connection.pipeline():
            of_run.execute(_LOCK, parameters)
            of_series.execute(_SERIES, parameters)
        row = of_run.fetchone()
        run = None if row is None else RunHead(*row)
        # Series of uploaded files have layouts that no agent sends.
        rows = of_series.fetchall() if run is not None and run.source == AGENT else []
        return run, [_series_head(row) for row in rows]


def list_series(session: Session, run_id: UUID) -> list[SeriesHead]:
    """Return the series of a run as stored now, in order of their numbers."""
    with psycopg_connection(session).cursor() as cursor:
        return [_series_head(row) for row in cursor.execute(_SERIES, {"run_id": run_id})]


def _series_head(row: Sequence[Any]) -> SeriesHead:
    fields = dict(zip(_DEFINITION, row[4:], strict=True))
    if fields["layout"] is not None:
        fields["layout"] = msgspec.convert(fields["layout"], Layout)
    run_id, contiguous_seq, max_seq, received = row[:4]
    return SeriesHead(run_id, contiguous_seq, max_seq, received, SeriesDefinition(**fields))


def advance(
    session: Session, run_id: UUID, series: Sequence[SeriesHead], data_through_ns: int, now: datetime
) -> None:
    """Store the progress of a run and its series together with the commit, as its last statement."""
    rows = np.array(
        [(head.series_no, head.contiguous_seq, head.max_seq, head.received) for head in series],
        dtype=np.int64,
    )
    execute_with_commit(
        session,
        _ADVANCE,
        {
            "run_id": run_id,
            "now": now,
            "through": data_through_ns,
            "series": Int8Array(rows[:, 0]),
            "contiguous": Int8Array(rows[:, 1]),
            "max": Int8Array(rows[:, 2]),
            "received": Int8Array(rows[:, 3]),
        },
    )


def acknowledged_mask(columns: Columns, contiguous: Mapping[int, int]) -> Bools:
    """Return for each interval whether it was acknowledged before, by `contiguous`. That is the last
    acknowledged sequence number by series; intervals of other series were not acknowledged.
    """
    last_acknowledged = np.full(int(columns.series.max(initial=0)) + 1, UNKNOWN, dtype=np.int64)
    for number, seq in contiguous.items():
        if number < last_acknowledged.size:
            last_acknowledged[number] = seq
    result: Bools = columns.seq <= last_acknowledged[columns.series]
    return result
