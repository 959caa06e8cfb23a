"""What a budget can be matched against: every source of configurations gives its own, newest first.

A configuration is something whose latencies are on record: the runs of an organisation, and what somebody has
published. Published ones stand behind all runs; a source needs a `position`, a description and evidence.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from typing import Protocol
from uuid import UUID

from sqlalchemy import func, not_, select

from tailroom.domain.verdicts.budget_kinds import (
    Budget,
    ExceedanceBudget,
    PercentileBudget,
)
from tailroom.evidence.publication import Published, published
from tailroom.evidence.reader import states_of
from tailroom.sla.answers import Answer
from tailroom.sla.evaluations import answered
from tailroom.sla.subjects import Subject, SubjectReader, published_subject
from tailroom.storage.run import SIMULATED, Run


@dataclass(frozen=True, slots=True)
class Configuration:
    """Something that can be judged. `position` orders configurations and never changes."""

    position: tuple[datetime, UUID]
    subject: Callable[[SubjectReader], Subject]
    answer: Callable[[], Answer] | None = None
    """Instead of judging the subject: an answer that is kept, because nothing in it changes."""


class ConfigurationSource(Protocol):
    """Where configurations come from."""

    def count(self, reader: SubjectReader, organisation_id: UUID) -> int:
        """How many there are for an organisation, and the reader's budget."""
        ...

    def newest(self, reader: SubjectReader, organisation_id: UUID, limit: int) -> Sequence[Configuration]:
        """At most so many of them, newest first. Records are read when a configuration is judged."""
        ...


class Runs:
    """The organisation's runs; what was made up is never among what was measured."""

    def count(self, reader: SubjectReader, organisation_id: UUID) -> int:
        """See `ConfigurationSource`."""
        own = select(func.count()).select_from(Run).where(Run.organisation_id == organisation_id)
        # Simulated ones have an index of their own, so that no plan is read to count the others.
        found, made_up = (reader.session.scalar(query) or 0 for query in (own, own.where(SIMULATED)))
        return int(found - made_up)

    def newest(self, reader: SubjectReader, organisation_id: UUID, limit: int) -> Sequence[Configuration]:
        """See `ConfigurationSource`."""
        runs = reader.session.scalars(
            select(Run)
            .where(Run.organisation_id == organisation_id, not_(SIMULATED))
            .order_by(Run.started_at.desc(), Run.run_id.desc())
            .limit(limit)
        ).all()
        states = states_of(reader.session, runs)
        return [Configuration((run.started_at, run.run_id), _later(run, states[run.run_id])) for run in runs]


@dataclass(frozen=True, slots=True)
class ChosenRuns:
    """Runs of the organisation that were named, simulated ones too: a list shows each with its answer."""

    run_ids: tuple[UUID, ...]

    def count(self, reader: SubjectReader, organisation_id: UUID) -> int:
        """See `ConfigurationSource`."""
        return len(self.newest(reader, organisation_id, len(self.run_ids)))

    def newest(self, reader: SubjectReader, organisation_id: UUID, limit: int) -> Sequence[Configuration]:
        """See `ConfigurationSource`."""
        runs = reader.session.scalars(
            select(Run)
            .where(Run.organisation_id == organisation_id, Run.run_id.in_(self.run_ids))
            .order_by(Run.started_at.desc(), Run.run_id.desc())
            .limit(limit)
        ).all()
        states = states_of(reader.session, runs)
        return [Configuration((run.started_at, run.run_id), _later(run, states[run.run_id])) for run in runs]


def _later(run: Run, state: Hashable) -> Callable[[SubjectReader], Subject]:
    """The coarse record of a run, read when it is asked for, in the transaction of the reader."""
    return lambda reader: reader.run(run, state=state)


class PublishedClaims:
    """What publications of the package give figures of. They are few and never change, so none is read."""

    def count(self, reader: SubjectReader, organisation_id: UUID) -> int:  # noqa: ARG002 - of everybody
        """See `ConfigurationSource`."""
        return len(self._of(reader.budget))

    def newest(
        self,
        reader: SubjectReader,
        organisation_id: UUID,  # noqa: ARG002 - of everybody
        limit: int,
    ) -> Sequence[Configuration]:
        """See `ConfigurationSource`."""
        found = self._of(reader.budget)[:limit]
        return [
            Configuration(
                # In the order of the documents, where runs stand newest first.
                (_BEHIND_RUNS - timedelta(seconds=place), one.identifier),
                lambda reader, one=one: published_subject(one, reader.budget),  # type: ignore[misc]
                partial(published_answer, one, reader.budget),
            )
            for place, one in enumerate(found)
        ]

    def _of(self, budget: Budget) -> list[Published]:
        of_limits = isinstance(budget, ExceedanceBudget | PercentileBudget)
        return [one for one in published() if of_limits or not one.of_drive]


_BEHIND_RUNS = datetime(1970, 1, 1, tzinfo=UTC)


@lru_cache(maxsize=256)
def published_answer(one: Published, budget: Budget) -> Answer:
    """A published configuration judged at display resolution; kept, so that a page asks without a wait."""
    return answered(published_subject(one, budget), budget)


OWN_SOURCES: tuple[ConfigurationSource, ...] = (Runs(),)
SOURCES: tuple[ConfigurationSource, ...] = (*OWN_SOURCES, PublishedClaims())
