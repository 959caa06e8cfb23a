"""What a budget can be matched against: every source of configurations gives its own, newest first.

A configuration is something whose latencies are on record: the runs of an organisation (measured, uploaded,
sums of campaigns, tests of drives), tests of drives that others have published, and figures of documents.
Published ones stand behind all runs; a source needs a `position`, a kind, a description and evidence.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from typing import Protocol
from uuid import UUID

from sqlalchemy import ColumnElement, func, not_, select

from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.evidence.publication import Published, published
from tailroom.evidence.reader import states_of
from tailroom.evidence.source import asks_about_own
from tailroom.records.repository import measured_operations
from tailroom.runs.repository import shown_runs
from tailroom.sla.answers import Answer
from tailroom.sla.evaluations import answered
from tailroom.sla.schemas import SubjectKind
from tailroom.sla.subjects import RunFacts, Subject, SubjectReader, kinds_of, published_subject
from tailroom.storage.drive_test import DriveTest
from tailroom.storage.run import PUBLIC, SIMULATED, Run


@dataclass(frozen=True, slots=True)
class Configuration:
    """Something that can be judged. `position` orders configurations and never changes."""

    position: tuple[datetime, UUID]
    kind: SubjectKind
    subject: Callable[[SubjectReader], Subject]
    answer: Callable[[], Answer] | None = None
    """Instead of judging the subject: an answer that is kept, because nothing in it changes."""
    run_id: UUID | None = None


class ConfigurationSource(Protocol):
    """Where configurations come from."""

    def count(self, reader: SubjectReader, organisation_id: UUID) -> int:
        """How many there are for an organisation, and the reader's budget."""
        ...

    def newest(self, reader: SubjectReader, organisation_id: UUID, limit: int) -> Sequence[Configuration]:
        """At most so many of them, newest first. Records are read when a configuration is judged."""
        ...


class _StoredRuns:
    """Runs that a condition chooses."""

    def _condition(self, organisation_id: UUID) -> Sequence[ColumnElement[bool]]:
        raise NotImplementedError

    def newest(self, reader: SubjectReader, organisation_id: UUID, limit: int) -> Sequence[Configuration]:
        """See `ConfigurationSource`."""
        session = reader.session
        found = session.scalars(
            select(Run)
            .where(*self._condition(organisation_id))
            .order_by(Run.started_at.desc(), Run.run_id.desc())
            .limit(limit)
        ).all()
        runs = shown_runs(session, organisation_id, found)
        states, kinds = states_of(session, runs), kinds_of(session, runs)
        ids = [run.run_id for run in runs]
        operations = measured_operations(session, ids) if asks_about_own(reader.budget) else None
        return [
            Configuration(
                (run.started_at, run.run_id),
                kinds[run.run_id][0],
                _later(
                    organisation_id,
                    run,
                    RunFacts(
                        states[run.run_id],
                        None if operations is None else operations.get(run.run_id, ()),
                        *kinds[run.run_id],
                    ),
                ),
                run_id=run.run_id,
            )
            for run in runs
        ]


class Runs(_StoredRuns):
    """The organisation's runs; what was made up is never among what was measured."""

    def _condition(self, organisation_id: UUID) -> Sequence[ColumnElement[bool]]:
        return (Run.organisation_id == organisation_id, not_(SIMULATED))

    def count(self, reader: SubjectReader, organisation_id: UUID) -> int:
        """See `ConfigurationSource`."""
        own = select(func.count()).select_from(Run).where(Run.organisation_id == organisation_id)
        # Simulated ones have an index of their own, so that no plan is read to count the others.
        found, made_up = (reader.session.scalar(query) or 0 for query in (own, own.where(SIMULATED)))
        return int(found - made_up)


class DriveTestsOfOthers(_StoredRuns):
    """Runs of other organisations that are public and test a drive, as the leaderboard shows them."""

    def _condition(self, organisation_id: UUID) -> Sequence[ColumnElement[bool]]:
        tested = select(DriveTest.run_id).where(DriveTest.visibility == PUBLIC)
        return (
            Run.visibility == PUBLIC,
            Run.organisation_id != organisation_id,
            Run.run_id.in_(tested.where(DriveTest.run_id.is_not(None))),
            not_(SIMULATED),
        )

    def count(self, reader: SubjectReader, organisation_id: UUID) -> int:
        """See `ConfigurationSource`."""
        query = select(func.count()).select_from(Run).where(*self._condition(organisation_id))
        return int(reader.session.scalar(query) or 0)


@dataclass(frozen=True, slots=True)
class ChosenRuns(_StoredRuns):
    """Runs of the organisation that were named, simulated ones too: a list shows each with its answer."""

    run_ids: tuple[UUID, ...]

    def _condition(self, organisation_id: UUID) -> Sequence[ColumnElement[bool]]:
        return (Run.organisation_id == organisation_id, Run.run_id.in_(self.run_ids))

    def count(self, reader: SubjectReader, organisation_id: UUID) -> int:
        """See `ConfigurationSource`."""
        query = select(func.count()).select_from(Run).where(*self._condition(organisation_id))
        return int(reader.session.scalar(query) or 0)


def _later(organisation_id: UUID, run: Run, facts: RunFacts) -> Callable[[SubjectReader], Subject]:
    """The coarse record of a run, read when it is asked for, in the transaction of the reader."""

    def read(reader: SubjectReader) -> Subject:
        (shown,) = shown_runs(reader.session, organisation_id, [run])
        return reader.run(shown, facts=facts)

    return read


class PublishedClaims:
    """What publications of the package give figures of, tests of drives among it. They are few and never
    change, so none is read.
    """

    def count(self, reader: SubjectReader, organisation_id: UUID) -> int:  # noqa: ARG002 - of everybody
        """See `ConfigurationSource`."""
        return len(published())

    def newest(
        self,
        reader: SubjectReader,
        organisation_id: UUID,  # noqa: ARG002 - of everybody
        limit: int,
    ) -> Sequence[Configuration]:
        """See `ConfigurationSource`."""
        return [
            Configuration(
                # In the order of the documents, where runs stand newest first.
                (_BEHIND_RUNS - timedelta(seconds=place), one.identifier),
                "drive_test" if one.of_drive else "publication",
                lambda reader, one=one: published_subject(one, reader.budget),  # type: ignore[misc]
                partial(published_answer, one, reader.budget),
            )
            for place, one in enumerate(published()[:limit])
        ]


_BEHIND_RUNS = datetime(1970, 1, 1, tzinfo=UTC)


@lru_cache(maxsize=2_048)
def published_answer(one: Published, budget: Budget) -> Answer:
    """A published configuration judged; kept, so that a page asks without a wait."""
    subject = published_subject(one, budget)
    return answered(subject, subject.budget)


OWN_SOURCES: tuple[ConfigurationSource, ...] = (Runs(),)
SOURCES: tuple[ConfigurationSource, ...] = (*OWN_SOURCES, DriveTestsOfOthers(), PublishedClaims())


def of_kinds(found: Sequence[Configuration], kinds: Collection[SubjectKind] | None) -> list[Configuration]:
    """Return the configurations of these kinds; of all where none are named."""
    return [one for one in found if kinds is None or one.kind in kinds]
