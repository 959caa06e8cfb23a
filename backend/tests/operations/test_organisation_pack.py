"""An organisation moves to another installation: the same rows and verdicts, and no secret."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
from backend.tests.analysis.recording import look_at_run
from backend.tests.operations.moving import CONTENT, Place
from fastapi.testclient import TestClient
from sqlalchemy import select, text

from tailroom.access import trail
from tailroom.access.service import create_token
from tailroom.api.app import create_app
from tailroom.kit.clock import utc_now
from tailroom.kit.settings import Settings
from tailroom.operations import organisation_import, organisation_pack
from tailroom.operations.organisation_import import ImportResult, import_pack
from tailroom.operations.organisation_pack import LEFT_OUT, OrganisationPackRefused
from tailroom.operations.removal import delete_organisation
from tailroom.storage.base import Base
from tailroom.storage.run import Run
from tailroom.storage.upload import RawFile
from tailroom.storage.watch import Watch

FINGERPRINTS = "SELECT budget_name, verdict, result::text, fingerprint FROM verdict ORDER BY 1, 2"
WORKED_OUT = (*organisation_import._DERIVED, *organisation_import._FROM_INTERVALS)
TABLES = Base.metadata.tables


@pytest.fixture(scope="module")
def pack(here: Place, owner: UUID, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return here.export(owner, tmp_path_factory.mktemp("packs") / "pack.zip")


@pytest.fixture(scope="module")
def moved(place: Callable[[], Place], pack: Path) -> tuple[Place, ImportResult]:
    """The installation to which the organisation came."""
    found = place()
    return found, import_pack(found.database, found.store, pack, utc_now())


def test_another_installation_has_the_same_verdicts(
    here: Place, moved: tuple[Place, ImportResult], owner: UUID
) -> None:
    there, done = moved
    kept = ("run", "watch", "trail_event", *WORKED_OUT)
    before, after = here.rows(owner, *kept), there.rows(owner, *kept)
    assert before["interval"]
    assert after == before, "bit for bit, and ids stay"
    assert [one.email for one in done.members] == ["ada@people.example"]
    with there.database.transaction() as session:
        run = session.scalars(select(Run)).one()
        assert (run.visibility, run.published_at) == ("private", None), (
            "published again by whoever wants that"
        )
        watch = session.scalars(select(Watch)).one()
        assert (watch.webhook_url, watch.webhook_secret) == (None, None)
        assert trail.verify(session, owner).problem is None, "the trail goes on where it was"
        (sha256,) = session.scalars(select(RawFile.sha256))
        assert b"".join(there.store.chunks(sha256)) == CONTENT
        # Judged again on what was imported, it comes to the same.
        assert session.scalar(text("SELECT count(*) FROM verdict")) == 0
        look_at_run(session, run.run_id, utc_now())
        judged_there = session.execute(text(FINGERPRINTS)).all()
    with here.database.transaction() as session:
        assert session.execute(text(FINGERPRINTS)).all() == judged_there
    unjudged = ("watch", "trail_event", "run", "verdict", "analysis_state")
    assert there.rows(owner, *unjudged)["slice"] == here.rows(owner, *unjudged)["slice"]


def test_again_it_changes_nothing_and_nothing_lets_anybody_in(
    moved: tuple[Place, ImportResult], owner: UUID, pack: Path
) -> None:
    there, _ = moved
    before = there.rows(owner)
    done = import_pack(there.database, there.store, pack, utc_now(), into="local")
    assert sum(done.rows.values()) == 0
    assert there.rows(owner) == before
    with zipfile.ZipFile(pack) as found:
        everything = b"".join(found.read(name) for name in found.namelist())
    for secret in (b"secret-of-webhook", b"secret-path", b"secret token", b"argon"):
        assert secret not in everything
    with there.database.transaction() as session:
        for table in ("access_token", "membership", "person", "command_key", "run_link"):
            assert session.scalar(text(f"SELECT count(*) FROM {table}")) == 0  # noqa: S608


def test_a_pack_that_was_touched_is_refused(there: Place, owner: UUID, pack: Path, tmp_path: Path) -> None:
    def changed(change: Callable[[str, bytes], bytes]) -> Path:
        path = tmp_path / "changed.zip"
        with zipfile.ZipFile(pack) as found, zipfile.ZipFile(path, "w") as written:
            for name in found.namelist():
                written.writestr(name, change(name, found.read(name)))
        return path

    touched = changed(lambda name, content: content + b" " if name == "verdict.jsonl" else content)
    with pytest.raises(OrganisationPackRefused, match=r"verdict\.jsonl"):
        import_pack(there.database, there.store, touched, utc_now())
    older = changed(lambda _, content: content.replace(b'"schema_revision": "', b'"schema_revision": "x'))
    with pytest.raises(OrganisationPackRefused, match="same version"):
        import_pack(there.database, there.store, older, utc_now())
    (tmp_path / "none.zip").write_bytes(b"PK nothing")
    with pytest.raises(OrganisationPackRefused, match=r"none\.zip"):
        import_pack(there.database, there.store, tmp_path / "none.zip", utc_now())
    assert there.rows(owner)["run"] == []


def test_naming_the_file_of_somebody_else_opens_nothing_and_what_was_deleted_stays_away(
    place: Callable[[], Place], owner: UUID, pack: Path, tmp_path: Path
) -> None:
    """Whoever wrote the pack knows the SHA-256 of a file that another organisation has here."""
    there = place()
    with there.store.stage() as staged:
        staged.write(CONTENT)
        there.store.store(staged)
    forged = tmp_path / "forged.zip"
    with zipfile.ZipFile(pack) as found, zipfile.ZipFile(forged, "w") as written:
        manifest = json.loads(found.read("manifest.json"))
        for name in found.namelist():
            if name.startswith("files/"):
                del manifest["sha256"][name]
            elif name != "manifest.json":
                written.writestr(name, found.read(name))
        written.writestr("manifest.json", json.dumps(manifest))
    done = import_pack(there.database, there.store, forged, utc_now())
    assert (done.rows["run"], done.rows["raw_file"]) == (1, 0)
    with there.database.transaction() as session:
        delete_organisation(session, owner, utc_now())
    with pytest.raises(OrganisationPackRefused, match="was deleted here"):
        import_pack(there.database, there.store, pack, utc_now())


def test_a_pack_out_of_proportion_is_refused(there: Place, tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.zip"
    with (
        zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as written,
        written.open("manifest.json", "w") as part,
    ):
        for _ in range(300):
            part.write(bytes(2**20))
    with pytest.raises(OrganisationPackRefused, match="out of all proportion"):
        import_pack(there.database, there.store, bomb, utc_now())


def test_every_table_of_an_organisation_is_in_the_pack_or_left_out_on_purpose() -> None:
    own = {name for name, table in TABLES.items() if "organisation_id" in table.columns}
    nameless = {"catalogue_alias", "catalogue_fact"}
    assert own | nameless == set(organisation_pack.TABLES) | LEFT_OUT
    assert not set(organisation_pack.TABLES) & LEFT_OUT


def test_an_operator_reads_a_pack_on_the_page(  # noqa: PLR0917 - fixtures
    here: Place, place: Callable[[], Place], owner: UUID, pack: Path, tmp_path: Path, settings: Settings
) -> None:
    there, content = place(), pack.read_bytes()
    changed = {
        "database_url": there.database.engine.url.render_as_string(hide_password=False),
        "operator_token": "an-operators-token-of-some-length",
        "home": tmp_path,
    }
    api = create_app(Settings.model_validate({**settings.model_dump(), **changed}))
    path = "/api/v1/operations/organisations/import"
    operators = {"Authorization": "Bearer an-operators-token-of-some-length"}
    with TestClient(api, raise_server_exceptions=False) as client:
        with there.database.transaction() as session:
            engineer = create_token(session, "somebody", "t", "engineer", utc_now())[1]
        refused = client.post(path, content=content, headers={"Authorization": f"Bearer {engineer}"})
        assert refused.status_code == 403
        broken = client.post(path, content=b"no pack", headers=operators)
        assert (broken.status_code, broken.json()["code"]) == (409, "pack-refused")
        first = client.post(path, content=content, headers=operators).json()
        assert (first["organisation_id"], first["new_runs"]) == (str(owner), 1)
        assert first["members"] == ["ada@people.example"]
        planted = client.post(path, content=content, headers=operators)
        assert (planted.status_code, planted.json()["code"]) == (409, "pack-refused")
        again = client.post(path, params={"into": "local"}, content=content, headers=operators).json()
        assert again["new_rows"] == 0
    left = ("run", "trail_event", "watch", *WORKED_OUT)
    assert here.rows(owner, *left) == there.rows(owner, *left)
