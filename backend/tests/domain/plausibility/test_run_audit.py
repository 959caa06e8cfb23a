"""Runs whose numbers agree are in order by every check that can be made; each planted error is found."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.plausibility.finding import Finding
from tailroom.domain.plausibility.run import audit_run
from tailroom.domain.plausibility.run_facts import MeasuredOperation, RunFacts, RunStatement
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.units import NS_PER_HOUR, NS_PER_S

LAYOUT = HdrLayout()
SECONDS = 10
COUNT = 100_000


def latencies(seed: int = 1, scale: float = 1.0) -> np.ndarray:
    """Log-normal, about 0.4 ms."""
    drawn = np.random.default_rng(seed).lognormal(np.log(400_000 * scale), 0.3, COUNT)
    return np.maximum(1_000, drawn).astype(np.int64)


def dist(values: np.ndarray, misses: int = 0) -> LatencyDist:
    """Buckets of latencies, with their sum and ends."""
    indices, counts = np.unique(LAYOUT.index_of(values // 1000), return_counts=True)
    return LatencyDist(
        LAYOUT,
        Counts(indices, counts.astype(np.int64)),
        misses=Misses(errors=misses),
        sum_ns=int(values.sum()),
        min_ns=int(values.min()),
        max_ns=int(values.max()),
    )


def stated(
    quantity: str, value: float, quantile: float | None = None, operation: str = "read"
) -> RunStatement:
    """A number printed to four places."""
    return RunStatement(operation, quantity, f"{value:.4g}", value * 0.9999, value * 1.0001, quantile)


def consistent() -> RunFacts:
    """A closed loop of 50 threads, with a response a little slower than the service."""
    service = latencies()
    rate = COUNT / SECONDS
    return RunFacts(
        tool="ycsb",
        tool_version="0.17.0",
        closed_loop=True,
        measured_ns=SECONDS * NS_PER_S,
        operations=(
            MeasuredOperation("read", "response", dist(service + 50_000), SECONDS * NS_PER_S, COUNT),
            MeasuredOperation("read", "service", dist(service), SECONDS * NS_PER_S, COUNT),
        ),
        statements=(
            stated("operation_count", COUNT),
            stated("throughput_ops_per_s", rate),
            stated("latency_mean_ns", float(service.mean())),
            stated("latency_quantile_ns", float(np.quantile(service, 0.5)), 0.5),
            stated("latency_quantile_ns", float(np.quantile(service, 0.99)), 0.99),
            stated("latency_max_ns", float(service.max())),
            stated("bandwidth_bytes_per_s", rate * 4096),
        ),
        in_flight_most=50,
        operation_bytes={"read": 4096},
        link_bits_per_s=1e9,
    )


def against(facts: RunFacts) -> list[Finding]:
    """What contradicts."""
    return [one for one in audit_run(facts) if one.contradicts]


def with_statement(facts: RunFacts, quantity: str, value: float, quantile: float | None = None) -> RunFacts:
    """The run with another number in one statement."""
    found = tuple(
        stated(quantity, value, quantile) if (one.quantity, one.quantile) == (quantity, quantile) else one
        for one in facts.statements
    )
    assert found != facts.statements
    return replace(facts, statements=found)


def test_a_run_whose_numbers_agree_is_in_order_and_was_looked_at() -> None:
    found = audit_run(consistent())
    assert [(one.check, one.statement) for one in found if one.kind != "consistent"] == []
    assert {one.check for one in found} >= {"P1", "P2", "P3", "P5", "P7", "P13", "P17"}


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**31))
def test_no_seed_makes_a_contradiction_of_honest_numbers(seed: int) -> None:
    values = latencies(seed % 50, scale=1 + (seed % 7))
    facts = RunFacts(
        measured_ns=SECONDS * NS_PER_S,
        operations=(MeasuredOperation("read", "service", dist(values), SECONDS * NS_PER_S),),
        statements=tuple(
            stated("latency_quantile_ns", float(np.quantile(values, q, method="inverted_cdf")), q)
            for q in (0.5, 0.9, 0.99, 0.999)
        ),
    )
    assert against(facts) == []


def test_a_run_that_states_nothing_is_not_called_consistent() -> None:
    assert audit_run(RunFacts()) == ()


PLANTED: dict[str, Callable[[RunFacts], RunFacts]] = {
    "P1": lambda facts: replace(facts, in_flight_most=2),
    "P2 time": lambda facts: with_statement(facts, "throughput_ops_per_s", 1.1 * COUNT / SECONDS),
    "P2 load": lambda facts: replace(
        facts, operations=tuple(replace(one, intended=int(1.2 * COUNT)) for one in facts.operations)
    ),
    "P3 quantile": lambda facts: with_statement(facts, "latency_quantile_ns", 9.9e6, 0.99),
    "P3 mean": lambda facts: with_statement(facts, "latency_mean_ns", 9e5),
    "P3 maximum": lambda facts: with_statement(facts, "latency_max_ns", 5e5),
    "P3 order": lambda facts: with_statement(facts, "latency_quantile_ns", 9.9e7, 0.5),
    "P3 buckets": lambda facts: replace(facts, contradictions=(("read (service)", "its sum lies outside"),)),
    "P5": lambda facts: replace(
        facts,
        operations=(
            facts.operations[0],
            replace(facts.operations[1], record=dist(latencies() + 3_000_000)),
        ),
    ),
    "P7": lambda facts: with_statement(facts, "operation_count", COUNT * 0.9),
    "P13 size": lambda facts: with_statement(facts, "bandwidth_bytes_per_s", 9e7),
    "P13 link": lambda facts: replace(facts, link_bits_per_s=1e8),
    "P14": lambda facts: replace(facts, is_certification_test=True),
    "P17": lambda facts: replace(facts, tool_version="0.18.0"),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_each_check_finds_its_planted_error(planted: str) -> None:
    found = against(PLANTED[planted](consistent()))
    assert planted.split(maxsplit=1)[0] in {one.check for one in found}


def test_a_printed_quantile_outside_its_buckets_names_both() -> None:
    (found,) = against(PLANTED["P3 quantile"](consistent()))
    assert found.kind == "summary contradicts the buckets"
    assert [one.label for one in found.figures] == ["printed", "by the buckets"]
    assert found.figures[0].value == pytest.approx(9.9e6)


def test_misses_are_not_held_against_summaries_of_answers() -> None:
    facts = consistent()
    missed = replace(facts, operations=(replace(facts.operations[1], record=dist(latencies(), misses=500)),))
    assert not [one for one in against(missed) if one.check == "P3"]


def test_measured_transactions_cannot_be_shorter_than_their_reads() -> None:
    reads = MeasuredOperation("read", "service", dist(latencies()), SECONDS * NS_PER_S)

    def of(mean_ns: int) -> list[str]:
        whole = dist(np.full(400, mean_ns, np.int64))
        both = (reads, MeasuredOperation("transaction", "response", whole, SECONDS * NS_PER_S))
        found = audit_run(
            RunFacts(measured_ns=SECONDS * NS_PER_S, operations=both, issued=Plan.sequential("read", 250))
        )
        return [one.kind for one in found if one.check == "P18"]

    assert of(100_000_000) == ["consistent"]
    assert of(1_000_000) == ["transactions shorter than their reads"]


def test_a_day_is_long_enough_and_a_running_test_is_not_called_short() -> None:
    day = replace(consistent(), measured_ns=24 * NS_PER_HOUR, is_certification_test=True, statements=())
    assert "P14" not in {one.check for one in against(day)}
    running = replace(consistent(), is_certification_test=True, is_finished=False)
    assert "P14" not in {one.check for one in audit_run(running)}


def test_a_queue_of_many_has_a_tail() -> None:
    flat = np.full(COUNT, 910_000, np.int64)
    flat[-1] = 1_000_000
    facts = RunFacts(
        measured_ns=NS_PER_S // 20,
        operations=(MeasuredOperation("get", "service", dist(flat), NS_PER_S // 20),),
    )
    (found,) = [one for one in against(facts) if one.check == "P10"]
    assert found.kind == "implausible tail"
