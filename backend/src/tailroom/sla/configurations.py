"""Configurations that a budget is matched against, by source, newest first.

A configuration is a record of latencies: a run of the organisation (measured, uploaded, sum of a campaign,
drive test), a drive test that another organisation has published, or figures of a publication. Publications
of the package sort after all runs.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import UUID

from sqlalchemy import ColumnElement, func, not_, select

from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.evidence.publication import published
from tailroom.evidence.reader import states_of
from tailroom.evidence.source import asks_about_own
from tailroom.records.repository import measured_operations
from tailroom.runs.repository import shown_runs
from tailroom.sla.question_schemas import SubjectKind
from tailroom.sla.question_subject import QuestionSubject, published_subject
from tailroom.sla.subjects import PreloadedFacts, SubjectReader, kinds_of
from tailroom.storage.drive_test import DriveTest
from tailroom.storage.run import PUBLIC, SIMULATED, Run


@dataclass(frozen=True, slots=True)
class Candidate:
    """A configuration to be judged. `position` (time, id) orders candidates and never changes."""

    position: tuple[datetime, UUID]
    kind: SubjectKind
    subject: QuestionSubject | Callable[[SubjectReader], QuestionSubject]
    """The subject, or a function that reads it from the database."""
    state: Hashable
    """Changes whenever an outcome of the candidate may change; part of the key of cached outcomes."""
    run_id: UUID | None = None


def read_candidates(
    reader: SubjectReader,
    organisation_id: UUID,
    limit: int,
    *,
    run_ids: Sequence[UUID] | None,
    with_published: bool,
) -> tuple[list[Candidate], int]:
    """Return candidates by source, at most `limit` of each source, newest first, and the number of all that
    the organisation sees. They are its own runs without simulated runs, and `with_published` also
    public drive tests of other organisations and publications. If `run_ids` is given, they are only those of
    its runs, simulated runs included. The record of a run is read when it is judged.
    """
    own = Run.organisation_id == organisation_id
    if run_ids is not None:
        chosen = (own, Run.run_id.in_(run_ids))
        return _newest_runs(reader, organisation_id, limit, *chosen), _count_runs(reader, *chosen)
    candidates = _newest_runs(reader, organisation_id, limit, own, not_(SIMULATED))
    # Simulated runs have an index of their own, so the plans of the other runs are not read.
    total = _count_runs(reader, own) - _count_runs(reader, own, SIMULATED)
    if with_published:
        tested = select(DriveTest.run_id).where(DriveTest.visibility == PUBLIC, DriveTest.run_id.is_not(None))
        of_others = (
            Run.visibility == PUBLIC,
            Run.organisation_id != organisation_id,
            Run.run_id.in_(tested),
            not_(SIMULATED),
        )
        candidates += _newest_runs(reader, organisation_id, limit, *of_others)
        candidates += _publications(reader.budget)[:limit]
        total += _count_runs(reader, *of_others) + len(published())
    return candidates, total


def _count_runs(reader: SubjectReader, *conditions: ColumnElement[bool]) -> int:
    return reader.session.scalar(select(func.count()).select_from(Run).where(*conditions)) or 0


def _newest_runs(
    reader: SubjectReader, organisation_id: UUID, limit: int, *conditions: ColumnElement[bool]
) -> list[Candidate]:
    session = reader.session
    newest = select(Run).where(*conditions).order_by(Run.started_at.desc(), Run.run_id.desc())
    runs = shown_runs(session, organisation_id, session.scalars(newest.limit(limit)).all())
    states, kinds = states_of(session, runs), kinds_of(session, runs)
    ids = [run.run_id for run in runs]
    operations = measured_operations(session, ids) if asks_about_own(reader.budget) else None
    candidates = []
    for run in runs:
        state, kind = states[run.run_id], kinds[run.run_id]
        measured = None if operations is None else operations.get(run.run_id, ())
        facts = PreloadedFacts(state, *kind, measured)
        candidates.append(
            Candidate(
                (run.started_at, run.run_id),
                kind[0],
                partial(_read_run, organisation_id, run, facts),
                # What lists show of a run is part of its state, because outcomes hold whole rows.
                state=(organisation_id, run.run_id, state, kind, run.title, run.host.get("hostname")),
                run_id=run.run_id,
            )
        )
    return candidates


def _read_run(
    organisation_id: UUID, run: Run, facts: PreloadedFacts, reader: SubjectReader
) -> QuestionSubject:
    (shown,) = shown_runs(reader.session, organisation_id, [run])
    return reader.run(shown, facts=facts)


_BEFORE_ALL_RUNS = datetime(1970, 1, 1, tzinfo=UTC)
"""Time of publications in the order of candidates: before every run."""


def _publications(budget: Budget) -> list[Candidate]:
    """Return the package's publications, drive tests included, the same for every organisation."""
    return [
        Candidate(
            # Documents keep their order: earlier documents count as newer.
            (_BEFORE_ALL_RUNS - timedelta(seconds=index), publication.identifier),
            "drive_test" if publication.of_drive else "publication",
            published_subject(publication, budget),
            state=publication.identifier,
        )
        for index, publication in enumerate(published())
    ]
