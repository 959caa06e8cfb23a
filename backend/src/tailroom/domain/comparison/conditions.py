"""Comparability of two measurements: equal conditions or no conclusion.

Conditions that shape the load or define the timed operation must be equal and known. Factors usually under
study (versions, machines, drives, paths) may differ and are listed, because a difference cannot be
attributed to one of several factors. Source: docs/method.md 6.5, 7 (P19), 10 (C7).
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from tailroom.domain.confidence.shares import LOAD_TOLERANCE_RATIO

Value = str | int | float | bool | None

_NOT_STATED = "not stated"
_LOOPS = {True: "closed (it waits for answers)", False: "open (on a schedule)"}

CONDITIONS = frozenset(
    {
        *("act_generation", "async_commands_max", "asynchronous", "batch", "batch_read_size", "batch_size"),
        *("batch_write_size", "benchmark", "block_size", "bs", "bssplit", "clients", "compression"),
        *("concurrency", "connections", "connections_per_thread", "data_size", "data_size_list"),
        *("data_size_range", "defrag-lwm-pct", "direct", "direct_io", "disable-odsync", "fan_out", "fsync"),
        *("iodepth", "jobs", "key_pattern", "keys_per_transaction", "large-block-op-kbytes"),
        *("large-block-ops-per-sec", "large_block_bytes", "latency_depth", "load_multiple"),
        *("measurement.interval", "mode", "numjobs", "object_spec", "over_provisioned", "phase"),
        *("pipeline", "query_mode", "rate_limit", "ratio", "read-req-num-512-blocks", "read-reqs-per-sec"),
        *("read_percent", "read_write_ratio", "reads_per_transaction", "record-bytes", "record_bytes"),
        *("rw", "rwmixread", "request_count", "scaling_factor", "scheduling", "stage", "sync_writes"),
        *("target", "target_operations_per_s", "threads", "threads_per_file", "transaction_type"),
        *("value_bytes", "write_ratio", "values", "workload", "write-reqs-per-sec", "write_percent"),
    }
)
"""Parameters of tools, by the names that importers give them, that decide what load was applied."""

_IN_FLIGHT = frozenset(
    {
        *("async_commands_max", "clients", "concurrency", "connections", "connections_per_thread"),
        *("iodepth", "jobs", "numjobs", "rate_limit", "target", "target_operations_per_s", "threads"),
    }
)
"""Those of `CONDITIONS` that limit the operations in flight at once, or the rate of a closed loop."""
EQUAL_IN_FLIGHT_RATIO = 0.8, 1.25
"""Range of the ratio of operations in flight of sides with equal load (docs/method.md 7, P1)."""

_MOST_DEVIATIONS = 4.9
"""Standard deviations between the shares of two draws of one mix: exceeded once in a million."""

_NO_FACTORS = (
    *("disk.", "TOTAL_GC", "ctx", "usr_cpu", "sys_cpu", "started_at", "ended_at", "run_id", "date"),
    *("size-bytes", "title", "partition rate", "total ops", "operations/s", "rows/s", "logged_", "cpus"),
)
"""Prefixes of names of results and times, which are no chosen parameters and no factors."""


@dataclass(frozen=True, slots=True)
class DrawnLoad:
    """The load in operations/s of a whole schedule, from whose mix this operation is drawn at random."""

    total_per_s: float
    operations: float
    """Operations that the schedule intended in total."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions of one measured operation. `clock` names the latency that was measured, such as `response`
    or `service`. `parameters` are as the tool states them, `unknown` holds missing facts in words, and
    `target_per_s` is in operations/s. `fell_behind` is how the load generator was late, None if it kept its
    schedule.
    """

    tool: str
    tool_version: str | None
    operation: str
    clock: str
    closed_loop: bool
    target_per_s: float | None = None
    parameters: Mapping[str, Value] = field(default_factory=dict)
    unknown: Sequence[str] = ()
    fell_behind: str | None = None
    drawn: DrawnLoad | None = None
    """None if this operation is the only one of its schedule, or the load of the others is unknown."""


@dataclass(frozen=True, slots=True)
class Comparability:
    """Reasons against a conclusion, changes that remove them, and `factors`: parameters that may differ."""

    reasons: tuple[str, ...]
    factors: tuple[str, ...]
    changes: tuple[str, ...] = ()

    def with_reasons(self, more: Sequence[tuple[str, str]]) -> "Comparability":
        """Return a copy with further reasons and the changes that would remove them, each listed once."""
        reasons = [*self.reasons, *(reason for reason, _ in more)]
        changes = [*self.changes, *(change for _, change in more)]
        return Comparability(tuple(dict.fromkeys(reasons)), self.factors, tuple(dict.fromkeys(changes)))


def compare_sides(base: Conditions, new: Conditions) -> Comparability:
    """Return the reasons against comparing two sides, the remedies, and the factors that differ."""
    sides = (("base", base), ("new", new))
    differences = [
        (f"The file of {side} does not state {fact}.", f"State {fact} of {side}.")
        for side, conditions in sides
        for fact in conditions.unknown
    ]
    differences += _load_differences(base, new)
    different = [
        name
        for name in dict.fromkeys((*base.parameters, *new.parameters))
        if base.parameters.get(name) != new.parameters.get(name) and not name.startswith(_NO_FACTORS)
    ]
    for name in different:
        if is_condition(name):
            before, after = _value_text(base, name), _value_text(new, name)
            words = name.replace("_", " ")
            # A parameter that only one side states may have the same value on the other side.
            change = (
                f"Run new with {words} {before}." if before != _NOT_STATED else f"State {words} for base."
            )
            differences.append((f"{words} differs: {before} and {after}.", change))
    factors = [name for name in different if not is_condition(name)]
    if base.tool_version != new.tool_version:
        factors.insert(0, "tool version")
    for side, of_side in sides:
        if of_side.fell_behind is not None:
            differences.append(
                (
                    f"The load generator of {side} fell behind: {of_side.fell_behind}.",
                    f"Measure {side} again at a load that its generator can keep.",
                )
            )
    reasons, changes = [reason for reason, _ in differences], [change for _, change in differences]
    return Comparability(tuple(reasons), tuple(factors), tuple(dict.fromkeys(changes)))


def _load_differences(base: Conditions, new: Conditions) -> Iterator[tuple[str, str]]:
    """Yield each difference of tool, clock, loop and target rate, with the change that would remove it."""
    if base.tool != new.tool:
        yield (
            f"They were measured with different tools: {base.tool} and {new.tool}.",
            f"Measure new with {base.tool}.",
        )
    if base.clock != new.clock:
        yield (
            f"Different things were timed: {base.clock} time and {new.clock} time.",
            f"Measure the {base.clock} time of new.",
        )
    if base.closed_loop != new.closed_loop:
        yield (
            f"The load of one is {_LOOPS[base.closed_loop]}, of the other {_LOOPS[new.closed_loop]}.",
            f"Run new with a load that is {_LOOPS[base.closed_loop]}.",
        )
    elif not base.closed_loop and base.target_per_s and new.target_per_s and _loads_differ(base, new):
        yield (
            f"The loads differ: {base.target_per_s:g} and {new.target_per_s:g} operations/s.",
            f"Run new at {base.target_per_s:g} operations/s.",
        )


def _loads_differ(base: Conditions, new: Conditions) -> bool:
    """Return whether target rates differ by over `LOAD_TOLERANCE_RATIO`, and shares drawn from mixes of equal
    total load by more than chance as well. Source: docs/method.md 6.5.
    """
    first, second = base.target_per_s or 0.0, new.target_per_s or 0.0
    if _relative_difference(first, second) <= LOAD_TOLERANCE_RATIO:
        return False
    if base.drawn is None or new.drawn is None:
        return True
    if _relative_difference(base.drawn.total_per_s, new.drawn.total_per_s) > LOAD_TOLERANCE_RATIO:
        return True
    shares = [first / base.drawn.total_per_s, second / new.drawn.total_per_s]
    together = sum(shares) / 2.0
    variance = together * (1.0 - together) * (1.0 / base.drawn.operations + 1.0 / new.drawn.operations)
    return abs(shares[0] - shares[1]) > _MOST_DEVIATIONS * math.sqrt(max(0.0, variance))


def _relative_difference(first: float, second: float) -> float:
    """Return the absolute difference as a ratio of the larger value, which must be over 0."""
    return abs(first - second) / max(first, second)


def is_condition(name: str) -> bool:
    """Return whether a parameter shapes the load. A name such as `stage.threads` matches by its last part."""
    return name in CONDITIONS or name.rpartition(".")[2] in CONDITIONS


def _value_text(conditions: Conditions, name: str) -> str:
    value = conditions.parameters.get(name)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    return _NOT_STATED if value is None else str(value)


def in_flight_reasons(
    base: Conditions, new: Conditions, in_flight: Sequence[tuple[float, float] | None]
) -> list[tuple[str, str]]:
    """Return the reason that two closed loops had different numbers of operations in flight, with the change
    that would remove it. Empty if the numbers may be equal, if a loop is open, if a number is unknown, or if
    a parameter of either side limits it (`_IN_FLIGHT`). `in_flight` holds the bounds for base and new.
    """
    stated = [
        name
        for conditions in (base, new)
        for name in conditions.parameters
        if name.rpartition(".")[2] in _IN_FLIGHT
    ]
    before, after = in_flight
    if stated or not (base.closed_loop and new.closed_loop) or before is None or after is None:
        return []
    least, most = EQUAL_IN_FLIGHT_RATIO
    if after[1] >= least * before[0] and after[0] <= most * before[1]:
        return []
    return [
        (
            f"Operations in flight differ: {_range_text(before)} and {_range_text(after)}; some only queue.",
            f"Run new with {_range_text(before)} operations in flight.",
        )
    ]


def _range_text(ends: tuple[float, float]) -> str:
    """Return a number or a range, `8 to 9`, with three significant figures."""
    lower, upper = (f"{end:.3g}" for end in ends)
    return lower if lower == upper else f"{lower} to {upper}"
