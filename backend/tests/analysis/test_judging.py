"""What of a verdict's figures is handed on, and that the same record gives the same bytes."""

import json
from datetime import datetime, timedelta
from itertools import pairwise
from uuid import UUID

import numpy as np
import pytest
from backend.bench.hdr_distributions import hdr_distribution
from backend.tests.analysis.recording import (
    SeriesSpec,
    add_ended_run,
    add_intervals,
    add_run,
    finish,
    steady,
)
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from tailroom.budgets.documents import BUILT_IN
from tailroom.budgets.service import digests_of_workloads
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.verdicts.budget import FRAUD_250_SEQUENTIAL_1
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.judging.judgement import judge
from tailroom.judging.renewal import runs_to_judge
from tailroom.judging.run_verdicts import JudgedBudget, judge_run
from tailroom.kit.clock import utc_now
from tailroom.kit.transactions import same_transaction
from tailroom.records.rollup import roll_up
from tailroom.records.run_record import load_record
from tailroom.storage.run import Run
from tailroom.storage.slices import AnalysisState
from tailroom.storage.verdicts import VerdictRow
from tailroom.storage.work import WorkRow
from tailroom.work.kinds import AUDIT, DRAW, RATE

SPECS = [
    SeriesSpec("read", steady(2_000, 12), misses={3: 2}),
    SeriesSpec("read", steady(2_000, 12, seed=2), clock="service"),
    SeriesSpec("write", steady(500, 12, seed=3)),
    SeriesSpec("transaction", steady(100, 12, 120_000_000, seed=4), pins=(10**9,)),
]


def stored(session: Session, *, ended: bool = True) -> Run:
    run_id = add_run(session, SPECS, plan={"fraud": {"reads_per_transaction": 250}})
    add_intervals(session, run_id, SPECS)
    if ended:
        finish(session, run_id, SPECS)
    roll_up(same_transaction(session), run_id)
    return session.get_one(Run, run_id)


def judged(session: Session, run: Run, *, coarse: bool = False) -> dict[str, JudgedBudget]:
    session.expire_all()
    found = judge_run(load_record(session, run, coarse=coarse), BUILT_IN)
    return {one.budget.name: one for one in found}


def test_every_built_in_budget_is_judged_and_can_be_stored(session: Session) -> None:
    verdicts = judged(session, stored(session))
    assert set(verdicts) == {budget.name for budget in BUILT_IN}
    for one in verdicts.values():
        assert json.loads(json.dumps(one.result, allow_nan=False)) == one.result
        assert one.result["verdict"] == one.judgement.verdict.value
        assert not one.provisional
    fraud = verdicts["fraud-250-sequential"].result["transaction"]
    assert fraud["measured"]["total_count"] == 1_200


def test_the_same_record_gives_the_same_bytes(session: Session) -> None:
    run = stored(session)
    first, again = judged(session, run), judged(session, run)
    for name, one in first.items():
        assert json.dumps(again[name].result) == json.dumps(one.result)
        assert again[name].fingerprint == one.fingerprint


def test_a_fingerprint_is_of_what_was_asked_about(session: Session) -> None:
    run = stored(session)
    before = judged(session, run)
    session.execute(
        text("UPDATE interval SET sum_ns = sum_ns - 1 WHERE run_id = :run_id AND series_no = 2 AND seq = 0"),
        {"run_id": run.run_id},
    )
    after = judged(session, run)
    assert after["act-limits"].fingerprint == before["act-limits"].fingerprint
    assert after["m2g2"].fingerprint != before["m2g2"].fingerprint


def test_a_run_that_goes_on_is_judged_by_a_coarse_record(session: Session) -> None:
    run = stored(session, ended=False)
    fine, coarse = judged(session, run), judged(session, run, coarse=True)
    assert all(one.provisional for one in coarse.values())
    assert {name: one.judgement for name, one in coarse.items()} == {
        name: one.judgement for name, one in fine.items()
    }


def test_a_run_that_goes_on_waits_for_the_pause_of_the_installation_and_its_end_does_not(
    session: Session,
) -> None:
    run_id, began, pause = add_run(session, SPECS), utc_now(), timedelta(seconds=30)

    def look(after_s: float) -> tuple[bool, datetime | None]:
        found = judge(same_transaction(session), run_id, began + timedelta(seconds=after_s), live_pause=pause)
        assert found is not None
        return found.judged, found.again_at

    add_intervals(session, run_id, SPECS, 0, 3)
    assert look(0) == (True, None)
    add_intervals(session, run_id, SPECS, 4, 7)
    assert look(29.9) == (False, began + pause)
    assert look(30) == (True, None)
    add_intervals(session, run_id, SPECS, 8, 11)
    finish(session, run_id, SPECS)
    assert look(30.1) == (True, None)


def test_a_verdict_that_stays_equal_keeps_its_time(session: Session) -> None:
    run_id, began = add_run(session, SPECS), utc_now()

    def times(after_s: float) -> set[float]:
        judge(same_transaction(session), run_id, began + timedelta(seconds=after_s))
        session.expire_all()
        rows = session.scalars(select(VerdictRow).where(VerdictRow.run_id == run_id))
        return {(row.computed_at - began).total_seconds() for row in rows}

    add_intervals(session, run_id, SPECS, 0, 3)
    assert times(0) == {0}
    assert times(60) == {0}
    add_intervals(session, run_id, SPECS, 4, 7)
    assert 120 in times(120)


def test_a_final_verdict_makes_due_what_follows_from_it(session: Session) -> None:
    def due(run_id: UUID) -> set[str]:
        judge(same_transaction(session), run_id, utc_now())
        return set(session.scalars(select(WorkRow.kind).where(WorkRow.subject == run_id)))

    assert due(add_ended_run(session, SPECS)) == {AUDIT.name, DRAW.name, RATE.name}
    assert due(add_ended_run(session, SPECS, workload="fraud")) == {AUDIT.name, DRAW.name}
    unfinished = add_run(session, SPECS)
    add_intervals(session, unfinished, SPECS, 0, 3)
    assert due(unfinished) == {AUDIT.name}


def test_verdicts_on_budgets_that_no_longer_apply_are_removed(session: Session) -> None:
    run_id = add_ended_run(session, SPECS)

    def budgets() -> set[str]:
        judge(same_transaction(session), run_id, utc_now())
        return set(session.scalars(select(VerdictRow.budget_name).where(VerdictRow.run_id == run_id)))

    assert budgets() == {"act-limits", "fraud-250-sequential"}
    session.get_one(Run, run_id).plan = {"job": {"kind": "load"}}
    assert budgets() == {"act-limits", "fraud-250-sequential"}
    session.get_one(AnalysisState, run_id).method_version = 0
    session.flush()
    assert budgets() == set()


def test_verdicts_on_a_run_that_goes_on_are_stale_with_new_data_alone(session: Session) -> None:
    run_id = add_run(session, SPECS)

    def is_stale() -> bool:
        return run_id in session.scalars(runs_to_judge(digests_of_workloads(session))).all()

    add_intervals(session, run_id, SPECS, 0, 3)
    assert is_stale()
    judge(same_transaction(session), run_id, utc_now())
    assert not is_stale()
    add_intervals(session, run_id, SPECS, 4, 7)
    assert is_stale()


def test_data_that_contradict_themselves_spoil_only_what_rests_on_them(session: Session) -> None:
    run = stored(session)
    session.execute(
        text("UPDATE slice SET sum_ns = 1 WHERE run_id = :run_id AND series_no = 2 AND width = 'run'"),
        {"run_id": run.run_id},
    )
    verdicts = judged(session, run)
    assert verdicts["m2g2"].result["reason"] == "metadata"
    assert "contradict" in verdicts["m2g2"].result["reason_text"]
    assert verdicts["act-limits"].result["verdict"] == "PASS"


@pytest.mark.parametrize("read_us", [40, 400, 3_000, 20_000])
def test_no_stretch_up_to_the_window_is_left_to_be_guessed(read_us: int) -> None:
    counts = Counts(HdrLayout().index_of(np.array([read_us])), np.array([750_000]))
    evidence = RunEvidence((OperationEvidence("read", "response", hdr_distribution(counts)),))
    points = judge_budget(FRAUD_250_SEQUENTIAL_1, evidence).document()["transaction"]["cdf"]
    assert len(points) <= 200
    for end in ("t_ns", "lower", "upper"):
        assert [point[end] for point in points] == sorted(point[end] for point in points)
    times = [point["t_ns"] for point in points]
    assert FRAUD_250_SEQUENTIAL_1.window_ns in times
    assert all(point["lower"] <= point["estimate"] <= point["upper"] for point in points)
    risen = [point["t_ns"] for point in points if point["upper"] > 0.5]
    assert all(after < 1.25 * before for before, after in pairwise(risen))
