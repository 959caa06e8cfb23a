"""Claims of due work: exclusive for each row, fair between organisations.

A claim is a short transaction; no lock is held while the work is done. The claim of a dead process expires,
and the attempt counts.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import case, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from tailroom.kit.db import hint_after_commit
from tailroom.kit.identifiers import new_id
from tailroom.storage.work import WorkRow, WorkTurn
from tailroom.work.kinds import CLAIM_HOLDS, KINDS

_ERROR_CHARACTERS_MAX = 2_000
ENDED = "each time, the process that worked on it ended"

NEXT_ORGANISATIONS = text(
    """
    WITH RECURSIVE organisations AS (
      (SELECT organisation_id FROM work
        WHERE lane = :lane AND given_up_at IS NULL ORDER BY organisation_id LIMIT 1)
      UNION ALL
      SELECT (SELECT work.organisation_id FROM work
               WHERE work.lane = :lane AND work.given_up_at IS NULL
                 AND work.organisation_id > organisations.organisation_id
               ORDER BY work.organisation_id LIMIT 1)
        FROM organisations WHERE organisations.organisation_id IS NOT NULL
    )
    SELECT organisations.organisation_id FROM organisations
      LEFT JOIN work_turn
        ON work_turn.organisation_id = organisations.organisation_id AND work_turn.lane = :lane
     WHERE organisations.organisation_id IS NOT NULL
       AND EXISTS (SELECT FROM work
                    WHERE work.lane = :lane AND work.organisation_id = organisations.organisation_id
                      AND work.given_up_at IS NULL AND work.due_at <= :now)
       AND (SELECT count(*) FROM work
             WHERE work.lane = :lane AND work.organisation_id = organisations.organisation_id
               AND work.claim_id IS NOT NULL AND work.claimed_until > :now)
           < CASE WHEN EXISTS (SELECT FROM work_turn others
                                WHERE others.lane = :lane
                                  AND others.organisation_id <> organisations.organisation_id)
                  THEN :share ELSE :processes END
     ORDER BY work_turn.served_at NULLS FIRST
     LIMIT 8
    """
)
"""Up to eight organisations with due work that may be claimed, the longest-waiting first.

The query skips from organisation to organisation in the index, so its cost does not depend on the amount of
work. If another organisation was served lately, the last process stays free for it.
"""


@dataclass(frozen=True, slots=True)
class WorkClaim:
    """Exclusive claim of this process on due work, until it expires; `attempts` counts this attempt, too."""

    claim_id: UUID
    kind: str
    subject: UUID
    organisation_id: UUID
    lane: str
    revision: int
    attempts: int
    details: dict[str, Any] | None


def claim_next(session: Session, lane: str, now: datetime, processes: int = 1) -> WorkClaim | None:
    """Claim the next due work of a lane and return it; None if there is none, or none may be claimed.

    `processes`: number of processes that serve the lane. Work whose process died in its last allowed attempt
    is marked as given up on the way.
    """
    share = max(1, processes - 1)
    organisation_ids = session.scalars(
        NEXT_ORGANISATIONS, {"lane": lane, "now": now, "share": share, "processes": max(1, processes)}
    ).all()
    for organisation_id in organisation_ids:
        while (row := _oldest_due(session, lane, organisation_id, now)) is not None:
            if row.attempts >= KINDS[row.kind].most_attempts:
                _give_up(row, ENDED, now)
                session.flush()
                continue
            _record_service(session, lane, organisation_id)
            return _claim(row, now)
    return None


def claim_one(session: Session, kind: str, subject: UUID, now: datetime) -> WorkClaim | None:
    """Claim the work of a subject, due or not, and return the claim.

    None if there is no such work, it was given up, or another process has claimed it.
    """
    row = session.scalar(
        select(WorkRow)
        .where(WorkRow.subject == subject, WorkRow.kind == kind, WorkRow.given_up_at.is_(None))
        .with_for_update(skip_locked=True)
        .execution_options(populate_existing=True)
    )
    if row is None or (row.claimed_until is not None and row.claimed_until > now):
        return None
    return _claim(row, now)


def extend(session: Session, claim: WorkClaim, now: datetime) -> bool:
    """Extend a claim to `CLAIM_HOLDS` from `now`; return False if the claim was lost."""
    until = now + CLAIM_HOLDS
    return _update_claimed(session, claim, due_at=until, claimed_until=until)


def finish(session: Session, claim: WorkClaim, now: datetime, again_at: datetime | None = None) -> bool:
    """Finish claimed work: delete its row, or make it due again at `again_at`.

    Work that became due meanwhile is due at once. Return False if the claim was lost.
    """
    is_same = WorkRow.revision == claim.revision
    if again_at is None:
        statement = delete(WorkRow).where(*_claim_conditions(claim), is_same).returning(WorkRow.subject)
        if session.execute(statement).first() is not None:
            return True
    return _update_claimed(
        session,
        claim,
        due_at=now if again_at is None else case((is_same, again_at), else_=now),
        claim_id=None,
        claimed_until=None,
        attempts=0,
        error=None,
    )


def release(session: Session, claim: WorkClaim, due_at: datetime) -> bool:
    """End a claim without counting the attempt, because a lock was taken or another process does the work.

    The work is due again at `due_at`; workers of the lane are woken after the commit. Return False if the
    claim was lost.
    """
    hint_after_commit(session, claim.lane, at_once=True)
    return _update_claimed(
        session,
        claim,
        due_at=due_at,
        claim_id=None,
        claimed_until=None,
        attempts=func.greatest(0, WorkRow.attempts - 1),
    )


def fail(session: Session, claim: WorkClaim, error: str, now: datetime) -> bool:
    """Record a failed attempt, to be retried after a pause or given up; the error is cut to 2,000 characters.

    Return whether it was given up; False also if the claim was lost.
    """
    row = session.scalar(select(WorkRow).where(*_claim_conditions(claim)).with_for_update())
    if row is None:
        return False
    kind = KINDS[row.kind]
    if row.attempts >= kind.most_attempts:
        _give_up(row, error, now)
    else:
        row.due_at = now + kind.pause_after(row.attempts)
        row.error = error[:_ERROR_CHARACTERS_MAX]
        row.claim_id = row.claimed_until = None
    session.flush()
    return row.given_up_at is not None


def forget_services(session: Session, before: datetime) -> None:
    """Delete the records of services before `before`: no process stays reserved for those organisations."""
    session.execute(delete(WorkTurn).where(WorkTurn.served_at < before))


def _oldest_due(session: Session, lane: str, organisation_id: UUID, now: datetime) -> WorkRow | None:
    """Lock and return an organisation's longest-due work in a lane that no other transaction has locked."""
    return session.scalar(
        select(WorkRow)
        .where(
            WorkRow.lane == lane,
            WorkRow.organisation_id == organisation_id,
            WorkRow.given_up_at.is_(None),
            WorkRow.due_at <= now,
        )
        .order_by(WorkRow.due_at, WorkRow.subject.desc())
        .limit(1)
        .with_for_update(skip_locked=True)
        .execution_options(populate_existing=True)
    )


def _record_service(session: Session, lane: str, organisation_id: UUID) -> None:
    statement = insert(WorkTurn).values(
        organisation_id=organisation_id, lane=lane, served_at=func.clock_timestamp()
    )
    session.execute(
        statement.on_conflict_do_update(
            index_elements=("organisation_id", "lane"), set_={"served_at": func.clock_timestamp()}
        )
    )


def _claim(row: WorkRow, now: datetime) -> WorkClaim:
    """Claim a locked row for this process and return the claim; the attempt counts."""
    row.claim_id = new_id()
    row.attempts += 1
    row.due_at = row.claimed_until = now + CLAIM_HOLDS
    return WorkClaim(
        row.claim_id,
        row.kind,
        row.subject,
        row.organisation_id,
        row.lane,
        row.revision,
        row.attempts,
        row.details,
    )


def _give_up(row: WorkRow, error: str, now: datetime) -> None:
    """Mark work as given up with an error, cut to 2,000 characters, and end its claim."""
    row.given_up_at, row.error = now, error[:_ERROR_CHARACTERS_MAX]
    row.claim_id = row.claimed_until = None


def _claim_conditions(claim: WorkClaim) -> tuple[Any, ...]:
    return WorkRow.subject == claim.subject, WorkRow.kind == claim.kind, WorkRow.claim_id == claim.claim_id


def _update_claimed(session: Session, claim: WorkClaim, **values: Any) -> bool:
    """Set columns of claimed work; return False, and change nothing, if the claim was lost."""
    changed = session.execute(
        update(WorkRow)
        .where(*_claim_conditions(claim))
        .values(**values)
        .returning(WorkRow.subject)
        .execution_options(synchronize_session=False)
    )
    return changed.first() is not None
