"""Decides what an announcement and a definition of series do: stored the first time, harmless when
repeated.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from tailroom.ingest.decoding import batch_invalid
from tailroom.ingest.errors import RunConflict, SeriesConflict
from tailroom.ingest.wire import Announcement, Layout, SeriesDefinition
from tailroom.kit.errors import LocatedProblem
from tailroom.storage.run import RUNNING, Run
from tailroom.storage.series import Series

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UUID_VERSION = 7


def announce(
    session: Session, organisation_id: UUID, announcement: Announcement, now: datetime
) -> tuple[Run, bool]:
    """The run, and whether it is new. Raises BatchInvalid, RunConflict."""
    values = _run_values(organisation_id, announcement, now)
    created = session.scalar(insert(Run).values(values).on_conflict_do_nothing().returning(Run.run_id))
    run = session.get(Run, values["run_id"])
    if (
        run is None
        or run.organisation_id != organisation_id
        or run.content_sha256 != values["content_sha256"]
    ):
        raise RunConflict(
            f"Run {announcement.run_id} was announced before with other content; nothing was changed."
            " An agent makes a new id for each run."
        )
    return run, created is not None


def define_series(
    session: Session,
    run: Run,
    known: Sequence[Series],
    definitions: Sequence[SeriesDefinition],
) -> tuple[dict[int, SeriesDefinition], bool]:
    """Every definition of the run by number, the batch's new ones stored, and whether there were any.

    The caller holds the run's lock. Raises SeriesConflict when a number stands for something else already.
    """
    by_number = {series.series_no: definition_of(series) for series in known}
    fresh: dict[int, SeriesDefinition] = {}
    problems: list[LocatedProblem] = []
    for definition in definitions:
        number = definition.series_no
        earlier = by_number.get(number)
        if earlier is None:
            by_number[number] = fresh[number] = definition
        elif earlier != definition:
            problems.append(
                LocatedProblem(
                    series=number,
                    field=_first_difference(earlier, definition),
                    reason="the number was given to another definition of this run before",
                )
            )
    if problems:
        raise SeriesConflict(
            f"{len(problems)} series of run {run.run_id} were defined otherwise before; nothing of"
            " this batch was"
            " stored. Give the other definition another number.",
            problems,
        )
    session.add_all(_new_series(run, definition) for definition in fresh.values())
    session.flush()
    return by_number, bool(fresh)


def definition_of(series: Series) -> SeriesDefinition:
    """A stored series in the words of the wire."""
    return SeriesDefinition(
        series_no=series.series_no,
        operation=series.operation,
        clock=series.clock,  # type: ignore[arg-type]
        kind=series.kind,  # type: ignore[arg-type]
        host=series.host,
        pin_thresholds_ns=list(series.pin_thresholds_ns),
        phase=series.phase,
        device=series.device,
        layout=None if series.layout is None else msgspec.convert(series.layout, Layout),
        target_rate_per_s=series.target_rate_per_s,
    )


def _new_series(run: Run, definition: SeriesDefinition) -> Series:
    return Series(
        run_id=run.run_id,
        series_no=definition.series_no,
        organisation_id=run.organisation_id,
        operation=definition.operation,
        clock=definition.clock,
        kind=definition.kind,
        phase=definition.phase,
        host=definition.host,
        device=definition.device,
        layout=None if definition.layout is None else msgspec.to_builtins(definition.layout),
        pin_thresholds_ns=definition.pin_thresholds_ns,
        target_rate_per_s=definition.target_rate_per_s,
        contiguous_seq=-1,
        max_seq=-1,
        received=0,
    )


def _first_difference(one: SeriesDefinition, other: SeriesDefinition) -> str:
    return next(name for name in one.__struct_fields__ if getattr(one, name) != getattr(other, name))


def _run_values(organisation_id: UUID, announcement: Announcement, now: datetime) -> dict[str, Any]:
    run_id = UUID(announcement.run_id)
    if run_id.version != _UUID_VERSION:
        raise batch_invalid(
            [LocatedProblem(field="run_id", reason=f"{run_id} is a UUID, but not of version 7")]
        )
    try:
        canonical = msgspec.json.encode(announcement, order="deterministic")
    except (TypeError, ValueError, RecursionError) as error:
        raise batch_invalid(
            [LocatedProblem(field="host", reason=f"cannot be kept as JSON: {error}")]
        ) from None
    kept = msgspec.json.decode(canonical)
    for field in ("agent", "host", "plan"):
        if _has_nul(kept[field]):
            raise batch_invalid([LocatedProblem(field=field, reason="a text in it has a NUL character")])
    # A timestamp holds whole microseconds; the nanoseconds are kept beside it.
    started_at = _EPOCH + timedelta(microseconds=announcement.started_at_unix_ns // 1000)
    return {
        "run_id": run_id,
        "organisation_id": organisation_id,
        "title": announcement.title,
        "workload": announcement.workload,
        "state": RUNNING,
        "started_at": started_at,
        "started_at_unix_ns": announcement.started_at_unix_ns,
        "planned_duration_ns": announcement.planned_duration_ns,
        "agent": kept["agent"],
        "host": kept["host"],
        "plan": kept["plan"],
        "content_sha256": hashlib.sha256(canonical).digest(),
        "data_through_ns": 0,
        "created_at": now,
    }


def _has_nul(value: Any) -> bool:
    """Whether a text anywhere inside has a NUL, which PostgreSQL does not keep."""
    if isinstance(value, str):
        return "\x00" in value
    if isinstance(value, dict):
        return any("\x00" in key or _has_nul(inner) for key, inner in value.items())
    return isinstance(value, list) and any(map(_has_nul, value))
