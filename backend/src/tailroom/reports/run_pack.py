"""Evidence pack of a stored run, and the page of it that works without a server.

Both are made from the intervals of an agent's run, or from the original files of an uploaded run.
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
from tailroom.domain.errors import DomainError, sentence
from tailroom.domain.method import METHOD_VERSION
from tailroom.evidence.answers import NO_ANSWERS, Answers
from tailroom.kit.raw_files import RawFileMissing, RawFiles, RawFilesUnavailable
from tailroom.kit.transactions import Transactions
from tailroom.reports.errors import PackRefused, PackTooLong
from tailroom.reports.packing_process import PackedFile, PackForm, PackingTooLong, pack_in_process
from tailroom.runs.conditions import disclosed_value
from tailroom.runs.schemas import SourceFileOut
from tailroom.runs.service import describe_run
from tailroom.storage.run import UPLOAD, Run
from tailroom.uploads.errors import RawFilesAway
from tailroom.uploads.repository import require_sent


@dataclass(frozen=True, slots=True)
class PackSource:
    """Content of a pack. `state` is a hash of everything that the pack is made from."""

    files: Sequence[PackedFile]
    answers: Answers
    state: bytes
    time_stamp_url: str | None = None


def pack_source(
    transactions: Transactions,
    organisation_id: UUID,
    run_id: UUID,
    store: RawFiles,
    time_stamp_url: str | None,
) -> PackSource:
    """Return the content of a run's pack, for an organisation that may read the run.

    The authority at `time_stamp_url` stamps it, unless that is None. Raise RunUnknown, RunRetracted or
    RunDeleted if the organisation may not read the run, IntervalsExpired if retention has removed intervals,
    PackRefused if an uploaded run's files are not for this reader, RawFilesAway if a file cannot be read now.
    """
    reader = RunReader.of(transactions, organisation_id, run_id)
    run = reader.run
    parts: list[object] = [version("tailroom"), METHOD_VERSION, str(organisation_id), time_stamp_url]
    parts += [value for name, value in sorted(vars(run).items()) if name in Run.__table__.c]
    if run.source == UPLOAD:
        with _translate_errors(run_id):
            current = _current_files(reader)
            files = _stored_files(current, store)
        parts += [(file.name, file.sha256) for file in current]
        answers = Answers.of({name: disclosed_value(run.disclosed, name) for name in run.disclosed})
    else:
        export = IntervalExport.of(reader)
        parts += [(series.series_no, series.received, series.contiguous_seq) for series in export.series]
        files, answers = [PackedFile(f"run-{run_id}.ndjson", None, export.lines())], NO_ANSWERS
    state = hashlib.sha256(repr(parts).encode()).digest()
    return PackSource(files, answers, state, time_stamp_url)


def pack_of(source: PackSource, run_id: UUID, key: Path, form: PackForm = "archive") -> bytes:
    """Return the archive, or the offline page of the same files; `key`: file of the signing key.

    Raise PackTooLong after the time limit, RawFilesAway if a file cannot be read now, PackRefused for any
    other reason.
    """
    with _translate_errors(run_id):
        return pack_in_process(
            source.files,
            key,
            answers=source.answers,
            time_stamp_url=source.time_stamp_url,
            form=form,
        )


@contextmanager
def _translate_errors(run_id: UUID) -> Iterator[None]:
    """Raise errors of packing within the context as PackTooLong, RawFilesAway or PackRefused."""
    try:
        yield
    except PackingTooLong as error:
        raise PackTooLong(sentence(error)) from None
    except (RawFileMissing, RawFilesUnavailable) as error:
        raise RawFilesAway(f"A file of run {run_id} cannot be read now: {error}.") from None
    except DomainError as error:
        raise PackRefused(sentence(error)) from None


def _current_files(reader: RunReader) -> list[SourceFileOut]:
    """Return the files that an uploaded run was last read from.

    Raise PackRefused if the organisation may download none, RawFileMissing if a file was deleted.
    """
    with reader.transactions() as session:
        detail = describe_run(session, reader.run, reader.organisation_id)
        current = [file for file in detail.files if file.is_current]
        require_sent(session, reader.organisation_id, [file.sha256 for file in current])
    if not current:
        raise PackRefused(
            f"Run {reader.run_id} was read from a file that only its owner may download, and a pack proves"
            " nothing without it."
        )
    return current


def _stored_files(current: Sequence[SourceFileOut], store: RawFiles) -> list[PackedFile]:
    names = [file.name.replace("\\", "/").rpartition("/")[2] or "file" for file in current]
    unique = [name if names.count(name) == 1 else f"{at}-{name}" for at, name in enumerate(names, 1)]
    return [
        PackedFile(name, file.size_bytes, store.chunks(bytes.fromhex(file.sha256)))
        for name, file in zip(unique, current, strict=True)
    ]
