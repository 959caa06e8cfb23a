"""`tailroom verdicts differ` lists what the new method words otherwise, and nothing else."""

from uuid import UUID

from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_intervals,
    add_run,
    finish,
    look_at_run,
    steady,
)
from sqlalchemy import select
from sqlalchemy.orm import Session, make_transient

from tailroom.cli.verdicts import changes, differing
from tailroom.domain.method import METHOD_VERSION
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.storage.verdicts import VerdictRow

NEXT = METHOD_VERSION + 1


def judged(session: Session, organisation: str) -> UUID:
    specs = [SeriesSpec("read", steady(2_000, 6))]
    run_id = add_run(session, specs, organisation=organisation)
    add_intervals(session, run_id, specs)
    finish(session, run_id, specs)
    look_at_run(session, run_id, MOMENT)
    return run_id


def by_the_next_method(session: Session, run_id: UUID, words: dict[str, str], strength: str) -> None:
    """The same verdicts by a method that says these words of the named budgets, with one strength."""
    for row in session.scalars(select(VerdictRow).where(VerdictRow.run_id == run_id)).all():
        if row.budget_name not in words:
            continue
        session.expunge(row)
        make_transient(row)
        row.verdict_id, row.method_version, row.verdict = new_id(), NEXT, words[row.budget_name]
        row.reason = "samples" if row.verdict == "INDETERMINATE" else None
        row.strength = strength if row.verdict != "INDETERMINATE" else None
        session.add(row)
    session.flush()


def test_verdicts_whose_word_or_strength_changed_are_listed_with_the_reason(
    database: Database, organisation: str
) -> None:
    with database.transaction() as session:
        run_id = judged(session, organisation)
        rows = session.scalars(select(VerdictRow).where(VerdictRow.run_id == run_id)).all()
        before = {row.budget_name: (row.verdict, row.strength) for row in rows}
        (_, waiting) = differing(session, NEXT)
        assert before == {
            "act-limits": ("PASS", "proven"),
            "fraud-250-sequential": ("INDETERMINATE", None),
        }
        by_the_next_method(session, run_id, dict.fromkeys(before, "PASS"), "observed")
        found, left = differing(session, NEXT)
        mine = [one for one in found if one["run_id"] == str(run_id)]
        assert [(one["budget"], one["words_before"], one["words_now"]) for one in mine] == [
            ("act-limits", "PASS, proven", "PASS in this run"),
            ("fraud-250-sequential", "Undecided: too few operations", "PASS in this run"),
        ]
        assert all(one["reason_text"] for one in mine)
        assert (mine[0]["method_before"], mine[0]["method_now"]) == (METHOD_VERSION, NEXT)
        assert changes([mine[1], *mine, *mine]) == [
            (("Undecided: too few operations", "PASS in this run"), 3),
            (("PASS, proven", "PASS in this run"), 2),
        ]
        assert left == waiting - 2
        session.rollback()


def test_equal_verdicts_and_the_strength_that_older_methods_lack_are_not_listed(
    database: Database, organisation: str
) -> None:
    with database.transaction() as session:
        run_id = judged(session, organisation)
        rows = session.scalars(select(VerdictRow).where(VerdictRow.run_id == run_id)).all()
        words = {row.budget_name: row.verdict for row in rows}
        by_the_next_method(session, run_id, words, "proven")
        assert [one for one in differing(session, NEXT)[0] if one["run_id"] == str(run_id)] == []
        for row in rows:
            row.strength = None
        session.flush()
        assert [one for one in differing(session, NEXT)[0] if one["run_id"] == str(run_id)] == []
        session.rollback()
