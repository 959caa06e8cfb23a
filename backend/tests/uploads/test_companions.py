"""What a configuration stated of a run stays when the log comes again, longer and without it."""

import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from backend.tests.uploads.conftest import ACT, SAMPLES, Json, Uploader
from sqlalchemy import func, select

from tailroom.kit.db import Database
from tailroom.storage.interval import IntervalRow
from tailroom.storage.run import Run
from tailroom.storage.upload import RunSource
from tailroom.uploads import waiting
from tailroom.uploads.reading import ReadFile, StoredFile, read_apart, read_files

LOG = (ACT / "act40_1x_1dev_ms_60s.log").read_bytes()
CONFIGURATION = (ACT / "act40_1x_1dev_ms_60s.conf").read_bytes() + b"max-lag-sec: 7\n"
EARLY = LOG[: LOG.index(b"After 21 sec")]
LATER = LOG[: LOG.index(b"After 41 sec")]


def parameters(database: Database, run_id: str) -> dict[str, Any]:
    """Of a run, as they are stored."""
    with database.transaction() as session:
        run = session.get_one(Run, UUID(run_id))
        stored: dict[str, Any] = run.plan["parameters"]
        return stored


def only_run(answer: Json) -> Json:
    """The one run of an upload."""
    (run,) = answer["runs"]
    found: Json = run
    return found


def counted(uploader: Uploader, run: Json) -> int:
    """Transactions of a run, by their response times."""
    with uploader.database.transaction() as session:
        of_response = [number for number, one in enumerate(run["series"]) if one["clock"] == "response"]
        query = select(func.sum(IntervalRow.__table__.c["count"])).where(
            IntervalRow.run_id == UUID(run["run_id"]), IntervalRow.series_no.in_(of_response)
        )
        return int(session.scalar(query) or 0)


def notes(run: Json) -> list[str]:
    """What the run says about companions from before."""
    return [one["reason"] for one in run["problems"] if "came with an earlier copy" in one["reason"]]


def test_a_grown_log_without_its_configuration_keeps_what_that_stated(
    uploader: Uploader, database: Database
) -> None:
    first = only_run(uploader.send([("act.log", EARLY), ("act.conf", CONFIGURATION)]))
    stated = parameters(database, first["run_id"])
    assert (stated["config_file"], stated["max-lag-sec"]) == ("act.conf", 7)
    for grown, count in ((LATER, 40), (LOG, 60)):
        run = only_run(uploader.send([("act.log", grown)]))
        assert run["run_id"] == first["run_id"]
        assert {one["interval_count"] for one in run["series"]} == {count}
        assert notes(run) == ["read with act.conf, which came with an earlier copy of this file"]
        now = parameters(database, run["run_id"])
        assert {name: now[name] for name in stated} == stated
    shown = uploader.get(f"/runs/{first['run_id']}")
    assert [one["is_current"] for one in shown["files"]] == [True, False, False]


def test_what_comes_with_a_configuration_of_its_own_is_read_with_that_one(
    uploader: Uploader, database: Database
) -> None:
    first = only_run(uploader.send([("act.log", EARLY), ("act.conf", CONFIGURATION)]))
    other = CONFIGURATION.replace(b": 7", b": 9")
    run = only_run(uploader.send([("act.log", LATER), ("act.conf", other)]))
    assert (run["run_id"], notes(run)) == (first["run_id"], [])
    assert parameters(database, run["run_id"])["max-lag-sec"] == 9
    run = only_run(uploader.send([("act.log", LOG)]))
    assert parameters(database, run["run_id"])["max-lag-sec"] == 9


def test_a_configuration_out_of_an_archive_is_found_again(uploader: Uploader, database: Database) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("etc/act.conf", CONFIGURATION)
        archive.writestr("etc/notes.txt", "nothing of ACT")
    first = only_run(uploader.send([("act.log", EARLY), ("etc.zip", packed.getvalue())]))
    run = only_run(uploader.send([("act (2).log", LOG)]))
    assert run["run_id"] == first["run_id"]
    assert parameters(database, run["run_id"])["max-lag-sec"] == 7


def test_another_log_with_the_same_beginning_is_no_run_of_that_configuration(
    uploader: Uploader, database: Database
) -> None:
    first = only_run(uploader.send([("act.log", EARLY), ("act.conf", CONFIGURATION)]))
    only_run(uploader.send([("act.log", LOG)]))
    split = EARLY + LOG[len(EARLY) :].replace(b"120", b"121")
    other = only_run(uploader.send([("act.log", split)]))
    assert other["run_id"] != first["run_id"]
    assert "max-lag-sec" not in parameters(database, other["run_id"])
    unrelated = only_run(uploader.send_paths(ACT / "act53_storage_1x_2dev_ms_60s.log"))
    assert "config_file" not in parameters(database, unrelated["run_id"])


def test_configurations_of_others_are_not_read(
    uploader: Uploader, make_token: Callable[..., str], database: Database, organisation: str
) -> None:
    uploader.send([("act.log", EARLY), ("act.conf", CONFIGURATION)])
    other = Uploader(uploader.client, database, make_token("engineer", f"neighbours of {organisation}"))
    run = only_run(other.send([("act.log", LOG)]))
    assert "max-lag-sec" not in parameters(database, run["run_id"])


def test_a_thread_that_comes_again_alone_does_not_take_the_others_away(uploader: Uploader) -> None:
    names = ("rate.24957", "rate.24957.1")
    first, second = ((SAMPLES / "pgbench" / name).read_bytes() for name in names)
    early = b"".join(first.splitlines(keepends=True)[:300])
    run = only_run(uploader.send([(names[0], early), (names[1], second)]))
    assert counted(uploader, run) == 300 + 597
    grown = only_run(uploader.send([(names[0], first)]))
    assert (grown["run_id"], counted(uploader, grown)) == (run["run_id"], 589 + 597)
    assert notes(grown) == ["read with rate.24957.1, which came with an earlier copy of this file"]


def test_threads_that_come_again_together_are_counted_once(uploader: Uploader) -> None:
    names = ("rate.24957", "rate.24957.1")
    whole = [(SAMPLES / "pgbench" / name).read_bytes() for name in names]
    early = [b"".join(one.splitlines(keepends=True)[:300]) for one in whole]
    run = only_run(uploader.send(list(zip(names, early, strict=True))))
    grown = only_run(uploader.send(list(zip(names, whole, strict=True))))
    assert (grown["run_id"], counted(uploader, grown)) == (run["run_id"], 589 + 597)
    assert notes(grown) == []


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Does what is put in it, once, after the next files are read and before they are stored."""
    todo: list[Any] = []

    def read(*args: Any, **kwargs: Any) -> list[ReadFile]:
        found = read_apart(*args, **kwargs)
        if todo:
            todo.pop()()
        return found

    monkeypatch.setattr(waiting, "read_apart", read)
    yield todo
    assert not todo


def test_a_configuration_that_is_stored_while_the_grown_log_is_read_is_not_lost(
    uploader: Uploader, database: Database, meanwhile: list[Any]
) -> None:
    sent: list[Json] = []
    meanwhile.append(lambda: sent.append(uploader.send([("act.log", EARLY), ("act.conf", CONFIGURATION)])))
    run = only_run(uploader.send([("act.log", LOG)]))
    assert run["run_id"] == only_run(sent[0])["run_id"]
    assert {one["interval_count"] for one in run["series"]} == {60}
    assert parameters(database, run["run_id"])["max-lag-sec"] == 7


def test_a_reading_that_lost_the_configuration_before_gets_it_back(
    uploader: Uploader, database: Database
) -> None:
    """Readings from before configurations were remembered have none beside them."""
    first = only_run(uploader.send([("act.log", EARLY), ("act.conf", CONFIGURATION)]))
    uploader.send([("act.log", LATER)])
    with database.transaction() as session:
        grown = session.scalars(
            select(RunSource).where(
                RunSource.run_id == UUID(first["run_id"]), RunSource.size_bytes == len(LATER)
            )
        ).one()
        grown.beside = []
    run = only_run(uploader.send([("act.log", LOG)]))
    assert parameters(database, run["run_id"])["max-lag-sec"] == 7


def test_a_file_is_read_with_companions_from_before_only_where_they_are_its_tool_s(tmp_path: Path) -> None:
    (tmp_path / "act.log").write_bytes(LOG)
    (tmp_path / "other").write_bytes(b"nothing of ACT\n" * 9)
    log = StoredFile("act.log", b"l" * 32, len(LOG), tmp_path / "act.log")
    other = StoredFile("other", b"o" * 32, 135, tmp_path / "other")
    (read,) = read_files([log], companions={log.sha256: [other]})
    assert (read.beside, read.problems, len(read.runs)) == ((), [], 1)
