"""From parsed runs to evidence: nothing is guessed, and what could be meant twice is asked for."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.rating.load_search import LoadBracket
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.units import NS_PER_S
from tailroom.domain.verdicts.budget import ACT_STRESS_1, FRAUD_250_SEQUENTIAL_1, M2G2_1, budget_of
from tailroom.domain.verdicts.budget_kinds import DISK_BYTES_PER_S, OPERATIONS_PER_S, RuleSet
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.objective_text import objective_of
from tailroom.domain.verdicts.unknown_conditions import CLOSED, LATENCY_UNIT, LOOP, OPERATION, UNNAMED
from tailroom.domain.verdicts.verdict import Reason, Verdict
from tailroom.evidence.answers import NO_ANSWERS, Answers, AnswersInvalid
from tailroom.evidence.file import SeriesAmbiguous, SeriesMissing, evidence_of
from tailroom.evidence.load_search import bracket_text, load_text, searches_of_files
from tailroom.evidence.run import evidence_of as stored_evidence
from tailroom.evidence.sent import InvalidValue, refuse_invalid_values
from tailroom.evidence.source import OperationOpen, about_own, named_operations, operations_of
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries
from tailroom.records.run_record import RunRecord
from tailroom.storage.run import Run

LAYOUT = ExplicitLayout((0, 1_000_000, 8_000_000))


def dist(count: int = 1000) -> LatencyDist:
    return LatencyDist(LAYOUT, Counts(np.array([0]), np.array([count])))


def series(operation: str = "read", clock: str = "response", **more: Any) -> ParsedSeries:
    return ParsedSeries(operation, clock, more.pop("record", dist()), **more)


def run(*parts: ParsedSeries, state: EndState = EndState.FINISHED, **more: Any) -> ParsedRun:
    return ParsedRun("test", "test", None, parts or (series(),), state, **more)


def test_the_preferred_clock_is_taken_and_whole_transactions_come_along() -> None:
    parsed = run(
        series(clock="service"),
        series(clock="response"),
        series("transaction"),
        parameters={"reads_per_transaction": 250},
    )
    found, used = evidence_of([parsed], FRAUD_250_SEQUENTIAL_1)
    assert [one.series.clock for one in used] == ["response"]
    whole = found.of("transaction")
    assert whole is not None
    assert whole.issued == Plan.sequential("read", 250)


def test_several_devices_or_runs_are_asked_about() -> None:
    with pytest.raises(SeriesAmbiguous, match="read/response/sdb"):
        evidence_of([run(series(device="sda"), series(device="sdb"))], FRAUD_250_SEQUENTIAL_1)
    with pytest.raises(SeriesAmbiguous, match="run-2/read"):
        evidence_of([run(), run()], FRAUD_250_SEQUENTIAL_1)
    with pytest.raises(SeriesAmbiguous, match="several runs"):
        evidence_of([run(), run()], budget_of("act-stress"))
    _, used = evidence_of([run(), run()], FRAUD_250_SEQUENTIAL_1, "2")
    assert used[0].number == 2


def test_of_several_operations_none_is_chosen_for_another() -> None:
    of_device = run(series("lookup", device="sda"), series("scan", clock="service", device="sda"))
    _, used = evidence_of([of_device], FRAUD_250_SEQUENTIAL_1, "lookup")
    assert [choice.series.operation for choice in used] == ["lookup"]
    with pytest.raises(SeriesAmbiguous, match="no operation 'read', and several others"):
        evidence_of([of_device], FRAUD_250_SEQUENTIAL_1, "sda")


def test_beside_its_devices_the_series_of_all_of_them_is_meant() -> None:
    _, used = evidence_of([run(series(device="sda"), series(), series(device="sdb"))], FRAUD_250_SEQUENTIAL_1)
    assert [one.series.device for one in used] == [None]


def test_a_file_without_series_is_refused() -> None:
    empty = ParsedRun("test", "test", None, (), EndState.FINISHED)
    for budget in (FRAUD_250_SEQUENTIAL_1, M2G2_1):
        with pytest.raises(SeriesMissing):
            evidence_of([empty], budget)


@pytest.mark.parametrize(
    ("state", "verdict", "reason"),
    [
        (EndState.FINISHED, Verdict.PASS, None),
        (EndState.DEVICE_TOO_SLOW, Verdict.FAIL, None),
        (EndState.GENERATOR_TOO_SLOW, Verdict.INDETERMINATE, Reason.GENERATOR),
        (EndState.KILLED, Verdict.INDETERMINATE, Reason.METADATA),
        (EndState.UNKNOWN, Verdict.INDETERMINATE, Reason.METADATA),
    ],
)
def test_how_a_run_ended_decides_a_stress_test(
    state: EndState, verdict: Verdict, reason: Reason | None
) -> None:
    ended = run(state=state, state_text="its words", duration_ns=86_400 * NS_PER_S)
    found, _ = evidence_of([ended], budget_of("act-stress"))
    assert found.completion_text == ("" if state is EndState.FINISHED else "its words")
    judgement = judge_budget(budget_of("act-stress"), found).judgement
    assert (judgement.verdict, judgement.reason) == (verdict, reason)


def test_a_closed_loop_is_handed_on() -> None:
    found, _ = evidence_of([run(closed_loop=True)], FRAUD_250_SEQUENTIAL_1)
    assert found.operations[0].load.closed_loop


def test_rates_are_counted_once_for_each_operation() -> None:
    parsed = run(series(), series(clock="service"), series("write"), duration_ns=2 * NS_PER_S)
    found, _ = evidence_of([parsed], M2G2_1)
    assert found.rates[OPERATIONS_PER_S].lower == 1000.0
    assert DISK_BYTES_PER_S not in found.rates


@pytest.mark.parametrize(("devices", "per_s"), [(("sda", "sdb"), 2_000.0), (("sda", "sdb", None), 1_000.0)])
def test_devices_are_counted_unless_all_of_them_together_are(
    devices: Sequence[str | None], per_s: float
) -> None:
    parsed = run(*(series(device=device) for device in devices), duration_ns=NS_PER_S)
    assert evidence_of([parsed], M2G2_1)[0].rates[OPERATIONS_PER_S].lower == per_s


def test_a_question_about_the_own_operation_is_about_the_only_one() -> None:
    own = objective_of("p99 < 5ms")
    assert about_own(own, ()) == own
    assert named_operations(about_own(own, ("get",))) == ("get",)
    with pytest.raises(OperationOpen, match="`get`, `set`"):
        about_own(own, ("get", "set"))


def test_without_the_number_of_every_operation_there_is_no_rate() -> None:
    uncounted = series("write", record=KnotsRecord((), mean_limits_ns=(1.0, 2.0)))
    found, _ = evidence_of([run(series(), uncounted, duration_ns=NS_PER_S)], M2G2_1)
    assert OPERATIONS_PER_S not in found.rates


def test_a_stated_total_rate_keeps_its_rounding() -> None:
    claim = Claim("total", "throughput_ops_per_s", "1.2M", 1.15e6, 1.25e6)
    found, _ = evidence_of([run(duration_ns=NS_PER_S, claims=(claim,))], M2G2_1)
    assert (found.rates[OPERATIONS_PER_S].lower, found.rates[OPERATIONS_PER_S].upper) == (1.15e6, 1.25e6)


def test_without_a_duration_there_is_no_rate() -> None:
    found, _ = evidence_of([run()], M2G2_1)
    assert found.rates == {}


def test_the_course_is_handed_on() -> None:
    intervals = IntervalRecords.of([dist(), dist()], [0, NS_PER_S], [NS_PER_S, NS_PER_S])
    found, _ = evidence_of([run(series(record=dist(2000), intervals=intervals))], FRAUD_250_SEQUENTIAL_1)
    assert found.operations[0].course is intervals
    assert found.operations[0].measured_ns == 2 * NS_PER_S


def test_a_set_of_rules_needs_the_operations_of_all_its_rules() -> None:
    reads = objective_of("p99 read < 5ms")
    rules = RuleSet("both", 1, "", "", (FRAUD_250_SEQUENTIAL_1, reads))
    assert operations_of(rules) == frozenset({"read", "transaction"})
    assert operations_of(replace(rules, criteria=(*rules.criteria, ACT_STRESS_1))) is None


def test_a_probe_alone_is_a_search() -> None:
    ladder = {"id": "s", "step": 1, "kind": "probe", "load_per_s": 100.4, "objective": "p99 read < 5ms"}
    (search,) = searches_of_files([run(ladder=ladder), run()])
    assert [probe.plan.load_per_s for probe in search.probes] == [100.4]
    assert [load_text(per_s) for per_s in (99.6, 100.4)] == ["99.6/s", "100/s"]


@pytest.mark.parametrize(
    ("bracket", "text"),
    [
        (LoadBracket(), "no load is decided"),
        (LoadBracket(failed_per_s=100.0), "no load holds; 100/s fails"),
        (LoadBracket(passed_per_s=90.0), "holds at 90/s at least; no load is shown to fail"),
        (
            LoadBracket(passed_per_s=90.0, limited_per_s=200.0),
            "holds at 90/s at least; 200/s is more than the load generator makes",
        ),
        (LoadBracket(80.0, 100.0), "holds at 80/s, fails at 100/s (25.0 % apart)"),
        (
            LoadBracket(80.0, 100.0, is_repeated=True),
            "holds at 80/s, fails at 100/s (25.0 % apart, both measured again)",
        ),
    ],
)
def test_a_bracket_in_words(bracket: LoadBracket, text: str) -> None:
    assert bracket_text("p99", bracket) == f"p99: {text}"


def test_answers_fill_in_what_a_file_does_not_state_and_nothing_else() -> None:
    answers = Answers("µs", "get", CLOSED)
    parameters = {"latency_unit": "µs"}
    asked = run(series(UNNAMED), series("set"), missing=(OPERATION, LOOP, "threads"), parameters=parameters)
    found = answers.apply(asked)
    assert [each.operation for each in found.series] == ["get", "set"]
    assert (found.closed_loop, found.missing) == (True, ("threads",))
    assert found.answered == answers.document() == {LATENCY_UNIT: "µs", OPERATION: "get", LOOP: CLOSED}
    assert Answers.of(answers.document() | {LATENCY_UNIT: "us"}) == answers
    stated = run(series(UNNAMED), missing=("threads",), parameters={"latency_unit": "ms"})
    assert (answers.apply(stated).answered, answers.apply(stated).missing) == ({}, ("threads",))
    assert NO_ANSWERS.apply(asked).missing == asked.missing
    assert (answers.unit_ns, NO_ANSWERS.unit_ns) == (1_000, None)
    for document in ({LATENCY_UNIT: "parsec"}, {LOOP: "both"}):
        with pytest.raises(AnswersInvalid):
            Answers.of(document)


@pytest.mark.parametrize(
    ("source", "missing", "disclosed", "read_as", "unknown"),
    [
        ("upload", [LOOP, OPERATION, "threads"], {}, None, (OPERATION, LOOP)),
        ("upload", [LOOP, OPERATION], {LOOP: {"value": "open"}}, None, (OPERATION,)),
        ("upload", [LATENCY_UNIT], {LATENCY_UNIT: {"value": "ms"}}, "ms", ()),
        ("upload", [LATENCY_UNIT], {LATENCY_UNIT: {"value": "ms"}}, "s", (LATENCY_UNIT,)),
        ("agent", [LOOP], {}, None, ()),
    ],
)
def test_facts_of_a_stored_run_that_nobody_states_are_unknown(
    source: str, missing: list[str], disclosed: dict[str, Any], read_as: str | None, unknown: tuple[str, ...]
) -> None:
    plan = {"parameters": {"latency_unit": read_as}}
    stored = Run(source=source, missing=missing, disclosed=disclosed, plan=plan)
    assert stored_evidence(RunRecord(stored, (), 0)).unknown == unknown


@pytest.mark.parametrize(
    ("facts", "completed", "text"),
    [
        ({"source": "agent", "outcome": "completed"}, True, "the run ended as completed"),
        ({"source": "agent", "outcome": "failed", "outcome_reason": "no disk"}, None, "no disk"),
        ({"source": "agent"}, None, ""),
        ({"source": "upload", "end_state": "finished"}, True, ""),
        ({"source": "upload", "end_state": "device_too_slow"}, False, ""),
        (
            {"source": "upload", "end_state": "stopped", "outcome": "completed"},
            None,
            "the run ended as completed",
        ),
    ],
)
def test_how_a_stored_run_ended(facts: dict[str, Any], completed: bool | None, text: str) -> None:
    found = stored_evidence(RunRecord(Run(plan={}, missing=[], disclosed={}, **facts), (), 0))
    assert (found.completed, found.completion_text, found.rates) == (completed, text, {})


@pytest.mark.parametrize(("others", "is_read"), [(0, True), (1, False)])
def test_events_of_sysbench_are_reads_if_nothing_else_was_counted(others: int, is_read: bool) -> None:
    counts = {"event": 100, "read query": 100, "write query": 0, "other query": others}
    claims = tuple(Claim(name, "operation_count", str(n), n, n) for name, n in counts.items())
    rates = Claim("event", "throughput_ops_per_s", "7", 7.0, 7.0)
    parsed = replace(run(series("event"), claims=(*claims, rates)), tool="sysbench")
    if is_read:
        assert evidence_of([parsed], FRAUD_250_SEQUENTIAL_1)[0].of("read") is not None
    else:
        with pytest.raises(SeriesMissing):
            evidence_of([parsed], FRAUD_250_SEQUENTIAL_1)


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), 2**63, -(2**63) - 1, "a\x00", chr(0xD800), chr(0xDFFF), {chr(0xD800): 1}],
)
def test_values_that_no_document_may_hold_are_refused(value: object) -> None:
    refuse_invalid_values({"a": [1.5, 2**63 - 1, -(2**63), "\ud7ff\ue000", None]})
    with pytest.raises(InvalidValue, match=r"`a`\[1\]"):
        refuse_invalid_values({"a": [0, value]})
