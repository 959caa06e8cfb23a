"""Suggestions for the shared catalogue: an organisation suggests, a moderator accepts or refuses.

A suggestion is the only stored form of its change: accepted facts are added again whenever the reference data
of the package are loaded. An accepted drive becomes shared under the slug that runs already use; its price
stays private. A fact is added beside those of other sources and replaces none. The organisation withdraws an
open suggestion; a moderator takes an accepted fact back.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from tailroom.access.repository import lock_organisation
from tailroom.catalogue import repository
from tailroom.catalogue.drives import rate_runs_again
from tailroom.catalogue.errors import SuggestionRefused, SuggestionUnknown
from tailroom.catalogue.items import fact_values, stated_fact
from tailroom.catalogue.suggestion_schemas import FACT_UNITS, FactIn, SuggestionIn
from tailroom.kit.identifiers import new_id
from tailroom.storage.catalogue import CatalogueFact, CatalogueItem
from tailroom.storage.suggestion import (
    ACCEPTED,
    DRIVE,
    FACT,
    OPEN,
    REFUSED,
    TAKEN_BACK,
    WITHDRAWN,
    CatalogueSuggestion,
)

MOST_OPEN = 50
"""Maximum number of an organisation's suggestions that wait for a moderator."""
_PRIVATE = frozenset({"price"})
"""Fields of a drive that are never shared."""
_COLUMNS = tuple(column.name for column in CatalogueFact.__table__.columns if column.name != "item_id")
"""Columns of `CatalogueFact` that a suggestion stores."""


def suggest(
    session: Session, organisation_id: UUID, suggestion: SuggestionIn, who: str, now: datetime
) -> CatalogueSuggestion:
    """Store and return a suggestion: to share an own drive (without a fact), or a fact about a shared item.

    `who` is the person's name. Raise SuggestionUnknown for an item that the organisation does not see,
    SuggestionRefused if the suggestion changes nothing, repeats an open suggestion, or too many are open.
    """
    item = repository.item_by_slug(session, suggestion.slug, organisation_id)
    if item is None:
        raise SuggestionUnknown(f"The catalogue has no “{suggestion.slug}”.")
    lock_organisation(session, organisation_id)
    if _open_count(session, organisation_id) >= MOST_OPEN:
        raise SuggestionRefused(f"{MOST_OPEN} suggestions wait for a moderator. Withdraw one, or wait.")
    is_own = item.organisation_id is not None
    if is_own == (suggestion.fact is not None):
        raise SuggestionRefused(
            f"“{item.name}” is your organisation's own drive: suggest the drive first, without a fact."
            if is_own
            else f"Everybody sees “{item.name}” already: suggest a fact about it."
        )
    facts = repository.facts_of(session, [item.item_id]) if suggestion.fact is None else ()
    rows = [{name: getattr(fact, name) for name in _COLUMNS} for fact in facts]
    if suggestion.fact is not None:
        rows = [_fact_row(suggestion.fact)]
    made = CatalogueSuggestion(
        suggestion_id=new_id(),
        organisation_id=organisation_id,
        kind=FACT if suggestion.fact is not None else DRIVE,
        slug=item.slug,
        name=f"{item.vendor} {item.name}",
        facts=[row for row in rows if row["field"] not in _PRIVATE],
        kept_back=[row for row in rows if row["field"] in _PRIVATE],
        suggested_by=who,
        suggested_at=now,
        state=OPEN,
    )
    if _repeats_an_open_suggestion(session, made):
        raise SuggestionRefused("The same was suggested before and waits for a moderator.")
    session.add(made)
    session.flush()
    return made


def list_for_organisation(
    session: Session, organisation_id: UUID, limit: int
) -> Sequence[CatalogueSuggestion]:
    """Return the latest suggestions of an organisation, newest first, at most `limit`."""
    query = select(CatalogueSuggestion).where(CatalogueSuggestion.organisation_id == organisation_id)
    return session.scalars(query.order_by(CatalogueSuggestion.suggested_at.desc()).limit(limit)).all()


def list_all(session: Session, limit: int) -> Sequence[CatalogueSuggestion]:
    """Return the suggestions of all organisations, at most `limit`: open ones first, then the newest."""
    order = (CatalogueSuggestion.state != OPEN, CatalogueSuggestion.suggested_at.desc())
    return session.scalars(select(CatalogueSuggestion).order_by(*order).limit(limit)).all()


def withdraw(session: Session, organisation_id: UUID, suggestion_id: UUID, who: str, now: datetime) -> None:
    """Withdraw an open suggestion of the organisation; `who` is the name of the person.

    Raise SuggestionUnknown if the organisation has no such suggestion, SuggestionRefused if it is not open.
    """
    suggestion = _lock_suggestion(session, suggestion_id, organisation_id)
    _decide(suggestion, OPEN, Decision(WITHDRAWN, who), now)


class Decision(NamedTuple):
    """The new state of a suggestion, the person who decided it, and the reason."""

    state: str
    who: str
    reason: str | None = None


def decide(session: Session, suggestion_id: UUID, decision: Decision, now: datetime) -> CatalogueSuggestion:
    """Accept or refuse an open suggestion, or take an accepted fact back, as moderator; return the
    suggestion.

    The session must see all organisations. Raise SuggestionUnknown if there is none with this id,
    SuggestionRefused in another state, or to take back a drive.
    """
    suggestion = _lock_suggestion(session, suggestion_id)
    if decision.state == TAKEN_BACK:
        if suggestion.kind == DRIVE:
            raise SuggestionRefused("Runs of others may name the drive by now, so it stays.")
        _decide(suggestion, ACCEPTED, decision, now)
        source = _source(suggestion)
        session.execute(delete(CatalogueFact).where(CatalogueFact.source_text == source))
        return suggestion
    _decide(suggestion, OPEN, decision, now)
    if decision.state == REFUSED:
        return suggestion
    _apply(session, suggestion)
    if suggestion.kind == DRIVE:
        # Finished runs of anybody may be of the drive.
        rate_runs_again(session, None, now)
    return suggestion


def apply_accepted(session: Session) -> None:
    """Add the facts of accepted suggestions to the catalogue again, after the package's data were loaded."""
    query = select(CatalogueSuggestion).where(CatalogueSuggestion.state == ACCEPTED)
    for suggestion in session.scalars(query.order_by(CatalogueSuggestion.decided_at)):
        if suggestion.kind == FACT:
            _apply(session, suggestion)


def accepted_slugs(session: Session) -> set[str]:
    """Return the slugs of the drives that became shared because a suggestion was accepted."""
    query = select(CatalogueSuggestion.slug).where(
        CatalogueSuggestion.state == ACCEPTED, CatalogueSuggestion.kind == DRIVE
    )
    return set(session.scalars(query))


def _apply(session: Session, suggestion: CatalogueSuggestion) -> None:
    """Share an accepted drive without its price, or add accepted facts; do nothing if the item is gone."""
    item = session.scalar(select(CatalogueItem).where(CatalogueItem.slug == suggestion.slug))
    if item is None:
        return  # the package has it no more
    if suggestion.kind == DRIVE:
        item.organisation_id = None
        session.execute(
            delete(CatalogueFact).where(
                CatalogueFact.item_id == item.item_id, CatalogueFact.field.in_(_PRIVATE)
            )
        )
        update_facts = update(CatalogueFact).where(CatalogueFact.item_id == item.item_id)
        session.execute(update_facts.values(source_text=CatalogueFact.source_text + _source_mark(suggestion)))
        return
    last = session.scalar(
        select(func.max(CatalogueFact.position)).where(CatalogueFact.item_id == item.item_id)
    )
    for number, row in enumerate(suggestion.facts):
        values = row | {"position": (-1 if last is None else last) + 1 + number}
        session.add(CatalogueFact(item_id=item.item_id, **values | {"source_text": _source(suggestion)}))
    session.flush()


def _source(suggestion: CatalogueSuggestion) -> str:
    """Return the source stored with each fact: that stated for the first fact, and the suggestion's mark."""
    return f"{suggestion.facts[0]['source_text']}{_source_mark(suggestion)}"


def _source_mark(suggestion: CatalogueSuggestion) -> str:
    """Return the text after a source that marks a fact as suggested; it does not name the organisation."""
    day = suggestion.decided_at
    assert day is not None  # noqa: S101 - it was accepted
    return f" (suggested, accepted {day:%Y-%m-%d}, {suggestion.suggestion_id.hex[-8:]})"


def _fact_row(document: FactIn) -> dict[str, Any]:
    value = document.text if document.number is None else document.number
    fact = stated_fact(document.field, value or "", FACT_UNITS[document.field], document.source)
    row = fact_values(UUID(int=0), 0, replace(fact, capacity_bytes=document.capacity_bytes))
    return {name: row[name] for name in _COLUMNS}


def _lock_suggestion(
    session: Session, suggestion_id: UUID, organisation_id: UUID | None = None
) -> CatalogueSuggestion:
    """Return a suggestion, locked until the transaction ends; of the organisation, if one is given. Raise
    SuggestionUnknown if there is none.
    """
    suggestion = session.get(CatalogueSuggestion, suggestion_id, with_for_update=True)
    if suggestion is None or organisation_id not in {None, suggestion.organisation_id}:
        raise SuggestionUnknown(f"There is no suggestion {suggestion_id}.")
    return suggestion


def _decide(suggestion: CatalogueSuggestion, before: str, decision: Decision, now: datetime) -> None:
    if suggestion.state != before:
        raise SuggestionRefused(
            f"The suggestion is {suggestion.state}; only one that is {before} can be {decision.state}."
        )
    suggestion.state, suggestion.decided_by, suggestion.reason = decision
    suggestion.decided_at = now


def _open_count(session: Session, organisation_id: UUID) -> int:
    query = select(func.count()).where(
        CatalogueSuggestion.organisation_id == organisation_id, CatalogueSuggestion.state == OPEN
    )
    return int(session.scalar(query) or 0)


def _repeats_an_open_suggestion(session: Session, made: CatalogueSuggestion) -> bool:
    query = select(CatalogueSuggestion.suggestion_id).where(
        CatalogueSuggestion.organisation_id == made.organisation_id,
        CatalogueSuggestion.state == OPEN,
        CatalogueSuggestion.slug == made.slug,
        CatalogueSuggestion.facts == made.facts,
    )
    return session.scalar(query.limit(1)) is not None
