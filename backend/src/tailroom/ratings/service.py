"""Answers of the leaderboard, with entity tags."""

import hashlib
from dataclasses import dataclass
from uuid import UUID

import msgspec
from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from tailroom.domain.method import METHOD_VERSION
from tailroom.kit.entity_tags import names_tag
from tailroom.kit.transactions import Transactions
from tailroom.ratings import repository
from tailroom.ratings.documents import leaderboard_out
from tailroom.ratings.judgements import JudgementCache
from tailroom.ratings.leaderboard import ratings_of
from tailroom.ratings.load_table import load_table
from tailroom.ratings.query import LeaderboardQuery
from tailroom.ratings.question import question_of
from tailroom.ratings.selection import select_rows
from tailroom.ratings.sources.runs import why_not_rated
from tailroom.ratings.table import CSV, leaderboard_csv
from tailroom.storage.run import PUBLIC, Run

JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Content:
    """A body with its entity tag; `body` is None if the client has it already (status 304)."""

    body: bytes | None
    etag: str
    media_type: str
    is_complete: bool = True
    """False if some tests are not judged yet, so that the same question will have more judgements later."""


def leaderboard(  # noqa: PLR0917 - session, cache and the request's parts
    transactions: Transactions,
    cache: JudgementCache,
    organisation_id: UUID,
    query: LeaderboardQuery,
    if_none_match: str | None,
    media_type: str = JSON,
) -> Content:
    """Return a page of the leaderboard as JSON or as CSV, by the media type; CSV without a `limit` has all
    rows. There is no body if the header `if_none_match` names its tag and all tests are judged. Raise
    FilterInvalid, BudgetUnknown, or CursorUnreadable for a cursor of another order.
    """
    with transactions() as session:
        question = question_of(session, organisation_id, query)
        revisions = repository.revisions(session, organisation_id)
    etag = tag(media_type, revisions, organisation_id, question.fingerprint, query.model_dump_json())
    ratings = ratings_of(
        transactions, cache, organisation_id, question, evidence=query.evidence, run_id=query.run
    )
    is_complete = not ratings.judged.waiting
    if media_type == CSV and "limit" not in query.model_fields_set:
        query = query.model_copy(update={"limit": len(ratings.rows) + 1})
    selected = select_rows(ratings, query)
    if is_complete and names_tag(if_none_match, etag):
        return Content(None, etag, media_type)
    with transactions() as session:
        table = load_table(session, ratings, selected.rows, organisation_id, query.evidence)
        not_rated = None if selected.rows else _reason_not_rated(session, organisation_id, query.run)
    if media_type == CSV:
        body = leaderboard_csv(table, selected.fields["withdrawn"]).encode()
    else:
        body = msgspec.json.encode(leaderboard_out(ratings, selected, table, not_rated))
    if not is_complete:
        etag = tag("incomplete", hashlib.sha256(body).hexdigest())
    return Content(body, etag, media_type, is_complete)


def _reason_not_rated(session: Session, organisation_id: UUID, run_id: UUID | None) -> str | None:
    """Return why a run has no row; None without an id, if the run is not visible, or if it is rated."""
    is_visible = or_(Run.organisation_id == organisation_id, Run.visibility == PUBLIC)
    run = session.scalar(select(Run).where(Run.run_id == run_id, is_visible)) if run_id else None
    return None if run is None else why_not_rated(session, run)


def tag(*parts: object) -> str:
    """Return an entity tag, quotes included: a hash of the version of the method and these parts."""
    return f'"{hashlib.sha256(repr((METHOD_VERSION, *parts)).encode()).hexdigest()[:32]}"'
