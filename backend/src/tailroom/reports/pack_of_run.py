"""The evidence pack of a stored run: of an agent's run its intervals, of an uploaded one its files as they
came.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from uuid import UUID

from tailroom.analysis.export import IntervalExport
from tailroom.analysis.run_reader import RunReader
from tailroom.domain.errors import DomainError
from tailroom.domain.method import METHOD_VERSION
from tailroom.evidence.answers import NOTHING, Answers
from tailroom.kit.raw_files import RawFileMissing, RawFiles, RawFilesUnavailable
from tailroom.kit.transactions import Transactions
from tailroom.reports.errors import PackRefused, PackTooLong
from tailroom.reports.packing_apart import PackingTooLong, RawFile, pack_apart
from tailroom.runs.conditions import value_of
from tailroom.runs.schemas import SourceFileOut
from tailroom.runs.service import describe_run
from tailroom.storage.run import UPLOAD, Run
from tailroom.uploads.errors import RawFilesAway
from tailroom.uploads.repository import require_sent


@dataclass(frozen=True, slots=True)
class Ingredients:
    """What a pack is made of, and a name for it: another one as soon as anything of it is."""

    files: Sequence[RawFile]
    answers: Answers
    state: bytes


def ingredients(
    transactions: Transactions, organisation_id: UUID, run_id: UUID, store: RawFiles
) -> Ingredients:
    """Raises RunUnknown, RunRetracted, RunDeleted, IntervalsExpired, PackRefused, RawFilesAway."""
    reader = RunReader.of(transactions, organisation_id, run_id)
    run = reader.run
    made_of: list[object] = [version("tailroom"), METHOD_VERSION, str(organisation_id)]
    made_of += [value for name, value in sorted(vars(run).items()) if name in Run.__table__.c]
    if run.source == UPLOAD:
        with _reporting(run_id):
            current = _current(reader)
            files = _sent(current, store)
        made_of += [(one.name, one.sha256) for one in current]
        answers = Answers.of({name: value_of(run.disclosed, name) for name in run.disclosed})
    else:
        export = IntervalExport.of(reader)
        made_of += [(one.series_no, one.received, one.contiguous_seq) for one in export.series]
        files, answers = [RawFile(f"run-{run_id}.ndjson", None, export.lines())], NOTHING
    return Ingredients(files, answers, hashlib.sha256(repr(made_of).encode()).digest())


def pack_of(made_of: Ingredients, run_id: UUID, key: Path) -> bytes:
    """The archive. Raises PackRefused, PackTooLong, RawFilesAway."""
    with _reporting(run_id):
        return pack_apart(made_of.files, key, answers=made_of.answers)


@contextmanager
def _reporting(run_id: UUID) -> Iterator[None]:
    """Errors as whoever asked is told of them."""
    try:
        yield
    except PackingTooLong as error:
        raise PackTooLong(_sentence(error)) from None
    except (RawFileMissing, RawFilesUnavailable) as error:
        raise RawFilesAway(f"A file of run {run_id} cannot be read now: {error}.") from None
    except DomainError as error:
        raise PackRefused(_sentence(error)) from None


def _current(reader: RunReader) -> list[SourceFileOut]:
    with reader.transactions() as session:
        detail = describe_run(session, reader.run, reader.organisation_id)
        current = [one for one in detail.files if one.is_current]
        require_sent(session, reader.organisation_id, [one.sha256 for one in current])
    if not current:
        raise PackRefused(
            f"Run {reader.run_id} was read from a file that only its owner may download, and a pack proves"
            " nothing without it."
        )
    return current


def _sent(current: Sequence[SourceFileOut], store: RawFiles) -> list[RawFile]:
    names = [one.name.replace("\\", "/").rpartition("/")[2] or "file" for one in current]
    unique = [name if names.count(name) == 1 else f"{at}-{name}" for at, name in enumerate(names, 1)]
    return [
        RawFile(name, one.size_bytes, store.chunks(bytes.fromhex(one.sha256)))
        for name, one in zip(unique, current, strict=True)
    ]


def _sentence(error: DomainError) -> str:
    text = str(error)
    return f"{text[0].upper()}{text[1:]}."
