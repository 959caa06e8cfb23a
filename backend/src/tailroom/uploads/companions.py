"""Companions: files that a log was read with before, such as its configuration.

A longer copy of the log is read with them, even if it is sent alone. Another log with the same beginning is
another run, whose configuration is unknown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.storage.upload import RunSource
from tailroom.uploads import repository
from tailroom.uploads.reading import StoredFile, beginnings


@dataclass(frozen=True, slots=True)
class AccompaniedRun:
    """A run, the content from which it is shown, and its companions (`beside`), as SHA-256."""

    run_id: UUID
    content_sha256: bytes
    content_bytes: int
    beside: tuple[bytes, ...]


def accompanied_runs(session: Session, organisation_id: UUID) -> tuple[AccompaniedRun, ...]:
    """Return an organisation's runs that were read with companions, by id, without those shown from archives.

    A run is shown from its largest source, of equal size the latest. Its companions are those of the largest
    source that has any.
    """
    sources_by_run: dict[UUID, list[RunSource]] = {}
    sources = repository.sources_of_accompanied_runs(session, organisation_id)
    for source in sorted(sources, key=lambda source: (source.content_bytes, source.read_at), reverse=True):
        sources_by_run.setdefault(source.run_id, []).append(source)
    runs = []
    for run_id, of_run in sorted(sources_by_run.items()):
        shown = of_run[0]
        beside = next((tuple(source.beside) for source in of_run if source.beside), ())
        if beside and not shown.member:
            runs.append(AccompaniedRun(run_id, shown.content_sha256, shown.content_bytes, beside))
    return tuple(runs)


def find_companions(
    files: Sequence[StoredFile], candidates: Sequence[AccompaniedRun]
) -> dict[bytes, tuple[bytes, ...]]:
    """Return the companions of the run that a file continues, by SHA-256 of the file.

    A file continues a run if it begins with the run's content; of several runs the longest counts. Other
    files are left out.
    """
    companions: dict[bytes, tuple[bytes, ...]] = {}
    for file in files if candidates else ():
        hashes = beginnings(file.path, sorted({candidate.content_bytes for candidate in candidates}))
        continued = [
            candidate
            for candidate in candidates
            if candidate.content_bytes
            and candidate.content_sha256 != file.sha256
            and hashes.get(candidate.content_bytes) == candidate.content_sha256
        ]
        if continued:
            companions[file.sha256] = max(continued, key=lambda candidate: candidate.content_bytes).beside
    return companions
