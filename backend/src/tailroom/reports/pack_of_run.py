"""The evidence pack of a stored run: of an agent's run its intervals, of an uploaded one its files as they
came.
"""

from pathlib import Path
from uuid import UUID

from tailroom.analysis.export import Export
from tailroom.analysis.reading import Reading
from tailroom.domain.errors import DomainError
from tailroom.evidence.answers import Answers
from tailroom.kit.raw_files import RawFileMissing, RawFiles, RawFilesUnavailable
from tailroom.kit.transactions import Transactions
from tailroom.reports.errors import PackRefused, PackTooLong
from tailroom.reports.packing_apart import PackingTooLong, RawFile, pack_apart
from tailroom.runs.conditions import value_of
from tailroom.runs.service import describe_run
from tailroom.storage.run import UPLOAD
from tailroom.uploads.errors import RawFilesAway
from tailroom.uploads.repository import require_sent


def pack_of_run(
    transactions: Transactions, organisation_id: UUID, run_id: UUID, store: RawFiles, key: Path
) -> bytes:
    """The archive. Raises RunUnknown, RunRetracted, RunDeleted, IntervalsExpired, PackRefused, PackTooLong,
    RawFilesAway.
    """
    reading = Reading.of(transactions, organisation_id, run_id)
    try:
        if reading.run.source == UPLOAD:
            answers = Answers.of(
                {name: value_of(reading.run.disclosed, name) for name in reading.run.disclosed}
            )
            return pack_apart(_sent(reading, store), key, answers=answers)
        return pack_apart([RawFile(f"run-{run_id}.ndjson", None, Export.of(reading).lines())], key)
    except PackingTooLong as error:
        raise PackTooLong(_sentence(error)) from None
    except (RawFileMissing, RawFilesUnavailable) as error:
        raise RawFilesAway(f"A file of run {run_id} cannot be read now: {error}.") from None
    except DomainError as error:
        raise PackRefused(_sentence(error)) from None


def _sent(reading: Reading, store: RawFiles) -> list[RawFile]:
    with reading.transactions() as session:
        detail = describe_run(session, reading.run, reading.organisation_id)
        current = [one for one in detail.files if one.is_current]
        require_sent(session, reading.organisation_id, [one.sha256 for one in current])
    if not current:
        raise PackRefused(
            f"Run {reading.run_id} was read from a file that only its owner may download, and a pack proves"
            " nothing without it."
        )
    names = [one.name.replace("\\", "/").rpartition("/")[2] or "file" for one in current]
    unique = [name if names.count(name) == 1 else f"{at}-{name}" for at, name in enumerate(names, 1)]
    return [
        RawFile(name, one.size_bytes, store.chunks(bytes.fromhex(one.sha256)))
        for name, one in zip(unique, current, strict=True)
    ]


def _sentence(error: DomainError) -> str:
    text = str(error)
    return f"{text[0].upper()}{text[1:]}."
