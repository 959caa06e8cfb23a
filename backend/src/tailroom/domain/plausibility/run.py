"""Every check that a single run allows: an uploaded log or a run of an agent.

What a run does not state is not checked and not mentioned; what is checked and found in order says so, so
that nothing wrong is not the same as nothing looked at. Limits on what is called a contradiction: percentiles
and means that a file prints are compared with the file's own buckets within 1 % and one rank, because
libraries round values and count ranks differently; operations in flight within 5 %, because tools do not
agree where a run begins.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from tailroom.domain import act
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.plausibility.bandwidth import moved, over_link, stated_bandwidth
from tailroom.domain.plausibility.dates import long_enough
from tailroom.domain.plausibility.ends import Ends
from tailroom.domain.plausibility.finding import Finding, consistent, figure
from tailroom.domain.plausibility.little import concurrency
from tailroom.domain.plausibility.order import Placed, percentiles, total_at_least_device
from tailroom.domain.plausibility.rates import Timed, achieved_rate, runtimes
from tailroom.domain.plausibility.samples import tail
from tailroom.domain.plausibility.tools import tool_version
from tailroom.domain.plausibility.transactions import measured_against_reads
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.units import NS_PER_S, latency_text, percent_text

RESPONSE, SERVICE = "response", "service"
TRANSACTION = "transaction"
_WHOLE_OF_OTHERS = frozenset({"read-modify-write", TRANSACTION})
"""Operations whose parts are recorded beside them."""
_ROUNDED = 0.01
_IN_FLIGHT_SLACK = 1.05
_RATE_SLACK = 0.01
_LEAST_OPERATIONS = 100


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredOperation:
    """One operation on one clock. `intended`: operations that the schedule held; none where nobody said."""

    operation: str
    clock: str
    record: LatencyRecord
    measured_ns: int
    intended: int | None = None
    thresholds_ns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RunStatement:
    """A number that a file prints as a summary of the whole run (importers.parsed_run.Claim)."""

    operation: str
    quantity: str
    printed: str
    lower: float
    upper: float
    quantile: float | None = None

    @property
    def ends(self) -> Ends:
        """Its ends, with their middle as the number."""
        return Ends(self.lower, self.upper, (self.lower + self.upper) / 2)


@dataclass(frozen=True, slots=True, eq=False)
class RunFacts:
    """What a run has on record, as far as the checks need it. None: not stated."""

    tool: str | None = None
    tool_version: str | None = None
    is_certification_test: bool = False
    closed_loop: bool = False
    is_finished: bool = True
    measured_ns: int = 0
    operations: tuple[MeasuredOperation, ...] = ()
    statements: tuple[RunStatement, ...] = ()
    contradictions: tuple[tuple[str, str], ...] = ()
    """Operation with its clock, and why its counts cannot be those of one distribution."""
    in_flight_most: float | None = None
    """Operations that the client can have in flight."""
    in_flight_named: str = "threads and connections"
    operation_bytes: Mapping[str, float] = field(default_factory=dict)
    """Size of one operation's payload."""
    link_bits_per_s: float | None = None
    issued: Plan | None = None
    """Of measured transactions."""


def audit_run(facts: RunFacts) -> tuple[Finding, ...]:
    """What the numbers of a run say about each other, in the order of the checks. Pure."""
    found = [
        *_in_flight(facts),
        *_counts_and_rates(facts),
        *_intended(facts),
        *_self_contradictions(facts),
        *_statements_against_buckets(facts),
        *_clocks(facts),
        *_tails(facts),
        *_bandwidths(facts),
        *_duration(facts),
        *(tool_version(facts.tool, facts.tool_version) if facts.tool else ()),
        *_transactions(facts),
    ]
    return tuple(sorted(found, key=lambda one: int(one.check[1:])))


def _of_clock(facts: RunFacts, *clocks: str) -> list[MeasuredOperation]:
    """One record for each operation, on the first of some clocks that it has."""
    found: dict[str, MeasuredOperation] = {}
    for clock in clocks:
        for one in facts.operations:
            if one.clock == clock:
                found.setdefault(one.operation, one)
    return list(found.values())


def _answered(one: MeasuredOperation) -> int | None:
    total = one.record.total
    return None if total is None else total - one.record.misses.total


def _flight(facts: RunFacts) -> Ends | None:
    """Operations in flight at the server: latencies of all operations added up, by the time it took."""
    chosen = _of_clock(facts, SERVICE, "operation")
    alone = {one.operation for one in chosen} <= _WHOLE_OF_OTHERS
    parts = [one for one in chosen if alone or one.operation not in _WHOLE_OF_OTHERS]
    if not parts or facts.measured_ns <= 0:
        return None
    together = Ends(0.0, 0.0, 0.0)
    for one in parts:
        answered, mean = _answered(one), one.record.mean_ns
        if answered is None:
            return None
        if answered and mean is None:
            return None
        if answered and mean is not None:
            lower, upper = mean
            together = together.plus(Ends(lower, upper, (lower + upper) / 2).times(float(answered)))
    return together.over(float(facts.measured_ns))


def _in_flight(facts: RunFacts) -> Iterator[Finding]:
    flight = _flight(facts)
    if flight is not None and facts.closed_loop and facts.in_flight_most is not None:
        allowed = facts.in_flight_most
        within = flight.surely_above(allowed) and not flight.surely_above(allowed * _IN_FLIGHT_SLACK)
        yield concurrency(Ends(0.0, allowed, allowed) if within else flight, allowed, facts.in_flight_named)


def _single(facts: RunFacts, operation: str, quantity: str) -> RunStatement | None:
    found = [one for one in facts.statements if (one.operation, one.quantity) == (operation, quantity)]
    return found[0] if len(found) == 1 else None


def _counts_and_rates(facts: RunFacts) -> Iterator[Finding]:
    timed = []
    for operation in dict.fromkeys(one.operation for one in facts.statements):
        count = _single(facts, operation, "operation_count")
        rate = _single(facts, operation, "throughput_ops_per_s")
        if count is not None and rate is not None and rate.lower > 0 and facts.measured_ns > 0:
            lasted = Ends.exactly(facts.measured_ns / NS_PER_S)
            timed.append(Timed(operation, count.ends, rate.ends, lasted))
    yield from runtimes(timed, slack=_RATE_SLACK)
    yield from _counts_twice(facts)


def _counts_twice(facts: RunFacts) -> Iterator[Finding]:
    """Counts that the file prints against those of its own buckets."""
    counted: dict[str, set[int]] = defaultdict(set)
    for one in facts.operations:
        answered = _answered(one)
        if answered is not None and isinstance(one.record, LatencyDist):
            counted[one.operation] |= {answered, answered + one.record.misses.total}
    checked = 0
    for operation, numbers in counted.items():
        stated = _single(facts, operation, "operation_count")
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


def _intended(facts: RunFacts) -> Iterator[Finding]:
    for one in _of_clock(facts, RESPONSE, SERVICE, "operation"):
        total = one.record.total
        if one.intended is None or total is None or not one.intended or one.measured_ns <= 0:
            continue
        if total < _LEAST_OPERATIONS:
            continue
        seconds = one.measured_ns / NS_PER_S
        achieved, target = Ends.exactly(total / seconds), Ends.exactly(one.intended / seconds)
        yield achieved_rate(achieved, target, one.operation)


def _self_contradictions(facts: RunFacts) -> Iterator[Finding]:
    """Counts, sums and extremes that no distribution has (they are refused when a record is made of them)."""
    for what, why in facts.contradictions:
        yield Finding("P3", "high", "counts contradict themselves", f"{what}: {why}.")
    sums = [
        one
        for one in facts.operations
        if isinstance(one.record, LatencyDist) and one.record.sum_ns is not None
    ]
    if sums and not facts.contradictions:
        yield consistent(
            "P3",
            f"Sum, smallest and largest latency of {len(sums)} series lie within their buckets.",
            (figure("series", len(sums), "count"),),
        )


def _statements_against_buckets(facts: RunFacts) -> Iterator[Finding]:
    found: list[Finding] = []
    checked = 0
    for operation in dict.fromkeys(one.operation for one in facts.statements):
        stated = [one for one in facts.statements if one.operation == operation]
        quantiles = [
            one for one in stated if one.quantity == "latency_quantile_ns" and one.quantile is not None
        ]
        if len({one.quantile for one in quantiles}) == len(quantiles):
            placed = [
                Placed(one.quantile or 0.0, f"{_name(one)}, {one.printed}", one.ends, "") for one in quantiles
            ]
            found += [_without_keys(one) for one in percentiles(operation, placed)]
            checked += len(placed) > 1
        records = [
            one.record
            for one in facts.operations
            if one.operation == operation and isinstance(one.record, LatencyDist) and one.record.count
        ]
        # Summaries are about answers alone: where misses are counted too, they are another thing.
        usable = [] if any(one.misses.total for one in records) else records
        for one in stated:
            within = [_within(one, record) for record in usable]
            known = [answer for answer in within if answer is not None]
            checked += bool(known)
            if known and not any(answer[0] for answer in known):
                found.append(_outside(operation, one, known[0][1]))
    yield from found
    if checked and not found:
        yield consistent(
            "P3", "Printed percentiles, means and extremes agree with each other and with the buckets."
        )


def _name(one: RunStatement) -> str:
    words = {"latency_mean_ns": "mean", "latency_max_ns": "maximum", "latency_min_ns": "minimum"}
    return words.get(one.quantity) or f"{percent_text(one.quantile or 0.0)} quantile"


def _within(one: RunStatement, record: LatencyDist) -> tuple[bool, Ends] | None:
    """Whether a printed latency may be that of the buckets, and what they say; none: they cannot tell."""
    if one.quantity == "latency_mean_ns":
        mean = record.mean_ns
        ends = None if mean is None else Ends(mean[0], mean[1], (mean[0] + mean[1]) / 2)
    elif one.quantity == "latency_quantile_ns" and one.quantile is not None:
        ends = _around(record, one.quantile)
    elif one.quantity == "latency_max_ns":
        last = record.quantile_bounds(1.0)
        ends = Ends(float(last.lower_ns), None if last.upper_ns is None else float(last.upper_ns))
    else:
        return None
    if ends is None:
        return None
    off = one.ends.surely_above(ends, slack=_ROUNDED) or one.ends.surely_below(ends, slack=_ROUNDED)
    return not off, ends


def _around(record: LatencyDist, quantile: float) -> Ends:
    """Where a quantile may lie, one rank to either side left to the library that printed it."""
    rank = 1.0 / record.count
    low = record.quantile_bounds(max(0.0, quantile - rank)).lower_ns
    high = record.quantile_bounds(min(1.0, quantile + rank)).upper_ns
    return Ends(float(low), None if high is None else float(high))


def _outside(operation: str, one: RunStatement, ends: Ends) -> Finding:
    low = latency_text(int(ends.lower or 0))
    high = "an open end" if ends.upper is None else latency_text(int(ends.upper))
    return Finding(
        "P3",
        "high",
        "summary contradicts the buckets",
        f"{operation}: the {_name(one)} is printed as {one.printed}, the run's own buckets put it between "
        f"{low} and {high}.",
        (figure("printed", one.ends, "ns", one.printed), figure("by the buckets", ends, "ns")),
    )


def _without_keys(found: Finding) -> Finding:
    return Finding(found.check, found.severity, found.kind, found.statement, found.figures)


def _clocks(facts: RunFacts) -> Iterator[Finding]:
    """The whole latency against its part at the device, at every limit of both."""
    pairs = [
        (whole, part)
        for whole, part in product(facts.operations, facts.operations)
        if whole.operation == part.operation and whole.clock == RESPONSE and part.clock == SERVICE
    ]
    found: list[Finding] = []
    compared = 0
    for whole, part in pairs:
        first, second = whole.record.total, part.record.total
        if not first or not second:
            continue
        compared += 1
        # Operations under way at the end may be in one of the two records only.
        slack = (abs(first - second) + 1) / min(first, second)
        for at in sorted({*act.LIMITS_NS, *whole.thresholds_ns}):
            total, device = _over(whole.record, at), _over(part.record, at)
            less = Ends(max(0.0, (device.lower or 0.0) - slack), device.upper, device.value)
            broken = total_at_least_device(whole.operation, at, total, less, ())
            if broken:
                found += broken
                break
    yield from found
    if compared and not found:
        yield consistent("P5", "At every limit the response is at least as slow as the service in it.")


def _over(record: LatencyRecord, at_ns: int) -> Ends:
    low, high = record.cdf_bounds(at_ns)
    return Ends(1.0 - high, 1.0 - low, 1.0 - (low + high) / 2)


def _tails(facts: RunFacts) -> Iterator[Finding]:
    flight = _flight(facts)
    for one in _of_clock(facts, SERVICE, "operation"):
        mean, count = one.record.mean_ns, _answered(one)
        if (
            flight is None
            or mean is None
            or not count
            or count < _LEAST_OPERATIONS
            or one.record.misses.total
        ):
            continue
        last = one.record.quantile_bounds(1.0).upper_ns
        if last is None or mean[0] <= 0:
            continue
        between = Ends(mean[0], mean[1], (mean[0] + mean[1]) / 2)
        found = tail(one.operation, between, float(last), 1.0, flight=flight)
        if found is not None:
            yield found


def _bandwidths(facts: RunFacts) -> Iterator[Finding]:
    for operation, size in facts.operation_bytes.items():
        rate = _single(facts, operation, "throughput_ops_per_s")
        stated = _single(facts, operation, "bandwidth_bytes_per_s")
        if rate is not None and stated is not None and rate.lower > 0:
            yield stated_bandwidth(operation, moved(rate.ends, Ends.exactly(size)), stated.ends)
    if facts.link_bits_per_s is None or facts.measured_ns <= 0:
        return
    payload = Ends(0.0, 0.0, 0.0)
    for one in _of_clock(facts, RESPONSE, SERVICE, "operation"):
        answered = _answered(one)
        if one.operation in facts.operation_bytes and answered is not None:
            each = answered * facts.operation_bytes[one.operation] * NS_PER_S / facts.measured_ns
            payload = payload.plus(Ends.exactly(each))
    if payload.value:
        yield over_link("Payload", payload, Ends.exactly(facts.link_bits_per_s))


def _duration(facts: RunFacts) -> Sequence[Finding]:
    if not facts.is_certification_test or not facts.is_finished or facts.measured_ns <= 0:
        return ()
    return (long_enough(facts.measured_ns),)


def _transactions(facts: RunFacts) -> Iterator[Finding]:
    if facts.issued is None:
        return
    by_name = {one.operation: one.record for one in _of_clock(facts, SERVICE, RESPONSE, "operation")}
    whole, read = by_name.get(TRANSACTION), by_name.get("read")
    if whole is None or read is None or whole.mean_ns is None or not read.total:
        return
    lower, upper = whole.mean_ns
    shortest = Ends.exactly(float(read.quantile_bounds(0.0).lower_ns))
    mean = Ends(lower, upper, (lower + upper) / 2)
    yield measured_against_reads(facts.issued.depth, mean, shortest)
