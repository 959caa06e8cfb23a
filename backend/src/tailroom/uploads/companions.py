"""Which companions a log came with before: what a configuration stated of a run stays stated when the log
comes again, longer and without it.

Only a file that goes on from what is shown of a run is read with the run's companions; another log with the
same beginning is another run, and whose configuration that was nobody knows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from tailroom.storage.upload import RunSource
from tailroom.uploads.kept_content import beginnings
from tailroom.uploads.reading import KeptFile


@dataclass(frozen=True, slots=True)
class Accompanied:
    """What is shown of a run, and the contents that it was read with."""

    run_id: UUID
    content_sha256: bytes
    content_bytes: int
    beside: tuple[bytes, ...]


def accompanied(sources: Sequence[RunSource]) -> tuple[Accompanied, ...]:
    """Of the sources of runs, the largest of each, with the companions of the largest that had any."""
    of_run: dict[UUID, list[RunSource]] = {}
    for one in sorted(sources, key=lambda one: (one.content_bytes, one.read_at), reverse=True):
        of_run.setdefault(one.run_id, []).append(one)
    found = []
    for run_id, ours in sorted(of_run.items()):
        shown = ours[0]
        beside = next((tuple(one.beside) for one in ours if one.beside), ())
        if beside and not shown.member:
            found.append(Accompanied(run_id, shown.content_sha256, shown.content_bytes, beside))
    return tuple(found)


def remembered(
    files: Sequence[KeptFile], candidates: Sequence[Accompanied]
) -> dict[bytes, tuple[bytes, ...]]:
    """For each file, by content, that begins with all that is shown of a run: the companions of that run."""
    found: dict[bytes, tuple[bytes, ...]] = {}
    for one in files if candidates else ():
        begins_with = beginnings(one.path, sorted({other.content_bytes for other in candidates}))
        goes_on = [
            other
            for other in candidates
            if other.content_bytes
            and other.content_sha256 != one.sha256
            and begins_with.get(other.content_bytes) == other.content_sha256
        ]
        if goes_on:
            found[one.sha256] = max(goes_on, key=lambda other: other.content_bytes).beside
    return found


def to_fetch(found: Mapping[bytes, Sequence[bytes]]) -> list[bytes]:
    """Every content once, in a fixed order."""
    return sorted({content for beside in found.values() for content in beside})
