"""Public reading: readers who do not own a run get it without the names that its owner has not released.

Runs, their series and findings lose the names when they are loaded in a transaction of another organisation,
so no page, export, report, badge or pack can show them. The owner's transactions read everything.
"""

from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from uuid import UUID

from sqlalchemy import event, select
from sqlalchemy.orm import QueryContext, Session
from sqlalchemy.orm.attributes import set_committed_value

from tailroom.kit.db import READER
from tailroom.kit.private_names import NeutralNames, names_in
from tailroom.storage.audit import RunFinding
from tailroom.storage.run import Run
from tailroom.storage.series import Series

_NAMES = "tailroom.neutral_names"
_SOURCES = ("host", "plan", "disclosed", "claims", "courses", "drive_counters")
_TEXTS = ("outcome_reason", "agent", "finish", "problems", *_SOURCES)
_OTHERS = UUID(int=0)
"""An organisation id that owns nothing."""


def as_others(
    transactions: Callable[[], AbstractContextManager[Session]],
) -> Callable[[], AbstractContextManager[Session]]:
    """Return a function that opens transactions of a reader who owns no run."""

    @contextmanager
    def opened() -> Iterator[Session]:
        with transactions() as session:
            session.info[READER] = _OTHERS
            yield session

    return opened


def reads_as_others(session: Session, organisation_id: UUID) -> bool:
    """Return whether the session reads for another organisation than this; False if it states no reader."""
    reader: UUID | None = session.info.get(READER)
    return reader is not None and reader != organisation_id


def names_of_series(session: Session, runs: Collection[Run]) -> None:
    """Collect the private names in the series of these runs, and replace them by neutral names in the runs.

    Runs that the session has not read for another organisation stay unchanged.
    """
    names_by_run = _names_by_run(session)
    names = {run.run_id: names_by_run[run.run_id] for run in runs if run.run_id in names_by_run}
    if not names:
        return
    rows = session.execute(
        select(Series.run_id, Series.host, Series.device)
        .where(Series.run_id.in_(names))
        .order_by(Series.run_id, Series.series_no)
    )
    for run_id, host, device in rows:
        names[run_id].add(names_in({"host": host, "device": device}))
    for run in runs:
        if run.run_id in names:
            _hide_names(session, run)


def neutral_names(session: Session, run_id: UUID) -> NeutralNames | None:
    """Return the neutral names of a run that was read for another organisation; None for any other run."""
    return _names_by_run(session).get(run_id)


def private_names(session: Session, run: Run) -> dict[str, str]:
    """Return every private name of a run with its kind (`kit.private_names.KINDS`), for its owner."""
    document = {name: getattr(run, name) for name in _SOURCES}
    names: dict[str, str] = dict(names_in(document))
    series = select(Series.host, Series.device).where(Series.run_id == run.run_id).order_by(Series.series_no)
    for host, device in session.execute(series):
        for name, kind in names_in({"host": host, "device": device}).items():
            names.setdefault(name, kind)
    return names


def public_title(session: Session, run: Run, shown: Collection[str]) -> str | None:
    """Return the title for other readers, with names of the kinds in `shown`; None if nothing is replaced."""
    names = NeutralNames(shown)
    names.add(private_names(session, run))  # type: ignore[arg-type]
    title = names.text(run.title)
    return None if title == run.title else title


def _names_by_run(session: Session) -> dict[UUID, NeutralNames]:
    """Return the neutral names, by run id, of runs that the session has read for another organisation.

    It is the mapping of the session itself, so entries that a caller adds stay.
    """
    names_by_run: dict[UUID, NeutralNames] = session.info.setdefault(_NAMES, {})
    return names_by_run


def _hide_names(session: Session, run: Run) -> None:
    """Replace the private names in a loaded run, without marking it as changed."""
    names = _names_by_run(session)[run.run_id]
    stored: dict[str, Any] = run.__dict__
    for name in _TEXTS:
        if name in stored:
            set_committed_value(run, name, names.document(stored[name], (name,)))


@event.listens_for(Run, "load")
def _hide_names_of_run(run: Run, context: QueryContext) -> None:
    """Replace the private names and the title of a run, if the session reads for another organisation."""
    session = context.session
    if not reads_as_others(session, run.organisation_id):
        return
    stored: dict[str, Any] = run.__dict__
    names = _names_by_run(session).setdefault(run.run_id, NeutralNames(stored.get("shown_names", ())))
    names.add(names_in({name: stored.get(name) for name in _SOURCES}))
    if stored.get("public_title") is not None:
        set_committed_value(run, "title", stored["public_title"])
    _hide_names(session, run)


@event.listens_for(Run, "refresh")
def _hide_refreshed_run(run: Run, context: QueryContext | None, attributes: Collection[str] | None) -> None:  # noqa: ARG001
    # An UPDATE of the session sets attributes of loaded runs without a query.
    if context is not None:
        _hide_names_of_run(run, context)


@event.listens_for(Series, "load")
def _hide_names_of_series(series: Series, context: QueryContext) -> None:
    """Replace the private names of a loaded series, and collect them for its run.

    Nothing happens unless the session reads for another organisation and has loaded the run before.
    """
    session = context.session
    names = _names_by_run(session).get(series.run_id)
    if names is None or not reads_as_others(session, series.organisation_id):
        return
    names.add(names_in({"host": series.host, "device": series.device}))
    for name in ("host", "device", "source_name"):
        loaded = series.__dict__[name]
        if loaded is not None:
            set_committed_value(series, name, names.text(loaded))


@event.listens_for(Series, "refresh")
def _hide_refreshed_series(series: Series, context: QueryContext, attributes: Collection[str] | None) -> None:  # noqa: ARG001
    _hide_names_of_series(series, context)


@event.listens_for(RunFinding, "load")
def _hide_names_in_finding(finding: RunFinding, context: QueryContext) -> None:
    """Replace the private names in a loaded finding, if its run was loaded for another organisation."""
    names = _names_by_run(context.session).get(finding.run_id)
    if names is not None:
        set_committed_value(finding, "statement", names.text(finding.statement))
