"""Announcements of runs and definitions of series: stored the first time, harmless when repeated."""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from tailroom.catalogue.disclosure import is_closed_loop
from tailroom.ingest.decoding import batch_invalid
from tailroom.ingest.errors import RunConflict, SeriesConflict
from tailroom.ingest.store import RunHead, SeriesHead
from tailroom.ingest.wire import Announcement, SeriesDefinition
from tailroom.kit.clock import from_unix_ns
from tailroom.kit.errors import LocatedProblem
from tailroom.kit.free_documents import problems_of
from tailroom.kit.identifiers import time_of
from tailroom.kit.limits import run_size_problem
from tailroom.runs.service import unknown_run
from tailroom.storage.run import RUNNING, Run
from tailroom.storage.series import Series
from tailroom.storage.tombstone import Tombstone

_UUID_VERSION = 7
_MAX_CLOCK_AHEAD = timedelta(days=1)
"""Largest lead of an agent's clock over the server's."""


def announce(
    session: Session, organisation_id: UUID, announcement: Announcement, now: datetime
) -> tuple[Run, bool]:
    """Store an announced run; return it, and whether it is new. The same announcement again returns the
    stored run. Raise BatchInvalid for an unusable id, host or plan, RunConflict if the id was announced with
    other content or its run was deleted, and RunUnknown if it belongs to another organisation.
    """
    values = _run_values(organisation_id, announcement, now)
    created = session.scalar(insert(Run).values(values).on_conflict_do_nothing().returning(Run.run_id))
    if created is not None:
        _refuse_id(session, created, now)
    run = session.get(Run, values["run_id"])
    if run is None or run.organisation_id != organisation_id:
        raise unknown_run(values["run_id"])
    if run.content_sha256 != values["content_sha256"]:
        raise RunConflict(
            f"Run {announcement.run_id} was announced before with other content; nothing was changed."
            " An agent makes a new id for each run."
        )
    return run, created is not None


def _refuse_id(session: Session, run_id: UUID, now: datetime) -> None:
    """Raise RunConflict if a run of this id was deleted, BatchInvalid if the id is from the future. That is
    more than `_MAX_CLOCK_AHEAD` after `now`; its intervals would have no partition.
    """
    if session.get(Tombstone, run_id) is not None:
        raise RunConflict(f"Run {run_id} was deleted. An agent makes a new id for each run.")
    if time_of(run_id) > now + _MAX_CLOCK_AHEAD:
        agent_time, server_time = f"{time_of(run_id):%Y-%m-%d %H:%M}", f"{now:%Y-%m-%d %H:%M}"
        reason = (
            f"it names {agent_time} UTC, and here it is {server_time} UTC;"
            " set the clock of the agent's machine"
        )
        raise batch_invalid([LocatedProblem(field="run_id", reason=reason)])


def define_series(
    session: Session,
    run: RunHead,
    stored_series: Sequence[SeriesHead],
    definitions: Sequence[SeriesDefinition],
) -> tuple[dict[int, SeriesDefinition], bool]:
    """Store new series; return all definitions of the run by number, and whether any is new. The caller holds
    the run's lock. Raise SeriesConflict if a number already has another definition, and BatchInvalid if the
    run would exceed the limits of series, operations or phases.
    """
    by_number = {head.series_no: head.definition for head in stored_series}
    new: dict[int, SeriesDefinition] = {}
    problems: list[LocatedProblem] = []
    for definition in definitions:
        number = definition.series_no
        earlier = by_number.get(number)
        if earlier is None:
            by_number[number] = new[number] = definition
        elif earlier != definition:
            fields = earlier.__struct_fields__
            differing = (name for name in fields if getattr(earlier, name) != getattr(definition, name))
            problems.append(
                LocatedProblem(
                    series=number,
                    field=next(differing),
                    reason="the number was given to another definition of this run before",
                )
            )
    if problems:
        raise SeriesConflict(
            f"{len(problems)} series of run {run.run_id} were defined otherwise before; nothing of this batch"
            " was stored. Give the other definition another number.",
            problems,
        )
    operations = {(definition.operation, definition.clock) for definition in by_number.values()}
    phases = {definition.phase for definition in by_number.values()}
    if new and (too_large := run_size_problem(len(by_number), len(operations), len(phases))) is not None:
        raise batch_invalid([LocatedProblem(field="series", reason=f"with this batch {too_large}")])
    if new:
        session.add_all(
            Series(
                run_id=run.run_id,
                organisation_id=run.organisation_id,
                contiguous_seq=-1,
                max_seq=-1,
                received=0,
                **msgspec.to_builtins(definition),
            )
            for definition in new.values()
        )
        session.flush()
    return by_number, bool(new)


def _run_values(organisation_id: UUID, announcement: Announcement, now: datetime) -> dict[str, Any]:
    """Return the columns of a run by name. Raise BatchInvalid for an unusable id, host or plan."""
    run_id = UUID(announcement.run_id)
    if run_id.version != _UUID_VERSION:
        raise batch_invalid(
            [LocatedProblem(field="run_id", reason=f"{run_id} is a UUID, but not of version 7")]
        )
    try:
        canonical = msgspec.json.encode(announcement, order="deterministic")
    except (TypeError, ValueError, RecursionError) as error:
        raise batch_invalid(
            [LocatedProblem(field="host", reason=f"cannot be stored as JSON: {error}")]
        ) from None
    document = msgspec.json.decode(canonical)
    problems = [
        LocatedProblem(field=place, reason=reason)
        for field in ("host", "plan")
        for place, reason in problems_of(field, document[field])
    ]
    if problems:
        raise batch_invalid(problems)
    host = document["host"]
    if announcement.started_at_uncertainty_ns is not None:
        # The uncertainty of the clock is a fact about the host.
        host = {**host, "clock": {"started_at_uncertainty_ns": announcement.started_at_uncertainty_ns}}
    return {
        "run_id": run_id,
        "organisation_id": organisation_id,
        "title": announcement.title,
        "workload": announcement.workload,
        "closed_loop": is_closed_loop(document["plan"]),
        "state": RUNNING,
        # A timestamp has microseconds; `started_at_unix_ns` has the nanoseconds.
        "started_at": from_unix_ns(announcement.started_at_unix_ns),
        "started_at_unix_ns": announcement.started_at_unix_ns,
        "planned_duration_ns": announcement.planned_duration_ns,
        "agent": document["agent"],
        "host": host,
        "plan": document["plan"],
        "content_sha256": hashlib.sha256(canonical).digest(),
        "data_through_ns": 0,
        "created_at": now,
    }
