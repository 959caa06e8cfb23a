"""Stored answers about runs ("pictures"): made once for a finished run, on each request for a running run.

A worker makes them after the last verdicts of a run; a request for a missing picture stores it. A stored
picture is valid while the data that it was made from are unchanged; see `RunPicture`.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from typing import NamedTuple
from uuid import UUID

from pydantic import BaseModel
from sqlalchemy.orm import Session

from tailroom.analysis.course import course_of
from tailroom.analysis.course_schemas import CourseOut
from tailroom.analysis.drive_counters import DriveCountersOut, drive_counters_out
from tailroom.analysis.figures import FiguresOut, figures_of_run
from tailroom.analysis.heatmap import first_heatmap_of
from tailroom.analysis.run_reader import RunReader
from tailroom.analysis.schemas import ExceedancesOut, HeatmapOut, PercentilesOut, TimelineOut
from tailroom.analysis.shares import exceedances_of, percentiles_of
from tailroom.analysis.timeline import timeline_of
from tailroom.budgets.repository import count_of
from tailroom.domain.method import METHOD_VERSION
from tailroom.kit.db import psycopg_connection
from tailroom.kit.private_names import NeutralNames
from tailroom.kit.transactions import Transactions
from tailroom.runs.service import get_run
from tailroom.storage.public_reading import neutral_names, reads_as_others
from tailroom.storage.run import Run

TIMELINE_POINTS = 600
"""Number of points of the stored timeline."""
_VALID_PICTURES = (
    " FROM run_picture AS picture JOIN run USING (run_id) JOIN analysis_state AS state USING (run_id)"
    " WHERE picture.name = %(name)s AND picture.form = %(form)s"
    " AND state.is_final AND run.state = 'finished' AND picture.judged_at = state.computed_at"
    " AND picture.expired_classes = run.expired_classes AND "
)
_SELECT_PICTURE = (
    f"SELECT picture.body, run.organisation_id, picture.budget_count {_VALID_PICTURES}"
    " picture.run_id = %(run_id)s"
    " AND (run.organisation_id = %(asking)s OR run.visibility = 'public' AND picture.budget_count = 0)"
)
"""For other organisations, select only pictures without limits of an organisation's own budgets."""
_SELECT_OWN_PICTURES = (
    f"SELECT picture.run_id, picture.body {_VALID_PICTURES}"
    " picture.run_id = ANY(%(run_ids)s)"
    " AND run.organisation_id = %(owner)s AND picture.budget_count = %(budget_count)s"
)
_SELECT_SOURCE = (
    "SELECT state.computed_at, run.expired_classes, run.organisation_id"
    " FROM run JOIN analysis_state AS state USING (run_id)"
    " WHERE run_id = %(run_id)s AND state.is_final AND run.state = 'finished'"
)
_STORE_PICTURE = (
    "INSERT INTO run_picture (run_id, name, organisation_id, form, judged_at, expired_classes, budget_count,"
    " body) SELECT run_id, %(name)s, organisation_id, %(form)s, %(judged_at)s, %(expired_classes)s,"
    " %(budget_count)s, %(body)s FROM run WHERE run_id = %(run_id)s FOR KEY SHARE"
    " ON CONFLICT (run_id, name) DO UPDATE SET form = excluded.form, judged_at = excluded.judged_at,"
    " expired_classes = excluded.expired_classes, budget_count = excluded.budget_count, body = excluded.body"
)


@dataclass(frozen=True)
class Picture:
    """A kind of stored answer: its name, the model of its JSON, and the function that computes it."""

    name: str
    schema: type[BaseModel]
    make: Callable[[RunReader], BaseModel]

    @cached_property
    def schema_digest(self) -> bytes:
        """SHA-256 of the method version and the schema; a stored picture with another digest is stale."""
        schema = json.dumps([METHOD_VERSION, self.schema.model_json_schema()], sort_keys=True)
        return hashlib.sha256(schema.encode()).digest()


TIMELINE = Picture("timeline", TimelineOut, partial(timeline_of, max_points=TIMELINE_POINTS))
COURSE = Picture("course", CourseOut, course_of)
PERCENTILES = Picture("percentiles", PercentilesOut, percentiles_of)
EXCEEDANCE = Picture("exceedance", ExceedancesOut, exceedances_of)
FIGURES = Picture("figures", FiguresOut, figures_of_run)
HEATMAP = Picture("heatmap", HeatmapOut, first_heatmap_of)
DRIVE_COUNTERS = Picture("drive-counters", DriveCountersOut, drive_counters_out)
PICTURES = (TIMELINE, COURSE, PERCENTILES, EXCEEDANCE, FIGURES, HEATMAP, DRIVE_COUNTERS)


def picture_of(transactions: Transactions, asking: UUID, run_id: UUID, picture: Picture) -> bytes:
    """Return the stored or newly computed answer about a run as JSON, for the organisation `asking`. The
    owner's answer about a finished and judged run is stored. Raise RunUnknown, RunRetracted or RunDeleted if
    `asking` may not read the run.
    """
    with transactions() as session:
        stored = stored_picture(session, asking, run_id, picture)
    if stored is not None:
        return stored
    reader = RunReader.of(transactions, asking, run_id)
    with reader.transactions() as session:
        is_foreign = reads_as_others(session, reader.run.organisation_id)
        stored = stored_picture(session, asking, run_id, picture) if is_foreign else None
    if is_foreign:
        # A stored picture holds what the owner may read.
        return _encode(picture.make(reader)) if stored is None else stored
    with transactions() as session:
        source = _read_source(session, run_id)
    body = _encode(picture.make(reader))
    if source is not None:
        with transactions() as session:
            _store(session, reader.run, picture, source, body)
    return body


def draw(transactions: Transactions, run_id: UUID) -> bool:
    """Compute and store each missing picture of a finished and judged run; return False for any other."""
    with transactions() as session:
        run = session.get(Run, run_id)
        source = _read_source(session, run_id)
    if run is None or source is None:
        return False
    for picture in PICTURES:
        picture_of(transactions, run.organisation_id, run_id, picture)
    return True


class _PictureSource(NamedTuple):
    """Versions of the data behind a picture: time of the verdicts, data removed, number of budgets."""

    judged_at: datetime
    expired_classes: int
    budget_count: int


def stored_picture(session: Session, asking: UUID, run_id: UUID, picture: Picture) -> bytes | None:
    """Return the valid stored picture as JSON, without names that are hidden from `asking`, or None. Raise
    RunUnknown, RunRetracted or RunDeleted if another organisation's run was withdrawn meanwhile.
    """
    parameters = {"run_id": run_id, "name": picture.name, "form": picture.schema_digest, "asking": asking}
    with psycopg_connection(session).cursor(binary=True) as cursor:
        row = cursor.execute(_SELECT_PICTURE, parameters).fetchone()
    if row is None or row[2] != count_of(session, row[1]):
        return None
    body = bytes(row[0])
    if not reads_as_others(session, row[1]):
        return body
    get_run(session, asking, run_id)
    names = neutral_names(session, run_id)
    return body if names is None or not names.are_in(body) else _encode_public(names, body)


def own_pictures(
    session: Session, owner: UUID, run_ids: Sequence[UUID], picture: Picture
) -> dict[UUID, bytes]:
    """Return the valid stored pictures of own runs as JSON, by run id. Runs without any are left out."""
    parameters = {
        "run_ids": list(run_ids),
        "name": picture.name,
        "form": picture.schema_digest,
        "owner": owner,
        "budget_count": count_of(session, owner),
    }
    with psycopg_connection(session).cursor(binary=True) as cursor:
        rows = cursor.execute(_SELECT_OWN_PICTURES, parameters).fetchall()
    return {run_id: bytes(body) for run_id, body in rows}


def _encode_public(names: NeutralNames, body: bytes) -> bytes:
    """Return the JSON of a picture with neutral names in place of the private names of the owner."""
    document = names.document(json.loads(body))
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode()


def _read_source(session: Session, run_id: UUID) -> _PictureSource | None:
    """Return the versions of a finished run's data, read before the picture, so that a change is noticed."""
    with psycopg_connection(session).cursor() as cursor:
        row = cursor.execute(_SELECT_SOURCE, {"run_id": run_id}).fetchone()
    if row is None:
        return None
    judged_at, expired_classes, owner = row
    return _PictureSource(judged_at, expired_classes, count_of(session, owner))


def _store(session: Session, run: Run, picture: Picture, source: _PictureSource, body: bytes) -> None:
    """Insert or replace the stored picture of a run; nothing happens if the run was deleted meanwhile."""
    key = {"run_id": run.run_id, "name": picture.name, "form": picture.schema_digest}
    psycopg_connection(session).execute(_STORE_PICTURE, {**key, **source._asdict(), "body": body})


def _encode(picture: BaseModel) -> bytes:
    """Return a picture as JSON."""
    return picture.model_dump_json(by_alias=True).encode()
