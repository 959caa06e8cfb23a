"""End of a run: running → finishing at the agent's finish message → finished when no interval is missing."""

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import update
from sqlalchemy.orm import Session

from tailroom.domain.latency.interval import SERIES_NO_MAX
from tailroom.ingest.decoding import batch_invalid
from tailroom.ingest.errors import FinishConflict
from tailroom.ingest.store import RunHead, SeriesHead
from tailroom.ingest.wire import Directive, Finish, Missing
from tailroom.kit.errors import LocatedProblem
from tailroom.runs import repository
from tailroom.runs.errors import RunAlreadyFinished
from tailroom.runs.gaps import missing_ranges
from tailroom.runs.service import last_seq_of
from tailroom.storage.run import FINISHED, FINISHING, RUNNING, Run
from tailroom.storage.series import Series


def directive_for(run: Run | RunHead) -> Directive:
    """Return `stop` if the run is still running and a stop was requested, else `continue`."""
    return "stop" if run.stop_requested_at is not None and run.state == RUNNING else "continue"


def missing_intervals(
    session: Session, run: Run | RunHead, series: Sequence[Series | SeriesHead]
) -> list[Missing]:
    """Return the ranges of intervals that have not arrived. They end at the last interval of the finish
    message or, before it, at the highest stored interval.
    """
    return [Missing(*gap) for gap in missing_ranges(session, series, last_seq_of(run.finish))]


def finish_run(session: Session, run: Run, finish: Finish) -> tuple[list[Missing], bool]:
    """Store the finish message and the new state: finished if no interval is missing, else finishing. Return
    the missing intervals, and whether the message is new. The caller holds the run's lock. Raise BatchInvalid
    if a later interval than the message names is stored, or a key of `last_seq` is no series number, and
    FinishConflict if the run was finished with other content.
    """
    content = _canonical_content(finish)
    counters = content.pop("drive_counters")
    if counters is not None:
        content["drive_counters_sha256"] = hashlib.sha256(
            msgspec.json.encode(counters, order="sorted")
        ).hexdigest()
    series = repository.list_series(session, run.run_id)
    if run.finish is not None:
        if run.finish != content:
            raise FinishConflict(
                f"Run {run.run_id} was finished before as “{run.outcome}” with other content; nothing"
                " was changed."
            )
        return missing_intervals(session, run, series), False
    last_seq: dict[int, int] = {int(number): seq for number, seq in content["last_seq"].items()}
    problems = [
        LocatedProblem(
            series=row.series_no,
            seq=row.max_seq,
            field="last_seq",
            reason=f"interval {row.max_seq} is stored, but the last one is said to be"
            f" {last_seq.get(row.series_no, -1)}",
        )
        for row in series
        if row.max_seq > last_seq.get(row.series_no, -1)
    ]
    if problems:
        raise batch_invalid(problems)
    run.finish = content
    run.drive_counters = counters
    run.outcome = finish.outcome
    run.outcome_reason = finish.reason
    run.measured_duration_ns = finish.duration_ns
    missing = missing_intervals(session, run, series)
    run.state = FINISHING if missing else FINISHED
    session.flush()
    return missing, True


def finish_if_complete(session: Session, run: RunHead, missing: list[Missing]) -> RunHead:
    """Set a finishing run to finished if nothing is missing, and return the run with its state."""
    if run.state != FINISHING or missing:
        return run
    session.execute(update(Run).where(Run.run_id == run.run_id).values(state=FINISHED))
    return run._replace(state=FINISHED)


def refuse_beyond_finish(run: RunHead, last_of_batch: dict[int, int]) -> None:
    """Raise RunAlreadyFinished if the batch has intervals after the last of the finish message, if any.
    `last_of_batch` has the last sequence number in the batch by series.
    """
    last_seq = last_seq_of(run.finish)
    if last_seq is None:
        return
    problems = [
        LocatedProblem(
            series=number,
            seq=seq,
            field="seq",
            reason=f"the run's finish names {last_seq.get(number, -1)} as the last of this series",
        )
        for number, seq in sorted(last_of_batch.items())
        if seq > last_seq.get(number, -1)
    ]
    if problems:
        raise RunAlreadyFinished(
            f"Run {run.run_id} has been finished; intervals after its end are not accepted, missing ones"
            " before it are. Nothing of this batch was stored.",
            problems,
        )


def _canonical_content(finish: Finish) -> dict[str, Any]:
    """Return the message as a document that is equal for equal messages. Keys of `last_seq` have no leading
    zeros, series without intervals are left out, and `search_ended` is there only if stated. Raise
    BatchInvalid if a key of `last_seq` is no series number.
    """
    problems = [
        LocatedProblem(field=f"last_seq.{key}", reason="the key is no series number")
        for key in finish.last_seq
        if not (key.isascii() and key.isdecimal() and int(key[:6]) <= SERIES_NO_MAX and len(key) <= 5)
    ]
    if problems:
        raise batch_invalid(problems)
    content: dict[str, Any] = msgspec.to_builtins(finish)
    if finish.search_ended is None:
        # Finishes that were stored before the field existed stay equal.
        del content["search_ended"]
    content["last_seq"] = {str(int(key)): seq for key, seq in finish.last_seq.items() if seq >= 0}
    return content
