"""Where the runs of an upload go: to the run that was read from the same bytes before, to the run whose file
has grown, or to a new one.

A file that begins with all the bytes of a file that came before, and goes on, is the same log sent later: its
run is read again and takes the place of the shorter reading, whole, in one transaction.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy.orm import Session

from tailroom.catalogue.disclosure import STARTED_AT
from tailroom.domain.units import NS_PER_US
from tailroom.kit.identifiers import new_id
from tailroom.runs.interval_rows import NUMBER_COLUMNS, insert_rows
from tailroom.storage.run import Run
from tailroom.storage.series import Series
from tailroom.storage.upload import RunSource
from tailroom.uploads import repository
from tailroom.uploads.companions import beginnings
from tailroom.uploads.reading import ReadFile
from tailroom.uploads.storable import StorableRun, interval_columns, payloads

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ROWS_AT_ONCE = 20_000


def store_run(
    session: Session, organisation_id: UUID, one: ReadFile, position: int, now: datetime
) -> tuple[Run, bool]:
    """The run that a file's reading belongs to, and whether anything of it changed.

    The caller holds `repository.lock_uploads`.
    """
    reading = one.runs[position]
    kept, run_no = one.kept, position + 1
    known = repository.find_source(session, organisation_id, kept.sha256, one.member, run_no)
    if known is None and not one.member:
        known = _shorter(session, organisation_id, one, reading, run_no)
    if known is None:
        run = _new_run(session, organisation_id, one, reading, now)
    else:
        run = repository.lock_run_and_analysis(session, known.run_id)
        shown = repository.largest_source(session, run.run_id)
        is_older_copy = kept.size_bytes < shown.size_bytes
        is_same = kept.sha256 == shown.sha256 and set(one.beside) <= set(shown.beside)
        if is_older_copy or is_same:
            return run, False
        repository.remove_readings(session, run.run_id)
        _update(run, one, reading, now)
    session.flush()
    _store_series(session, run, reading, now)
    repository.store_source(
        session,
        {
            "run_id": run.run_id,
            "sha256": kept.sha256,
            "organisation_id": organisation_id,
            "member": one.member,
            "run_no": run_no,
            "size_bytes": kept.size_bytes,
            "name": one.name,
            "beside": list(one.beside),
            "read_at": now,
        },
    )
    return run, True


def _shorter(
    session: Session, organisation_id: UUID, one: ReadFile, reading: StorableRun, run_no: int
) -> RunSource | None:
    """The longest earlier copy of the same log, if there is one, and if nothing longer was read since: of two
    logs that both go on from it, only the first continues its run.
    """
    offered = repository.shorter_sources(
        session, organisation_id, one.kept.size_bytes, reading.values["format"], run_no
    )
    if not offered:
        return None
    begins_with = beginnings(one.kept.path, sorted({source.size_bytes for source in offered}))
    for source in offered:
        if begins_with.get(source.size_bytes) == source.sha256:
            shown = repository.largest_source(session, source.run_id)
            return source if shown.sha256 == source.sha256 else None
    return None


def _new_run(
    session: Session, organisation_id: UUID, one: ReadFile, reading: StorableRun, now: datetime
) -> Run:
    run = Run(run_id=new_id(), organisation_id=organisation_id, created_at=now, disclosed={})
    run.started_at, run.started_at_known = now, False
    _update(run, one, reading, now)
    session.add(run)
    return run


def _update(run: Run, one: ReadFile, reading: StorableRun, now: datetime) -> None:
    for name, value in reading.values.items():
        setattr(run, name, value)
    if reading.started_at is not None:
        run.started_at, run.started_at_known = reading.started_at.astimezone(UTC), True
    elif STARTED_AT not in run.missing:
        run.missing = [STARTED_AT, *run.missing]
    run.started_at_unix_ns = (run.started_at - _EPOCH) // timedelta(microseconds=1) * NS_PER_US
    digest = hashlib.sha256(one.kept.sha256 + b"".join(one.beside) + one.member.encode())
    run.content_sha256 = digest.digest()
    run.data_through_ns = reading.data_through_ns
    run.last_data_at = now


def _store_series(session: Session, run: Run, reading: StorableRun, now: datetime) -> None:
    session.add_all(
        Series(
            run_id=run.run_id,
            series_no=number,
            organisation_id=run.organisation_id,
            target_rate_per_s=None,
            contiguous_seq=one.size - 1,
            max_seq=one.size - 1,
            received=one.size,
            **one.values,
        )
        for number, one in enumerate(reading.series)
    )
    session.flush()
    for number, one in enumerate(reading.series):
        if one.intervals is None:
            continue
        numbers, pins = interval_columns(one.intervals, number)
        buckets = payloads(one.intervals)
        for first in range(0, one.size, _ROWS_AT_ONCE):
            rows = slice(first, first + _ROWS_AT_ONCE)
            insert_rows(
                session,
                run.run_id,
                numbers={name: np.ascontiguousarray(numbers[name][rows]) for name in NUMBER_COLUMNS},
                pins=pins[rows],
                histograms=buckets[rows],
                now=now,
            )


def values_of_upload(organisation_id: UUID, contents: Sequence[bytes], now: datetime) -> dict[str, Any]:
    """Columns of an upload of these contents, whatever order they came in."""
    return {
        "upload_id": new_id(),
        "organisation_id": organisation_id,
        "content_sha256": hashlib.sha256(b"".join(sorted(set(contents)))).digest(),
        "created_at": now,
        "read_at": None,
    }
