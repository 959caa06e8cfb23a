"""What the files of an upload leave open is asked about; an answer changes the run, and its verdicts."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from backend.tests.uploads.conftest import SAMPLES, Uploader, uploads_reader
from backend.tests.waiting import until, waits_for_a_lock
from sqlalchemy import update

from tailroom.kit.clock import utc_now
from tailroom.kit.settings import Settings
from tailroom.storage.upload import Upload
from tailroom.uploads.repository import lock_uploads
from tailroom.work.claims import claim_one
from tailroom.work.kinds import READ_UPLOAD

TABLE = next(SAMPLES.rglob("hdr_GET_command_run_1.txt")).read_bytes()
LOG = next(SAMPLES.rglob("tagged_1_3.hlog")).read_bytes()
UNIT, OPERATION, LOOP = "tool.latency_unit", "tool.operation", "tool.loop"


@pytest.fixture
def table(uploader: Uploader) -> dict[str, Any]:
    """An upload whose file states neither unit nor operation nor load."""
    return uploader.send([("table.txt", TABLE)])


def _answer(uploader: Uploader, upload: dict[str, Any], status: int = 200, **body: Any) -> dict[str, Any]:
    url = f"/api/v1/uploads/{upload['upload_id']}/answers"
    found = uploader.client.patch(url, json=body, headers=uploader.headers)
    assert found.status_code == status, found.text
    answer: dict[str, Any] = found.json()
    return answer


def _read_waiting(settings: Settings, uploader: Uploader, upload: dict[str, Any]) -> bool:
    """What a worker does for an upload; False where nothing is to be done."""
    with uploader.database.transaction() as session:
        later = utc_now() + timedelta(minutes=1)
        claim = claim_one(session, READ_UPLOAD.name, UUID(upload["upload_id"]), later)
    if claim is not None:
        uploads_reader(settings, uploader.database).do(claim)
    return claim is not None


def _median_ns(uploader: Uploader, run_id: str) -> tuple[str, int]:
    uploader.judged(run_id)
    curves = uploader.get(f"/runs/{run_id}/percentiles")["curves"]
    curve = next(one for one in curves if one["operation"] in ("all", "read"))
    point = next(one for one in curve["points"] if one["quantile"] == 0.5)
    return curve["operation"], point["upper_ns"]


def _missing(upload: dict[str, Any]) -> set[str]:
    return {one["field"] for one in upload["runs"][0]["disclosure"]["missing"]} & {UNIT, OPERATION, LOOP}


def test_answers_take_effect_and_can_be_taken_back(uploader: Uploader, table: dict[str, Any]) -> None:
    run_id = table["runs"][0]["run_id"]
    assert _missing(table) == {UNIT, OPERATION, LOOP}
    operation, before_ns = _median_ns(uploader, run_id)
    assert operation == "all"

    found = _answer(uploader, table, answers={UNIT: "s", OPERATION: "read", LOOP: "closed"})
    assert (found["state"], [one["run_id"] for one in found["runs"]]) == ("read", [run_id])
    assert _missing(found) == set()
    assert found["runs"][0]["closed_loop"]
    operation, in_seconds_ns = _median_ns(uploader, run_id)
    assert operation == "read"
    assert in_seconds_ns == pytest.approx(1000 * before_ns, rel=0.01)
    verdicts = uploader.judged(run_id)["verdicts"]
    assert verdicts
    assert not any("unknown conditions" in (one["reason_text"] or "") for one in verdicts)

    again = _answer(uploader, table, answers={UNIT: None, OPERATION: None, LOOP: "open"})
    assert _missing(again) == {UNIT, OPERATION}
    assert not again["runs"][0]["closed_loop"]
    assert _median_ns(uploader, run_id) == ("all", before_ns)


def test_an_answer_without_a_reading_changes_verdicts_too(uploader: Uploader, table: dict[str, Any]) -> None:
    run_id = table["runs"][0]["run_id"]
    assert _median_ns(uploader, run_id)[0] == "all"
    _answer(uploader, table, answers={OPERATION: "read"})
    assert _median_ns(uploader, run_id)[0] == "read"
    reasons = {one["reason_text"] for one in uploader.judged(run_id)["verdicts"]}
    assert any("unknown conditions" in one for one in reasons)
    _answer(uploader, table, answers={UNIT: "ms", LOOP: "closed"})
    reasons = {one["reason_text"] for one in uploader.judged(run_id)["verdicts"]}
    assert reasons
    assert not any("unknown conditions" in (one or "") for one in reasons)


def test_the_unit_that_was_taken_needs_no_reading(uploader: Uploader, table: dict[str, Any]) -> None:
    found = _answer(uploader, table, answers={UNIT: "ms"}, run_id=table["runs"][0]["run_id"])
    assert found["read_at"] == table["read_at"]
    assert UNIT not in _missing(found)


def test_a_unit_can_come_with_the_file(uploader: Uploader) -> None:
    plain = uploader.send([("table.txt", TABLE)])
    sent = uploader.send([("table.txt", b"\n" + TABLE)], answers='{"tool.latency_unit": "s"}')
    _, before_ns = _median_ns(uploader, plain["runs"][0]["run_id"])
    _, sent_ns = _median_ns(uploader, sent["runs"][0]["run_id"])
    assert sent_ns == pytest.approx(1000 * before_ns, rel=0.01)


@pytest.mark.parametrize(
    "answers", [{UNIT: "h"}, {LOOP: "half"}, {OPERATION: "x" * 61}, {OPERATION: 7}, {"nobody.asks": 1}]
)
def test_what_cannot_be_an_answer_is_refused(
    uploader: Uploader, table: dict[str, Any], answers: dict[str, Any]
) -> None:
    refused = _answer(uploader, table, 422, answers=answers)
    assert refused["problems"][0]["field"] == next(iter(answers))


def test_a_longer_copy_has_the_unit_that_was_answered(uploader: Uploader, settings: Settings) -> None:
    lines = LOG.splitlines(keepends=True)
    begun = uploader.send([("a.hlog", b"".join(lines[:-4]))])
    run_id = begun["runs"][0]["run_id"]
    _, before_ns = _median_ns(uploader, run_id)
    _answer(uploader, begun, answers={UNIT: "µs", OPERATION: "read"})
    operation, answered_ns = _median_ns(uploader, run_id)
    assert (operation, answered_ns > before_ns) == ("read", True)

    longer = uploader.send([("a.hlog", LOG)], status=None)
    assert _read_waiting(settings, uploader, longer), "the answer is the unit of the longer copy too"
    assert [one["run_id"] for one in uploader.get(f"/uploads/{longer['upload_id']}")["runs"]] == [run_id]
    assert _median_ns(uploader, run_id)[1] == pytest.approx(answered_ns, rel=0.05)

    _answer(uploader, begun, answers={UNIT: None})
    assert _read_waiting(settings, uploader, longer), "what is shown of the run is read again"
    assert _median_ns(uploader, run_id)[1] == pytest.approx(before_ns, rel=0.05)


def test_what_is_not_there_is_not_answered(uploader: Uploader, table: dict[str, Any]) -> None:
    nobody = "00000000-0000-7000-8000-000000000000"
    refused = _answer(uploader, {"upload_id": nobody}, 404, answers={LOOP: "open"})
    assert refused["code"] == "upload-unknown"
    refused = _answer(uploader, table, 404, answers={LOOP: "open"}, run_id=nobody)
    assert refused["code"] == "run-unknown"


def test_answers_and_the_same_files_again_do_not_wait_for_each_other(
    uploader: Uploader, settings: Settings, table: dict[str, Any]
) -> None:
    """Upload before run, everywhere: neither a deadlock nor a lost answer."""
    failures: list[str] = []

    def do(call: Any) -> None:
        try:
            call()
        except BaseException as error:  # noqa: BLE001 - a thread must not lose it
            failures.append(f"{type(error).__name__}: {error}")

    for unit in ("s", "ms", "s", "µs", "s"):
        calls = [
            lambda unit=unit: _answer_any(uploader, table, {UNIT: unit, LOOP: "open"}),
            lambda: uploader.send([("table.txt", TABLE)], status=None),
            lambda: uploader.send([("table.txt", TABLE + b"\n\n")], status=None),
        ]
        threads = [threading.Thread(target=do, args=(call,)) for call in calls]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive()
    assert failures == []
    longer = uploader.send([("table.txt", TABLE + b"\n\n")], status=None)
    for upload in (table, longer):
        _read_waiting(settings, uploader, upload)
    _answer_any(uploader, table, {UNIT: "s"})
    for upload in (table, longer):
        _read_waiting(settings, uploader, upload)
    found = uploader.get(f"/uploads/{table['upload_id']}")
    assert found["state"] == "read"
    assert UNIT not in _missing(found)


def test_files_that_are_sent_again_lock_the_organisation_before_the_upload(
    uploader: Uploader, table: dict[str, Any]
) -> None:
    upload_id = UUID(table["upload_id"])
    # The files are to be read again, so sending them changes the upload.
    with uploader.database.transaction() as session:
        upload = session.get_one(Upload, upload_id)
        owner, upload.read_at = upload.organisation_id, None
    with ThreadPoolExecutor(1) as threads:
        with uploader.database.transaction() as session:
            lock_uploads(session, owner)
            sent = threads.submit(uploader.send, [("table.txt", TABLE)], None)
            assert until(lambda: waits_for_a_lock(uploader.database))
            # PostgreSQL would end one of the two transactions if the sender had locked the upload.
            session.execute(update(Upload).where(Upload.upload_id == upload_id).values(failure=None))
        assert sent.result()["upload_id"] == table["upload_id"]


def _answer_any(uploader: Uploader, upload: dict[str, Any], answers: dict[str, Any]) -> None:
    url = f"/api/v1/uploads/{upload['upload_id']}/answers"
    found = uploader.client.patch(url, json={"answers": answers}, headers=uploader.headers)
    assert found.status_code in (200, 202), f"{found.status_code}: {found.text}"
