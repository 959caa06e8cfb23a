"""Intervals of a late or busy generator, from the table to the verdict: they prove no FAIL."""

from collections.abc import Mapping, Sequence
from uuid import UUID

import numpy as np
import pytest
from backend.tests.agent import Agent, interval
from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_intervals,
    add_run,
    finish,
    look_at_run,
    steady,
)
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from tailroom.budgets.documents import BUILT_IN
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.domain.verdicts.budget import budget_of
from tailroom.domain.verdicts.compaction import compact_evidence
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.evidence.run import evidence_of
from tailroom.judging.run_verdicts import JudgedBudget, judge_run
from tailroom.kit.db import Database
from tailroom.kit.transactions import same_transaction
from tailroom.records.rollup import roll_up
from tailroom.records.run_record import load_record
from tailroom.runs.verdicts import shown_verdicts
from tailroom.storage.interval import IntervalRow
from tailroom.storage.run import Run
from tailroom.storage.slices import HOUR, MINUTE, RUN, Slice

LATE_NS = 2_300_000
ON_TIME = {"lateness_p99_ns": 40_000, "busy_ns": 2 * NS_PER_S}
LATE = {"lateness_p99_ns": LATE_NS, "busy_ns": 2 * NS_PER_S}
BUSY = {"lateness_p99_ns": 40_000, "busy_ns": 8 * NS_PER_S}
SILENT: dict[str, int | None] = {"lateness_p99_ns": None, "busy_ns": None}
INTERVALS = 36


def reads(
    conditions: Sequence[Mapping[str, int | None]], slow: Sequence[int] = tuple(range(0, INTERVALS, 3))
) -> SeriesSpec:
    """Every third interval has four fifths of its reads at 60 ms."""
    latencies = steady(2_000, INTERVALS)
    for seq in slow:
        latencies[seq][:1_600] = 60 * NS_PER_MS
    return SeriesSpec("read", latencies, conditions=conditions)


def every_third(
    first: Mapping[str, int | None], other: Mapping[str, int | None]
) -> list[Mapping[str, int | None]]:
    return [first if seq % 3 == 0 else other for seq in range(INTERVALS)]


def stored(session: Session, *specs: SeriesSpec, ended: bool = True, steps: int = 1) -> Run:
    run_id = add_run(session, specs, plan={"fraud": {"reads_per_transaction": 250}})
    longest = max(len(one.latencies) for one in specs)
    for step in range(steps):
        first, last = longest * step // steps, longest * (step + 1) // steps - 1
        add_intervals(session, run_id, specs, first, last)
        roll_up(same_transaction(session), run_id)
    if ended:
        finish(session, run_id, specs)
    return session.get_one(Run, run_id)


def judged(session: Session, run: Run, budget: str, *, coarse: bool = False) -> JudgedBudget:
    session.expire_all()
    (found,) = judge_run(load_record(session, run, coarse=coarse), [budget_of(budget)])
    return found


def word(found: JudgedBudget) -> tuple[str, str | None]:
    return found.judgement.verdict.value, found.judgement.reason


def test_slices_count_their_intervals_in_doubt(session: Session) -> None:
    conditions: list[Mapping[str, int | None]] = [
        LATE,
        BUSY,
        LATE | BUSY | {"lateness_p99_ns": LATE_NS + 1},
        SILENT,
        *[ON_TIME] * 32,
    ]
    facts = ("late_intervals", "busy_intervals", "doubtful_intervals", "lateness_p99_ns", "busy_ppm")
    for steps in (1, 5):
        run = stored(session, reads(conditions), steps=steps)
        rows = session.execute(
            select(Slice.width, Slice.slice_no, *(getattr(Slice, name) for name in facts))
            .where(Slice.run_id == run.run_id)
            .order_by(Slice.width, Slice.slice_no)
        ).all()
        found = {(row[0], row[1]): tuple(row[2:]) for row in rows}
        assert found[MINUTE, 0] == (2, 2, 3, LATE_NS + 1, 800_000)
        assert found[MINUTE, 1] == (0, 0, 0, 40_000, 200_000)
        assert found[HOUR, 0] == found[RUN, 0] == (2, 2, 3, LATE_NS + 1, 800_000)


def test_slices_without_facts_know_nothing(session: Session) -> None:
    run = stored(session, reads([]))
    row = session.scalars(select(Slice).where(Slice.run_id == run.run_id, Slice.width == RUN)).one()
    assert (row.lateness_p99_ns, row.busy_ppm, row.doubtful_intervals) == (None, None, 0)
    validity = judged(session, run, "act-limits").result["validity"]
    assert (validity["slices"], validity["doubtful"], validity["is_known"]) == (INTERVALS, 0, False)


@pytest.mark.parametrize(
    ("doubtful", "ended", "coarse"), [(LATE, True, False), (LATE, False, True), (BUSY, False, False)]
)
def test_a_fail_that_needs_intervals_in_doubt_is_none(
    session: Session, doubtful: Mapping[str, int | None], *, ended: bool, coarse: bool
) -> None:
    plain, without_facts, on_time, staying = (
        stored(session, reads(conditions), ended=ended)
        for conditions in (
            [],
            every_third(doubtful, SILENT),
            every_third(doubtful, ON_TIME),
            # The doubt is where nothing was slow: what was slow is enough.
            [SILENT, *every_third(ON_TIME, doubtful)[1:]],
        )
    )
    for budget in ("act-limits", "fraud-250-sequential"):
        for run in (without_facts, on_time):
            found = judged(session, run, budget, coarse=coarse)
            assert word(found) == ("INDETERMINATE", "generator")
            assert found.judgement.reason_text.startswith("12 of 36 slices are unreliable: ")
            assert found.judgement.reason_text.endswith("; without them this is no FAIL")
            assert found.result["validity"]["doubtful"] == 12
        before, after = (judged(session, run, budget, coarse=coarse).judgement for run in (plain, staying))
        assert (before.verdict, before.reason) == (after.verdict, after.reason) == ("FAIL", None)
        assert (after.strength, after.reason_text) == (before.strength, before.reason_text)
        # Unreliable slices leave the bounds of the run apart.
        recorded, widened = before.observed.bounds, after.observed.bounds
        assert recorded is not None
        assert widened is not None
        assert widened.lower <= recorded.lower
        assert recorded.upper <= widened.upper


def test_the_same_record_gives_the_same_bytes_and_doubt_gives_others(session: Session) -> None:
    run = stored(session, reads(every_third(LATE, ON_TIME)))
    first, again = (judged(session, run, "act-limits") for _ in range(2))
    assert (first.fingerprint, first.result) == (again.fingerprint, again.result)
    session.execute(update(IntervalRow).where(IntervalRow.run_id == run.run_id).values(lateness_p99_ns=None))
    assert judged(session, run, "act-limits").fingerprint != first.fingerprint


def test_minutes_are_in_doubt_as_wholes_once_intervals_are_gone(session: Session) -> None:
    """Six intervals to the minute: slow ones of minutes 0 to 2 are late, those of minutes 3 to 5 are not."""
    conditions = [LATE if seq % 3 == 0 and seq < 18 else ON_TIME for seq in range(INTERVALS)]
    for slow, wanted in ((range(0, 18, 3), "INDETERMINATE"), (range(0, 36, 3), "FAIL")):
        run = stored(session, reads(conditions, tuple(slow)))
        before = judged(session, run, "act-limits")
        session.execute(delete(IntervalRow).where(IntervalRow.run_id == run.run_id))
        after = judged(session, run, "act-limits")
        assert before.judgement.verdict == after.judgement.verdict == wanted
        assert after.result["validity"] == before.result["validity"]


def test_an_hour_fails_by_what_is_not_in_doubt(session: Session) -> None:
    """Ten-minute intervals; one of the first hour and one of the second are too slow for their hours."""
    latencies = steady(2_000, 12)
    for seq in (2, 8):
        latencies[seq][:1_000] = 20 * NS_PER_MS
    every = {"busy_ns": 0, "lateness_p99_ns": 0}

    def run_with(*late: int) -> JudgedBudget:
        conditions = [every | {"lateness_p99_ns": LATE_NS if seq in late else 0} for seq in range(12)]
        spec = SeriesSpec("read", latencies, interval_ns=600 * NS_PER_S, conditions=conditions)
        return judged(session, stored(session, spec), "act-performance")

    assert word(run_with()) == ("FAIL", None)
    assert word(run_with(2)) == ("FAIL", None)
    assert word(run_with(2, 7)) == ("FAIL", None)
    assert word(run_with(2, 8)) == ("INDETERMINATE", "generator")


def test_a_pass_stands_and_says_how_much_is_in_doubt(session: Session) -> None:
    found = judged(session, stored(session, reads([LATE] * INTERVALS, slow=())), "act-limits")
    assert word(found) == ("PASS", None)
    assert found.result["validity"] == {
        "slices": INTERVALS,
        "doubtful": INTERVALS,
        "late": INTERVALS,
        "busy": 0,
        "lateness_p99_ns": LATE_NS,
        "busy_ratio": 0.2,
        "late_limit_ns": 100_000,
        "is_known": True,
    }


def test_slices_that_are_late_by_different_times_are_prepared_for_every_question(session: Session) -> None:
    """At its best an operation has no unreliable slices, whatever limit a question has."""
    late_by_ns = (0, 3_000, 40_000, 600_000, 5_000_000, 30_000_000)
    conditions = [
        {"lateness_p99_ns": late_by_ns[seq % 6], "busy_ns": 2 * NS_PER_S} for seq in range(INTERVALS)
    ]
    for run in (stored(session, reads(conditions)), stored(session, reads(conditions), ended=False)):
        evidence = evidence_of(load_record(session, run))
        compact = compact_evidence(evidence, (("read",),))
        for budget in BUILT_IN:
            full, quick = (judge_budget(budget, run, bins=4_096) for run in (evidence, compact))
            assert full.judgement.verdict is quick.judgement.verdict, budget.name
        best = evidence.operations[0].with_late_limit(1_000_000).at_best
        assert best.with_late_limit(1_000).at_best is best


def test_what_is_shown_of_a_run_says_it(session: Session) -> None:
    run = stored(session, reads(every_third(LATE, ON_TIME)))
    look_at_run(session, run.run_id, MOMENT)
    shown = {one.budget.name: one for one in shown_verdicts(session, [run.run_id])[run.run_id]}
    limits = shown["act-limits"]
    assert (limits.verdict, limits.reason) == ("INDETERMINATE", "generator")
    assert limits.validity is not None
    assert (limits.validity.doubtful, limits.validity.late, limits.validity.slices) == (12, 12, INTERVALS)
    assert limits.exceedance is not None
    assert "FAIL" not in {row.verdict for row in limits.exceedance.rows}


def test_numbers_at_their_best_are_those_of_their_pieces(session: Session) -> None:
    """The whole, the pieces and their buckets tell the same, with unfinished operations answered."""
    run = stored(session, reads(every_third(LATE, SILENT)))
    (operation,) = load_record(session, run).operations
    (part,) = operation.at_best.parts
    assert part.total is not None
    whole = part.intervals.total()
    assert part.total.pins.tolist() == list(whole.pins.values()) == part.slices.pins.sum(axis=0).tolist()
    assert operation.at_best.dist.total == operation.dist.total
    assert operation.at_best.generation == operation.generation
    assert np.array_equal(part.over(8 * NS_PER_MS), part.intervals.over(8 * NS_PER_MS)[1])


@pytest.mark.parametrize(
    ("facts", "said", "ended"),
    [
        ({"lateness_p99_ns": 100_000, "busy_ns": 700_000_000}, ("FAIL", None), True),
        ({"lateness_p99_ns": 100_001}, ("INDETERMINATE", "generator"), False),
        ({"busy_ns": 700_000_001}, ("INDETERMINATE", "generator"), True),
    ],
)
def test_what_an_agent_posts_decides(
    agent: Agent, database: Database, facts: dict[str, int], said: tuple[str, str | None], *, ended: bool
) -> None:
    """Every third read takes 1.5 ms, during a minute."""
    agent.announce()
    more = facts | {"timeouts": 0, "target_count": 3, "lateness_max_ns": 200_000}
    sent = [interval(1, seq, **more) for seq in range(60)]
    assert agent.send(sent).status_code == 200
    if ended:
        assert agent.finish({1: 59}).status_code == 200
    with database.transaction() as other:
        look_at_run(other, UUID(agent.run_id), MOMENT)
    with database.transaction() as other:
        shown = shown_verdicts(other, [UUID(agent.run_id)])[UUID(agent.run_id)]
    (limits,) = (one for one in shown if one.budget.name == "act-limits")
    assert (limits.verdict, limits.reason, limits.provisional) == (*said, not ended)
    assert limits.validity is not None
    assert limits.validity.is_known
    assert limits.validity.doubtful == (0 if said[0] == "FAIL" else 60)
