"""Configurations that a budget is matched against, by source, newest first.

A configuration is a record of latencies: a run of the organisation (measured, uploaded, sum of a campaign,
drive test), a drive test that another organisation has published, or figures of a publication. Publications
of the package sort after all runs. A source returns candidates: position, kind, description and evidence.
"""

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol
from uuid import UUID

from sqlalchemy import ColumnElement, func, not_, select

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
    """None for a publication."""


class CandidateSource(Protocol):
    """A source of candidates: the configurations that are judged by a budget."""

    def count(self, reader: SubjectReader, organisation_id: UUID) -> int:
        """Return the number of candidates that an organisation sees."""
        ...

    def newest(self, reader: SubjectReader, organisation_id: UUID, limit: int) -> Sequence[Candidate]:
        """Return at most `limit` candidates, newest first. The record of a run is read when it is judged."""
        ...


class _StoredRuns:
    """Base of the sources of stored runs: those that meet `_condition`."""

    def _condition(self, organisation_id: UUID) -> Sequence[ColumnElement[bool]]:
        """Return the SQL conditions for the runs of this source that an organisation sees."""
        raise NotImplementedError

    def count(self, reader: SubjectReader, organisation_id: UUID) -> int:
        """See `CandidateSource`."""
        query = select(func.count()).select_from(Run).where(*self._condition(organisation_id))
        return int(reader.session.scalar(query) or 0)

    def newest(self, reader: SubjectReader, organisation_id: UUID, limit: int) -> Sequence[Candidate]:
        """See `CandidateSource`."""
        session = reader.session
        rows = session.scalars(
            select(Run)
            .where(*self._condition(organisation_id))
            .order_by(Run.started_at.desc(), Run.run_id.desc())
            .limit(limit)
        ).all()
        runs = shown_runs(session, organisation_id, rows)
        states, kinds = states_of(session, runs), kinds_of(session, runs)
        ids = [run.run_id for run in runs]
        operations = measured_operations(session, ids) if asks_about_own(reader.budget) else None
        return [
            Candidate(
                (run.started_at, run.run_id),
                kinds[run.run_id][0],
                _read_later(
                    organisation_id,
                    run,
                    PreloadedFacts(
                        states[run.run_id],
                        None if operations is None else operations.get(run.run_id, ()),
                        *kinds[run.run_id],
                    ),
                ),
                # What lists show of a run is part of its state, because outcomes hold whole rows.
                state=(
                    *(organisation_id, run.run_id, states[run.run_id], kinds[run.run_id]),
                    *(run.title, run.host.get("hostname")),
                ),
                run_id=run.run_id,
            )
            for run in runs
        ]


class Runs(_StoredRuns):
    """The organisation's runs, without simulated runs."""

    def _condition(self, organisation_id: UUID) -> Sequence[ColumnElement[bool]]:
        return (Run.organisation_id == organisation_id, not_(SIMULATED))

    def count(self, reader: SubjectReader, organisation_id: UUID) -> int:
        """See `CandidateSource`."""
        own = select(func.count()).select_from(Run).where(Run.organisation_id == organisation_id)
        # Simulated runs have an index of their own, so the plans of the other runs are not read.
        total, simulated = (reader.session.scalar(query) or 0 for query in (own, own.where(SIMULATED)))
        return int(total - simulated)


class DriveTestsOfOthers(_StoredRuns):
    """Public drive tests of other organisations, as on the leaderboard."""

    def _condition(self, organisation_id: UUID) -> Sequence[ColumnElement[bool]]:
        tested = select(DriveTest.run_id).where(DriveTest.visibility == PUBLIC)
        return (
            Run.visibility == PUBLIC,
            Run.organisation_id != organisation_id,
            Run.run_id.in_(tested.where(DriveTest.run_id.is_not(None))),
            not_(SIMULATED),
        )


@dataclass(frozen=True, slots=True)
class ChosenRuns(_StoredRuns):
    """The runs of the organisation with these ids, simulated runs included."""

    run_ids: tuple[UUID, ...]

    def _condition(self, organisation_id: UUID) -> Sequence[ColumnElement[bool]]:
        return (Run.organisation_id == organisation_id, Run.run_id.in_(self.run_ids))


def _read_later(
    organisation_id: UUID, run: Run, facts: PreloadedFacts
) -> Callable[[SubjectReader], QuestionSubject]:
    """Return a function that reads a run as a subject, in the session of the reader that it is given."""

    def read(reader: SubjectReader) -> QuestionSubject:
        (shown,) = shown_runs(reader.session, organisation_id, [run])
        return reader.run(shown, facts=facts)

    return read


class PublishedClaims:
    """Source of the package's publications, drive tests included, the same for every organisation."""

    def count(self, reader: SubjectReader, organisation_id: UUID) -> int:  # noqa: ARG002 - of everybody
        """See `CandidateSource`."""
        return len(published())

    def newest(
        self,
        reader: SubjectReader,
        organisation_id: UUID,  # noqa: ARG002 - of everybody
        limit: int,
    ) -> Sequence[Candidate]:
        """See `CandidateSource`."""
        return [
            Candidate(
                # Documents keep their order: earlier documents count as newer.
                (_BEFORE_ALL_RUNS - timedelta(seconds=index), publication.identifier),
                "drive_test" if publication.of_drive else "publication",
                published_subject(publication, reader.budget),
                state=publication.identifier,
            )
            for index, publication in enumerate(published()[:limit])
        ]


_BEFORE_ALL_RUNS = datetime(1970, 1, 1, tzinfo=UTC)
"""Time of publications in the order of candidates: before every run."""


OWN_SOURCES: tuple[CandidateSource, ...] = (Runs(),)
"""Sources of an organisation's own records."""
SOURCES: tuple[CandidateSource, ...] = (*OWN_SOURCES, DriveTestsOfOthers(), PublishedClaims())
"""Sources of an organisation's own records and of public records."""


def select_kinds(candidates: Sequence[Candidate], kinds: Collection[SubjectKind] | None) -> list[Candidate]:
    """Return the candidates of these kinds; all if `kinds` is None."""
    return [candidate for candidate in candidates if kinds is None or candidate.kind in kinds]
