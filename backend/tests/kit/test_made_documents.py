"""Documents that can be made again, in a folder and in an S3-compatible store."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from backend.tests.kit.s3_server import environment, is_signed, s3_server

from tailroom.kit.made_documents import STORED_FOR, MadeDocuments, open_made_documents

TOLD = {"Content-Type": "application/zip", "Content-Disposition": "attachment; filename=run.zip"}
CONTENT = b"a pack"


@pytest.fixture(params=["folder", "s3"])
def store(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MadeDocuments]:
    if request.param == "folder":
        yield open_made_documents(None, tmp_path)
        return
    with s3_server() as (address, _):
        for name, value in environment(address).items():
            monkeypatch.setenv(name, value)
        yield open_made_documents("s3://tailroom/files", tmp_path)


def test_what_was_made_is_found_in_its_state_alone(store: MadeDocuments) -> None:
    one, other = uuid4(), uuid4()
    kept = store.store("packs", one, b"now", CONTENT, TOLD)
    assert kept is not None
    assert store.find("packs", one, b"now") == kept
    assert store.read(kept) == CONTENT
    assert store.find("packs", one, b"later") is None
    assert store.find("packs", other, b"now") is None
    assert store.find("reports", one, b"now") is None


def test_a_run_that_goes_takes_all_of_it_along(store: MadeDocuments) -> None:
    one, other = uuid4(), uuid4()
    for subject in (one, other):
        store.store("packs", subject, b"now", CONTENT, TOLD)
        store.store("reports", subject, b"now", CONTENT, TOLD)
    store.forget(one)
    store.forget(one)
    assert [store.find(kind, one, b"now") for kind in ("packs", "reports")] == [None, None]
    assert store.find("packs", other, b"now") is not None


def test_it_is_kept_for_a_day(tmp_path: Path) -> None:
    store, run_id, now = open_made_documents(None, tmp_path), uuid4(), datetime.now(UTC)
    store.store("packs", run_id, b"now", CONTENT, TOLD)
    assert store.expire(now + STORED_FOR - timedelta(minutes=1)) == 0
    assert store.expire(now + STORED_FOR + timedelta(minutes=1)) == 1
    assert store.find("packs", run_id, b"now") is None
    assert (tmp_path / "made").stat().st_mode & 0o777 == 0o700


def test_other_bytes_than_were_kept_are_nothing(tmp_path: Path) -> None:
    store, run_id = open_made_documents(None, tmp_path), uuid4()
    kept = store.store("packs", run_id, b"now", CONTENT, TOLD)
    assert kept is not None
    (tmp_path / "made" / kept.key).write_bytes(CONTENT + b"!")
    assert store.read(kept) is None


def test_an_address_is_signed_and_private_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with s3_server() as (place, holds):
        for name, value in environment(place).items():
            monkeypatch.setenv(name, value)
        store = open_made_documents("s3://tailroom/files", tmp_path)
        kept = store.store("packs", uuid4(), b"now", CONTENT, TOLD)
        assert kept is not None
        (name,) = holds()
        assert name.startswith("files/made/packs/")
        address = store.address(kept, 60.0)
        assert address is not None
        assert is_signed(address, 60)
        answer = httpx.get(address)
        assert answer.content == CONTENT
        assert answer.headers["Content-Disposition"] == TOLD["Content-Disposition"]
        assert httpx.get(address.partition("?")[0]).status_code == 403


def test_a_store_that_is_away_costs_time_and_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment("http://127.0.0.1:9").items():
        monkeypatch.setenv(name, value)
    store, run_id = open_made_documents("s3://tailroom/files", tmp_path), uuid4()
    assert store.find("packs", run_id, b"now") is None
    assert store.store("packs", run_id, b"now", CONTENT, TOLD) is None
