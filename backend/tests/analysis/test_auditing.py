"""Runs are audited when they are judged, in the same transaction, and again when data or checks change."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_ended_run,
    add_intervals,
    add_run,
    due_runs,
    finish,
    look_at_run,
    steady,
)
from backend.tests.uploads.conftest import SAMPLES, Uploader
from fastapi.testclient import TestClient
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tailroom.domain.plausibility import AUDIT_VERSION
from tailroom.judging import judgement, renewal
from tailroom.judging.findings import facts_of, in_flight_most
from tailroom.kit.db import Database
from tailroom.records.run_record import RunRecord
from tailroom.storage.audit import RunFinding
from tailroom.storage.run import Run
from tailroom.storage.slices import AnalysisState

MEMTIER = SAMPLES / "memtier" / "given1.json"
Json = dict[str, Any]


@pytest.fixture
def uploader(client: TestClient, database: Database, make_token: Callable[..., str]) -> Uploader:
    """Somebody who sends files."""
    return Uploader(client, database, make_token("engineer"))


def findings(session: Session, run_id: Any) -> list[RunFinding]:
    query = select(RunFinding).where(RunFinding.run_id == run_id).order_by(RunFinding.position)
    return list(session.scalars(query))


def test_an_agent_run_is_audited_with_its_verdicts(session: Session) -> None:
    specs = [
        SeriesSpec("read", steady(2_000, 3, 500_000, seed=2)),
        SeriesSpec("read", steady(2_000, 3, 400_000, seed=2), clock="service"),
    ]
    run_id = add_ended_run(session, specs)
    looked = look_at_run(session, run_id, MOMENT)
    assert looked is not None
    assert looked.audited
    found = findings(session, run_id)
    assert {row.check_id for row in found} == {"P2", "P3", "P5", "P14"}
    assert [row.kind for row in found if row.severity not in {"info"}] == []
    state = session.get_one(AnalysisState, run_id)
    assert state.audit_version == AUDIT_VERSION


def test_findings_are_replaced_when_more_data_come(session: Session) -> None:
    honest = steady(2_000, 4, 500_000)
    specs = [
        SeriesSpec("read", honest),
        # From the third interval on the part takes longer than the whole.
        SeriesSpec("read", [*honest[:2], *(one + 3_000_000 for one in honest[2:])], clock="service"),
    ]
    run_id = add_run(session, specs)
    add_intervals(session, run_id, specs, 0, 1)
    look_at_run(session, run_id, MOMENT)
    assert "device above total" not in {row.kind for row in findings(session, run_id)}
    add_intervals(session, run_id, specs, 2, 3)
    finish(session, run_id, specs)
    look_at_run(session, run_id, MOMENT)
    wrong = [row for row in findings(session, run_id) if row.kind == "device above total"]
    assert [row.severity for row in wrong] == ["high"]
    positions = [row.position for row in findings(session, run_id)]
    assert positions == list(range(len(positions)))


def test_other_checks_audit_final_runs_again(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    specs = [SeriesSpec("read", steady(500, 2))]
    run_id = add_ended_run(session, specs)
    look_at_run(session, run_id, MOMENT)
    assert run_id not in due_runs(session, MOMENT)
    looked = look_at_run(session, run_id, MOMENT)
    assert looked is not None
    assert (looked.judged, looked.audited, looked.changed) == (False, False, [])

    for module in (judgement, renewal):
        monkeypatch.setattr(module, "AUDIT_VERSION", AUDIT_VERSION + 1)
    assert run_id in due_runs(session, MOMENT)
    looked = look_at_run(session, run_id, MOMENT)
    assert looked is not None
    assert (looked.judged, looked.audited, looked.changed) == (False, True, ["verdicts"])
    assert run_id not in due_runs(session, MOMENT)


def test_too_little_load_is_said(session: Session) -> None:
    values = steady(1_000, 3)
    specs = [SeriesSpec("read", values, target_counts=[1_500] * 3)]
    run_id = add_ended_run(session, specs)
    look_at_run(session, run_id, MOMENT)
    (row,) = [one for one in findings(session, run_id) if one.check_id == "P2"]
    assert row.kind == "load not reached"
    share = next(one for one in row.figures if one["label"] == "achieved share")
    assert share["value"] == pytest.approx(2 / 3)


def test_findings_of_a_deleted_run_go_with_it(session: Session) -> None:
    specs = [SeriesSpec("read", [np.full(200, 400_000, np.int64)])]
    run_id = add_run(session, specs)
    add_intervals(session, run_id, specs)
    look_at_run(session, run_id, MOMENT)
    assert findings(session, run_id)
    session.delete(session.get_one(Run, run_id))
    session.flush()
    count = select(func.count()).select_from(RunFinding).where(RunFinding.run_id == run_id)
    assert session.scalar(count) == 0


def test_an_upload_is_audited_and_says_which_checks_were_made(uploader: Uploader) -> None:
    run_id = uploader.send_paths(MEMTIER)["runs"][0]["run_id"]
    before = uploader.get(f"/runs/{run_id}/findings")
    assert (before["audit_version"], before["findings"]) == (None, [])
    uploader.judged(run_id)
    after = uploader.get(f"/runs/{run_id}/findings")
    assert after["audit_version"] == AUDIT_VERSION
    assert {one["kind"] for one in after["findings"]} == {"consistent"}
    assert {one["check"] for one in after["findings"]} >= {"P1", "P2", "P3", "P7"}
    (flight,) = [one for one in after["findings"] if one["check"] == "P1"]
    assert "50" in flight["statement"], "2 threads of 25 clients"


def test_a_summary_that_its_own_buckets_refute_is_found(uploader: Uploader) -> None:
    text = MEMTIER.read_text()
    sets = text.index('"Percentile Latencies"', text.index('"Sets"'))
    name = '"p99.00":'
    at = text.index(name, sets) + len(name)
    end = min(text.index(mark, at) for mark in ",}\n")
    wrong = text[:at] + " 0.050" + text[end:]
    run_id = uploader.send([("planted.json", wrong.encode())])["runs"][0]["run_id"]
    uploader.judged(run_id)
    found = uploader.get(f"/runs/{run_id}/findings")["findings"]
    high = [one for one in found if one["severity"] == "high"]
    assert {one["check"] for one in high} == {"P3"}
    assert any("0.05" in one["statement"] for one in high)
    assert all(one["check_title"] and one["figures"] for one in high)


@pytest.mark.parametrize(
    ("tool", "stated", "most"),
    [
        ("memtier_benchmark", {"clients": 25, "threads": 2, "pipeline": 3}, 150),
        ("memtier_benchmark", {"clients": 25, "threads": 2}, None),
        ("ycsb", {"threads": "8"}, 8),
        ("asbench", {"threads": 8, "asynchronous": True}, None),
        ("fio", {"iodepth": 8}, None),
        *(("pgbench", {"connections": number}, None) for number in (0, True, "x", 2.5, None)),
    ],
)
def test_what_can_be_in_flight_is_never_guessed(tool: str, stated: Json, most: float | None) -> None:
    assert in_flight_most(Run(tool=tool, source="upload", plan={}), stated) == most


SLOW_AND_FAST = [{"speed_mbit_per_s": 1_000}, {"speed_mbit_per_s": 25_000}, {"speed_mbit_per_s": None}, 5]


@pytest.mark.parametrize(
    ("address", "interfaces", "link_bits_per_s"),
    [
        ("db-1:6379", SLOW_AND_FAST, 25e9),
        ("db-1:6379", [{"speed_mbit_per_s": 1}], 1e6),
        ("db-1:6379", [{"speed_mbit_per_s": 0}, {"speed_mbit_per_s": -1}], None),
        ("db-1:6379", None, None),
        *(
            (here, SLOW_AND_FAST, None)
            for here in ("127.0.0.1:1", "localhost:1", "[::1]:1", "/run/db.sock", "")
        ),
    ],
)
def test_the_fastest_interface_is_the_link_to_another_machine(
    address: str, interfaces: Any, link_bits_per_s: float | None
) -> None:
    run = Run(source="agent", plan={"fraud": {"address": address}}, host={"network_interfaces": interfaces})
    assert facts_of(RunRecord(run, (), 0)).link_bits_per_s == link_bits_per_s


@pytest.mark.parametrize(
    ("tool", "plan", "sizes"),
    [
        (None, {"fraud": {"value_bytes": 1_536}}, {"read": 1_536}),
        (None, {"fraud": {"value_bytes": 0}}, {}),
        *(
            ("fio", {"parameters": {"bs": text}}, {"read": size, "write": size})
            for text, size in (("512", 512), (" 512B ", 512), ("4k", 4_096), ("1M", 2**20))
        ),
        *(("fio", {"parameters": {"bs": text}}, {}) for text in ("4k-8k", "4k,8k", "4g", "4kb", "k", 4_096)),
        ("vdbench", {"parameters": {"bs": "4k"}}, {}),
    ],
)
def test_the_size_of_an_operation_is_stated_or_unknown(tool: str | None, plan: Json, sizes: Json) -> None:
    run = Run(source="upload", tool=tool, plan=plan, host={})
    assert facts_of(RunRecord(run, (), 0)).operation_bytes == sizes
