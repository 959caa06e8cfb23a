"""What a budget can be matched against: every source of configurations gives its own, newest first.

A configuration is something whose latencies are on record: today the runs of an organisation. Claims that
somebody published are a further source: they need a `position`, a description and evidence, nothing else
here changes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tailroom.sla.subjects import Subject, SubjectReader
from tailroom.storage.run import Run


@dataclass(frozen=True, slots=True)
class Configuration:
    """Something that can be judged. `position` orders configurations and never changes."""

    position: tuple[datetime, UUID]
    subject: Callable[[], Subject]


class ConfigurationSource(Protocol):
    """Where configurations come from."""

    def count(self, session: Session, organisation_id: UUID) -> int:
        """How many there are for an organisation."""
        ...

    def newest(self, reader: SubjectReader, organisation_id: UUID, limit: int) -> Sequence[Configuration]:
        """At most so many of them, newest first. Records are read when a configuration is judged."""
        ...


class Runs:
    """The organisation's runs."""

    def count(self, session: Session, organisation_id: UUID) -> int:
        """See `ConfigurationSource`."""
        query = select(func.count()).select_from(Run).where(Run.organisation_id == organisation_id)
        return int(session.scalar(query) or 0)

    def newest(self, reader: SubjectReader, organisation_id: UUID, limit: int) -> Sequence[Configuration]:
        """See `ConfigurationSource`."""
        runs = reader.session.scalars(
            select(Run)
            .where(Run.organisation_id == organisation_id)
            .order_by(Run.started_at.desc(), Run.run_id.desc())
            .limit(limit)
        ).all()
        return [Configuration((run.started_at, run.run_id), reader.run_later(run)) for run in runs]


SOURCES: tuple[ConfigurationSource, ...] = (Runs(),)
