"""Objections to public tests of drives: made by accounts, decided by the operator."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Request
from sqlalchemy.orm import Session

from tailroom.access import trail
from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, client_address, needs
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import RequestInvalid, problem_responses
from tailroom.kit.outside_types import LookupText
from tailroom.ratings import objections
from tailroom.ratings.errors import ObjectionRefused, ObjectionUnknown, TestUnknown
from tailroom.ratings.schemas import ObjectionDecisionIn, ObjectionIn, ObjectionOut, ObjectionsOut
from tailroom.storage.objection import Objection

router = APIRouter(prefix="/api/v1", tags=["ratings"], route_class=GuardedRoute)
ObjectionPath = Annotated[UUID, Path(description="of a list of objections")]
DriveSlug = Annotated[LookupText, Path(min_length=1, max_length=200, description="the drive's slug")]


@router.get(
    "/drives/{slug}/objections",
    summary="Objections to tests of a drive, with their answers",
    responses=problem_responses(RequestInvalid),
)
@needs(Capability.READ)
def list_objections(slug: DriveSlug, caller: CallerDep, session: SessionDep) -> ObjectionsOut:
    """Return the published objections to tests of a drive, and those of the organisation in every state."""
    rows = objections.objections_to(session, slug, caller.organisation_id)
    return ObjectionsOut(items=[_objection_out(row, caller.organisation_id) for row in rows])


@router.post(
    "/objections",
    summary="Object to a public test",
    status_code=201,
    responses=problem_responses(TestUnknown, ObjectionRefused),
)
@needs(Capability.OBJECT)
def make_objection(body: ObjectionIn, caller: CallerDep, session: SessionDep) -> ObjectionOut:
    """Store an objection, which a moderator publishes with an answer or refuses. It changes no rating."""
    who = trail.actor_of(caller, "").name
    made = objections.make_objection(
        session, caller.organisation_id, body.test_id, body.reason, who, utc_now()
    )
    trail.note(session, made.drive_slug, after={"objection": str(made.objection_id), "test": made.test_id})
    return _objection_out(made, caller.organisation_id)


@router.delete(
    "/objections/{objection_id}",
    summary="Withdraw an objection",
    responses=problem_responses(ObjectionUnknown, ObjectionRefused),
)
@needs(Capability.OBJECT)
def withdraw_objection(objection_id: ObjectionPath, caller: CallerDep, session: SessionDep) -> ObjectionOut:
    """Withdraw an objection of the organisation; other organisations no longer see it."""
    who = trail.actor_of(caller, "").name
    withdrawn = objections.withdraw_objection(session, caller.organisation_id, objection_id, who, utc_now())
    return _objection_out(withdrawn, caller.organisation_id)


@router.get("/operations/objections", summary="Objections of all organisations")
@needs(Capability.OPERATE)
def list_all_objections(caller: CallerDep) -> ObjectionsOut:
    """Return objections of all organisations: open ones first, then the latest."""
    with caller.database.transaction() as session:
        return _all_objections_out(session)


@router.post(
    "/operations/objections/{objection_id}",
    summary="Publish an objection with an answer, or refuse it",
    responses=problem_responses(ObjectionUnknown, ObjectionRefused),
)
@needs(Capability.OPERATE)
def decide_objection(
    objection_id: ObjectionPath, body: ObjectionDecisionIn, caller: CallerDep, request: Request
) -> ObjectionsOut:
    """Publish or refuse an objection and return all objections.

    The decision is recorded in the audit trail of the organisation that objected.
    """
    address = client_address(request)
    with caller.database.transaction() as session:
        actor = trail.operator_of(caller, address)
        decided = objections.decide_objection(session, objection_id, body, actor.name, utc_now())
        if decided.organisation_id is not None:
            after = {"objection": str(objection_id), "state": body.state, "answer": body.answer}
            what = trail.Note(decided.drive_slug, after=after)
            trail.record(session, decided.organisation_id, actor, "decide_objection", what)
        session.flush()
        return _all_objections_out(session)


def _objection_out(row: Objection, reader_id: UUID | None) -> ObjectionOut:
    """Return an objection for the API; `made_by` is set only if it belongs to the reader's organisation."""
    is_own = row.organisation_id is not None and row.organisation_id == reader_id
    shown = ObjectionOut.model_validate(row)
    return shown.model_copy(update={"is_own": is_own, "made_by": row.made_by if is_own else None})


def _all_objections_out(session: Session) -> ObjectionsOut:
    return ObjectionsOut(
        items=[_objection_out(row, row.organisation_id) for row in objections.all_objections(session)]
    )
