"""Answers questions about ratings: what a process keeps, and when an answer is still the one known."""

import hashlib
from dataclasses import dataclass, field
from uuid import UUID

import msgspec

from tailroom.budgets.documents import BUILT_IN
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget
from tailroom.kit.transactions import Transactions
from tailroom.ratings.answers.answer import Answer, answer_of
from tailroom.ratings.answers.decisions import JudgedTests
from tailroom.ratings.answers.order import Selected, select_rows
from tailroom.ratings.board.board import Board, Boards
from tailroom.ratings.questions.query import LeaderboardQuery
from tailroom.ratings.questions.question import question_of, rule_set_question
from tailroom.ratings.serialization import rows as showing
from tailroom.ratings.serialization import table as tables


@dataclass(frozen=True)
class KeptRatings:
    """What the requests of one process keep: boards, and what the judge of transactions said of tests."""

    boards: Boards = field(default_factory=Boards)
    judged: JudgedTests = field(default_factory=JudgedTests)


@dataclass(frozen=True, slots=True)
class Content:
    """A body with the tag that names it; `body` none where the asker has it already."""

    body: bytes | None
    etag: str
    media_type: str
    is_complete: bool = True
    """False: more of the question is answered next time, although nothing has changed."""


def leaderboard(
    transactions: Transactions,
    kept: KeptRatings,
    organisation_id: UUID,
    asked: LeaderboardQuery,
    known: str | None,
) -> Content:
    """One page. Raises FilterInvalid, BudgetUnknown, CursorUnreadable."""
    answer, etag = _answer(transactions, kept, organisation_id, asked, "json")
    selected = select_rows(answer, asked)
    complete = answer.decided.is_complete
    if complete and is_known(known, etag):
        return Content(None, etag, "application/json")
    body = msgspec.json.encode(showing.leaderboard_out(answer, selected))
    return Content(body, etag if complete else _once(body), "application/json", complete)


def leaderboard_csv(
    transactions: Transactions,
    kept: KeptRatings,
    organisation_id: UUID,
    asked: LeaderboardQuery,
    known: str | None,
) -> Content:
    """The rows of the same page as a table."""
    answer, etag = _answer(transactions, kept, organisation_id, asked, "csv")
    selected: Selected = select_rows(answer, asked)
    complete = answer.decided.is_complete
    if complete and is_known(known, etag):
        return Content(None, etag, "text/csv; charset=utf-8")
    body = tables.leaderboard_csv(answer, selected).encode()
    return Content(body, etag if complete else _once(body), "text/csv; charset=utf-8", complete)


def prepare(transactions: Transactions, kept: KeptRatings, board: Board) -> None:
    """Answers what is asked most of a board, so that whoever asks first does not wait for it."""
    board.prepare()
    asked = LeaderboardQuery()
    rule_set = next(one for one in BUILT_IN if one.name == asked.rule_set)
    if isinstance(rule_set, ExceedanceBudget):
        answer = answer_of(
            transactions, board, rule_set_question(rule_set), frozenset(asked.evidence), kept.judged
        )
        showing.leaderboard_out(answer, select_rows(answer, asked))


def is_known(known: str | None, etag: str) -> bool:
    """Whether `If-None-Match` names the tag."""
    names = {one.strip().removeprefix("W/") for one in (known or "").split(",")}
    return etag in names or "*" in names


def tag(*parts: object) -> str:
    """A tag of everything that an answer depends on."""
    return f'"{hashlib.sha256(repr((METHOD_VERSION, *parts)).encode()).hexdigest()[:32]}"'


def _answer(
    transactions: Transactions, kept: KeptRatings, organisation_id: UUID, asked: LeaderboardQuery, form: str
) -> tuple[Answer, str]:
    with transactions() as session:
        question = question_of(session, organisation_id, asked)
    board = kept.boards.current(transactions, organisation_id)
    answer = answer_of(transactions, board, question, frozenset(asked.evidence), kept.judged)
    etag = tag(form, board.stamp, organisation_id, question.fingerprint, asked.model_dump_json())
    return answer, etag


def _once(body: bytes) -> str:
    return tag("incomplete", hashlib.sha256(body).hexdigest())
