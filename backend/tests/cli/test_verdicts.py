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

from tailroom.cli.verdicts import differing
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


def by_the_next_method(session: Session, run_id: UUID, words: dict[str, str]) -> None:
    """The same verdicts by a method that says these words of the named budgets, and nothing of others."""
    for row in session.scalars(select(VerdictRow).where(VerdictRow.run_id == run_id)).all():
        if row.budget_name not in words:
            continue
        session.expunge(row)
        make_transient(row)
        row.verdict_id, row.method_version, row.verdict = new_id(), NEXT, words[row.budget_name]
        row.reason = "samples" if row.verdict == "INDETERMINATE" else None
        row.strength = None if row.reason else "observed"
        row.result = row.result | {"verdict": row.verdict, "words": f"{row.verdict} in this run"}
        session.add(row)
    session.flush()


def test_only_verdicts_whose_word_changed_are_listed(database: Database, organisation: str) -> None:
    with database.transaction() as session:
        run_id = judged(session, organisation)
        query = select(VerdictRow.budget_name, VerdictRow.verdict).where(VerdictRow.run_id == run_id)
        before = dict(session.execute(query).tuples().all())
        (_, waiting) = differing(session, NEXT)
        changed, *same = sorted(before)
        other = "FAIL" if before[changed] != "FAIL" else "PASS"
        assert same
        by_the_next_method(session, run_id, {changed: other, same[0]: before[same[0]]})
        found, left = differing(session, NEXT)
        mine = [one for one in found if one["run_id"] == str(run_id)]
        assert [(one["budget"], one["before"], one["now"]) for one in mine] == [
            (changed, before[changed], other)
        ]
        assert (mine[0]["method_before"], mine[0]["method_now"]) == (METHOD_VERSION, NEXT)
        assert mine[0]["words_now"] == f"{other} in this run"
        assert mine[0]["words_before"] != mine[0]["words_now"]
        assert mine[0]["why"]
        assert left == waiting - 2
        session.rollback()
