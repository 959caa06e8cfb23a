"""Pictures of runs as they are sent: made once for a finished run, and each time anew for one that goes on.

A worker makes them after the last verdicts of a run, and whoever asks for one that is missing keeps it for
the next. A kept picture is shown while everything that it was made from is as it was; see `RunPicture`.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from uuid import UUID

from pydantic import BaseModel
from sqlalchemy.orm import Session

from tailroom.analysis.course import course_of
from tailroom.analysis.course_schemas import CourseOut
from tailroom.analysis.figures import FiguresOut, figures_of_run
from tailroom.analysis.heatmap import first_heatmap_of
from tailroom.analysis.reading import Reading
from tailroom.analysis.schemas import ExceedancesOut, HeatmapOut, PercentilesOut, TimelineOut
from tailroom.analysis.shares import exceedances_of, percentiles_of
from tailroom.analysis.timeline import timeline_of
from tailroom.budgets.repository import count_of
from tailroom.domain.method import METHOD_VERSION
from tailroom.kit.private_names import NeutralNames
from tailroom.kit.raw_rows import raw_connection
from tailroom.kit.transactions import Transactions
from tailroom.runs.service import get_run
from tailroom.storage.public_reading import neutral_names, reads_as_others
from tailroom.storage.run import Run

TIMELINE_POINTS = 600
"""Stretches of time of the timeline that is kept."""
_KEPT = (
    "SELECT picture.body, run.organisation_id, picture.budget_count FROM run_picture AS picture"
    " JOIN run USING (run_id)"
    " JOIN analysis_state AS state USING (run_id)"
    " WHERE picture.run_id = %(run_id)s AND picture.name = %(name)s AND picture.form = %(form)s"
    " AND (run.organisation_id = %(asking)s OR run.visibility = 'public' AND picture.budget_count = 0)"
    " AND state.is_final AND run.state = 'finished' AND picture.judged_at = state.computed_at"
    " AND picture.expired_classes = run.expired_classes"
)
"""Somebody else sees limits of built-in budgets alone, so pictures with an owner's own are not for him. How
many budgets there are is asked apart: they do not lie where runs do.
"""
_MADE_FROM = (
    "SELECT state.computed_at, run.expired_classes, run.organisation_id"
    " FROM run JOIN analysis_state AS state USING (run_id)"
    " WHERE run_id = %(run_id)s AND state.is_final AND run.state = 'finished'"
)
_KEEP = (
    "INSERT INTO run_picture (run_id, name, organisation_id, form, judged_at, expired_classes, budget_count,"
    " body) SELECT run_id, %(name)s, organisation_id, %(form)s, %(judged_at)s, %(expired_classes)s,"
    " %(budget_count)s, %(body)s FROM run WHERE run_id = %(run_id)s FOR KEY SHARE"
    " ON CONFLICT (run_id, name) DO UPDATE SET form = excluded.form, judged_at = excluded.judged_at,"
    " expired_classes = excluded.expired_classes, budget_count = excluded.budget_count, body = excluded.body"
)


@dataclass(frozen=True)
class Picture:
    """One kind of picture, and how it is made."""

    name: str
    schema: type[BaseModel]
    make: Callable[[Reading], BaseModel]

    @cached_property
    def form(self) -> bytes:
        """Another one as soon as the method or the schema is."""
        described = json.dumps([METHOD_VERSION, self.schema.model_json_schema()], sort_keys=True)
        return hashlib.sha256(described.encode()).digest()


TIMELINE = Picture("timeline", TimelineOut, partial(timeline_of, max_points=TIMELINE_POINTS))
COURSE = Picture("course", CourseOut, course_of)
PERCENTILES = Picture("percentiles", PercentilesOut, percentiles_of)
EXCEEDANCE = Picture("exceedance", ExceedancesOut, exceedances_of)
FIGURES = Picture("figures", FiguresOut, figures_of_run)
HEATMAP = Picture("heatmap", HeatmapOut, first_heatmap_of)
PICTURES = (TIMELINE, COURSE, PERCENTILES, EXCEEDANCE, FIGURES, HEATMAP)


def picture_of(transactions: Transactions, asking: UUID, run_id: UUID, picture: Picture) -> bytes:
    """The picture of a run for an organisation, as JSON. Raises RunUnknown, RunRetracted, RunDeleted."""
    with transactions() as session:
        kept = kept_picture(session, asking, run_id, picture)
    if kept is not None:
        return kept
    reading = Reading.of(transactions, asking, run_id)
    with reading.transactions() as session:
        is_of_others = reads_as_others(session, reading.run.organisation_id)
        kept = kept_picture(session, asking, run_id, picture) if is_of_others else None
    if is_of_others:
        # What is kept is made of what the owner reads.
        return _encoded(picture.make(reading)) if kept is None else kept
    with transactions() as session:
        made_from = _made_from(session, run_id)
    body = _encoded(picture.make(reading))
    if made_from is not None:
        with transactions() as session:
            _keep(session, reading.run, picture, made_from, body)
    return body


def draw(transactions: Transactions, run_id: UUID) -> bool:
    """Makes the pictures of a run that is finished and judged; whether there is such a run."""
    with transactions() as session:
        run = session.get(Run, run_id)
        made_from = _made_from(session, run_id)
    if run is None or made_from is None:
        return False
    for picture in PICTURES:
        picture_of(transactions, run.organisation_id, run_id, picture)
    return True


@dataclass(frozen=True, slots=True)
class _MadeFrom:
    judged_at: datetime
    expired_classes: int
    budget_count: int


def kept_picture(session: Session, asking: UUID, run_id: UUID, picture: Picture) -> bytes | None:
    """The picture as it was kept for whoever asks; none where there is no such one."""
    asked = {"run_id": run_id, "name": picture.name, "form": picture.form, "asking": asking}
    with raw_connection(session).cursor(binary=True) as cursor:
        found = cursor.execute(_KEPT, asked).fetchone()
    if found is None or found[2] != count_of(session, found[1]):
        return None
    body = bytes(found[0])
    if not reads_as_others(session, found[1]):
        return body
    get_run(session, asking, run_id)
    names = neutral_names(session, run_id)
    return body if names is None or not names.are_in(body) else _encoded_again(names, body)


def _encoded_again(names: NeutralNames, body: bytes) -> bytes:
    said = names.document(json.loads(body))
    return json.dumps(said, separators=(",", ":"), ensure_ascii=False).encode()


def _made_from(session: Session, run_id: UUID) -> _MadeFrom | None:
    """Read before a picture is made: what changes meanwhile makes it one that is not shown."""
    with raw_connection(session).cursor() as cursor:
        found = cursor.execute(_MADE_FROM, {"run_id": run_id}).fetchone()
    if found is None:
        return None
    judged_at, expired_classes, owner = found
    return _MadeFrom(judged_at, expired_classes, count_of(session, owner))


def _keep(session: Session, run: Run, picture: Picture, made_from: _MadeFrom, body: bytes) -> None:
    raw_connection(session).execute(
        _KEEP,
        {
            "run_id": run.run_id,
            "name": picture.name,
            "form": picture.form,
            "judged_at": made_from.judged_at,
            "expired_classes": made_from.expired_classes,
            "budget_count": made_from.budget_count,
            "body": body,
        },
    )


def _encoded(made: BaseModel) -> bytes:
    return made.model_dump_json(by_alias=True).encode()
