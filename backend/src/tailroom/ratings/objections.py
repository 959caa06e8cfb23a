"""Objections to public tests: made by any account, published with an answer by a moderator, or refused.

An objection changes no rating. Others see its reason, answer and dates, and not who made it.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from tailroom.access.repository import lock_organisation
from tailroom.kit.identifiers import new_id
from tailroom.ratings.errors import ObjectionRefused, ObjectionUnknown, TestUnknown
from tailroom.ratings.schemas import ObjectionDecisionIn
from tailroom.storage.drive_test import DriveTest
from tailroom.storage.objection import OPEN, PUBLISHED, WITHDRAWN, Objection
from tailroom.storage.run import PUBLIC

MOST_OPEN = 20
"""Maximum number of an organisation's objections that wait for a moderator."""
_MOST_SHOWN = 200
"""Maximum number of objections in a list."""


def make_objection(  # noqa: PLR0917 - who objects to what, why and when
    session: Session, organisation_id: UUID, test_id: str, reason: str, who: str, now: datetime
) -> Objection:
    """Store and return an objection to a public test, made by the account named `who`. Raise TestUnknown if
    there is no such test, ObjectionRefused if the organisation has an open objection to it, or `MOST_OPEN`
    open objections in all.
    """
    test = session.get(DriveTest, test_id)
    if test is None or test.visibility != PUBLIC:
        raise TestUnknown(f"There is no public test “{test_id[:200]}”.")
    lock_organisation(session, organisation_id)
    of_own = select(func.count()).where(Objection.organisation_id == organisation_id, Objection.state == OPEN)
    if (session.scalar(of_own) or 0) >= MOST_OPEN:
        raise ObjectionRefused(f"{MOST_OPEN} objections wait for a moderator. Withdraw one, or wait.")
    if session.scalar(of_own.where(Objection.test_id == test_id)):
        raise ObjectionRefused("Your organisation has objected to this test, and a moderator will answer.")
    made = Objection(
        objection_id=new_id(),
        organisation_id=organisation_id,
        drive_slug=test.drive_slug,
        test_id=test_id,
        about=f"{test.load_multiple:g}x, {test.source_title}",
        reason=reason,
        made_by=who,
        made_at=now,
        state=OPEN,
    )
    session.add(made)
    session.flush()
    return made


def objections_to(session: Session, slug: str, organisation_id: UUID) -> Sequence[Objection]:
    """Return the latest 200 objections to a drive's tests that are published or the organisation's own."""
    is_seen = or_(Objection.state == PUBLISHED, Objection.organisation_id == organisation_id)
    query = select(Objection).where(Objection.drive_slug == slug, is_seen)
    return session.scalars(query.order_by(Objection.made_at.desc()).limit(_MOST_SHOWN)).all()


def all_objections(session: Session) -> Sequence[Objection]:
    """Return the objections of all organisations, at most 200: open ones first, then the latest."""
    order = (Objection.state != OPEN, Objection.made_at.desc())
    return session.scalars(select(Objection).order_by(*order).limit(_MOST_SHOWN)).all()


def withdraw_objection(
    session: Session, organisation_id: UUID, objection_id: UUID, who: str, now: datetime
) -> Objection:
    """Withdraw an open or published objection of the organisation, by the account named `who`, and return it.
    Raise ObjectionUnknown if the organisation has no such objection, ObjectionRefused in another state.
    """
    objection = _lock_objection(session, objection_id, organisation_id)
    objection.state, objection.decided_by, objection.decided_at = WITHDRAWN, who, now
    return objection


def decide_objection(
    session: Session, objection_id: UUID, decision: ObjectionDecisionIn, who: str, now: datetime
) -> Objection:
    """Publish an open or published objection with an answer, or refuse it, by `who`, and return it. Raise
    ObjectionUnknown if there is no such objection, ObjectionRefused in another state. The session must see
    all organisations.
    """
    objection = _lock_objection(session, objection_id)
    objection.state, objection.answer = decision.state, decision.answer
    objection.decided_by, objection.decided_at = who, now
    return objection


def _lock_objection(session: Session, objection_id: UUID, organisation_id: UUID | None = None) -> Objection:
    """Return an open or published objection, locked until the transaction ends; of the organisation, if one
    is given. Raise ObjectionUnknown if there is none, ObjectionRefused in another state.
    """
    objection = session.get(Objection, objection_id, with_for_update=True)
    if objection is None or organisation_id not in {None, objection.organisation_id}:
        raise ObjectionUnknown(f"There is no objection {objection_id}.")
    if objection.state not in {OPEN, PUBLISHED}:
        raise ObjectionRefused(f"The objection is {objection.state} already.")
    return objection
