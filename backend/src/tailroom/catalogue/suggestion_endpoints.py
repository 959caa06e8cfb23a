"""Suggestions for the shared catalogue: made by organisations, decided by the operator."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Request
from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.access import trail
from tailroom.access.caller import Caller
from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, client_address, needs
from tailroom.catalogue import suggestions
from tailroom.catalogue.errors import SuggestionRefused, SuggestionUnknown
from tailroom.catalogue.suggestion_schemas import DecisionIn, SuggestionIn, SuggestionOut, SuggestionsOut
from tailroom.catalogue.suggestions import Decision
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import problem_responses
from tailroom.storage.organisation import Organisation
from tailroom.storage.suggestion import CatalogueSuggestion

router = APIRouter(prefix="/api/v1", tags=["catalogue"], route_class=GuardedRoute)
_SHOWN = 200
"""Maximum number of suggestions in a list."""
SuggestionPath = Annotated[UUID, Path(description="of the list of suggestions")]


@router.get("/suggestions", summary="Suggestions of the organisation for the catalogue")
@needs(Capability.READ)
def list_suggestions(caller: CallerDep, session: SessionDep) -> SuggestionsOut:
    """Return the organisation's suggestions with the decision on each, newest first."""
    return _own_suggestions(session, caller)


@router.post(
    "/suggestions",
    summary="Suggest a drive or a fact for everybody's catalogue",
    status_code=201,
    responses=problem_responses(SuggestionUnknown, SuggestionRefused),
)
@needs(Capability.EDIT_CATALOGUE)
def make_suggestion(body: SuggestionIn, caller: CallerDep, session: SessionDep) -> SuggestionOut:
    """Store a suggestion for the shared catalogue. Only moderators see its author."""
    who = trail.actor_of(caller, "").name
    made = suggestions.suggest(session, caller.organisation_id, body, who, utc_now())
    trail.note(session, made.slug, after={"suggestion": str(made.suggestion_id), "kind": made.kind})
    return SuggestionOut.model_validate(made)


@router.delete(
    "/suggestions/{suggestion_id}",
    summary="Withdraw a suggestion",
    responses=problem_responses(SuggestionUnknown, SuggestionRefused),
)
@needs(Capability.EDIT_CATALOGUE)
def withdraw_suggestion(
    suggestion_id: SuggestionPath, caller: CallerDep, session: SessionDep
) -> SuggestionsOut:
    """Withdraw an open suggestion, and return the organisation's suggestions."""
    who = trail.actor_of(caller, "").name
    suggestions.withdraw(session, caller.organisation_id, suggestion_id, who, utc_now())
    return _own_suggestions(session, caller)


@router.get("/operations/suggestions", summary="Suggestions of all organisations for the catalogue")
@needs(Capability.OPERATE)
def list_all_suggestions(caller: CallerDep) -> SuggestionsOut:
    """Return the suggestions of all organisations: open ones first, then the newest."""
    with caller.database.transaction() as session:
        return _all_suggestions(session)


@router.post(
    "/operations/suggestions/{suggestion_id}",
    summary="Accept or refuse a suggestion, or take a fact back",
    responses=problem_responses(SuggestionUnknown, SuggestionRefused),
)
@needs(Capability.OPERATE)
def decide_suggestion(
    suggestion_id: SuggestionPath, body: DecisionIn, caller: CallerDep, request: Request
) -> SuggestionsOut:
    """Decide a suggestion, record that in the audit trail of its organisation, and return all suggestions."""
    address = client_address(request)
    with caller.database.transaction() as session:
        actor = trail.operator_of(caller, address)
        decision = Decision(body.state, actor.name, body.reason)
        suggestion = suggestions.decide(session, suggestion_id, decision, utc_now())
        if suggestion.organisation_id is not None:
            after = {"suggestion": str(suggestion_id), "state": body.state, "reason": body.reason}
            what = trail.Note(suggestion.slug, after=after)
            trail.record(session, suggestion.organisation_id, actor, "decide_suggestion", what)
        session.flush()
        return _all_suggestions(session)


def _own_suggestions(session: Session, caller: Caller) -> SuggestionsOut:
    own = suggestions.list_for_organisation(session, caller.organisation_id, _SHOWN)
    return SuggestionsOut(suggestions=[_hide_moderator(suggestion) for suggestion in own])


def _hide_moderator(row: CatalogueSuggestion) -> SuggestionOut:
    """Return a suggestion for the API without its moderator's name, but with that of a withdrawing member."""
    suggestion = SuggestionOut.model_validate(row)
    is_own = suggestion.state in ("open", "withdrawn")
    return suggestion if is_own else suggestion.model_copy(update={"decided_by": "a moderator"})


def _all_suggestions(session: Session) -> SuggestionsOut:
    rows = suggestions.list_all(session, _SHOWN)
    query = select(Organisation.id, Organisation.name)
    query = query.where(Organisation.id.in_({row.organisation_id for row in rows}))
    names: dict[UUID | None, str] = dict(session.execute(query).all())
    return SuggestionsOut(
        suggestions=[
            SuggestionOut.model_validate(row).model_copy(
                update={"organisation": names.get(row.organisation_id)}
            )
            for row in rows
        ]
    )
