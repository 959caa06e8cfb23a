"""Import of an organisation from its pack, whose author is not trusted.

A file belongs to the organisation only if the pack has its bytes. Verdicts, findings, pictures, and slices of
series with intervals are computed here instead. Rows are added to an existing organisation only if the
operator names it.
"""

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
    MEMBERS,
    ORGANISATION,
    OWNED,
    TABLES,
    OrganisationPackRefused,
    PackManifest,
    PackMember,
)
from tailroom.operations.pack_reading import PackRow, part_text, row_batches, verify_manifest
from tailroom.storage.drive_test import count_change
from tailroom.storage.organisation import PERSON, RETENTION, Organisation
from tailroom.storage.run import FINISHED, Run
from tailroom.storage.slices import AnalysisState
from tailroom.storage.tombstone import Tombstone
from tailroom.storage.upload import Upload
from tailroom.work.kinds import JUDGE, RATE, READ_UPLOAD
from tailroom.work.outbox import make_many_due

_DERIVED = frozenset({"analysis_state", "run_finding", "run_picture", "verdict", "watch_result"})
"""Tables whose rows are computed here and not imported."""
_FROM_INTERVALS = frozenset({"rollup_state", "slice"})
"""Computed tables too, but imported for series whose intervals have expired."""
_OVERRIDDEN: Mapping[str, str] = {
    "run": """'{"worst_verdict": null, "worst_built_in_verdict": null}'::jsonb"""
    """ || CASE WHEN entry ->> 'visibility' = 'public'"""
    """ THEN '{"visibility": "private", "published_at": null}'::jsonb ELSE '{}'::jsonb END""",
    "watch": """'{"webhook_url": null, "webhook_secret": null, "email": null}'::jsonb"""
    """ || '{"known_verdict": null}'::jsonb""",
}
"""SQL of a JSON object whose values replace those of a row, by table: runs arrive private and unjudged."""
_IDS = {"catalogue_item": "item_id", "run": "run_id", "upload": "upload_id"}
"""Column of the id by table, for tables in which another organisation here may have the same id."""
_NAMELESS = frozenset({"catalogue_alias", "catalogue_fact"})
"""Tables whose rows do not name the organisation, but an item of its catalogue."""
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
    """Numbers of inserted rows by table; all 0 if the pack was imported before."""
    items_left_out: int
    """Number of catalogue items that conflict with those of another organisation, and were left out."""
    members: tuple["PackMember", ...]
    """Members in the pack; they have no access before they are invited."""


class _PackOrganisation(msgspec.Struct, frozen=True):
    """Attributes of an organisation that are read from its pack."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    created_at: datetime
    needs_second_factor: bool


def import_pack(
    database: Database, store: RawFiles, path: Path, now: datetime, *, into: str | None = None
) -> ImportResult:
    """Import the rows of a pack, all or none, and return the result; repeating it changes nothing.

    Runs arrive private and are judged again. `into` is the name of the organisation that has the pack's id
    here, by which an operator confirms that rows may be added to it. Files are stored before the rows and
    stay if these are refused. Raise OrganisationPackRefused if the pack is damaged or may not be imported,
    RawFilesUnavailable if the store cannot be written.
    """
    try:
        with zipfile.ZipFile(path) as pack:
            manifest = verify_manifest(pack)
            members = tuple(msgspec.json.decode(part_text(pack, MEMBERS), type=list[PackMember]))
            with database.transaction() as session:
                _check_owner(session, manifest, into)
            for name in manifest.sha256:
                if name.startswith("files/"):
                    _store_file(pack, store, name)
            with database.transaction() as session:
                rows, items_left_out = _store_rows(session, pack, manifest, now, into)
    except OrganisationPackRefused:
        raise
    except DBAPIError as error:
        raise OrganisationPackRefused(
            f"{path.name} holds a row that breaks a rule of the database{_violated_rule(error)}."
        ) from None
    except _UNREADABLE as error:
        raise OrganisationPackRefused(
            f"{path.name} cannot be read as a pack of an organisation: {type(error).__name__}: {error}."
        ) from error
    return ImportResult(manifest, rows, items_left_out, members)


def _violated_rule(error: DBAPIError) -> str:
    """Return the constraint or column as ` (NAME)`, without the row, which must not be logged."""
    diagnosis = getattr(error.orig, "diag", None)
    name = getattr(diagnosis, "constraint_name", None) or getattr(diagnosis, "column_name", None)
    return f" ({name})" if name else ""


def _store_file(pack: zipfile.ZipFile, store: RawFiles, name: str) -> None:
    with pack.open(name) as part, store.stage() as staged:
        while chunk := part.read(CHUNK_BYTES):
            staged.write(chunk)
        if staged.sha256.hex() != name.removeprefix("files/"):
            raise OrganisationPackRefused(f"{name} in the pack is another file than its name says.")
        store.store(staged)


def _check_owner(session: Session, manifest: PackManifest, into: str | None) -> Organisation | None:
    """Return the organisation that has the pack's id here; None if there is none.

    Raise OrganisationPackRefused if it was deleted here, if it exists and `into` is not its name, or if it
    does not exist and `into` is given.
    """
    if session.get(Tombstone, manifest.organisation_id) is not None:
        raise OrganisationPackRefused("The organisation was deleted here, and cannot be imported again.")
    existing = session.get(Organisation, manifest.organisation_id)
    if existing is not None and into != existing.name:
        raise OrganisationPackRefused(
            f"An organisation of this id lives here: “{existing.name}”. Whoever wrote the pack could add runs"
            " to it; if that is meant, import it again and name that organisation (--into, `into`)."
        )
    if existing is None and into is not None:
        raise OrganisationPackRefused(
            f"No organisation of the pack's id lives here, so it cannot be “{into}”."
        )
    return existing


def _store_rows(
    session: Session, pack: zipfile.ZipFile, manifest: PackManifest, now: datetime, into: str | None
) -> tuple[dict[str, int], int]:
    """Store the rows of a pack; return the numbers of new rows by table, and of catalogue items left out.

    An item is left out if it conflicts with an item of another organisation. Raise OrganisationPackRefused
    for another schema version or a row that may not be stored; the transaction must then be rolled back.
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
        described = msgspec.json.decode(part_text(pack, ORGANISATION), type=dict[str, Any])
        session.add(_organisation(owner, described))
        session.flush()
    else:
        tables.remove("trail_event")  # the trail of the earlier import continues here
    files = {f"\\x{name.removeprefix('files/')}" for name in manifest.sha256 if name.startswith("files/")}
    stored = dict.fromkeys(tables, 0)
    own_ids: dict[str, set[str]] = {table: set() for table in _IDS}
    expired: set[tuple[str, int]] = set()
    left_out_count = items_left_out = 0
    for table in tables:
        if table in _DERIVED:
            continue
        if table == "slice":
            _check_series(session, owner)
            expired = _expired_series(session, owner)
        for rows in row_batches(pack, f"{table}.jsonl"):
            batch = _importable_rows(table, rows, owner, own_ids)
            if table in {"raw_file", "upload", "upload_file"}:
                batch = list(_rows_of_packed_files(table, batch, files))
            elif table in _FROM_INTERVALS:
                batch = [(line, row) for line, row in batch if (row["run_id"], row["series_no"]) in expired]
            stored[table] += _insert_rows(session, table, [line for line, _ in batch])
            if table in _IDS:
                owned = _stored_ids(session, table, [row[_IDS[table]] for _, row in batch], owner)
                own_ids[table] |= owned
                left_out_count += len(batch) - len(owned)
        if table in {"run", "upload"} and left_out_count > items_left_out:
            raise OrganisationPackRefused(f"An id of the pack is a {table} of another organisation here.")
        items_left_out = left_out_count
    if any(stored.values()):
        _make_due(session, owner, now)
        after = {"rows": sum(stored.values()), "made_at": manifest.made_at.isoformat()}
        note = trail.Note(manifest.organisation, after=after)
        trail.record(session, owner, trail.OPERATOR, "import_pack", note)
    return stored, left_out_count


def _organisation(owner: UUID, row: Mapping[str, Any]) -> Organisation:
    """Return an unstored organisation with id `owner`. Raise msgspec.ValidationError for an invalid `row`."""
    described = msgspec.convert(row, _PackOrganisation, strict=False)
    return Organisation(
        id=owner,
        name=clean_line(described.name),
        created_at=described.created_at,
        needs_second_factor=described.needs_second_factor,
        **{name: msgspec.convert(row.get(name), int | None) for name in RETENTION},
        made_by=PERSON,
    )


def _rows_of_packed_files(table: str, rows: list[PackRow], files: Collection[str]) -> Iterator[PackRow]:
    r"""Yield the rows about uploaded files whose bytes the pack has.

    `files`: their SHA-256, as `\x…`. A row of `upload` is always yielded; if the upload is not read yet, its
    list of files is reduced to those of the pack, and its runs become private.
    """
    for line, row in rows:
        if table != "upload":
            if row["sha256"] in files:
                yield line, row
        elif row["read_at"] is not None or not row["waiting"]:
            yield line, row
        else:
            waiting = [file for file in row["waiting"]["files"] if f"\\x{file['sha256']}" in files]
            reduced = row | {"waiting": row["waiting"] | {"files": waiting, "public": False}}
            yield json.dumps(reduced), reduced


def _check_series(session: Session, owner: UUID) -> None:
    query = text(
        "SELECT count(*), count(DISTINCT (operation, clock)), count(DISTINCT phase) FROM series"
        " WHERE organisation_id = :id GROUP BY run_id"
    )
    for series, operations, phases in session.execute(query, {"id": owner}):
        if (problem := run_size_problem(series, operations, phases)) is not None:
            raise OrganisationPackRefused(f"A run of the pack is too large: {problem}.")


def _expired_series(session: Session, owner: UUID) -> set[tuple[str, int]]:
    """Return pairs of run id and series number, for series of which retention has removed intervals."""
    query = text(
        "SELECT s.run_id::text, s.series_no FROM series s WHERE s.organisation_id = :id AND s.received >"
        " (SELECT count(*) FROM interval i WHERE i.run_id = s.run_id AND i.series_no = s.series_no)"
    )
    return {(run_id, series_no) for run_id, series_no in session.execute(query, {"id": owner})}


def _importable_rows(
    table: str, rows: list[PackRow], owner: UUID, own_ids: Mapping[str, set[str]]
) -> list[PackRow]:
    """Return the rows of a table that may be stored. `own_ids`: ids of stored rows by table.

    Rows of left-out catalogue items, unfinished campaigns and tombstones of other kinds than runs and uploads
    are dropped. Raise OrganisationPackRefused for rows of another organisation, for those of a run or upload
    that is not in the pack, and for a budget with a built-in name or another document than the stored one.
    """
    if table in _NAMELESS:
        return [(line, row) for line, row in rows if row["item_id"] in own_ids["catalogue_item"]]
    if any(row["organisation_id"] != str(owner) for _, row in rows):
        raise OrganisationPackRefused(f"A row of {table} is of another organisation.")
    if table == "upload_file" and any(row["upload_id"] not in own_ids["upload"] for _, row in rows):
        raise OrganisationPackRefused("A row of upload_file is of an upload that the pack does not hold.")
    if table == "budget":
        for _, row in rows:
            _check_budget(row)
    if table == "tombstone":
        return [(line, row) for line, row in rows if row["kind"] in {"run", "upload"}]
    if table in {"campaign", "campaign_member"}:
        # Agents are not exported: an active campaign could only command agents of this installation.
        return [(line, row) for line, row in rows if row["state"] in {"ended", "lost", "done"}]
    if TABLES[table] != OWNED and any(row["run_id"] not in own_ids["run"] for _, row in rows):
        raise OrganisationPackRefused(f"A row of {table} is of a run that the pack does not hold.")
    return rows


def _check_budget(row: Mapping[str, Any]) -> None:
    document = row["document"]
    if row["name"] in built_in_names():
        raise OrganisationPackRefused(
            f"A budget of the pack has the name of a built-in one, “{row['name']}”."
        )
    if (document["name"], document["version"]) != (row["name"], row["version"]):
        raise OrganisationPackRefused(
            f"The document of the budget “{row['name']}” is that of another budget."
        )


def _insert_rows(session: Session, table: str, lines: Sequence[str]) -> int:
    """Insert lines of JSON with `_OVERRIDDEN`, without conflicting rows; return the number inserted."""
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


def _stored_ids(session: Session, table: str, ids: Sequence[str], owner: UUID) -> set[str]:
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
