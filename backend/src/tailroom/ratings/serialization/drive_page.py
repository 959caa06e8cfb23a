"""Everything on record about one drive: facts with their sources, ratings, tests, load curves."""

from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec
from sqlalchemy.orm import Session

from tailroom.budgets.documents import BUILT_IN
from tailroom.catalogue import prices
from tailroom.catalogue import repository as catalogue
from tailroom.catalogue.audits import findings_stored
from tailroom.catalogue.items import disagreeing
from tailroom.catalogue.service import fact_of
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.rating.interval import LoadState
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget
from tailroom.kit.transactions import Transactions
from tailroom.ratings import repository
from tailroom.ratings.answers.answer import Answer, answer_of
from tailroom.ratings.answers.comparisons import notes_of_rows
from tailroom.ratings.board.board import Board
from tailroom.ratings.board.drives import KnownDrive
from tailroom.ratings.errors import DriveUnknown
from tailroom.ratings.questions.question import rule_set_of, rule_set_question
from tailroom.ratings.serialization import rows as showing
from tailroom.ratings.serialization.rows import Json
from tailroom.ratings.serialization.tests import test_out
from tailroom.ratings.service import Content, KeptRatings, is_known, tag
from tailroom.storage.catalogue import CatalogueFact


def drive_page(  # noqa: PLR0917 - who asks what, and what he knows
    transactions: Transactions,
    kept: KeptRatings,
    organisation_id: UUID,
    slug: str,
    rule_set: str,
    known: str | None,
) -> Content:
    """A drive's page. Raises DriveUnknown, BudgetUnknown, FilterInvalid."""
    with transactions() as session:
        chosen = rule_set_of(session, organisation_id, rule_set)
    board = kept.boards.current(transactions, organisation_id)
    drive = drive_of(board, slug)
    question = rule_set_question(chosen)
    etag = tag("drive", board.stamp, organisation_id, slug, question.fingerprint)
    if is_known(known, etag):
        return Content(None, etag, "application/json")
    answer = answer_of(transactions, board, question, frozenset(), kept.judged)
    others = [
        answer
        if one.name == chosen.name
        else answer_of(transactions, board, rule_set_question(one), frozenset(), kept.judged)
        for one in BUILT_IN
        if isinstance(one, ExceedanceBudget)
    ]
    answers = others if answer in others else [answer, *others]
    rows = [place for place, row in enumerate(board.rows) if row.drive.slug == slug]
    tests = [place for place, one in enumerate(board.tests) if one.drive_slug == slug]
    tests.sort(key=lambda place: (board.tests[place].load_multiple, board.tests[place].test_id))
    with transactions() as session:
        findings = _findings(session, board, tests)
        facts = _with_own_prices(session, organisation_id, drive)
        aliases = repository.aliases(session, drive.item_id) if drive.item_id else []
    body = msgspec.json.encode(
        {
            "drive": showing.drive_out(drive),
            "kind": repository.DRIVE,
            "interface": drive.interface,
            "form_factor": " / ".join(drive.form_factors) or None,
            "aliases": aliases,
            "rule_set": showing.rule_set_out(chosen),
            "method_version": METHOD_VERSION,
            "loads": showing.loads_shown(answer, rows),
            "facts": _facts(facts),
            "rows": [showing.row_document(answer, place, showing.loads_of(answer, rows)) for place in rows],
            "tests": [test_out(board, place, answers, findings) for place in tests],
            "curves": [curve for place in rows for curve in _curves(answer, place)],
            "comparability": notes_of_rows(board, rows),
            "withdrawn": [showing.withdrawn_out(one) for one in board.withdrawn if one.drive.slug == slug],
            "notes": showing.notes(answer),
        }
    )
    return Content(body, etag, "application/json")


def _with_own_prices(session: Session, organisation_id: UUID, drive: KnownDrive) -> Sequence[CatalogueFact]:
    """Facts of the catalogue, and those of the organisation's own price list in their place."""
    if drive.item_id is None:
        return []
    own = [
        fact
        for row in prices.rows_of(session, organisation_id, drive.slug)
        for fact in prices.facts_of_entry(row, drive.item_id)
    ]
    return prices.with_own_prices(catalogue.facts_of(session, [drive.item_id]), own)


def drive_of(board: Board, slug: str) -> KnownDrive:
    """A drive by its slug. Raises DriveUnknown."""
    drive = board.drives.get(slug)
    if drive is None:
        raise DriveUnknown(f"There is no drive “{slug[:200]}” in the catalogue that you may see.")
    return drive


def _curves(answer: Answer, place: int) -> list[Json]:
    """For each limit: tested loads with their ends, and what bounds the loads between them."""
    found: list[Json] = []
    row = answer.board.rows[place]
    for number, limit in enumerate(answer.question.limits):
        points: list[Json] = []
        bounded = answer.bounded[number]
        for load, multiple in enumerate(answer.board.loads.tolist()):
            if answer.tested[place, load]:
                tests = answer.tests_of_cell[place, load]
                points.append(
                    {
                        "load": multiple,
                        "lower_ratio": float(answer.lower[number, place, load]),
                        "upper_ratio": float(answer.upper[number, place, load]),
                        "state": _limit_state(answer, number, place, load).value,
                        "test_ids": [answer.board.tests[one].test_id for one in tests],
                    }
                )
            elif bounded.below[place, load] >= 0 and bounded.above[place, load] >= 0:
                points.append(
                    {
                        "load": multiple,
                        "lower_ratio": float(bounded.lower[place, load]),
                        "upper_ratio": float(bounded.upper[place, load]),
                        "state": "bounded",
                        "test_ids": [],
                    }
                )
        if points:
            found.append(
                {
                    "row_id": row.row_id,
                    "threshold_ns": limit.threshold_ns,
                    "limit_ratio": limit.ratio,
                    "points": points,
                }
            )
    return found


def _limit_state(answer: Answer, number: int, place: int, load: int) -> LoadState:
    """One limit by itself: the drive may pass it and miss another."""
    limit = answer.question.limits[number]
    if answer.upper[number, place, load] < limit.ratio:
        return LoadState.PASSED
    return LoadState.FAILED if answer.lower[number, place, load] >= limit.ratio else LoadState.UNDECIDED


def _findings(session: Session, board: Board, tests: Sequence[int]) -> Mapping[str, Sequence[Json]]:
    """What audits found about the claims behind tests, by publication and key."""
    slugs = {board.tests[place].publication_slug for place in tests} - {None}
    keys = {key for place in tests for key in board.tests[place].claim_keys}
    found: dict[str, list[Json]] = {}
    for slug in sorted(slugs):
        for finding in findings_stored(session, slug):
            shown = {
                "check": finding.check_id,
                "severity": finding.severity,
                "statement": finding.statement,
                "origin": finding.origin,
            }
            for key in keys.intersection(finding.claim_keys):
                found.setdefault(f"{slug} {key}", []).append(shown)
    return found


def _facts(facts: Sequence[CatalogueFact]) -> list[Json]:
    """Every fact with its source; those that another source contradicts are marked."""
    conflicts = disagreeing([fact_of(one) for one in facts])
    return [
        {
            "field": one.field,
            "capacity_bytes": one.capacity_bytes,
            "value": one.value_number,
            "value_text": one.value_text,
            "unit": one.unit,
            "as_printed": one.as_printed,
            "lower": one.lower,
            "upper": one.upper,
            "conditions": one.conditions,
            "source": {"publication": one.source_slug, "text": one.source_text},
            "disagrees": position in conflicts,
        }
        for position, one in enumerate(facts)
    ]
