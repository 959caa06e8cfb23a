"""An organisation moves to another installation: the same rows and verdicts, and no secret."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from backend.tests.analysis.recording import (
    SeriesSpec,
    add_intervals,
    add_run,
    finish,
    look_at_run,
    organisation_of,
    steady,
)
from fastapi.testclient import TestClient
from sqlalchemy import select, text, update

from tailroom.access import trail
from tailroom.access.service import create_token
from tailroom.api.app import create_app
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.raw_files import LocalRawFiles
from tailroom.kit.settings import Settings
from tailroom.operations import organisation_pack
from tailroom.operations.organisation_pack import LEFT_OUT, OrganisationPackRefused
from tailroom.operations.removal import delete_organisation
from tailroom.storage.base import Base
from tailroom.storage.campaign import CommandKey
from tailroom.storage.person import Membership, Person
from tailroom.storage.run import Run
from tailroom.storage.slices import AnalysisState
from tailroom.storage.upload import RawFile
from tailroom.storage.watch import Watch

CONTENT = b"a raw log\n" * 1_000
TABLES = Base.metadata.tables


class Place:
    """An installation: a database and a store."""

    def __init__(self, url: str, home: Path) -> None:
        self.database = Database(url, pool_size=2)
        self.store = LocalRawFiles(home / "raw-files")

    def export(self, owner: UUID, path: Path) -> Path:
        with path.open("wb") as file:
            organisation_pack.export(self.database, self.store, owner, file, utc_now())
        return path

    def rows(self, owner: UUID, *without: str) -> dict[str, list[Any]]:
        """Everything of an organisation, as PostgreSQL prints it."""
        with self.database.engine.connect() as connection:
            return {
                name: sorted(
                    connection.scalars(
                        text(f"SELECT t::text FROM {name} t WHERE {where}"),  # noqa: S608
                        {"id": owner},
                    )
                )
                for name, where in organisation_pack._TABLES.items()
                if name not in without
            }


@pytest.fixture
def here(fresh_postgres_url: str, tmp_path: Path) -> Place:
    return Place(fresh_postgres_url, tmp_path / "here")


@pytest.fixture
def there(embedded_postgres: EmbeddedPostgres, migrated_template: str, tmp_path: Path) -> Any:
    embedded_postgres.create_database("tailroom_there", template=migrated_template)
    place = Place(embedded_postgres.url("tailroom_there"), tmp_path / "there")
    yield place
    place.database.dispose()
    embedded_postgres.drop_database("tailroom_there")


@pytest.fixture
def owner(here: Place) -> UUID:
    """An organisation with a published and judged run, a file, a member and secrets."""
    specs = [SeriesSpec("reads", steady(2_000, 30))]
    now = utc_now()
    with here.database.transaction() as session:
        run_id = add_run(session, specs)
        add_intervals(session, run_id, specs)
        finish(session, run_id, specs)
        look_at_run(session, run_id, now)
        found = organisation_of(session)
        changed = {"visibility": "public", "published_at": now}
        session.execute(update(Run).where(Run.run_id == run_id).values(changed))
        create_token(session, "local", "secret token", "engineer", now)
        session.add(CommandKey(organisation_id=found, private_key=b"k" * 32))
        session.add(
            Watch(
                organisation_id=found,
                watch_id=new_id(),
                name="nightly",
                budget_name="act",
                webhook_url="https://hooks.example/secret-path",
                webhook_secret="secret-of-webhook",
                created_at=now,
            )
        )
        person = Person(
            id=new_id(),
            email="ada@people.example",
            name="Ada",
            password_hash="argon",
            created_at=now,
            password_set_at=now,
        )
        session.add(person)
        session.flush()
        session.add(
            Membership(
                organisation_id=found,
                person_id=person.id,
                role="owner",
                email=person.email,
                name="Ada",
                joined_at=now,
            )
        )
        trail.record(session, found, trail.OPERATOR, "begin", trail.Note("it"))
    with here.store.stage() as staged, here.database.transaction() as session:
        staged.write(CONTENT)
        here.store.keep(staged)
        session.add(
            RawFile(
                organisation_id=found,
                sha256=staged.sha256,
                size_bytes=len(CONTENT),
                name="act.log",
                stored_at=now,
            )
        )
    return found


def test_another_installation_has_the_same_verdicts(
    here: Place, there: Place, owner: UUID, tmp_path: Path
) -> None:
    pack = here.export(owner, tmp_path / "pack.zip")
    done = organisation_pack.import_(there.database, there.store, pack, utc_now())
    kept = ("run", "watch", "trail_event")
    before, after = here.rows(owner, *kept), there.rows(owner, *kept)
    assert before["verdict"]
    assert before["interval"]
    assert after == before, "bit for bit, and ids stay"
    assert done.rows["verdict"] == len(before["verdict"])
    assert [one["email"] for one in done.members] == ["ada@people.example"]
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
        session.execute(update(AnalysisState).values(budgets_digest=None, is_final=False, judged_state=None))
        fingerprints = "SELECT budget_name, verdict, fingerprint FROM verdict ORDER BY 1, verdict_id"
        judged_here = session.execute(text(fingerprints)).all()
        look_at_run(session, run.run_id, utc_now())
        assert set(session.execute(text(fingerprints)).all()) == set(judged_here)


def test_again_it_changes_nothing_and_nothing_lets_anybody_in(
    here: Place, there: Place, owner: UUID, tmp_path: Path
) -> None:
    pack = here.export(owner, tmp_path / "pack.zip")
    organisation_pack.import_(there.database, there.store, pack, utc_now())
    before = there.rows(owner)
    done = organisation_pack.import_(there.database, there.store, pack, utc_now())
    assert sum(done.rows.values()) == 0
    assert there.rows(owner) == before
    with zipfile.ZipFile(pack) as found:
        everything = b"".join(found.read(name) for name in found.namelist())
    for secret in (b"secret-of-webhook", b"secret-path", b"secret token", b"argon"):
        assert secret not in everything
    with there.database.transaction() as session:
        for table in ("access_token", "membership", "person", "command_key", "run_link"):
            assert session.scalar(text(f"SELECT count(*) FROM {table}")) == 0  # noqa: S608


def test_a_pack_that_was_touched_is_refused(here: Place, there: Place, owner: UUID, tmp_path: Path) -> None:
    pack = here.export(owner, tmp_path / "pack.zip")

    def changed(change: Callable[[str, bytes], bytes]) -> Path:
        path = tmp_path / "changed.zip"
        with zipfile.ZipFile(pack) as found, zipfile.ZipFile(path, "w") as written:
            for name in found.namelist():
                written.writestr(name, change(name, found.read(name)))
        return path

    touched = changed(lambda name, content: content + b" " if name == "verdict.jsonl" else content)
    with pytest.raises(OrganisationPackRefused, match=r"verdict\.jsonl"):
        organisation_pack.import_(there.database, there.store, touched, utc_now())
    older = changed(lambda _, content: content.replace(b'"schema_revision": "', b'"schema_revision": "x'))
    with pytest.raises(OrganisationPackRefused, match="same version"):
        organisation_pack.import_(there.database, there.store, older, utc_now())
    (tmp_path / "none.zip").write_bytes(b"PK nothing")
    with pytest.raises(OrganisationPackRefused, match=r"none\.zip"):
        organisation_pack.import_(there.database, there.store, tmp_path / "none.zip", utc_now())
    assert there.rows(owner)["run"] == []
    with here.database.transaction() as session:
        delete_organisation(session, owner, utc_now())
    with pytest.raises(OrganisationPackRefused, match="was deleted here"):
        organisation_pack.import_(here.database, here.store, pack, utc_now())


def test_naming_the_file_of_somebody_else_opens_nothing(
    here: Place, there: Place, owner: UUID, tmp_path: Path
) -> None:
    """Whoever wrote the pack knows the SHA-256 of a file that another organisation has here."""
    with there.store.stage() as staged:
        staged.write(CONTENT)
        there.store.keep(staged)
    pack, forged = here.export(owner, tmp_path / "pack.zip"), tmp_path / "forged.zip"
    with zipfile.ZipFile(pack) as found, zipfile.ZipFile(forged, "w") as written:
        manifest = json.loads(found.read("manifest.json"))
        for name in found.namelist():
            if name.startswith("files/"):
                del manifest["sha256"][name]
            elif name != "manifest.json":
                written.writestr(name, found.read(name))
        written.writestr("manifest.json", json.dumps(manifest))
    done = organisation_pack.import_(there.database, there.store, forged, utc_now())
    assert (done.rows["run"], done.rows["raw_file"]) == (1, 0)


def test_a_pack_out_of_proportion_is_refused(there: Place, tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.zip"
    with (
        zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as written,
        written.open("manifest.json", "w") as part,
    ):
        for _ in range(300):
            part.write(bytes(2**20))
    with pytest.raises(OrganisationPackRefused, match="out of all proportion"):
        organisation_pack.import_(there.database, there.store, bomb, utc_now())


def test_every_table_of_an_organisation_is_in_the_pack_or_left_out_on_purpose() -> None:
    own = {name for name, table in TABLES.items() if "organisation_id" in table.columns}
    nameless = {"catalogue_alias", "catalogue_fact"}
    assert own | nameless == set(organisation_pack._TABLES) | LEFT_OUT
    assert not set(organisation_pack._TABLES) & LEFT_OUT


def test_an_operator_reads_a_pack_on_the_page(
    here: Place, there: Place, owner: UUID, tmp_path: Path, settings: Settings
) -> None:
    pack = here.export(owner, tmp_path / "pack.zip").read_bytes()
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
        refused = client.post(path, content=pack, headers={"Authorization": f"Bearer {engineer}"})
        assert refused.status_code == 403
        broken = client.post(path, content=b"no pack", headers=operators)
        assert (broken.status_code, broken.json()["code"]) == (409, "pack-refused")
        first = client.post(path, content=pack, headers=operators).json()
        assert (first["organisation_id"], first["new_runs"]) == (str(owner), 1)
        assert first["members"] == ["ada@people.example"]
        again = client.post(path, content=pack, headers=operators).json()
        assert again["new_rows"] == 0
    left = ("run", "trail_event", "watch")
    assert here.rows(owner, *left) == there.rows(owner, *left)
