"""Recording of due work: a row written in the transaction that causes it.

So no work is lost when a process dies after its commit. The hint to the workers is sent after the commit and
may be lost.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from sqlalchemy import Select, Table, bindparam, case, delete, func, literal, or_, select, true, update
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.orm import Session

from tailroom.kit.db import execute_with_commit, hint_after_commit
from tailroom.kit.lanes import JUDGING
from tailroom.storage.run import Run
from tailroom.storage.work import WorkRow
from tailroom.work.kinds import WorkKind

_TABLE = cast(Table, WorkRow.__table__)
_COLUMNS = ("subject", "kind", "organisation_id", "lane", "due_at", "details")


def make_due(
    session: Session,
    kind: WorkKind,
    subject: UUID,
    organisation_id: UUID,
    due_at: datetime,
    *,
    reset: bool = False,
    lane: str | None = None,
    details: dict[str, Any] | None = None,
) -> None:
    """Record that work on a subject is due at a time; work that is claimed now is done again afterwards.

    By default waiting work keeps its due time, and given-up work stays given up. With `reset` the earlier of
    both times counts, given-up work is due again, and attempts start from zero. `lane` None: that of the
    kind; existing work changes its lane only to `JUDGING`.
    """
    lane = lane or kind.lane
    values = (subject, kind.name, organisation_id, lane, due_at, details)
    session.execute(_UPSERTS[reset], dict(zip(_COLUMNS, values, strict=True)))
    hint_after_commit(session, lane, at_once=reset)


def make_due_with_commit(
    session: Session, kind: WorkKind, subject: UUID, organisation_id: UUID, due_at: datetime
) -> None:
    """Record work as `make_due` does without `reset`, together with the commit of the transaction."""
    values = (subject, kind.name, organisation_id, kind.lane, due_at, None)
    execute_with_commit(session, _UPSERT_SQL, _UPSERT_DEFAULTS | dict(zip(_COLUMNS, values, strict=True)))
    hint_after_commit(session, kind.lane)


def make_many_due(
    session: Session, kind: WorkKind, subjects: Select[UUID, UUID], due_at: datetime, lane: str
) -> None:
    """Record work for every subject that a query returns, in one statement, like `make_due` with `reset`.

    `subjects` has the columns subject and organisation_id.
    """
    rows = subjects.subquery()
    query = select(
        rows.c.subject,
        literal(kind.name),
        rows.c.organisation_id,
        literal(lane),
        literal(due_at, WorkRow.due_at.type),
    )
    session.execute(_upsert(insert(WorkRow).from_select(_COLUMNS[:-1], query), reset=True))
    hint_after_commit(session, lane, at_once=True)


def runs_without(kind: WorkKind) -> Select[UUID, UUID]:
    """Return a query for subject and organisation of runs without work of this kind, due or given up.

    It is a join, because runs may be on another node than due work (docs/adr/0158).
    """
    due = select(WorkRow.subject).where(WorkRow.kind == kind.name).subquery("due")
    runs = select(Run.run_id.label("subject"), Run.organisation_id)
    return runs.outerjoin(due, due.c.subject == Run.run_id).where(due.c.subject.is_(None))


def drop(session: Session, subjects: Sequence[UUID]) -> None:
    """Delete all work for these subjects, claimed and given-up work included."""
    session.execute(delete(WorkRow).where(WorkRow.subject.in_(subjects)))


def drop_one(session: Session, kind: WorkKind, subject: UUID) -> None:
    """Delete the work of this kind for a subject, also if it is claimed or given up."""
    session.execute(delete(WorkRow).where(WorkRow.subject == subject, WorkRow.kind == kind.name))


def retry(session: Session, subject: UUID | None, now: datetime) -> int:
    """Make failed or given-up work of a subject (None: of all) due now; return the number of rows.

    Claimed work is left out. Attempts start from zero.
    """
    retried = session.execute(
        update(WorkRow)
        .where(true() if subject is None else WorkRow.subject == subject)
        .where(or_(WorkRow.given_up_at.is_not(None), WorkRow.error.is_not(None)))
        .where(WorkRow.claim_id.is_(None))
        .values(due_at=now, attempts=0, given_up_at=None, error=None, revision=WorkRow.revision + 1)
        .returning(WorkRow.lane)
    ).scalars()
    lanes = list(retried)
    for lane in set(lanes):
        hint_after_commit(session, lane, at_once=True)
    return len(lanes)


def _upsert(statement: Insert, *, reset: bool) -> Insert:
    """Return the insert statement with its changes to existing work of the same subject and kind.

    Claimed work keeps its claim; its new revision makes it due again afterwards. Without `reset` other work
    is not changed.
    """
    is_claimed = WorkRow.claim_id.is_not(None)
    if not reset:
        # Waiting work will see this transaction when it is claimed, so its row is locked and not written.
        return statement.on_conflict_do_update(
            index_elements=("subject", "kind"), set_={"revision": WorkRow.revision + 1}, where=is_claimed
        )
    offered = statement.excluded
    changed: dict[str, Any] = {
        "revision": WorkRow.revision + 1,
        "due_at": case((is_claimed, WorkRow.due_at), else_=func.least(WorkRow.due_at, offered.due_at)),
        "lane": case((offered.lane == JUDGING, offered.lane), else_=WorkRow.lane),
        "details": func.coalesce(offered.details, WorkRow.details),
        "attempts": case((is_claimed, WorkRow.attempts), else_=0),
        "error": case((is_claimed, WorkRow.error), else_=None),
        "given_up_at": None,
    }
    return statement.on_conflict_do_update(index_elements=("subject", "kind"), set_=changed)


_UPSERTS = {
    reset: _upsert(
        insert(_TABLE).values({name: bindparam(name, type_=_TABLE.c[name].type) for name in _COLUMNS}),
        reset=reset,
    )
    for reset in (False, True)
}
"""Statements by `reset`, built once, because building costs more than executing."""
_COMPILED = _UPSERTS[False].compile(dialect=PGDialect_psycopg())  # type: ignore[no-untyped-call]
_UPSERT_SQL = str(_COMPILED)
_UPSERT_DEFAULTS = _COMPILED.params | {"revision": 1, "attempts": 0}
