"""Every check that a single run allows: an uploaded log or a run of an agent.

Facts that a run does not state are not checked; a check without a contradiction yields a finding too, so
that *consistent* differs from *not checked*. Tolerances: printed percentiles and means are compared with the
file's own buckets within 1 % and one rank, because libraries round values and count ranks differently;
operations in flight within 5 %, because tools do not agree where a run begins.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from tailroom.domain import act
from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord
from tailroom.domain.plausibility.bandwidth import over_link, stated_bandwidth
from tailroom.domain.plausibility.dates import long_enough
from tailroom.domain.plausibility.drive_counters import drive_findings
from tailroom.domain.plausibility.finding import Finding, NumberBounds, consistent, figure
from tailroom.domain.plausibility.order import OrderedNumber, percentiles, total_at_least_device
from tailroom.domain.plausibility.rates import TimedOperations, achieved_rate, concurrency, runtimes
from tailroom.domain.plausibility.run_facts import MeasuredOperation, RunFacts, RunStatement
from tailroom.domain.plausibility.samples import tail
from tailroom.domain.plausibility.tools import tool_version
from tailroom.domain.plausibility.transactions import measured_against_reads
from tailroom.domain.units import NS_PER_S, latency_text, percent_text

RESPONSE, SERVICE = "response", "service"
TRANSACTION = "transaction"
_WHOLE_OF_OTHERS = frozenset({"read-modify-write", TRANSACTION})
"""Operations that consist of other operations, which are recorded as well."""
_ROUNDED = 0.01
"""Relative tolerance of printed latencies."""
_IN_FLIGHT_SLACK = 1.05
"""Factor by which the operations in flight may exceed the setting."""
_RATE_SLACK = 0.01
"""Relative tolerance of printed rates and run times."""
_LEAST_OPERATIONS = 100
"""Fewest operations of which rate and tail are checked."""


def audit_run(facts: RunFacts) -> tuple[Finding, ...]:
    """Return the findings on the numbers of a run, in the order P1 to P20."""
    findings = [
        *_in_flight(facts),
        *_counts_and_rates(facts),
        *_intended_rates(facts),
        *_self_contradictions(facts),
        *_statements_against_buckets(facts),
        *_clocks(facts),
        *_tails(facts),
        *_bandwidths(facts),
        *_duration(facts),
        *(tool_version(facts.tool, facts.tool_version) if facts.tool else ()),
        *_transactions(facts),
        *drive_findings(facts.drives),
    ]
    return tuple(sorted(findings, key=lambda finding: int(finding.check[1:])))


def _operations_on(facts: RunFacts, *clocks: str) -> list[MeasuredOperation]:
    """Return one measurement of each operation, by the first of `clocks` that it was recorded on."""
    by_name: dict[str, MeasuredOperation] = {}
    for clock in clocks:
        for operation in facts.operations:
            if operation.clock == clock:
                by_name.setdefault(operation.operation, operation)
    return list(by_name.values())


def _answered_count(operation: MeasuredOperation) -> int | None:
    total = operation.record.total
    return None if total is None else total - operation.record.misses.total


def _mean_in_flight(facts: RunFacts) -> NumberBounds | None:
    """Return the mean number in flight at the server: all latencies over the measured time, if known."""
    chosen = _operations_on(facts, SERVICE, "operation")
    alone = {operation.operation for operation in chosen} <= _WHOLE_OF_OTHERS
    parts = [operation for operation in chosen if alone or operation.operation not in _WHOLE_OF_OTHERS]
    if not parts or facts.measured_ns <= 0:
        return None
    together = NumberBounds(0.0, 0.0, 0.0)
    for operation in parts:
        answered, mean = _answered_count(operation), operation.record.mean_ns
        if answered is None or (answered and mean is None):
            return None
        if answered and mean is not None:
            together = together.plus(NumberBounds.between(*mean).times(float(answered)))
    return together.over(float(facts.measured_ns))


def _in_flight(facts: RunFacts) -> Iterator[Finding]:
    """Yield the finding of check P1 on a closed loop with more in flight than its settings allow."""
    flight = _mean_in_flight(facts)
    if flight is not None and facts.closed_loop and facts.in_flight_most is not None:
        allowed = facts.in_flight_most
        within = flight.surely_above(allowed) and not flight.surely_above(allowed * _IN_FLIGHT_SLACK)
        yield concurrency(NumberBounds(0.0, allowed, allowed) if within else flight, allowed)


def _only_statement(facts: RunFacts, operation: str, quantity: str) -> RunStatement | None:
    matches = [
        statement
        for statement in facts.statements
        if (statement.operation, statement.quantity) == (operation, quantity)
    ]
    return matches[0] if len(matches) == 1 else None


def _counts_and_rates(facts: RunFacts) -> Iterator[Finding]:
    """Yield the findings on printed counts: by rate and measured time (check P2), and by the buckets (P7)."""
    timed = []
    for operation in dict.fromkeys(statement.operation for statement in facts.statements):
        count = _only_statement(facts, operation, "operation_count")
        rate = _only_statement(facts, operation, "throughput_ops_per_s")
        if count is not None and rate is not None and rate.lower > 0 and facts.measured_ns > 0:
            lasted = NumberBounds.exactly(facts.measured_ns / NS_PER_S)
            timed.append(TimedOperations(operation, count.ends, rate.ends, lasted))
    yield from runtimes(timed, slack=_RATE_SLACK)
    yield from _counts_twice(facts)


def _counts_twice(facts: RunFacts) -> Iterator[Finding]:
    """Yield the finding of check P7 on the first count that its buckets contradict, or that all agree."""
    counted: dict[str, set[int]] = defaultdict(set)
    for measured in facts.operations:
        answered = _answered_count(measured)
        if answered is not None and isinstance(measured.record, LatencyDist):
            counted[measured.operation] |= {answered, answered + measured.record.misses.total}
    checked = 0
    for operation, numbers in counted.items():
        stated = _only_statement(facts, operation, "operation_count")
        if stated is None:
            continue
        checked += 1
        if not any(stated.lower <= number <= stated.upper for number in numbers):
            nearest = min(numbers, key=lambda number: abs(number - stated.lower))
            yield Finding(
                "P7",
                "medium",
                "two counts",
                f"{operation}: {stated.printed} operations are printed, the buckets hold {nearest:,}.",
                (figure("printed", stated.ends, "count"), figure("in the buckets", nearest, "count")),
            )
            return
    if checked:
        yield consistent("P7", f"Printed counts are those of the buckets ({checked} operations).")


def _intended_rates(facts: RunFacts) -> Iterator[Finding]:
    """Yield the findings of check P2: whether the intended rate was achieved, with failed operations."""
    for operation in _operations_on(facts, RESPONSE, SERVICE, "operation"):
        total = operation.record.total
        if not operation.intended or not total or total < _LEAST_OPERATIONS or operation.measured_ns <= 0:
            continue
        seconds = operation.measured_ns / NS_PER_S
        achieved = NumberBounds.exactly(total / seconds)
        yield achieved_rate(achieved, NumberBounds.exactly(operation.intended / seconds), operation.operation)


def _self_contradictions(facts: RunFacts) -> Iterator[Finding]:
    """Yield a finding of check P3 for each record that contradicts itself, or one that known sums fit."""
    for what, why in facts.contradictions:
        yield Finding("P3", "high", "counts contradict themselves", f"{what}: {why}.")
    sums = [
        operation
        for operation in facts.operations
        if isinstance(operation.record, LatencyDist) and operation.record.sum_ns is not None
    ]
    if sums and not facts.contradictions:
        statement = f"Sum, smallest and largest latency of {len(sums)} series lie within their buckets."
        yield consistent("P3", statement, (figure("series", len(sums), "count"),))


def _statements_against_buckets(facts: RunFacts) -> Iterator[Finding]:
    """Yield the findings of check P3: whether printed latencies are in order and agree with the buckets."""
    findings: list[Finding] = []
    checked = 0
    for operation in dict.fromkeys(statement.operation for statement in facts.statements):
        stated = [statement for statement in facts.statements if statement.operation == operation]
        quantiles = [
            statement
            for statement in stated
            if statement.quantity == "latency_quantile_ns" and statement.quantile is not None
        ]
        if len({statement.quantile for statement in quantiles}) == len(quantiles):
            placed = [
                OrderedNumber(
                    statement.quantile or 0.0, f"{_label(statement)}, {statement.printed}", statement.ends, ""
                )
                for statement in quantiles
            ]
            findings += [replace(finding, claim_keys=()) for finding in percentiles(operation, placed)]
            checked += len(placed) > 1
        records = [
            measured.record
            for measured in facts.operations
            if measured.operation == operation
            and isinstance(measured.record, LatencyDist)
            and measured.record.count
        ]
        # Summaries count answers alone, so records with misses do not compare.
        usable = [] if any(record.misses.total for record in records) else records
        for statement in stated:
            within = [_compare_with_buckets(statement, record) for record in usable]
            compared = [answer for answer in within if answer is not None]
            checked += bool(compared)
            if compared and not any(answer[0] for answer in compared):
                findings.append(_outside(operation, statement, compared[0][1]))
    yield from findings
    if checked and not findings:
        yield consistent(
            "P3", "Printed percentiles, means and extremes agree with each other and with the buckets."
        )


def _label(statement: RunStatement) -> str:
    words = {"latency_mean_ns": "mean", "latency_max_ns": "maximum", "latency_min_ns": "minimum"}
    return words.get(statement.quantity) or f"{percent_text(statement.quantile or 0.0)} quantile"


def _compare_with_buckets(statement: RunStatement, record: LatencyDist) -> tuple[bool, NumberBounds] | None:
    """Return whether a printed latency agrees with the buckets within 1 %, and their bounds in ns, if any."""
    if statement.quantity == "latency_mean_ns":
        mean = record.mean_ns
        bounds = None if mean is None else NumberBounds.between(*mean)
    elif statement.quantity == "latency_quantile_ns" and statement.quantile is not None:
        bounds = _quantile_within_rank(record, statement.quantile)
    elif statement.quantity == "latency_max_ns":
        last = record.quantile_bounds(1.0)
        bounds = NumberBounds(float(last.lower_ns), None if last.upper_ns is None else float(last.upper_ns))
    else:
        return None
    return None if bounds is None else (not statement.ends.surely_differs(bounds, slack=_ROUNDED), bounds)


def _quantile_within_rank(record: LatencyDist, quantile: float) -> NumberBounds:
    """Return bounds in ns from a rank lower to a rank higher: libraries count ranks differently."""
    rank = 1.0 / record.count
    low = record.quantile_bounds(max(0.0, quantile - rank)).lower_ns
    high = record.quantile_bounds(min(1.0, quantile + rank)).upper_ns
    return NumberBounds(float(low), None if high is None else float(high))


def _outside(operation: str, statement: RunStatement, bounds: NumberBounds) -> Finding:
    low = latency_text(int(bounds.lower or 0))
    high = "an open end" if bounds.upper is None else latency_text(int(bounds.upper))
    return Finding(
        "P3",
        "high",
        "summary contradicts the buckets",
        f"{operation}: the {_label(statement)} is printed as {statement.printed}, the run's own buckets put "
        f"it between {low} and {high}.",
        (figure("printed", statement.ends, "ns", statement.printed), figure("by the buckets", bounds, "ns")),
    )


def _clocks(facts: RunFacts) -> Iterator[Finding]:
    """Yield the findings of check P5 on response times with a smaller slow share than service times."""
    pairs = [
        (response, service)
        for response, service in product(facts.operations, facts.operations)
        if response.operation == service.operation and response.clock == RESPONSE and service.clock == SERVICE
    ]
    findings: list[Finding] = []
    compared = 0
    for response, service in pairs:
        first, second = response.record.total, service.record.total
        if not first or not second:
            continue
        compared += 1
        # Operations under way at the end may be in only one of the two records.
        slack = (abs(first - second) + 1) / min(first, second)
        for at in sorted({*act.LIMITS_NS, *response.thresholds_ns}):
            total, device = _share_over(response.record, at), _share_over(service.record, at)
            less = NumberBounds(max(0.0, (device.lower or 0.0) - slack), device.upper, device.value)
            broken = [*total_at_least_device(response.operation, at, total, less, ())]
            if broken:
                findings += broken
                break
    yield from findings
    if compared and not findings:
        yield consistent("P5", "At every limit the response is at least as slow as the service in it.")


def _share_over(record: LatencyRecord, at_ns: int) -> NumberBounds:
    """Return the share of operations, with failed ones, at or over a latency; the value is the middle."""
    low, high = record.cdf_bounds(at_ns)
    return NumberBounds(1.0 - high, 1.0 - low, 1.0 - (low + high) / 2)


def _tails(facts: RunFacts) -> Iterator[Finding]:
    flight = _mean_in_flight(facts)
    for operation in _operations_on(facts, SERVICE, "operation"):
        mean, count = operation.record.mean_ns, _answered_count(operation)
        if (
            flight is None
            or mean is None
            or not count
            or count < _LEAST_OPERATIONS
            or operation.record.misses.total
        ):
            continue
        last = operation.record.quantile_bounds(1.0).upper_ns
        if last is not None and mean[0] > 0:
            bounds = NumberBounds.between(*mean)
            yield from tail(operation.operation, bounds, float(last), 1.0, flight=flight)


def _bandwidths(facts: RunFacts) -> Iterator[Finding]:
    for operation, size in facts.operation_bytes.items():
        rate = _only_statement(facts, operation, "throughput_ops_per_s")
        stated = _only_statement(facts, operation, "bandwidth_bytes_per_s")
        if rate is not None and stated is not None and rate.lower > 0:
            yield stated_bandwidth(operation, rate.ends.times(size), stated.ends)
    if facts.link_bits_per_s is None or facts.measured_ns <= 0:
        return
    payload = NumberBounds(0.0, 0.0, 0.0)
    for measured in _operations_on(facts, RESPONSE, SERVICE, "operation"):
        answered = _answered_count(measured)
        if measured.operation in facts.operation_bytes and answered is not None:
            each = answered * facts.operation_bytes[measured.operation] * NS_PER_S / facts.measured_ns
            payload = payload.plus(NumberBounds.exactly(each))
    if payload.value:
        yield over_link("Payload", payload, NumberBounds.exactly(facts.link_bits_per_s))


def _duration(facts: RunFacts) -> Sequence[Finding]:
    if not facts.is_certification_test or not facts.is_finished or facts.measured_ns <= 0:
        return ()
    return (long_enough(facts.measured_ns),)


def _transactions(facts: RunFacts) -> Iterator[Finding]:
    """Yield the finding of check P18: is the mean transaction at least as long as its reads in sequence?"""
    if facts.issued is None:
        return
    by_name = {
        operation.operation: operation.record
        for operation in _operations_on(facts, SERVICE, RESPONSE, "operation")
    }
    transaction, read = by_name.get(TRANSACTION), by_name.get("read")
    if transaction is None or read is None or transaction.mean_ns is None or not read.total:
        return
    shortest = NumberBounds.exactly(float(read.quantile_bounds(0.0).lower_ns))
    yield measured_against_reads(facts.issued.depth, NumberBounds.between(*transaction.mean_ns), shortest)
