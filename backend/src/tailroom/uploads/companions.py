"""Companions: files that a log was read with before, such as its configuration.

They stay valid if the log comes again, longer and without its configuration. Only a file that continues the
file that a run is shown from is read with the run's companions; another log with the same beginning is
another run, whose configuration is unknown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from tailroom.storage.upload import RunSource
from tailroom.uploads.content_hashes import beginnings
from tailroom.uploads.reading import StoredFile


@dataclass(frozen=True, slots=True)
class AccompaniedRun:
    """The content that a run is shown from, and its companions (`beside`), as SHA-256."""

    run_id: UUID
    content_sha256: bytes
    content_bytes: int
    beside: tuple[bytes, ...]


def accompanied(sources: Sequence[RunSource]) -> tuple[AccompaniedRun, ...]:
    """Return each run that was read with companions: its largest source, with the companions of its largest
    source that had any.
    """
    of_run: dict[UUID, list[RunSource]] = {}
    for source in sorted(sources, key=lambda source: (source.content_bytes, source.read_at), reverse=True):
        of_run.setdefault(source.run_id, []).append(source)
    runs = []
    for run_id, of_run_sources in sorted(of_run.items()):
        shown = of_run_sources[0]
        beside = next((tuple(our.beside) for our in of_run_sources if our.beside), ())
        if beside and not shown.member:
            runs.append(AccompaniedRun(run_id, shown.content_sha256, shown.content_bytes, beside))
    return tuple(runs)


def remembered(
    files: Sequence[StoredFile], candidates: Sequence[AccompaniedRun]
) -> dict[bytes, tuple[bytes, ...]]:
    """Return the companions of the run that a file continues, by SHA-256 of the file.

    Other files are left out.
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


def to_fetch(companions: Mapping[bytes, Sequence[bytes]]) -> list[bytes]:
    """Return the SHA-256 of every companion once, in a fixed order."""
    return sorted({content for beside in companions.values() for content in beside})
