"""Logs of iostat, sar, mpstat and vmstat that cover the time of a run, on the run's own time axis.

Times are integer nanoseconds since the start of the run. Logs are runs of their own (ADR 74). A log belongs
to a run if both came in one upload, or if both clocks have a zone and the times overlap. A log that names
another machine is left out.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field
from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from tailroom.domain.units import NS_PER_S
from tailroom.storage.run import Run
from tailroom.storage.upload import UploadFile

_TOOL = "sysstat"
_LOGS_MAX = 20
_BUSY, _QUEUE = "device_busy_percent_max", "queue_length_max"


ClockWord = Literal["zone", "local", "unknown"]


class DeviceOut(BaseModel):
    """A device's largest busy percentage and queue length, as printed; null if the log has none."""

    device: str
    busy_percent_max: str | None
    queue_length_max: str | None


class MachineCourseOut(BaseModel):
    """A quantity of a device or of the machine (`subject`) over time; entry i of each list is period i.

    `start_ns` counts from the start of the run, negative before it. The value of a period is the largest that
    the log prints in it.
    """

    subject: str
    quantity: str = Field(
        description="`device_busy_percent`, `queue_length`, `device_wait_ms`, `cpu_busy_percent`, "
        "`cpu_iowait_percent`, `memory_used_percent`, `network_kb_per_s`"
    )
    start_ns: list[int]
    duration_ns: list[int]
    values: list[float]


class LogBesideOut(BaseModel):
    """A log of what the machine did during a run; the log is itself the run `run_id`."""

    run_id: UUID
    title: str
    host_name: str | None
    same_host: bool | None = Field(description="null: one of the two does not name its machine")
    came_together: bool = Field(description="log and run are from one upload")
    clock: ClockWord = Field(
        description="`zone`: both clocks have a zone; `local`: both print local times, assumed equal; "
        "`unknown`: neither"
    )
    start_ns: int | None = Field(description="from the start of the run; negative before it")
    duration_ns: int
    shared_ns: int | None = Field(description="time of the run that the log covers")
    devices: list[DeviceOut]
    courses: list[MachineCourseOut] = Field(
        description="its values during the run; empty where the clocks cannot be compared"
    )


class LogsBesideOut(BaseModel):
    """Machine logs in order of time, at most 20; only for the owner of the run.

    For a run that is itself a machine log, it is the only log; without values over time there is none.
    """

    logs: list[LogBesideOut]


def logs_beside(session: Session, organisation_id: UUID, run: Run) -> LogsBesideOut:
    """Return at most 20 machine logs of a run by start time; none unless the organisation owns the run.

    For a run that is itself such a log, return only that log, or nothing if it has no values over time.
    """
    if run.organisation_id != organisation_id:
        return LogsBesideOut(logs=[])
    if run.tool == _TOOL:
        own = _log_beside(run, run, same_upload=True)
        return LogsBesideOut(logs=[own] if own.courses else [])
    same_upload = _same_upload(session, run.run_id)
    conditions: list[ColumnElement[bool]] = [Run.run_id.in_(same_upload)]
    if run.started_at_known:
        start_ns, end_ns = run.started_at_unix_ns, run.started_at_unix_ns + _duration_ns(run)
        log_end_ns = Run.started_at_unix_ns + Run.measured_duration_ns
        conditions.append(Run.started_at_known & (Run.started_at_unix_ns < end_ns) & (log_end_ns > start_ns))
    query = (
        select(Run)
        .where(Run.organisation_id == organisation_id, Run.tool == _TOOL, or_(*conditions))
        .order_by(Run.started_at, Run.run_id)
        .limit(_LOGS_MAX)
    )
    logs = [_log_beside(run, log, same_upload=log.run_id in same_upload) for log in session.scalars(query)]
    return LogsBesideOut(logs=[log for log in logs if log.came_together or log.same_host is not False])


def _same_upload(session: Session, run_id: UUID) -> set[UUID]:
    uploads = select(UploadFile.upload_id).where(UploadFile.run_ids.contains([run_id]))
    of_each = session.scalars(select(UploadFile.run_ids).where(UploadFile.upload_id.in_(uploads)))
    return {other_id for run_ids in of_each for other_id in run_ids} - {run_id}


def _log_beside(run: Run, log: Run, *, same_upload: bool) -> LogBesideOut:
    """Return a log with its times on the axis of the run; `same_upload`: both came in one upload."""
    clock, start_ns = _offset(run, log)
    duration_ns, host = _duration_ns(log), _host(log)
    shared_ns = None
    if start_ns is not None:
        shared_ns = max(0, min(_duration_ns(run), start_ns + duration_ns) - max(0, start_ns))
    return LogBesideOut(
        run_id=log.run_id,
        title=log.title,
        host_name=host,
        same_host=None if host is None or _host(run) is None else host == _host(run),
        came_together=same_upload,
        clock=clock,
        start_ns=start_ns,
        duration_ns=duration_ns,
        shared_ns=shared_ns,
        devices=_devices(log),
        courses=[] if start_ns is None else list(_courses(log, start_ns, _duration_ns(run))),
    )


def _courses(log: Run, offset_ns: int, duration_ns: int) -> Iterator[MachineCourseOut]:
    """Yield the log's quantities over time, on the time axis of the run.

    `offset_ns` is the time from the start of the run to that of the log. Periods outside the run, and
    quantities without any other period, are left out.
    """
    for course in log.courses:
        rows = [
            (start + offset_ns, length, value)
            for start, length, value in zip(
                course["start_ns"], course["duration_ns"], course["values"], strict=True
            )
            if start + offset_ns < duration_ns and start + offset_ns + length > 0
        ]
        if rows:
            starts, lengths, values = (list(column) for column in zip(*rows, strict=True))
            yield MachineCourseOut(
                subject=course["subject"],
                quantity=course["quantity"],
                start_ns=starts,
                duration_ns=lengths,
                values=values,
            )


def _offset(run: Run, log: Run) -> tuple[ClockWord, int | None]:
    """Return how both starts are stated, and the time in ns from the start of the run to that of the log.

    `zone`: with a time zone. `local`: as local times, assumed to be of one zone. `unknown`: any other pair,
    with None for the time. The time is 0 if both are the same run.
    """
    if log.run_id == run.run_id:
        return "zone" if run.started_at_known else "local", 0
    if run.started_at_known and log.started_at_known:
        return "zone", log.started_at_unix_ns - run.started_at_unix_ns
    local: list[Any] = [_parameters(either).get("started_at_local") for either in (run, log)]
    try:
        run_start, log_start = map(datetime.fromisoformat, local)
        return "local", round((log_start - run_start).total_seconds() * NS_PER_S)
    except (ValueError, TypeError):
        return "unknown", None


def _devices(log: Run) -> list[DeviceOut]:
    devices: dict[str, dict[str, str]] = {}
    for claim in log.claims:
        if claim["quantity"] in (_BUSY, _QUEUE):
            devices.setdefault(claim["operation"], {})[claim["quantity"]] = claim["printed"]
    return [
        DeviceOut(device=name, busy_percent_max=figures.get(_BUSY), queue_length_max=figures.get(_QUEUE))
        for name, figures in devices.items()
    ]


def _duration_ns(run: Run) -> int:
    return run.planned_duration_ns if run.measured_duration_ns is None else run.measured_duration_ns


def _host(run: Run) -> str | None:
    hostname = run.host.get("hostname") or _parameters(run).get("host")
    return hostname if isinstance(hostname, str) else None


def _parameters(run: Run) -> Mapping[str, Any]:
    parameters: Mapping[str, Any] = run.plan.get("parameters") or {}
    return parameters
