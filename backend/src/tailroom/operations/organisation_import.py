"""Import of an organisation from its pack.

The author of a pack is not trusted. A file belongs to the organisation only if the pack holds its bytes:
naming the SHA-256 of a foreign file gives no access to it. Results that this installation computes itself are
not taken from a pack: verdicts, findings, pictures, and the slices of series whose intervals are there. Rows
are added to an organisation that exists here only if the operator names it.
"""

import hashlib
import json
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import msgspec
from alembic.migration import MigrationContext
from sqlalchemy import exists, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from tailroom.access import trail
from tailroom.budgets.service import built_in_names
from tailroom.kit.db import Database
from tailroom.kit.lanes import RENEWAL
from tailroom.kit.limits import run_size_problem
from tailroom.kit.outside_types import clean_line
from tailroom.kit.raw_files import CHUNK_BYTES, RawFiles
from tailroom.operations.organisation_pack import (
    FORMAT,
    MANIFEST,
    MEMBERS,
    ORGANISATION,
    OWNED,
    ROWS_AT_ONCE,
    TABLES,
    OrganisationPackRefused,
    PackManifest,
    PackMember,
)
from tailroom.storage.drive_test import count_change
from tailroom.storage.organisation import PERSON, RETENTION, Organisation
from tailroom.storage.run import FINISHED, Run
from tailroom.storage.slices import AnalysisState
from tailroom.storage.tombstone import Tombstone
from tailroom.storage.upload import Upload
from tailroom.work.kinds import JUDGE, RATE, READ_UPLOAD
from tailroom.work.outbox import make_many_due

_MOST_OF_A_TEXT = 64 * 2**20
"""Bytes of the manifest, and of a row."""
_ALWAYS_TAKEN, _LARGEST_RATIO = 256 * 2**20, 100
"""A pack may unpack to the larger of the first, in bytes, and its size times the second (usual: 20)."""
_DERIVED = frozenset({"analysis_state", "run_finding", "run_picture", "verdict", "watch_result"})
"""Exported for readers of the file, and computed again by the installation that imports it."""
_FROM_INTERVALS = frozenset({"rollup_state", "slice"})
"""Derived too, but all that is left of a series once retention has taken intervals of it."""
_OVERRIDDEN: Mapping[str, str] = {
    "run": """'{"worst_verdict": null, "worst_built_in_verdict": null}'::jsonb"""
    """ || CASE WHEN entry ->> 'visibility' = 'public'"""
    """ THEN '{"visibility": "private", "published_at": null}'::jsonb ELSE '{}'::jsonb END""",
    "watch": """'{"webhook_url": null, "webhook_secret": null, "email": null}'::jsonb"""
    """ || '{"known_verdict": null}'::jsonb""",
}
"""Columns that are not imported: runs arrive private and unjudged, watches have no recipients."""
_IDS = {"catalogue_item": "item_id", "run": "run_id", "upload": "upload_id"}
"""Ids that another organisation may have here, by table."""
_NAMELESS = frozenset({"catalogue_alias", "catalogue_fact"})
"""Tables whose rows do not name the organisation; they name an item of it."""


_Row = tuple[str, dict[str, Any]]
"""A row as written, and as parsed."""
_UNREADABLE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError),
    *(OSError, LookupError, TypeError, ValueError, msgspec.MsgspecError),
)
"""Errors on reading a damaged or forged pack."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Result of an import."""

    manifest: PackManifest
    rows: Mapping[str, int]
    """Newly stored, by table; nothing where the pack was read before."""
    items_taken: int
    """Drives whose name is taken by another organisation's drive here: they and their facts were left out."""
    members: tuple["PackMember", ...]


class _PackOrganisation(msgspec.Struct, frozen=True):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    created_at: datetime
    needs_second_factor: bool


def import_pack(
    database: Database, store: RawFiles, path: Path, now: datetime, *, into: str | None = None
) -> ImportResult:
    """Import a pack, all or nothing; repeating it changes nothing.

    Runs arrive private and are judged again; the owner decides again what to publish. `into` is the name of
    the organisation that has the pack's id here, by which an operator confirms that rows may be added to it.
    Raise OrganisationPackRefused.
    """
    try:
        with zipfile.ZipFile(path) as pack:
            manifest = _verify_manifest(pack)
            members = tuple(msgspec.json.decode(_text(pack, MEMBERS), type=list[PackMember]))
            with database.transaction() as session:
                _check_owner(session, manifest, into)
            for name in manifest.sha256:
                if name.startswith("files/"):
                    _keep(pack, store, name)
            with database.transaction() as session:
                rows, items_taken = _store_rows(session, pack, manifest, now, into)
    except OrganisationPackRefused:
        raise
    except DBAPIError as error:
        raise OrganisationPackRefused(
            f"{path.name} holds a row that breaks a rule of the database{_rule(error)}."
        ) from None
    except _UNREADABLE as error:
        raise OrganisationPackRefused(
            f"{path.name} cannot be read as a pack of an organisation: {type(error).__name__}: {error}."
        ) from error
    return ImportResult(manifest, rows, items_taken, members)


def _rule(error: DBAPIError) -> str:
    """Return the name of the broken rule in parentheses, or nothing; the row's content must not be logged."""
    diagnosis = getattr(error.orig, "diag", None)
    name = getattr(diagnosis, "constraint_name", None) or getattr(diagnosis, "column_name", None)
    return f" ({name})" if name else ""


def _verify_manifest(pack: zipfile.ZipFile) -> PackManifest:
    """Return the manifest of a pack after verifying every part. Raise OrganisationPackRefused."""
    names = [member.filename for member in pack.infolist()]
    if len(set(names)) < len(names):
        raise OrganisationPackRefused("The pack holds two parts of one name.")
    if any(
        member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED} for member in pack.infolist()
    ):
        raise OrganisationPackRefused("The pack is compressed by another method than Tailroom writes.")
    unpacked = sum(member.file_size for member in pack.infolist())
    if unpacked > max(
        _ALWAYS_TAKEN, _LARGEST_RATIO * sum(member.compress_size for member in pack.infolist())
    ):
        raise OrganisationPackRefused(
            f"The pack would unpack to {unpacked:,} bytes, out of all proportion to its size."
        )
    try:
        manifest = msgspec.json.decode(_text(pack, MANIFEST), type=PackManifest)
    except (KeyError, msgspec.DecodeError) as error:
        raise OrganisationPackRefused(
            f"This is no pack of an organisation, or one that was not finished: {error}."
        ) from error
    parts = {ORGANISATION, MEMBERS, *(f"{table}.jsonl" for table in TABLES)}
    if missing := parts - manifest.sha256.keys():
        raise OrganisationPackRefused(f"The pack has no hash of {', '.join(sorted(missing))}.")
    if manifest.format != FORMAT:
        raise OrganisationPackRefused(f"The pack has form {manifest.format}; this version reads {FORMAT}.")
    for name, expected in manifest.sha256.items():
        digest = hashlib.sha256()
        with pack.open(name) as part:
            while chunk := part.read(CHUNK_BYTES):
                digest.update(chunk)
        if digest.hexdigest() != expected:
            raise OrganisationPackRefused(f"{name} in the pack is not what was written: its SHA-256 differs.")
    return manifest


def _text(pack: zipfile.ZipFile, name: str) -> bytes:
    """Return the bytes of a part. Raise OrganisationPackRefused if it is too large."""
    if pack.getinfo(name).file_size > _MOST_OF_A_TEXT:
        raise OrganisationPackRefused(f"{name} of the pack is larger than {_MOST_OF_A_TEXT:,} bytes.")
    return pack.read(name)


def _keep(pack: zipfile.ZipFile, store: RawFiles, name: str) -> None:
    """Copy an uploaded file of the pack into the store. Raise OrganisationPackRefused if its hash differs."""
    with pack.open(name) as part, store.stage() as staged:
        while chunk := part.read(CHUNK_BYTES):
            staged.write(chunk)
        if staged.sha256.hex() != name.removeprefix("files/"):
            raise OrganisationPackRefused(f"{name} in the pack is another file than its name says.")
        store.store(staged)


def _check_owner(session: Session, manifest: PackManifest, into: str | None) -> Organisation | None:
    """Return the organisation that has the pack's id here; None if there is none.

    Raise OrganisationPackRefused unless `into` is its name, or if it was deleted here.
    """
    if session.get(Tombstone, manifest.organisation_id) is not None:
        raise OrganisationPackRefused("The organisation was deleted here, and cannot be imported again.")
    here = session.get(Organisation, manifest.organisation_id)
    if here is not None and into != here.name:
        raise OrganisationPackRefused(
            f"An organisation of this id lives here: “{here.name}”. Whoever wrote the pack could add runs to"
            " it; if that is meant, import it again and name that organisation (--into, `into`)."
        )
    if here is None and into is not None:
        raise OrganisationPackRefused(
            f"No organisation of the pack's id lives here, so it cannot be “{into}”."
        )
    return here


def _store_rows(
    session: Session, pack: zipfile.ZipFile, manifest: PackManifest, now: datetime, into: str | None
) -> tuple[dict[str, int], int]:
    """Store the rows of a pack; return the numbers of new rows by table, and of catalogue items left out.

    These are items whose id another organisation has. Raise OrganisationPackRefused.
    """
    revision = MigrationContext.configure(session.connection()).get_current_revision() or ""
    if revision != manifest.schema_revision:
        raise OrganisationPackRefused(
            f"The pack has the schema {manifest.schema_revision} (Tailroom {manifest.product_version}), this"
            f" installation {revision}. Bring both to the same version, and export again."
        )
    owner = manifest.organisation_id
    tables = list(TABLES)
    if _check_owner(session, manifest, into) is None:
        described = msgspec.json.decode(_text(pack, ORGANISATION), type=dict[str, Any])
        session.add(_organisation(owner, described))
        session.flush()
    else:
        tables.remove("trail_event")  # it goes on here, after the import before
    held = {f"\\x{name.removeprefix('files/')}" for name in manifest.sha256 if name.startswith("files/")}
    stored = dict.fromkeys(tables, 0)
    own: dict[str, set[str]] = {table: set() for table in _IDS}
    expired: set[tuple[str, int]] = set()
    taken_count = items_taken = 0
    for table in tables:
        if table in _DERIVED:
            continue
        if table == "slice":
            _check_series(session, owner)
            expired = _expired_series(session, owner)
        for rows in _batches(pack, f"{table}.jsonl"):
            batch = _importable_rows(table, rows, owner, own)
            if table in {"raw_file", "upload", "upload_file"}:
                batch = [
                    held_row for row in batch if (held_row := _of_held_files(table, row, held)) is not None
                ]
            elif table in _FROM_INTERVALS:
                batch = [(line, row) for line, row in batch if (row["run_id"], row["series_no"]) in expired]
            stored[table] += _insert_rows(session, table, [line for line, _ in batch])
            if table in _IDS:
                owned = _owned(session, table, [row[_IDS[table]] for _, row in batch], owner)
                own[table] |= owned
                taken_count += len(batch) - len(owned)
        if table in {"run", "upload"} and taken_count > items_taken:
            raise OrganisationPackRefused(f"An id of the pack is a {table} of another organisation here.")
        items_taken = taken_count
    if any(stored.values()):
        _make_due(session, owner, now)
        note = {"rows": sum(stored.values()), "made_at": manifest.made_at.isoformat()}
        trail.record(
            session,
            owner,
            trail.OPERATOR,
            "import_pack",
            trail.Note(manifest.organisation, after=note),
        )
    return stored, taken_count


def _organisation(owner: UUID, row: Mapping[str, Any]) -> Organisation:
    """Return the organisation that a pack describes, with the id of its owner."""
    described = msgspec.convert(row, _PackOrganisation, strict=False)
    return Organisation(
        id=owner,
        name=clean_line(described.name),
        created_at=described.created_at,
        needs_second_factor=described.needs_second_factor,
        **{name: msgspec.convert(row.get(name), int | None) for name in RETENTION},
        made_by=PERSON,
    )


def _of_held_files(table: str, line_and_row: _Row, held: Collection[str]) -> _Row | None:
    r"""Return a row about uploaded files if the pack has their bytes, else None.

    A row of an unread upload is reduced to the files that the pack has. `held`: SHA-256 of these, as `\x…`.
    """
    line, row = line_and_row
    if table != "upload":
        return line_and_row if row["sha256"] in held else None
    if row["read_at"] is not None or not row["waiting"]:
        return line, row
    files = [file for file in row["waiting"]["files"] if f"\\x{file['sha256']}" in held]
    row = row | {"waiting": row["waiting"] | {"files": files, "public": False}}
    return json.dumps(row), row


def _check_series(session: Session, owner: UUID) -> None:
    """Raise OrganisationPackRefused where a run has too many series."""
    query = text(
        "SELECT count(*), count(DISTINCT (operation, clock)), count(DISTINCT phase) FROM series"
        " WHERE organisation_id = :id GROUP BY run_id"
    )
    for series, operations, phases in session.execute(query, {"id": owner}):
        if (problem := run_size_problem(series, operations, phases)) is not None:
            raise OrganisationPackRefused(f"A run of the pack is too large: {problem}.")


def _expired_series(session: Session, owner: UUID) -> set[tuple[str, int]]:
    """Return run and number of series whose intervals retention has removed: only their slices are left."""
    query = text(
        "SELECT s.run_id::text, s.series_no FROM series s WHERE s.organisation_id = :id AND s.received >"
        " (SELECT count(*) FROM interval i WHERE i.run_id = s.run_id AND i.series_no = s.series_no)"
    )
    return {(run_id, series_no) for run_id, series_no in session.execute(query, {"id": owner})}


def _importable_rows(table: str, rows: list[_Row], owner: UUID, own: Mapping[str, set[str]]) -> list[_Row]:
    """Return the rows of a table that may be stored; rows of catalogue items that were left out are dropped.

    `own`: ids of stored rows by table. Raise OrganisationPackRefused for rows of another organisation or run.
    """
    if table in _NAMELESS:
        return [(line, row) for line, row in rows if row["item_id"] in own["catalogue_item"]]
    if any(row["organisation_id"] != str(owner) for _, row in rows):
        raise OrganisationPackRefused(f"A row of {table} is of another organisation.")
    if table == "upload_file" and any(row["upload_id"] not in own["upload"] for _, row in rows):
        raise OrganisationPackRefused("A row of upload_file is of an upload that the pack does not hold.")
    if table == "budget":
        for _, row in rows:
            _check_budget(row)
    if table == "tombstone":
        return [(line, row) for line, row in rows if row["kind"] in {"run", "upload"}]
    if table in {"campaign", "campaign_member"}:
        # Agents are not exported: an active campaign could only command agents of this installation.
        return [(line, row) for line, row in rows if row["state"] in {"ended", "lost", "done"}]
    if TABLES[table] != OWNED and any(row["run_id"] not in own["run"] for _, row in rows):
        raise OrganisationPackRefused(f"A row of {table} is of a run that the pack does not hold.")
    return rows


def _check_budget(row: Mapping[str, Any]) -> None:
    """Raise OrganisationPackRefused if a budget has a built-in name, or its document another name."""
    document = row["document"]
    if row["name"] in built_in_names():
        raise OrganisationPackRefused(
            f"A budget of the pack has the name of a built-in one, “{row['name']}”."
        )
    if (document["name"], document["version"]) != (row["name"], row["version"]):
        raise OrganisationPackRefused(
            f"The document of the budget “{row['name']}” is that of another budget."
        )


def _batches(pack: zipfile.ZipFile, name: str) -> Iterator[list[_Row]]:
    """Yield the rows of a part in batches. Raise OrganisationPackRefused for a row that is too large."""
    with pack.open(name) as part:
        rows: list[_Row] = []
        while line := part.readline(_MOST_OF_A_TEXT + 1):
            if len(line) > _MOST_OF_A_TEXT:
                raise OrganisationPackRefused(f"A row of {name} is larger than {_MOST_OF_A_TEXT:,} bytes.")
            rows.append((line.decode(), msgspec.json.decode(line, type=dict[str, Any])))
            if len(rows) == ROWS_AT_ONCE:
                yield rows
                rows = []
        if rows:
            yield rows


def _insert_rows(session: Session, table: str, lines: Sequence[str]) -> int:
    """Store rows that are not stored yet, given as lines of JSON; return their number."""
    if not lines:
        return 0
    rows = "CAST(:rows AS json)"
    if table in _OVERRIDDEN:
        changed = f"entry::jsonb || {_OVERRIDDEN[table]}"
        rows = f"(SELECT json_agg({changed}) FROM json_array_elements({rows}) entry)"  # noqa: S608 - names of ours
    read = f"json_populate_recordset(NULL::public.{table}, {rows})"
    # Rows that come back are counted: a cluster says how many were offered, not how many were new.
    insert = f"INSERT INTO {table} SELECT * FROM {read} ON CONFLICT DO NOTHING RETURNING 1"  # noqa: S608
    return len(session.execute(text(insert), {"rows": f"[{','.join(lines)}]"}).all())


def _owned(session: Session, table: str, ids: Sequence[str], owner: UUID) -> set[str]:
    """Return which of these ids are stored and belong to the organisation."""
    key = _IDS[table]
    query = f"SELECT {key}::text FROM {table} WHERE {key} = ANY(:keys) AND organisation_id = :id"  # noqa: S608
    return set(session.scalars(text(query), {"keys": [UUID(key) for key in ids], "id": owner}))


def _make_due(session: Session, owner: UUID, now: datetime) -> None:
    """Make due what this installation computes itself: drive tests, verdicts, uploads not read yet."""
    of_owner = select(Run.run_id.label("subject"), Run.organisation_id).where(Run.organisation_id == owner)
    make_many_due(session, RATE, of_owner.where(Run.state == FINISHED), now, RENEWAL)
    judged = exists().where(AnalysisState.run_id == Run.run_id, AnalysisState.is_final)
    make_many_due(session, JUDGE, of_owner.where(~judged), now, RENEWAL)
    unread = select(Upload.upload_id.label("subject"), Upload.organisation_id).where(
        Upload.organisation_id == owner, Upload.read_at.is_(None)
    )
    make_many_due(session, READ_UPLOAD, unread, now, READ_UPLOAD.lane)
    count_change(session, owner)
