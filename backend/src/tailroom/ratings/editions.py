"""Editions: the public leaderboard of a quarter, stored as it was answered and never changed.

An edition holds every public row by the rule set of the leaderboard, whatever the conditions. A run that is
withdrawn later stays in the editions that were made before.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.rating.editions import (
    EditionRow,
    RowChange,
    changes_between,
    is_edition_name,
    quarter_before,
)
from tailroom.kit.transactions import Transactions
from tailroom.ratings.documents import leaderboard_out
from tailroom.ratings.errors import EditionUnknown, FilterInvalid
from tailroom.ratings.judgements import RULE_SETS, JudgementCache
from tailroom.ratings.leaderboard import ratings_of
from tailroom.ratings.load_table import load_table
from tailroom.ratings.query import LeaderboardQuery
from tailroom.ratings.question import rule_set_question
from tailroom.ratings.selection import select_rows
from tailroom.storage.board_edition import BoardEdition

LIVING = "living"
"""Name of the current leaderboard, as the later one in a comparison of editions."""
LATEST_AFTER = timedelta(days=7)
"""Longest time after a quarter in which its edition may be made; later the leaderboard is another."""
Json = dict[str, Any]


def make_edition(transactions: Transactions, name: str, now: datetime) -> bool:
    """Store the current public leaderboard as the edition `name`. Return False if that exists already."""
    board = public_board(transactions)
    content = msgspec.json.encode({"name": name, "made_at": now, "board": board})
    values = {
        "name": name,
        "made_at": now,
        "method_version": METHOD_VERSION,
        "row_count": len(board["rows"]),
        "content": content,
        "content_sha256": hashlib.sha256(content).digest(),
    }
    with transactions() as session:
        statement = insert(BoardEdition).values(values).on_conflict_do_nothing(index_elements=("name",))
        return session.scalar(statement.returning(BoardEdition.name)) is not None


def make_due_edition(transactions: Transactions, now: datetime) -> str | None:
    """Make the edition of the last full quarter and return its name. Return None, and store nothing, if it
    exists already or the quarter ended more than `LATEST_AFTER` ago.
    """
    name = quarter_before(now)
    quarter_began = now.replace(
        month=(now.month - 1) // 3 * 3 + 1, day=1, hour=0, minute=0, second=0, microsecond=0
    )
    if now - quarter_began > LATEST_AFTER:
        return None
    with transactions() as session:
        if session.get(BoardEdition, name) is not None:
            return None
    return name if make_edition(transactions, name, now) else None


def public_board(transactions: Transactions) -> Json:
    """Return the current leaderboard for the API, by the first built-in rule set, all rows on one page."""
    question = rule_set_question(RULE_SETS[0])
    ratings = ratings_of(transactions, JudgementCache(), None, question)
    query = LeaderboardQuery(equal=False, scope="public")
    selected = select_rows(ratings, query.model_copy(update={"limit": len(ratings.rows) + 1}))
    with transactions() as session:
        table = load_table(session, ratings, selected.rows, None)
    return leaderboard_out(ratings, selected, table, None)


def editions(session: Session) -> list[Json]:
    """Return the editions for the API, without their rows, the latest first."""
    columns = (BoardEdition.name, BoardEdition.made_at, BoardEdition.row_count, BoardEdition.content_sha256)
    rows = session.execute(select(*columns).order_by(BoardEdition.made_at.desc()))
    return [
        {"name": name, "made_at": made_at, "rows": row_count, "content_sha256": sha256.hex()}
        for name, made_at, row_count, sha256 in rows
    ]


def edition_of(session: Session, name: str) -> BoardEdition:
    """Return the edition of this name, such as `2026-Q4`. Raise EditionUnknown if there is none."""
    edition = session.get(BoardEdition, name) if is_edition_name(name) else None
    if edition is None:
        raise EditionUnknown(f"There is no edition “{name[:20]}”. `/api/v1/editions` lists those there are.")
    return edition


def edition_changes(transactions: Transactions, since: str, until: str) -> Json:
    """Return the changes of rows from the edition `since` to a later edition or to `LIVING`, the current
    leaderboard, and the tests withdrawn in between. Raise EditionUnknown for an edition that does not exist,
    FilterInvalid if `since` is `LIVING`.
    """
    if since == LIVING:
        raise FilterInvalid.of("since", "is an edition; the living board can only be the later one")
    with transactions() as session:
        before = _board(edition_of(session, since))
        later = None if until == LIVING else _board(edition_of(session, until))
    after = public_board(transactions) if later is None else later
    rows = {row["row_id"]: row for row in [*before["rows"], *after["rows"]]}
    changes = changes_between(*([_edition_row(row) for row in board["rows"]] for board in (before, after)))
    return {
        "since": since,
        "until": until,
        "changes": [_change_out(change, rows[change.row_id]) for change in changes],
        "withdrawn": _newly_withdrawn_tests(before, after),
    }


def _board(edition: BoardEdition) -> Json:
    board: Json = json.loads(edition.content)["board"]
    return board


def _edition_row(row: Mapping[str, Any]) -> EditionRow:
    rating, rank = row["rating"], row["rank"]
    return EditionRow(
        row["row_id"],
        rating["passed_load"],
        rating["failed_load"],
        None if rank is None else (rank["best"], rank["worst"]),
        row["standing"]["standing"],
    )


def _change_out(change: RowChange, row: Mapping[str, Any]) -> Json:
    return {
        "row_id": change.row_id,
        "drive": row["drive"],
        "capacity_bytes": row["capacity_bytes"],
        "kind": change.kind.value,
        "before": change.before,
        "after": change.after,
    }


def _newly_withdrawn_tests(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Json]:
    earlier = {_withdrawn_key(test) for test in before["withdrawn"]}
    return [test for test in after["withdrawn"] if _withdrawn_key(test) not in earlier]


def _withdrawn_key(test: Mapping[str, Any]) -> tuple[str, ...]:
    parts = (test["run_id"], test["publication_slug"], test["load"], test["drive"]["slug"])
    return tuple(map(str, parts))
