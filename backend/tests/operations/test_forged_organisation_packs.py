"""Packs of organisations that somebody changed before an operator imports them: nothing in them counts."""

import hashlib
import json
import logging
import zipfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from backend.tests.analysis.recording import look_at_run
from backend.tests.operations.moving import Place
from sqlalchemy import text

from tailroom.domain.verdicts.budget import ACT_PERFORMANCE_1
from tailroom.domain.verdicts.budget_kinds import document_of
from tailroom.kit.clock import utc_now
from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import RUN_SERIES
from tailroom.operations.organisation_import import ImportResult, import_pack
from tailroom.operations.organisation_pack import OrganisationPackRefused

Rows = list[dict[str, Any]]
SECRET = "a-value-that-nobody-may-log"


@pytest.fixture(scope="module")
def forge(here: Place, owner: UUID, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes the pack of the organisation with other rows in some tables, hashed anew."""
    folder = tmp_path_factory.mktemp("packs")
    honest, numbers = here.export(owner, folder / "honest.zip"), count(1)

    def forged(**changes: Callable[[Rows], None]) -> Path:
        path = folder / f"forged-{next(numbers)}.zip"
        with zipfile.ZipFile(honest) as pack, zipfile.ZipFile(path, "w") as written:
            manifest = json.loads(pack.read("manifest.json"))
            assert {f"{table}.jsonl" for table in changes} <= set(pack.namelist())
            for name in pack.namelist():
                content = pack.read(name)
                if (change := changes.get(name.removesuffix(".jsonl"))) is not None:
                    rows = [json.loads(line) for line in content.splitlines()]
                    change(rows)
                    content = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
                    manifest["sha256"][name] = hashlib.sha256(content).hexdigest()
                if name != "manifest.json":
                    written.writestr(name, content)
            written.writestr("manifest.json", json.dumps(manifest))
        return path

    return forged


def imported(place: Place, pack: Path, into: str | None = None) -> ImportResult:
    return import_pack(place.database, place.store, pack, utc_now(), into=into)


def rows_of(place: Place, query: str) -> list[Any]:
    with place.database.transaction() as session:
        return list(session.execute(text(query)).all())


@pytest.fixture(scope="module")
def tricked(place: Callable[[], Place], owner: UUID, forge: Callable[..., Path]) -> Place:
    """An installation that has imported a pack of which rows of many tables are forged."""

    def pass_everything(rows: Rows) -> None:
        assert any(row["verdict"] != "PASS" for row in rows)
        for row in rows:
            row["verdict"], row["reason"] = "PASS", None
            row["result"] |= {"verdict": "PASS", "reason": None}

    def no_misses(rows: Rows) -> None:
        for row in rows:
            row["pins"] = "\\x" + "00" * ((len(row["pins"]) - 2) // 2)

    def read_the_file_of_others(rows: Rows) -> None:
        files = [{"name": "x", "sha256": "ab" * 32, "size_bytes": 1}]
        rows.append(
            {
                "upload_id": str(new_id()),
                "organisation_id": str(owner),
                "content_sha256": "\\x" + "ab" * 32,
                "created_at": "2026-11-28T00:00:00+00:00",
                "read_at": None,
                "waiting": {"files": files, "public": True, "answers": {}},
                "failure": None,
            }
        )

    def send_everywhere(rows: Rows) -> None:
        rows[0] |= {
            "webhook_url": "http://169.254.169.254/",
            "webhook_secret": "s",
            "email": "a@victim.example",
        }

    def bury(rows: Rows) -> None:
        row = {"subject": str(new_id()), "kind": "organisation", "organisation_id": str(owner)}
        rows.append(row | {"was_public": False, "deleted_at": "2026-11-28T00:00:00+00:00"})

    found = place()
    pack = forge(
        verdict=pass_everything,
        slice=no_misses,
        upload=read_the_file_of_others,
        watch=send_everywhere,
        tombstone=bury,
    )
    imported(found, pack)
    return found


VERDICTS = "SELECT budget_name, verdict, result::text FROM verdict ORDER BY 1, 2"
SLICES = "SELECT width, slice_no, pins, histogram FROM slice ORDER BY 1, 2"


def test_changed_verdicts_and_slices_are_worked_out_again(here: Place, tricked: Place) -> None:
    assert rows_of(tricked, VERDICTS) == rows_of(tricked, SLICES) == []
    ((run_id, *worst),) = rows_of(
        tricked, "SELECT run_id, worst_verdict, worst_built_in_verdict FROM run WHERE title = 'a run'"
    )
    assert worst == [None, None]
    assert (run_id,) in rows_of(tricked, "SELECT subject FROM work WHERE kind = 'judge'")
    with tricked.database.transaction() as session:
        look_at_run(session, run_id, utc_now())
    for query in (VERDICTS, SLICES):
        assert rows_of(tricked, query) == rows_of(here, query) != []


def test_files_of_others_are_neither_named_nor_read(tricked: Place) -> None:
    ((waiting,),) = rows_of(tricked, "SELECT waiting FROM upload")
    assert (waiting["files"], waiting["public"]) == ([], False)


def test_a_pack_declares_no_organisation_deleted(tricked: Place) -> None:
    assert rows_of(tricked, "SELECT 1 FROM tombstone") == []


def test_a_budget_with_a_built_in_name_is_refused(
    there: Place, owner: UUID, forge: Callable[..., Path]
) -> None:
    def weaken(rows: Rows, name: str = "act-performance", document_name: str = "act-performance") -> None:
        document = document_of(ACT_PERFORMANCE_1) | {"version": 2, "name": document_name}
        rows.append(
            {
                "organisation_id": str(owner),
                "name": name,
                "version": 2,
                "document": document,
                "applies_to": ["act-storage"],
                "content_sha256": "\\x" + "00" * 32,
                "created_at": "2026-11-28T00:00:00+00:00",
            }
        )

    with pytest.raises(OrganisationPackRefused, match="name of a built-in one, “act-performance”"):
        imported(there, forge(budget=weaken))
    with pytest.raises(OrganisationPackRefused, match="is that of another budget"):
        imported(there, forge(budget=lambda rows: weaken(rows, "ours")))
    assert rows_of(there, "SELECT 1 FROM run") == []


def test_rows_are_planted_in_no_organisation_that_lives_here(
    tricked: Place, forge: Callable[..., Path]
) -> None:
    def plant(rows: Rows) -> None:
        rows.append(rows[0] | {"run_id": str(new_id()), "title": "planted"})

    planted, query = forge(run=plant), "SELECT title FROM run WHERE title = 'planted'"
    for into in (None, "somebody else"):
        with pytest.raises(OrganisationPackRefused, match="lives here: “local”"):
            imported(tricked, planted, into)
    assert rows_of(tricked, query) == []
    imported(tricked, planted, "local")
    assert rows_of(tricked, query) == [("planted",)]


def test_a_name_that_confirms_nothing_is_refused(there: Place, forge: Callable[..., Path]) -> None:
    with pytest.raises(OrganisationPackRefused, match="cannot be “local”"):
        imported(there, forge(), "local")


def test_no_row_joins_the_upload_of_somebody_else(
    there: Place, owner: UUID, forge: Callable[..., Path]
) -> None:
    def join(rows: Rows) -> None:
        rows.append({"upload_id": str(new_id()), "organisation_id": str(owner), "file_no": 9, "sha256": ""})

    with pytest.raises(OrganisationPackRefused, match="upload that the pack does not hold"):
        imported(there, forge(upload_file=join))


def test_nothing_that_sends_or_commands_arrives(
    tricked: Place, owner: UUID, forge: Callable[..., Path]
) -> None:
    def command(rows: Rows) -> None:
        rows.append(
            {
                "organisation_id": str(owner),
                "campaign_id": str(new_id()),
                "title": "t",
                "plan": "p",
                "target": "x",
                "seed": 1,
                "on_lost": "end",
                "state": "running",
                "outcome": None,
                "reason": None,
                "created_at": "2026-11-28T00:00:00+00:00",
                "phases": [],
            }
        )

    assert rows_of(tricked, "SELECT webhook_url, webhook_secret, email FROM watch") == [(None, None, None)]
    imported(tricked, forge(campaign=command), "local")
    assert rows_of(tricked, "SELECT 1 FROM campaign") == []


@pytest.mark.parametrize("change", [{"state": SECRET}, {"started_at": SECRET}, {"source": None}])
def test_a_rule_of_the_database_that_a_row_breaks_is_named_without_its_values(
    there: Place,
    forge: Callable[..., Path],
    change: dict[str, Any],
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with (
        caplog.at_level(logging.DEBUG),
        pytest.raises(OrganisationPackRefused, match="breaks a rule") as refused,
    ):
        imported(there, forge(run=lambda rows: rows[0].update(change)))
    written = capsys.readouterr()
    assert SECRET not in str(refused.value) + caplog.text + written.out + written.err
    assert refused.value.__cause__ is None
    assert rows_of(there, "SELECT 1 FROM organisation WHERE name = 'local'") == []


@pytest.mark.parametrize("row", [[], 7, None, "x", {}, {"organisation_id": []}])
def test_rows_of_another_form_are_refused(there: Place, forge: Callable[..., Path], row: Any) -> None:
    with pytest.raises(OrganisationPackRefused):
        imported(there, forge(run=lambda rows: rows.append(row)))


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, zipfile.ZIP_DEFLATED])
def test_damage_by_any_compression_is_refused(
    there: Place, forge: Callable[..., Path], tmp_path: Path, method: int
) -> None:
    path = tmp_path / "damaged.zip"
    with (
        zipfile.ZipFile(forge()) as pack,
        zipfile.ZipFile(path, "w", method) as written,
    ):
        for name in pack.namelist():
            written.writestr(name, pack.read(name))
        at = written.getinfo("manifest.json").header_offset + 60
    data = bytearray(path.read_bytes())
    data[at : at + 40] = bytes(40)
    path.write_bytes(data)
    with pytest.raises(OrganisationPackRefused):
        imported(there, path)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_parts_of_one_name_are_refused(there: Place, forge: Callable[..., Path]) -> None:
    path = forge()
    with zipfile.ZipFile(path, "a") as pack:
        pack.writestr("run.jsonl", b"")
    with pytest.raises(OrganisationPackRefused, match="two parts of one name"):
        imported(there, path)


def test_a_part_without_a_hash_is_refused(there: Place, forge: Callable[..., Path], tmp_path: Path) -> None:
    path = tmp_path / "unhashed.zip"
    with zipfile.ZipFile(forge()) as pack, zipfile.ZipFile(path, "w") as written:
        manifest = json.loads(pack.read("manifest.json"))
        del manifest["sha256"]["interval.jsonl"]
        for name in pack.namelist():
            written.writestr(name, json.dumps(manifest) if name == "manifest.json" else pack.read(name))
    with pytest.raises(OrganisationPackRefused, match=r"no hash of interval\.jsonl"):
        imported(there, path)


def test_a_run_with_too_many_series_is_refused(there: Place, forge: Callable[..., Path]) -> None:
    def multiply(rows: Rows) -> None:
        rows.extend([rows[0] | {"series_no": number} for number in range(1, RUN_SERIES + 1)])

    with pytest.raises(OrganisationPackRefused, match="it has 2,001 series, and a run may have 2,000"):
        imported(there, forge(series=multiply))
