"""Answers questions about ratings. While no test is on record the leaderboard is empty."""

from collections.abc import Sequence
from uuid import UUID

from fastapi.responses import Response
from sqlalchemy.orm import Session

from tailroom.budgets.service import find_budget
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget
from tailroom.ratings.errors import DriveUnknown, FilterInvalid, TestUnknown
from tailroom.ratings.query import LeaderboardQuery
from tailroom.ratings.schemas import (
    ComparabilityOut,
    HiddenOut,
    LeaderboardOut,
    RatingLimitOut,
    RatingRuleSetOut,
)


def leaderboard(
    session: Session, organisation_id: UUID, asked: LeaderboardQuery, if_none_match: str | None
) -> Response:
    """One page."""
    out = LeaderboardOut(
        rule_set=_rule_set(session, organisation_id, asked.rule_set),
        question=None,
        method_version=METHOD_VERSION,
        loads=[],
        rows=[],
        next_cursor=None,
        total=0,
        total_unfiltered=0,
        conditions=None,
        classes=[],
        hidden=HiddenOut(count=0, reasons=[]),
        facets={},
        notes=[],
    )
    return Response(out.model_dump_json(by_alias=True), media_type="application/json")


def leaderboard_csv(
    session: Session, organisation_id: UUID, asked: LeaderboardQuery, if_none_match: str | None
) -> Response:
    """The same as a table."""
    _rule_set(session, organisation_id, asked.rule_set)
    return Response("", media_type="text/csv")


def drive_page(
    session: Session, organisation_id: UUID, slug: str, rule_set: str, if_none_match: str | None
) -> Response:
    """Everything about a drive. Raises DriveUnknown."""
    raise DriveUnknown(f"There is no drive “{slug}” in the catalogue.")


def badge(session: Session, slug: str, rule_set: str, if_none_match: str | None) -> Response:
    """The badge of a drive. Raises DriveUnknown."""
    raise DriveUnknown(f"There is no drive “{slug}” in the catalogue.")


def comparability(session: Session, organisation_id: UUID, test_ids: Sequence[str]) -> ComparabilityOut:
    """Every pair of tests. Raises TestUnknown."""
    raise TestUnknown(f"There is no test “{test_ids[0]}”.")


def _rule_set(session: Session, organisation_id: UUID, name: str) -> RatingRuleSetOut:
    budget = find_budget(session, organisation_id, name, None)
    if not isinstance(budget, ExceedanceBudget):
        raise FilterInvalid.of("rule_set", f"“{name}” has no limits on shares of reads")
    decides = budget.certification is not None and budget.certification.decides
    return RatingRuleSetOut(
        name=budget.name,
        version=budget.version,
        title=budget.title,
        question=budget.question,
        limits=[
            RatingLimitOut(threshold_ns=one.threshold_ns, limit_ratio=one.ratio) for one in budget.limits
        ],
        min_duration_ns=budget.certification_duration_ns if decides else 0,
        slice_ns=budget.certification_slice_ns if decides else None,
    )
