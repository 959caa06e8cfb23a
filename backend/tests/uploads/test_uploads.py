"""Files become runs like measured ones, once, whatever is sent again; nothing that was sent is lost."""

import gzip
import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import zstandard
from backend.tests.uploads.conftest import ACT, SAMPLES, Uploader
from sqlalchemy import func, select

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.verdicts.budget import budget_of
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.evidence.file import evidence_of
from tailroom.importers.opening import open_path
from tailroom.importers.registry import read_together
from tailroom.kit.db import Database
from tailroom.kit.transactions import same_transaction
from tailroom.records.rollup import roll_up
from tailroom.records.run_record import load_record
from tailroom.storage.interval import IntervalRow
from tailroom.storage.run import Run

ONE_MINUTE = ACT / "act40_1x_1dev_ms_60s.log"
TWO_DEVICES = ACT / "act66_storage_6x_2dev_ms_60s.log"
MICROSECONDS = ACT / "act66_storage_3x_1dev_us_90s.log"


def test_an_act_log_becomes_a_run_with_course_curves_and_verdicts(uploader: Uploader) -> None:
    answer = uploader.send_paths(ONE_MINUTE, ONE_MINUTE.with_suffix(".conf"))
    (run,) = answer["runs"]
    log, configuration = answer["files"]
    assert log["format"] == "act-storage"
    assert "4.0" in log["reason"]
    assert configuration["read_with"] == log["name"]
    assert (run["tool"], run["tool_version"], run["end_state"]) == ("act", "4.0", "finished")
    assert not run["started_at_known"]
    assert "run.started_at" in {one["field"] for one in run["disclosure"]["missing"]}

    detail = uploader.judged(run["run_id"])
    assert (detail["source"], detail["state"], detail["visibility"]) == ("upload", "finished", "private")
    assert {one["budget"]["name"] for one in detail["verdicts"]} == {
        *("act-limits", "act-performance"),
        *("fraud-250-sequential", "fraud-250-parallel"),
    }
    assert not any(one["provisional"] for one in detail["verdicts"])
    assert detail["series"][0]["layout"]["t"] == "pow2"

    timeline = uploader.get(f"/runs/{run['run_id']}/timeline")
    reads = next(
        one for one in timeline["series"] if (one["operation"], one["clock"]) == ("read", "response")
    )
    assert sum(reads["ticks"]["count"]) == 120_000
    assert len(reads["ticks"]["count"]) == 60
    assert reads["pin_thresholds_ns"] == [1_000_000, 8_000_000, 64_000_000]
    assert all(point["p99_lower_ns"] is not None for point in reads["percentiles"])
    curves = uploader.get(f"/runs/{run['run_id']}/percentiles")["curves"]
    assert {(one["operation"], one["clock"], one["count"]) for one in curves} >= {
        ("read", "response", 120_000)
    }
    assert all(one["max_ns"] is None for one in curves), "ACT counts no largest latency"
    course = uploader.get(f"/runs/{run['run_id']}/course")
    assert {one["operation"] for one in course["operations"]} >= {"read"}


@pytest.mark.parametrize("path", [MICROSECONDS, TWO_DEVICES], ids=lambda path: path.name)
@pytest.mark.parametrize("budget", ["act-limits", "fraud-250-sequential"])
def test_verdicts_are_those_of_the_file_itself(uploader: Uploader, path: Path, budget: str) -> None:
    run_id = uploader.send_paths(path)["runs"][0]["run_id"]
    found = next(one for one in uploader.judged(run_id)["verdicts"] if one["budget"]["name"] == budget)
    runs = [run for one in read_together(open_path(path)) if one.result for run in one.result.runs]
    whole = [
        run.__class__(
            **{name: getattr(run, name) for name in run.__dataclass_fields__ if name != "series"},
            series=tuple(one for one in run.series if one.device is None),
        )
        for run in runs
    ]
    evidence, _ = evidence_of(whole, budget_of(budget))
    summary = judge_budget(budget_of(budget), evidence).summary()
    assert (found["verdict"], found["reason"]) == (summary["verdict"], summary["reason"])
    if budget.startswith("fraud"):
        assert found["transaction"]["p_lower"] == pytest.approx(summary["p_lower"], abs=1e-12)
        assert found["transaction"]["p_upper"] == pytest.approx(summary["p_upper"], abs=1e-12)


def test_devices_are_parts_of_the_whole_and_not_added_to_it(uploader: Uploader, database: Database) -> None:
    run_id = uploader.send_paths(TWO_DEVICES)["runs"][0]["run_id"]
    uploader.judged(run_id)
    with database.transaction() as session:
        record = load_record(session, session.get_one(Run, UUID(run_id)))
    reads = record.of("read")
    assert reads is not None
    assert isinstance(reads.dist, LatencyDist)
    assert reads.dist.total == 1_440_001
    assert reads.dist.sum_ns is None


def test_limits_inside_a_bucket_are_shown_with_both_ends(uploader: Uploader) -> None:
    """Of a log in microseconds the limit of 1 ms lies inside a bucket: no single number stands for it."""
    run_id = uploader.send_paths(MICROSECONDS)["runs"][0]["run_id"]
    uploader.judged(run_id)
    rows = uploader.get(f"/runs/{run_id}/exceedance")["rows"]
    one_ms = next(row for row in rows if row["operation"] == "read" and row["threshold_ns"] == 1_000_000)
    exact = next(row for row in rows if row["operation"] == "read" and row["threshold_ns"] == 1_024_000)
    assert one_ms["ratio"] is None
    assert one_ms["over_count_lower"] < one_ms["over_count"]
    assert exact["ratio"] is not None
    assert exact["over_count_lower"] == exact["over_count"]


def test_the_same_bytes_are_the_same_run(uploader: Uploader, database: Database) -> None:
    first = uploader.send_paths(ONE_MINUTE)
    again = uploader.send_paths(ONE_MINUTE, status=200)
    renamed = uploader.send([("other name.txt", ONE_MINUTE.read_bytes())], 200)
    assert again["upload_id"] == first["upload_id"] == renamed["upload_id"]
    with_other = uploader.send_paths(ONE_MINUTE, TWO_DEVICES)
    assert with_other["runs"][0]["run_id"] == first["runs"][0]["run_id"]
    assert len(with_other["runs"]) == 2
    with database.transaction() as session:
        intervals = select(func.count()).where(IntervalRow.run_id == UUID(first["runs"][0]["run_id"]))
        assert session.scalar(intervals) == 60 * len(first["runs"][0]["series"])


def test_a_growing_log_continues_its_run(uploader: Uploader) -> None:
    text = ONE_MINUTE.read_bytes()
    cut = text.index(b"After 31 sec")
    early = uploader.send([("act.log", text[:cut])])["runs"][0]
    assert early["end_state"] == "growing"
    before = uploader.judged(early["run_id"])
    uploader.client.patch(
        f"/api/v1/runs/{early['run_id']}/disclosure",
        json={"answers": {"host.cpu.model": "a processor"}},
        headers=uploader.headers,
    )
    late = uploader.send([("act.log", text)])["runs"][0]
    assert late["run_id"] == early["run_id"]
    assert late["end_state"] == "finished"
    after = uploader.judged(late["run_id"])
    assert [one["received_count"] for one in before["series"]] == [30] * len(before["series"])
    assert [one["received_count"] for one in after["series"]] == [60] * len(after["series"])
    assert after["verdicts"][0]["data_through_ns"] > before["verdicts"][0]["data_through_ns"]
    assert [one["is_current"] for one in after["files"]] == [True, False]
    assert [one["field"] for one in after["disclosure"]["disclosed"]] == ["host.cpu.model"]
    # The shorter copy again changes nothing, and another log with the same beginning is another run.
    assert uploader.send([("act.log", text[:cut])], 200)["runs"][0]["run_id"] == early["run_id"]
    assert uploader.get(f"/runs/{late['run_id']}")["series"][0]["received_count"] == 60
    other = uploader.send([("act.log", text[:cut] + text[cut:].replace(b"120", b"121"))])["runs"][0]
    assert other["run_id"] != late["run_id"]


def test_packed_copies_of_a_growing_log_continue_its_run(uploader: Uploader) -> None:
    """People pack logs before they send them: plain, gzip and zstd are the same log."""
    text = ONE_MINUTE.read_bytes().replace(b"/dev/loop", b"/dev/packed")
    assert b"/dev/packed" in text
    cuts = [text.index(b"After %d sec" % second) for second in (21, 31, 41)]
    copies = [
        ("act.log.gz", gzip.compress(text[: cuts[0]])),
        ("act.log", text[: cuts[1]]),
        ("act.log.zst", zstandard.compress(text[: cuts[2]])),
        ("act.log.gz", gzip.compress(text)),
    ]
    found = [uploader.send([one])["runs"][0]["run_id"] for one in copies]
    assert len(set(found)) == 1
    run = uploader.judged(found[0])
    assert [one["received_count"] for one in run["series"]] == [60] * len(run["series"])
    assert [one["is_current"] for one in run["files"]] == [True, False, False, False]
    # The same content in another packing, and an older copy, are that run; nothing is read twice.
    assert uploader.send([("act.log", text)], 200)["runs"][0]["run_id"] == found[0]
    older = zstandard.compress(text[: cuts[0]])
    assert uploader.send([("act.log.zst", older)], 200)["runs"][0]["run_id"] == found[0]
    assert uploader.get(f"/runs/{found[0]}")["series"][0]["received_count"] == 60
    # A packed file that only begins alike is another run.
    other = gzip.compress(text[: cuts[1]] + text[cuts[1] :].replace(b"120", b"121"))
    assert uploader.send([("act.log.gz", other)])["runs"][0]["run_id"] != found[0]


def test_what_cannot_be_read_is_refused_in_words_and_kept(uploader: Uploader) -> None:
    junk = bytes(range(256)) * 40
    problem = uploader.send([("junk.bin", junk)], 422)
    assert problem["code"] == "upload-unreadable"
    assert problem["problems"][0]["field"] == "junk.bin"
    sha256 = hashlib.sha256(junk).hexdigest()
    kept = uploader.client.get(f"/api/v1/raw-files/{sha256}", headers=uploader.headers)
    assert kept.content == junk
    assert "junk.bin" in kept.headers["content-disposition"]
    mixed = uploader.send([("junk.bin", junk), (ONE_MINUTE.name, ONE_MINUTE.read_bytes())])
    assert [one["refusal"] is None for one in mixed["files"]] == [False, True]
    assert len(mixed["runs"]) == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 5_000,
        b"a" * 3_000_000,
        b"\xff\xfe\xfd" * 99,
        '{"a": "\ud800"}'.encode("utf-8", "surrogatepass"),
    ],
    ids=["empty", "zeros", "one long line", "no text", "half a surrogate"],
)
def test_junk_is_refused(uploader: Uploader, content: bytes) -> None:
    assert uploader.send([("x", content)], 422)["code"] == "upload-unreadable"


def test_a_zip_bomb_is_refused(uploader: Uploader) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("act.log", b"0" * (70 << 20))
    problem = uploader.send([("bomb.zip", packed.getvalue())], 422)
    assert "unpacks" in problem["detail"] or "format not recognised" in problem["detail"]
    twice = gzip.compress(gzip.compress(b"0" * (90 << 20)))
    uploader.send([("bomb.gz", twice)], 422)


def test_archives_and_packed_files_are_read(uploader: Uploader) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(ONE_MINUTE, "folder/act.log")
        archive.write(ONE_MINUTE.with_suffix(".conf"), "folder/act.conf")
    answer = uploader.send([("all.zip", packed.getvalue())])
    assert [one["name"] for one in answer["files"]] == ["all.zip/folder/act.log", "all.zip/folder/act.conf"]
    assert len(answer["runs"]) == 1
    gz = uploader.send([("act.log.gz", gzip.compress(TWO_DEVICES.read_bytes()))])
    zst = uploader.send([("act.log.zst", zstandard.compress(TWO_DEVICES.read_bytes()))], 200)
    assert [one["run_id"] for one in gz["runs"]] == [one["run_id"] for one in zst["runs"]]


def test_statements_and_other_layouts_are_kept_as_they_are(uploader: Uploader) -> None:
    """Percentiles without buckets, Aerospike's buckets, HdrHistogram's: every kind can be asked about."""
    asked = {
        SAMPLES / "memtier" / "given1.stdout.txt": "statement",
        SAMPLES / "memtier" / "given1.json": "hdr",
        SAMPLES / "asbench" / "a3.hist.txt": "explicit",
        SAMPLES / "hdr_log" / "ycsb_READ.hdr": "hdr",
        ACT / "act1x2013_3x_1dev_60s.log": "statement",
    }
    for path, layout in asked.items():
        run = uploader.send_paths(path)["runs"][0]
        assert {one["layout"] for one in run["series"]} == {layout}, path.name
        uploader.judged(run["run_id"])
        curves = uploader.get(f"/runs/{run['run_id']}/percentiles")["curves"]
        assert curves, path.name
        assert all(one["points"] for one in curves)
        for what in ("timeline", "course", "exceedance"):
            uploader.get(f"/runs/{run['run_id']}/{what}")
        operation = run["series"][0]["operation"]
        answer = uploader.post(
            "/sla/evaluate",
            {
                "subject": {"run_id": run["run_id"], "operation": operation},
                "budget": {"name": "fraud-250-sequential"},
            },
        )
        assert 0.0 <= answer["p_lower"] <= answer["p_upper"] <= 1.0
        assert answer["verdict"] in {"FAIL", "INDETERMINATE", "PASS"}


def whole_match(uploader: Uploader) -> dict[str, Any]:
    """Asked on, as the page does, until every configuration was looked at: one answer ends in time."""
    asked = {"budget": {"name": "m2g2"}, "published": False}
    before, found = None, uploader.post("/sla/match", asked)
    while found["not_looked_at"] and found["not_looked_at"] != before:
        before, found = found["not_looked_at"], uploader.post("/sla/match", asked)
    return dict(found)


@pytest.mark.parametrize("folder", sorted(SAMPLES.iterdir()), ids=lambda folder: folder.name)
def test_every_sample_is_taken(uploader: Uploader, database: Database, folder: Path) -> None:
    """Nothing that the importers read fails on its way into the database, or when it is looked at."""
    paths = [
        path
        for path in sorted(folder.iterdir())
        if path.suffix != ".cmd" and ".latency" not in path.name and path.stat().st_size < 100_000
    ]
    for path in paths:
        answer = uploader.send_paths(path, status=None)
        assert "runs" in answer or answer["code"] == "upload-unreadable", (path.name, answer)
        for run in answer.get("runs", []):
            with database.transaction() as session:
                roll_up(same_transaction(session), UUID(run["run_id"]))
            for what in ("timeline", "percentiles", "exceedance", "course"):
                uploader.get(f"/runs/{run['run_id']}/{what}")
    runs = uploader.get("/runs", scope="mine", limit=200)
    assert len(runs["runs"]) == runs["total"]
    # What was never measured meets nothing and misses nothing.
    stored = sum(not run["simulated"] for run in runs["runs"])
    counts = whole_match(uploader)["counts"]
    assert sum(counts[word] for word in ("meets", "misses", "undecided")) == stored


def test_what_a_person_adds_is_kept_apart(uploader: Uploader) -> None:
    answers = {"host.block_devices.*.model": "Drive 1", "run.started_at": "2026-11-20T12:30:00+01:00"}
    run = uploader.send_paths(ONE_MINUTE, answers=json.dumps(answers))["runs"][0]
    assert run["started_at_known"]
    assert run["started_at"].startswith("2026-11-20T11:30:00")
    detail = uploader.get(f"/runs/{run['run_id']}")
    assert detail["target_name"] == "Drive 1"
    assert {one["field"] for one in detail["disclosure"]["disclosed"]} == set(answers)
    assert not {one["field"] for one in detail["disclosure"]["missing"]} & set(answers)
    assert "host.cpu.model" in {one["field"] for one in detail["disclosure"]["missing"]}
    url = f"/api/v1/runs/{run['run_id']}/disclosure"
    for wrong in ({"host.colour": "red"}, {"run.started_at": "yesterday"}, {"host.cpu.model": "\x00"}):
        refused = uploader.client.patch(url, json={"answers": wrong}, headers=uploader.headers)
        assert refused.status_code == 422
    taken_back = uploader.client.patch(
        url, json={"answers": {"host.block_devices.*.model": None}}, headers=uploader.headers
    ).json()
    assert "host.block_devices.*.model" in {one["field"] for one in taken_back["disclosure"]["missing"]}


def test_others_see_what_is_published_and_that_it_was_retracted(
    uploader: Uploader, stranger: Uploader
) -> None:
    answer = uploader.send_paths(ONE_MINUTE)
    run_id = answer["runs"][0]["run_id"]
    path, sha256 = f"/runs/{run_id}", answer["files"][0]["sha256"]
    stranger.get(path, 404)
    stranger.get(f"/uploads/{answer['upload_id']}", 404)
    stranger.get(f"/raw-files/{sha256}", 404)
    for what in ("publish", "retract"):
        stranger.post(f"{path}/{what}", {}, 404)
    assert uploader.post(f"{path}/publish", {})["visibility"] == "public"
    assert stranger.get(path)["files"] == []
    stranger.get(f"{path}/timeline")
    stranger.get(f"/raw-files/{sha256}", 404)
    stranger.post(f"{path}/stop", {}, 404)
    assert uploader.post(f"{path}/retract", {"reason": "wrong drive"})["visibility"] == "retracted"
    gone = stranger.get(path, 410)
    assert "wrong drive" in gone["detail"]
    assert uploader.get(path)["retraction_reason"] == "wrong drive"


def test_agents_add_nothing_to_uploaded_runs(uploader: Uploader, make_token: object) -> None:
    run_id = uploader.send_paths(ONE_MINUTE)["runs"][0]["run_id"]
    token = make_token("agent")  # type: ignore[operator]
    refused = uploader.client.post(
        f"/api/v1/runs/{run_id}/intervals",
        json={"series": [], "intervals": []},
        headers={"Authorization": f"Bearer {token}"},
    )
    assert refused.status_code == 409


def test_uploads_are_listed_newest_first(uploader: Uploader, stranger: Uploader) -> None:
    first = uploader.send_paths(ONE_MINUTE, ONE_MINUTE.with_suffix(".conf"))
    uploader.send([("junk.bin", b"\x01junk" * 50)], 422)
    text = ONE_MINUTE.read_bytes().splitlines(keepends=True)
    del text[200:203]
    third = uploader.send([("damaged.log", b"".join(text)), ("junk.txt", b"no log")])
    page = uploader.get("/uploads", limit=2)
    assert page["total"] == 3
    newest, middle = page["uploads"]
    assert newest["upload_id"] == third["upload_id"]
    assert (newest["file_count"], newest["run_count"], newest["refused_count"]) == (2, 1, 1)
    told = [one for one in third["runs"][0]["problems"] if one["severity"] != "note"]
    assert newest["problem_count"] == len(told) > 0
    assert (middle["first_name"], middle["run_count"], middle["refused_count"]) == ("junk.bin", 0, 1)
    rest = uploader.get("/uploads", limit=2, cursor=page["next_cursor"])
    assert [one["upload_id"] for one in rest["uploads"]] == [first["upload_id"]]
    assert rest["uploads"][0]["first_name"] == ONE_MINUTE.name
    assert rest["uploads"][0]["read_at"] is not None
    assert rest["next_cursor"] is None
    assert uploader.get("/uploads", 422, cursor="nonsense")["code"] == "cursor-unreadable"
    uploader.get("/uploads", 422, limit=0)
    assert stranger.get("/uploads") == {"uploads": [], "next_cursor": None, "total": 0}


def test_published_runs_are_in_the_lists_of_others(uploader: Uploader, stranger: Uploader) -> None:
    public = uploader.send_paths(ONE_MINUTE)["runs"][0]["run_id"]
    private = uploader.send_paths(TWO_DEVICES)["runs"][0]["run_id"]
    uploader.post(f"/runs/{public}/publish", {})

    def listed(who: Uploader, scope: str | None) -> set[str]:
        query: dict[str, Any] = {"scope": scope} if scope else {}
        found = who.get("/runs", limit=200, **query)
        assert found["total"] == len(found["runs"])
        return {one["run_id"] for one in found["runs"]} & {public, private}

    assert listed(stranger, None) == listed(stranger, "all") == listed(stranger, "public") == {public}
    assert listed(stranger, "mine") == set()
    assert listed(uploader, None) == listed(uploader, "mine") == {public, private}
    assert listed(uploader, "public") == {public}
    shown = next(one for one in stranger.get("/runs", limit=200)["runs"] if one["run_id"] == public)
    assert shown["visibility"] == "public"
    stranger.get("/runs", 422, scope="everything")
    uploader.post(f"/runs/{public}/retract", {"reason": "wrong drive"})
    assert listed(stranger, "all") == set()
    stranger.get(f"/runs/{public}", 410)
    assert public in listed(uploader, "mine")


def test_files_of_one_run_stay_apart_and_say_why(uploader: Uploader) -> None:
    summary, log = SAMPLES / "memtier/given1.json", SAMPLES / "hdr_log/memtier_GET_command_run_1.hgrm"
    uploader.send_paths(log)
    answer = uploader.send_paths(summary, log)
    assert len(answer["runs"]) == 2
    for file, other in zip(answer["files"], (log.name, summary.name), strict=True):
        (note,) = [one for one in file["problems"] if "came with it" in one["reason"]]
        assert note["severity"] == "note"
        assert note["reason"].startswith(f"{other} came with it and counts the same (get 705,845)")
    # The log was on record before; the summary is new, and its run says so too.
    assert any("came with it" in one["reason"] for one in answer["runs"][0]["problems"])
