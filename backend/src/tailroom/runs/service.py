"""Documents about runs for the API, and requests to stop a run."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal
from uuid import UUID

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from tailroom.access.errors import RunUnknown
from tailroom.catalogue.disclosure import (
    DRIVE_MODEL,
    label_of,
    missing_fields,
    required_fields,
    required_of_other_tools,
)
from tailroom.domain.rating.load_search import probe_of
from tailroom.domain.simulated import is_simulated
from tailroom.domain.units import is_whole
from tailroom.kit.clock import utc_now
from tailroom.kit.pagination import KeyCursor, TimeCursor
from tailroom.runs import repository
from tailroom.runs.errors import CursorUnreadable, RunAlreadyFinished, RunDeleted, RunRetracted
from tailroom.runs.gaps import missing_ranges
from tailroom.runs.ladder_schemas import LadderMark, ProbeMark
from tailroom.runs.ladders import marks_of
from tailroom.runs.repository import RunFilter
from tailroom.runs.schemas import (
    DisclosedOut,
    DisclosureOut,
    MissingDisclosure,
    RunDetail,
    RunPage,
    RunSummary,
    SeriesOut,
    SourceFileOut,
    VerdictSummaryOut,
)
from tailroom.runs.verdict_schemas import VerdictOut
from tailroom.runs.verdicts import cached_summaries, shown_verdicts
from tailroom.storage.run import RETRACTED, RUNNING, UPLOAD, Run
from tailroom.storage.series import Series
from tailroom.storage.slices import AnalysisState
from tailroom.storage.tombstone import Tombstone
from tailroom.work import failures

_REMOVED: Mapping[int, Literal["ticks", "intervals", "minutes"]] = {1: "ticks", 2: "intervals", 3: "minutes"}
"""Class of data that retention removed last, by `run.expired_classes`."""

_JUDGED_AT = select(AnalysisState.computed_at).where(AnalysisState.run_id == bindparam("run_id"))
COUNT_LIMIT = 10_000
"""Largest total of a list; if there are more, the list states only that."""
_RUN_COLUMNS = tuple(name for name in RunSummary.model_fields if name in Run.__table__.c)
"""Columns that lists and pages of runs show unchanged."""
_DETAIL_COLUMNS = tuple(
    name for name in RunDetail.model_fields.keys() - {"missing"} if name in Run.__table__.c
)
"""Columns that pages of runs show unchanged."""


def get_run(session: Session, organisation_id: UUID, run_id: UUID) -> Run:
    """Return an own run, or another organisation's published run with hidden names replaced.

    Raise RunUnknown if there is none, also for another's private run; RunRetracted for another's withdrawn
    run; RunDeleted for a deleted run of the organisation or one that was public.
    """
    run = repository.find_run(session, organisation_id, run_id)
    if run is None:
        refuse_deleted(session, organisation_id, run_id)
        raise unknown_run(run_id)
    if run.visibility == RETRACTED and run.organisation_id != organisation_id:
        why = f": {run.retraction_reason}" if run.retraction_reason else ""
        raise RunRetracted(
            f"Run {run_id} was published and withdrawn by its owner on {run.retracted_at:%Y-%m-%d}{why}."
        )
    return run


def refuse_deleted(session: Session, organisation_id: UUID, run_id: UUID) -> None:
    """Raise RunDeleted if the run was deleted, and was public or belonged to the organisation."""
    tombstone = session.get(Tombstone, run_id)
    if tombstone is not None and (tombstone.was_public or tombstone.organisation_id == organisation_id):
        raise RunDeleted(f"Run {run_id} was deleted by its owner on {tombstone.deleted_at:%Y-%m-%d}.")


def unknown_run(run_id: UUID) -> RunUnknown:
    """Return the refusal for a run that the caller cannot read."""
    return RunUnknown(
        f"There is no run {run_id} in this organisation. Check the address; an agent announces a run"
        " before it sends intervals."
    )


def lock_own_run(session: Session, organisation_id: UUID, run_id: UUID) -> Run:
    """Return an organisation's own run, locked until the transaction ends; raise RunUnknown without one."""
    run = repository.lock_run(session, organisation_id, run_id)
    if run is None:
        raise unknown_run(run_id)
    return run


def list_runs(
    session: Session, organisation_id: UUID, run_filter: RunFilter, cursor_text: str | None, limit: int
) -> RunPage:
    """Return one page of the runs that match a filter, with verdicts and the total.

    `cursor_text` comes from the page before; None returns the first page. Raise CursorUnreadable if it is
    invalid.
    """
    cursor = None if cursor_text is None else _cursor_in(cursor_text, run_filter.sort)
    page = repository.page_of_runs(session, organisation_id, run_filter, cursor, limit + 1)
    runs, more = page[:limit], len(page) > limit
    verdicts = cached_summaries(session, [run.run_id for run in runs], organisation_id)
    marks = marks_of(session, runs, organisation_id)
    count = repository.count_runs(session, organisation_id, run_filter, COUNT_LIMIT + 1)
    return RunPage(
        runs=[
            RunSummary(**_summary(run, verdicts.get(run.run_id, []), marks.get(run.run_id))) for run in runs
        ],
        next_cursor=_cursor_after(session, organisation_id, runs[-1], run_filter.sort) if more else None,
        total=min(count, COUNT_LIMIT),
        total_is_exact=count <= COUNT_LIMIT,
    )


def _cursor_after(session: Session, organisation_id: UUID, run: Run, sort: str) -> str:
    name = sort.removeprefix("-")
    if name == "started":
        return TimeCursor(run.started_at, run.run_id).encode()
    return KeyCursor(repository.key_of(session, organisation_id, run.run_id, name), run.run_id).encode()


def _cursor_in(text: str, sort: str) -> TimeCursor | KeyCursor:
    name = sort.removeprefix("-")
    if name == "started":
        return read_cursor(text)
    try:
        return KeyCursor.decode(text, repository.ORDERS[name].kind)
    except ValueError as error:
        raise _cursor_refusal(error) from None


def read_cursor(text: str) -> TimeCursor:
    """Return the cursor in a text, for a list in order of time. Raise CursorUnreadable if it is none."""
    try:
        return TimeCursor.decode(text)
    except ValueError as error:
        raise _cursor_refusal(error) from None


def _cursor_refusal(error: ValueError) -> CursorUnreadable:
    return CursorUnreadable(f"The cursor cannot be read ({error}); begin again without `cursor`.")


def describe_run(session: Session, run: Run, organisation_id: UUID | None = None) -> RunDetail:
    """Return the description of a run for a reader; `organisation_id` None: for its owner.

    Other readers get verdicts by built-in budgets only, no files and no failed calculations.
    """
    is_own = organisation_id in {None, run.organisation_id}
    series = repository.list_series(session, run.run_id)
    verdicts = shown_verdicts(session, [run.run_id], reader_id=organisation_id).get(run.run_id, [])
    failed = failures.by_subject(session, [run.run_id]).get(run.run_id, []) if is_own else []
    return RunDetail.model_validate(
        {
            **_summary(run, verdicts, marks_of(session, [run], organisation_id).get(run.run_id)),
            **{name: getattr(run, name) for name in _DETAIL_COLUMNS},
            "target_name": _target_name(run, series),
            "judged_at": session.scalar(_JUDGED_AT, {"run_id": run.run_id}),
            "removed": _REMOVED.get(run.expired_classes),
            "series": [_series_out(row) for row in series],
            "missing": [gap._asdict() for gap in missing_ranges(session, series, last_seq_of(run.finish))],
            "disclosure": disclosure_of(run),
            "files": _files(session, run) if is_own else [],
            "is_own": is_own,
            "given_up": [{**asdict(failure), "work": failure.kind} for failure in failed],
        }
    )


def request_stop(session: Session, organisation_id: UUID, run_id: UUID) -> tuple[Run, bool]:
    """Store the request to stop a run; the agent gets it with the answer to its next batch.

    Return the run, and whether the request is new. Raise RunUnknown if the organisation does not own the run,
    RunAlreadyFinished if it has ended.
    """
    run = lock_own_run(session, organisation_id, run_id)
    if run.stop_requested_at is not None:
        return run, False
    if run.state != RUNNING:
        raise RunAlreadyFinished(
            f"Run {run_id} has already ended ({run.outcome}); there is nothing left to stop."
        )
    run.stop_requested_at = utc_now()
    session.flush()
    return run, True


def last_seq_of(finish: Mapping[str, Any] | None) -> dict[int, int] | None:
    """Return the last sequence number of each series by its number; None before the finish message."""
    if finish is None:
        return None
    return {int(series): int(seq) for series, seq in finish["last_seq"].items()}


def _summary(
    run: Run, verdicts: Sequence[VerdictOut] | Sequence[VerdictSummaryOut], ladder: LadderMark | None
) -> dict[str, Any]:
    """Return the fields that `RunSummary` and `RunDetail` have in common, by name."""
    host_name = run.host.get("hostname")
    probe = probe_of(run.plan)
    return {
        **{name: getattr(run, name) for name in _RUN_COLUMNS},
        "planned_operations": _planned_operations(run.plan),
        "phase_kind": phase_kind(run.plan),
        "host_name": host_name if isinstance(host_name, str) else None,
        "simulated": is_simulated(run.plan),
        "ladder": ladder,
        "probe": None if probe is None else ProbeMark(**asdict(probe)),
        "verdicts": list(verdicts),
    }


def _planned_operations(plan: Mapping[str, Any]) -> int | None:
    phase = plan.get("phase")
    if not isinstance(phase, Mapping) or phase.get("duration_s", 0) is not None:
        return None
    operations = phase.get("operations")
    return operations if is_whole(operations) else None


def phase_kind(plan: Mapping[str, Any]) -> Literal["load", "warm-up"] | None:
    """Return `load` or `warm-up` for a phase of a database plan before measuring; None for any other plan."""
    job = plan.get("job")
    kind = job.get("kind") if isinstance(job, Mapping) else None
    return kind if kind in {"load", "warm-up"} else None


def _series_out(series: Series) -> SeriesOut:
    columns = {name: getattr(series, name) for name in SeriesOut.model_fields.keys() - {"received_count"}}
    return SeriesOut.model_validate(
        columns | {"received_count": series.received, "periods": series.periods or []}
    )


def _files(session: Session, run: Run) -> list[SourceFileOut]:
    if run.source != UPLOAD:
        return []
    return [
        SourceFileOut(
            name=source.name,
            sha256=source.sha256.hex(),
            size_bytes=source.size_bytes,
            read_at=source.read_at,
            is_current=position == 0,
        )
        for position, source in enumerate(repository.sources_of(session, run.run_id))
    ]


def disclosure_of(run: Run) -> DisclosureOut:
    """Return the number of required facts about a run, its missing facts, and its answered facts by name."""
    if run.source == UPLOAD:
        required = {field.field for field in required_of_other_tools(run.workload)} | set(run.missing)
        open_fields: Sequence[str] = run.missing
    else:
        facts: Mapping[str, Any] = {"agent": run.agent, "host": run.host, "plan": run.plan}
        required = {field.field for field in required_fields(run.workload)}
        open_fields = [field.field for field in missing_fields(run.workload, facts)]
    missing = [name for name in open_fields if name not in run.disclosed]
    return DisclosureOut(
        required_count=len(required),
        given_count=len(required) - len(missing),
        missing=[MissingDisclosure(field=name, label=label_of(name)) for name in missing],
        disclosed=[
            DisclosedOut(field=name, label=label_of(name), **answer)
            for name, answer in sorted(run.disclosed.items())
        ],
    )


def _target_name(run: Run, series: Sequence[Series]) -> str | None:
    """Return the name of the measured device or server; None if unknown.

    It is the answered drive model, else the model of the host's only drive (of ACT's storage workload), else
    the device of the first series that has one.
    """
    disclosed_model = run.disclosed.get(DRIVE_MODEL)
    if disclosed_model is not None:
        return str(disclosed_model["value"])
    devices = run.host.get("block_devices")
    if run.workload == "act-storage" and isinstance(devices, list) and len(devices) == 1:
        model = devices[0].get("model") if isinstance(devices[0], dict) else None
        if isinstance(model, str) and model.strip():
            return model.strip()
    return next((row.device for row in series if row.device), None)
