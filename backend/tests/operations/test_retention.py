"""What is past its time goes by setting and says so; what came along with a run goes with it."""

from datetime import timedelta
from uuid import UUID

from backend.tests.operations.test_removal import delete, erase_everything, rows_with
from backend.tests.uploads.conftest import SAMPLES, Uploader, stranger, uploader
from sqlalchemy import func, select, text

from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.raw_files import LocalRawFiles
from tailroom.kit.settings import Settings
from tailroom.operations.retention import expire
from tailroom.storage.slices import Slice

__all__ = ["stranger", "uploader"]

FIO = (SAMPLES / "fio" / "randread.json").read_bytes()
ACT_LOG = (SAMPLES / "act" / "act40_1x_1dev_ms_60s.log").read_bytes()
IOSTAT = (SAMPLES / "sysstat" / "iostat_x.txt").read_bytes()
HDR_TABLE = next(SAMPLES.rglob("hdr_GET_command_run_1.txt")).read_bytes()
UNIT = "tool.latency_unit"


def own(content: bytes) -> bytes:
    """A content that no other test's upload holds."""
    return content + b"\n" * (1 + new_id().int % 10_000)


def expire_what_is_old(settings: Settings, database: Database, **kept: int | None) -> None:
    """What housekeeping does; what is not named stays for ever, because other tests' runs are there too."""
    days = {f"{name}_retention_days": 100_000 for name in ("tick", "interval", "minute", "raw_file")}
    named = settings.model_copy(
        update={**days, **{f"{name}_retention_days": value for name, value in kept.items()}}
    )
    expire(database.engine, database.transaction, named, utc_now())
    erase_everything(settings, database)


def make_older(
    database: Database, days: int, *, content: str | None = None, run_id: str | None = None
) -> None:
    """As if a file, or the last data of a run, had come so many days before."""
    came = {"at": utc_now() - timedelta(days=days)}
    with database.transaction() as session:
        if content is not None:
            file = "UPDATE raw_file SET stored_at = :at WHERE sha256 = :sha256"
            session.execute(text(file), {**came, "sha256": bytes.fromhex(content)})
        if run_id is not None:
            run = "UPDATE run SET last_data_at = :at WHERE run_id = :run"
            session.execute(text(run), {**came, "run": UUID(run_id)})


def is_stored(settings: Settings, content: str) -> bool:
    return LocalRawFiles(settings.home / "raw-files").has(bytes.fromhex(content))


def test_files_go_after_their_days_and_runs_and_verdicts_stay(
    uploader: Uploader, stranger: Uploader, settings: Settings, database: Database
) -> None:
    log = own(FIO)
    sent = uploader.send([("fio.json", log)])
    content, run_id = sent["files"][0]["sha256"], sent["runs"][0]["run_id"]
    before = uploader.judged(run_id)["verdicts"]
    make_older(database, 31, content=content)
    expire_what_is_old(settings, database, raw_file=None)
    expire_what_is_old(settings, database, raw_file=32)
    assert is_stored(settings, content), "without a setting for ever, else until its days are over"
    expire_what_is_old(settings, database, raw_file=30)
    assert not is_stored(settings, content)
    for path in (f"/raw-files/{content}", f"/raw-files/{content}/lines"):
        told = uploader.get(path, 410)
        assert told["code"] == "raw-file-expired"
        assert "send the file again" in told["detail"]
        assert stranger.get(path, 404)["code"] == "raw-file-unknown"
    assert uploader.judged(run_id)["verdicts"] == before
    assert uploader.get(f"/uploads/{sent['upload_id']}")["state"] == "read"

    again = uploader.send([("fio.json", log)], None)
    assert [one["run_id"] for one in again["runs"]] == [run_id]
    found = uploader.client.get(f"/api/v1/raw-files/{content}", headers=uploader.headers)
    assert found.content == log


def test_an_answer_that_needs_an_expired_file_is_refused_and_changes_nothing(
    uploader: Uploader, settings: Settings, database: Database
) -> None:
    table = own(HDR_TABLE)
    sent = uploader.send([("table.txt", table)])
    make_older(database, 31, content=sent["files"][0]["sha256"])
    expire_what_is_old(settings, database, raw_file=30)
    answers = f"/api/v1/uploads/{sent['upload_id']}/answers"
    refused = uploader.client.patch(answers, json={"answers": {UNIT: "s"}}, headers=uploader.headers)
    assert refused.status_code == 410
    assert "“table.txt”" in refused.json()["detail"]
    missing = uploader.get(f"/uploads/{sent['upload_id']}")["runs"][0]["disclosure"]["missing"]
    assert UNIT in {one["field"] for one in missing}
    uploader.send([("table.txt", table)], None)
    taken = uploader.client.patch(answers, json={"answers": {UNIT: "s"}}, headers=uploader.headers)
    assert taken.status_code in (200, 202)


def test_minutes_go_after_their_days_and_hours_stay(
    uploader: Uploader, settings: Settings, database: Database
) -> None:
    run_id = uploader.send([("act.log", own(ACT_LOG))])["runs"][0]["run_id"]
    uploader.judged(run_id)
    make_older(database, 91, run_id=run_id)

    def widths() -> dict[str, int]:
        rows = select(Slice.width, func.count()).where(Slice.run_id == UUID(run_id)).group_by(Slice.width)
        with database.transaction() as session:
            return {str(width): int(count) for width, count in session.execute(rows)}

    before = widths()
    assert before["minute"] > 0
    expire_what_is_old(settings, database, tick=7, interval=7, minute=None)
    assert widths() == before, "without a setting for ever"
    expire_what_is_old(settings, database, tick=7, interval=7, minute=90)
    longer = {width: count for width, count in before.items() if width not in {"minute", "ten"}}
    assert widths() == longer


def test_figures_of_devices_that_came_along_go_with_the_upload_and_stay_with_the_run(
    uploader: Uploader, settings: Settings, database: Database
) -> None:
    files = [("fio.json", own(FIO)), ("iostat.txt", own(IOSTAT))]
    sent = uploader.send(files)
    measured, beside = sorted(sent["runs"], key=lambda one: one["tool"] != "fio")
    contents = {one["name"]: one["sha256"] for one in sent["files"]}
    delete(uploader, f"/runs/{measured['run_id']}")
    erase_everything(settings, database)
    assert uploader.get(f"/runs/{beside['run_id']}")["run_id"] == beside["run_id"]
    assert all(is_stored(settings, one) for one in contents.values()), "the upload still holds both"
    delete(uploader, f"/runs/{beside['run_id']}")
    erase_everything(settings, database)
    uploader.get(f"/uploads/{sent['upload_id']}", 404)
    assert not any(is_stored(settings, one) for one in contents.values())

    sent = uploader.send(files)
    delete(uploader, f"/uploads/{sent['upload_id']}")
    erase_everything(settings, database)
    for run in sent["runs"]:
        assert rows_with(database, "run_id", UUID(run["run_id"])) == {}
        uploader.get(f"/runs/{run['run_id']}", 410)
    assert not any(is_stored(settings, one) for one in contents.values())


def test_a_companion_expires_by_itself(uploader: Uploader, settings: Settings, database: Database) -> None:
    sent = uploader.send([("fio.json", own(FIO)), ("iostat.txt", own(IOSTAT))])
    contents = {one["name"]: one["sha256"] for one in sent["files"]}
    make_older(database, 31, content=contents["iostat.txt"])
    expire_what_is_old(settings, database, raw_file=30)
    assert {name: is_stored(settings, one) for name, one in contents.items()} == {
        "fio.json": True,
        "iostat.txt": False,
    }
    for run in sent["runs"]:
        assert uploader.get(f"/runs/{run['run_id']}")
