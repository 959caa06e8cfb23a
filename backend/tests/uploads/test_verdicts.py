"""Runs of other tools are judged by what makes sense for them, and by nothing that they did not measure."""

import base64
import json
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from backend.tests.uploads.conftest import SAMPLES, Json, Uploader
from sqlalchemy import delete, update

from tailroom.domain.latency.histogram import Counts, encode
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_S
from tailroom.storage.interval import IntervalRow
from tailroom.storage.series import Series
from tailroom.storage.slices import AnalysisState

FRAUD = {"fraud-250-sequential", "fraud-250-parallel"}
CLOSED = "closed loop"


def verdicts_of(uploader: Uploader, *paths: Path) -> dict[str, Json]:
    """Verdicts of the only run of some files, by budget."""
    (run,) = uploader.send_paths(*paths)["runs"]
    return {one["budget"]["name"]: one for one in uploader.judged(run["run_id"])["verdicts"]}


@pytest.mark.parametrize(
    ("sample", "budgets"),
    [
        ("memtier/given1.json", {*FRAUD, "m2g2"}),
        ("memtier/given3.stdout.txt", {*FRAUD, "m2g2"}),
        ("hdr_log/memtier_GET_command_run_1.hgrm", {*FRAUD, "m2g2"}),
        # Sets only, a sum only, and only the end of the connections: there is no read.
        ("hdr_log/memtier_SET_command_run_1.hgrm", {"m2g2"}),
        ("hdr_log/memtier_FULL_RUN_1.hgrm", {"m2g2"}),
        ("hdr_log/ycsb_CLEANUP.hdr", set()),
        ("hdr_log/ycsb_READ.hdr", {*FRAUD, "m2g2"}),
        ("ycsb/y2.stdout.txt", {*FRAUD, "m2g2"}),
        ("asbench/a1.stdout.txt", {"m2g2"}),
        ("asbench/a2.stdout.txt", {*FRAUD, "m2g2"}),
        ("aerospike_java/j2.stdout.txt", {*FRAUD, "m2g2"}),
        ("redis_benchmark/r1_csv_get_set.txt", FRAUD),
        ("fio/randread.json", FRAUD),
        ("fio/randwrite.terse", set()),
        ("pgbench/select_only.txt", FRAUD),
        ("pgbench/tpcb.txt", set()),
        ("pgbench/pglog.11781", set()),
        ("sysbench/s1_cpu.txt", set()),
        ("sysbench/s3_oltp_read_write_pgsql.txt", set()),
        ("distribution/published.json", FRAUD),
        ("act/act66_storage_3x_1dev_us_90s.log", {*FRAUD, "act-limits", "act-performance"}),
        ("act/act66_index_1x_1dev_us_60s.log", set()),
    ],
)
def test_which_budgets_a_run_is_judged_by(uploader: Uploader, sample: str, budgets: set[str]) -> None:
    assert set(verdicts_of(uploader, SAMPLES / sample)) == budgets


@pytest.mark.parametrize(
    "sample", ["memtier/given1.json", "hdr_log/ycsb_READ.hdr", "pgbench/select_only.txt", "fio/randread.json"]
)
def test_a_closed_loop_proves_no_pass(uploader: Uploader, sample: str) -> None:
    for name, one in verdicts_of(uploader, SAMPLES / sample).items():
        assert one["words"] != "PASS, proven", name
        if one["verdict"] == "PASS":
            assert one["unproven"] == "generator", name
            assert CLOSED in one["reason_text"]


def test_too_low_a_rate_of_a_closed_loop_is_a_miss_of_this_run(uploader: Uploader) -> None:
    """88,233 operations a second over 50 connections do not say what the server can do over more."""
    found = verdicts_of(uploader, SAMPLES / "memtier/given1.json")["m2g2"]
    throughput, _ = found["criteria"]
    assert throughput["words"] == "FAIL in this run"
    assert CLOSED in throughput["reason_text"]
    assert "88.22 thousand/s" in throughput["reason_text"]


def test_summaries_alone_are_resolved_no_finer_than_they_are(uploader: Uploader) -> None:
    found = verdicts_of(uploader, SAMPLES / "redis_benchmark/r1_csv_get_set.txt")
    for one in found.values():
        assert one["strength"] != "proven"
        assert one["transaction"]["p_lower_confident"] <= one["transaction"]["p_lower"]
        assert one["transaction"]["p_lower"] <= one["transaction"]["p_upper"]


def test_the_machine_of_an_agents_file_is_that_of_the_run(uploader: Uploader) -> None:
    (run,) = uploader.send_paths(SAMPLES / "agent" / "fraud-null-4s.ndjson")["runs"]
    host = uploader.get(f"/runs/{run['run_id']}")["host"]
    assert host["cpu"]["model"] == "Intel(R) Xeon(R) Processor"
    assert host["memory"]["total_bytes"] == 25_276_502_016


def test_a_run_of_other_transactions_answers_its_own_plan_first(uploader: Uploader) -> None:
    """Ten at a time are not one after another: what was measured decides the plan of the run, and the
    built-in question stays beside it, on its page as in lists.
    """
    log = with_plan({"keys_per_transaction": 250, "fan_out": 10, "scheduling": "pool", "batch": 1})
    (run,) = uploader.send([("pool.ndjson", log)])["runs"]
    own, built_in = uploader.judged(run["run_id"])["verdicts"]
    assert own["budget"]["title"] == "250 reads, 10 at a time, in 1 s"
    assert own["transaction"]["measured"]["is_asked"] is True
    assert built_in["budget"]["name"] == "fraud-250-sequential"
    assert built_in["transaction"]["measured"]["is_asked"] is False
    listed = next(one for one in uploader.get("/runs")["runs"] if one["run_id"] == run["run_id"])
    assert [one["budget_title"] for one in listed["verdicts"]] == [
        "250 reads, 10 at a time, in 1 s",
        "250 reads in 1 s",
    ]


def with_plan(fraud: dict[str, Any]) -> bytes:
    """The result file of an agent's fraud check, as of another plan."""
    head, *rest = (SAMPLES / "agent" / "fraud-null-4s.ndjson").read_bytes().splitlines(keepends=True)
    document = json.loads(head)
    plan = document["announce"]["plan"]["fraud"]
    del plan["reads_per_transaction"]
    plan.update(fraud)
    return b"".join([json.dumps(document).encode() + b"\n", *rest])


def test_what_a_later_reading_lacks_is_judged_no_more(uploader: Uploader) -> None:
    """A run that turns out to have no reads keeps no verdict about them."""
    (run,) = uploader.send_paths(SAMPLES / "hdr_log/memtier_GET_command_run_1.hgrm")["runs"]
    assert {one["budget"]["name"] for one in uploader.judged(run["run_id"])["verdicts"]} > FRAUD
    with uploader.database.transaction() as session:
        session.execute(update(Series).where(Series.run_id == UUID(run["run_id"])).values(operation="set"))
        session.execute(delete(AnalysisState).where(AnalysisState.run_id == UUID(run["run_id"])))
    assert [one["budget"]["name"] for one in uploader.judged(run["run_id"])["verdicts"]] == ["m2g2"]


def test_a_question_on_demand_finds_the_read_too(uploader: Uploader) -> None:
    (run,) = uploader.send_paths(SAMPLES / "memtier/given1.json")["runs"]
    uploader.judged(run["run_id"])
    answer = uploader.post(
        "/sla/evaluate",
        {"subject": {"run_id": run["run_id"]}, "budget": {"name": "fraud-250-sequential"}},
    )
    assert answer["subject"]["samples"] == 705_845


def test_intended_operations_and_gaps_of_an_agent_are_kept(uploader: Uploader) -> None:
    """A result file without some of its intervals proves no PASS, as the run itself would not."""
    lines = (SAMPLES / "agent" / "act-null-4s.ndjson").read_bytes().splitlines(keepends=True)
    whole = uploader.send([("run.ndjson", b"".join(lines))])["runs"][0]
    reads = next(
        one
        for one in uploader.get(f"/runs/{whole['run_id']}")["series"]
        if (one["operation"], one["clock"]) == ("read", "response")
    )
    assert reads["target_count"] > 0
    assert reads["missing_intervals"] == 0
    documents = [json.loads(line) for line in lines]
    number = int(reads["source_name"].removeprefix("series "))
    of_reads = [
        (document, one)
        for document in documents
        for one in document.get("intervals") or ()
        if one["series"] == number
    ]
    document, one = of_reads[len(of_reads) // 2]
    document["intervals"].remove(one)
    lines = [json.dumps(document).encode() + b"\n" for document in documents]
    cut = uploader.send([("cut.ndjson", b"".join(lines))])["runs"][0]
    detail = uploader.judged(cut["run_id"])
    assert sum(one["missing_intervals"] for one in detail["series"]) > 0
    limits = next(one for one in detail["verdicts"] if one["budget"]["name"] == "act-limits")
    assert (limits["verdict"], limits["reason"]) == ("INDETERMINATE", "generator")
    assert "intervals of the record" in limits["reason_text"]


def test_how_late_and_how_busy_the_generator_of_an_agent_was_is_kept(uploader: Uploader) -> None:
    lines = [
        json.loads(line) for line in (SAMPLES / "agent" / "act-null-4s.ndjson").read_bytes().splitlines()
    ]
    first, second = (one for line in lines for one in line.get("intervals") or () if one["series"] == 1)
    first |= {"lateness_p99_ns": 52_000, "busy_ns": 1_900_000_000}
    sent = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    (run,) = uploader.send([("run.ndjson", sent)])["runs"]
    reads = next(
        one for one in uploader.get(f"/runs/{run['run_id']}")["series"] if one["operation"] == "read"
    )
    with uploader.database.transaction() as session:
        rows = [
            session.get_one(IntervalRow, (UUID(run["run_id"]), reads["series_no"], seq))
            for seq in (first["seq"], second["seq"])
        ]
    assert [(row.lateness_p99_ns, row.busy_ns) for row in rows] == [(52_000, 1_900_000_000), (None, None)]
    assert {(row.in_flight, row.oldest_in_flight_ns, row.temperature_millicelsius) for row in rows} == {
        (None, None, None)
    }
    shown = next(
        one
        for one in uploader.get(f"/runs/{run['run_id']}/timeline")["series"]
        if (one["operation"], one["clock"]) == ("read", "response")
    )
    assert shown["ticks"]["lateness_p99_ns"] == [52_000, None]
    assert shown["ticks"]["busy_ratio"] == [0.95, None]


def test_periods_of_summaries_are_shown(uploader: Uploader) -> None:
    (run,) = uploader.send_paths(SAMPLES / "memtier/given1.json")["runs"]
    for series in uploader.get(f"/runs/{run['run_id']}")["series"]:
        assert len(series["periods"]) == 11
        starts = [one["start_ns"] for one in series["periods"]]
        assert starts == sorted(starts)
        for one in series["periods"]:
            assert one["p50_upper_ns"] is None or one["p50_lower_ns"] <= one["p50_upper_ns"]


def of_transactions(**facts: int | None) -> bytes:
    """The agent's transactions, each of them 2 s long, and what their intervals say of the generator."""
    sample = SAMPLES / "agent" / "fraud-null-4s.ndjson"
    documents = [json.loads(line) for line in sample.read_bytes().splitlines()]
    layout, late_ns = HdrLayout(1_000, 3), 2 * NS_PER_S
    for one in (one for document in documents for one in document.get("intervals") or ()):
        if one["series"] in {1, 3} and one["count"]:
            counts = Counts(layout.index_of(np.array([late_ns // 1_000])), np.array([one["count"]], np.int64))
            one["histogram"] = base64.b64encode(encode(counts, layout)).decode()
            one |= {"min_ns": late_ns, "max_ns": late_ns, "sum_ns": late_ns * one["count"]}
            one |= {"pins": [one["count"]] * len(one["pins"]), **facts}
    return b"".join(json.dumps(document).encode() + b"\n" for document in documents)


@pytest.mark.parametrize(
    ("lateness_ns", "wanted"), [(100_000_000, ("FAIL", None)), (100_000_001, ("INDETERMINATE", "generator"))]
)
def test_a_stored_file_is_doubted_by_a_tenth_of_what_is_asked(
    uploader: Uploader, lateness_ns: int, wanted: tuple[str, str | None]
) -> None:
    """Transactions have a second; limits that the reading would add lie far below its tenth."""
    (run,) = uploader.send([("run.ndjson", of_transactions(lateness_p99_ns=lateness_ns))])["runs"]
    (found,) = uploader.judged(run["run_id"])["verdicts"]
    assert (found["verdict"], found["reason"]) == wanted
    assert found["validity"]["lateness_p99_ns"] == lateness_ns
    assert (found["validity"]["doubtful"] > 0) == (wanted[0] == "INDETERMINATE")
