"""Where the runs of an upload go: to the run that was read from the same bytes before, to the run whose file
has grown, or to a new one.

A file that begins with all the bytes of a file that came before, and goes on, is the same log sent later,
whether either is packed (gzip, zstd) or not: its run is read again and takes the place of the shorter
reading, whole, in one transaction.
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
from tailroom.records.interval_rows import insert_rows
from tailroom.runs.conditions import apply_loop, operation_of
from tailroom.storage.run import Run
from tailroom.storage.series import Series
from tailroom.storage.upload import RunSource
from tailroom.uploads import repository
from tailroom.uploads.kept_content import beginnings
from tailroom.uploads.reading import ReadFile
from tailroom.uploads.storable import StorableRun

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
        known = repository.find_content(session, organisation_id, one.content[1], run_no)
    if known is None and not one.member:
        known = _shorter(session, organisation_id, one, reading, run_no)
    if known is None:
        run = _new_run(session, organisation_id, one, reading, now)
    else:
        run = repository.lock_run_and_analysis(session, known.run_id)
        shown = repository.largest_source(session, run.run_id)
        is_older_copy = one.content[0] < shown.content_bytes
        is_same = (
            one.content[1] == shown.content_sha256
            and set(one.beside) <= set(shown.beside)
            and unit_of(reading.values["plan"]) == unit_of(run.plan)
        )
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
            "content_bytes": one.content[0],
            "content_sha256": one.content[1],
            "name": one.name,
            "beside": list(one.beside),
            "read_at": now,
        },
    )
    return run, True


def earlier_copies(
    session: Session, organisation_id: UUID, files: Sequence[ReadFile]
) -> list[tuple[int, ...]]:
    """For each file, the sizes of smaller ones that it may be a longer copy of."""
    found: list[tuple[int, ...]] = []
    for one in files:
        sizes: set[int] = set()
        for position, reading in enumerate(() if one.member else one.runs):
            offered = repository.shorter_sources(
                session, organisation_id, one.content[0], reading.values["format"], position + 1
            )
            sizes |= {source.content_bytes for source in offered}
        found.append(tuple(sorted(sizes)))
    return found


def note_beginnings(files: Sequence[ReadFile], sizes: Sequence[tuple[int, ...]]) -> None:
    """Hashes the beginnings of files that may be longer copies. Reads the files: no transaction is open."""
    for one, wanted in zip(files, sizes, strict=True):
        if wanted:
            one.beginnings = beginnings(one.kept.path, wanted)


def _shorter(
    session: Session, organisation_id: UUID, one: ReadFile, reading: StorableRun, run_no: int
) -> RunSource | None:
    """The longest earlier copy of the same log, if there is one, and if nothing longer was read since: of two
    logs that both go on from it, only the first continues its run.
    """
    offered = repository.shorter_sources(
        session, organisation_id, one.content[0], reading.values["format"], run_no
    )
    if not offered:
        return None
    for source in offered:
        if one.beginnings.get(source.content_bytes) == source.content_sha256:
            shown = repository.largest_source(session, source.run_id)
            return source if shown.content_sha256 == source.content_sha256 else None
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
    apply_loop(run)
    if reading.started_at is not None:
        run.started_at, run.started_at_known = reading.started_at.astimezone(UTC), True
    elif STARTED_AT not in run.missing:
        run.missing = [STARTED_AT, *run.missing]
    run.started_at_unix_ns = (run.started_at - _EPOCH) // timedelta(microseconds=1) * NS_PER_US
    digest = hashlib.sha256(one.kept.sha256 + b"".join(one.beside) + one.member.encode())
    digest.update((unit_of(run.plan) or "").encode())
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
            **one.values | {"operation": operation_of(run, one.values["operation"])},
        )
        for number, one in enumerate(reading.series)
    )
    session.flush()
    for numbers, pins, buckets in reading.prepare():
        for first in range(0, len(pins), _ROWS_AT_ONCE):
            rows = slice(first, first + _ROWS_AT_ONCE)
            insert_rows(
                session,
                run.run_id,
                numbers={name: np.ascontiguousarray(column[rows]) for name, column in numbers.items()},
                pins=pins[rows],
                histograms=buckets[rows],
                now=now,
            )


def unit_of(plan: dict[str, Any]) -> str | None:
    """The unit that a run was read with; none where its format states or needs none."""
    found = (plan.get("parameters") or {}).get("latency_unit")
    return found if isinstance(found, str) else None


def values_of_upload(organisation_id: UUID, contents: Sequence[bytes], now: datetime) -> dict[str, Any]:
    """Columns of an upload of these contents, whatever order they came in."""
    return {
        "upload_id": new_id(),
        "organisation_id": organisation_id,
        "content_sha256": hashlib.sha256(b"".join(sorted(set(contents)))).digest(),
        "created_at": now,
        "read_at": None,
    }
