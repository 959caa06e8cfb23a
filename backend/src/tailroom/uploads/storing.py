"""Storing the runs of an upload: as an earlier run of the same bytes, a longer copy of one, or a new run.

A file whose uncompressed content begins with that of an earlier file is a longer copy of the same log: its
result replaces the earlier result of the run.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy.orm import Session

from tailroom.catalogue.disclosure import STARTED_AT
from tailroom.kit.clock import unix_ns
from tailroom.kit.identifiers import new_id
from tailroom.records.interval_rows import insert_rows
from tailroom.runs.conditions import operation_of, set_closed_loop
from tailroom.runs.repository import sources_of
from tailroom.storage.run import Run
from tailroom.storage.series import Series
from tailroom.storage.upload import RunSource
from tailroom.uploads import repository
from tailroom.uploads.reading import ReadFile, ReadingOptions, beginnings
from tailroom.uploads.storable import StorableRun

_ROWS_AT_ONCE = 20_000
_JOINED = 0
"""Number of the joined run of several clients' files; runs of a single file count from 1."""


def store_run(
    session: Session, organisation_id: UUID, file: ReadFile, position: int, now: datetime
) -> tuple[Run, bool]:
    """Store run `position` (from 0) of a file; return the stored run, and whether anything of it changed.

    If the same content was read before, or the file is a longer copy of a log, that run gets the new data. A
    shorter copy changes nothing, nor does an equal copy with the same unit and no further companions. The
    caller holds `repository.lock_uploads`.
    """
    reading = file.runs[position]
    stored, run_no = file.stored, _JOINED if file.is_joined else position + 1
    chosen = chosen_histograms(reading.values["plan"])
    beside = file.beside if file.is_joined else None
    source = repository.find_source(
        session, organisation_id, stored.sha256, file.member, run_no, chosen=chosen, beside=beside
    )
    if source is None and not file.member and not file.is_joined:
        source = repository.find_content(session, organisation_id, file.content[1], run_no, chosen)
    if source is None and not file.member and not file.is_joined:
        source = _continued_source(session, organisation_id, file, reading, run_no)
    if source is None:
        run = _new_run(session, organisation_id, file, reading, now)
    else:
        run = repository.lock_run_and_analysis(session, source.run_id)
        shown = sources_of(session, run.run_id)[0]
        is_older_copy = file.content[0] < shown.content_bytes
        is_same = (
            file.content[1] == shown.content_sha256
            and set(file.beside) <= set(shown.beside)
            and unit_of(reading.values["plan"]) == unit_of(run.plan)
        )
        if is_older_copy or is_same:
            return run, False
        repository.remove_readings(session, run.run_id)
        _update(run, file, reading, now)
    session.flush()
    _store_series(session, run, reading, now)
    repository.store_source(
        session,
        {
            "run_id": run.run_id,
            "sha256": stored.sha256,
            "organisation_id": organisation_id,
            "member": file.member,
            "run_no": run_no,
            "chosen": chosen,
            "size_bytes": stored.size_bytes,
            "content_bytes": file.content[0],
            "content_sha256": file.content[1],
            "name": file.name,
            "beside": list(file.beside),
            "read_at": now,
        },
    )
    return run, True


def earlier_copies(
    session: Session, organisation_id: UUID, files: Sequence[ReadFile]
) -> list[tuple[int, ...]]:
    """Return for each file the ascending sizes in bytes of contents that it may continue.

    There are none for members of archives and for joined files.
    """
    sizes_of_files: list[tuple[int, ...]] = []
    for file in files:
        sizes: set[int] = set()
        for run_no, reading in enumerate(() if file.member or file.is_joined else file.runs, 1):
            sources = _shorter_sources(session, organisation_id, file, reading, run_no)
            sizes |= {source.content_bytes for source in sources}
        sizes_of_files.append(tuple(sorted(sizes)))
    return sizes_of_files


def note_beginnings(files: Sequence[ReadFile], sizes: Sequence[tuple[int, ...]]) -> None:
    """Set `beginnings` of each file: the SHA-256 of its first bytes for each of its `sizes`.

    It reads the files, so no transaction may be open.
    """
    for file, file_sizes in zip(files, sizes, strict=True):
        if file_sizes:
            file.beginnings = beginnings(file.stored.path, file_sizes)


def _continued_source(
    session: Session, organisation_id: UUID, file: ReadFile, reading: StorableRun, run_no: int
) -> RunSource | None:
    """Return the source of the longest earlier copy if its run is shown from that source, else None."""
    for source in _shorter_sources(session, organisation_id, file, reading, run_no):
        if file.beginnings.get(source.content_bytes) == source.content_sha256:
            shown = sources_of(session, source.run_id)[0]
            return source if shown.content_sha256 == source.content_sha256 else None
    return None


def _shorter_sources(
    session: Session, organisation_id: UUID, file: ReadFile, reading: StorableRun, run_no: int
) -> list[RunSource]:
    return repository.shorter_sources(
        session,
        organisation_id,
        file.content[0],
        reading.values["format"],
        run_no,
        chosen=chosen_histograms(reading.values["plan"]),
    )


def _new_run(
    session: Session, organisation_id: UUID, file: ReadFile, reading: StorableRun, now: datetime
) -> Run:
    """Add a new run from a reading to the session; its start is `now` unless the file states it."""
    run = Run(run_id=new_id(), organisation_id=organisation_id, created_at=now, disclosed={})
    run.started_at, run.started_at_known = now, False
    _update(run, file, reading, now)
    session.add(run)
    return run


def _update(run: Run, file: ReadFile, reading: StorableRun, now: datetime) -> None:
    """Set the run's columns from a reading, with its content hash and times.

    A start that the file does not state is not changed; it is then among the missing facts.
    """
    for name, value in reading.values.items():
        setattr(run, name, value)
    set_closed_loop(run)
    if reading.started_at is not None:
        run.started_at, run.started_at_known = reading.started_at.astimezone(UTC), True
    elif STARTED_AT not in run.missing:
        run.missing = [STARTED_AT, *run.missing]
    run.started_at_unix_ns = unix_ns(run.started_at)
    digest = hashlib.sha256(file.stored.sha256 + b"".join(file.beside) + file.member.encode())
    digest.update(((unit_of(run.plan) or "") + chosen_histograms(run.plan)).encode())
    run.content_sha256 = digest.digest()
    run.data_through_ns = reading.data_through_ns
    run.last_data_at = now


def _store_series(session: Session, run: Run, reading: StorableRun, now: datetime) -> None:
    """Insert the series of a run and their intervals, an unnamed operation under its answered name."""
    session.add_all(
        Series(
            run_id=run.run_id,
            series_no=number,
            organisation_id=run.organisation_id,
            target_rate_per_s=None,
            contiguous_seq=series.size - 1,
            max_seq=series.size - 1,
            received=series.size,
            **series.values | {"operation": operation_of(run, series.values["operation"])},
        )
        for number, series in enumerate(reading.series)
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
    """Return the latency unit with which a run was read; None if the format states it or has none."""
    unit = (plan.get("parameters") or {}).get("latency_unit")
    return unit if isinstance(unit, str) else None


def chosen_histograms(plan: dict[str, Any]) -> str:
    """Return the text of the choice of histograms with which a run was read; empty for all."""
    chosen = (plan.get("parameters") or {}).get("chosen")
    return chosen if isinstance(chosen, str) else ""


def values_of_upload(
    organisation_id: UUID, contents: Sequence[bytes], now: datetime, options: ReadingOptions
) -> dict[str, Any]:
    """Return the column values of a new upload of these contents (in any order) with these options."""
    return {
        "upload_id": new_id(),
        "organisation_id": organisation_id,
        "content_sha256": hashlib.sha256(options.distinction() + b"".join(sorted(set(contents)))).digest(),
        "created_at": now,
        "read_at": None,
    }
